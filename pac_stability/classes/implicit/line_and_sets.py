"""Four implicit classes on any number of points: thresholds, intervals, small sets, single points.

Algorithms work with *version spaces*; here one integer encodes each of them, for any number of
points.  The digits of such integers come first, then labellings of a line, encoded by the columns
where they change.  Thresholds and intervals need only the possible ends, or the gaps between
negative examples. Sets of at most k points need the labels seen so far, and a single point is such
a set with exactly one.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise

from pac_stability.arguments import as_size
from pac_stability.arithmetic import least_integer
from pac_stability.classes.implicit.base import ImplicitClass, Labelling
from pac_stability.errors import InvalidInput

_SHOWN = 8
"""How many runs of ones are shown."""


def packed(numbers: tuple[int, ...], width: int) -> int:
    """Pack increasing numbers, at least 1 and of ``width`` bits, as the digits of one integer.

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
    """Return the digits of an integer, the lowest first; it caches the last few answers."""
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
    """Return the integer with one more digit inserted in increasing order, and its digits.

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
    """An implicit class with labellings that change rarely along the points 0, 1, 2, and so on.

    A labelling is the set of columns where the label differs from the one before; the label before
    column 0 is 0. Each such column plus one is a digit, in increasing order. So every labelling has
    one integer, and two labellings first differ at the least column that is in only one of the
    sets. Flipping the label at x toggles x and x + 1 in the set.

    Notes
    -----
    Every operation on a labelling takes time proportional to its changes.
    """

    @property
    def _width(self) -> int:
        return self._points.bit_length()

    def changes(self, f: int) -> tuple[int, ...]:
        """Return the columns where the label differs from the one before, increasing.

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
        digits = unpacked(int(f), self._width) if f >= 0 else (0,)
        rising = all(a < b for a, b in pairwise(digits))
        return rising and (not digits or 1 <= digits[0] <= digits[-1] <= self._points)

    def label(self, f: int, column: int) -> int:
        return bisect_right(unpacked(int(f), self._width), column + 1) & 1

    def flipped(self, f: int, column: int) -> int:
        changes = set(unpacked(int(f), self._width)) ^ {column + 1}
        if column + 1 < self._points:
            changes ^= {column + 2}
        return packed(tuple(sorted(changes)), self._width)

    def first_difference(self, f: int, g: int) -> int:
        return min(set(self.changes(f)) ^ set(self.changes(g)))

    def last_difference(self, f: int, g: int) -> int:
        apart = set(self.changes(f)) ^ set(self.changes(g))
        return self._points - 1 if len(apart) % 2 else max(apart) - 1

    def shown(self, f: int) -> str:
        runs = self.runs(f)
        words = [str(low) if low == high else f"{low}..{high}" for low, high in runs[:_SHOWN]]
        rest = [f"{len(runs) - _SHOWN} runs more"] * (len(runs) > _SHOWN)
        return f"1 at {', '.join([*words, *rest])}" if runs else "0 everywhere"


# Thresholds


class ImplicitThresholds(LineClass):
    """Thresholds ``1[x >= t]``, ``t = 0, ..., n``, on the points ``0, ..., n - 1``.

    A version space is a range of consecutive thresholds. With c of them its Littlestone dimension
    is ``floor(log2 c)``: no set of c hypotheses has a larger one, and binary search attains it.

    Parameters
    ----------
    n
        The number of points, at least 1.

    Notes
    -----
    A prediction and a step take ``O(log n)`` operations on integers of ``O(log n)`` bits. The SOA's
    labelling of a version space is a threshold: going up, the side of label 1 gains thresholds, and
    the other side loses them.

    Examples
    --------
    >>> H = ImplicitThresholds(2**64)
    >>> H.dimension(H.whole), H.labelling(H.optimal(H.whole, tie=1))
    (64, <Labelling 1 at 9223372036854775807..18446744073709551615>)
    """

    @property
    def spec(self) -> str:
        return f"thresholds:{self._size_word}"

    def hypothesis(self, t: int) -> Labelling:
        """Return the threshold ``1[x >= t]``, t from 0 to n."""
        return self.labelling(self._above(as_size(t, "t", most=self._points)))

    def _above(self, t: int) -> int:
        return self.with_changes((t,) if t < self._points else ())

    def _space(self, low: int, high: int) -> int:
        return 1 + low * (self._points + 1) + high if low <= high else 0

    def _ends(self, space: int) -> tuple[int, int]:
        """The least and the largest threshold."""
        return divmod(space - 1, self._points + 1)

    @property
    def whole(self) -> int:
        """The version space before any example."""
        return self._space(0, self._points)

    def part(self, space: int, column: int, label: int) -> int:
        if not space:
            return 0
        low, high = self._ends(space)
        if label:
            return self._space(low, min(high, column))
        return self._space(max(low, column + 1), high)

    def size(self, space: int) -> int:
        low, high = self._ends(space) if space else (1, 0)
        return high - low + 1

    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space: ``floor(log2 size)``."""
        return self.size(space).bit_length() - 1

    def optimal(self, space: int, tie: int) -> int:
        """Return the labelling of the SOA."""
        low, high = self._ends(space)
        return self._above(low + first_won(high - low + 1, tie))

    def split(self, space: int) -> int | None:
        """Return the first column whose smaller side has the largest dimension there is."""
        if self.size(space) < 2:
            return None
        return self._ends(space)[0] + even_split(self.size(space))

    def member(self, space: int) -> int:
        """Return the least threshold of a version space."""
        return self._above(self._ends(space)[0])

    def _contains(self, f: int) -> bool:
        return len(self.changes(f)) <= 1


def first_won(count: int, tie: int) -> int:
    """Return the first of ``count`` thresholds at which the SOA predicts 1; it does at the last.

    Examples
    --------
    >>> [first_won(count, 1) for count in (1, 2, 3, 4)], first_won(4, 0)
    ([0, 0, 1, 1], 2)
    """

    def wins(cut: int) -> bool:
        above = (cut + 1).bit_length() - (count - 1 - cut).bit_length()
        return above > 0 or (above == 0 and bool(tie))

    return least_integer(wins, 0, count - 1)


def even_split(count: int) -> int:
    """Return the first of ``count`` thresholds, at least 2, that splits them best.

    Examples
    --------
    >>> [even_split(count) for count in (2, 3, 4, 8)]
    [0, 0, 1, 3]
    """
    # The side of label 1 is the smaller one, of the least size that has this dimension.
    return (1 << (count // 2).bit_length() - 1) - 1


def thresholds(n: int) -> ImplicitThresholds:
    """All thresholds ``1[x >= t]``, ``t = 0, ..., n``, on ``n`` points, without a table.

    Parameters
    ----------
    n
        The number of points.

    Examples
    --------
    >>> thresholds(2**64)
    <ImplicitThresholds thresholds:2^64>
    """
    return ImplicitThresholds(n)


# Intervals

_FOUND, _SOUGHT = 1, 2
"""What the two lowest bits of a version space say: a positive example was seen, or none."""

_SMALL = 64
"""A gap of no more points than this is looked at point by point."""


def pieces_dimension(largest: int, second: int) -> int:
    """Return the Littlestone dimension of the intervals inside gaps, with the empty one.

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
    Littlestone dimension is ``floor(log2 A) + floor(log2 B)``. Before one, a version space consists
    of the intervals inside the gaps between negative examples, and its dimension is a function of
    the two largest gaps (:func:`pieces_dimension`).

    Parameters
    ----------
    n
        The number of points, at least 1.

    Notes
    -----
    A step takes ``O(s)`` operations after s distinct negative examples and no positive one; a
    prediction takes ``O(log n)`` times as many for each of the largest gaps. After a positive
    example both take ``O(log n)``.

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

    Parameters
    ----------
    n
        The number of points.

    Examples
    --------
    >>> intervals(2**64)
    <ImplicitIntervals intervals:2^64>
    """
    return ImplicitIntervals(n)


# Sets of at most k points, and single points

_OPEN, _SETTLED = 1, 2
"""What the two lowest bits of a version space say: labels seen, or the one hypothesis left."""


_ODD = partial(operator.and_, 1)


class _SparseSets(LineClass):
    """Sets of a number of points between two bounds, as far as the questions are the same.

    A version space with several hypotheses is the set of the labels seen so far; one with a single
    hypothesis is its labelling, whatever has been seen.
    """

    def __init__(self, n: int, least: int, most: int) -> None:
        super().__init__(n)
        self._least, self._most = least, most

    @property
    def whole(self) -> int:
        """The version space before any example."""
        return self._space(0, ())

    @property
    def _seen_width(self) -> int:
        return self._width + 1

    def _space(self, code: int, seen: tuple[int, ...]) -> int:
        """Return the version space of labels seen, as digits and their integer; 0 if empty."""
        count = sum(map(_ODD, seen))
        left, room = self._points - len(seen), self._most - count
        needed = max(0, self._least - count)
        if room < 0 or needed > left:
            return 0
        if room and left and needed != left:
            return code << 2 | _OPEN
        ones = tuple(digit // 2 - 1 for digit in seen if digit % 2)
        if room == 0 or left == 0:
            return self.ones(ones) << 2 | _SETTLED
        # Needed are all that were not seen.
        zeros = {digit // 2 - 1 for digit in seen if not digit % 2}
        rest = tuple(x for x in range(self._points) if x not in zeros)
        return self.ones(rest) << 2 | _SETTLED

    def _seen(self, space: int) -> tuple[int, ...]:
        """Twice the column plus one, plus the label, for each column seen, increasing."""
        return unpacked(space >> 2, self._seen_width)

    def _label_seen(self, seen: tuple[int, ...], column: int) -> int | None:
        place = bisect_left(seen, 2 * column + 2)
        if place < len(seen) and seen[place] // 2 - 1 == column:
            return seen[place] % 2
        return None

    def part(self, space: int, column: int, label: int) -> int:
        if not space:
            return 0
        if space & 3 == _SETTLED:
            return space if self.label(space >> 2, column) == label else 0
        known = self._label_seen(self._seen(space), column)
        if known is not None:
            return space if known == label else 0
        return self._space(*inserted(space >> 2, self._seen_width, 2 * column + 2 + label))

    def _counts(self, space: int) -> tuple[int, int, int]:
        """How many points are open; how many of them are ones, at least and at most."""
        if not space or space & 3 == _SETTLED:
            return 0, 0, 0
        seen = self._seen(space)
        ones = sum(map(_ODD, seen))
        return self._points - len(seen), max(0, self._least - ones), self._most - ones

    def size(self, space: int) -> int:
        left, needed, room = self._counts(space)
        sizes = range(needed, min(room, left) + 1)
        return sum(math.comb(left, size) for size in sizes) if space else 0

    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space."""
        return self._dimension(*self._counts(space)) if space else -1

    @staticmethod
    def _dimension(left: int, needed: int, room: int) -> int:
        """Return the dimension of the sets of ``needed`` to ``room`` points of ``left``.

        Sets of at most r of m points have dimension ``min(r, m)``; without the empty set, single
        points of m have dimension 1, or 0 for m = 1.
        """
        if room < 0 or needed > left:
            return -1
        return min(room, left) if not needed else int(left > 1)

    def optimal(self, space: int, tie: int) -> int:
        """Return the labelling of the SOA: what was seen, and the same label everywhere else."""
        if space & 3 == _SETTLED:
            return space >> 2
        seen = self._seen(space)
        left, needed, room = self._counts(space)
        one = self._dimension(left - 1, max(0, needed - 1), room - 1)
        zero = self._dimension(left - 1, needed, room)
        ones = tuple(digit // 2 - 1 for digit in seen if digit % 2)
        if one < zero or (one == zero and not tie):
            return self.ones(ones)
        # Label 1 wins at all open points: then the labelling is 1 but at the zeros seen.
        f = self.with_changes((0,))
        for digit in seen:
            if not digit % 2:
                f = self.flipped(f, digit // 2 - 1)
        return f

    def split(self, space: int) -> int | None:
        """Return the first column whose smaller side has the largest dimension: the first open."""
        if not space or space & 3 == _SETTLED:
            return None
        column = 0
        for digit in self._seen(space):
            if digit // 2 - 1 > column:
                break
            column += 1
        return column

    def member(self, space: int) -> int:
        """Return a hypothesis with as few ones as there can be, in the first open points."""
        if space & 3 == _SETTLED:
            return space >> 2
        ones = [digit // 2 - 1 for digit in self._seen(space) if digit % 2]
        if self._counts(space)[1]:
            ones.append(self.split(space) or 0)
        return self.ones(tuple(sorted(ones)))

    def _contains(self, f: int) -> bool:
        return self._least <= sum(last - first + 1 for first, last in self.runs(f)) <= self._most


class ImplicitSubsets(_SparseSets):
    """Sets of at most ``k`` of the points ``0, ..., n - 1``.

    A version space consists of all sets of at most r of m points, plus the known ones. Its
    Littlestone dimension is ``min(r, m)``: it shatters ``min(r, m)`` points, and predicting 0 errs
    at most r times, and at most once at each point.

    Parameters
    ----------
    n
        The number of points, at least 1.
    k
        The largest size of a set.

    Notes
    -----
    The SOA gives every unseen point the same label: 0, unless as many ones are left as points (then
    both sides have the same dimension). A step takes ``O(s)`` operations after s different points.

    Examples
    --------
    >>> H = ImplicitSubsets(2**64, 3)
    >>> after = H.part(H.whole, 5, 1)
    >>> H.dimension(H.whole), H.dimension(after), H.labelling(H.optimal(after, tie=1))
    (3, 2, <Labelling 1 at 5>)
    """

    def __init__(self, n: int, k: int) -> None:
        super().__init__(n, 0, as_size(k, "k"))

    @property
    def k(self) -> int:
        """The largest size of a set."""
        return self._most

    @property
    def spec(self) -> str:
        return f"subsets:{self._size_word},{self.k}"

    def hypothesis(self, points: Iterable[int]) -> Labelling:
        """Return the set of some points, at most k."""
        columns = sorted({self.column(point) for point in points})
        if len(columns) > self.k:
            raise InvalidInput("points", f"{len(columns)} points", f"at most {self.k}")
        return self.labelling(self.ones(tuple(columns)))


class ImplicitSingletons(_SparseSets):
    """Single points of ``0, ..., n - 1``, without the empty set.

    A version space consists of the unseen points, with Littlestone dimension 1, or of a single
    hypothesis.

    Parameters
    ----------
    n
        The number of points, at least 1.

    Examples
    --------
    >>> H = ImplicitSingletons(2**64)
    >>> H.dimension(H.whole), H.labelling(H.optimal(H.whole, tie=1))
    (1, <Labelling 0 everywhere>)
    """

    def __init__(self, n: int) -> None:
        super().__init__(n, 1, 1)

    @property
    def whole(self) -> int:
        return self.ones((0,)) << 2 | _SETTLED if self._points == 1 else super().whole

    @property
    def spec(self) -> str:
        return f"singletons:{self._size_word}"

    def hypothesis(self, point: int) -> Labelling:
        """Return the set of one point."""
        return self.labelling(self.ones((self.column(point),)))


def subsets(n: int, k: int) -> ImplicitSubsets:
    """All sets of at most ``k`` of ``n`` points, without a table.

    Parameters
    ----------
    n
        The number of points.
    k
        The largest size of a set.
    """
    return ImplicitSubsets(n, k)


def point_functions(n: int) -> ImplicitSubsets:
    """All sets of at most one of ``n`` points, the empty one included, without a table.

    Parameters
    ----------
    n
        The number of points.

    Examples
    --------
    >>> point_functions(2**64)
    <ImplicitSubsets subsets:2^64,1>
    """
    return ImplicitSubsets(n, 1)


def singletons(n: int) -> ImplicitSingletons:
    """Single points of ``n``, without the empty set and without a table.

    Parameters
    ----------
    n
        The number of points.

    Examples
    --------
    >>> singletons(2**64)
    <ImplicitSingletons singletons:2^64>
    """
    return ImplicitSingletons(n)
