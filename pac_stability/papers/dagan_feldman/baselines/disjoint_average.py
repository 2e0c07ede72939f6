"""Averaging over disjoint parts of a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from pac_stability.arguments import as_size
from pac_stability.audit import Notion
from pac_stability.classes import Hypothesis
from pac_stability.data import FiniteDistribution
from pac_stability.data.distribution import reduced_law
from pac_stability.learning import AnyData, BaseLearner, PreparedPredictor, Promises, as_sample
from pac_stability.learning.learner import require_base
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman._answering import TossedAnswers, votes_at
from pac_stability.papers.dagan_feldman._drawing import DrawingLearner
from pac_stability.papers.dagan_feldman.erm import (
    base_hypothesis,
    block_minimisers,
    index_blocks,
)
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class DisjointAverage(DrawingLearner):
    """Predict by the empirical risk minimiser of a random one of k disjoint parts of the sample.

    The probability of label 1 at a point is the mean of the labels that the k minimisers give it.

    Parameters
    ----------
    H
        The class, not empty; or any other base learner, a function from samples to hypotheses or a
        classifier with ``fit`` and ``predict``.
    blocks
        k, the number of parts, at least 1. They are consecutive, of floor(n/k) examples each.
    least_sample_size
        Refuse samples with fewer examples: set by the sizes that promise an accuracy.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample is too small (k examples at least), or a
        point is outside the domain.

    Notes
    -----
    Stability. An example is in one part at most, so replacing it changes one of k labels: exactly
    1/k, for every class of two hypotheses or more and every n from k on. To see that it is
    attained, take a point x to which the class gives both labels, and a part of copies of x. As
    their labels turn from 0 to 1 one by one, the label of the minimiser at x turns as well, at one
    of the steps.

    The predictions are not private: a label has probability 0 until the first of the k minimisers
    gives it.

    Loss. The expected error, on any distribution, is the mean of the errors of the k minimisers,
    each learned from floor(n/k) examples: k times the data.

    Source: Shalev-Shwartz, Shamir, Srebro and Sridharan, *Learnability, stability and uniform
    convergence*, 2010, with which DF20 Theorem 1 is compared.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> learner = DisjointAverage(Thresholds(), 2)
    >>> from pac_stability.data import Sample
    >>> sample = Sample([1, 2, 3, 4], [0, 1, 0, 1])
    >>> learner.probabilities(sample, [1, 2, 3, 4])
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 1))
    >>> learner.stability(4), learner.predict(sample, 4)
    (Fraction(1, 2), 1)
    """

    H: BaseLearner
    blocks: int
    least_sample_size: int = 0

    def __post_init__(self) -> None:
        require_base(self.H)
        for name, least in (("blocks", 1), ("least_sample_size", 0)):
            object.__setattr__(self, name, as_size(getattr(self, name), name, least=least))

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return max(self.blocks, self.least_sample_size)

    def stability(self, n: int) -> Fraction:
        """Return how far one example moves a prediction, at most and exactly, for n examples.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            1/k.
        """
        as_size(n, "n", least=self.least_examples)
        return Fraction(1, self.blocks)

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        gamma = self.stability(n)
        return {Notion.UNIFORM_STABILITY: gamma, Notion.TOTAL_VARIATION_STABILITY: gamma}

    def law(self, sample: AnyData, /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.
        """
        return reduced_law(dict(Counter(self.minimisers(sample))))

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis; only its part of the sample is looked at.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        given = as_sample(sample, self.least_examples)
        chosen = index_blocks(given, self.blocks)[rng.below(self.blocks)]
        return base_hypothesis(self.H, chosen)

    def minimisers(self, sample: AnyData) -> tuple[Hypothesis, ...]:
        """Return the minimisers of the parts.

        Parameters
        ----------
        sample
            S.
        """
        return block_minimisers(self.H, as_sample(sample, self.least_examples), self.blocks)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: the minimisers are chosen once.

        Parameters
        ----------
        sample
            S.
        """
        chosen = self.minimisers(sample)

        def coin(votes: int) -> LazyCoin:
            return LazyCoin.of(Fraction(votes, self.blocks))

        return TossedAnswers(self, len(as_sample(sample)), partial(votes_at, chosen), coin)
