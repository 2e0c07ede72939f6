"""Points with integer weights: ranks among them, and sides of hyperplanes."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.classes.validation import Number, exact_number, exact_vector
from pac_stability.data.sample import LARGEST_INTEGER, Numbers
from pac_stability.errors import InvalidInput

Weights: TypeAlias = npt.NDArray[np.int64]
"""Shape (points, columns): a column for each of the sums that are asked for."""

Exact: TypeAlias = npt.NDArray[Any]
"""Exact numbers: int64 or float64 where all are of one such type, else ``int`` and ``Fraction``."""


class WeightedPoints:
    """Points, and a row of weights for each; it caches whatever depends on the points alone.

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


# Exact numbers in order, and where others stand among them

Places: TypeAlias = npt.NDArray[np.intp]


def numbers_below(values: Exact, cuts: Sequence[Number]) -> Places:
    """Count, for each cut, the values below it.

    Parameters
    ----------
    values
        Sorted, shape (v,).
    cuts
        Exact numbers of any size.

    Notes
    -----
    An integer is below t when it is below the least integer that is at least t, and similarly for
    floats. So rounding cuts up to the type of the values changes nothing.
    """
    return _places(values, cuts, up=True)


def numbers_up_to(values: Exact, cuts: Sequence[Number]) -> Places:
    """Count, for each cut, the values up to it: cuts may be rounded down."""
    return _places(values, cuts, up=False)


def at_least(values: Exact, cut: Number) -> npt.NDArray[np.bool_]:
    """Mark the values, in any order, that are at least a cut."""
    return np.asarray(values >= _rounded(cut, values.dtype.kind, up=True), dtype=bool)


def at_most(values: Exact, cut: Number) -> npt.NDArray[np.bool_]:
    """Mark the values, in any order, that are at most a cut."""
    return np.asarray(values <= _rounded(cut, values.dtype.kind, up=False), dtype=bool)


def _places(values: Exact, cuts: Sequence[Number], *, up: bool) -> Places:
    # The hypotheses of a family share the numbers they are made of: each is looked up once.
    names = np.fromiter(map(id, cuts), dtype=np.uintp, count=len(cuts))
    _, first, which = np.unique(names, return_index=True, return_inverse=True)
    rounded = np.empty(len(first), dtype=values.dtype)
    rounded[:] = [_rounded(cuts[index], values.dtype.kind, up) for index in first.tolist()]
    places = np.searchsorted(values, rounded, side="left" if up else "right")
    return np.asarray(places[which])


def _rounded(cut: Number, kind: str, up: bool) -> Number | float:
    """Return the nearest number of a type on one side."""
    if kind == "O":
        return cut
    if kind == "i":
        whole = math.ceil(cut) if up else math.floor(cut)
        return max(-LARGEST_INTEGER, min(whole, LARGEST_INTEGER))  # values are smaller in size
    try:
        near = float(cut)
    except OverflowError:
        near = math.inf if cut > 0 else -math.inf
    if up:
        return near if near >= cut else math.nextafter(near, math.inf)
    return near if near <= cut else math.nextafter(near, -math.inf)


# Halfspaces: floats decide where a bound on their error allows it

Floats = npt.NDArray[np.float64]

_TOGETHER = 1 << 16
"""Values that are held at once, about."""

_MOST = 2.0**500
_LEAST = 2.0**-500


class Sides:
    """Points in space, prepared for finding their sides of hyperplanes."""

    def __init__(self, coordinates: Sequence[Exact], weights: Weights) -> None:
        # Rounding to floats multiplies a number by a factor within 2**-53 of 1, and keeps order.
        self._points: Floats = np.ones((len(coordinates) + 1, len(weights)))
        for row, entries in zip(self._points, coordinates, strict=False):
            row[:] = [_to_float(x) for x in entries] if entries.dtype.kind == "O" else entries
        self._whole = all(entries.dtype.kind == "i" for entries in coordinates)
        self._reach = np.abs(self._points).max(axis=1, initial=0.0)
        self._weights = weights.astype(np.float64)

    def sums(self, planes: Sequence[Sequence[int]], exactly: Callable[[int, int], bool]) -> Weights:
        """Sum the weights of the points where ``w . x + b >= 0``.

        Parameters
        ----------
        planes
            For each halfspace the integers ``(w_1, ..., w_p, b)``.
        exactly
            Whether halfspace i contains point j; called where floats do not decide.

        Notes
        -----
        A value computed for p coordinates is a sum of p + 1 terms, each with at most three rounded
        factors (two numbers and their product), with rounded additions in any order. So its error
        is at most ``(2p + 4) 2**-53`` times the sum of the sizes of the terms, as long as nothing
        overflows, which a bound on the numbers excludes, and up to ``2**-570`` for numbers that
        underflow: Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, Lemma 3.1. On
        integer points whose terms sum to less than ``2**52`` in size, values are exact.
        """
        sums = np.empty((len(planes), self._weights.shape[1]))
        step = max(1, _TOGETHER // max(1, len(self._weights)))
        for first in range(0, len(planes), step):
            coefficients, doubt = self._prepared(planes[first : first + step])
            # Without BLAS, whose threads cost more than they bring at these sizes.
            values = np.einsum("ij,jk->ik", coefficients, self._points)
            inside = values > doubt[:, None]
            for plane, point in np.argwhere(np.abs(values) <= doubt[:, None]).tolist():
                inside[plane, point] = exactly(first + plane, point)
            # Sums of integers below 2**53 in size are exact in floats.
            sums[first : first + step] = np.einsum(
                "ij,jk->ik", inside.astype(np.float64), self._weights
            )
        return sums.astype(np.int64)

    def _prepared(self, planes: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
        """Scale coefficients by a power of two to floats, and bound the errors of the values."""
        coefficients = np.empty((len(planes), len(self._reach)))
        doubt = np.empty(len(planes))
        for index, plane in enumerate(planes):
            small = self._whole and all(abs(entry) < 1 << 53 for entry in plane)
            scale = 1 if small else 1 << max(entry.bit_length() for entry in plane)
            coefficients[index] = [entry / scale for entry in plane]
            size = float(np.abs(coefficients[index]) @ self._reach)
            if small and size < 2.0**52:
                doubt[index] = -0.5  # whole numbers: 0 counts as inside, and nothing is unsure
            elif self._reach.max() <= _MOST:
                doubt[index] = (2 * len(plane) + 8) * 2.0**-53 * size + _LEAST
            else:
                coefficients[index] = 0.0
                doubt[index] = math.inf
        return coefficients, doubt


def _to_float(number: Number) -> float:
    """Round a number to a float; one out of range stays out of reach."""
    try:
        return float(number)
    except OverflowError:
        return 2 * _MOST
