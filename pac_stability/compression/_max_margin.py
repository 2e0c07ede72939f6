"""The closest points of two convex hulls, exactly: what a hard-margin separator is made of."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClosestPoints:
    """The closest points of the hulls of two finite sets, as few of the points tell them.

    Attributes
    ----------
    direction
        A positive integer multiple of the closest point of the first hull minus that of the second;
        0 when the hulls meet.
    first, second
        Indices of points of either set. When the hulls do not meet these are at most p + 1 in all,
        and the sets of these points alone have the same direction and the same margin; when they
        meet, these are at most p + 2, and their hulls meet.
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
    The difference of the hulls is the hull of the differences. Its point of least norm is sought as
    that of the affine hull of a few of them (a corral), which changes by one difference at a time
    [Wolfe 1976, *Finding the nearest point in a polytope*]. No corral returns, as the norm falls,
    so exact arithmetic ends with certainty. A step takes ``O(n p)`` multiplications of integers and
    the solution of at most p linear equations.

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

    The vectors are affinely independent.
    """
    origin, *others = vectors
    edges = [_minus(vector, origin) for vector in others]
    equations = [[Fraction(dot(a, b)) for b in edges] + [Fraction(-dot(a, origin))] for a in edges]
    for column, pivot in enumerate(equations):
        # The leading minors of the Gram matrix are positive: no pivot is 0.
        for row in equations:
            if row is not pivot and row[column]:
                factor = row[column] / pivot[column]
                for place in range(column, len(row)):
                    row[place] -= factor * pivot[place]
    solution = [row[-1] / row[index] for index, row in enumerate(equations)]
    return [1 - sum(solution, Fraction(0)), *solution]


def _dependency(vectors: Sequence[Point]) -> list[Fraction] | None:
    """Coefficients, one of them positive, with which the vectors sum to 0; ``None`` if none do."""
    reduced: list[tuple[int, list[Fraction], list[Fraction]]] = []
    for index, vector in enumerate(vectors):
        rest = [Fraction(x) for x in vector]
        made_of = [Fraction(0)] * len(vectors)
        made_of[index] = Fraction(1)
        for lead, row, parts in reduced:
            factor = rest[lead] / row[lead]
            if factor:
                rest = [x - factor * y for x, y in zip(rest, row, strict=True)]
                made_of = [x - factor * y for x, y in zip(made_of, parts, strict=True)]
        lead = next((place for place, x in enumerate(rest) if x), -1)
        if lead < 0:
            return made_of
        reduced.append((lead, rest, made_of))
    return None


def _combination(weights: Sequence[Fraction], vectors: Sequence[Point]) -> tuple[Point, int]:
    """Return ``scale`` times the combination, in integers, and the scale."""
    scale = math.lcm(*(weight.denominator for weight in weights))
    factors = [weight.numerator * (scale // weight.denominator) for weight in weights]
    return tuple(dot(factors, entries) for entries in zip(*vectors, strict=True)), scale


def dot(x: Sequence[int], y: Sequence[int]) -> int:
    return sum(map(operator.mul, x, y))


def _minus(x: Point, y: Point) -> Point:
    return tuple(map(operator.sub, x, y))
