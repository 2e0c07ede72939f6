"""Corollary 31: one hypothesis for each labeling of a finite domain."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability.arguments import AnyNumber, as_size, described
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon
from pac_stability.classes import Family, Hypothesis, Restriction, Row
from pac_stability.data import AnySample, FiniteDistribution
from pac_stability.dimensions.growth import sauer_shelah_bound
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Promises
from pac_stability.papers.cummings_et_al.generic_agnostic import GenericAgnosticLearner
from pac_stability.papers.cummings_et_al.sizes import GenericAgnosticSize
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class FiniteDomainLearner(LawfulLearner[Hashable]):
    """Algorithm 1 for any class on a finite domain: proper, and perfectly generalizing.

    The class may be infinite. Of the hypotheses that label the domain alike one is kept, so that
    those kept are finitely many and as good as the class.

    Parameters
    ----------
    family
        H, any :class:`~pac_stability.classes.Family`, not empty.
    domain
        X, finitely many points.
    beta, epsilon
        As for :class:`GenericAgnosticLearner`.

    Attributes
    ----------
    labelings
        The patterns of H on X, each with a representative: a hypothesis of H that has it.
    learner
        Algorithm 1 on the patterns.

    Raises
    ------
    InvalidInput
        The family is none or empty, or a parameter is out of range; on use, a point of the sample
        is not in X.

    Notes
    -----
    The output is a representative, so it is in H. It follows from the pattern alone, and
    post-processing keeps the guarantees. Source: CLNRW16 Corollary 31, which has to mean a finite
    domain: on an infinite one, thresholds have no proper learner that generalizes perfectly with
    beta and delta of order 1/n^2 (Theorem 35).

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> from pac_stability.data import Sample
    >>> learner = FiniteDomainLearner(Thresholds(), range(9), "1/10", 0.5)
    >>> len(learner.labelings), learner.sample_size("1/10", "1/10")
    (10, 142506)
    >>> learner.law(Sample([0, 8] * 50, [0, 1] * 50)).support[0]
    Threshold(cut=0, upward=True)
    """

    labelings: Restriction
    learner: GenericAgnosticLearner[Row]

    symmetric: ClassVar[bool] = True

    def __init__(
        self,
        family: Family,
        domain: Iterable[Hashable],
        beta: AnyNumber,
        epsilon: Epsilon | AnyNumber,
    ) -> None:
        if isinstance(family, type) or not callable(getattr(family, "restrict", None)):
            raise InvalidInput("family", described(family), "a FiniteClass or another Family")
        labelings = family.restrict(domain)
        object.__setattr__(self, "labelings", labelings)
        object.__setattr__(self, "learner", GenericAgnosticLearner(labelings, beta, epsilon))

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have: 1."""
        return self.learner.least_examples

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return self.learner.promises(n)

    def sample_size(
        self, alpha: AnyNumber, gamma: AnyNumber, *, constants: ConstantsLike = Constants.SHARP
    ) -> int:
        """Return from how many examples on it is (alpha, gamma)-accurate, for this many labelings.

        Parameters
        ----------
        alpha, gamma, constants
            As for :meth:`GenericAgnosticLearner.sample_size`.
        """
        return self.learner.sample_size(alpha, gamma, constants=constants)

    def law(self, sample: AnySample, /) -> FiniteDistribution[Hypothesis]:
        """Return the law of the hypothesis.

        Parameters
        ----------
        sample
            The sample, on points of X, not empty.
        """
        return self.learner.law(sample).map(self._representative)

    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return a hypothesis.

        Parameters
        ----------
        sample
            The sample, on points of X, not empty.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self._representative(self.learner.run(sample, rng))

    def _representative(self, pattern: Row) -> Hypothesis:
        return self.labelings.representatives[pattern.index]


def corollary_31(
    domain_size: int,
    vc_dimension: int,
    *,
    alpha: Fraction,
    beta: Fraction,
    gamma: Fraction,
    epsilon: Epsilon,
    constants: ConstantsLike = Constants.SHARP,
) -> GenericAgnosticSize:
    """Return the sample size for every class of a VC dimension on a finite domain.

    Parameters
    ----------
    domain_size
        |X|.
    vc_dimension
        d.
    alpha, beta, gamma, epsilon, constants
        As for :class:`~pac_stability.papers.cummings_et_al.sizes.GenericAgnosticSize`; the
        corollary has beta = gamma.

    Returns
    -------
    GenericAgnosticSize
        Theorem 30 for the largest number of labelings, ``C(|X|, 0) + ... + C(|X|, d)`` (Sauer and
        Shelah); a class with fewer labelings needs no more. Its logarithm is at most ``d ln|X|``
        for ``2 <= d <= |X|``, so that the size is of the order stated.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    CLNRW16 Corollary 31.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> size = corollary_31(
    ...     1000, 2, alpha=tenth, beta=tenth, gamma=tenth, epsilon=Epsilon(0.5))
    >>> size.class_size, size.sample_size
    (500501, 3561604)
    """
    points, d = as_size(domain_size, "domain_size"), as_size(vc_dimension, "vc_dimension")
    labelings = sauer_shelah_bound(points, d)
    return GenericAgnosticSize(labelings, alpha, beta, gamma, epsilon, constants)
