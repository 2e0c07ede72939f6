"""Axis-parallel boxes."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Indices, Table, Words
from pac_stability.classes.exact import Vector, exact_vector
from pac_stability.classes.families._space import SpaceFamily, ranks
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.known import KnownValue
from pac_stability.classes.limits import MAX_EXPONENT, check_cells


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
        vector = exact_vector(point, len(self.low))
        return int(all(a <= x <= b for a, x, b in zip(self.low, vector, self.high, strict=True)))


class Boxes(SpaceFamily):
    """Axis-parallel boxes in ``R^p``, the empty box included.

    On ``m`` points there are at most ``sum_{i <= 2p} C(m, i)`` patterns.  The representative of a
    pattern is its bounding box.  Coordinate by coordinate, each set found so far is cut by the
    intervals of its own values: ``O(m^2)`` operations on ``m``-bit words for each set.

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
        """Dimensions known in closed form, by name."""
        infinite = KnownValue(math.inf, "contains intervals on a coordinate (Littlestone 1988)")
        source = "counted: 2p extreme points span the box of all; the 2p unit points are shattered"
        return {
            "littlestone": infinite,
            "threshold": infinite,
            "vc": KnownValue(2 * self.dimension, source),
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
                check_cells("boxes", len(smaller), m)
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

    Examples
    --------
    >>> len(boxes(3, 2))
    37
    """
    side = as_size(side, "side", 1)
    p = as_size(dimension, "dimension", 1, MAX_EXPONENT)
    check_cells("boxes", math.comb(side + 1, 2) ** p + 1, side**p)
    patterns = Boxes(p).restrict(product(range(side), repeat=p))
    if side == 2:
        source = "boxes of {0, 1}^p are conjunctions of literals: Natschlaeger & Schmitt 1996"
        return patterns.with_known({"vc": KnownValue(max(2, p), source)})
    source = "counted: 2p extreme points span the box of all; the 2p unit points are shattered"
    return patterns.with_known({"vc": KnownValue(1 if side == 1 else 2 * p, source)})
