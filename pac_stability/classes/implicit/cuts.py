"""Thresholds on any number of points, without a table."""

from __future__ import annotations

from pac_stability.arguments import as_size
from pac_stability.classes.implicit.changes import LineClass
from pac_stability.classes.implicit.labelling import Labelling


class ImplicitThresholds(LineClass):
    """Thresholds ``1[x >= t]``, ``t = 0, ..., n``, on the points ``0, ..., n - 1``.

    A version space is the thresholds from one to another. For c of them its Littlestone dimension
    is ``floor(log2 c)``: a set of c hypotheses has no larger one, and binary search attains it.

    Parameters
    ----------
    n
        How many points there are, at least 1.

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
        """The class in a word, as the command line takes it."""
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
        """Return the hypotheses of a version space with this label at a column; 0 for none."""
        if not space:
            return 0
        low, high = self._ends(space)
        if label:
            return self._space(low, min(high, column))
        return self._space(max(low, column + 1), high)

    def size(self, space: int) -> int:
        """Return how many hypotheses a version space has."""
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
    """Return the first of ``count`` thresholds at which the SOA says 1; at the last one it does.

    Examples
    --------
    >>> [first_won(count, 1) for count in (1, 2, 3, 4)], first_won(4, 0)
    ([0, 0, 1, 1], 2)
    """
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        above = (middle + 1).bit_length() - (count - 1 - middle).bit_length()
        if above > 0 or (above == 0 and tie):
            high = middle
        else:
            low = middle + 1
    return low


def even_split(count: int) -> int:
    """Return the first of ``count`` thresholds, at least 2, that divides them best.

    Examples
    --------
    >>> [even_split(count) for count in (2, 3, 4, 8)]
    [0, 0, 1, 3]
    """
    # The side of label 1 is the smaller one, of the least size that has this dimension.
    return (1 << (count // 2).bit_length() - 1) - 1


def thresholds(n: int) -> ImplicitThresholds:
    """All thresholds ``1[x >= t]``, ``t = 0, ..., n``, on ``n`` points, without a table.

    Examples
    --------
    >>> thresholds(2**64)
    <ImplicitThresholds thresholds:2^64>
    """
    return ImplicitThresholds(n)
