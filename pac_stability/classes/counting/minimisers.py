"""Empirical risk minimisation on large samples."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pac_stability.classes.counting.counter import ErrorCounter
from pac_stability.classes.counting.lines import Line
from pac_stability.classes.exact import Number, exact_number
from pac_stability.classes.families.intervals import UnionOfIntervals, UnionsOfIntervals
from pac_stability.classes.families.line import beyond
from pac_stability.classes.families.stumps import Stump, Stumps
from pac_stability.classes.families.thresholds import SignedThresholds, Threshold, Thresholds
from pac_stability.classes.family import Family
from pac_stability.classes.hypothesis import Hypothesis
from pac_stability.data import AnySample
from pac_stability.errors import InvalidInput

Sums = npt.NDArray[np.int64]


def least_errors(H: Family, sample: AnySample | ErrorCounter) -> tuple[Hypothesis, int]:
    """Return a hypothesis with the fewest errors on a sample, and their number.

    It is the first such among the representatives of the patterns on the points of the sample: a
    function of the examples, whatever their order.

    Parameters
    ----------
    H
        The class, not empty.
    sample
        S, on points of the domain.

    Returns
    -------
    hypothesis, errors
        When the errors are 0 the hypothesis is consistent, and some is whenever the sample is
        realizable.

    Raises
    ------
    InvalidInput
        The class is empty, or a point is not in the domain.

    Notes
    -----
    Thresholds, of one orientation or both, and stumps on n examples: sorting along each coordinate.
    Unions of at most k intervals: sorting, and ``O(n)`` time and memory for each interval that
    lowers the errors. Other classes list the patterns on all points.

    Examples
    --------
    >>> from pac_stability.data import ArraySample
    >>> least_errors(Thresholds(), ArraySample([4, 1, 3, 2], [1, 0, 0, 1]))
    (Threshold(cut=2, upward=True), 1)
    """
    counter = ErrorCounter.of(sample)
    if isinstance(H, Thresholds | SignedThresholds):
        chosen, least = _least_threshold(counter, both=isinstance(H, SignedThresholds))
        return chosen, counter.ones + least
    if isinstance(H, Stumps):
        stump, least = _least_stump(counter, H.dimension)
        return stump, counter.ones + least
    if isinstance(H, UnionsOfIntervals):
        union, least = _least_union(counter, H.k)
        return union, counter.ones + least
    hypotheses = H.representatives_on(counter.sums.points.positions)
    if not hypotheses:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
    errors = counter.count(hypotheses)
    first = int(np.argmin(errors))
    return hypotheses[first], int(errors[first])


class _Cuts:
    """The distinct values on a line, and the sums of the weights at or above each, and below."""

    def __init__(self, line: Line) -> None:
        values = line.values
        new = np.ones(len(values), dtype=bool)
        new[1:] = values[1:] != values[:-1]
        self._values = values[new]
        ends = np.append(np.flatnonzero(new), len(values))
        self.below: Sums = line.before[ends, 0]
        self.above: Sums = line.before[-1, 0] - self.below

    def number(self, place: int) -> Number:
        """One of the values; after the last, a number beyond."""
        if place < len(self._values):
            return exact_number(self._values[place])
        return beyond([exact_number(value) for value in self._values[-1:]])


def _least_threshold(counter: ErrorCounter, *, both: bool) -> tuple[Threshold, int]:
    """Return the first threshold of the least sum: upward ones come first."""
    cuts = _Cuts(counter.sums.line)
    upward = not both or cuts.above.min() <= cuts.below.min()
    sums = cuts.above if upward else cuts.below
    place = int(np.argmin(sums))
    return Threshold(cuts.number(place), upward), int(sums[place])


def _least_stump(counter: ErrorCounter, dimension: int) -> tuple[Stump, int]:
    """Return the first stump of the least sum: constants come first, then each coordinate's.

    Along a coordinate upward ones come first; those at the least value are the constants.
    """
    lines = [_Cuts(counter.sums.line_along(dimension, axis)) for axis in range(dimension)]
    lowest = lines[0].number(0)
    best, least = Stump(dimension, 0, lowest), int(lines[0].above[0])
    if least > 0:
        best, least = Stump(dimension, 0, lowest, upward=False), 0
    for coordinate, cuts in enumerate(lines):
        for upward, sums in ((True, cuts.above[1:-1]), (False, cuts.below[1:-1])):
            if len(sums) and sums.min() < least:
                place = int(np.argmin(sums))
                least = int(sums[place])
                best = Stump(dimension, coordinate, cuts.number(1 + place), upward)
    return best, least


def _least_union(counter: ErrorCounter, k: int) -> tuple[UnionOfIntervals, int]:
    """Return the first union of the least sum: of the fewest intervals, then of the first cuts.

    A run from place s to place e, e excluded, has the sum ``below[e] - below[s]``. From right to
    left, ``rest[j]`` holds for each place the least sum of at most j runs from there on, and
    ``open_[j]`` the same without the ``-below[s]`` of the first of them, which begins there or
    earlier.

    Where one run more does not lower the least sum, no number of runs does: adding to the union any
    part of a gap, or taking out any part of a run, makes at most one run more, so none of these
    parts lowers the sum, and every other set differs from the union by such parts.
    """
    cuts = _Cuts(counter.sums.line)
    below = cuts.below
    rest: list[Sums] = [np.zeros_like(below)]
    open_: list[Sums] = [below]
    while len(rest) <= k:
        opened = _least_from_here(below + rest[-1])
        more = _least_from_here(opened - below)
        if more[0] == rest[-1][0]:
            break
        rest.append(more)
        open_.append(opened)
    runs = []
    stop = 0
    for j in range(len(rest) - 1, 0, -1):
        start = stop + int(np.argmin(open_[j][stop:] - below[stop:]))
        stop = start + int(np.argmin(below[start:] + rest[j - 1][start:]))
        runs.append((cuts.number(start), cuts.number(stop - 1)))
    return UnionOfIntervals(tuple(runs)), int(rest[-1][0])


def _least_from_here(sums: Sums) -> Sums:
    """For each place, the least of the sums there and at the places after."""
    return np.minimum.accumulate(sums[::-1])[::-1]
