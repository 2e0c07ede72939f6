"""Hypotheses joined point by point: the class of all ``h or g`` with one hypothesis of each class.

Unions of a set of one class and a set of another are such a class, and polygons are intersections
of halfspaces. `tests/classes/test_algebra.py` compares it with its definition.

    python docs/examples/pointwise.py
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from pac_stability.arguments import require_word
from pac_stability.classes import (
    FiniteClass,
    Halfspaces,
    Hypothesis,
    KnownValue,
    bits,
    validation,
)
from pac_stability.classes.family import Algebra, Family, TableLike, as_family, as_table
from pac_stability.classes.finite_class import Restriction
from pac_stability.dimensions import vc_dimension
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class _Pointwise:
    """The hypothesis whose label is made of those of others."""

    how: Callable[[int, int], int]
    parts: tuple[Hypothesis, ...]

    def __call__(self, point: Hashable, /) -> int:
        label = self.parts[0](point)
        for part in self.parts[1:]:
            label = self.how(label, part(point))
        return label


_HOW: Mapping[str, Callable[[int, int], int]] = {
    "or": operator.or_,
    "and": operator.and_,
    "xor": operator.xor,
}


class Pointwise(Algebra):
    """All hypotheses ``h or g`` (``and``, ``xor``) with one of each family, such as unions of sets.

    Parameters
    ----------
    how
        ``"or"``, ``"and"`` or ``"xor"``.
    families
        The families, at least one.

    Examples
    --------
    >>> from pac_stability.classes import Intervals, Thresholds
    >>> rays = Pointwise("and", Thresholds(), ~Thresholds())
    >>> len(rays.restrict(range(4))), len(Intervals().restrict(range(4)))
    (11, 11)
    """

    def __init__(self, how: str, *families: Family) -> None:
        require_word(how, "how", tuple(_HOW))
        if not families:
            raise InvalidInput("families", "none", "at least one")
        self.how = how
        self.families = tuple(as_family(family, "families") for family in families)

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Nothing is known from the parts alone; see ``at_most``."""
        return {}

    @property
    def at_most(self) -> Mapping[str, KnownValue]:
        """Upper bounds on dimensions, by name.

        Examples
        --------
        >>> from pac_stability.classes import Halfspaces
        >>> Pointwise("and", Halfspaces(2), Halfspaces(2)).at_most["vc"].value
        21
        """
        values = [family.known.get("vc") for family in self.families]
        found = [v.value for v in values if v is not None and v.value not in (-1, math.inf)]
        if len(found) < len(values):
            return {}
        m = 0
        while math.prod(sum(math.comb(m + 1, i) for i in range(int(d) + 1)) for d in found) >= (
            2 ** (m + 1)
        ):
            m += 1
        source = "patterns multiply, and 2^m are needed: Sauer 1972 in Blumer et al. 1989"
        return {"vc": KnownValue(m, source)}

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        """Patterns on a set of points, each with a representative.

        Raises
        ------
        InvalidInput
            The table would be too large.
        """
        given = list(points)
        parts = [family.restrict(given) for family in self.families]
        total = math.prod(len(part) for part in parts)
        validation.check_cells("pointwise", total, len(parts[0].domain))
        table = parts[0].table
        for part in parts[1:]:
            joined = getattr(np, f"bitwise_{self.how}")(table[:, None, :], part.table[None, :, :])
            table = joined.reshape(-1, table.shape[1])
        rows = bits.first_occurrences(bits.pack(table))
        sizes = [len(part) for part in parts]
        chosen = zip(*np.unravel_index(rows, sizes), strict=True)
        return Restriction(
            table[rows],
            parts[0].domain,
            [
                _Pointwise(
                    _HOW[self.how],
                    tuple(p.representatives[int(i)] for p, i in zip(parts, places, strict=True)),
                )
                for places in chosen
            ],
        )


def pointwise(how: str, *classes: TableLike) -> FiniteClass:
    """All ``h or g`` (``and``, ``xor``) with a hypothesis of each class, on the same points.

    Parameters
    ----------
    how
        ``"or"``, ``"and"`` or ``"xor"``.
    *classes
        The classes, at least one.

    Raises
    ------
    InvalidInput
        The domains differ as sets.

    Examples
    --------
    >>> from pac_stability.classes import singletons, subsets
    >>> two = pointwise("or", singletons(4), singletons(4))  # sets of one or two points
    >>> len(two), len(subsets(4, 2))
    (10, 11)
    """
    tables = [as_table(each, "classes") for each in classes]
    family = Pointwise(how, *tables)
    for place, other in enumerate(tables):
        if set(other.domain) != set(tables[0].domain):
            raise InvalidInput("classes", f"another domain at position {place}", "one domain")
    return family.restrict(tables[0].domain).with_known({})


if __name__ == "__main__":
    for n in (7, 8):
        half = Halfspaces(2).restrict([(i, i * i) for i in range(n)])
        triangles = pointwise("and", half, half, half)
        print(f"triangles on {n} points of a parabola: VC dimension {vc_dimension(triangles)}")
