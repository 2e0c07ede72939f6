"""For each of many hypotheses, the sum of the weights of the points that it labels 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pac_stability.arguments import described
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
from pac_stability.errors import InvalidInput


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
