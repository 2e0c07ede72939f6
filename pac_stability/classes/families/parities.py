"""Parities: linear, or affine, functionals over the field with two elements."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.exact import bit_vector
from pac_stability.classes.family import EnumeratingFamily
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.known import KnownValue
from pac_stability.classes.limits import MAX_EXPONENT, check_cells

Bits = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parity:
    """The hypothesis ``constant + sum_i weights[i] x_i`` modulo 2."""

    weights: Bits
    constant: int = 0

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of bits."""
        bits = bit_vector(point, len(self.weights))
        return (sum(w & x for w, x in zip(self.weights, bits, strict=True)) + self.constant) % 2


class Parities(EnumeratingFamily[Bits]):
    """Parities of the coordinates of ``{0, 1}^k``; points are tuples of ``k`` bits.

    On points of rank ``r`` there are ``2^r`` patterns.  The representatives are the functionals
    that only look at the pivot coordinates of the points' span, which depend on the span alone.
    ``O(m k^2)`` for the elimination, then the size of the table.

    Parameters
    ----------
    k
        Number of coordinates.
    affine
        Whether a constant may be added; then the rank is that of the points with a further
        coordinate 1.

    Examples
    --------
    >>> patterns = Parities(3).restrict([(1, 1, 0), (0, 1, 1), (1, 0, 1)])
    >>> len(patterns), patterns.representatives[-1].weights
    (4, (1, 1, 0))
    """

    def __init__(self, k: int, *, affine: bool = False) -> None:
        self.k: int = as_size(k, "k")
        self.affine = affine

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return _parities_known(self.k + self.affine, None if self.affine else self.k)

    def growth_bound(self, m: int) -> int:
        """Largest number of patterns on ``m`` points: reached when they are independent."""
        return int(2 ** min(m, self.k + self.affine))

    def _point(self, point: Hashable) -> Bits:
        return bit_vector(point, self.k)

    def _order(self, points: Iterable[Bits]) -> list[Bits]:
        return sorted(points)

    def _patterns(self, points: list[Bits]) -> tuple[Words, Callable[[int], Parity]]:
        vectors = [(*point, *([1] if self.affine else [])) for point in points]
        pivots = _pivots(vectors)
        check_cells("parities", 2 ** len(pivots), len(points))
        values = np.array([[v[pivot] for v in vectors] for pivot in pivots], dtype=np.uint8)
        words = np.zeros((1, -(-len(points) // 64)), dtype=np.uint64)
        # The last pivot is the lowest bit of the number of a functional.
        for column in bits.pack(values.reshape(len(pivots), len(vectors)))[::-1]:
            words = np.concatenate((words, words ^ column))

        def parity(row: int) -> Parity:
            spread = [0] * (self.k + self.affine)
            for place, pivot in enumerate(reversed(pivots)):
                spread[pivot] = row >> place & 1
            return Parity(tuple(spread[: self.k]), spread[self.k] if self.affine else 0)

        return words, parity


def _pivots(vectors: Iterable[Bits]) -> list[int]:
    """Positions of the leading ones of a reduced basis of the span, increasing."""
    basis: dict[int, int] = {}  # leading position -> vector, as an integer read from the left
    for vector in vectors:
        value = int("".join(map(str, vector)) or "0", 2)
        while value:
            lead = len(vector) - value.bit_length()
            if lead not in basis:
                basis[lead] = value
                break
            value ^= basis[lead]
    return sorted(basis)


def _parities_known(dimension: int, dual: int | None) -> Mapping[str, KnownValue]:
    source = "counted: 2^d functionals, and d independent points are shattered"
    rank = "a half graph is triangular, so no longer than the rank over GF(2)"
    known = {
        "littlestone": KnownValue(dimension, source),
        "vc": KnownValue(dimension, source),
        "threshold": KnownValue(dimension, f"{source}; {rank}"),
    }
    if dual is not None:
        known["dual_vc"] = KnownValue(dual, "counted: the table x . y is symmetric")
    return known


def parities(k: int) -> FiniteClass:
    """All parities on all of ``{0, 1}^k``: ``2^k`` hypotheses on ``2^k`` points.

    Examples
    --------
    >>> parities(1).domain, parities(1).table.tolist()
    (((0,), (1,)), [[0, 0], [0, 1]])
    """
    family = Parities(as_size(k, "k", most=MAX_EXPONENT))
    check_cells("parities", 2**family.k, 2**family.k)
    return family.restrict(product((0, 1), repeat=family.k)).with_known(family.known)
