"""Families on real vectors: decision stumps, axis-parallel boxes, halfspaces.

The module finds the dichotomies of integer points by hyperplanes exactly, for points in any
position. The hyperplane of every dichotomy of a finite set can be moved until points of the set
span it. Points off that hyperplane stay on their side, and a hyperplane inside it splits the points
on it. Conversely, a split inside, applied as a small enough tilt, is a dichotomy. So for each
spanned hyperplane and each of its sides, combine the points strictly on that side with the
dichotomies of the points on it, which are one dimension lower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, count, product
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size
from pac_stability.classes import bits, validation
from pac_stability.classes.bits import Indices, Table, Words, first_occurrences, pack, row_blocks
from pac_stability.classes.family import EnumeratingFamily
from pac_stability.classes.finite_class import FiniteClass, KnownValue
from pac_stability.classes.validation import Vector


class SpaceFamily(EnumeratingFamily[Vector]):
    """A family whose points are tuples of real numbers, in lexicographic order.

    Parameters
    ----------
    dimension
        Number of coordinates, at least 1.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension: int = as_size(dimension, "dimension", 1)

    def _point(self, point: Hashable) -> Vector:
        return validation.exact_vector(point, self.dimension)


def ranks(points: list[Vector], coordinate: int) -> tuple[npt.NDArray[np.int64], list[int]]:
    """Rank of each point along a coordinate, and for each rank a point that has it."""
    values, _ = validation.scaled_to_integers(point[coordinate] for point in points)
    first: dict[int, int] = {}
    for index, value in enumerate(values):
        first.setdefault(value, index)
    order = sorted(first)
    rank = {value: position for position, value in enumerate(order)}
    return np.array([rank[value] for value in values], dtype=np.int64), [first[v] for v in order]


# Stumps: one coordinate against a threshold


@dataclass(frozen=True, slots=True)
class Stump:
    """The hypothesis ``1[x_i >= cut]``, or ``1[x_i < cut]`` when not ``upward``.

    Attributes
    ----------
    dimension
        Number of coordinates of a point.
    coordinate
        The coordinate ``i`` that decides, counted from 0.
    cut
        The threshold.
    upward
        Whether large values are labelled 1.
    """

    dimension: int
    coordinate: int
    cut: validation.Number
    upward: bool = True

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of real numbers."""
        value = validation.exact_vector(point, self.dimension)[self.coordinate]
        return int((value >= self.cut) is self.upward)


class Stumps(SpaceFamily):
    """Decision stumps on ``R^p``, of both orientations.

    On ``m >= 1`` points there are at most ``2p(m - 1) + 2`` patterns: the two constants, and for
    each coordinate the cuts between its distinct values, both ways.  A representative cuts at the
    value of a point, along the first coordinate that gives its pattern.  Time and space are those
    of the table.

    Parameters
    ----------
    dimension
        Number ``p`` of coordinates, at least 1.

    Examples
    --------
    >>> patterns = Stumps(2).restrict([(0, 5), (1, 3)])
    >>> patterns.table.tolist()
    [[1, 1], [0, 0], [0, 1], [1, 0]]
    >>> patterns.representatives[2]
    Stump(dimension=2, coordinate=0, cut=1, upward=True)
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        infinite = KnownValue(math.inf, "contains thresholds on a coordinate (Littlestone 1988)")
        known = {"littlestone": infinite, "threshold": infinite}
        # The largest v with C(v, v // 2) <= 2p.
        size = next(v for v in count(2) if math.comb(v + 1, (v + 1) // 2) > 2 * self.dimension)
        source = (
            "Gey 2018: p orders of v points cut out at most 2p sets of v // 2 points, and"
            " C(v, v // 2) are needed, which suffice"
        )
        known["vc"] = KnownValue(size, source)
        return known

    def growth_bound(self, m: int) -> int:
        """Largest number of patterns on ``m`` points, attained if the coordinates share no cut."""
        return 2 * self.dimension * (m - 1) + 2 if m else 1

    def _patterns(self, points: list[Vector]) -> tuple[Words, Callable[[int], Stump]]:
        m = len(points)
        validation.check_cells("stumps", 2 * self.dimension * m + 2, m)
        lowest = points[0][0] if points else 0
        tables = [np.ones((1, m), dtype=np.uint8), np.zeros((1, m), dtype=np.uint8)]
        stumps = [Stump(self.dimension, 0, lowest, up) for up in (True, False)]
        for coordinate in range(self.dimension):
            rank, at_rank = ranks(points, coordinate)
            above = (rank >= np.arange(1, len(at_rank))[:, None]).astype(np.uint8)
            tables += [above, 1 - above]
            stumps += [
                Stump(self.dimension, coordinate, points[index][coordinate], up)
                for up in (True, False)
                for index in at_rank[1:]
            ]
        return bits.pack(np.concatenate(tables)), stumps.__getitem__


def stumps(side: int, dimension: int) -> FiniteClass:
    """All decision stumps on the grid ``{0, ..., side - 1}^dimension``.

    Parameters
    ----------
    side
        The number of points along each axis.
    dimension
        The number of axes.

    Examples
    --------
    >>> len(stumps(3, 2))
    10
    """
    side = as_size(side, "side", 1)
    p = as_size(dimension, "dimension", 1, validation.MAX_EXPONENT)
    validation.check_cells("stumps", 2 * p * side + 2, side**p)
    return Stumps(p).restrict(product(range(side), repeat=p)).with_known(stumps_known(side, p))


def stumps_known(side: int, dimension: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of stumps on a grid; its axes realize any orders of points."""
    vc = Stumps(dimension).known["vc"]
    return {"vc": vc} if vc.value <= side else {}


# Boxes

_EXTREMES = "counted: 2p extreme points span the box of all; the 2p unit points are shattered"


@dataclass(frozen=True, slots=True)
class Box:
    """The hypothesis that is 1 on a closed axis-parallel box.

    Attributes
    ----------
    low, high
        Opposite corners, included; the box is empty when ``low > high`` in a coordinate.
    """

    low: Vector
    high: Vector

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of real numbers."""
        vector = validation.exact_vector(point, len(self.low))
        return int(all(a <= x <= b for a, x, b in zip(self.low, vector, self.high, strict=True)))


class Boxes(SpaceFamily):
    """Axis-parallel boxes in ``R^p``, the empty box included.

    On ``m`` points there are at most ``sum_{i <= 2p} C(m, i)`` patterns.  The representative of a
    pattern is its bounding box.  Coordinate by coordinate, intervals of its own values cut each set
    found so far: ``O(m^2)`` operations on ``m``-bit words for each set.

    Parameters
    ----------
    dimension
        Number ``p`` of coordinates, at least 1.

    Examples
    --------
    >>> patterns = Boxes(2).restrict([(0, 0), (1, 1), (2, 0)])
    >>> len(patterns), patterns.representatives[-1]
    (8, Box(low=(0, 0), high=(2, 1)))
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        infinite = KnownValue(math.inf, "contains intervals on a coordinate (Littlestone 1988)")
        return {
            "littlestone": infinite,
            "threshold": infinite,
            "vc": KnownValue(2 * self.dimension, _EXTREMES),
        }

    def growth_bound(self, m: int) -> int:
        """Bound on the number of patterns on ``m`` points."""
        return sum(math.comb(m, i) for i in range(2 * self.dimension + 1))

    def _patterns(self, points: list[Vector]) -> tuple[Words, Callable[[int], Box]]:
        m = len(points)
        found = {(1 << m) - 1}
        for coordinate in range(self.dimension):
            rank, at_rank = ranks(points, coordinate)
            layers = [0] * len(at_rank)
            for index, place in enumerate(rank.tolist()):
                layers[place] |= 1 << index
            smaller = {0}
            for mask in found:
                own = [mask & layer for layer in layers if mask & layer]
                for start in range(len(own)):
                    run = 0
                    for layer in own[start:]:
                        run |= layer
                        smaller.add(run)
                validation.check_cells("boxes", len(smaller), m)
            found = smaller
        words = bits.from_masks(sorted(found), m)
        table = bits.unpack(words, m)
        corners = [_extremes(table, points, coordinate) for coordinate in range(self.dimension)]

        def bounding_box(row: int) -> Box:
            if not table[row].any():
                return Box((1,) * self.dimension, (0,) * self.dimension)
            sides = list(enumerate(corners))
            return Box(
                tuple(points[int(low[row])][i] for i, (low, _) in sides),
                tuple(points[int(high[row])][i] for i, (_, high) in sides),
            )

        return words, bounding_box


def _extremes(table: Table, points: list[Vector], coordinate: int) -> tuple[Indices, Indices]:
    """For each pattern, a lowest and a highest of its points along a coordinate."""
    order = np.argsort(ranks(points, coordinate)[0], kind="stable")
    in_order = table[:, order]
    if not len(points):
        return order, order
    return order[in_order.argmax(axis=1)], order[::-1][in_order[:, ::-1].argmax(axis=1)]


def boxes(side: int, dimension: int) -> FiniteClass:
    """All axis-parallel boxes of the grid ``{0, ..., side - 1}^dimension``, the empty one included.

    Parameters
    ----------
    side
        The number of points along each axis.
    dimension
        The number of axes.

    Examples
    --------
    >>> len(boxes(3, 2))
    37
    """
    side = as_size(side, "side", 1)
    p = as_size(dimension, "dimension", 1, validation.MAX_EXPONENT)
    validation.check_cells("boxes", math.comb(side + 1, 2) ** p + 1, side**p)
    patterns = Boxes(p).restrict(product(range(side), repeat=p))
    return patterns.with_known(boxes_known(side, p))


def boxes_known(side: int, dimension: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of the boxes of a grid."""
    if side == 2:
        source = "boxes of {0, 1}^p are conjunctions of literals: Natschlaeger & Schmitt 1996"
        return {"vc": KnownValue(max(2, dimension), source)}
    return {"vc": KnownValue(1 if side == 1 else 2 * dimension, _EXTREMES)}


# Dichotomies

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
        on = self._signs == 0
        sizes = on.sum(axis=1)
        known: dict[str, Table] = {}  # those of the points on a plane: lines of a grid repeat
        splits = {p: self._inside_of(p, known) for p in np.flatnonzero(sizes > q).tolist()}
        free = _labellings(q)
        lengths = np.full(len(sizes), len(free))
        lengths[[*splits]] = [len(inside) for inside in splits.values()]
        # For each plane what is above it, then what is below, in all ways to split what is on it.
        block = np.repeat(np.arange(2 * len(sizes)), np.repeat(lengths, 2))
        table = (self._signs[block // 2] == (1 - 2 * (block % 2))[:, None]).astype(np.uint8)
        self._blocks = np.concatenate([[0], np.cumsum(np.repeat(lengths, 2))])
        plain = np.flatnonzero(sizes == q)
        if len(plain):
            rows = self._blocks[2 * plain][:, None] + np.arange(2 * len(free))
            columns = np.nonzero(on[plain])[1].reshape(-1, q)
            table[rows[:, :, None], columns[:, None, :]] = np.tile(free, (2, 1))
        for plane, inside in splits.items():
            first, last = self._blocks[[2 * plane, 2 * plane + 2]]
            table[first:last, on[plane]] = np.tile(inside, (2, 1))
        self._first = first_occurrences(pack(table))
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
            dropped, projected = self._projected(plane)
            self._inside[plane] = dropped, Dichotomies(projected)
        return self._inside[plane]

    def _projected(self, plane: int) -> tuple[int, npt.NDArray[np.object_]]:
        dropped = int(np.flatnonzero(self._planes[plane])[0])
        on = self._points[self._signs[plane] == 0, : len(self._corner)]
        return dropped, np.delete(on.astype(object), dropped, axis=1)

    def _inside_of(self, plane: int, known: dict[str, Table]) -> Table:
        """Return how the points on a hyperplane can be split; moved and scaled, they are as one."""
        points = self._projected(plane)[1]
        points = points - points.min(axis=0)
        points //= math.gcd(*points.ravel().tolist())
        key = repr(points.tolist())
        if key not in known:
            known[key] = Dichotomies(points).patterns
        return known[key]


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


# Halfspaces


@dataclass(frozen=True, slots=True)
class Halfspace:
    """The hypothesis ``1[w . x + b >= 0]``.

    Attributes
    ----------
    weights
        Integers ``w``, not all 0.
    bias
        The integer ``b``.
    """

    weights: tuple[int, ...]
    bias: int

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of real numbers."""
        vector = validation.exact_vector(point, len(self.weights))
        return int(sum(w * x for w, x in zip(self.weights, vector, strict=True)) + self.bias >= 0)


class Halfspaces(SpaceFamily):
    """Closed halfspaces ``{x : w . x + b >= 0}`` of ``R^p``.

    On ``m >= 1`` points there are at most ``2 sum_{i <= p} C(m - 1, i)`` patterns (Cover 1965),
    that many when no ``p + 1`` points lie on a hyperplane.  Points may be in any position: it tries
    the hyperplanes that ``p`` of them span, and treats the points on each one dimension lower.  All
    arithmetic is in integers.  ``O(m^(p + 1) 2^p)`` for points in general position. When there are
    two points or more, none lies on the boundary of a representative.

    Parameters
    ----------
    dimension
        Dimension ``p`` of the space, at least 1.

    Examples
    --------
    >>> square = [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> patterns = Halfspaces(2).restrict(square)
    >>> len(patterns)  # all but the two of the exclusive or
    14
    >>> all(h(x) == patterns(i, x) for i, h in enumerate(patterns.representatives) for x in square)
    True
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        infinite = KnownValue(math.inf, "contains thresholds on a line (Littlestone 1988)")
        return {
            "littlestone": infinite,
            "threshold": infinite,
            "vc": KnownValue(self.dimension + 1, _RADON),
        }

    def growth_bound(self, m: int) -> int:
        """Largest number of patterns on ``m`` points, reached in general position."""
        if m == 0:
            return 1
        return 2 * sum(math.comb(m - 1, i) for i in range(self.dimension + 1))

    def _patterns(self, points: list[Vector]) -> tuple[Words, Callable[[int], Halfspace]]:
        m, p = len(points), self.dimension
        if m <= 1:
            return self._at_most_one_point(points)
        # Twice as many rows as patterns: each pattern is met from several hyperplanes.
        validation.check_cells("halfspaces", math.comb(m, p) * 2 ** (p + 1), m)
        columns, scales = zip(
            *map(validation.scaled_to_integers, zip(*points, strict=True)), strict=True
        )
        pivots = _independent_coordinates(list(zip(*columns, strict=True)))
        spanning = np.array([columns[pivot] for pivot in pivots], dtype=object).T
        dichotomies = Dichotomies(spanning)

        def halfspace(row: int) -> Halfspace:
            *slopes, constant = dichotomies.functional(row)
            weights = [0] * p
            for pivot, slope in zip(pivots, slopes, strict=True):
                weights[pivot] = slope * scales[pivot]
            return Halfspace(tuple(weights), constant)

        return bits.pack(dichotomies.patterns), halfspace

    def _at_most_one_point(self, points: list[Vector]) -> tuple[Words, Callable[[int], Halfspace]]:
        """Cut at the first coordinate of the point, and one further."""
        first = Fraction(points[0][0]) if points else Fraction(0)
        weights = (first.denominator, *[0] * (self.dimension - 1))
        cuts = [Halfspace(weights, -first.numerator - (first.denominator * far)) for far in (1, 0)]
        if not points:
            return np.zeros((1, 0), dtype=np.uint64), lambda _: cuts[1]
        return np.array([[0], [1]], dtype=np.uint64), cuts.__getitem__


def _independent_coordinates(points: list[tuple[int, ...]]) -> list[int]:
    """Coordinates that parametrise the affine hull: pivots of the differences, increasing."""
    # Imported here because importing python-flint takes longer than the rest of the library.
    from flint import fmpq_mat  # noqa: PLC0415  # slow to import

    p = len(points[0])
    differences = [x - x0 for point in points[1:] for x, x0 in zip(point, points[0], strict=True)]
    reduced, rank = fmpq_mat(len(points) - 1, p, differences).rref()
    return [next(column for column in range(p) if reduced[row, column] != 0) for row in range(rank)]


_RADON = "Radon 1921: p + 2 points are not shattered"


def halfspaces(side: int, dimension: int) -> FiniteClass:
    """All halfspaces on the grid ``{0, ..., side - 1}^dimension``.

    Parameters
    ----------
    side
        The number of points along each axis.
    dimension
        The number of axes.

    Examples
    --------
    >>> len(halfspaces(3, 2)), halfspaces(3, 2).known["vc"].value
    (58, 3)
    """
    side = as_size(side, "side", 1)
    p = as_size(dimension, "dimension", 1, validation.MAX_EXPONENT)
    validation.check_cells("halfspaces", math.comb(side**p, p), side**p)
    patterns = Halfspaces(p).restrict(product(range(side), repeat=p))
    return patterns.with_known(halfspaces_known(side, p))


def halfspaces_known(side: int, dimension: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of the halfspaces on a grid."""
    return {"vc": KnownValue(dimension + 1 if side >= 2 else 1, _RADON)}
