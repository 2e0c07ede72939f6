"""Error counts of many hypotheses on a large sample, without evaluating each at each example."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.classes._bits import Table
from pac_stability.classes.counting.grids import Grid
from pac_stability.classes.counting.lines import Line, sums_on_unions
from pac_stability.classes.counting.points import WeightedPoints, Weights
from pac_stability.classes.counting.sides import Sides
from pac_stability.classes.families.boxes import Box
from pac_stability.classes.families.halfspaces import Halfspace
from pac_stability.classes.families.intervals import UnionOfIntervals
from pac_stability.classes.families.stumps import Stump
from pac_stability.classes.families.subsets import FiniteSet
from pac_stability.classes.families.thresholds import Threshold
from pac_stability.classes.finite_class import Row
from pac_stability.classes.hypothesis import Hypothesis
from pac_stability.data import ArraySample, Sample
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput


class ErrorCounter:
    """A sample made ready to count the errors of any hypotheses on it.

    What depends on the sample alone, such as its order along a coordinate, is computed when it is
    first needed and kept, so that to count again is cheap.

    Parameters
    ----------
    sample
        S, a :class:`~pac_stability.data.Sample` or :class:`~pac_stability.data.ArraySample`.

    Raises
    ------
    InvalidInput
        It is neither.

    Notes
    -----
    The errors of h are the number of examples labelled 1, plus the sum of ``1 - 2y`` over the
    examples (x, y) with h(x) = 1. That sum is found, for n examples and N hypotheses, by

    ========================  ====================================================================
    thresholds, stumps        sorting along each coordinate used, once; then ``O(N log n)``
    unions of intervals       the same
    boxes in R^p              a histogram on the grid of their sides: ``O(n p)``, and m^p cells for
                              m sides along each coordinate, and 2^p of them for each box
    halfspaces of R^p         ``O(n N p)`` in floats with a proven bound on their error; what they
                              leave open is decided in integers
    finite sets of points     a dictionary of the sample's points, once; then their members
    rows of a finite class    ``O(N m)`` for m distinct points
    others                    evaluation at every distinct point
    ========================  ====================================================================

    All comparisons are exact: a float, of the sample or of a hypothesis, is the number it stores.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> counter = ErrorCounter(ArraySample([0.25, 0.5, 0.75, 1.0], [0, 1, 0, 1]))
    >>> counter.count(Thresholds().representatives_on([0.5, 1])).tolist()
    [1, 1, 2]
    """

    def __init__(self, sample: Sample[Hashable] | ArraySample) -> None:
        if isinstance(sample, ArraySample):
            labels = sample.labels
            points = WeightedPoints(sample.points, _surplus(labels))
        elif isinstance(sample, Sample):
            labels = np.fromiter(sample.labels, dtype=np.uint8, count=len(sample))
            positions = {point: i for i, point in enumerate(dict.fromkeys(sample.points))}
            surplus = np.zeros((len(positions), 1), dtype=np.int64)
            np.add.at(surplus, [positions[point] for point in sample.points], _surplus(labels))
            points = WeightedPoints(positions, surplus)
        else:
            raise InvalidInput("sample", described(sample), "a Sample or an ArraySample")
        self.sample = sample
        self._ones = int(labels.sum(dtype=np.int64))
        self._sums = _Sums(points)

    @staticmethod
    def of(sample: Sample[Hashable] | ArraySample | ErrorCounter) -> ErrorCounter:
        """Return the counter of a sample, or the one that was given."""
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
        return self._ones + self._sums.of(list(hypotheses))[:, 0]


def labels_at(hypotheses: Iterable[Hypothesis], points: Iterable[Hashable]) -> Table:
    """Return the labels that hypotheses give to points.

    Parameters
    ----------
    hypotheses
        Any hypotheses, of one family or of several.
    points
        Points of their domain; they may be repeated.

    Returns
    -------
    array of uint8, shape (len(hypotheses), len(points))

    Raises
    ------
    InvalidInput
        As for :meth:`ErrorCounter.count`.

    Examples
    --------
    >>> from pac_stability.classes import Intervals
    >>> labels_at(Intervals().representatives_on([1, 2]), [0, 1, 2, 1]).tolist()
    [[0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 0]]
    """
    given = list(points)
    distinct = {point: index for index, point in enumerate(dict.fromkeys(given))}
    indicators = np.eye(len(distinct), dtype=np.int64)
    table = _Sums(WeightedPoints(distinct, indicators)).of(list(hypotheses))
    return table[:, [distinct[point] for point in given]].astype(np.uint8)


class _Sums:
    """For each hypothesis the sum of the weights of the points that it labels 1."""

    def __init__(self, points: WeightedPoints) -> None:
        self._points = points
        self._lines: dict[tuple[int, int], Line] = {}
        self._grids: dict[int, Grid] = {}
        self._sides: dict[int, Sides] = {}

    def of(self, hypotheses: Sequence[Hypothesis]) -> Weights:
        """Return the sums, shape (hypotheses, columns of weights)."""
        kinds: defaultdict[object, list[int]] = defaultdict(list)
        for index, h in enumerate(hypotheses):
            kinds[_kind(h)].append(index)
        sums = np.empty((len(hypotheses), self._points.weights.shape[1]), dtype=np.int64)
        for indices in kinds.values():
            group = [hypotheses[index] for index in indices]
            sums[indices] = _METHODS.get(type(group[0]), _Sums._evaluated)(self, group)
        return sums

    @cached_property
    def _line(self) -> Line:
        return Line(self._points.on_line(), self._points.weights)

    def _line_along(self, dimension: int, coordinate: int) -> Line:
        if (dimension, coordinate) not in self._lines:
            entries = self._points.in_space(dimension)[coordinate]
            self._lines[dimension, coordinate] = Line(entries, self._points.weights)
        return self._lines[dimension, coordinate]

    def _thresholds(self, hypotheses: Sequence[Threshold]) -> Weights:
        return self._line.cut([h.cut for h in hypotheses], [h.upward for h in hypotheses])

    def _stumps(self, hypotheses: Sequence[Stump]) -> Weights:
        first = hypotheses[0]
        line = self._line_along(first.dimension, first.coordinate)
        return line.cut([h.cut for h in hypotheses], [h.upward for h in hypotheses])

    def _unions(self, hypotheses: Sequence[UnionOfIntervals]) -> Weights:
        def overlapping(indices: list[int]) -> Weights:
            return self._evaluated([hypotheses[index] for index in indices])

        return sums_on_unions(self._line, [h.intervals for h in hypotheses], overlapping)

    def _boxes(self, hypotheses: Sequence[Box]) -> Weights:
        dimension = len(hypotheses[0].low)
        if dimension not in self._grids:
            coordinates = self._points.in_space(dimension)
            self._grids[dimension] = Grid(coordinates, self._points.weights)
        lows, highs = [h.low for h in hypotheses], [h.high for h in hypotheses]
        return self._grids[dimension].sums(lows, highs)

    def _halfspaces(self, hypotheses: Sequence[Halfspace]) -> Weights:
        dimension = len(hypotheses[0].weights)
        if dimension not in self._sides:
            coordinates = self._points.in_space(dimension)
            self._sides[dimension] = Sides(coordinates, self._points.weights)

        def exactly(plane: int, point: int) -> bool:
            return hypotheses[plane](self._points.value(point)) == 1

        planes = [(*h.weights, h.bias) for h in hypotheses]
        return self._sides[dimension].sums(planes, exactly)

    def _sets(self, hypotheses: Sequence[FiniteSet]) -> Weights:
        positions, weights = self._points.positions, self._points.by_point
        sums = np.zeros((len(hypotheses), weights.shape[1]), dtype=np.int64)
        for index, h in enumerate(hypotheses):
            members = [positions[point] for point in h.points if point in positions]
            sums[index] = weights[members].sum(axis=0)
        return sums

    def _rows(self, hypotheses: Sequence[Row]) -> Weights:
        owner = hypotheses[0].hypotheses
        columns = [owner.column(point) for point in self._points.positions]
        table = owner.table[np.ix_([h.index for h in hypotheses], columns)]
        return np.asarray(table @ self._points.by_point)

    def _evaluated(self, hypotheses: Sequence[Hypothesis]) -> Weights:
        positions = self._points.positions
        sums = np.empty((len(hypotheses), self._points.weights.shape[1]), dtype=np.int64)
        for index, h in enumerate(hypotheses):
            labels = [h(point) for point in positions]
            wrong = next((label for label in labels if label not in (0, 1)), None)
            if wrong is not None:
                raise InvalidInput("hypotheses", f"the label {described(wrong)}", "labels 0 and 1")
            sums[index] = np.array(labels, dtype=np.int64) @ self._points.by_point
        return sums


_METHODS: Mapping[type, Callable[[_Sums, Sequence[Any]], Weights]] = {
    Threshold: _Sums._thresholds,
    Stump: _Sums._stumps,
    UnionOfIntervals: _Sums._unions,
    Box: _Sums._boxes,
    Halfspace: _Sums._halfspaces,
    FiniteSet: _Sums._sets,
    Row: _Sums._rows,
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


def _surplus(labels: npt.NDArray[np.uint8]) -> Weights:
    """What h adds to the errors when it labels an example 1, as a column."""
    return 1 - 2 * labels.astype(np.int64)[:, None]
