"""Sums over points in halfspaces: floats decide where a bound on their error allows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from pac_stability.classes.counting.points import Exact, Weights
from pac_stability.classes.counting.ranks import Places
from pac_stability.classes.exact import Number

Floats = npt.NDArray[np.float64]

_BLOCK = 64
"""Points in a block: near each other, they are as a rule on one side together."""

_PLANES = 64
"""Planes whose values at all blocks are held at once."""

_MOST = 2.0**500
_LEAST = 2.0**-500


class Sides:
    """Points in space, ready to be told which side of a hyperplane they are on.

    The points are put in blocks of neighbours, with a bounding box each: ``O(p n log n)``.
    """

    def __init__(self, coordinates: Sequence[Exact], weights: Weights) -> None:
        # Rounding to floats multiplies a number by a factor within 2**-53 of 1, and keeps order.
        points: Floats = np.ones((len(coordinates) + 1, len(weights)))
        for row, entries in zip(points, coordinates, strict=False):
            row[:] = [_to_float(x) for x in entries] if entries.dtype.kind == "O" else entries
        self._whole = all(entries.dtype.kind == "i" for entries in coordinates)
        self._reach = np.abs(points).max(axis=1, initial=0.0)
        self._order = _in_blocks(points[:-1])
        missing = -len(weights) % _BLOCK
        # The last block is filled with copies of its last point, of weight 0.
        filled = np.pad(self._order, (0, missing), mode="edge") if len(weights) else self._order
        shape = (len(filled) // _BLOCK, _BLOCK)
        self._points = points[:-1, filled].reshape(len(coordinates), *shape)
        in_order = np.zeros((len(filled), weights.shape[1]))
        in_order[: len(weights)] = weights[self._order]
        self._weights = in_order.reshape(*shape, weights.shape[1])
        lows, highs = self._points.min(axis=2), self._points.max(axis=2)
        ones = np.ones((1, shape[0]))
        self._low_ends = np.concatenate((lows, highs, ones))
        self._high_ends = np.concatenate((highs, lows, ones))
        self._block_weights = self._weights.sum(axis=1)

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
        A block is counted as a whole when the least or the greatest value on its bounding box
        settles it. A hyperplane meets about ``(n/64)**(1 - 1/p)`` of the blocks of n points well
        spread; these are looked at point by point.

        A value computed for p coordinates is a sum of p + 1 terms, each with at most three rounded
        factors (two numbers and their product), and of p zeros, with rounded additions in any
        order. So it is off by at most ``(2p + 4) 2**-53`` times the sum of the sizes of the terms,
        as long as nothing overflows, which a bound on the numbers excludes, and up to ``2**-570``
        for numbers that underflow: Higham, *Accuracy and Stability of Numerical Algorithms*, 2002,
        Lemma 3.1. On integer points whose terms sum to less than ``2**52`` in size, values are
        exact.
        """
        # Sums of integers below 2**53 in size are exact in floats.
        sums = np.zeros((len(planes), self._weights.shape[2]))
        for first in range(0, len(planes), _PLANES):
            coefficients, doubt = self._prepared(planes[first : first + _PLANES])
            rising, falling = np.maximum(coefficients, 0.0), np.minimum(coefficients, 0.0)
            split = np.concatenate((rising[:, :-1], falling[:, :-1], coefficients[:, -1:]), axis=1)
            within = _product(split, self._low_ends) > doubt[:, None]
            crossed = (_product(split, self._high_ends) >= -np.abs(doubt)[:, None]) & ~within
            sums[first : first + _PLANES] = _product(within.astype(np.float64), self._block_weights)
            for plane, (plane_coefficients, plane_doubt) in enumerate(
                zip(coefficients, doubt.tolist(), strict=True)
            ):
                blocks = np.flatnonzero(crossed[plane])
                values = np.full((len(blocks), _BLOCK), plane_coefficients[-1])
                for coefficient, entries in zip(plane_coefficients, self._points, strict=False):
                    values += coefficient * entries[blocks]
                inside = values > plane_doubt
                for block, place in np.argwhere(np.abs(values) <= plane_doubt).tolist():
                    position = int(blocks[block]) * _BLOCK + place
                    inside[block, place] = position < len(self._order) and exactly(
                        first + plane, int(self._order[position])
                    )
                weights = self._weights[blocks].reshape(inside.size, sums.shape[1])
                sums[first + plane] += _product(inside.reshape(1, -1).astype(np.float64), weights)[
                    0
                ]
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


def _product(left: Floats, right: Floats) -> Floats:
    """Multiply matrices without BLAS, whose threads cost more than they bring at these sizes."""
    return np.asarray(np.einsum("ij,jk->ik", left, right))


def _in_blocks(points: Floats) -> Places:
    """Order points so that each run of a block is a small box: by one coordinate after the other.

    The points are cut into equally many parts along each coordinate in turn.
    """
    axes, n = points.shape
    parts = math.ceil((n / _BLOCK) ** (1 / axes))
    order = np.argsort(points[0])
    for axis in range(1, axes):
        part = np.arange(n) // (_BLOCK * parts ** (axes - axis))
        order = order[np.lexsort((points[axis][order], part))]
    return order


def _to_float(number: Number) -> float:
    """Round a number to a float; one out of range stays out of reach."""
    try:
        return float(number)
    except OverflowError:
        return 2 * _MOST
