"""Intervals on the line, and unions of at most k of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.exact import Number, exact_number
from pac_stability.classes.families.line import LineFamily
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.known import KnownValue
from pac_stability.classes.limits import check_subsets

_ORDER_ON_LINE = "contains thresholds on every finite set of reals (Littlestone 1988)"


@dataclass(frozen=True, slots=True)
class UnionOfIntervals:
    """The hypothesis that is 1 on finitely many closed intervals.

    Attributes
    ----------
    intervals
        Pairs ``(low, high)``, ends included; none for the empty set.
    """

    intervals: tuple[tuple[Number, Number], ...]

    def __call__(self, point: Hashable) -> int:
        """Label of a real number."""
        value = exact_number(point)
        return int(any(low <= value <= high for low, high in self.intervals))


class UnionsOfIntervals(LineFamily):
    """Unions of at most ``k`` intervals, the empty set included.

    On ``m`` points there are ``sum_{j <= k} C(m + 1, 2j)`` patterns: choose the cuts where the
    label changes.  A representative is the union of the runs of its pattern, each from its least to
    its greatest point.  Time and space are those of the table.

    Parameters
    ----------
    k
        Most intervals in a union, at least 0.

    Examples
    --------
    >>> patterns = UnionsOfIntervals(1).restrict([1, 2, 3])
    >>> len(patterns), patterns.representatives[-1]
    (7, UnionOfIntervals(intervals=((3, 3),)))
    """

    def __init__(self, k: int) -> None:
        self.k: int = as_size(k, "k")

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        depth = KnownValue(math.inf if self.k else 0, _ORDER_ON_LINE)
        return {
            "littlestone": depth,
            "threshold": depth,
            "vc": KnownValue(2 * self.k, "counted: k runs cannot alternate on 2k + 1 points"),
        }

    def growth_bound(self, m: int) -> int:
        """Exact number of patterns on ``m`` points."""
        return sum(math.comb(m + 1, 2 * j) for j in range(min(self.k, (m + 1) // 2) + 1))

    def _patterns(self, points: list[Number]) -> tuple[Words, Callable[[int], UnionOfIntervals]]:
        m = len(points)
        sizes = range(0, min(2 * self.k, m + 1) + 1, 2)
        check_subsets("unions of intervals", m, m + 1, sizes)
        # A label changes where there is a cut, so what is left of each cut adds up to the pattern.
        words = bits.combined(bits.prefixes(m), sizes)

        def union(row: int) -> UnionOfIntervals:
            left, runs = bits.row_mask(words, row), []
            while left:
                low = (left & -left).bit_length() - 1
                end = (~(left >> low) & (left >> low) + 1).bit_length() - 1 + low
                left = left >> end << end
                runs.append((points[low], points[end - 1]))
            return UnionOfIntervals(tuple(runs))

        return words, union


class Intervals(UnionsOfIntervals):
    """Intervals, the empty one included: ``1 + C(m + 1, 2)`` patterns on ``m`` points."""

    def __init__(self) -> None:
        super().__init__(1)


def unions_of_intervals(n: int, k: int) -> FiniteClass:
    """All unions of at most ``k`` intervals of the points ``0, ..., n - 1``.

    Examples
    --------
    >>> len(unions_of_intervals(4, 2))
    16
    """
    n, k = as_size(n, "n"), as_size(k, "k")
    check_subsets("unions of intervals", n, n + 1, range(0, min(2 * k, n + 1) + 1, 2))
    words, _ = UnionsOfIntervals(k)._patterns(list(range(n)))
    source = "counted: k runs cannot alternate on 2k + 1 points"
    return FiniteClass._of(words, tuple(range(n))).with_known(
        {"vc": KnownValue(min(n, 2 * k), source)}
    )


def intervals(n: int) -> FiniteClass:
    """All intervals of the points ``0, ..., n - 1``, the empty one included."""
    return unions_of_intervals(n, 1)
