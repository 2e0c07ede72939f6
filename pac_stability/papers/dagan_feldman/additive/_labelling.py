"""The labels that many hypotheses give points: as a table, or summed up without one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.classes import FiniteClass
from pac_stability.classes.validation import Number

Labels: TypeAlias = npt.NDArray[np.bool_]
Sums: TypeAlias = npt.NDArray[Any]
"""Exact integers: of 64 bits, or objects."""

_CELLS = 1 << 24
"""A table of labels has no more cells, or one column."""


class LabelsOfMany(ABC):
    """How some hypotheses label points.

    Parameters
    ----------
    size
        How many hypotheses there are.
    """

    def __init__(self, size: int) -> None:
        self.size: int = size

    @abstractmethod
    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points, shape (hypotheses, points)."""

    def blocks(self, points: Sequence[Hashable]) -> Iterator[Sequence[Hashable]]:
        """Split points so that a table has a bounded number of cells."""
        width = max(1, _CELLS // self.size)
        return (points[start : start + width] for start in range(0, len(points), width))

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return for each hypothesis the sum of the values at the points that it labels 1.

        Parameters
        ----------
        points
            Any points.
        values
            An integer for each.

        Notes
        -----
        As many operations as a table has cells, unless a labelling knows a shorter way.
        """
        found = np.zeros(self.size, dtype=values.dtype)
        done = 0
        for block in self.blocks(points):
            found += self(block) @ values[done : done + len(block)]
            done += len(block)
        return found


class LabelledByTable(LabelsOfMany):
    """Rows of a finite class.

    Parameters
    ----------
    H
        The class.
    rows
        Which of them.
    """

    def __init__(self, H: FiniteClass, rows: Sequence[int]) -> None:
        super().__init__(len(rows))
        self._class = H
        self._rows = np.array(rows, dtype=np.intp)

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        columns = [self._class.column(point) for point in points]
        labels: Labels = self._class.table[self._rows][:, columns].astype(np.bool_)
        return labels


class LabelledBySets(LabelsOfMany):
    """Sets of at most one point.

    Parameters
    ----------
    size
        How many sets there are.
    holding
        Which of them holds a point.
    """

    def __init__(self, size: int, holding: Mapping[Hashable, int]) -> None:
        super().__init__(size)
        self._holding = holding

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        table = np.zeros((self.size, len(points)), dtype=np.bool_)
        for column, point in enumerate(points):
            if point in self._holding:
                table[self._holding[point], column] = True
        return table

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return the sums of :meth:`LabelsOfMany.sums`, each point looked at once."""
        found = np.zeros(self.size, dtype=values.dtype)
        for place, point in enumerate(points):
            if point in self._holding:
                found[self._holding[point]] += values[place]
        return found


class LabelledByCuts(LabelsOfMany):
    """Thresholds on the line, upwards and downwards.

    Parameters
    ----------
    cuts
        Where each is, and whether it labels 1 what is there and above, or what is below.
    value
        Where on the line a point is.
    """

    def __init__(
        self, cuts: Sequence[tuple[Number, bool]], value: Callable[[Hashable], Number]
    ) -> None:
        super().__init__(len(cuts))
        self._value = value
        self._ordered = sorted({cut for cut, _ in cuts})
        rank = {cut: index for index, cut in enumerate(self._ordered)}
        self._ranks = np.array([rank[cut] for cut, _ in cuts], dtype=np.int64)
        self._upward = np.array([upward for _, upward in cuts], dtype=np.bool_)

    def _places(self, points: Sequence[Hashable]) -> npt.NDArray[np.int64]:
        """Count the cuts that are not above each point."""
        values = map(self._value, points)
        return np.array([bisect_right(self._ordered, value) for value in values], dtype=np.int64)

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        labels: Labels = (self._ranks[:, None] < self._places(points)) == self._upward[:, None]
        return labels

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return the sums of :meth:`LabelsOfMany.sums`, along the line.

        Notes
        -----
        O(log(hypotheses)) for each point, and O(1) for each hypothesis.
        """
        at = np.zeros(len(self._ordered) + 1, dtype=values.dtype)
        np.add.at(at, self._places(points), values)
        # Of a cut of rank r those at its places r + 1, r + 2, ... are above.
        above = np.cumsum(at[:0:-1])[::-1][self._ranks]
        return np.where(self._upward, above, values.sum() - above)
