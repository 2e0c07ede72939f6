"""Boxes and halfspaces in any number of dimensions.

The extreme positive examples along each axis rebuild a box. The few examples on the margin rebuild
the hard-margin separator, exactly: it lies between the closest points of two convex hulls.

Thresholds, intervals, unions of intervals and chains: one or two examples for each border.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from math import isfinite
from typing import ClassVar

import numpy as np

from pac_stability import classes
from pac_stability.arguments import as_size, described
from pac_stability.classes import Box, Boxes, ErrorCounter, Halfspace, Halfspaces, validation
from pac_stability.classes.family import require_inhabited
from pac_stability.compression import scheme
from pac_stability.data import Sample
from pac_stability.data.sample import first_indices, require_sample
from pac_stability.errors import InvalidInput, NotRealizable

Coordinates = tuple[int | float | Fraction, ...]
"""A point whose coordinates Python compares exactly."""


class BoxScheme(scheme.OfOneFamily[Boxes], scheme.ProperScheme[Box]):
    """Axis-parallel boxes of R^p, the empty one included, from 2p examples.

    Along each axis the scheme keeps the least and the greatest of the positive examples in a box
    with the fewest errors, often the same ones several times. For the empty box it keeps one
    negative example 2p times. It rebuilds the bounding box of the positive examples among those
    kept.

    Parameters
    ----------
    dimension
        Number p of coordinates, at least 1.

    Raises
    ------
    InvalidInput
        ``dimension`` is not such an integer.

    Notes
    -----
    The bounding box of the positive examples in a box is contained in that box and contains the
    same positive examples, so it has as few errors. When there are none, the empty box has the
    fewest errors and some example is negative; otherwise the bounding box of all examples would
    make no error.

    Realizable samples of n examples take ``O(n p)``: their box is the bounding box of all positive
    examples. For others it compares the bounding boxes of positive examples, ``O(b^(2p))`` for b
    positive examples. Size in the sense of CLNRW16, Definition 14; the VC dimension is 2p.

    Examples
    --------
    >>> scheme = BoxScheme(2)
    >>> S = Sample([(0, 0), (1, 2), (2, 1), (3, 3)], [0, 1, 1, 0])
    >>> scheme.compress(S), scheme.run(S)
    ((1, 2, 2, 1), Box(low=(1, 1), high=(2, 2)))
    """

    symmetric: ClassVar[bool] = True
    selection = scheme.Selection.MULTISET

    def __init__(self, dimension: int) -> None:
        self._family = Boxes(dimension)
        self._size = 2 * self._family.dimension

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        p = self._family.dimension
        points = [_comparable(point, p) for point in sample.points]
        positive = [i for i, label in enumerate(sample.labels) if label]
        negative = [i for i, label in enumerate(sample.labels) if not label]
        ends = _extremes(points, positive)
        if ends and any(_is_between(points, i, ends) for i in negative):
            boxes = self._family.representatives_on(points[i] for i in positive)
            best = boxes[int(ErrorCounter(sample).count(boxes).argmin())]
            ends = _extremes(points, [i for i in positive if best(points[i])])
        return ends or (negative[0],) * (2 * p)

    def reconstruct(self, kept: Sample[Hashable], /) -> Box:
        """Return the bounding box of the positive examples among those kept.

        Raises
        ------
        InvalidInput
            There are not 2p examples, or a point is not a vector of p real numbers.
        """
        p = self._family.dimension
        scheme.require_kept(kept, 2 * p)
        vectors = [validation.exact_vector(point, p) for point in kept.points]
        positive = [vector for vector, label in zip(vectors, kept.labels, strict=True) if label]
        if not positive:
            return Box((1,) * p, (0,) * p)
        axes = list(zip(*positive, strict=True))
        return Box(tuple(map(min, axes)), tuple(map(max, axes)))


def _comparable(point: Hashable, dimension: int) -> Coordinates:
    """Check a point; floats are spared the making of fractions."""
    if (
        isinstance(point, tuple)
        and len(point) == dimension
        and all(type(x) is float and isfinite(x) for x in point)
    ):
        return point
    return validation.exact_vector(point, dimension)


def _extremes(points: Sequence[Coordinates], among: Sequence[int]) -> tuple[int, ...]:
    """Return, axis by axis, the indices of a least and of a greatest point; none of none."""
    if not among:
        return ()
    return tuple(
        extreme(among, key=lambda i: points[i][axis])
        for axis in range(len(points[among[0]]))
        for extreme in (min, max)
    )


def _is_between(points: Sequence[Coordinates], index: int, ends: Sequence[int]) -> bool:
    """Return whether a point lies in the box that the extremes span."""
    sides = zip(points[index], ends[::2], ends[1::2], strict=True)
    return all(
        points[low][axis] <= x <= points[high][axis] for axis, (x, low, high) in enumerate(sides)
    )


# The closest points of two convex hulls

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClosestPoints:
    """The closest points of the hulls of two finite sets, and the few points that determine them.

    Attributes
    ----------
    direction
        A positive integer multiple of the closest point of the first hull minus that of the second;
        0 when the hulls meet.
    first, second
        Indices of points of either set. When the hulls do not meet, these are at most p + 1 points,
        which alone give the same direction and the same margin. When the hulls meet, these are at
        most p + 2 points with hulls that meet.
    """

    direction: Point
    first: tuple[int, ...]
    second: tuple[int, ...]

    @property
    def meet(self) -> bool:
        """Whether the hulls have a common point."""
        return not any(self.direction)


def closest_points(first: Sequence[Point], second: Sequence[Point]) -> ClosestPoints:
    """Return the closest points of two hulls, by Wolfe's algorithm in exact arithmetic.

    Parameters
    ----------
    first, second
        Points with p integer coordinates, at least one each.

    Notes
    -----
    The difference of the hulls is the hull of the differences. Its point of least norm is that of
    the affine hull of a few of them (a corral), which the algorithm changes by one difference at a
    time [Wolfe 1976, *Finding the nearest point in a polytope*]. The norm falls, so no corral
    returns, and exact arithmetic certainly ends. A step takes ``O(n p)`` multiplications of
    integers and the solution of at most p linear equations.

    At the end the difference is a combination of the points with coefficients ``a_i >= 0``, of
    sum 1 on either side. The equations ``sum +-a_i x_i = w`` and ``sum +-a_i = 0`` are p + 1, so a
    solution with at most p + 1 positive coefficients exists. It is again the optimum: the points
    with positive coefficients lie on the two margins, so ``w . w = s w . w`` for the common sum s.
    """
    corral: list[tuple[int, int]] = [(0, 0)]
    weights = [Fraction(1)]
    while True:
        differences = [_minus(first[i], second[j]) for i, j in corral]
        w, scale = _combination(weights, differences)
        i = min(range(len(first)), key=[dot(w, x) for x in first].__getitem__)
        j = max(range(len(second)), key=[dot(w, x) for x in second].__getitem__)
        candidate = _minus(first[i], second[j])
        if scale * dot(w, candidate) >= dot(w, w):
            return _thinned(w, first, second, zip(corral, weights, strict=True))
        corral.append((i, j))
        weights.append(Fraction(0))
        differences.append(candidate)
        while min(best := _affine_minimiser(differences)) <= 0:
            step = min(
                old / (old - new) for old, new in zip(weights, best, strict=True) if new <= 0
            )
            moved = [old + step * (new - old) for old, new in zip(weights, best, strict=True)]
            left = [index for index, weight in enumerate(moved) if weight]
            corral = [corral[index] for index in left]
            weights = [moved[index] for index in left]
            differences = [differences[index] for index in left]
        weights = best


def _thinned(
    w: Point,
    first: Sequence[Point],
    second: Sequence[Point],
    pairs: Iterable[tuple[tuple[int, int], Fraction]],
) -> ClosestPoints:
    """Keep few of the points whose combination is ``w``: Caratheodory's theorem."""
    # When the hulls meet, the sum of the coefficients must be kept too, so that not all vanish.
    last = () if any(w) else (1,)
    coefficients: dict[tuple[int, int], Fraction] = {}
    for (i, j), weight in pairs:
        for key in ((0, i), (1, j)):
            coefficients[key] = coefficients.get(key, Fraction(0)) + weight
    vectors = {
        (side, index): (*first[index], 1, *last)
        if side == 0
        else (*(-x for x in second[index]), -1, *last)
        for side, index in coefficients
    }
    while (dependency := _dependency([vectors[key] for key in coefficients])) is not None:
        change = dict(zip(coefficients, dependency, strict=True))
        step = min(coefficients[key] / c for key, c in change.items() if c > 0)
        moved = {key: a - step * change[key] for key, a in coefficients.items()}
        coefficients = {key: a for key, a in moved.items() if a}
    kept = sorted(coefficients)
    return ClosestPoints(
        w,
        tuple(index for side, index in kept if side == 0),
        tuple(index for side, index in kept if side == 1),
    )


def _affine_minimiser(vectors: Sequence[Point]) -> list[Fraction]:
    """Coefficients, of sum 1, of the point of least norm of an affine hull.

    The vectors are affinely independent, so the Gram matrix of the edges is regular.
    """
    # Imported here because importing python-flint takes longer than the rest of the library.
    from flint import fmpq_mat  # noqa: PLC0415  # slow to import

    origin, *others = vectors
    edges = [_minus(vector, origin) for vector in others]
    gram = fmpq_mat(len(edges), len(edges), [dot(a, b) for a in edges for b in edges])
    right = fmpq_mat(len(edges), 1, [-dot(a, origin) for a in edges])
    solution = [Fraction(int(x.p), int(x.q)) for x in gram.solve(right).entries()]
    return [1 - sum(solution, Fraction(0)), *solution]


def _dependency(vectors: Sequence[Point]) -> list[Fraction] | None:
    """Coefficients, one of them positive, with which the vectors sum to 0; ``None`` if none do.

    The first vector that depends on those before it has the coefficient 1, and later ones have 0.
    """
    from flint import fmpq_mat  # noqa: PLC0415  # slow to import

    count = len(vectors)
    matrix = fmpq_mat(count, len(vectors[0]), [x for vector in vectors for x in vector])
    reduced, rank = matrix.transpose().rref()
    if rank == count:
        return None
    first = next((k for k in range(rank) if reduced[k, k] == 0), rank)
    made_of = [-Fraction(int(x.p), int(x.q)) for x in (reduced[k, first] for k in range(first))]
    return [*made_of, Fraction(1), *[Fraction(0)] * (count - first - 1)]


def _combination(weights: Sequence[Fraction], vectors: Sequence[Point]) -> tuple[Point, int]:
    """Return ``scale`` times the combination, in integers, and the scale."""
    scale = math.lcm(*(weight.denominator for weight in weights))
    factors = [weight.numerator * (scale // weight.denominator) for weight in weights]
    return tuple(dot(factors, entries) for entries in zip(*vectors, strict=True)), scale


def dot(x: Sequence[int], y: Sequence[int]) -> int:
    """Return the inner product of two vectors of integers."""
    return sum(map(operator.mul, x, y))


def _minus(x: Point, y: Point) -> Point:
    return tuple(map(operator.sub, x, y))


# Halfspaces


class NotSeparable(NotRealizable):
    """No halfspace fits the examples.

    Attributes
    ----------
    witness
        At most p + 2 of the examples; the hull of those labelled 1 meets that of the others.
    """

    def __init__(self, witness: Sample[Hashable]) -> None:
        shown = ", ".join(f"({described(z.point)}, {z.label})" for z in witness)
        super().__init__(f"no halfspace fits the examples {shown}: their hulls meet")
        self.witness = witness

    def __reduce__(self) -> tuple[type[NotSeparable], tuple[Sample[Hashable]]]:
        return type(self), (self.witness,)


class HalfspaceScheme(scheme.OfOneFamily[Halfspaces], scheme.ProperScheme[Halfspace]):
    """Keep p + 1 examples of a separable sample in ``R^p`` and rebuild its widest separator.

    The halfspace is the same as for the whole sample, so it does not depend on the order of the
    examples. If all examples have label 1, the cut is at their least first coordinate; if all have
    label 0, it is at one more than their greatest. It keeps all of fewer than p + 1 examples.

    Parameters
    ----------
    dimension
        p, the number of coordinates of a point, at least 1.

    Raises
    ------
    InvalidInput
        ``dimension`` is not such an integer; on use, a point is not a tuple of p finite numbers.
    NotSeparable
        On use: no halfspace fits the examples; the exception has a few of them that prove it.

    Notes
    -----
    The support vectors of a hard-margin machine determine it, and p + 1 of them do. This needs a
    separable sample: a machine with a soft margin neither makes the fewest errors nor has so few
    support vectors, so the remark of CLNRW16 that such machines compress without modification
    applies to this scheme.

    Numbers are exact: a float is the dyadic rational that it stores. See
    :func:`closest_points` for the algorithm: thousands of points in the plane take well under a
    second.

    Examples
    --------
    >>> from pac_stability.data import Sample
    >>> S = Sample([(0, 0), (1, 5), (3, 0), (4, 4), (-7, 2)], [0, 0, 1, 1, 0])
    >>> scheme = HalfspaceScheme(2)
    >>> kept = scheme.keep(S)
    >>> kept.points, scheme.reconstruct(kept)
    (((0, 0), (1, 5), (3, 0)), Halfspace(weights=(10, -2), bias=-15))
    >>> S.count_errors(scheme.run(S))
    0
    """

    symmetric: ClassVar[bool] = True
    agnostic: ClassVar[bool] = False
    selection: scheme.Selection = scheme.Selection.SUBSET

    def __init__(self, dimension: int) -> None:
        self._family = Halfspaces(dimension)

    def size(self, n: int) -> int:
        """Return p + 1, or n when that is less."""
        return min(as_size(n, "n"), self._family.dimension + 1)

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        vectors = self._vectors(sample)
        if len(set(sample.labels)) == 1:
            extreme = min if sample.labels[0] else max
            needed = [vectors.index(extreme(vectors))]
        else:
            _, needed = _separate(sample, _in_integers(vectors)[0])
        # A further example of a separable sample does not change what these determine.
        others = (index for index in range(len(sample)) if index not in needed)
        return tuple(sorted([*needed, *islice(others, self.size(len(sample)) - len(needed))]))

    def reconstruct(self, kept: Sample[Hashable], /) -> Halfspace:
        """Return the halfspace of largest margin of the kept examples.

        Raises
        ------
        InvalidInput
            There are no examples, or a point is not a tuple of p finite numbers.
        NotSeparable
            No halfspace fits them.
        """
        require_sample(kept, 1, "kept")
        vectors = self._vectors(kept)
        if len(set(kept.labels)) == 1:
            return _one_sided(vectors, kept.labels[0])
        points, scale = _in_integers(vectors)
        w, _ = _separate(kept, points)
        heights = [dot(w, point) for point in points]
        inner = min(height for height, label in zip(heights, kept.labels, strict=True) if label)
        outer = max(height for height, label in zip(heights, kept.labels, strict=True) if not label)
        weights, bias = [2 * scale * x for x in w], -(inner + outer)
        common = math.gcd(*weights, bias)
        return Halfspace(tuple(x // common for x in weights), bias // common)

    def _vectors(self, sample: Sample[Hashable]) -> list[validation.Vector]:
        return [validation.exact_vector(point, self._family.dimension) for point in sample.points]


def _separate(sample: Sample[Hashable], points: Sequence[Point]) -> tuple[Point, list[int]]:
    """Return the direction of the largest margin, and indices of examples that determine it."""
    sides: tuple[list[int], list[int]] = ([], [])
    for index, label in enumerate(sample.labels):
        sides[label].append(index)
    zeros, ones = sides
    closest = closest_points([points[i] for i in ones], [points[i] for i in zeros])
    support = sorted([ones[i] for i in closest.first] + [zeros[i] for i in closest.second])
    if closest.meet:
        raise NotSeparable(scheme.subsample(sample, tuple(support)))
    return closest.direction, support


def _one_sided(vectors: Sequence[validation.Vector], label: int) -> Halfspace:
    """Return a halfspace that contains all the points, or none, by the first coordinate."""
    first = [Fraction(vector[0]) for vector in vectors]
    cut = min(first) if label else max(first) + 1
    return Halfspace((cut.denominator, *[0] * (len(vectors[0]) - 1)), -cut.numerator)


def _in_integers(vectors: Sequence[validation.Vector]) -> tuple[list[Point], int]:
    """Return the points times the least common denominator of all coordinates, and that."""
    scale = math.lcm(*(x.denominator for vector in vectors for x in vector))
    return [
        tuple(x.numerator * (scale // x.denominator) for x in vector) for vector in vectors
    ], scale


# Thresholds, intervals, unions of intervals and chains: one or two examples for each border


class ThresholdScheme(
    scheme.OfOneFamily[classes.Thresholds | classes.SignedThresholds],
    scheme.ProperScheme[classes.Threshold],
):
    """Thresholds on the reals, of one orientation or of both, from one example.

    The label of the kept example (x, y) determines the side of x of the cut, or the orientation of
    the threshold:

    ======  =============  ================
    kept    Thresholds     SignedThresholds
    ======  =============  ================
    (x, 1)  ``1[. >= x]``  ``1[. >= x]``
    (x, 0)  ``1[. > x]``   ``1[. < x]``
    ======  =============  ================

    where ``1[. > x]`` stands for ``1[. >= x + 1]``: the scheme rebuilds it only from the largest
    point of the sample.

    Parameters
    ----------
    family
        ``Thresholds()``, by default, or ``SignedThresholds()``. A finite class of thresholds has a
        :class:`ChainScheme`.

    Raises
    ------
    InvalidInput
        The family is not one of these.

    Notes
    -----
    Why the needed example exists. Let the threshold with the fewest errors be ``1[. >= x]`` with x
    a point of the sample. Excluding x changes only the label of x, to 0, and does not lower the
    errors. So at least half of the examples at x have the label 1, and (x, 1) is one of them. For
    the same reason (x, 0) exists when ``1[. < x]`` has the fewest errors. This leaves the
    constants. A threshold that is 0 on the sample is, with both orientations, ``1[. < x]`` with x
    the least point; with one orientation it is ``1[. > x]`` with x the largest point, and as ``1[.
    >= x]`` makes no fewer errors there is an example (x, 0) again. ``O(n log n)``, as
    :func:`~pac_stability.classes.least_errors`.

    CLNRW16, Theorem 24; its proof keeps the extreme positive example, which need not exist and
    gives the fewest errors only on realizable samples. With both orientations the VC dimension is 2
    and the size is still 1: m points have 2m patterns, as many as there are examples.

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
    _size = 1
    selection = scheme.Selection.SUBSET

    def __init__(self, family: classes.Thresholds | classes.SignedThresholds | None = None) -> None:
        if not isinstance(family, classes.Thresholds | classes.SignedThresholds | None):
            raise InvalidInput(
                "family",
                described(family),
                "Thresholds() or SignedThresholds(); ChainScheme takes finite classes",
            )
        self._family = classes.Thresholds() if family is None else family

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        best, _ = classes.least_errors(self._family, sample)
        assert isinstance(best, classes.Threshold)  # noqa: S101  # what both families consist of
        at_cut = first_indices(sample, int(best.upward)).get(best.cut)
        if at_cut is not None:
            return (at_cut,)
        # The constant of the other label.
        others = first_indices(sample, int(not best.upward))
        extreme = min if isinstance(self._family, classes.SignedThresholds) else max
        return (others[extreme(others, key=validation.exact_number)],)

    def reconstruct(self, kept: Sample[Hashable], /) -> classes.Threshold:
        """Return the threshold at the kept example.

        Raises
        ------
        InvalidInput
            There is not one example, or it is not a real number.

        Examples
        --------
        >>> ThresholdScheme(classes.SignedThresholds()).reconstruct(Sample([2], [0]))
        Threshold(cut=2, upward=False)
        """
        scheme.require_kept(kept, 1)
        x, upward = validation.exact_number(kept.points[0]), bool(kept.labels[0])
        if isinstance(self._family, classes.SignedThresholds):
            return classes.Threshold(x, upward)
        return classes.Threshold(x if upward else x + 1)


# Intervals and unions of intervals: the extreme positive examples of each


class UnionOfIntervalsScheme(
    scheme.OfOneFamily[classes.UnionsOfIntervals], scheme.ProperScheme[classes.UnionOfIntervals]
):
    """Unions of at most k intervals, from 2k examples.

    The scheme keeps positive examples at the two ends of each interval, and repeats the last one if
    there are fewer than k intervals. For the empty union it keeps one negative example 2k times.
    Sorted, the positive points are the ends of the intervals, two by two, whatever their order. A
    repeated last one adds intervals of one point inside the last interval.

    Parameters
    ----------
    k
        Most intervals in a union, at least 0.

    Raises
    ------
    InvalidInput
        ``k`` is not such an integer.

    Notes
    -----
    Why these examples exist. Take a union with the fewest errors, of the fewest intervals among
    these, each shrunk to the points of the sample in it. Let x be an end of an interval. Without x
    the interval is shorter, or gone, and the union is still in the class. Only the label of x
    changes, and the errors do not become fewer, so at least half of the examples at x have the
    label 1. When the union is empty there is a negative example; otherwise it would be wrong
    everywhere, and one point alone would be better.

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
    selection = scheme.Selection.MULTISET

    def __init__(self, k: int) -> None:
        self._family = classes.UnionsOfIntervals(k)
        self._size = 2 * self._family.k

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
            There are not 2k examples, a point is not a real number, or an odd number of examples is
            positive.
        """
        scheme.require_kept(kept, 2 * self.family.k)
        ends = sorted(validation.exact_number(z.point) for z in kept if z.label)
        if len(ends) % 2:
            raise InvalidInput("kept", f"{len(ends)} positive examples", "an even number of them")
        intervals: list[tuple[validation.Number, validation.Number]] = []
        for low, high in zip(ends[::2], ends[1::2], strict=True):
            overlaps = intervals and low <= intervals[-1][1]
            intervals.append((intervals.pop()[0] if overlaps else low, high))
        return classes.UnionOfIntervals(tuple(intervals))


class IntervalScheme(UnionOfIntervalsScheme):
    """Intervals, the empty one included, from two examples.

    The scheme keeps positive examples at both ends of an interval with the fewest errors; for the
    empty interval, one negative example twice. :class:`UnionOfIntervalsScheme` proves that they
    exist.

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


class ChainScheme(scheme.OfOneFamily[classes.FiniteClass], scheme.ProperScheme[classes.Row]):
    """A finite class whose hypotheses are nested sets, from one example.

    Any finite set of thresholds is nested: ``classes.thresholds(n)``, say.

    Write the hypotheses as h_0, ..., h_N, each contained in the one before. The *depth* of a point
    is the number of hypotheses that contain it, which are the first ones. From (x, 1) the scheme
    rebuilds the smallest hypothesis that contains x, or h_0 if none does; from (x, 0) the largest
    that does not contain x, or h_N if all do.

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
    them; and when all depths are 0 or N + 1, all hypotheses make equally many.

    ``O(n + N)`` after ``O(N |X|)`` for the class. Compare CLNRW16, Theorem 24.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> scheme = ChainScheme(thresholds(4))
    >>> S = Sample([0, 1, 2, 3], [0, 1, 0, 1])
    >>> scheme.compress(S), [scheme.run(S)(x) for x in range(4)]
    ((0,), [0, 1, 1, 1])
    """

    _size = 1
    selection = scheme.Selection.SUBSET

    def __init__(self, H: classes.FiniteClass) -> None:
        require_inhabited(H)
        sizes = H.table.sum(axis=1, dtype=np.int64)
        self._order: list[int] = np.argsort(-sizes, kind="stable").tolist()
        for outer, inner in pairwise(self._order):
            if (H.table[inner] > H.table[outer]).any():
                given = f"rows {outer} and {inner}, none of which contains the other"
                raise InvalidInput("H", given, "a class of nested hypotheses")
        self._depths: list[int] = H.table.sum(axis=0, dtype=np.int64).tolist()
        self._family = H

    def _depth(self, point: Hashable) -> int:
        return self._depths[self._family.column(point)]

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
        scheme.require_kept(kept, 1)
        return self._family[self._order[self._place(kept.points[0], kept.labels[0])]]
