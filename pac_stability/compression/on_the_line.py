"""Thresholds, intervals, unions of intervals and chains: one or two examples for each border."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import pairwise
from typing import ClassVar

import numpy as np

from pac_stability import classes
from pac_stability.arguments import described
from pac_stability.classes.family import require_inhabited
from pac_stability.classes.validation import Number, exact_number
from pac_stability.compression.scheme import ProperScheme, Selection, first_indices, require_kept
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput


class ThresholdScheme(ProperScheme[classes.Threshold]):
    """Thresholds on the reals, of one orientation or of both, from one example.

    The label of the kept example (x, y) says on which side of x the cut is, or which orientation
    the threshold has:

    ======  =============  ================
    kept    Thresholds     SignedThresholds
    ======  =============  ================
    (x, 1)  ``1[. >= x]``  ``1[. >= x]``
    (x, 0)  ``1[. > x]``   ``1[. < x]``
    ======  =============  ================

    where ``1[. > x]`` stands for ``1[. >= x + 1]``: it is rebuilt only from the largest point of
    the sample.

    Parameters
    ----------
    family
        ``Thresholds()``, by default, or ``SignedThresholds()``. A finite class of thresholds has a
        :class:`ChainScheme`.

    Raises
    ------
    InvalidInput
        The family is another one.

    Notes
    -----
    Why the example wanted is there. Let the threshold with the fewest errors be ``1[. >= x]`` with
    x a point of the sample. Without x it would label x with 0 and nothing else of the sample
    differently, and make no fewer errors, so at least half of the examples at x have the label 1,
    and (x, 1) is one. For the same reason (x, 0) is there when ``1[. < x]`` has the fewest errors.
    This leaves the constants. A threshold that is 0 on the sample is, with both orientations,
    ``1[. < x]`` with x the least point; with one orientation it is ``1[. > x]`` with x the largest
    point, and as ``1[. >= x]`` makes no fewer errors there is an example (x, 0) again.
    ``O(n log n)``, as :func:`~pac_stability.classes.least_errors`.

    CLNRW16, Theorem 24; its proof keeps the extreme positive example, which a sample need not have,
    and which gives the fewest errors only on realizable samples. With both orientations the VC
    dimension is 2 and the size is still 1: m points have 2m patterns, as many as there are
    examples.

    Examples
    --------
    >>> scheme = ThresholdScheme()
    >>> S = Sample([1, 2, 3, 4], [0, 1, 0, 1])
    >>> scheme.compress(S), scheme.run(S)
    ((1,), Threshold(cut=2, upward=True))
    >>> scheme.run(Sample([1, 2], [0, 0]))
    Threshold(cut=3, upward=True)
    """

    symmetric: ClassVar[bool] = True
    selection = Selection.SUBSET

    def __init__(self, family: classes.Thresholds | classes.SignedThresholds | None = None) -> None:
        if not isinstance(family, classes.Thresholds | classes.SignedThresholds | None):
            raise InvalidInput(
                "family",
                described(family),
                "Thresholds() or SignedThresholds(); ChainScheme takes finite classes",
            )
        self._family = classes.Thresholds() if family is None else family

    @property
    def family(self) -> classes.Thresholds | classes.SignedThresholds:
        """The thresholds."""
        return self._family

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 1.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return 1

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        best, _ = classes.least_errors(self._family, sample)
        assert isinstance(best, classes.Threshold)  # noqa: S101  # what both families consist of
        at_cut = first_indices(sample, int(best.upward)).get(best.cut)
        if at_cut is not None:
            return (at_cut,)
        # The constant of the other label.
        others = first_indices(sample, int(not best.upward))
        extreme = min if isinstance(self._family, classes.SignedThresholds) else max
        return (others[extreme(others, key=exact_number)],)

    def reconstruct(self, kept: Sample[Hashable], /) -> classes.Threshold:
        """Return the threshold at the kept example.

        Raises
        ------
        InvalidInput
            There is not one example, or it is no real number.

        Examples
        --------
        >>> ThresholdScheme(classes.SignedThresholds()).reconstruct(Sample([2], [0]))
        Threshold(cut=2, upward=False)
        """
        require_kept(kept, 1)
        x, upward = exact_number(kept.points[0]), bool(kept.labels[0])
        if isinstance(self._family, classes.SignedThresholds):
            return classes.Threshold(x, upward)
        return classes.Threshold(x if upward else x + 1)


# Intervals and unions of intervals: the extreme positive examples of each


class UnionOfIntervalsScheme(ProperScheme[classes.UnionOfIntervals]):
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
        self._family = classes.UnionsOfIntervals(k)

    @property
    def family(self) -> classes.UnionsOfIntervals:
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
        best, _ = classes.least_errors(self.family, sample)
        assert isinstance(best, classes.UnionOfIntervals)  # noqa: S101  # what the family consists of
        if not self.family.k:
            return ()
        if not best.intervals:
            return (sample.labels.index(0),) * (2 * self.family.k)
        positive = first_indices(sample, 1)
        ends = tuple(positive[end] for interval in best.intervals for end in interval)
        return ends + ends[-1:] * (2 * self.family.k - len(ends))

    def reconstruct(self, kept: Sample[Hashable], /) -> classes.UnionOfIntervals:
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
        return classes.UnionOfIntervals(tuple(intervals))


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
        self._family = classes.Intervals()


# Nested hypotheses, such as finitely many thresholds: one example says which of them


class ChainScheme(ProperScheme[classes.Row]):
    """A finite class whose hypotheses are nested sets, from one example.

    Finitely many thresholds are nested, all of them on a domain or only some, with the empty one or
    without: ``classes.thresholds(n)``, say.

    Write the hypotheses as h_0, ..., h_N, each contained in the one before. The *depth* of a point
    is the number of those that contain it, and they are the first ones. From (x, 1) the smallest
    hypothesis that contains x is rebuilt, or h_0 if none does; from (x, 0) the largest that does
    not contain x, or h_N if all do.

    Parameters
    ----------
    H
        A finite class, its rows in any order.

    Raises
    ------
    InvalidInput
        The class is empty, or two of its hypotheses are not nested.

    Notes
    -----
    Some example of the sample rebuilds a hypothesis with the fewest errors. Let h_i be such. When
    the sample has points of depth i, 0 < i <= N, replacing h_i by h_(i-1) labels them 1 and changes
    nothing else; this does not lower the errors, so at least half of these examples have the label
    0, and each such rebuilds h_i. When it has points of depth i + 1 <= N, replacing h_i by h_(i+1)
    labels them 0, so at least half of these have the label 1, and each such rebuilds h_i. When it
    has neither, the neighbours of h_i in the chain make as many errors, and the argument applies to
    them; and when it has no depth but 0 and N + 1, all hypotheses make as many.

    ``O(n + N)`` after ``O(N |X|)`` for the class. Compare CLNRW16, Theorem 24.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> scheme = ChainScheme(thresholds(4))
    >>> S = Sample([0, 1, 2, 3], [0, 1, 0, 1])
    >>> scheme.compress(S), [scheme.run(S)(x) for x in range(4)]
    ((0,), [0, 1, 1, 1])
    """

    selection = Selection.SUBSET

    def __init__(self, H: classes.FiniteClass) -> None:
        require_inhabited(H)
        sizes = H.table.sum(axis=1, dtype=np.int64)
        self._order: list[int] = np.argsort(-sizes, kind="stable").tolist()
        for outer, inner in pairwise(self._order):
            if (H.table[inner] > H.table[outer]).any():
                given = f"rows {outer} and {inner}, none of which contains the other"
                raise InvalidInput("H", given, "a class of nested hypotheses")
        self._depths: list[int] = H.table.sum(axis=0, dtype=np.int64).tolist()
        self._class = H

    @property
    def family(self) -> classes.FiniteClass:
        """The class."""
        return self._class

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 1.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return 1

    def _depth(self, point: Hashable) -> int:
        return self._depths[self._class.column(point)]

    def _place(self, point: Hashable, label: int) -> int:
        """Return the place in the chain of the hypothesis that an example rebuilds."""
        depth = self._depth(point)
        return max(depth - 1, 0) if label else min(depth, len(self._order) - 1)

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        # A point of depth d adds to the errors of h_i when i < d and its label is 0, or when
        # i >= d and its label is 1: the changes at d are summed up along the chain.
        changes = [0] * (len(self._order) + 1)
        counts = Counter(zip(sample.points, sample.labels, strict=True))
        for (point, label), count in counts.items():
            changes[self._depth(point)] += count if label else -count
        errors = np.cumsum(changes[:-1]).tolist()
        point, label = min(counts, key=lambda example: errors[self._place(*example)])
        return (first_indices(sample, label)[point],)

    def reconstruct(self, kept: Sample[Hashable], /) -> classes.Row:
        """Return the hypothesis next to the kept example.

        Raises
        ------
        InvalidInput
            There is not one example, or its point is not in the domain.
        """
        require_kept(kept, 1)
        return self._class[self._order[self._place(kept.points[0], kept.labels[0])]]
