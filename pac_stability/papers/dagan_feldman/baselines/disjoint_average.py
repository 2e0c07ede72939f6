"""Averaging over disjoint parts of a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arithmetic import as_size
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.papers.dagan_feldman._checks import require_family, require_sample
from pac_stability.papers.dagan_feldman.baselines._labels import label_probabilities
from pac_stability.papers.dagan_feldman.erm import (
    block_minimisers,
    empirical_risk_minimiser,
    index_blocks,
)
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class DisjointAverage:
    """Predict by the empirical risk minimiser of a random one of k disjoint parts of the sample.

    The probability of label 1 at a point is the mean of the labels that the k minimisers give it.

    Parameters
    ----------
    H
        The class, not empty.
    blocks
        k, the number of parts, at least 1. They are consecutive, of floor(n/k) examples each.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample has fewer than k examples, or a point is
        outside the domain.

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
    >>> sample = Sample([1, 2, 3, 4], [0, 1, 0, 1])
    >>> learner.probabilities(sample, [1, 2, 3, 4])
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 1))
    >>> learner.stability(4), learner.predict(sample, 4)
    (Fraction(1, 2), 1)
    """

    H: Family
    blocks: int

    def __post_init__(self) -> None:
        require_family(self.H)
        object.__setattr__(self, "blocks", as_size(self.blocks, "blocks", least=1))

    def stability(self, n: int) -> Fraction:
        """Return how far one example moves a prediction, at most and exactly, for n examples.

        Parameters
        ----------
        n
            The size of the samples, at least k.

        Returns
        -------
        Fraction
            1/k.
        """
        as_size(n, "n", least=self.blocks)
        return Fraction(1, self.blocks)

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.
        """
        require_sample(sample, self.blocks)
        return reduced_law(dict(Counter(block_minimisers(self.H, sample, self.blocks))))

    def probabilities(
        self, sample: Sample[Hashable], points: Sequence[Hashable], /
    ) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        return label_probabilities(self.law(sample), points)

    def run(self, sample: Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis; only its part of the sample is looked at.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        require_sample(sample, self.blocks)
        chosen = index_blocks(sample, self.blocks)[rng.below(self.blocks)]
        return empirical_risk_minimiser(self.H, chosen)

    def predict(
        self, sample: Sample[Hashable], point: Hashable, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point, by a hypothesis drawn for it alone.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.run(sample, rng)(point)
