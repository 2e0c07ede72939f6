"""Averaging over the random subsets of a sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice
from operator import itemgetter
from typing import TypeAlias, TypeVar

import numpy as np

from pac_stability.arguments import as_points, as_size
from pac_stability.audit import Notion
from pac_stability.classes import Hypothesis
from pac_stability.data import FiniteDistribution, enumerate_law
from pac_stability.data.distribution import reduced_law
from pac_stability.learning import (
    AnyData,
    BaseLearner,
    LawfulLearner,
    Promises,
    as_listed,
    as_sample,
)
from pac_stability.learning.learner import is_family, require_base
from pac_stability.papers.dagan_feldman._drawing import SubsetLearner
from pac_stability.papers.dagan_feldman.draws import random_subset
from pac_stability.papers.dagan_feldman.erm import base_hypothesis
from pac_stability.papers.dagan_feldman.hit_sets import hit_sets
from pac_stability.randomness import SYSTEM_COINS, Coins

T = TypeVar("T")

Draw: TypeAlias = tuple[tuple[int, ...], int]
"""How often each of some examples is drawn, and how many index sets draw so."""


@dataclass(frozen=True, slots=True)
class SubsetAverage(SubsetLearner):
    """Predict by the empirical risk minimiser of a random subset of the sample.

    Parameters
    ----------
    H
        The class, not empty; or any other base learner, a function from samples to hypotheses or a
        classifier with ``fit`` and ``predict``.
    subset_size
        m, how many of the n indices are drawn, uniformly without replacement; at least 1.
    least_sample_size
        Refuse samples with fewer examples: set by the sizes that promise an accuracy.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample is too small (m examples at least), or a
        point is outside the domain.

    Notes
    -----
    Stability. An example is drawn with probability m/n, and where it is not, replacing it changes
    nothing: m/n. Any class with two hypotheses that agree at one point and differ at another
    attains it, as the other examples can be copies of the first point and the one that is replaced
    a lone example at the second.

    Bagging draws with replacement; this is its form without, which DF20's introduction mentions
    beside averaging on disjoint parts.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> learner = SubsetAverage(Thresholds(), 2)
    >>> from pac_stability.data import Sample
    >>> sample = Sample([1, 2, 3], [0, 1, 1])
    >>> learner.law(sample).map(lambda h: h.cut)
    FiniteDistribution({2: 2/3, 3: 1/3})
    >>> learner.stability(3)
    Fraction(2, 3)
    """

    H: BaseLearner
    subset_size: int
    least_sample_size: int = 0

    def __post_init__(self) -> None:
        require_base(self.H)
        for name, least in (("subset_size", 1), ("least_sample_size", 0)):
            object.__setattr__(self, name, as_size(getattr(self, name), name, least=least))

    @property
    def symmetric(self) -> bool:
        """Whether only the multiset of examples matters: it does to a class, by definition."""
        return is_family(self.H)

    def stability(self, n: int) -> Fraction:
        """Return how far one example moves a prediction, at most, for n examples.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            m/n.
        """
        return self._part(n)

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

        Notes
        -----
        The sum is over the sets of distinct examples, at most 2 to the power of their number, each
        with the number of index sets that draw just these. Where some hypothesis is consistent with
        all of them, the first such is the minimiser. Where none is, the minimiser depends on how
        often each of them is drawn, and these counts are gone through, weighted by products of
        binomials.

        Of another base learner than a class all index sets are gone through.
        """
        if not is_family(self.H):
            return LawfulLearner.law(self, as_listed(sample, self.least_examples))
        times = Counter(as_listed(sample, self.least_examples))
        examples, counts = tuple(times), tuple(times.values())
        patterns_on = cache(self.H.restrict)
        weights: dict[Hypothesis, int] = {}
        for drawn, ways in hit_sets(counts, self.subset_size):
            patterns = patterns_on(frozenset(examples[i].point for i in drawn))
            columns = [patterns.column(examples[i].point) for i in drawn]
            labels = np.array([examples[i].label for i in drawn])
            wrong = (patterns.table[:, columns] != labels).astype(np.int64)
            parts: Iterable[list[Draw]] = [[((1,) * len(drawn), ways)]]
            if wrong.sum(axis=1).all():
                parts = _batches(_multiplicities([counts[i] for i in drawn], self.subset_size))
            for part in parts:
                errors = wrong @ np.array([often for often, _ in part]).T
                for best, (_, ways_of_part) in zip(errors.argmin(axis=0), part, strict=True):
                    h = patterns.representatives[best]
                    weights[h] = weights.get(h, 0) + ways_of_part
        return reduced_law(weights)

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        if is_family(self.H):
            return SubsetLearner.probabilities(self, sample, points)
        # What a classifier becomes has no name by which two of them are equal; its labels have.
        given, at = as_listed(sample, self.least_examples), as_points(points)

        def labels(rng: Coins) -> tuple[int, ...]:
            h = self.run(given, rng)
            return tuple(h(x) for x in at)

        law = enumerate_law(labels)
        return tuple(law.expectation(itemgetter(place)) for place in range(len(at)))

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis: that of a random subset.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        given = as_sample(sample, self.least_examples)
        return base_hypothesis(self.H, random_subset(given, self.subset_size, rng))


def _multiplicities(counts: Sequence[int], size: int) -> Iterator[Draw]:
    """Yield how often each example is drawn, at least once, and how many index sets draw so."""
    if not counts:
        yield (), 1
        return
    *others, last = counts
    for times in range(max(1, size - sum(others)), min(last, size - len(others)) + 1):
        ways = math.comb(last, times)
        for often, rest in _multiplicities(others, size - times):
            yield (*often, times), rest * ways


def _batches(items: Iterator[T]) -> Iterator[list[T]]:
    """Yield the items in lists of a few thousand: one matrix product each."""
    while batch := list(islice(items, 4096)):
        yield batch
