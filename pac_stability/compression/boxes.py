"""Axis-parallel boxes: the extreme positive examples along each axis."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from pac_stability.classes import Box, Boxes, least_errors
from pac_stability.classes.exact import Vector, exact_vector
from pac_stability.compression._kept import require_kept
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Sample


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
    examples. For others every pattern of boxes on the sample is listed, ``O(n^(2p))`` of them at
    most. Size as in CLNRW16, Definition 14; the VC dimension is 2p.

    Examples
    --------
    >>> scheme = BoxScheme(2)
    >>> S = Sample([(0, 0), (1, 2), (2, 1), (3, 3)], [0, 1, 1, 0])
    >>> scheme.compress(S), scheme.run(S)
    ((1, 2, 2, 1), Box(low=(1, 1), high=(2, 2)))
    """

    selection = Selection.MULTISET

    def __init__(self, dimension: int) -> None:
        self._family = Boxes(dimension)

    @property
    def family(self) -> Boxes:
        """The boxes of R^p."""
        return self._family

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 2p."""
        return 2 * self._family.dimension

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        p = self._family.dimension
        points = [exact_vector(point, p) for point in sample.points]
        positive = [i for i, label in enumerate(sample.labels) if label]
        negative = [i for i, label in enumerate(sample.labels) if not label]
        box = self._bounding_box(points[i] for i in positive)
        if any(_contains(box, points[i]) for i in negative):
            best, _ = least_errors(self._family, sample)
            assert isinstance(best, Box)  # noqa: S101  # what the family consists of
            positive = [i for i in positive if _contains(best, points[i])]
        if not positive:
            return (negative[0],) * (2 * p)
        return tuple(
            extreme(positive, key=lambda i: points[i][axis])
            for axis in range(p)
            for extreme in (min, max)
        )

    def _bounding_box(self, points: Iterable[Vector]) -> Box:
        sides = list(zip(*points, strict=True))
        if not sides:
            return Box((1,) * self._family.dimension, (0,) * self._family.dimension)
        return Box(tuple(map(min, sides)), tuple(map(max, sides)))

    def reconstruct(self, kept: Sample[Hashable], /) -> Box:
        """Return the bounding box of the positive examples among those kept.

        Raises
        ------
        InvalidInput
            There are not 2p examples, or a point is no vector of p real numbers.
        """
        p = self._family.dimension
        require_kept(kept, 2 * p)
        return self._bounding_box(exact_vector(z.point, p) for z in kept if z.label)


def _contains(box: Box, point: Vector) -> bool:
    return all(low <= x <= high for low, x, high in zip(box.low, point, box.high, strict=True))
