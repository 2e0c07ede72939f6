"""Halfspaces: the few examples on the margin rebuild the hard-margin separator, exactly."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import islice
from typing import ClassVar

from pac_stability.arguments import as_size, described
from pac_stability.classes import Halfspace, Halfspaces
from pac_stability.classes.exact import Vector, exact_vector
from pac_stability.compression._max_margin import Point, closest_points, dot
from pac_stability.compression.scheme import ProperScheme, subsample
from pac_stability.compression.selections import Selection
from pac_stability.data import Sample
from pac_stability.data.required import require_sample
from pac_stability.errors import NotRealizable


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


class HalfspaceScheme(ProperScheme[Halfspace]):
    """Keep p + 1 examples of a separable sample in ``R^p`` and rebuild its widest separator.

    The halfspace is the same as for the whole sample, so it does not depend on the order in which
    the examples come. Examples that are all labelled 1 are cut off at their least first coordinate,
    and those that are all labelled 0 at one more than their greatest. Fewer than p + 1 examples are
    all kept.

    Parameters
    ----------
    dimension
        p, the number of coordinates of a point, at least 1.

    Raises
    ------
    InvalidInput
        ``dimension`` is not such an integer; on use, a point is no tuple of p finite numbers.
    NotSeparable
        On use: no halfspace fits the examples, as a few of them show.

    Notes
    -----
    The support vectors of a hard-margin machine determine it, and p + 1 of them do. This needs a
    separable sample: a machine with a soft margin neither makes the fewest errors nor has so few
    support vectors, so the remark of CLNRW16 that such machines compress without modification is
    about this scheme.

    Numbers are exact: a float is the dyadic rational that it stores. See
    :func:`pac_stability.compression._max_margin.closest_points` for the algorithm: thousands of
    points in the plane take well under a second.

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
    selection: Selection = Selection.SUBSET

    def __init__(self, dimension: int) -> None:
        self._family = Halfspaces(dimension)

    @property
    def family(self) -> Halfspaces:
        """The class of closed halfspaces."""
        return self._family

    def size(self, n: int) -> int:
        """Return p + 1, or n when that is less.

        Parameters
        ----------
        n
            The size of the samples.
        """
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
            There are none, or a point is no tuple of p finite numbers.
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

    def _vectors(self, sample: Sample[Hashable]) -> list[Vector]:
        return [exact_vector(point, self._family.dimension) for point in sample.points]


def _separate(sample: Sample[Hashable], points: Sequence[Point]) -> tuple[Point, list[int]]:
    """Return the direction of the largest margin, and indices of examples that determine it."""
    sides: tuple[list[int], list[int]] = ([], [])
    for index, label in enumerate(sample.labels):
        sides[label].append(index)
    zeros, ones = sides
    closest = closest_points([points[i] for i in ones], [points[i] for i in zeros])
    support = sorted([ones[i] for i in closest.first] + [zeros[i] for i in closest.second])
    if closest.meet:
        raise NotSeparable(subsample(sample, tuple(support)))
    return closest.direction, support


def _one_sided(vectors: Sequence[Vector], label: int) -> Halfspace:
    """Return a halfspace that contains all the points, or none, by the first coordinate."""
    first = [Fraction(vector[0]) for vector in vectors]
    cut = min(first) if label else max(first) + 1
    return Halfspace((cut.denominator, *[0] * (len(vectors[0]) - 1)), -cut.numerator)


def _in_integers(vectors: Sequence[Vector]) -> tuple[list[Point], int]:
    """Return the points times the least common denominator of all coordinates, and that."""
    scale = math.lcm(*(x.denominator for vector in vectors for x in vector))
    return [
        tuple(x.numerator * (scale // x.denominator) for x in vector) for vector in vectors
    ], scale
