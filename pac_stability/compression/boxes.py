"""Axis-parallel boxes: the extreme positive examples along each axis."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import isfinite
from typing import ClassVar

from pac_stability.classes import Box, Boxes, ErrorCounter
from pac_stability.classes.exact import exact_vector
from pac_stability.compression._kept import require_kept
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Sample

Coordinates = tuple[int | float | Fraction, ...]
"""A point whose coordinates Python compares exactly."""


class BoxScheme(ProperScheme[Box]):
    """Axis-parallel boxes of R^p, the empty one included, from 2p examples.

    Kept are, along each axis, the least and the greatest of the positive examples in a box with the
    fewest errors, often the same ones several times; for the empty box, one negative example 2p
    times. Rebuilt is the bounding box of the positive examples among those kept.

    Parameters
    ----------
    dimension
        Number p of coordinates, at least 1.

    Raises
    ------
    InvalidInput
        ``dimension`` is no such integer.

    Notes
    -----
    The bounding box of the positive examples in a box is contained in that box and contains the
    same positive examples, so it has as few errors. When there are none, the empty box has the
    fewest errors, and some example is negative: otherwise the bounding box of them all had none.

    Realizable samples of n examples take ``O(n p)``: their box is the bounding box of all positive
    examples. For others the bounding boxes of positive examples are compared, of which b examples
    have ``O(b^(2p))``. Size in the sense of CLNRW16, Definition 14; the VC dimension is 2p.

    Examples
    --------
    >>> scheme = BoxScheme(2)
    >>> S = Sample([(0, 0), (1, 2), (2, 1), (3, 3)], [0, 1, 1, 0])
    >>> scheme.compress(S), scheme.run(S)
    ((1, 2, 2, 1), Box(low=(1, 1), high=(2, 2)))
    """

    symmetric: ClassVar[bool] = True
    selection = Selection.MULTISET

    def __init__(self, dimension: int) -> None:
        self._family = Boxes(dimension)

    @property
    def family(self) -> Boxes:
        """The boxes of R^p."""
        return self._family

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 2p.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return 2 * self._family.dimension

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
            There are not 2p examples, or a point is no vector of p real numbers.
        """
        p = self._family.dimension
        require_kept(kept, 2 * p)
        vectors = [exact_vector(point, p) for point in kept.points]
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
    return exact_vector(point, dimension)


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
