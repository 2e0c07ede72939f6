"""Labellings of GF(p)^n: an affine subspace or its complement, but for some points."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pac_stability.classes.exact import residue_vector
from pac_stability.classes.families.affine import AffineSubspace, Residues
from pac_stability.classes.implicit.base import ImplicitClass
from pac_stability.classes.implicit.changes import packed, unpacked
from pac_stability.classes.implicit.flats import (
    column_of,
    is_flat,
    lead_of,
    met,
    nearest,
    points_below,
    points_of,
    size_of,
    vector_of,
)
from pac_stability.errors import InvalidInput

_SHOWN = 8
"""How many points are shown."""


class NearFlat(NamedTuple):
    """A set of points: a subspace, or nothing, but for the points of a list; or all the others.

    Attributes
    ----------
    flat
        The subspace.
    but
        The columns of the list, increasing.
    others
        Whether the complement is meant.
    """

    flat: AffineSubspace | None
    but: tuple[int, ...] = ()
    others: bool = False


class FlatClass(ImplicitClass):
    """An implicit class on GF(p)^n whose labellings are affine subspaces, or nearly so.

    A labelling is written down in one way only. Of the set of ones and its complement the smaller
    one is described (the ones, if they are as many). It is a subspace F but for fewer than |F| / 4
    points, if there is such an F, and then there is one only (:func:`~flats.nearest`); else it is
    the list of its points.

    Parameters
    ----------
    p
        The prime.
    n
        How many coordinates a point has.

    Notes
    -----
    As long as few points are patched, every answer about a labelling takes a polynomial number of
    operations in n and the number of patches, and ``log p``.
    """

    def __init__(self, p: int, n: int) -> None:
        super().__init__(p**n)
        self._p, self._n = p, n

    @property
    def prime(self) -> int:
        """The size p of the field."""
        return self._p

    def point(self, column: int) -> Hashable:
        """Return the point of a column: a tuple of residues, the digits of its number."""
        super().point(column)
        return self._vector(column)

    def column(self, point: Hashable) -> int:
        """Return the column of a point, its residues being the digits of a number."""
        return column_of(residue_vector(point, self._n, self._p), self._p)

    def _vector(self, column: int) -> Residues:
        return vector_of(column, self._p, self._n)

    def _written(
        self, flat: AffineSubspace | None, columns: tuple[int, ...], *, odd: bool = False
    ) -> int:
        """Return a subspace, a list of columns and a bit as one integer; 0 for nothing at all."""
        vectors = () if flat is None else (flat.base, *flat.basis)
        digits = (*(column_of(vector, self._p) for vector in vectors), *columns)
        code = packed(tuple(digit + 1 for digit in digits), self._points.bit_length())
        return code << head_bits(self._n) | 2 * len(vectors) + odd

    def _shape(self, f: int) -> NearFlat:
        read = read_apart(int(f), self._p, self._n)
        if read is None:
            raise InvalidInput("f", "another integer", f"a labelling of {self.spec}")
        return NearFlat(*read)

    def labelling_of(self, shape: NearFlat) -> int:
        """Return the integer that stands for a set of ones, in whatever way it is described."""
        flat, but, others = shape
        inside = sum(flat.contains(self._vector(x)) for x in but) if flat is not None else 0
        count = size_of(flat) + len(but) - 2 * inside
        if 2 * count > self._points or (others and 2 * count == self._points):
            flat, but = self._complement(flat, but)
            others = not others
        if 4 * len(but) >= size_of(flat):
            listed = {self._vector(x) for x in but} ^ set(points_of(flat))
            flat = nearest(listed, self._p)
            rest = listed ^ set(points_of(flat))
            but = tuple(sorted(column_of(x, self._p) for x in rest))
        return self._written(flat, but, odd=others)

    def _complement(
        self, flat: AffineSubspace | None, but: tuple[int, ...]
    ) -> tuple[AffineSubspace | None, tuple[int, ...]]:
        """Describe the complement of a set that has half of the points, or more."""
        if size_of(flat) == self._points:
            return None, but
        if flat is not None and 2 * size_of(flat) == self._points:
            # One entry of the base is free: that at the place where no direction leads.
            leads = {lead_of(row) for row in flat.basis}
            base = tuple(x ^ (i not in leads) for i, x in enumerate(flat.base))
            return AffineSubspace(2, base, flat.basis), but
        held = set(but) ^ {column_of(x, self._p) for x in points_of(flat)}
        return None, tuple(x for x in range(self._points) if x not in held)

    def is_labelling(self, f: int) -> bool:
        """Whether an integer is a labelling of the points."""
        read = read_apart(int(f), self._p, self._n) if f >= 0 else None
        return read is not None and self.labelling_of(NearFlat(*read)) == f

    def label(self, f: int, column: int) -> int:
        """Return the label that a labelling has at a column."""
        flat, but, others = self._shape(f)
        held = flat is not None and flat.contains(self._vector(column))
        return int(held ^ others ^ (column in but))

    def flipped(self, f: int, column: int) -> int:
        """Return the labelling that differs from another one at this column alone."""
        flat, but, others = self._shape(f)
        return self.labelling_of(NearFlat(flat, tuple(sorted({*but} ^ {column})), others))

    def first_difference(self, f: int, g: int) -> int:
        """Return the first column where two different labellings differ."""
        below = self._differences(f, g)
        return self._least(lambda column: below(column + 1) > 0)

    def last_difference(self, f: int, g: int) -> int:
        """Return the last column where two different labellings differ."""
        below = self._differences(f, g)
        every = below(self._points)
        return self._least(lambda column: below(column + 1) == every)

    def _least(self, holds: Callable[[int], bool]) -> int:
        """Return the least column for which something holds that then goes on to hold."""
        low, high = 0, self._points - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle + 1, high)
        return low

    def _differences(self, f: int, g: int) -> Callable[[int], int]:
        """Return what counts the columns below another one where two labellings differ."""
        one, other = self._shape(f), self._shape(g)
        flats, turned = (one.flat, other.flat), one.others != other.others
        both = met(*flats)
        listed = []
        for x in {*one.but} ^ {*other.but}:
            held = [flat is not None and flat.contains(self._vector(x)) for flat in flats]
            listed.append((x, -1 if (held[0] != held[1]) != turned else 1))

        def below(column: int) -> int:
            apart = sum(points_below(flat, column) for flat in flats)
            apart -= 2 * points_below(both, column)
            apart = column - apart if turned else apart
            return apart + sum(change for x, change in listed if x < column)

        return below

    def shown(self, f: int) -> str:
        """Say in a few words which points a labelling labels 1."""
        flat, but, others = self._shape(f)
        vectors = () if flat is None else (flat.base, *(row for row in flat.basis))
        words = " + ".join(
            f"<{', '.join(map(str, vector))}>" if i else f"({', '.join(map(str, vector))})"
            for i, vector in enumerate(vectors)
        )
        listed = ", ".join(f"({', '.join(map(str, self._vector(x)))})" for x in but[:_SHOWN])
        listed += f", {len(but) - _SHOWN} points more" * (len(but) > _SHOWN)
        place = " but at ".join(filter(None, (words, listed))) or "nowhere"
        if place == "nowhere":
            return "1 everywhere" if others else "0 everywhere"
        return f"{0 if others else 1} {'only ' * others}at {place}"


@lru_cache(maxsize=1 << 12)
def read_apart(
    code: int, p: int, n: int
) -> tuple[AffineSubspace | None, tuple[int, ...], bool] | None:
    """Return a subspace, a list of columns and a bit from one integer; ``None`` if it has none."""
    points = p**n
    width, head = points.bit_length(), head_bits(n)
    digits = tuple(digit - 1 for digit in unpacked(code >> head, width))
    count, odd = divmod(code & (1 << head) - 1, 2)
    vectors, columns = digits[:count], digits[count:]
    if len(vectors) < count or not all(0 <= digit < points for digit in digits):
        return None
    if not all(a < b for a, b in pairwise(columns)):
        return None
    if not count:
        return None, columns, bool(odd)
    base, *basis = (vector_of(column, p, n) for column in vectors)
    flat = AffineSubspace(p, base, tuple(basis))
    return (flat, columns, bool(odd)) if is_flat(flat) else None


def head_bits(n: int) -> int:
    """Return how many bits say how many digits are vectors, and another bit."""
    return (2 * n + 3).bit_length()
