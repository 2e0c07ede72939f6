"""Sums over points in halfspaces: floats decide where a bound on their error allows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from pac_stability.classes.counting.points import Exact, Weights
from pac_stability.classes.exact import Number

Floats = npt.NDArray[np.float64]

_TOGETHER = 1 << 16
"""Values that are held at once, about."""

_MOST = 2.0**500
_LEAST = 2.0**-500


class Sides:
    """Points in space, ready to be told which side of a hyperplane they are on."""

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
            Whether halfspace i contains point j; asked where floats cannot tell.

        Notes
        -----
        A value computed for p coordinates is a sum of p + 1 terms, each with at most three rounded
        factors (two numbers and their product), with rounded additions in any order. So it is off
        by at most ``(2p + 4) 2**-53`` times the sum of the sizes of the terms, as long as nothing
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
