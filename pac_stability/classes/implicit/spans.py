"""Intervals of points in a row, without a table."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from pac_stability.classes.implicit.changes import LineClass, inserted, packed, unpacked
from pac_stability.classes.implicit.cuts import even_split, first_won
from pac_stability.classes.implicit.labelling import Labelling

_FOUND, _SOUGHT = 1, 2
"""What the two lowest bits of a version space say: a positive example was seen, or none."""

_SMALL = 64
"""A gap of no more points than this is looked at point by point."""


def pieces_dimension(largest: int, second: int) -> int:
    """Return the Littlestone dimension of the intervals inside of gaps, with the empty one.

    Parameters
    ----------
    largest, second
        The points of the two largest gaps, plus one each; 1 stands for no gap.

    Returns
    -------
    int
        With U = 2^u, u >= 1: at least 2u + 1 if a piece has 5U/2, or one has 2U and another 3U/2;
        and at least 2u + 2 if one has 7U/2, or one has 3U and another 3U/2. It is 1 for a piece of
        2 and no larger one, and 2 for a piece of 3.

    Examples
    --------
    >>> [pieces_dimension(n + 1, 1) for n in range(8)], pieces_dimension(4, 3)
    ([0, 1, 2, 2, 3, 3, 4, 4], 3)
    """
    if largest < 4:
        return largest - 1
    u = largest.bit_length() - 2
    half, paired = 1 << u - 1, second >= 3 << u - 1
    if largest >= 7 * half or (paired and largest >= 6 * half):
        return 2 * u + 2
    return 2 * u + (paired or largest >= 5 * half)


class ImplicitIntervals(LineClass):
    """Intervals of the points ``0, ..., n - 1``, the empty one included.

    After a positive example the two ends are independent, and for A left and B right ends the
    Littlestone dimension is ``floor(log2 A) + floor(log2 B)``. Before one, a version space is what
    fits into the gaps between negative examples, and its dimension is a function of the two largest
    gaps (:func:`pieces_dimension`).

    Parameters
    ----------
    n
        How many points there are, at least 1.

    Notes
    -----
    A step takes ``O(s)`` operations after s different negative examples and no positive one; so
    does a prediction, times ``O(log n)`` for each of the largest gaps. After a positive example
    both take ``O(log n)``.

    Examples
    --------
    >>> H = ImplicitIntervals(2**64)
    >>> H.dimension(H.whole), H.labelling(H.optimal(H.whole, tie=0))
    (126, <Labelling 1 at 9223372036854775807..9223372036854775808>)
    >>> H.dimension(H.part(H.whole, 2**63, 1))
    126
    """

    @property
    def spec(self) -> str:
        """The class in a word, as the command line takes it."""
        return f"intervals:{self._size_word}"

    def hypothesis(self, low: int, high: int) -> Labelling:
        """Return the interval from one point to another, both included; empty if low > high."""
        low, high = self.column(low), self.column(high)
        return self.labelling(self._between(low, high) if low <= high else 0)

    def _between(self, low: int, high: int) -> int:
        return self.with_changes((low, high + 1) if high + 1 < self._points else (low,))

    # A version space with a positive example: the left ends a..b, and the right ends c..d.

    def _found(self, ends: tuple[int, int, int, int]) -> int:
        return packed(tuple(end + 1 for end in ends), self._width) << 2 | _FOUND

    def _ends(self, space: int) -> tuple[int, int, int, int] | None:
        if space & 3 != _FOUND:
            return None
        a, b, c, d = unpacked(space >> 2, self._width)
        return a - 1, b - 1, c - 1, d - 1

    # One without: the negative examples.

    def _gaps(self, space: int) -> Iterator[tuple[int, int]]:
        """Yield the first column of each gap between negative examples, and its piece."""
        before = 0
        for digit in (*unpacked(space >> 2, self._width), self._points + 1):
            yield before, digit - before
            before = digit

    def _largest(self, space: int) -> tuple[int, ...]:
        """The three largest pieces, the largest first."""
        return tuple(sorted((piece for _, piece in self._gaps(space)), reverse=True)[:3])

    @property
    def whole(self) -> int:
        """The version space before any example."""
        return _SOUGHT

    def part(self, space: int, column: int, label: int) -> int:
        """Return the hypotheses of a version space with this label at a column; 0 for none."""
        if not space:
            return 0
        ends = self._ends(space)
        return (
            self._searched(space, column, label) if ends is None else self._cut(ends, column, label)
        )

    def _cut(self, ends: tuple[int, int, int, int], column: int, label: int) -> int:
        a, b, c, d = ends
        if label:
            kept = a, min(b, column), max(c, column), d
            return self._found(kept) if a <= column <= d else 0
        if column < b:
            return self._found((max(a, column + 1), b, c, d))
        return self._found((a, b, c, min(d, column - 1))) if column > c else 0

    def _searched(self, space: int, column: int, label: int) -> int:
        negative = unpacked(space >> 2, self._width)
        place = bisect_left(negative, column + 1)
        if place < len(negative) and negative[place] == column + 1:
            return 0 if label else space
        if not label:
            return inserted(space >> 2, self._width, column + 1)[0] << 2 | _SOUGHT
        low = negative[place - 1] if place else 0
        high = negative[place] - 2 if place < len(negative) else self._points - 1
        return self._found((low, column, column, high))

    def size(self, space: int) -> int:
        """Return how many hypotheses a version space has."""
        if not space:
            return 0
        ends = self._ends(space)
        if ends is None:
            return 1 + sum(piece * (piece - 1) // 2 for _, piece in self._gaps(space))
        a, b, c, d = ends
        return (b - a + 1) * (d - c + 1)

    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space."""
        if not space:
            return -1
        ends = self._ends(space)
        if ends is None:
            return pieces_dimension(*(*self._largest(space), 1)[:2])
        a, b, c, d = ends
        return (b - a + 1).bit_length() + (d - c + 1).bit_length() - 2

    def optimal(self, space: int, tie: int) -> int:
        """Return the labelling of the SOA."""
        ends = self._ends(space)
        if ends is not None:
            a, b, c, d = ends
            return self._between(a + first_won(b - a + 1, tie), d - first_won(d - c + 1, tie))
        largest = self._largest(space)
        changes: list[int] = []
        for first, piece in self._gaps(space):
            label = 0
            for left, one, zero in _splits(piece, largest):
                if (one > zero or (one == zero and tie == 1)) != label:
                    label = 1 - label
                    changes.append(first + left - 1)
            # A gap ends before a negative example, where the label is 0.
            end = first + piece - 1
            changes += [end] * (label and end < self._points)
        return self.with_changes(tuple(changes))

    def split(self, space: int) -> int | None:
        """Return the first column whose smaller side has the largest dimension there is."""
        best = self.dimension(space) - 1
        if best < 0:
            return None
        ends = self._ends(space)
        if ends is None:
            largest = self._largest(space)
            return next(
                first + left - 1
                for first, piece in self._gaps(space)
                for left, one, zero in _splits(piece, largest)
                if min(one, zero) == best
            )
        a, b, c, d = ends
        return a + even_split(b - a + 1) if a < b else c + even_split(d - c + 1) + 1

    def member(self, space: int) -> int:
        """Return the empty interval, or the one of the least left and the least right end."""
        ends = self._ends(space)
        return 0 if ends is None else self._between(ends[0], ends[2])

    def _contains(self, f: int) -> bool:
        return len(self.runs(f)) <= 1


def _splits(piece: int, largest: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield the dimensions of both sides of the points of a gap, for label 1 and for label 0.

    They are those of the point with ``left`` points up to it, itself included. Up to the next they
    are the same, or at all points passed over the one for label 1 is the lower one, and below best.
    """
    spared = list(largest)
    spared.remove(piece) if piece in spared else spared.pop()
    others = (*spared, 1, 1)[:2]
    if piece == 1 or 2 * piece.bit_length() - 2 < pieces_dimension(*others) - 1:
        return
    for left in _turns(piece):
        right = piece - left
        one = left.bit_length() + right.bit_length() - 2
        first, second, *_ = sorted((left, right, *others), reverse=True)
        yield left, one, pieces_dimension(first, second)


def _turns(piece: int) -> list[int]:
    """Where the dimensions of the two sides of a point may change, going up through a gap."""
    if piece <= _SMALL:
        return list(range(1, piece))
    top = piece.bit_length()
    quarters = [part << scale for scale in range(top - 7, top - 2) for part in (4, 5, 6, 7)]
    turns = {1, *quarters, *(piece - part + 1 for part in quarters)}
    return sorted(turn for turn in turns if 1 <= turn < piece)


def intervals(n: int) -> ImplicitIntervals:
    """All intervals of ``n`` points, the empty one included, without a table.

    Examples
    --------
    >>> intervals(2**64)
    <ImplicitIntervals intervals:2^64>
    """
    return ImplicitIntervals(n)
