"""Families on the real line, and of finite sets.

Thresholds, intervals and their unions; singletons, subsets of few points, and all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits, family, validation
from pac_stability.classes.bits import Words
from pac_stability.classes.family import EnumeratingFamily
from pac_stability.classes.finite_class import FiniteClass, KnownValue
from pac_stability.classes.validation import Number, check_cells, check_subsets, exact_number


class LineFamily(EnumeratingFamily[Number]):
    """A family whose points are real numbers, in their natural order."""

    def _point(self, point: Hashable) -> Number:
        return exact_number(point)


def beyond(points: list[Number]) -> Number:
    """Return a number above all the sorted points."""
    return points[-1] + 1 if points else 0


# Thresholds, with one orientation and with both

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
        return _upward("thresholds", len(points)), self._cuts(points).__getitem__

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

    Parameters
    ----------
    n
        The number of points.

    Examples
    --------
    >>> H = thresholds(2)
    >>> H.table.tolist(), H.known["littlestone"].value
    ([[1, 1], [0, 1], [0, 0]], 1)
    """
    n = as_size(n, "n")
    words = _upward("thresholds", n)
    return FiniteClass._of(words, tuple(range(n))).with_known(thresholds_known(n))


def thresholds_known(n: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of the thresholds on ``n`` points."""
    known = {
        "littlestone": KnownValue(
            (n + 1).bit_length() - 1, "floor(log2(n + 1)): binary search (Littlestone 1988)"
        ),
        "threshold": KnownValue(n, "counted: all points, with the cuts at them"),
        "vc": KnownValue(min(n, 1), _PREFIXES),
    }
    if n:
        known["dual_vc"] = KnownValue(int(n >= 2), "counted: points label cuts as thresholds do")
    return known


def signed_thresholds(n: int) -> FiniteClass:
    """All thresholds of both orientations on the points ``0, ..., n - 1``: ``2n`` hypotheses.

    Parameters
    ----------
    n
        The number of points.
    """
    n = as_size(n, "n")
    check_cells("signed thresholds", 2 * n + 2, n)
    patterns = SignedThresholds().restrict(range(n))
    return patterns.with_known(signed_known(n))


_SUFFIXES = "counted: the points from each one on, and no half graph is longer than the domain"


def signed_known(n: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of the thresholds of both orientations on ``n`` points."""
    return {"vc": KnownValue(min(n, 2), _NO_MIDDLE), "threshold": KnownValue(n, _SUFFIXES)}


# Intervals, and unions of at most k of them

_RUNS = "counted: k runs cannot alternate on 2k + 1 points"
_ORDER_ON_LINE_of_intervals = "contains thresholds on every finite set of reals (Littlestone 1988)"


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
        depth = KnownValue(math.inf if self.k else 0, _ORDER_ON_LINE_of_intervals)
        return {"littlestone": depth, "threshold": depth, "vc": KnownValue(2 * self.k, _RUNS)}

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

    Parameters
    ----------
    n
        The number of points.
    k
        The largest number of intervals.

    Examples
    --------
    >>> len(unions_of_intervals(4, 2))
    16
    """
    n, k = as_size(n, "n"), as_size(k, "k")
    check_subsets("unions of intervals", n, n + 1, range(0, min(2 * k, n + 1) + 1, 2))
    words, _ = UnionsOfIntervals(k)._patterns(list(range(n)))
    return FiniteClass._of(words, tuple(range(n))).with_known(runs_known(n, k))


def runs_known(n: int, k: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of unions of at most ``k`` intervals of ``n`` points."""
    known = {"vc": KnownValue(min(n, 2 * k), _RUNS)}
    return {**known, "threshold": KnownValue(n, _SUFFIXES)} if k else known


def intervals(n: int) -> FiniteClass:
    """All intervals of the points ``0, ..., n - 1``, the empty one included.

    Parameters
    ----------
    n
        The number of points.
    """
    return unions_of_intervals(n, 1)


# Families of finite sets


@dataclass(frozen=True, slots=True)
class FiniteSet:
    """The hypothesis that is 1 on a finite set of points."""

    points: frozenset[Hashable]

    def __call__(self, point: Hashable) -> int:
        """Label of any value."""
        return int(validation.hashable(point, "point") in self.points)


class _SetFamily(family.EnumeratingFamily[Hashable]):
    """Finite sets over the domain of all hashable values."""

    def _point(self, point: Hashable) -> Hashable:
        return validation.hashable(point, "point")

    _order = staticmethod(validation.canonical_order)


class Subsets(_SetFamily):
    """Sets of at most ``k`` points of an infinite domain: every hashable value is a point.

    On ``m`` points there are ``sum_{j <= k} C(m, j)`` patterns; the representative of a pattern is
    the set of points that it labels 1.  ``Subsets(1)`` is the class of point functions with the
    empty set.  Time and space are those of the table.

    Parameters
    ----------
    k
        Largest size of a set, at least 0.

    Examples
    --------
    >>> len(Subsets(2).restrict("abcd"))
    11
    """

    def __init__(self, k: int) -> None:
        self.k: int = as_size(k, "k")

    @property
    def known(self) -> Mapping[str, KnownValue]:
        return subsets_known(self.k)

    def growth_bound(self, m: int) -> int:
        """Exact number of patterns on ``m`` points."""
        return sum(math.comb(m, j) for j in range(min(self.k, m) + 1))

    def _patterns(self, points: list[Hashable]) -> tuple[Words, Callable[[int], FiniteSet]]:
        m = len(points)
        validation.check_subsets("subsets", m, m, range(min(self.k, m) + 1))
        return _small_sets(points, self.k)


class AllSubsets(_SetFamily):
    """All finite sets of points, so that every labelling is a pattern.

    On ``m`` points there are ``2^m`` patterns; the representative of a pattern is the set of points
    that it labels 1.

    Examples
    --------
    >>> len(AllSubsets().restrict("abc"))
    8
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        every = KnownValue(math.inf, "counted: every finite set of points is shattered")
        return {"littlestone": every, "vc": every, "threshold": every, "dual_vc": every}

    def growth_bound(self, m: int) -> int:
        """Exact number of patterns on ``m`` points: ``2^m``."""
        return int(2**m)

    def _patterns(self, points: list[Hashable]) -> tuple[Words, Callable[[int], FiniteSet]]:
        validation.check_cells("all subsets", 2 ** len(points), len(points))
        return _small_sets(points, len(points))


class Singletons(_SetFamily):
    """Single points of an infinite domain: every hashable value is a point, no set is empty.

    On ``m`` points there are ``m + 1`` patterns.  A singleton elsewhere represents the empty
    pattern: the least non-negative integer that is not among the points.

    Examples
    --------
    >>> [sorted(h.points) for h in Singletons().restrict([0, 1, 5]).representatives]
    [[2], [0], [1], [5]]
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        return subsets_known(1)

    def growth_bound(self, m: int) -> int:
        """Exact number of patterns on ``m`` points: ``m + 1``."""
        return m + 1

    def _patterns(self, points: list[Hashable]) -> tuple[Words, Callable[[int], FiniteSet]]:
        validation.check_cells("singletons", len(points) + 1, len(points))
        taken = set(points)
        elsewhere = FiniteSet(frozenset([next(x for x in count() if x not in taken)]))
        words, single = _small_sets(points, 1)
        return words, lambda row: single(row) if row else elsewhere


def _small_sets(points: list[Hashable], k: int) -> tuple[Words, Callable[[int], FiniteSet]]:
    """List the subsets of at most ``k`` of the points, by size, then lexicographically."""
    m = len(points)
    words = bits.combined(bits.units(m), range(min(k, m) + 1))

    def chosen(row: int) -> FiniteSet:
        members = np.flatnonzero(bits.unpack(words[row : row + 1], m))
        return FiniteSet(frozenset(points[index] for index in members.tolist()))

    return words, chosen


def subsets_known(k: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of sets of at most ``k`` of at least ``k`` points."""
    source = "counted: k points are shattered; predicting 0 errs at most k times (Littlestone 1988)"
    return {
        "littlestone": KnownValue(k, source),
        "vc": KnownValue(k, source),
        "threshold": KnownValue(k, "counted: the first set holds all the points"),
    }


def subsets(n: int, k: int) -> FiniteClass:
    """All sets of at most ``k`` of the points ``0, ..., n - 1``.

    Parameters
    ----------
    n
        The number of points.
    k
        The largest size of a set.

    Examples
    --------
    >>> len(subsets(5, 2))
    16
    """
    n, k = as_size(n, "n"), as_size(k, "k")
    validation.check_subsets("subsets", n, n, range(min(k, n) + 1))
    words, _ = _small_sets(list(range(n)), k)
    return FiniteClass._of(words, tuple(range(n))).with_known(subsets_known(min(n, k)))


def singletons(n: int) -> FiniteClass:
    """Single points of ``0, ..., n - 1``: ``n`` hypotheses, without the empty set.

    Parameters
    ----------
    n
        The number of points.

    Examples
    --------
    >>> singletons(3).table.tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    n = as_size(n, "n")
    validation.check_cells("singletons", n, n)
    return FiniteClass._of(bits.units(n), tuple(range(n))).with_known(singletons_known(n))


def singletons_known(n: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of the single points of ``n``."""
    source = "counted: predicting 0 errs at most once"
    known = {"littlestone": KnownValue(-1 if n == 0 else int(n >= 2), source)}
    if n:
        known |= {
            "vc": KnownValue(int(n >= 2), source),
            "threshold": KnownValue(1, "counted: the first of two sets would hold two points"),
            "dual_vc": KnownValue(int(n >= 2), "counted: the table is symmetric"),
        }
    return known


def cube(n: int) -> FiniteClass:
    """All labellings of the points ``0, ..., n - 1``: ``2^n`` hypotheses.

    Parameters
    ----------
    n
        The number of points.

    Examples
    --------
    >>> cube(2).table.tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    n = as_size(n, "n", most=validation.MAX_EXPONENT)
    validation.check_cells("cube", 2**n, n)
    # The number of a row is its pattern.
    codes = np.arange(2**n, dtype=np.uint64)[:, None][:, : -(-n // 64)].copy()
    return FiniteClass._of(codes, tuple(range(n))).with_known(cube_known(n))


def cube_known(n: int) -> Mapping[str, KnownValue]:
    """Return the known dimensions of all labellings of ``n`` points."""
    shattered = KnownValue(n, "counted: the domain is shattered")
    known = {"littlestone": shattered, "vc": shattered, "threshold": shattered}
    if n:
        source = "floor(log2 n), with a column for each labelling of the rows (Assouad 1983)"
        known["dual_vc"] = KnownValue(n.bit_length() - 1, source)
    return known
