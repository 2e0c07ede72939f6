"""Steps of one draw that the learners share: a subset of the indices, errors of candidates."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pac_stability.classes import Hypothesis, Row
from pac_stability.data import Sample
from pac_stability.mechanisms import error_counts
from pac_stability.mechanisms.weights import Scores
from pac_stability.randomness import Coins


def random_subset(n: int, size: int, rng: Coins) -> set[int]:
    """Return a uniformly random set of ``size`` of the indices below n.

    Floyd's algorithm: O(size), whatever n is (Bentley, *A sample of brilliance*, 1987).
    """
    chosen: set[int] = set()
    for last in range(n - size, n):
        index = rng.below(last + 1)
        chosen.add(last if index in chosen else index)
    return chosen


def errors_of(hypotheses: Sequence[Hypothesis], sample: Sample[Hashable]) -> Scores:
    """Return the number of errors of each hypothesis on a sample."""
    first = hypotheses[0]
    if isinstance(first, Row):
        table = first.hypotheses
        rows = [h.index for h in hypotheses if isinstance(h, Row) and h.hypotheses is table]
        if len(rows) == len(hypotheses):
            return error_counts(table.select_rows(rows), sample)
    return [sample.count_errors(h) for h in hypotheses]
