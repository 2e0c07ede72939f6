"""Thresholds on the line, with one orientation and with both."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.exact import Number, exact_number
from pac_stability.classes.families.line import LineFamily, beyond
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.known import KnownValue
from pac_stability.classes.limits import check_cells

_PREFIXES = "counted: the sets are a chain, and a class on a chain shatters single points only"
_NO_MIDDLE = "counted: no such set has just the middle of three points"
_ORDER_ON_LINE = "the reals contain orders of every finite size (Littlestone 1988)"


@dataclass(frozen=True, slots=True)
class Threshold:
    """The hypothesis ``1[x >= cut]``, or ``1[x < cut]`` when not ``upward``."""

    cut: Number
    upward: bool = True

    def __call__(self, point: Hashable) -> int:
        """Label of a real number."""
        return int((exact_number(point) >= self.cut) is self.upward)


class Thresholds(LineFamily):
    """Thresholds ``1[x >= t]``, ``t`` real.

    On ``m`` points there are ``m + 1`` patterns, the cuts of the sorted points; the representative
    of a non-empty pattern has its least point as ``t``.  ``O(m log m)`` for the representatives,
    ``O(m^2 / 8)`` bytes for the table of patterns.

    Examples
    --------
    >>> patterns = Thresholds().restrict([3, 1, 3])
    >>> patterns.domain, patterns.table.tolist()
    ((3, 1), [[1, 1], [1, 0], [0, 0]])
    >>> [h.cut for h in patterns.representatives]
    [1, 3, 4]
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return {
            "littlestone": KnownValue(math.inf, _ORDER_ON_LINE),
            "threshold": KnownValue(math.inf, _ORDER_ON_LINE),
            "vc": KnownValue(1, _PREFIXES),
            "dual_vc": KnownValue(1, "counted: points label cuts as thresholds do"),
        }

    def growth_bound(self, m: int) -> int:
        """Exact number of patterns on ``m`` points: ``m + 1``."""
        return m + 1

    def _patterns(self, points: list[Number]) -> tuple[Words, Callable[[int], Threshold]]:
        m = len(points)
        return _upward("thresholds", m), self._cuts(points).__getitem__

    @staticmethod
    def _cuts(points: list[Number]) -> list[Threshold]:
        return [Threshold(cut) for cut in (*points, beyond(points))]

    def representatives_on(self, points: Iterable[Hashable]) -> Sequence[Threshold]:
        """One threshold for each pattern, without building the table of patterns."""
        return self._cuts(self._order(self._distinct(points)))


class SignedThresholds(LineFamily):
    """Thresholds of both orientations, ``1[x >= t]`` and ``1[x < t]``.

    On ``m >= 1`` points there are ``2m`` patterns, in ``O(m^2)``.
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return {
            "littlestone": KnownValue(math.inf, _ORDER_ON_LINE),
            "threshold": KnownValue(math.inf, _ORDER_ON_LINE),
            "vc": KnownValue(2, _NO_MIDDLE),
        }

    def growth_bound(self, m: int) -> int:
        """Exact number of patterns on ``m`` points: ``2m`` (one if there are none)."""
        return 2 * m if m else 1

    def _patterns(self, points: list[Number]) -> tuple[Words, Callable[[int], Threshold]]:
        m = len(points)
        check_cells("signed thresholds", 2 * m + 2, m)
        upward = _upward("thresholds", m)
        cuts = [*points, beyond(points)]
        chosen = [Threshold(cut, up) for up in (True, False) for cut in cuts]
        # The first cut has all points on its upper side.
        return np.concatenate((upward, upward ^ upward[0])), chosen.__getitem__


def _upward(what: str, m: int) -> Words:
    """For each cut of sorted points, those from it on."""
    check_cells(what, m + 1, m)
    below = bits.prefixes(m)
    upward: Words = below ^ below[-1]
    return upward


def thresholds(n: int) -> FiniteClass:
    """All thresholds ``1[x >= t]``, ``t = 0, ..., n``, on the points ``0, ..., n - 1``.

    Examples
    --------
    >>> H = thresholds(2)
    >>> H.table.tolist(), H.known["littlestone"].value
    ([[1, 1], [0, 1], [0, 0]], 1)
    """
    n = as_size(n, "n")
    words = _upward("thresholds", n)
    known = {
        "littlestone": KnownValue(
            (n + 1).bit_length() - 1,
            "floor(log2(n + 1)): binary search (Littlestone 1988)",
        ),
        "threshold": KnownValue(n, "counted: all points, with the cuts at them"),
        "vc": KnownValue(min(n, 1), _PREFIXES),
    }
    if n:
        known["dual_vc"] = KnownValue(int(n >= 2), "counted: points label cuts as thresholds do")
    return FiniteClass._of(words, tuple(range(n))).with_known(known)


def signed_thresholds(n: int) -> FiniteClass:
    """All thresholds of both orientations on the points ``0, ..., n - 1``: ``2n`` hypotheses."""
    n = as_size(n, "n")
    check_cells("signed thresholds", 2 * n + 2, n)
    patterns = SignedThresholds().restrict(range(n))
    return patterns.with_known({"vc": KnownValue(min(n, 2), _NO_MIDDLE)})
