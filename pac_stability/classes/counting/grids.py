"""Sums over points in boxes: a histogram on the grid of their sides, and its prefix sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from pac_stability.classes.counting.points import Exact, Weights
from pac_stability.classes.counting.ranks import Places, numbers_below, numbers_up_to
from pac_stability.classes.exact import Vector

MAX_GRID = 1 << 24
"""Cells of the largest grid; beyond it each box is compared with each point."""


class Grid:
    """Points in space with, along each coordinate, their place among its distinct values."""

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
