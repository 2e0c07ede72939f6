"""Halfspaces, exactly, for points in any position."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.exact import Vector, exact_vector, scaled_to_integers
from pac_stability.classes.families._dichotomies import Dichotomies
from pac_stability.classes.families._space import SpaceFamily
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.known import KnownValue
from pac_stability.classes.limits import MAX_EXPONENT, check_cells


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
        vector = exact_vector(point, len(self.weights))
        return int(sum(w * x for w, x in zip(self.weights, vector, strict=True)) + self.bias >= 0)


class Halfspaces(SpaceFamily):
    """Closed halfspaces ``{x : w . x + b >= 0}`` of ``R^p``.

    On ``m >= 1`` points there are at most ``2 sum_{i <= p} C(m - 1, i)`` patterns (Cover 1965),
    that many when no ``p + 1`` points lie on a hyperplane.  Points may be in any position: the
    hyperplanes spanned by ``p`` of them are tried, and the points on each are treated one dimension
    lower.  All arithmetic is in integers.  ``O(m^(p + 1) 2^p)`` for points in general position.
    When there are two points or more, none lies on the boundary of a representative.

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
        """Dimensions known in closed form, by name."""
        infinite = KnownValue(math.inf, "contains thresholds on a line (Littlestone 1988)")
        return {
            "littlestone": infinite,
            "threshold": infinite,
            "vc": KnownValue(self.dimension + 1, "Radon 1921: p + 2 points are not shattered"),
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
        check_cells("halfspaces", math.comb(m, p) * 2 ** (p + 1), m)
        columns, scales = zip(*map(scaled_to_integers, zip(*points, strict=True)), strict=True)
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
    basis: dict[int, list[Fraction]] = {}
    for point in points[1:]:
        vector = [Fraction(x - x0) for x, x0 in zip(point, points[0], strict=True)]
        for pivot, row in basis.items():
            factor = vector[pivot] / row[pivot]
            vector = [x - factor * y for x, y in zip(vector, row, strict=True)]
        lead = next((index for index, entry in enumerate(vector) if entry), None)
        if lead is not None:
            basis[lead] = vector
            if len(basis) == len(vector):
                break
    return sorted(basis)


def halfspaces(side: int, dimension: int) -> FiniteClass:
    """All halfspaces on the grid ``{0, ..., side - 1}^dimension``.

    Examples
    --------
    >>> len(halfspaces(3, 2)), halfspaces(3, 2).known["vc"].value
    (58, 3)
    """
    side = as_size(side, "side", 1)
    p = as_size(dimension, "dimension", 1, MAX_EXPONENT)
    check_cells("halfspaces", math.comb(side**p, p), side**p)
    patterns = Halfspaces(p).restrict(product(range(side), repeat=p))
    shattered = p + 1 if side >= 2 else 1
    return patterns.with_known(
        {"vc": KnownValue(shattered, "Radon 1921: p + 2 points are not shattered")}
    )
