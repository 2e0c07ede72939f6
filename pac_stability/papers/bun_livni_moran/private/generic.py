"""Lemma 16: the generic private learner for a finite class, with explicit constants."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability.arguments import (
    AnyNumber,
    require_instance,
)
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Promises
from pac_stability.mechanisms import PrivacyGuarantee, exponential_learner
from pac_stability.papers.bun_livni_moran.formulas.choice import generic_size, private_decay
from pac_stability.papers.promised import by_choice
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class GenericPrivateLearner(LawfulLearner[Hashable]):
    """The exponential mechanism on a finite class: "GenericLearner" of the paper.

    A hypothesis is output with probability in proportion to ``decay`` to the power of its errors on
    the sample, where ``decay = e**(-epsilon/2)``, rounded up so that no more is spent.

    Parameters
    ----------
    hypotheses
        The class, not empty.
    epsilon
        The privacy parameter, above 0. Privacy is pure: delta = 0.

    Raises
    ------
    InvalidInput
        The class is empty, or epsilon is 0 or too small to be told from it.

    Notes
    -----
    :meth:`sample_size` says from which size on it is accurate. Source: BLM20 Lemma 16, after
    Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith (2011).

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> learner = GenericPrivateLearner(H, Epsilon.exactly(4))
    >>> learner.law(Sample([0, 1], [0, 1])).map(lambda h: h.index)
    FiniteDistribution({0: 1/4, 1: 1/2, 2: 1/4})
    >>> learner.sample_size("1/8", "1/10")
    1379
    """

    hypotheses: FiniteClass
    decay: Fraction

    symmetric: ClassVar[bool] = True

    def __init__(self, hypotheses: FiniteClass, epsilon: Epsilon | AnyNumber) -> None:
        require_instance(hypotheses, FiniteClass, "hypotheses")
        if len(hypotheses) == 0:
            raise InvalidInput("hypotheses", "an empty class", "at least one hypothesis")
        object.__setattr__(self, "hypotheses", hypotheses)
        object.__setattr__(self, "decay", private_decay(epsilon))

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee for one example replaced."""
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-2))

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return by_choice(exponential_learner(self.hypotheses, self.decay))

    def sample_size(self, alpha: AnyNumber, beta: AnyNumber) -> int:
        """Return from how many examples on the learner is accurate, by :func:`generic_size`.

        Parameters
        ----------
        alpha, beta
            If some hypothesis has loss at most alpha, the output has loss at most 2 alpha with
            probability at least 1 - beta.
        """
        return generic_size(len(self.hypotheses), alpha, beta, self.decay)

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Row]:
        """Return the law of the hypothesis.

        Parameters
        ----------
        sample
            The sample, on points of the domain.
        """
        return exponential_learner(self.hypotheses, self.decay).law(sample)

    def run(self, sample: Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> Row:
        """Return a hypothesis.

        Parameters
        ----------
        sample
            The sample, on points of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return exponential_learner(self.hypotheses, self.decay).run(sample, rng)
