"""The case study of thresholds (Section 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from pac_stability.claims.trials import Budget, Finding, Trials, fails, settle, trial
from pac_stability.classes import FiniteClass
from pac_stability.compression.chains import ChainScheme
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.papers.cummings_et_al.finite_range_thresholds import FiniteRangeThresholds

Labelled: TypeAlias = tuple[int, int]
"""A point and its label."""


def downward(m: int) -> FiniteClass:
    """Return the thresholds of the paper on 0, ..., m - 1: 1 up to a point."""
    return FiniteClass([[int(y <= x) for y in range(m)] for x in range(m)])


# Lemma 23.

Range: TypeAlias = tuple[int, tuple[int, ...]]
"""The number of points, and the thresholds that may be output."""


def _ranges(budget: Budget) -> Iterator[Range]:
    for m in range(2, budget.pick(7, 9, 11) + 1):
        for size in range(1, m):
            for outputs in combinations(range(m), size):
                yield m, outputs


Bad: TypeAlias = Callable[[int, tuple[int, ...]], FiniteDistribution[Example[int]]]


def _hard(bad: Bad, given: Range) -> Finding:
    m, outputs = given
    source = bad(m, outputs)
    targets = [c for c in range(m) if all((z.point <= c) == bool(z.label) for z in source.support)]
    errors = [
        sum((p for z, p in source.items() if (z.point <= h) != bool(z.label)), Fraction(0))
        for h in outputs
    ]
    return settle(
        bool(targets) and min(errors) >= Fraction(1, 2),
        f"{m} points, outputs {outputs}: on {source}, labelled by {targets}, the least error is "
        f"{min(errors)}",
    )


def _worst_source(m: int, outputs: tuple[int, ...]) -> FiniteDistribution[Example[int]]:
    return FiniteRangeThresholds(m, outputs).worst


def _after_the_first(m: int, outputs: tuple[int, ...]) -> FiniteDistribution[Example[int]]:
    """Take the two points after the first output, as in the proof for a dense order."""
    y = min(outputs[0] + 1, m - 2)
    return FiniteDistribution.uniform([Example(y, 1), Example(y + 1, 0)])


# Theorem 24.


def _samples(budget: Budget) -> Iterator[tuple[int, tuple[Labelled, ...]]]:
    for n in range(1, budget.pick(4, 5, 6) + 1):
        for m in (2, 3, 4):
            examples = [(x, y) for x in range(m) for y in (0, 1)]
            for sample in combinations_with_replacement(examples, n):
                yield m, sample


Cut: TypeAlias = Callable[[int, tuple[Labelled, ...]], int | None]
"""From the number of points and a sample to the threshold, or none."""


def _fewest_errors(cut: Cut, given: tuple[int, tuple[Labelled, ...]]) -> Finding:
    m, sample = given
    errors = [sum((x <= c) != bool(y) for x, y in sample) for c in range(m)]
    found = cut(m, sample)
    if found is None:
        return fails(f"{m} points, sample {sample}: no hypothesis")
    return settle(
        errors[found] == min(errors),
        f"{m} points, sample {sample}: {errors[found]} errors, where {min(errors)} would do",
    )


def _largest_positive(m: int, sample: tuple[Labelled, ...]) -> int | None:
    return max((x for x, y in sample if y), default=None)


def _largest_positive_or_first(m: int, sample: tuple[Labelled, ...]) -> int | None:
    found = _largest_positive(m, sample)
    return 0 if found is None else found


def _one_example(m: int, sample: tuple[Labelled, ...]) -> int | None:
    """Keep one example with the scheme, and rebuild the threshold from it alone."""
    scheme = ChainScheme(downward(m))
    (index,) = scheme.compress(Sample(*zip(*sample, strict=True)))
    point: Hashable = sample[index][0]
    h = scheme.reconstruct(Sample([point], [sample[index][1]]))
    return sum(h(x) for x in range(m)) - 1


TRIALS: Trials = {
    "CLNRW16:lemma-23": (
        trial(
            "all ranges",
            _hard,
            _ranges,
            subject=_worst_source,
            mutant=_after_the_first,
            universe="every proper subset of the thresholds on two to seven points",
            exhaustive=True,
        ),
    ),
    "CLNRW16:theorem-24": (
        trial(
            "all samples",
            _fewest_errors,
            _samples,
            subject=_one_example,
            mutant=_largest_positive_or_first,
            universe="every multiset of up to four examples on two, three and four points",
            exhaustive=True,
        ),
    ),
    "CLNRW16:theorem-24.proof": (
        trial(
            "all samples",
            _fewest_errors,
            _samples,
            subject=_largest_positive,
            universe="every multiset of up to four examples on two, three and four points",
        ),
    ),
}
