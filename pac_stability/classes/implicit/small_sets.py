"""Sets of at most k points, and single points, of any number of points, without a table."""

from __future__ import annotations

import math
import operator
from bisect import bisect_left
from collections.abc import Iterable
from functools import partial

from pac_stability.arguments import as_size
from pac_stability.classes.implicit.base import Labelling
from pac_stability.classes.implicit.line_classes import LineClass, inserted, unpacked
from pac_stability.errors import InvalidInput

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
        """Return the hypotheses of a version space with this label at a column; 0 for none."""
        if not space:
            return 0
        if space & 3 == _SETTLED:
            return space if self.label(space >> 2, column) == label else 0
        seen = self._seen(space)
        known = self._label_seen(seen, column)
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
        """Return how many hypotheses a version space has."""
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
        seen = self._seen(space)
        ones = [digit // 2 - 1 for digit in seen if digit % 2]
        if self._counts(space)[1]:
            ones.append(self.split(space) or 0)
        return self.ones(tuple(sorted(ones)))

    def _contains(self, f: int) -> bool:
        return self._least <= sum(last - first + 1 for first, last in self.runs(f)) <= self._most


class ImplicitSubsets(_SparseSets):
    """Sets of at most ``k`` of the points ``0, ..., n - 1``.

    A version space is the sets of at most r of m points, beside what is known; its Littlestone
    dimension is ``min(r, m)``: so many points are shattered, and whoever predicts 0 errs at most r
    times, and once at each point.

    Parameters
    ----------
    n
        How many points there are, at least 1.
    k
        The largest size of a set.

    Notes
    -----
    The SOA labels every point not seen alike: 0, unless as many ones are left as points (then both
    sides have the same dimension). A step takes ``O(s)`` operations after s different points.

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
        """The class in a word, as the command line takes it."""
        return f"subsets:{self._size_word},{self.k}"

    def hypothesis(self, points: Iterable[int]) -> Labelling:
        """Return the set of some points, at most k."""
        columns = sorted({self.column(point) for point in points})
        if len(columns) > self.k:
            raise InvalidInput("points", f"{len(columns)} points", f"at most {self.k}")
        return self.labelling(self.ones(tuple(columns)))


class ImplicitSingletons(_SparseSets):
    """Single points of ``0, ..., n - 1``, without the empty set.

    A version space is the points that have not been seen, with Littlestone dimension 1, or a single
    hypothesis.

    Parameters
    ----------
    n
        How many points there are, at least 1.

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
        """The version space before any example."""
        return self.ones((0,)) << 2 | _SETTLED if self._points == 1 else super().whole

    @property
    def spec(self) -> str:
        """The class in a word, as the command line takes it."""
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
