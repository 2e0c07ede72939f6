"""Families on the Boolean cube and over finite fields.

Parities over the field with two elements, and conjunctions; then affine subspaces over a prime
field: points, lines, planes, ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, product

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.bits import Table, Words
from pac_stability.classes.family import EnumeratingFamily
from pac_stability.classes.finite_class import FiniteClass, KnownValue
from pac_stability.classes.validation import MAX_EXPONENT, bit_vector, check_cells, residue_vector
from pac_stability.errors import InvalidInput

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


Residues = tuple[int, ...]

_LARGEST_PRIME = 2**20
_LARGEST_SPACE = 2**12


@dataclass(frozen=True, slots=True)
class AffineSubspace:
    """The hypothesis that is 1 on an affine subspace of ``GF(p)^n``.

    The description is canonical: equal subspaces have equal fields.

    Attributes
    ----------
    p
        The prime.
    base
        A point of the subspace, 0 where a basis vector has its leading entry.
    basis
        Reduced echelon basis of the directions.
    """

    p: int
    base: Residues
    basis: tuple[Residues, ...] = ()

    @property
    def dimension(self) -> int:
        """Dimension of the subspace."""
        return len(self.basis)

    def __call__(self, point: Hashable) -> int:
        """Label of a tuple of residues."""
        return int(self.contains(residue_vector(point, len(self.base), self.p)))

    def contains(self, point: Residues) -> bool:
        """Whether a point, known to be one of ``GF(p)^n``, lies in the subspace."""
        return not any(self.offset(point))

    def offset(self, point: Residues) -> Residues:
        """Difference of a point to the base, modulo the directions, in canonical form."""
        difference = [(x - b) % self.p for x, b in zip(point, self.base, strict=True)]
        return _reduced(difference, self.basis, self.p)

    def direction(self, point: Residues) -> Residues:
        """Direction towards a point outside, modulo those of the subspace, leading entry 1."""
        offset = self.offset(point)
        scale = pow(next(filter(None, offset)), -1, self.p)
        return tuple(scale * entry % self.p for entry in offset)

    def extended(self, direction: Residues) -> AffineSubspace:
        """Return the subspace with one more direction, in the form of :meth:`direction`."""
        rows = [_reduced(row, (direction,), self.p) for row in self.basis]
        basis = tuple(sorted([*rows, direction], key=_lead))
        return AffineSubspace(self.p, _reduced(self.base, (direction,), self.p), basis)


def _lead(vector: Residues) -> int:
    """Position of the first entry that is not 0."""
    return next(index for index, entry in enumerate(vector) if entry)


def _reduced(vector: Iterable[int], basis: Iterable[Residues], p: int) -> Residues:
    """Clear the leading positions of a reduced basis."""
    entries = list(vector)
    for row in basis:
        factor = entries[_lead(row)]
        if factor:
            entries = [(x - factor * y) % p for x, y in zip(entries, row, strict=True)]
    return tuple(entries)


class AffineSubspaces(EnumeratingFamily[Residues]):
    """Affine subspaces of ``GF(p)^n`` of one dimension ``d``, or of dimension at most ``d``.

    Points are tuples of ``n`` integers from 0 to ``p - 1``.  On ``m`` points there are at most
    ``sum_{i <= d + 1} C(m, i)`` patterns: a pattern is empty, or cut out by the subspace that at
    most ``d + 1`` of the points span, extended if necessary to dimension ``d`` without meeting
    another point.  The search tries extensions in lexicographic order. When the whole family is
    smaller than that bound, it lists all subspaces instead.

    Parameters
    ----------
    p
        A prime below ``2^20``.
    n
        Dimension of the space, at most ``2^12``.
    dimension
        Dimension ``d`` of the subspaces, from 0 to ``n``.
    at_most
        Whether smaller dimensions are included (the empty set never is).

    Examples
    --------
    >>> lines = AffineSubspaces(5, 2, 1)
    >>> patterns = lines.restrict([(0, 0), (1, 1), (2, 2)])
    >>> patterns.table.tolist()
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
    >>> patterns.representatives[-1]((4, 4))
    1
    """

    def __init__(self, p: int, n: int, dimension: int, *, at_most: bool = False) -> None:
        self.p: int = _prime(p)
        self.n: int = as_size(n, "n", most=_LARGEST_SPACE)
        self.dimension: int = as_size(dimension, "dimension")
        if self.dimension > self.n:
            raise InvalidInput("dimension", str(dimension), f"at most n = {n}")
        self.at_most = at_most

    @property
    def dimensions(self) -> range:
        """The dimensions of the subspaces."""
        return range(0 if self.at_most else self.dimension, self.dimension + 1)

    @property
    def size(self) -> int:
        """Exact number of subspaces in the family."""
        return sum(
            self.p ** (self.n - d) * gaussian_binomial(self.n, d, self.p) for d in self.dimensions
        )

    @property
    def known(self) -> Mapping[str, KnownValue]:
        d = self.dimension
        if d < self.n:
            source = (
                "counted: predicting 0 errs at most d + 1 times, d + 1 independent points are"
                " shattered, and a half graph is a chain of intersections"
            )
            return dict.fromkeys(("littlestone", "vc", "threshold"), KnownValue(d + 1, source))
        if not self.at_most:
            one = "counted: the whole space only"
            known = dict.fromkeys(("littlestone", "vc", "dual_vc"), KnownValue(0, one))
            return {**known, "threshold": KnownValue(1, one)}
        return {"threshold": KnownValue(d + 1, "counted: a chain of subspaces")}

    def growth_bound(self, m: int) -> int:
        """Bound on the number of patterns on ``m`` points."""
        return min(self.size, sum(math.comb(m, i) for i in range(self.dimension + 2)))

    def _point(self, point: Hashable) -> Residues:
        return residue_vector(point, self.n, self.p)

    def _patterns(self, points: list[Residues]) -> tuple[Words, Callable[[int], AffineSubspace]]:
        check_cells("affine subspaces", self.growth_bound(len(points)), len(points))
        if self.growth_bound(len(points)) == self.size:
            return self._whole_family(points)
        return self._spanned(points)

    def _whole_family(
        self, points: list[Residues]
    ) -> tuple[Words, Callable[[int], AffineSubspace]]:
        """List every subspace: for each space of directions, the cosets."""
        coordinates = np.array(points, dtype=np.int64).reshape(len(points), self.n)
        tables: list[Table] = []
        subspaces: list[AffineSubspace] = []
        for basis in chain.from_iterable(
            _echelon_bases(self.n, d, self.p) for d in self.dimensions
        ):
            pivots = [_lead(row) for row in basis]
            free = [i for i in range(self.n) if i not in pivots]
            directions = np.array(basis, dtype=np.int64).reshape(len(basis), self.n)
            cosets = (coordinates - coordinates[:, pivots] @ directions) % self.p
            for offset in product(range(self.p), repeat=len(free)):
                base = [0] * self.n
                for position, entry in zip(free, offset, strict=True):
                    base[position] = entry
                tables.append(np.all(cosets == np.array(base, dtype=np.int64), axis=1))
                subspaces.append(AffineSubspace(self.p, tuple(base), basis))
        table = np.array(tables, dtype=np.uint8).reshape(len(tables), len(points))
        return bits.pack(table), subspaces.__getitem__

    def _spanned(self, points: list[Residues]) -> tuple[Words, Callable[[int], AffineSubspace]]:
        """List what subspaces spanned by points cut out."""
        found: dict[int, AffineSubspace] = {}  # pattern as a bit mask -> subspace
        empty = self._missing(points)
        if empty is not None:
            found[0] = empty
        spans = {AffineSubspace(self.p, point) for point in points}
        for dimension in range(self.dimension + 1):
            larger = set()
            for span in sorted(spans, key=lambda s: (s.base, s.basis)):
                outside = [point for point in points if not span.contains(point)]
                mask = sum(1 << j for j, point in enumerate(points) if span.contains(point))
                subspace = self._avoiding(span, outside, set())
                if subspace is not None:
                    found[mask] = subspace
                if dimension < self.dimension:
                    larger |= {span.extended(span.direction(point)) for point in outside}
            spans = larger
        masks = sorted(found)
        return bits.from_masks(masks, len(points)), lambda row: found[masks[row]]

    def _missing(self, points: list[Residues]) -> AffineSubspace | None:
        """Find a subspace of the family without any of the points."""
        taken = set(points)
        for start in product(range(self.p), repeat=self.n):
            if start not in taken:
                found = self._avoiding(AffineSubspace(self.p, start), points, set())
                if found is not None:
                    return found
        return None

    def _avoiding(
        self, span: AffineSubspace, outside: list[Residues], failed: set[AffineSubspace]
    ) -> AffineSubspace | None:
        """Extend a subspace to one of the family that contains no point outside it."""
        if span.dimension in self.dimensions:
            return span
        blocked = {span.direction(point) for point in outside}
        pivots = {_lead(row) for row in span.basis}
        free = [i for i in range(self.n) if i not in pivots]
        for direction in _directions(free, self.n, self.p):
            if direction in blocked:
                continue
            larger = span.extended(direction)
            if larger in failed:
                continue
            found = self._avoiding(larger, outside, failed)
            if found is not None:
                return found
            failed.add(larger)
        return None


def _directions(free: list[int], n: int, p: int) -> Iterator[Residues]:
    """Vectors supported on the free positions with leading entry 1, the sparse ones first."""
    for first in range(len(free) - 1, -1, -1):
        for rest in product(range(p), repeat=len(free) - first - 1):
            vector = [0] * n
            vector[free[first]] = 1
            for position, entry in zip(free[first + 1 :], rest, strict=True):
                vector[position] = entry
            yield tuple(vector)


def _echelon_bases(n: int, dimension: int, p: int) -> Iterator[tuple[Residues, ...]]:
    """Reduced echelon bases of all linear subspaces of that dimension."""
    for pivots in combinations(range(n), dimension):
        places = [
            (row, column)
            for row, pivot in enumerate(pivots)
            for column in range(pivot + 1, n)
            if column not in pivots
        ]
        for entries in product(range(p), repeat=len(places)):
            rows = [[int(column == pivot) for column in range(n)] for pivot in pivots]
            for (row, column), entry in zip(places, entries, strict=True):
                rows[row][column] = entry
            yield tuple(tuple(row) for row in rows)


def gaussian_binomial(n: int, d: int, p: int) -> int:
    """Count the linear subspaces of dimension ``d`` of ``GF(p)^n``."""
    ordered = math.prod(p ** (n - i) - 1 for i in range(d))
    return int(ordered // math.prod(p ** (i + 1) - 1 for i in range(d)))


def _prime(p: object) -> int:
    """Return a prime that is small enough for products to fit a machine word."""
    candidate = as_size(p, "p", 2)
    small = candidate < _LARGEST_PRIME
    if not small or any(candidate % q == 0 for q in range(2, math.isqrt(candidate) + 1)):
        raise InvalidInput("p", str(candidate), f"a prime below {_LARGEST_PRIME}")
    return candidate


def affine_subspaces(p: int, n: int, dimension: int, *, at_most: bool = False) -> FiniteClass:
    """All affine subspaces of ``GF(p)^n`` of one dimension (or at most it), on all ``p^n`` points.

    Parameters
    ----------
    p
        A prime.
    n
        The dimension of the space.
    dimension
        The dimension of the subspaces, at most n.
    at_most
        Whether to include those of smaller dimensions.

    Examples
    --------
    >>> affine_subspaces(3, 2, 1)
    <FiniteClass: 12 hypotheses on 9 points>
    """
    n = as_size(n, "n", most=MAX_EXPONENT)
    family = AffineSubspaces(p, n, dimension, at_most=at_most)
    check_cells("affine subspaces", family.size, family.p**family.n)
    points = product(range(family.p), repeat=family.n)
    return family.restrict(points).with_known(family.known)


def affine_lines(p: int) -> FiniteClass:
    """All ``p^2 + p`` lines of the plane over ``GF(p)``, on its ``p^2`` points.

    Parameters
    ----------
    p
        A prime.
    """
    return affine_subspaces(p, 2, 1)


def affine_planes(p: int) -> FiniteClass:
    """All ``p^3 + p^2 + p`` planes of the space over ``GF(p)``, on its ``p^3`` points.

    Parameters
    ----------
    p
        A prime.
    """
    return affine_subspaces(p, 3, 2)
