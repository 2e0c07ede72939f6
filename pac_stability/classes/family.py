"""Families: classes, finite or not, that enumerate their patterns on a finite set of points.

It also checks arguments that must be a family or a class of hypotheses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described, require_instance
from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.finite_class import FiniteClass, Hypothesis, KnownValue, Restriction
from pac_stability.classes.implicit.base import ImplicitClass, OfParameters
from pac_stability.classes.tables.formats import is_frame
from pac_stability.errors import InvalidInput

if TYPE_CHECKING:  # what operators return stands on this module
    from pac_stability.classes.families.algebra import Complement, Product, Union

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
    """The operators of families; See :mod:`pac_stability.classes.families.algebra`.

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
        made: Union = import_module(_ALGEBRA).joined("|", self, other)
        return made

    def __and__(self, other: object) -> FiniteClass:
        """Refuse: two families have no intersection that could be listed."""
        made: FiniteClass = import_module(_ALGEBRA).joined("&", self, other)
        return made

    def __mul__(self, other: object) -> Product:
        """Product on disjoint domains."""
        made: Product = import_module(_ALGEBRA).joined("*", self, other)
        return made

    def __invert__(self) -> Complement:
        """All labels turned: the hypotheses ``1 - h``."""
        made: Complement = import_module(_ALGEBRA).Complement(self)
        return made


_ALGEBRA = "pac_stability.classes.families.algebra"  # it stands on this module


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
