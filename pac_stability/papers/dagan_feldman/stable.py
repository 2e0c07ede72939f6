"""The stable learner of Theorem 1: the exponential mechanism on the patterns of a random subset."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import ClassVar

from pac_stability.arguments import AnyNumber, as_open_unit, as_points, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import ErrorCounter, Family, Hypothesis, Stumps
from pac_stability.classes.required import require_family
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.learning import AnyData, Promises, as_counter, as_listed, as_sample
from pac_stability.mechanisms import ExponentialMechanism, PrivacyGuarantee, decay_for
from pac_stability.mechanisms.weights import Scores
from pac_stability.papers.dagan_feldman._answering import DrawingAnswers, DrawnAnswers
from pac_stability.papers.dagan_feldman._checks import fix, subset_size_for
from pac_stability.papers.dagan_feldman._drawing import SubsetLearner
from pac_stability.papers.dagan_feldman._enclosing import enclosed_law
from pac_stability.papers.dagan_feldman._stump_answers import stump_draws
from pac_stability.papers.dagan_feldman.draws import stable_draw
from pac_stability.papers.dagan_feldman.enclosed_law import EnclosedLaw
from pac_stability.papers.dagan_feldman.selection import (
    exact_selection,
)
from pac_stability.randomness import SYSTEM_COINS, Coins

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True, init=False)
class StableLearner(SubsetLearner):
    """Draw one pattern of a random subset of the sample, by its errors on the whole sample.

    On a sample S of n examples: draw a uniformly random set I of n' indices, list one hypothesis
    for each pattern of H on the points of S_I, draw one of these by the exponential mechanism with
    their errors on S, and predict with it. This is A^sta.

    Parameters
    ----------
    H
        The class: a finite one, or any other family. Not empty. What represents a pattern must be a
        function of the *set* of points only; the classes of this library see to it.
    subset_size
        n', at least 1.
    epsilon
        The privacy parameter of the exponential mechanism (gamma in Appendix B): a number, or an
        ``Epsilon``. Weights are integer powers of the rational :attr:`decay`, which never spends
        more.
    least_sample_size
        Refuse samples with fewer examples: set by the constructors that promise a stability.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the class is empty. On use: the sample is too small, or a
        point is outside the domain.

    Notes
    -----
    Stability. Replace one example. An index set without its index gives the same candidates, and a
    0/1 value of the exponential mechanism changes its probability by at most ``s = (1 - rho) /
    (1 + rho) = tanh(epsilon/4)``; the other index sets are a fraction ``q = n'/n`` and change it by
    at most 1. So predictions are ``q + (1 - q) s`` stable, :meth:`stability`. For every n', odd n
    and decay, there are a class and representatives that attain it.

    Privacy. By the same division, predictions are (epsilon, n'/n)-private: :meth:`guarantee`.

    Both rest on equal candidates for equal sets of points. The paper lets representatives be chosen
    arbitrarily, which is meant so: choosing for each pattern the hypothesis that errs least on the
    sample, for one, can move a prediction by 13/20 where the bound is 1/2.

    Source: DF20 Section 3, Appendix B, Theorem 1 and Lemma 13.

    Examples
    --------
    >>> from pac_stability import classes
    >>> learner = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(4))
    >>> sample = Sample([0, 1, 1], [0, 1, 1])
    >>> learner.law(sample).map(lambda h: (h(0), h(1)))
    FiniteDistribution({(1, 1): 5/9, (0, 1): 2/9, (0, 0): 2/9})
    >>> learner.probabilities(sample, [0, 1])
    (Fraction(5, 9), Fraction(7, 9))
    >>> learner.predict(sample, 1) in (0, 1), learner.stability(3)
    (True, Fraction(5, 9))
    """

    H: Family
    subset_size: int
    epsilon: Epsilon
    least_sample_size: int
    decay: Fraction = field(init=False, repr=False, compare=False)

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __init__(
        self,
        H: Family,
        subset_size: int,
        epsilon: Epsilon | AnyNumber,
        least_sample_size: int = 0,
    ) -> None:
        require_family(H)
        asked = as_epsilon(epsilon)
        fix(
            self,
            H=H,
            subset_size=as_size(subset_size, "subset_size", least=1),
            epsilon=asked,
            least_sample_size=as_size(least_sample_size, "least_sample_size"),
            decay=decay_for(asked),
        )

    @staticmethod
    def from_stability(
        H: Family, gamma: AnyNumber, n: int, *, split: AnyNumber = _HALF
    ) -> StableLearner:
        """Return a gamma-stable learner for samples of n examples, with nothing given away.

        Parameters
        ----------
        H
            The class.
        gamma
            The stability wanted, an exact number above 0 and below 1.
        n
            The least size of a sample.
        split
            The part of gamma that may be spent on the subset, above 0 and below 1.

        Returns
        -------
        StableLearner
            ``n'`` is ``split * gamma * n`` rounded down, and epsilon is what makes
            :meth:`stability` of n equal to gamma, up to the rounding of the decay.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or n is too small for any subset: the message says what
            size is needed.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner.from_stability(classes.thresholds(9), Fraction(1, 5), 2914)
        >>> learner.subset_size, learner.stability(2914) <= Fraction(1, 5)
        (291, True)
        """
        gamma, split = as_open_unit(gamma, "gamma"), as_open_unit(split, "split")
        size = subset_size_for(n, split * gamma)
        part = Fraction(size, as_size(n, "n"))
        spent = (gamma - part) / (1 - part)
        # tanh(epsilon/4) = spent says that e**(epsilon/2) is this:
        root = (1 + spent) / (1 - spent)
        return StableLearner(H, size, Epsilon.exactly(root**2), n)

    @staticmethod
    def from_outline(H: Family, gamma: AnyNumber, n: int) -> StableLearner:
        """Return the learner of the outline in Section 3, which is gamma-stable.

        Parameters
        ----------
        H
            The class.
        gamma
            The stability wanted, an exact number above 0 and below 1.
        n
            The least size of a sample.

        Returns
        -------
        StableLearner
            ``n'`` is ``gamma n / 2`` rounded down, and epsilon is ``gamma / 4``.

        Raises
        ------
        InvalidInput
            As for :meth:`from_stability`.

        Notes
        -----
        The paper's account is ``gamma/2 + (e**(gamma/4) - 1) <= gamma``: :meth:`paper_stability`.
        The exponential mechanism uses about an eighth of the other half.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner.from_outline(classes.thresholds(9), Fraction(1, 5), 1000)
        >>> bounds = learner.paper_stability(1000), learner.stability(1000)
        >>> learner.subset_size, [round(float(bound), 4) for bound in bounds]
        (100, [0.1513, 0.1112])
        """
        gamma = as_open_unit(gamma, "gamma")
        return StableLearner(H, subset_size_for(n, gamma / 2), gamma / 4, n)

    @staticmethod
    def from_lemma_13(H: Family, gamma: AnyNumber, n: int) -> StableLearner:
        """Return the learner of Lemma 13, which is 3 gamma-stable.

        Parameters
        ----------
        H
            The class.
        gamma
            A third of the stability, an exact number above 0 and below 1.
        n
            The least size of a sample.

        Returns
        -------
        StableLearner
            ``n'`` is ``gamma n`` rounded down, and epsilon is ``gamma``.

        Raises
        ------
        InvalidInput
            As for :meth:`from_stability`.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner.from_lemma_13(classes.thresholds(9), Fraction(1, 5), 1000)
        >>> learner.subset_size, learner.paper_stability(1000) <= 3 * Fraction(1, 5)
        (200, True)
        """
        gamma = as_open_unit(gamma, "gamma")
        return StableLearner(H, subset_size_for(n, gamma), gamma, n)

    def stability(self, n: int) -> Fraction:
        """Return how far, at most, one example moves a prediction: a gamma, for samples of size n.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``q + (1 - q) (1 - rho) / (1 + rho)`` with ``q = n'/n``.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.
        """
        part = self._part(n)
        return part + (1 - part) * (1 - self.decay) / (1 + self.decay)

    def paper_stability(self, n: int) -> Fraction:
        """Return what the paper's chain of inequalities gives for :meth:`stability`.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``n'/n + (e**epsilon - 1)``; it can exceed 1. For epsilon up to 1 it is at most ``n'/n +
            2 epsilon``, the last step in the proof of Lemma 13.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.
        """
        return self._part(n) + self.epsilon.ratio - 1

    def guarantee(self, n: int) -> PrivacyGuarantee:
        """Return what the learner guarantees as private prediction, for samples of size n.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        PrivacyGuarantee
            (epsilon, n'/n), where ``e**epsilon`` is ``rho**-2``.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.

        Notes
        -----
        Let P and P' be the average predictions, given S and S', over the index sets without the
        replaced index: ``P <= e**epsilon P'``, in both labels. The others are a fraction q of all,
        so that the whole is at most ``(1 - q) P + q <= e**epsilon (1 - q) P' + q``.
        """
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-2), self._part(n))

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return {
            Notion.UNIFORM_STABILITY: self.stability(n),
            Notion.TOTAL_VARIATION_STABILITY: self.stability(n),
            Notion.PRIVATE_PREDICTION: self.guarantee(n),
        }

    def conditioned_on(
        self, points: Iterable[Hashable]
    ) -> ExponentialMechanism[Sample[Hashable], Hypothesis]:
        """Return the exponential mechanism on H_T: its law on S is h_{S,T}.

        Parameters
        ----------
        points
            The points of T, which need not be in S.

        Returns
        -------
        ExponentialMechanism
            From samples to hypotheses. A^sta is the average over I of its laws for ``T = S_I``.

        Raises
        ------
        InvalidInput
            A point is outside the domain.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(4))
        >>> learner.conditioned_on([0]).law(Sample([1], [0])).map(lambda h: (h(0), h(1)))
        FiniteDistribution({(1, 1): 1/2, (0, 1): 1/2})
        """
        candidates = tuple(self.H.representatives_on(as_points(points)))
        return ExponentialMechanism(candidates, partial(_errors, candidates), self.decay)

    def law(self, sample: AnyData, /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis that is drawn: the selection distribution P_S.

        Parameters
        ----------
        sample
            S.

        Raises
        ------
        BudgetExhausted
            Too many sets of distinct points can be hit.
        InvalidInput
            As for all uses.

        Notes
        -----
        See :func:`~pac_stability.papers.dagan_feldman.selection.exact_selection`.
        """
        given = as_listed(sample, self.least_examples)
        return exact_selection(self.H, given, self.subset_size, self.decay)

    def enclosed(self, sample: AnyData, /) -> EnclosedLaw:
        """Return the selection distribution in certified bounds, without fractions.

        Parameters
        ----------
        sample
            S.

        Returns
        -------
        EnclosedLaw
            Both have ``hypotheses``, ``slack``, ``law()``, ``probabilities(points)``,
            ``loss(data)`` and ``expectation(value)``.

        Raises
        ------
        InvalidInput
            The class is none of these, or as for all uses.

        Notes
        -----
        Where the normaliser is additive (thresholds, point functions and others), in polynomial
        time: :func:`~pac_stability.papers.dagan_feldman.additive.additive_selection`. For other
        finite classes the subsets are gone through:
        :func:`~pac_stability.papers.dagan_feldman.selection.enclosed_selection`.

        Examples
        --------
        >>> from pac_stability import classes
        >>> sample = Sample(range(1000), [int(x >= 300) for x in range(1000)])
        >>> found = StableLearner(classes.Thresholds(), 100, Fraction(1, 10)).enclosed(sample)
        >>> [round(float(p), 4) for p in found.probabilities([250, 300, 350])]
        [0.0474, 0.511, 0.9548]
        """
        given = as_listed(sample, self.least_examples)
        return enclosed_law(self.H, given, self.subset_size, self.decay)

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis: the algorithm itself, step by step.

        Parameters
        ----------
        sample
            S; a million examples are best given as an ``ArraySample``.
        rng
            Where the coins come from; the operating system's entropy by default.

        Notes
        -----
        See :func:`~pac_stability.papers.dagan_feldman.draws.stable_draw`, to which the sample may
        also be given ready for many draws.
        """
        as_sample(sample, self.least_examples)
        return stable_draw(self.H, sample, self.subset_size, self.decay, rng)

    def prepare(self, sample: AnyData, /) -> DrawingAnswers:
        """Return what answers questions about points: the sample is made ready for counting once.

        Parameters
        ----------
        sample
            S.

        Returns
        -------
        PreparedPredictor
            It also has ``draw(rng)``, which returns one hypothesis.

        Notes
        -----
        For stumps in the compiled core: errors and weights are looked up, and an answer takes
        O(p n' log n') whatever the size of the sample. For other classes each answer lists the
        representatives of its subset, and counts their errors with what was prepared.
        """
        counter = as_counter(sample, self.least_examples)
        if isinstance(self.H, Stumps):
            parameters = (self.H.dimension, self.subset_size, self.decay)
            if (quick := stump_draws(self, counter, *parameters)) is not None:
                return quick

        def draw(rng: Coins) -> Hypothesis:
            return stable_draw(self.H, counter, self.subset_size, self.decay, rng)

        return DrawnAnswers(self, len(counter.sample), draw)


def _errors(candidates: Sequence[Hypothesis], sample: Sample[Hashable]) -> Scores:
    return ErrorCounter(sample).count(candidates)
