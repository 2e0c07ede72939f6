"""Intervals and unions of intervals: the extreme positive examples of each."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from pac_stability.classes import Intervals, UnionOfIntervals, UnionsOfIntervals, least_errors
from pac_stability.classes.exact import Number, exact_number
from pac_stability.compression._kept import first_indices, require_kept
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput


class UnionOfIntervalsScheme(ProperScheme[UnionOfIntervals]):
    """Unions of at most k intervals, from 2k examples.

    Kept are positive examples at the two ends of each interval, the last of them again for each
    interval fewer than k; for the empty union, one negative example 2k times. Sorted, the positive
    points are the ends of the intervals, two by two, whatever the order in which they are kept; a
    repeated last one adds intervals of one point inside the last interval.

    Parameters
    ----------
    k
        Most intervals in a union, at least 0.

    Raises
    ------
    InvalidInput
        ``k`` is no such integer.

    Notes
    -----
    Why these examples are there. Take a union with the fewest errors, of the fewest intervals among
    these, each shrunk to the points of the sample in it. Let x be an end of an interval. Without x
    the interval is shorter, or gone, and the union is still in the class; only the label of x
    changes, and the errors do not become fewer, so at least half of the examples at x have the
    label 1. When the union is empty there is a negative example, or else it would be wrong
    everywhere and one point alone would be better.

    The intervals are disjoint, with points of the sample between them, so the sorted ends pair up
    as they should. ``O(n log n + k n)``, as :func:`~pac_stability.classes.least_errors`. Size in
    the sense of CLNRW16, Definition 14; the VC dimension is 2k.

    Examples
    --------
    >>> scheme = UnionOfIntervalsScheme(2)
    >>> S = Sample([1, 2, 3, 4, 5], [1, 0, 1, 1, 0])
    >>> scheme.compress(S), scheme.run(S)
    ((0, 0, 2, 3), UnionOfIntervals(intervals=((1, 1), (3, 4))))
    >>> scheme.run(S[1:])
    UnionOfIntervals(intervals=((3, 4),))
    """

    symmetric: ClassVar[bool] = True
    selection = Selection.MULTISET

    def __init__(self, k: int) -> None:
        self._family = UnionsOfIntervals(k)

    @property
    def family(self) -> UnionsOfIntervals:
        """The unions of at most k intervals."""
        return self._family

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 2k.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return 2 * self.family.k

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        best, _ = least_errors(self.family, sample)
        assert isinstance(best, UnionOfIntervals)  # noqa: S101  # what the family consists of
        if not self.family.k:
            return ()
        if not best.intervals:
            return (sample.labels.index(0),) * (2 * self.family.k)
        positive = first_indices(sample, 1)
        ends = tuple(positive[end] for interval in best.intervals for end in interval)
        return ends + ends[-1:] * (2 * self.family.k - len(ends))

    def reconstruct(self, kept: Sample[Hashable], /) -> UnionOfIntervals:
        """Return the union whose ends are the positive examples among those kept.

        Raises
        ------
        InvalidInput
            There are not 2k examples, a point is no real number, or an odd number of examples is
            positive.
        """
        require_kept(kept, 2 * self.family.k)
        ends = sorted(exact_number(z.point) for z in kept if z.label)
        if len(ends) % 2:
            raise InvalidInput("kept", f"{len(ends)} positive examples", "an even number of them")
        intervals: list[tuple[Number, Number]] = []
        for low, high in zip(ends[::2], ends[1::2], strict=True):
            overlaps = intervals and low <= intervals[-1][1]
            intervals.append((intervals.pop()[0] if overlaps else low, high))
        return UnionOfIntervals(tuple(intervals))


class IntervalScheme(UnionOfIntervalsScheme):
    """Intervals, the empty one included, from two examples.

    Kept are positive examples at both ends of an interval with the fewest errors; for the empty
    interval, one negative example twice. :class:`UnionOfIntervalsScheme` shows that they are there.

    Examples
    --------
    >>> scheme = IntervalScheme()
    >>> S = Sample([4, 1, 3, 2], [1, 0, 1, 1])
    >>> scheme.compress(S), scheme.run(S)
    ((3, 0), UnionOfIntervals(intervals=((2, 4),)))
    """

    def __init__(self) -> None:
        super().__init__(1)
        self._family = Intervals()
