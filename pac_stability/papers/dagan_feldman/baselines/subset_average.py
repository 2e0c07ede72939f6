"""Averaging over the random subsets of a sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability.arithmetic import as_size
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import Deterministic, FiniteDistribution, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.mechanisms import Subsampled
from pac_stability.papers.dagan_feldman._checks import require_family, require_sample
from pac_stability.papers.dagan_feldman.baselines._labels import label_probabilities
from pac_stability.papers.dagan_feldman.erm import empirical_risk_minimiser
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True)
class SubsetAverage:
    """Predict by the empirical risk minimiser of a random subset of the sample.

    Parameters
    ----------
    H
        The class, not empty.
    subset_size
        m, how many of the n indices are drawn, uniformly without replacement; at least 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample has fewer than m examples, or a point is
        outside the domain.

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
    >>> sample = Sample([1, 2, 3], [0, 1, 1])
    >>> learner.law(sample).map(lambda h: h.cut)
    FiniteDistribution({2: 2/3, 3: 1/3})
    >>> learner.stability(3)
    Fraction(2, 3)
    """

    H: Family
    subset_size: int

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __post_init__(self) -> None:
        require_family(self.H)
        object.__setattr__(self, "subset_size", as_size(self.subset_size, "subset_size", least=1))

    def stability(self, n: int) -> Fraction:
        """Return how far one example moves a prediction, at most, for n examples.

        Parameters
        ----------
        n
            The size of the samples, at least m.

        Returns
        -------
        Fraction
            m/n.
        """
        return Fraction(self.subset_size, as_size(n, "n", least=self.subset_size))

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.

        Notes
        -----
        The minimiser depends on how often each distinct example is drawn: the sum is over these
        counts, weighted by products of binomials. Where a hypothesis is consistent with the whole
        sample, it depends on *which* examples are drawn at all, and the sum is over the sets of
        distinct examples, at most 2 to the power of their number.
        """
        require_sample(sample, self.subset_size)
        counts = Counter(sample)
        consistent = not sample.count_errors(empirical_risk_minimiser(self.H, sample))
        draws = _draws_by_support if consistent else _draws_by_count
        examples = tuple(counts)
        weights: dict[Hypothesis, int] = {}
        for drawn, ways in draws(tuple(counts.values()), self.subset_size):
            part = [z for z, times in zip(examples, drawn, strict=True) for _ in range(times)]
            h = empirical_risk_minimiser(self.H, Sample.from_examples(part))
            weights[h] = weights.get(h, 0) + ways
        return reduced_law(weights)

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
        """Return one hypothesis: that of a random subset.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        require_sample(sample, self.subset_size)

        def minimiser(part: Sample[Hashable]) -> Hypothesis:
            return empirical_risk_minimiser(self.H, part)

        return Subsampled(Deterministic(minimiser), self.subset_size).run(sample, rng)

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


def _draws_by_count(counts: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield how often each example is drawn, and how many index sets draw so."""
    if not counts:
        yield (), 1
        return
    *others, last = counts
    for times in range(max(0, size - sum(others)), min(last, size) + 1):
        ways = math.comb(last, times)
        for drawn, rest in _draws_by_count(others, size - times):
            yield (*drawn, times), rest * ways


def _draws_by_support(counts: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield which examples are drawn, as 0 or 1, and how many index sets draw just these.

    The number is the coefficient of ``z**size`` in the product of ``(1+z)**c - 1`` over the counts
    c of the examples drawn.
    """

    def extend(
        drawn: tuple[int, ...], ways: list[int], left: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        # ways[j]: how many sets of j indices draw just the examples chosen so far.
        if not any(ways[max(0, size - left) :]):
            return  # too few can still be drawn, or too many are
        if len(drawn) == len(counts):
            yield drawn, ways[size]
            return
        count = counts[len(drawn)]
        yield from extend((*drawn, 0), ways, left - count)
        more = [
            sum(math.comb(count, t) * ways[j - t] for t in range(1, min(count, j) + 1))
            for j in range(size + 1)
        ]
        yield from extend((*drawn, 1), more, left - count)

    yield from extend((), [1] + [0] * size, sum(counts))
