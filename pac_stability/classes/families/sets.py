"""Sets of few points, single points, all labellings; products and unions of classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product as cartesian_product

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits, validation
from pac_stability.classes.bits import Table, Words
from pac_stability.classes.family import (
    EnumeratingFamily,
    Family,
    TableLike,
    as_family,
    as_table,
)
from pac_stability.classes.finite_class import FiniteClass, Hypothesis, KnownValue, Restriction
from pac_stability.classes.implicit.base import OfParameters
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class FiniteSet:
    """The hypothesis that is 1 on a finite set of points."""

    points: frozenset[Hashable]

    def __call__(self, point: Hashable) -> int:
        """Label of any value."""
        return int(validation.hashable(point, "point") in self.points)


class _SetFamily(EnumeratingFamily[Hashable]):
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

    On ``m`` points there are ``m + 1`` patterns.  The empty pattern is that of a singleton
    elsewhere: the least non-negative integer that is not among the points.

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
    """State the closed forms for sets of at most ``k`` points of at least ``k`` points."""
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
    """State what is known of the single points of ``n``."""
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
    """State what is known of all labellings of ``n`` points."""
    shattered = KnownValue(n, "counted: the domain is shattered")
    known = {"littlestone": shattered, "vc": shattered, "threshold": shattered}
    if n:
        source = "floor(log2 n), with a column for each labelling of the rows (Assouad 1983)"
        known["dual_vc"] = KnownValue(n.bit_length() - 1, source)
    return known


# Products of classes on disjoint domains, and unions of classes on one domain

_TAGGED = "a pair (i, x): point x of the i-th class, counted from 0"


@dataclass(frozen=True, slots=True)
class ProductHypothesis:
    """One hypothesis for each of several disjoint domains.

    Attributes
    ----------
    parts
        The hypotheses; the point ``(i, x)`` has the label that the ``i``-th gives to ``x``.
    """

    parts: tuple[Hypothesis, ...]

    def __call__(self, point: Hashable) -> int:
        """Label of a pair ``(i, x)``."""
        index, inner = _untagged(point, len(self.parts))
        return self.parts[index](inner)


class Product(OfParameters):
    """Product of families on disjoint domains: a hypothesis of each, chosen independently.

    Points are pairs ``(i, x)``, a point ``x`` of the ``i``-th family.  The patterns are all
    combinations of patterns; Littlestone and VC dimensions add.

    Parameters
    ----------
    families
        The factors.

    Examples
    --------
    >>> from pac_stability.classes import Intervals, Thresholds
    >>> patterns = Product(Thresholds(), Intervals()).restrict([(0, 1), (1, 1), (1, 2)])
    >>> len(patterns)
    8
    """

    def __init__(self, *families: Family) -> None:
        self.families = tuple(as_family(family, "families") for family in families)

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return {
            name: _sum([family.known[name] for family in self.families])
            for name in ("littlestone", "vc")
            if all(name in family.known for family in self.families)
        }

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        """Patterns on a set of points, each with a representative.

        Raises
        ------
        InvalidInput
            A point is no pair ``(i, x)``, or the table would be too large.
        """
        given = [_untagged(point, len(self.families)) for point in points]
        parts = [
            family.restrict([point for index, point in given if index == place])
            for place, family in enumerate(self.families)
        ]
        columns = list(dict.fromkeys((index, parts[index].column(x)) for index, x in given))
        total = 1
        for part in parts:
            total *= len(part)
        validation.check_cells("product", total, len(columns))
        grids = np.indices([len(part) for part in parts]).reshape(len(parts), total)
        table = np.zeros((total, len(columns)), dtype=np.uint8)
        for place, (index, column) in enumerate(columns):
            table[:, place] = parts[index].table[grids[index], column]
        return Restriction(
            table,
            [(index, parts[index].domain[column]) for index, column in columns],
            [
                ProductHypothesis(chosen)
                for chosen in cartesian_product(*(part.representatives for part in parts))
            ],
        )

    def representatives_on(self, points: Iterable[Hashable]) -> Sequence[Hypothesis]:
        """One hypothesis for each pattern on a set of points, in the order of ``restrict``."""
        return self.restrict(points).representatives


class Union(OfParameters):
    """Union of families on one domain: the hypotheses of each.

    A pattern of several families is represented by the first of them.

    Parameters
    ----------
    families
        The families, at least one.

    Examples
    --------
    >>> from pac_stability.classes import Intervals, Subsets
    >>> len(Union(Intervals(), Subsets(2)).restrict([1, 2, 3, 4]))
    14
    """

    def __init__(self, *families: Family) -> None:
        if not families:
            raise InvalidInput("families", "none", "at least one")
        self.families = tuple(as_family(family, "families") for family in families)

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Nothing is known in closed form of unions in general."""
        return {}

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        """Patterns on a set of points, each with a representative."""
        given = list(points)
        parts = [family.restrict(given) for family in self.families]
        table: Table = np.concatenate([part.table for part in parts])
        rows = bits.first_occurrences(bits.pack(table))
        every = [hypothesis for part in parts for hypothesis in part.representatives]
        return Restriction(table[rows], parts[0].domain, [every[row] for row in rows.tolist()])

    def representatives_on(self, points: Iterable[Hashable]) -> Sequence[Hypothesis]:
        """One hypothesis for each pattern on a set of points, in the order of ``restrict``."""
        return self.restrict(points).representatives


def product(*classes: TableLike) -> FiniteClass:
    """Product of finite classes on the disjoint union of their domains.

    Its points are pairs ``(i, x)``, its hypotheses all tuples of hypotheses, the last varying
    fastest.

    Parameters
    ----------
    *classes
        The classes, in order.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> product(thresholds(1), thresholds(2)).domain
    ((0, 0), (1, 0), (1, 1))
    """
    tables = [as_table(each, "classes") for each in classes]
    factors = Product(*tables)
    points = [(place, x) for place, factor in enumerate(tables) for x in factor.domain]
    return factors.restrict(points).with_known(factors.known)


def union(*classes: TableLike) -> FiniteClass:
    """Union of finite classes with the same set of points, in the order of the first.

    Parameters
    ----------
    *classes
        The classes, in order.

    Raises
    ------
    InvalidInput
        The domains differ as sets.

    Examples
    --------
    >>> from pac_stability.classes import singletons, thresholds
    >>> len(union(thresholds(3), singletons(3)))
    6
    """
    tables = [as_table(each, "classes") for each in classes]
    family = Union(*tables)
    for place, other in enumerate(tables):
        if set(other.domain) != set(tables[0].domain):
            raise InvalidInput("classes", f"another domain at position {place}", "one domain")
    return family.restrict(tables[0].domain).with_known({})


def _untagged(point: Hashable, count: int) -> tuple[int, Hashable]:
    if isinstance(point, tuple) and len(point) == 2:
        index, inner = point
        if isinstance(index, int) and 0 <= index < count:
            return index, inner
    raise InvalidInput("point", repr(validation.hashable(point, "point")), _TAGGED)


def _sum(values: Sequence[KnownValue]) -> KnownValue:
    """Add dimensions; the product with an empty class is empty, of dimension -1."""
    least = min((value.value for value in values), default=0)
    total = sum(value.value for value in values) if least >= 0 else -1
    reasons = dict.fromkeys(value.source for value in values)
    return KnownValue(total, "; ".join(("dimensions of a product add", *reasons)))
