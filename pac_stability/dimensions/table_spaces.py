"""Version spaces of a finite table: sets of rows, one bit each."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import numpy as np

from pac_stability.classes import FiniteClass, ImplicitClass, VersionSpaces, bits, family
from pac_stability.classes.bits import as_mask
from pac_stability.classes.family import PlayableLike, TableLike, as_playable, as_table
from pac_stability.dimensions.littlestone_search import LittlestoneSearch

_COMPARED = 4
"""With how many columns of known label a column is compared before its sides are searched."""


class TableSpaces(VersionSpaces):
    """The version spaces of a finite class, which it lists.

    Bit ``i`` of a version space is set when row ``i`` of the table is in it; bit ``x`` of a
    labelling is the label at column ``x``.

    Parameters
    ----------
    H
        The class, not empty.
    search
        A search of ``H`` to go on with; by default a new one.

    Raises
    ------
    InvalidInput
        The class is empty.

    Notes
    -----
    A step costs ``O(|H| / 64)``. It caches Littlestone dimensions and the labellings of the SOA, so
    the memory grows with the number of version spaces. An object belongs to one thread.

    Examples
    --------
    >>> spaces = TableSpaces(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    >>> spaces.whole, spaces.part(spaces.whole, 0, 1), spaces.optimal(spaces.whole, tie=1)
    (7, 4, 2)
    """

    def __init__(self, H: TableLike, search: LittlestoneSearch | None = None) -> None:
        H = as_table(H)
        family.require_inhabited(H)
        self.H = H
        self._optimal: dict[tuple[int, int], int] = {}
        self._dimensions: dict[int, int] = {0: -1}
        self._bounds: dict[int, tuple[int, int]] = {}  # of those only asked whether they reach one
        self._search = LittlestoneSearch(H) if search is None else search

    @cached_property
    def _ones(self) -> tuple[int, ...]:
        """The rows with label 1 at each column."""
        return tuple(bits.columns_of(self.H.table))

    @property
    def points(self) -> int:
        """How many columns the table has."""
        return len(self.H.domain)

    @property
    def whole(self) -> int:
        """All rows."""
        return (1 << len(self.H)) - 1

    def point(self, column: int) -> Hashable:
        return self.H.domain[column]

    def column(self, point: Hashable) -> int:
        """Return the column of a point."""
        return self.H.column(point)

    def part(self, space: int, column: int, label: int) -> int:
        """Return the rows of a version space with this label at a column; 0 for none."""
        ones = space & self._ones[column]
        return ones if label else space ^ ones

    def cut(self, space: int, column: int) -> tuple[int, int]:
        """Return the rows of a version space with label 0 and with label 1 at a column."""
        ones = space & self._ones[column]
        return space ^ ones, ones

    def size(self, space: int) -> int:
        """Return how many rows a version space has."""
        return space.bit_count()

    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space, by the search."""
        known = self._dimensions.get(space)
        if known is None:
            size = space.bit_count()
            known = size - 1 if size <= 2 else 1 if size == 3 else self._asked(space)
            self._dimensions[space] = known
        return known

    def _asked(self, space: int) -> int:
        return self._search.dimension_of(bits.places_of(space))

    def optimal(self, space: int, tie: int) -> int:
        """Return the labelling of the SOA.

        Notes
        -----
        When every row with label 1 at one column also has label 1 at another, the other column
        favours label 1 at least as much. So it orders columns by their number of ones and proceeds
        as in binary search. Comparison alone then labels many of them: all but ``log2 |X|``, when
        they form a chain.
        """
        known = self._optimal.get((space, tie))
        if known is None:
            known = self._optimal[space, tie] = self._found(space, tie)
        return known

    def _found(self, space: int, tie: int) -> int:
        size, alike = space.bit_count(), dict[int, list[int]]()
        for x, column in enumerate(self._ones):  # few hypotheses differ in few ways
            alike.setdefault(space & column, []).append(x)
        won, undecided = list[int](), list[int]()
        for one, columns in alike.items():
            ones = one.bit_count()
            zeros = size - ones
            # Two hypotheses differ somewhere, one has dimension 0, none has -1.
            if zeros >= 2 <= ones or zeros == 1 == ones:
                undecided.append(one)
            elif ones > zeros:
                won += columns
        undecided.sort(key=int.bit_count)
        winners: list[int] = []  # sets of ones of columns with label 1, and with label 0
        losers: list[int] = []
        for one in _halving(undecided):
            if any(w & one == w for w in winners):
                won += alike[one]
            elif any(w | one == w for w in losers):
                continue
            elif self.favours_one(space ^ one, one, tie):
                won += alike[one]
                winners = [one, *winners[: _COMPARED - 1]]
            else:
                losers = [one, *losers[: _COMPARED - 1]]
        labels = np.zeros(self.points, dtype=np.uint8)
        labels[won] = 1
        return as_mask(labels)

    def wins(self, space: int, column: int, tie: int) -> int:
        """Return the label of the SOA at one column."""
        zero, one = self.cut(space, column)
        return int(self.favours_one(zero, one, tie))

    def favours_one(self, zero: int, one: int, tie: int) -> bool:
        """Whether the SOA predicts label 1, given the rows with label 0 and with label 1.

        It computes the dimension of the smaller side, and only decides whether the larger one
        reaches what it needs.
        """
        ones_are_fewer = one.bit_count() <= zero.bit_count()
        fewer, more = (one, zero) if ones_are_fewer else (zero, one)
        needed = self.dimension(fewer) + (ones_are_fewer is (tie == 1))
        return self._reaches(more, needed) is not ones_are_fewer

    def _reaches(self, space: int, needed: int) -> bool:
        """Whether the dimension of a version space is so large."""
        known = self._dimensions.get(space)
        if known is None and needed > 1 and space.bit_count() >> needed:
            least, most = self._bounds.get(space, (1, space.bit_count().bit_length() - 1))
            if least < needed <= most:
                if self._search.reaches(bits.places_of(space), needed):
                    self._bounds[space] = needed, most
                else:
                    self._bounds[space] = least, needed - 1
                least, most = self._bounds[space]
            return needed <= least
        return (self.dimension(space) if known is None else known) >= needed

    def split(self, space: int) -> int | None:
        """Return the first column whose smaller side has the largest dimension there is."""
        best, chosen = -1, None
        for x in range(self.points):
            ones = (space & self._ones[x]).bit_count()
            # A side of s hypotheses has dimension at most log2 s, and an empty one -1.
            if min(ones, space.bit_count() - ones).bit_length() - 1 > best:
                kept = min(self.sides(space, x))
                if kept > best:
                    best, chosen = kept, x
        return chosen

    def member(self, space: int) -> int:
        """Return the labelling of the first row of a version space."""
        return as_mask(self.H.table[(space & -space).bit_length() - 1])

    def is_labelling(self, f: int) -> bool:
        return f >= 0 and not f >> self.points

    def label(self, f: int, column: int) -> int:
        """Return bit ``column`` of a labelling."""
        return f >> column & 1

    def flipped(self, f: int, column: int) -> int:
        return f ^ 1 << column

    def first_difference(self, f: int, g: int) -> int:
        apart = f ^ g
        return (apart & -apart).bit_length() - 1

    def last_difference(self, f: int, g: int) -> int:
        return (f ^ g).bit_length() - 1

    def __reduce__(self) -> tuple[type[TableSpaces], tuple[FiniteClass]]:
        # What is remembered can be found again, and the search does not travel.
        return TableSpaces, (self.H,)

    def __repr__(self) -> str:
        return f"TableSpaces({self.H!r})"


def _halving(order: list[int]) -> list[int]:
    """Return the entries of a list with the middle one first, then those of the halves."""
    parts, found = [(0, len(order))], []
    for low, high in parts:
        if low < high:
            middle = (low + high) // 2
            found.append(order[middle])
            parts += [(low, middle), (middle + 1, high)]
    return found


def version_spaces(H: PlayableLike, search: LittlestoneSearch | None = None) -> VersionSpaces:
    """Return the object that computes version spaces of a class: its table, or the class itself.

    Parameters
    ----------
    H
        The class, not empty.
    search
        A search of ``H`` to go on with, where it is a table.

    Raises
    ------
    InvalidInput
        It is not a class, or it is empty.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> version_spaces(implicit.thresholds(2**64))
    <ImplicitThresholds thresholds:2^64>
    """
    H = as_playable(H)
    if isinstance(H, ImplicitClass):
        return H
    return TableSpaces(H, search)
