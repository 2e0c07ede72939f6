"""Dichotomies of integer points by hyperplanes, exactly and in any position.

Every dichotomy of a finite set can be moved until its hyperplane is spanned by points of the set;
what lies off that hyperplane stays on its side, and what lies on it is split by a hyperplane inside
it.  Conversely a split inside, added as a small enough tilt, is a dichotomy.  So: for each spanned
hyperplane and each of its sides, combine the points strictly on that side with the dichotomies of
the points on it, which live one dimension lower.
"""

from __future__ import annotations

import math
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.classes.bits import Table, first_occurrences, pack, row_blocks

Integers = npt.NDArray[Any]
"""``int64`` where it suffices, Python integers (``object``) otherwise."""

Functional = tuple[int, ...]
"""Coefficients of an affine function, the constant last."""

_CHUNK = 1 << 22
"""Values of functionals at points that are held at once."""


class Dichotomies:
    """Dichotomies ``1[f > 0]`` of distinct integer points, ``f`` affine and nowhere 0 on them.

    Parameters
    ----------
    points
        Python integers, shape ``(m, q)``, whose rows span ``R^q`` affinely (so ``m >= q + 1``).

    Attributes
    ----------
    patterns
        The dichotomies, one a row, distinct.

    Notes
    -----
    ``C(m, q)`` hyperplanes, each with ``O(m)`` evaluations and, in general position, ``2^(q + 1)``
    rows.
    """

    def __init__(self, points: npt.NDArray[np.object_]) -> None:
        m, q = points.shape
        self._corner = points.min(axis=0)
        exact = np.concatenate((points - self._corner, np.ones((m, 1), dtype=object)), axis=1)
        reach = max(int(exact.max()), 1)
        # Every partial sum in a minor or a value stays below this.
        fits = math.factorial(q + 1) * reach**q < 2**62
        self._points: Integers = exact.astype(np.int64) if fits else exact
        self._inside: dict[int, tuple[int, Dichotomies]] = {}
        if m == q + 1:
            self.patterns = _labellings(m)
            return
        self._planes, self._signs = self._spanned()
        tables = []
        blocks = [0]
        free = _labellings(q)
        for plane, signs in enumerate(self._signs):
            on = np.flatnonzero(signs == 0)
            inside = free if len(on) == q else self._on_plane(plane)[1].patterns
            for side in (1, -1):
                rows = np.empty((len(inside), m), dtype=np.uint8)
                rows[:] = signs == side
                rows[:, on] = inside
                tables.append(rows)
                blocks.append(blocks[-1] + len(inside))
        table = np.concatenate(tables)
        self._first = first_occurrences(pack(table))
        self._blocks = np.array(blocks)
        self.patterns = table[self._first]

    def functional(self, row: int) -> Functional:
        """Return integers ``(w_1, ..., w_q, b)``: ``w . x + b`` has the signs of a pattern."""
        if len(self._points) == len(self._corner) + 1:
            coefficients = self._simplex_functional(self.patterns[row])
        else:
            origin = int(self._first[row])
            block = int(np.searchsorted(self._blocks, origin, side="right")) - 1
            plane, below = divmod(block, 2)
            coefficients = self._tilted(plane, 1 - 2 * below, origin - int(self._blocks[block]))
        common = math.gcd(*coefficients)
        *weights, constant = (entry // common for entry in coefficients)
        shift = sum(w * int(c) for w, c in zip(weights, self._corner, strict=True))
        return (*weights, constant - shift)

    def _tilted(self, plane: int, side: int, inside_row: int) -> Functional:
        """Combine a hyperplane with a split of the points on it, which must not move the others."""
        dropped, inside = self._on_plane(plane)
        tilt = list(inside.functional(inside_row))
        tilt.insert(dropped, 0)
        weights = [side * int(entry) for entry in self._planes[plane]]
        off = np.flatnonzero(self._signs[plane])
        # The hyperplane's own values there are integers other than 0.
        steep = 1 + max(abs(value) for value in self._values(tilt, off))
        return tuple(steep * w + t for w, t in zip(weights, tilt, strict=True))

    def _values(self, functional: list[int], rows: npt.NDArray[np.intp]) -> list[int]:
        points = self._points[rows]
        largest = max(map(abs, functional)) * (len(functional) * int(self._points.max()))
        exact = points.dtype == object or largest >= 2**62
        array = np.array(functional, dtype=object if exact else np.int64)
        return [int(value) for value in (points.astype(array.dtype) @ array).tolist()]

    def _simplex_functional(self, pattern: Table) -> Functional:
        """Functional with prescribed signs at affinely independent points.

        For each point take the hyperplane through the others, positive at the point; the signed sum
        of these has the sign asked for at every point.
        """
        count = len(self._points)
        others = np.array(
            [[j for j in range(count) if j != i] for i in range(count)], dtype=np.intp
        )
        facets = _minors(self._points[others])
        total = [0] * count
        for point, facet, label in zip(self._points, facets, pattern.tolist(), strict=True):
            height = sum(int(x) * int(f) for x, f in zip(point, facet, strict=True))
            sign = (1 if height > 0 else -1) * (1 if label else -1)
            total = [t + sign * int(f) for t, f in zip(total, facet, strict=True)]
        return tuple(total)

    def _spanned(self) -> tuple[Integers, npt.NDArray[np.int8]]:
        """Functionals of the hyperplanes spanned by points, and their signs at all points."""
        m, q = len(self._points), len(self._corner)
        subsets = np.fromiter(
            chain.from_iterable(combinations(range(m), q)), dtype=np.intp
        ).reshape(-1, q)
        planes = []
        signs = []
        for some in row_blocks(len(subsets), m, _CHUNK):
            functionals = _minors(self._points[subsets[some]])
            functionals = functionals[np.any(functionals[:, :q] != 0, axis=1)]
            values = functionals @ self._points.T
            planes.append(functionals)
            signs.append((values > 0).astype(np.int8) - (values < 0).astype(np.int8))
        every = np.concatenate(signs)
        # The points on a spanned hyperplane determine it.
        first = first_occurrences(pack((every == 0).astype(np.uint8)))
        return np.concatenate(planes)[first], every[first]

    def _on_plane(self, plane: int) -> tuple[int, Dichotomies]:
        """Dichotomies of the points on a hyperplane, with one coordinate dropped, and which."""
        if plane not in self._inside:
            dropped = int(np.flatnonzero(self._planes[plane])[0])
            on = self._points[self._signs[plane] == 0, : len(self._corner)]
            projected = np.delete(on.astype(object), dropped, axis=1)
            self._inside[plane] = dropped, Dichotomies(projected)
        return self._inside[plane]


def _labellings(m: int) -> Table:
    """All labellings of ``m`` points."""
    return np.array(list(product((0, 1), repeat=m)), dtype=np.uint8)


def _minors(matrices: Integers) -> Integers:
    """Signed maximal minors of ``(c, q, q + 1)`` matrices: functionals vanishing on the rows."""
    count, q, columns = matrices.shape
    minors: dict[tuple[int, ...], Integers] = {(): np.ones(count, dtype=matrices.dtype)}
    for row in range(q):
        minors = {
            chosen: np.sum(
                [
                    (-1) ** (row + place) * matrices[:, row, column] * minors[rest]
                    for place, column in enumerate(chosen)
                    for rest in [_without(chosen, column)]
                ],
                axis=0,
            )
            for chosen in combinations(range(columns), row + 1)
        }
    every = tuple(range(columns))
    return np.stack([(-1) ** k * minors[_without(every, k)] for k in every], axis=1)


def _without(columns: tuple[int, ...], column: int) -> tuple[int, ...]:
    return tuple(other for other in columns if other != column)
