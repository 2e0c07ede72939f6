"""Families on the Boolean cube: parities over the field with two elements, and conjunctions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Words
from pac_stability.classes.family import EnumeratingFamily
from pac_stability.classes.finite_class import FiniteClass, KnownValue
from pac_stability.classes.validation import MAX_EXPONENT, bit_vector, check_cells

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
    that use only the pivot coordinates of the points' span, which depend on the span alone. ``O(m
    k^2)`` for the elimination, then the size of the table.

    Parameters
    ----------
    k
        Number of coordinates.
    affine
        Whether to allow an added constant; then the rank is that of the points with a further
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
        return _parities_known(self.k + self.affine, None if self.affine else self.k)

    def growth_bound(self, m: int) -> int:
        """Largest number of patterns on ``m`` points: reached when they are independent."""
        return int(2 ** min(m, self.k + self.affine))

    def _point(self, point: Hashable) -> Bits:
        return bit_vector(point, self.k)

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

    Parameters
    ----------
    k
        The number of variables.

    Examples
    --------
    >>> parities(1).domain, parities(1).table.tolist()
    (((0,), (1,)), [[0, 0], [0, 1]])
    """
    family = Parities(as_size(k, "k", most=MAX_EXPONENT))
    check_cells("parities", 2**family.k, 2**family.k)
    return family.restrict(product((0, 1), repeat=family.k)).with_known(family.known)


# Conjunctions of variables, or of literals


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The hypothesis that some coordinates are 1 and some are 0.

    Attributes
    ----------
    n
        Number of coordinates.
    ones, zeros
        The coordinates required to be 1 and 0, increasing.  When they overlap the conjunction is
        the constant 0; when both are empty, the constant 1.
    """

    n: int
    ones: tuple[int, ...]
    zeros: tuple[int, ...] = ()

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of ``n`` bits."""
        bits = bit_vector(point, self.n)
        return int(all(bits[i] for i in self.ones) and not any(bits[i] for i in self.zeros))


class MonotoneConjunctions(EnumeratingFamily[Bits]):
    """Conjunctions of variables on ``{0, 1}^n``, the empty one (constant 1) included.

    The patterns correspond to the coordinate-wise minima of sets of points, together with the
    all-ones vector; the representative of a pattern requires every variable it can.  Time is
    ``O(m)`` operations on ``n``-bit words for each pattern.

    Parameters
    ----------
    n
        Number of variables.

    Examples
    --------
    >>> patterns = MonotoneConjunctions(2).restrict([(0, 1), (1, 0)])
    >>> [h.ones for h in patterns.representatives]
    [(), (0,), (1,), (0, 1)]
    """

    def __init__(self, n: int) -> None:
        self.n: int = as_size(n, "n")

    @property
    def known(self) -> Mapping[str, KnownValue]:
        source = "counted: 2^n sets, and the n points with a single 0 are shattered"
        chain = "counted: nested sets of variables, from none to all n"
        return {
            "littlestone": KnownValue(self.n, source),
            "vc": KnownValue(self.n, source),
            "threshold": KnownValue(self.n + 1, chain),
        }

    def growth_bound(self, m: int) -> int:
        """Bound on the number of patterns on ``m`` points, reached for ``m <= n``."""
        return int(2 ** min(m, self.n))

    def _point(self, point: Hashable) -> Bits:
        return bit_vector(point, self.n)

    def _literals(self, point: Bits) -> Bits:
        """Values of everything that a conjunction may require."""
        return point

    def _hypothesis(self, required: frozenset[int]) -> Conjunction:
        return Conjunction(self.n, tuple(sorted(required)))

    def _patterns(self, points: list[Bits]) -> tuple[Words, Callable[[int], Conjunction]]:
        literals = [self._literals(point) for point in points]
        length = len(self._literals((0,) * self.n))
        values = [sum(bit << i for i, bit in enumerate(vector)) for vector in literals]
        minima = {2**length - 1}
        for value in values:
            minima |= {value & other for other in minima}
            check_cells("conjunctions", len(minima), len(points))
        requirements = sorted(minima)
        masks = [
            sum(1 << j for j, value in enumerate(values) if value & required == required)
            for required in requirements
        ]

        def conjunction(row: int) -> Conjunction:
            required = requirements[row]
            return self._hypothesis(frozenset(i for i in range(length) if required >> i & 1))

        return bits.from_masks(masks, len(points)), conjunction


class Conjunctions(MonotoneConjunctions):
    """Conjunctions of literals on ``{0, 1}^n``: each variable required to be 1, 0, both or neither.

    Requiring both gives the constant 0 (for ``n >= 1``).  Enumerated as monotone conjunctions of
    the ``2n`` literals.

    Examples
    --------
    >>> len(Conjunctions(2).restrict([(0, 0), (0, 1), (1, 0), (1, 1)]))
    10
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        source = "Natschlaeger & Schmitt 1996: n for n >= 2; two points are shattered for n = 1"
        return {"vc": KnownValue(2 if self.n == 1 else self.n, source)}

    def growth_bound(self, m: int) -> int:
        """Bound on the number of patterns on ``m`` points."""
        return int(min(2**m, 3**self.n + 1))

    def _literals(self, point: Bits) -> Bits:
        return (*point, *(1 - bit for bit in point))

    def _hypothesis(self, required: frozenset[int]) -> Conjunction:
        ones = tuple(i for i in range(self.n) if i in required)
        return Conjunction(self.n, ones, tuple(i for i in range(self.n) if i + self.n in required))


def monotone_conjunctions(n: int) -> FiniteClass:
    """All conjunctions of variables on ``{0, 1}^n``: ``2^n`` hypotheses on ``2^n`` points.

    Parameters
    ----------
    n
        The number of variables.

    Examples
    --------
    >>> monotone_conjunctions(1).table.tolist()
    [[1, 1], [0, 1]]
    """
    n = as_size(n, "n", most=MAX_EXPONENT)
    return _on_cube(MonotoneConjunctions(n), 2**n)


def conjunctions(n: int) -> FiniteClass:
    """All conjunctions of literals on ``{0, 1}^n``: ``3^n + 1`` hypotheses (one if ``n = 0``).

    Parameters
    ----------
    n
        The number of variables.

    Examples
    --------
    >>> len(conjunctions(3))
    28
    """
    n = as_size(n, "n", most=MAX_EXPONENT)
    return _on_cube(Conjunctions(n), 3**n + 1)


def _on_cube(family: MonotoneConjunctions, hypotheses: int) -> FiniteClass:
    check_cells("conjunctions", hypotheses, 2**family.n)
    return family.restrict(product((0, 1), repeat=family.n)).with_known(family.known)
