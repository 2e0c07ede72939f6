"""Decision stumps: one coordinate against a threshold."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.exact import Number, Vector, exact_vector
from pac_stability.classes.families._space import SpaceFamily, ranks
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.known import KnownValue
from pac_stability.classes.limits import MAX_EXPONENT, check_cells


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
    cut: Number
    upward: bool = True

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of real numbers."""
        value = exact_vector(point, self.dimension)[self.coordinate]
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
        """Dimensions known in closed form, by name."""
        infinite = KnownValue(math.inf, "contains thresholds on a coordinate (Littlestone 1988)")
        known = {"littlestone": infinite, "threshold": infinite}
        if self.dimension <= 4:
            source = (
                "counted: p orders of v points cut out at most 2p sets of v // 2 points, and"
                " C(v, v // 2) are needed; this many points are shattered for p <= 4"
            )
            known["vc"] = KnownValue((2, 3, 4, 4)[self.dimension - 1], source)
        return known

    def growth_bound(self, m: int) -> int:
        """Largest number of patterns on ``m`` points, reached by orders with no cut in common."""
        return 2 * self.dimension * (m - 1) + 2 if m else 1

    def _patterns(self, points: list[Vector]) -> tuple[Words, Callable[[int], Stump]]:
        m = len(points)
        check_cells("stumps", 2 * self.dimension * m + 2, m)
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

    Examples
    --------
    >>> len(stumps(3, 2))
    10
    """
    side = as_size(side, "side", 1)
    p = as_size(dimension, "dimension", 1, MAX_EXPONENT)
    check_cells("stumps", 2 * p * side + 2, side**p)
    return Stumps(p).restrict(product(range(side), repeat=p)).with_known({})
