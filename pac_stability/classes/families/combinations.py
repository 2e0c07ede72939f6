"""Products of classes on disjoint domains, and unions of classes on one domain."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product as cartesian_product

import numpy as np

from pac_stability.classes import bits
from pac_stability.classes._validation import hashable
from pac_stability.classes.bits import Table
from pac_stability.classes.family import Family, OfParameters
from pac_stability.classes.finite_class import FiniteClass, Restriction
from pac_stability.classes.hypothesis import Hypothesis
from pac_stability.classes.known import KnownValue
from pac_stability.classes.limits import check_cells
from pac_stability.errors import InvalidInput

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
        self.families = families

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
        check_cells("product", total, len(columns))
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
        self.families = families

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


def product(*classes: FiniteClass) -> FiniteClass:
    """Product of finite classes on the disjoint union of their domains.

    Its points are pairs ``(i, x)``, its hypotheses all tuples of hypotheses, the last varying
    fastest.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> product(thresholds(1), thresholds(2)).domain
    ((0, 0), (1, 0), (1, 1))
    """
    factors = Product(*classes)
    points = [(place, x) for place, factor in enumerate(classes) for x in factor.domain]
    return factors.restrict(points).with_known(factors.known)


def union(*classes: FiniteClass) -> FiniteClass:
    """Union of finite classes with the same set of points, in the order of the first.

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
    family = Union(*classes)
    for place, other in enumerate(classes):
        if set(other.domain) != set(classes[0].domain):
            raise InvalidInput("classes", f"another domain at position {place}", "one domain")
    return family.restrict(classes[0].domain).with_known({})


def _untagged(point: Hashable, count: int) -> tuple[int, Hashable]:
    if isinstance(point, tuple) and len(point) == 2:
        index, inner = point
        if isinstance(index, int) and 0 <= index < count:
            return index, inner
    raise InvalidInput("point", repr(hashable(point, "point")), _TAGGED)


def _sum(values: Sequence[KnownValue]) -> KnownValue:
    """Add dimensions; the product with an empty class is empty, of dimension -1."""
    least = min((value.value for value in values), default=0)
    total = sum(value.value for value in values) if least >= 0 else -1
    reasons = dict.fromkeys(value.source for value in values)
    return KnownValue(total, "; ".join(("dimensions of a product add", *reasons)))
