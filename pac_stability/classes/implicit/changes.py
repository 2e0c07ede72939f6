"""Labellings of points in a row, by the columns where the label changes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from pac_stability.classes.implicit.base import ImplicitClass

_SHOWN = 8
"""How many runs of ones are shown."""


def packed(numbers: tuple[int, ...], width: int) -> int:
    """Return increasing numbers of at least 1 and of ``width`` bits as the digits of one integer.

    No digit is 0, so that different tuples are different integers.

    Examples
    --------
    >>> packed((1, 3), 2), unpacked(13, 2), packed((), 2)
    (13, (1, 3), 0)
    """
    code = 0
    for number in reversed(numbers):
        code = code << width | number
    return code


def unpacked(code: int, width: int) -> tuple[int, ...]:
    """Return the digits of an integer, the lowest first; the last few answers are remembered."""
    known = _known.get((code, width))
    return _remembered(code, width, _digits(code, width)) if known is None else known


def _digits(code: int, width: int) -> tuple[int, ...]:
    digits = []
    while code:
        digits.append(code & (1 << width) - 1)
        code >>= width
    return tuple(digits)


_known: dict[tuple[int, int], tuple[int, ...]] = {}
_MOST_KNOWN = 1 << 12


def _remembered(code: int, width: int, digits: tuple[int, ...]) -> tuple[int, ...]:
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[code, width] = digits
    return digits


def inserted(code: int, width: int, digit: int) -> tuple[int, tuple[int, ...]]:
    """Return the integer with one more digit, put where the digits go on increasing, and these.

    Examples
    --------
    >>> inserted(packed((1, 3), 2), 2, 2)
    (57, (1, 2, 3))
    """
    digits = unpacked(code, width)
    place = bisect_left(digits, digit)
    shift = place * width
    low = code & (1 << shift) - 1
    larger = (code >> shift << width | digit) << shift | low
    return larger, _remembered(larger, width, (*digits[:place], digit, *digits[place:]))


class LineClass(ImplicitClass):
    """An implicit class whose labellings change rarely along the points 0, 1, 2, and so on.

    A labelling is the set of columns where the label is another than just before, the label before
    column 0 being 0. Each such column plus one is a digit, in increasing order. So every labelling
    has one integer, two labellings differ first at the least column that is in one set only, and to
    flip the label at x is to take x and x + 1 out of the set, or to put them in.

    Notes
    -----
    Every answer about a labelling takes time in proportion to its changes.
    """

    @property
    def _width(self) -> int:
        return self._points.bit_length()

    def changes(self, f: int) -> tuple[int, ...]:
        """Return the columns where the label is another than just before, increasing.

        Examples
        --------
        >>> from pac_stability.classes import implicit
        >>> H = implicit.subsets(2**64, 2)
        >>> H.changes(H.hypothesis([5, 6]))
        (5, 7)
        """
        return tuple(digit - 1 for digit in unpacked(int(f), self._width))

    def with_changes(self, changes: tuple[int, ...]) -> int:
        """Return the labelling that changes at these columns, given in increasing order."""
        return packed(tuple(column + 1 for column in changes), self._width)

    def ones(self, columns: tuple[int, ...]) -> int:
        """Return the labelling that is 1 at these columns, given in increasing order."""
        changes: list[int] = []
        for column in columns:
            if changes and changes[-1] == column:
                changes[-1] = column + 1
            else:
                changes += [column, column + 1]
        if changes and changes[-1] == self._points:
            changes.pop()
        return self.with_changes(tuple(changes))

    def runs(self, f: int) -> tuple[tuple[int, int], ...]:
        """Return the first and the last column of each run of ones of a labelling."""
        changes = self.changes(f)
        ends = (*changes, self._points) if len(changes) % 2 else changes
        return tuple((first, after - 1) for first, after in zip(ends[::2], ends[1::2], strict=True))

    def is_labelling(self, f: int) -> bool:
        """Whether an integer is a labelling of the points."""
        digits = unpacked(int(f), self._width) if f >= 0 else (0,)
        rising = all(a < b for a, b in pairwise(digits))
        return rising and (not digits or 1 <= digits[0] <= digits[-1] <= self._points)

    def label(self, f: int, column: int) -> int:
        """Return the label that a labelling has at a column."""
        return bisect_right(unpacked(int(f), self._width), column + 1) & 1

    def flipped(self, f: int, column: int) -> int:
        """Return the labelling that differs from another one at this column alone."""
        changes = set(unpacked(int(f), self._width)) ^ {column + 1}
        if column + 1 < self._points:
            changes ^= {column + 2}
        return packed(tuple(sorted(changes)), self._width)

    def first_difference(self, f: int, g: int) -> int:
        """Return the first column where two different labellings differ."""
        return min(set(self.changes(f)) ^ set(self.changes(g)))

    def last_difference(self, f: int, g: int) -> int:
        """Return the last column where two different labellings differ."""
        apart = set(self.changes(f)) ^ set(self.changes(g))
        return self._points - 1 if len(apart) % 2 else max(apart) - 1

    def shown(self, f: int) -> str:
        """Say in a few words which points a labelling labels 1."""
        runs = self.runs(f)
        words = [str(low) if low == high else f"{low}..{high}" for low, high in runs[:_SHOWN]]
        rest = [f"{len(runs) - _SHOWN} runs more"] * (len(runs) > _SHOWN)
        return f"1 at {', '.join([*words, *rest])}" if runs else "0 everywhere"
