"""Families: classes, finite or not, that enumerate their patterns on a finite set of points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.finite_class import Restriction
from pac_stability.classes.hypothesis import Hypothesis
from pac_stability.classes.known import KnownValue

P = TypeVar("P", bound=Hashable)


class Family(Protocol):
    """Whatever can be restricted to finite sets of points.

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


class OfParameters:
    """Equal to what is of the same type with equal parameters, as a copy is that was pickled."""

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))


class EnumeratingFamily(OfParameters, ABC, Generic[P]):
    """Base of the families: puts points in canonical order, removes repeated patterns.

    A subclass says what a point is, what order makes a set of points canonical, and how to list
    patterns on points in that order.  Representatives then depend on the set of points only (DF20
    needs this of ``H_T``), as does the order of the rows; the columns follow the points as given,
    first occurrences only.
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

    @abstractmethod
    def _order(self, points: Iterable[P]) -> list[P]:
        """Sort distinct points in canonical form."""

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
            Points of the domain; the columns of the result are the distinct ones, in order of first
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
        representatives = tuple(hypothesis(row) for row in rows.tolist())
        return Restriction._of_patterns(words, tuple(given), representatives)

    def representatives_on(self, points: Iterable[Hashable]) -> Sequence[Hypothesis]:
        """One hypothesis for each pattern on a set of points, in the order of ``restrict``."""
        return self.restrict(points).representatives
