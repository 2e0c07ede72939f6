"""Affine subspaces of GF(p)^n, as far as labellings of all points need them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set as AbstractSet
from itertools import product

from pac_stability.classes.families.affine import AffineSubspace, Residues


def column_of(vector: Iterable[int], p: int) -> int:
    """Return a vector as a number, its entries being the digits, the highest first.

    Examples
    --------
    >>> column_of((1, 0, 2), 3), vector_of(11, 3, 3)
    (11, (1, 0, 2))
    """
    column = 0
    for entry in vector:
        column = column * p + entry
    return column


def vector_of(column: int, p: int, n: int) -> Residues:
    """Return the vector whose entries are the n digits of a number."""
    digits = []
    for _ in range(n):
        column, digit = divmod(column, p)
        digits.append(digit)
    return tuple(reversed(digits))


def added(v: Residues, w: Residues, p: int, factor: int = 1) -> Residues:
    """Return ``v + factor * w``."""
    return tuple((x + factor * y) % p for x, y in zip(v, w, strict=True))


def size_of(flat: AffineSubspace | None) -> int:
    """Return how many points a subspace has; ``None`` is the empty set."""
    return 0 if flat is None else flat.p**flat.dimension


def points_of(flat: AffineSubspace | None) -> Iterator[Residues]:
    """Yield the points of a subspace."""
    if flat is None:
        return
    for factors in product(range(flat.p), repeat=flat.dimension):
        point = flat.base
        for factor, row in zip(factors, flat.basis, strict=True):
            point = added(point, row, flat.p, factor)
        yield point


def spanned(point: Residues, directions: Iterable[Residues], p: int) -> AffineSubspace:
    """Return the subspace through a point with these directions."""
    flat = AffineSubspace(p, point)
    for direction in directions:
        towards = added(flat.base, direction, p)
        if not flat.contains(towards):
            flat = flat.extended(flat.direction(towards))
    return flat


def is_flat(flat: AffineSubspace) -> bool:
    """Whether a description is the canonical one."""
    return all(map(any, flat.basis)) and spanned(flat.base, flat.basis, flat.p) == flat


def points_below(flat: AffineSubspace | None, column: int) -> int:
    """Return how many points of a subspace have a smaller number.

    Examples
    --------
    >>> line = spanned((0, 1), [(1, 1)], 3)  # the points 1, 5, 6
    >>> [points_below(line, column) for column in (1, 2, 5, 6, 9)]
    [0, 1, 1, 2, 3]
    """
    if flat is None:
        return 0
    p, n = flat.p, len(flat.base)
    if column >= p**n:
        return size_of(flat)
    rows = {lead_of(row): row for row in flat.basis}
    left, below, point = size_of(flat), 0, flat.base
    for place, digit in enumerate(vector_of(column, p, n)):
        row = rows.get(place)
        if row is not None:
            left //= p
            below += digit * left
            point = added(point, row, p, digit - point[place])
        elif point[place] != digit:
            return below + left * (point[place] < digit)
    return below


def lead_of(vector: Residues) -> int:
    """Return the place of the first entry that is not 0."""
    return next(place for place, entry in enumerate(vector) if entry)


def met(flat: AffineSubspace | None, other: AffineSubspace | None) -> AffineSubspace | None:
    """Return the intersection of two subspaces; ``None`` if it is empty.

    Examples
    --------
    >>> met(spanned((0, 1), [(1, 1)], 3), spanned((1, 0), [(0, 1)], 3))
    AffineSubspace(p=3, base=(1, 2), basis=())
    """
    if flat is None or other is None:
        return None
    p = flat.p
    linear = AffineSubspace(p, (0,) * len(flat.base), other.basis)
    pivots: list[tuple[Residues, Residues]] = []  # modulo the other one's directions, and before

    def cleared(residue: Residues, vector: Residues) -> tuple[Residues, Residues]:
        for pivot, origin in pivots:
            factor = -residue[lead_of(pivot)]
            residue, vector = added(residue, pivot, p, factor), added(vector, origin, p, factor)
        return residue, vector

    common = []
    for row in flat.basis:
        residue, vector = cleared(linear.offset(row), row)
        if not any(residue):
            common.append(vector)
            continue
        scale = pow(residue[lead_of(residue)], -1, p)
        zero = (0,) * len(residue)
        pivots.append((added(zero, residue, p, scale), added(zero, vector, p, scale)))
    apart = linear.offset(added(flat.base, other.base, p, -1))
    residue, point = cleared(apart, flat.base)
    return None if any(residue) else spanned(point, common, p)


def orthogonal(basis: tuple[Residues, ...], n: int, p: int) -> Iterator[Residues]:
    """Yield a basis of what is orthogonal to a reduced echelon basis."""
    leads = [lead_of(row) for row in basis]
    for free in range(n):
        if free not in leads:
            vector = [0] * n
            vector[free] = 1
            for lead, row in zip(leads, basis, strict=True):
                vector[lead] = -row[free] % p
            yield tuple(vector)


def nearest(points: AbstractSet[Residues], p: int) -> AffineSubspace | None:
    """Return the subspace F from which a set differs at fewer than |F| / 4 points, if there is one.

    There is one at most: two subspaces F and G differ at (|F| + |G|) / 4 points or more.

    Parameters
    ----------
    points
        The set.
    p
        The prime.

    Notes
    -----
    A difference v is a direction of F exactly if x and x + v are both in the set for more than
    ``|F| / 2`` points x: at most ``2 |F - points|`` points of F are lost, and for another v one of
    the two is outside of F. More than two thirds of the set are in F. ``O(t^3)`` operations on
    vectors for t points, mostly ``O(t^2)``.

    Examples
    --------
    >>> nearest({(0, 0), (1, 1), (2, 2), (0, 1)}, 3)
    >>> nearest({(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (0, 1)}, 5)
    AffineSubspace(p=5, base=(0, 0), basis=((1, 1),))
    """
    count = len(points)
    size, dimension = 1, 0
    while 5 * size <= 4 * count:
        size, dimension = size * p, dimension + 1
    if not 3 * size < 4 * count:
        return None
    ordered = sorted(points)
    for first in ordered[: count // 3 + 1]:
        flat = AffineSubspace(p, first)
        for point in ordered:
            if flat.dimension == dimension:
                break
            if not flat.contains(point):
                step = added(point, first, p, -1)
                if 2 * sum(added(x, step, p) in points for x in ordered) > size:
                    flat = flat.extended(flat.direction(point))
        inside = sum(map(flat.contains, ordered))
        if flat.dimension == dimension and 4 * (size + count - 2 * inside) < size:
            return flat
    return None
