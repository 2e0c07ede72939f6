"""Sums over points above or below a cut: sort once, then prefix sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pac_stability.classes.counting.points import Exact, Weights
from pac_stability.classes.counting.ranks import Places, numbers_below, numbers_up_to
from pac_stability.classes.exact import Number


class Line:
    """Points on a line in order, and the sums of the weights before each place.

    ``O(n log n)`` for n points; then ``O(log n)`` for each cut.
    """

    def __init__(self, entries: Exact, weights: Weights) -> None:
        entries = np.ascontiguousarray(entries)
        order = np.argsort(entries)
        self.values: Exact = entries[order]
        self.before: Weights = np.zeros((len(entries) + 1, weights.shape[1]), dtype=np.int64)
        np.cumsum(weights[order], axis=0, out=self.before[1:])

    def cut(self, cuts: Sequence[Number], upward: Sequence[bool]) -> Weights:
        """Sum the weights of the points at or above each cut, or of those below it."""
        below = self.before[numbers_below(self.values, cuts)]
        return np.where(np.array(upward, dtype=bool)[:, None], self.before[-1] - below, below)

    def between(self, lows: Sequence[Number], highs: Sequence[Number]) -> tuple[Places, Places]:
        """Return the places where closed intervals begin and end, ends not included."""
        starts = numbers_below(self.values, lows)
        return starts, np.maximum(starts, numbers_up_to(self.values, highs))


def sums_on_unions(
    line: Line,
    unions: Sequence[Sequence[tuple[Number, Number]]],
    otherwise: Callable[[list[int]], Weights],
) -> Weights:
    """Sum the weights on unions of closed intervals.

    Parameters
    ----------
    line
        The points.
    unions
        Each a sequence of ``(low, high)``; as a rule disjoint and in increasing order.
    otherwise
        Finds the sums for the others, whose numbers it is given.
    """
    ends = [pair for union in unions for pair in union]
    owner = np.repeat(np.arange(len(unions)), [len(union) for union in unions])
    starts, stops = line.between([low for low, _ in ends], [high for _, high in ends])
    sums = np.zeros((len(unions), line.before.shape[1]), dtype=np.int64)
    np.add.at(sums, owner, line.before[stops] - line.before[starts])
    overlapping = (owner[1:] == owner[:-1]) & (starts[1:] < stops[:-1])
    if overlapping.any():
        left = np.unique(owner[1:][overlapping]).tolist()
        sums[left] = otherwise(left)
    return sums
