"""Counting the errors of many hypotheses on a large sample without evaluating each everywhere.

Errors are sums of the weights of points that a hypothesis labels 1: points above or below a cut,
points in a box. These sums give the errors of all hypotheses of a family, the labels that
hypotheses give to a sample, and the fewest errors.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described
from pac_stability.classes.bits import Table
from pac_stability.classes.families.line_and_sets import (
    FiniteSet,
    SignedThresholds,
    Threshold,
    Thresholds,
    UnionOfIntervals,
    UnionsOfIntervals,
    beyond,
)
from pac_stability.classes.families.space import Box, Halfspace, Stump, Stumps
from pac_stability.classes.family import Family, TableLike, as_family
from pac_stability.classes.finite_class import Hypothesis, Row
from pac_stability.classes.points import (
    Exact,
    Places,
    Sides,
    WeightedPoints,
    Weights,
    at_least,
    at_most,
    numbers_below,
    numbers_up_to,
)
from pac_stability.classes.validation import Number, Vector, exact_number
from pac_stability.data import AnySample, ArraySample, Sample
from pac_stability.data.sample import label_counts_of
from pac_stability.errors import InvalidInput


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
        A function that finds the sums for other hypotheses, given their indices.
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


# Boxes: a histogram on the grid of their sides, and its prefix sums

MAX_GRID = 1 << 24
"""Cells of the largest grid; beyond it each box is compared with each point."""


class Grid:
    """Points in space, each with its rank along each coordinate."""

    def __init__(self, coordinates: Sequence[Exact], weights: Weights) -> None:
        self.weights = weights
        self.axes: list[tuple[Exact, npt.NDArray[np.intp]]] = [
            np.unique(entries, return_inverse=True) for entries in coordinates
        ]

    def sums(self, lows: Sequence[Vector], highs: Sequence[Vector]) -> Weights:
        """Sum the weights in each closed box.

        Notes
        -----
        With p coordinates and m distinct sides along each: O(n p) for n points, O(m^p) cells, and
        2^p of them for each box.
        """
        sides = []
        for axis, (values, _) in enumerate(self.axes):
            starts = numbers_below(values, [low[axis] for low in lows])
            stops = numbers_up_to(values, [high[axis] for high in highs])
            sides.append((starts, np.maximum(starts, stops)))
        bounds = [np.unique(np.concatenate(pair)) for pair in sides]
        if math.prod(len(bound) + 2 for bound in bounds) > MAX_GRID:
            return self._one_by_one(sides)
        return self._by_prefix_sums(sides, bounds)

    def _by_prefix_sums(
        self, sides: Sequence[tuple[Places, Places]], bounds: Sequence[Places]
    ) -> Weights:
        # The cell of a value along an axis is the number of bounds at or below its place.
        shape = tuple(len(bound) + 1 for bound in bounds)
        cell: npt.NDArray[np.intp] = np.zeros(len(self.weights), dtype=np.intp)
        for (values, places), bound, size in zip(self.axes, bounds, shape, strict=True):
            cell = (
                cell * size + np.searchsorted(bound, np.arange(len(values)), side="right")[places]
            )
        corners = [
            (np.searchsorted(bound, starts) + 1, np.searchsorted(bound, stops) + 1)
            for (starts, stops), bound in zip(sides, bounds, strict=True)
        ]
        sums = np.zeros((len(sides[0][0]), self.weights.shape[1]), dtype=np.int64)
        for column in range(self.weights.shape[1]):
            # Sums of integers below 2**53 in size are exact in floats.
            counts = np.bincount(cell, self.weights[:, column], minlength=math.prod(shape))
            before = np.zeros([size + 1 for size in shape], dtype=np.int64)
            before[(slice(1, None),) * len(shape)] = counts.reshape(shape)
            for axis in range(len(shape)):
                np.cumsum(before, axis=axis, out=before)
            for chosen in product((0, 1), repeat=len(shape)):
                at = tuple(corner[end] for corner, end in zip(corners, chosen, strict=True))
                sums[:, column] += (-1) ** (len(shape) - sum(chosen)) * before[at]
        return sums

    def _one_by_one(self, sides: Sequence[tuple[Places, Places]]) -> Weights:
        sums = np.zeros((len(sides[0][0]), self.weights.shape[1]), dtype=np.int64)
        for box in range(len(sums)):
            inside = np.ones(len(self.weights), dtype=bool)
            for (starts, stops), (_, places) in zip(sides, self.axes, strict=True):
                inside &= (places >= starts[box]) & (places < stops[box])
            sums[box] = self.weights[inside].sum(axis=0)
        return sums


# Sums of the labelled weights


class LabelledSums:
    """The sums for one set of weighted points, by a method for each kind of hypothesis."""

    def __init__(self, points: WeightedPoints) -> None:
        self.points = points
        self._lines: dict[tuple[int, int], Line] = {}
        self._grids: dict[int, Grid] = {}
        self._sides: dict[int, Sides] = {}

    def of(self, hypotheses: Sequence[Hypothesis]) -> Weights:
        """Return the sums, shape (hypotheses, columns of weights)."""
        kinds: defaultdict[object, list[int]] = defaultdict(list)
        for index, h in enumerate(hypotheses):
            kinds[_kind(h)].append(index)
        sums = np.empty((len(hypotheses), self.points.weights.shape[1]), dtype=np.int64)
        for indices in kinds.values():
            group = [hypotheses[index] for index in indices]
            sums[indices] = _METHODS.get(type(group[0]), LabelledSums._evaluated)(self, group)
        return sums

    @cached_property
    def line(self) -> Line:
        """The points in order."""
        return Line(self.points.on_line(), self.points.weights)

    def line_along(self, dimension: int, coordinate: int) -> Line:
        """The points in order along a coordinate."""
        if (dimension, coordinate) not in self._lines:
            entries = self.points.in_space(dimension)[coordinate]
            self._lines[dimension, coordinate] = Line(entries, self.points.weights)
        return self._lines[dimension, coordinate]

    def _thresholds(self, hypotheses: Sequence[Threshold]) -> Weights:
        return self.line.cut([h.cut for h in hypotheses], [h.upward for h in hypotheses])

    def _stumps(self, hypotheses: Sequence[Stump]) -> Weights:
        first = hypotheses[0]
        line = self.line_along(first.dimension, first.coordinate)
        return line.cut([h.cut for h in hypotheses], [h.upward for h in hypotheses])

    def _unions(self, hypotheses: Sequence[UnionOfIntervals]) -> Weights:
        def overlapping(indices: list[int]) -> Weights:
            return self._evaluated([hypotheses[index] for index in indices])

        return sums_on_unions(self.line, [h.intervals for h in hypotheses], overlapping)

    def _boxes(self, hypotheses: Sequence[Box]) -> Weights:
        dimension = len(hypotheses[0].low)
        if dimension not in self._grids:
            coordinates = self.points.in_space(dimension)
            self._grids[dimension] = Grid(coordinates, self.points.weights)
        lows, highs = [h.low for h in hypotheses], [h.high for h in hypotheses]
        return self._grids[dimension].sums(lows, highs)

    def _halfspaces(self, hypotheses: Sequence[Halfspace]) -> Weights:
        dimension = len(hypotheses[0].weights)
        if dimension not in self._sides:
            coordinates = self.points.in_space(dimension)
            self._sides[dimension] = Sides(coordinates, self.points.weights)

        def exactly(plane: int, point: int) -> bool:
            return hypotheses[plane](self.points.value(point)) == 1

        planes = [(*h.weights, h.bias) for h in hypotheses]
        return self._sides[dimension].sums(planes, exactly)

    def _sets(self, hypotheses: Sequence[FiniteSet]) -> Weights:
        positions, weights = self.points.positions, self.points.by_point
        sums = np.zeros((len(hypotheses), weights.shape[1]), dtype=np.int64)
        for index, h in enumerate(hypotheses):
            members = [positions[point] for point in h.points if point in positions]
            sums[index] = weights[members].sum(axis=0)
        return sums

    def _rows(self, hypotheses: Sequence[Row]) -> Weights:
        owner = hypotheses[0].hypotheses
        columns = [owner.column(point) for point in self.points.positions]
        table = owner.table[np.ix_([h.index for h in hypotheses], columns)]
        return np.asarray(table @ self.points.by_point)

    def _evaluated(self, hypotheses: Sequence[Hypothesis]) -> Weights:
        positions = self.points.positions
        sums = np.empty((len(hypotheses), self.points.weights.shape[1]), dtype=np.int64)
        for index, h in enumerate(hypotheses):
            labels = [h(point) for point in positions]
            wrong = next((label for label in labels if label not in (0, 1)), None)
            if wrong is not None:
                raise InvalidInput("hypotheses", f"the label {described(wrong)}", "labels 0 and 1")
            sums[index] = np.array(labels, dtype=np.int64) @ self.points.by_point
        return sums


_METHODS: Mapping[type, Callable[[LabelledSums, Sequence[Any]], Weights]] = {
    Threshold: LabelledSums._thresholds,
    Stump: LabelledSums._stumps,
    UnionOfIntervals: LabelledSums._unions,
    Box: LabelledSums._boxes,
    Halfspace: LabelledSums._halfspaces,
    FiniteSet: LabelledSums._sets,
    Row: LabelledSums._rows,
}


def _kind(h: Hypothesis) -> object:
    """Tell apart the hypotheses that are not counted together."""
    if isinstance(h, Stump):
        return Stump, h.dimension, h.coordinate
    if isinstance(h, Box):
        return Box, len(h.low)
    if isinstance(h, Halfspace):
        return Halfspace, len(h.weights)
    if isinstance(h, Row):
        return Row, id(h.hypotheses)
    return type(h)


# Error counts


class ErrorCounter:
    """A sample, prepared to count the errors of hypotheses on it.

    It computes once whatever depends on the sample alone, such as its order along a coordinate, so
    counting again is cheap.

    Parameters
    ----------
    sample
        S, a :class:`~pac_stability.data.Sample` or :class:`~pac_stability.data.ArraySample`.

    Raises
    ------
    InvalidInput
        It is not one of these.

    Notes
    -----
    The errors of h are the number of examples labelled 1, plus the sum of ``1 - 2y`` over the
    examples (x, y) with h(x) = 1. For n examples and N hypotheses it finds that sum by

    ========================  ====================================================================
    thresholds, stumps        sorting along each coordinate used, once; then ``O(N log n)``
    unions of intervals       the same
    boxes in R^p              a histogram on the grid of their sides: ``O(n p)``, and m^p cells for
                              m sides along each coordinate, and 2^p of them for each box
    halfspaces of R^p         neighbouring points are settled in blocks, the blocks that a
                              hyperplane meets point by point: in floats with a proven bound on
                              their error; what they leave open is decided in integers
    finite sets of points     a dictionary of the sample's points, once; then their members
    rows of a finite class    ``O(N m)`` for m distinct points
    others                    evaluation at every distinct point
    ========================  ====================================================================

    All comparisons are exact: a float, in the sample or in a hypothesis, is the number that it
    stores.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> counter = ErrorCounter(ArraySample([0.25, 0.5, 0.75, 1.0], [0, 1, 0, 1]))
    >>> counter.count(Thresholds().representatives_on([0.5, 1])).tolist()
    [1, 1, 2]
    """

    def __init__(self, sample: AnySample) -> None:
        if isinstance(sample, ArraySample):
            # What h adds to the errors when it labels an example 1.
            points = WeightedPoints(sample.points, 1 - 2 * sample.labels.astype(np.int64)[:, None])
            self.ones: int = int(sample.labels.sum(dtype=np.int64))
        elif isinstance(sample, Sample):
            distinct, surplus, self.ones = label_counts_of(sample)
            positions = {point: i for i, point in enumerate(distinct)}
            points = WeightedPoints(positions, surplus[:, None])
        else:
            raise InvalidInput("sample", described(sample), "a Sample or an ArraySample")
        self.sample = sample
        self.sums: LabelledSums = LabelledSums(points)

    @staticmethod
    def of(sample: AnySample | ErrorCounter) -> ErrorCounter:
        """Return the counter of a sample; a counter is returned as it is."""
        return sample if isinstance(sample, ErrorCounter) else ErrorCounter(sample)

    def count(self, hypotheses: Iterable[Hypothesis]) -> npt.NDArray[np.int64]:
        """Return the number of errors of each hypothesis.

        Parameters
        ----------
        hypotheses
            Any hypotheses, of one family or of several.

        Returns
        -------
        array of int64, shape (len(hypotheses),)
            For each h the number of examples (x, y) with h(x) != y, repetitions counted.

        Raises
        ------
        InvalidInput
            A point of the sample is not in the domain of a hypothesis, or gets a label that is not
            0 or 1.
        """
        return self.ones + self.sums.of(list(hypotheses))[:, 0]


class Labeller:
    """Points prepared for labelling by many hypotheses, by the methods of :class:`ErrorCounter`.

    Parameters
    ----------
    points
        Points of the domain; they may be repeated.

    Examples
    --------
    >>> from pac_stability.classes import Intervals
    >>> Labeller([0, 1, 2, 1]).labels(Intervals().representatives_on([1, 2])).tolist()
    [[0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 0]]
    """

    def __init__(self, points: Iterable[Hashable]) -> None:
        given = list(points)
        positions = {point: index for index, point in enumerate(dict.fromkeys(given))}
        self._columns = [positions[point] for point in given]
        # The sum of these weights over the points labelled 1 is the row of labels.
        indicators = np.eye(len(positions), dtype=np.int64)
        self._sums = LabelledSums(WeightedPoints(positions, indicators))

    def labels(self, hypotheses: Iterable[Hypothesis]) -> Table:
        """Return the labels of the points.

        Parameters
        ----------
        hypotheses
            Any hypotheses, of one family or of several.

        Returns
        -------
        array of uint8, shape (len(hypotheses), len(points))

        Raises
        ------
        InvalidInput
            As for :meth:`ErrorCounter.count`.
        """
        return self._sums.of(list(hypotheses))[:, self._columns].astype(np.uint8)


# Relabelled samples

_NO_WEIGHTS = np.zeros((0, 0), dtype=np.int64)


def relabelled(sample: AnySample, h: Hypothesis) -> AnySample:
    """Return the points of a sample with the labels that a hypothesis gives them: S_h in DF20.

    Parameters
    ----------
    sample
        S; its labels do not matter.
    h
        A hypothesis.

    Returns
    -------
    Sample or ArraySample
        As the sample is.

    Raises
    ------
    InvalidInput
        A point is not in the domain of h, or gets a label that is not 0 or 1.

    Notes
    -----
    It compares thresholds, stumps, unions of intervals and boxes with whole arrays, exactly, and
    evaluates other hypotheses once at each distinct point.

    Examples
    --------
    >>> from pac_stability.classes import Threshold
    >>> relabelled(ArraySample([0.5, 0.25, 0.75], [0, 0, 0]), Threshold(0.5)).labels.tolist()
    [1, 0, 1]
    """
    if isinstance(sample, Sample):
        labels = {point: h(point) for point in sample.distinct_points}
        return Sample(sample.points, [labels[point] for point in sample.points])
    return ArraySample(sample.points, _labels(WeightedPoints(sample.points, _NO_WEIGHTS), h))


def _labels(points: WeightedPoints, h: Hypothesis) -> npt.NDArray[np.bool_] | list[int]:
    if isinstance(h, Threshold):
        return at_least(points.on_line(), h.cut) ^ (not h.upward)
    if isinstance(h, Stump):
        return at_least(points.in_space(h.dimension)[h.coordinate], h.cut) ^ (not h.upward)
    if isinstance(h, UnionOfIntervals):
        line = points.on_line()
        inside = np.zeros(len(line), dtype=bool)
        for low, high in h.intervals:
            inside |= at_least(line, low) & at_most(line, high)
        return inside
    if isinstance(h, Box):
        coordinates = points.in_space(len(h.low))
        inside = np.ones(len(coordinates[0]), dtype=bool)
        for entries, low, high in zip(coordinates, h.low, h.high, strict=True):
            inside &= at_least(entries, low) & at_most(entries, high)
        return inside
    return [h(point) for point in points.values]


# The fewest errors

Sums = npt.NDArray[np.int64]


def least_errors(H: Family | TableLike, sample: AnySample | ErrorCounter) -> tuple[Hypothesis, int]:
    """Return a hypothesis with the fewest errors on a sample, and their number.

    It is the first one among the representatives of the patterns on the points of the sample, so it
    does not depend on the order of the examples.

    Parameters
    ----------
    H
        The class, not empty.
    sample
        S, on points of the domain.

    Returns
    -------
    hypothesis, errors
        If the errors are 0, the hypothesis is consistent; this happens for every realizable sample.

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
    H = as_family(H)
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
