"""Sets of few points, single points, all labellings."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits, family, validation
from pac_stability.classes.bits import Words
from pac_stability.classes.finite_class import FiniteClass, KnownValue


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

    def _order(self, points: Iterable[Hashable]) -> list[Hashable]:
        return validation.canonical_order(points)


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
        """Dimensions known in closed form, by name."""
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
        """Dimensions known in closed form, by name."""
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
        """Dimensions known in closed form, by name."""
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
