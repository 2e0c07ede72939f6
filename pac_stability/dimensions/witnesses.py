"""What attains a dimension of a table, in indices of its rows and columns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Self

from pac_stability._report import Tabled
from pac_stability.classes import FiniteClass
from pac_stability.errors import InvalidInput

_NAMES = ("domain", "names")


@dataclass(frozen=True, slots=True, repr=False)
class TableWitness(Tabled):
    """Points and hypotheses of a class, as indices; a table of them says their names.

    Parameters
    ----------
    domain, names
        The points that its columns stand for, and what its rows are called, where it was found in a
        class; for the table, and no part of what it is compared by.
    """

    domain: tuple[Hashable, ...] | None = field(default=None, compare=False, kw_only=True)
    names: tuple[str, ...] | None = field(default=None, compare=False, kw_only=True)

    def of(self, H: FiniteClass) -> Self:
        """Return the same with the names of the points and hypotheses of a class."""
        return replace(self, domain=tuple(H.domain), names=H.names)

    def to_dict(self) -> dict[str, int | list[int]]:
        """Return plain lists, ready for JSON."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self._indices().items()
        }

    def _indices(self) -> dict[str, int | tuple[int, ...]]:
        own = (each.name for each in fields(self) if each.name not in _NAMES)
        return {name: getattr(self, name) for name in own}

    def _rows(self) -> Mapping[str, object]:
        def told(kind: str, index: int) -> str:
            if kind == "points":
                return f"x{index}" if self.domain is None else str(self.domain[index])
            return f"h{index}" if self.names is None else self.names[index]

        return {
            kind: told(kind, found)
            if isinstance(found, int)
            else tuple(told(kind, index) for index in found)
            for kind, found in self._indices().items()
        }


@dataclass(frozen=True, slots=True, repr=False)
class PointsAndHypotheses(TableWitness):
    """A witness that is a list of points and one of hypotheses."""

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Inverse of :meth:`to_dict`; `InvalidInput` names what is missing or not an integer."""
        own = (each.name for each in fields(cls) if each.name not in _NAMES)
        return cls(*(_indices_of(data, name) for name in own))


def _indices_of(data: Mapping[str, object], key: str) -> tuple[int, ...]:
    """Read a list of indices from plain data."""
    given = data.get(key)
    if not isinstance(given, list | tuple) or not all(type(item) is int for item in given):
        raise InvalidInput(key, repr(given), "a list of integers")
    return tuple(given)
