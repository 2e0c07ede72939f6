"""Families: classes, finite or not, that enumerate their patterns on a finite set of points.

It also checks arguments that must be a family or a class of hypotheses. Last come classes built
from classes. A class is a set of hypotheses, and ``H | G``, ``H & G`` are the union and the
intersection of these sets, on the same points. ``~H`` has the hypotheses ``1 - h``, and ``H * G``
pairs of hypotheses on disjoint domains.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product as cartesian_product
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described, require_instance
from pac_stability.classes import bits, validation
from pac_stability.classes.bits import Table, Words
from pac_stability.classes.finite_class import FiniteClass, Hypothesis, KnownValue, Restriction
from pac_stability.classes.implicit.base import ImplicitClass, OfParameters
from pac_stability.classes.tables.formats import is_frame
from pac_stability.errors import InvalidInput

P = TypeVar("P", bound=Hashable)


class Family(Protocol):
    """A class that can be restricted to finite sets of points.

    :class:`FiniteClass` is one: its representatives are its own rows.
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        ...

    def restrict(self, points: Iterable[Hashable], /) -> Restriction:
        """Patterns on a set of points, each with a representative."""
        ...

    def representatives_on(self, points: Iterable[Hashable], /) -> Sequence[Hypothesis]:
        """One hypothesis for each pattern on a set of points, in the order of ``restrict``."""
        ...


class Algebra(OfParameters, ABC):
    """The operators of families.

    Examples
    --------
    >>> from pac_stability.classes import Intervals, Thresholds
    >>> (Thresholds() * Intervals()).known["vc"].value, (~Thresholds()).known["vc"].value
    (3, 1)
    """

    @abstractmethod
    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        """Patterns on a set of points, each with a representative."""

    def representatives_on(self, points: Iterable[Hashable]) -> Sequence[Hypothesis]:
        """One hypothesis for each pattern on a set of points, in the order of ``restrict``."""
        return self.restrict(points).representatives

    def __or__(self, other: object) -> Union:
        """Union of the sets of hypotheses."""
        return cast("Union", joined("|", self, other))

    def __and__(self, other: object) -> FiniteClass:
        """Refuse: two families have no intersection that could be listed."""
        return cast("FiniteClass", joined("&", self, other))

    def __mul__(self, other: object) -> Product:
        """Product on disjoint domains."""
        return cast("Product", joined("*", self, other))

    def __invert__(self) -> Complement:
        """All labels turned: the hypotheses ``1 - h``."""
        return Complement(as_family(self))


class EnumeratingFamily(Algebra, Generic[P]):
    """Base of the families: puts points in canonical order, removes repeated patterns.

    A subclass defines its points, the canonical order of a set of points, and how to list patterns
    on points in that order.  Representatives then depend only on the set of points (DF20 needs this
    for ``H_T``), and so does the order of the rows. The columns follow the points as given, first
    occurrences only.
    """

    @property
    @abstractmethod
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""

    @abstractmethod
    def growth_bound(self, m: int) -> int:
        """Bound the number of patterns on ``m`` points from above."""

    @abstractmethod
    def _point(self, point: Hashable) -> P:
        """Check a point and return it in its canonical form, which must equal it."""

    @staticmethod
    def _order(points: Iterable[Any]) -> list[Any]:
        """Sort distinct points in canonical form."""
        return sorted(points)

    @abstractmethod
    def _patterns(self, points: list[P]) -> tuple[Words, Callable[[int], Hypothesis]]:
        """List every pattern on sorted points, perhaps repeatedly, and a hypothesis for each."""

    def _distinct(self, points: Iterable[Hashable]) -> list[P]:
        return list(dict.fromkeys(self._point(point) for point in points))

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        """Patterns of the family on a *set* of points, with representatives.

        Parameters
        ----------
        points
            Points of the domain; the result has a column for each distinct point, in order of first
            appearance.

        Returns
        -------
        Restriction
            One row for each pattern.

        Raises
        ------
        InvalidInput
            A point is not in the domain, or the table would be too large
            (:data:`pac_stability.classes.MAX_CELLS`).
        """
        given = self._distinct(points)
        ordered = self._order(given)
        position = {point: index for index, point in enumerate(ordered)}
        words, hypothesis = self._patterns(ordered)
        columns = np.array([position[point] for point in given], dtype=np.intp)
        rows = bits.first_occurrences(words)
        if len(rows) < len(words):
            words = words[rows]
        if not np.array_equal(columns, np.arange(len(columns))):
            words = bits.with_columns(words, columns)
        return Restriction._of_patterns(
            words, tuple(given), lambda: tuple(map(hypothesis, rows.tolist()))
        )


# Checks of an argument that must be a class of hypotheses


TableLike = FiniteClass | npt.ArrayLike
"""A class, or a table that is one: rows of 0 and 1, an array, a data frame."""


def as_table(H: object, argument: str = "H") -> FiniteClass:
    """Return the class of a table, and a class unchanged; refuse any other value.

    Raises
    ------
    InvalidInput
        It is not a table of two values. A family has no table, only patterns on points: see
        ``restrict``.

    Examples
    --------
    >>> as_table([[0, 1], [1, 1]])
    <FiniteClass: 2 hypotheses on 2 points>
    """
    if isinstance(H, FiniteClass):
        return H
    wanted = "a FiniteClass, or a table of 0 and 1"
    if callable(getattr(H, "restrict", None)) or isinstance(H, ImplicitClass):
        given = f"{_family_name(H)}, which has no table"
        raise InvalidInput(argument, given, f"{wanted}: the family's .restrict(points), say")
    if not (isinstance(H, Sequence | np.ndarray) or is_frame(H)) or isinstance(H, str | bytes):
        raise InvalidInput(argument, described(H), wanted)
    try:
        return FiniteClass(cast("npt.ArrayLike", H))
    except InvalidInput as error:
        if error.argument != "table":
            raise
        raise InvalidInput(argument, error.given, error.wanted) from None


PlayableLike = TableLike | ImplicitClass
"""What a game can be about: a table, or a class that answers without one."""


def as_playable(H: object, argument: str = "H") -> FiniteClass | ImplicitClass:
    """Return an implicit class unchanged, and anything else as :func:`as_table`."""
    return H if isinstance(H, ImplicitClass) else as_table(H, argument)


def as_family(H: object, argument: str = "H") -> Family:
    """Return a family unchanged, and anything else as :func:`as_table`."""
    if isinstance(H, type) or not callable(getattr(H, "representatives_on", None)):
        return as_table(H, argument)
    return cast("Family", H)


def _family_name(H: object) -> str:
    return f"the family {(H if isinstance(H, type) else type(H)).__name__}"


def known_value(H: object, name: str) -> int | None:
    """Return a dimension that a family knows, by its name in ``known``; ``None`` of a table.

    Raises
    ------
    InvalidInput
        The dimension of the family is infinite.
    """
    known = getattr(H, "known", None)
    if isinstance(H, FiniteClass | type) or not isinstance(known, Mapping) or name not in known:
        return None
    value = known[name].value
    if not isinstance(value, int):
        given = f"{_family_name(H)}, of infinite dimension"
        raise InvalidInput("H", given, "a class of finite dimension: its .restrict(points), say")
    return value


def require_patterns(H: object, argument: str = "H") -> None:
    """Refuse a value that lists no patterns on points and so is not a class of hypotheses."""
    # Thresholds where Thresholds() is meant would have the method, but nobody to ask.
    if isinstance(H, type) or not callable(getattr(H, "representatives_on", None)):
        raise InvalidInput(argument, described(H), "a class: a FiniteClass or another Family")


def require_family(H: Family, argument: str = "H") -> None:
    """Refuse a value that is not a family of hypotheses, and the empty class."""
    require_patterns(H, argument)
    # On no point there is one pattern, unless there is no hypothesis to have it.
    if not H.representatives_on(()):
        raise InvalidInput(argument, "the empty class", "at least one hypothesis")


def require_class(H: object, argument: str = "H") -> None:
    """Refuse a value that is neither a table nor an implicit class."""
    require_instance(H, (FiniteClass, ImplicitClass), argument)


def require_inhabited(H: FiniteClass) -> None:
    """Refuse a value that is not a finite class, and the empty class: it has nothing to learn."""
    require_instance(H, FiniteClass, "H")
    if len(H) == 0:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")


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


class Product(Algebra):
    """Product of families on disjoint domains: one hypothesis of each, chosen independently.

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
            A point is not a pair ``(i, x)``, or the table would be too large.
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


_OF_UNIONS = {
    "vc": "at most the sum and 1 for each further class: patterns add (Sauer 1972)",
    "littlestone": "at most the sum and 1 for each further class: of the leaves of a tree of depth"
    " p + q in two colours, some of one are those of a tree of depth p, or of the other q",
}


class Union(Algebra):
    """Union of families on one domain: the hypotheses of each.

    The first family that has a pattern represents it.

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
        """Nothing of a union is known from its parts alone; see ``at_most``."""
        return {}

    @property
    def at_most(self) -> Mapping[str, KnownValue]:
        """Upper bounds on dimensions, by name.

        Examples
        --------
        >>> from pac_stability.classes import Boxes, Halfspaces
        >>> (Boxes(2) | Halfspaces(2)).at_most["vc"].value
        8
        """
        return {
            name: KnownValue(
                sum(family.known[name].value for family in self.families) + len(self.families) - 1,
                source,
            )
            for name, source in _OF_UNIONS.items()
            if all(name in family.known for family in self.families)
        }

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        given = list(points)
        parts = [family.restrict(given) for family in self.families]
        table: Table = np.concatenate([part.table for part in parts])
        rows = bits.first_occurrences(bits.pack(table))
        every = [hypothesis for part in parts for hypothesis in part.representatives]
        return Restriction(table[rows], parts[0].domain, [every[row] for row in rows.tolist()])


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
    _one_domain(tables)
    return family.restrict(tables[0].domain).with_known({})


def intersection(*classes: TableLike) -> FiniteClass:
    """Hypotheses that are in each of several finite classes with the same set of points.

    Parameters
    ----------
    *classes
        The classes, at least one; points and order are those of the first.

    Raises
    ------
    InvalidInput
        The domains differ as sets.

    Examples
    --------
    >>> from pac_stability.classes import singletons, thresholds
    >>> intersection(thresholds(3), singletons(3)).table.tolist()
    [[0, 0, 1]]
    """
    tables = [as_table(each, "classes") for each in classes]
    both = union(*tables)  # refuses other domains
    rows = [
        {row.tobytes() for row in each.table[:, [each.column(point) for point in both.domain]]}
        for each in tables
    ]
    kept = [r for r, row in enumerate(both.table) if all(row.tobytes() in own for own in rows)]
    return both.select_rows(kept)


class Complement(Algebra):
    """The hypotheses ``1 - h`` of a family: VC, Littlestone and dual VC dimension are the same.

    Parameters
    ----------
    family
        The family.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> (~Thresholds()).restrict([1, 2]).table.tolist()
    [[0, 0], [1, 0], [1, 1]]
    """

    def __init__(self, family: Family) -> None:
        self.family = as_family(family, "family")

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return kept_by_complements(self.family.known)

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        part = self.family.restrict(points)
        return Restriction(1 - part.table, part.domain, [_Flipped(h) for h in part.representatives])


def kept_by_complements(known: Mapping[str, KnownValue]) -> Mapping[str, KnownValue]:
    """Return the dimensions that do not change when all labels do."""
    return {name: value for name, value in known.items() if name != "threshold"}


@dataclass(frozen=True, slots=True)
class _Flipped:
    """The hypothesis with the other label at every point."""

    of: Hypothesis

    def __call__(self, point: Hashable, /) -> int:
        return 1 - self.of(point)


def _one_domain(tables: Sequence[FiniteClass]) -> None:
    for place, other in enumerate(tables):
        if set(other.domain) != set(tables[0].domain):
            raise InvalidInput("classes", f"another domain at position {place}", "one domain")


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


# What the operators of classes do


def joined(sign: str, H: object, G: object) -> FiniteClass | Product | Union:
    """Return ``H | G``, ``H & G`` or ``H * G``: a table if all are tables, otherwise a family."""
    family = callable(getattr(G, "representatives_on", None)) and not isinstance(G, FiniteClass)
    if isinstance(H, FiniteClass) and not family:
        made = {"|": union, "&": intersection, "*": product}[sign]
        other = as_table(G, "the class on the right")
        if isinstance(G, list | np.ndarray) and len(other.domain) == len(H.domain) and sign != "*":
            other = FiniteClass(other, H.domain)  # a table without names, on the same points
        return made(H, other)
    first, second = as_family(H), as_family(G, "the class on the right")
    if sign == "&":
        wanted = "two tables: restrict a family to points first"
        raise InvalidInput(f"{type(H).__name__} & {type(G).__name__}", "a family", wanted)
    return Union(first, second) if sign == "|" else Product(first, second)
