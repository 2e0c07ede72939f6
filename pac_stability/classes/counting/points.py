"""Points with integer weights, of which a hypothesis picks those that it labels 1."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.classes.exact import exact_number, exact_vector
from pac_stability.data.sample import LARGEST_INTEGER, Numbers
from pac_stability.errors import InvalidInput

Weights: TypeAlias = npt.NDArray[np.int64]
"""Shape (points, columns): a column for each of the sums that are asked for."""

Exact: TypeAlias = npt.NDArray[Any]
"""Exact numbers: int64 or float64 where all are of one such type, else ``int`` and ``Fraction``."""


class WeightedPoints:
    """Points, and a row of weights for each; what depends on the points alone is kept.

    Parameters
    ----------
    points
        Shape (n,) or (n, p), or any hashable values.
    weights
        Shape (n, c).
    """

    def __init__(self, points: Numbers | Iterable[Hashable], weights: Weights) -> None:
        self._array = points if isinstance(points, np.ndarray) else None
        self._values = None if isinstance(points, np.ndarray) else list(points)
        self._columns: dict[int, list[Exact]] = {}
        self.weights = weights

    @cached_property
    def total(self) -> Weights:
        """The sum of all weights, shape (c,)."""
        return np.asarray(self.weights.sum(axis=0, dtype=np.int64))

    @cached_property
    def values(self) -> list[Hashable]:
        """The points as Python values."""
        if self._values is not None:
            return self._values
        assert self._array is not None  # noqa: S101  # one of the two was given
        rows = self._array.tolist()
        return rows if self._array.ndim == 1 else list(map(tuple, rows))

    def value(self, index: int) -> Hashable:
        """One point as a Python value."""
        if self._array is None:
            return self.values[index]
        row = self._array[index].tolist()
        return row if self._array.ndim == 1 else tuple(row)

    @cached_property
    def positions(self) -> dict[Hashable, int]:
        """The distinct points, numbered in order of first appearance."""
        return {point: index for index, point in enumerate(dict.fromkeys(self.values))}

    @cached_property
    def by_point(self) -> Weights:
        """The weights of each distinct point, shape (distinct points, c)."""
        if len(self.positions) == len(self.weights):
            return self.weights
        rows = np.zeros((len(self.positions), self.weights.shape[1]), dtype=np.int64)
        np.add.at(rows, [self.positions[point] for point in self.values], self.weights)
        return rows

    def on_line(self) -> Exact:
        """The points as real numbers, shape (n,)."""
        if self._array is None:
            return _exact(self.values)
        if self._array.ndim != 1:
            raise _misplaced(self._array, "real numbers")
        return self._array

    def in_space(self, dimension: int) -> list[Exact]:
        """The coordinates of the points as real vectors, ``dimension`` arrays of shape (n,)."""
        if self._array is None:
            if dimension not in self._columns:
                vectors = self.values
                for vector in vectors:
                    exact_vector(vector, dimension)
                columns = zip(*vectors, strict=True) if vectors else [()] * dimension
                self._columns[dimension] = [_exact(column) for column in columns]
            return self._columns[dimension]
        if self._array.ndim != 2 or self._array.shape[1] != dimension:
            raise _misplaced(self._array, f"vectors of {dimension} numbers")
        return list(self._array.T)


def _exact(values: Iterable[Hashable]) -> Exact:
    """Return real numbers as an array that holds and compares them exactly."""
    given = list(values)
    if all(type(value) is float for value in given):
        floats = np.array(given, dtype=np.float64)
        if np.isfinite(floats).all():
            return floats
    exact = [exact_number(value) for value in given]
    if all(type(value) is int and abs(value) < LARGEST_INTEGER for value in exact):
        return np.array(exact, dtype=np.int64)
    numbers = np.empty(len(exact), dtype=object)
    numbers[:] = exact
    return numbers


def _misplaced(array: Numbers, wanted: str) -> InvalidInput:
    given = "numbers" if array.ndim == 1 else f"vectors of {array.shape[1]} numbers"
    return InvalidInput("sample", f"points that are {given}", f"{wanted}, as the hypotheses have")
