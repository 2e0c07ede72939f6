"""What the families on the real line share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from pac_stability.classes.exact import Number, exact_number
from pac_stability.classes.family import EnumeratingFamily


class LineFamily(EnumeratingFamily[Number]):
    """A family whose points are real numbers, in their natural order."""

    def _point(self, point: Hashable) -> Number:
        return exact_number(point)

    def _order(self, points: Iterable[Number]) -> list[Number]:
        return sorted(points)


def beyond(points: list[Number]) -> Number:
    """Return a number above all the sorted points."""
    return points[-1] + 1 if points else 0
