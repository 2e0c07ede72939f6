"""What the families on real vectors share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size
from pac_stability.classes.exact import Vector, exact_vector, scaled_to_integers
from pac_stability.classes.family import EnumeratingFamily


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
        return exact_vector(point, self.dimension)

    def _order(self, points: Iterable[Vector]) -> list[Vector]:
        return sorted(points)


def ranks(points: list[Vector], coordinate: int) -> tuple[npt.NDArray[np.int64], list[int]]:
    """Rank of each point along a coordinate, and for each rank a point that has it."""
    values, _ = scaled_to_integers(point[coordinate] for point in points)
    first: dict[int, int] = {}
    for index, value in enumerate(values):
        first.setdefault(value, index)
    order = sorted(first)
    rank = {value: position for position, value in enumerate(order)}
    return np.array([rank[value] for value in values], dtype=np.int64), [first[v] for v in order]
