"""Classes of one's own without a table: parities of bits, and affine subspaces over a prime field.

A model of how to write one. `ImplicitClass` wants two things: answers about version spaces, and a
language for labellings in which equal functions are equal integers, those among them that the
standard optimal algorithm makes when it patches a hypothesis at single points. Here a version space
is an affine subspace of weights, or the subspaces through one that avoid some directions, and a
labelling is a subspace, or its complement, but for some points. The sections below are subspaces,
labellings near them, parities, and subspaces as hypotheses; the proofs are on the page "Classes
without a table". `tests/classes/test_linear_classes.py` compares both classes with tables.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Set as AbstractSet
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from pac_stability.arguments import as_size
from pac_stability.classes.families.boolean_and_affine import (
    AffineSubspace,
    AffineSubspaces,
    Residues,
    gaussian_binomial,
)
from pac_stability.classes.implicit import ImplicitClass, Labelling
from pac_stability.classes.implicit.line_and_sets import packed, unpacked
from pac_stability.classes.validation import bit_vector, residue_vector
from pac_stability.errors import InvalidInput, Unanswerable

# Affine subspaces of GF(p)^n, as far as labellings of all points need them


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


# Labellings of GF(p)^n: a subspace or its complement, but for some points


_SHOWN = 8
"""How many points are shown."""


class NearFlat(NamedTuple):
    """A set of points: a subspace, or nothing, but for the points of a list; or all the others.

    Attributes
    ----------
    flat
        The subspace.
    but
        The columns of the list, increasing.
    others
        Whether the complement is meant.
    """

    flat: AffineSubspace | None
    but: tuple[int, ...] = ()
    others: bool = False


class FlatClass(ImplicitClass):
    """An implicit class on GF(p)^n whose labellings are affine subspaces, or nearly so.

    A labelling is written down in one way only. Of the set of ones and its complement the smaller
    one is described (the ones, if they are as many). It is a subspace F but for fewer than |F| / 4
    points, if there is such an F, and then there is one only (:func:`~flats.nearest`); else it is
    the list of its points.

    Parameters
    ----------
    p
        The prime.
    n
        How many coordinates a point has.

    Notes
    -----
    As long as few points are patched, every answer about a labelling takes a polynomial number of
    operations in n and the number of patches, and ``log p``.
    """

    def __init__(self, p: int, n: int) -> None:
        super().__init__(p**n)
        self._p, self._n = p, n

    @property
    def prime(self) -> int:
        """The size p of the field."""
        return self._p

    def point(self, column: int) -> Hashable:
        """Return the point of a column: a tuple of residues, the digits of its number."""
        super().point(column)
        return self._vector(column)

    def column(self, point: Hashable) -> int:
        """Return the column of a point, its residues being the digits of a number."""
        return column_of(residue_vector(point, self._n, self._p), self._p)

    def _vector(self, column: int) -> Residues:
        return vector_of(column, self._p, self._n)

    def _written(
        self, flat: AffineSubspace | None, columns: tuple[int, ...], *, odd: bool = False
    ) -> int:
        """Return a subspace, a list of columns and a bit as one integer; 0 for nothing at all."""
        vectors = () if flat is None else (flat.base, *flat.basis)
        digits = (*(column_of(vector, self._p) for vector in vectors), *columns)
        code = packed(tuple(digit + 1 for digit in digits), self._points.bit_length())
        return code << head_bits(self._n) | 2 * len(vectors) + odd

    def _shape(self, f: int) -> NearFlat:
        read = read_apart(int(f), self._p, self._n)
        if read is None:
            raise InvalidInput("f", "another integer", f"a labelling of {self.spec}")
        return NearFlat(*read)

    def labelling_of(self, shape: NearFlat) -> int:
        """Return the integer that stands for a set of ones, in whatever way it is described."""
        flat, but, others = shape
        inside = sum(flat.contains(self._vector(x)) for x in but) if flat is not None else 0
        count = size_of(flat) + len(but) - 2 * inside
        if 2 * count > self._points or (others and 2 * count == self._points):
            flat, but = self._complement(flat, but)
            others = not others
        if 4 * len(but) >= size_of(flat):
            listed = {self._vector(x) for x in but} ^ set(points_of(flat))
            flat = nearest(listed, self._p)
            rest = listed ^ set(points_of(flat))
            but = tuple(sorted(column_of(x, self._p) for x in rest))
        return self._written(flat, but, odd=others)

    def _complement(
        self, flat: AffineSubspace | None, but: tuple[int, ...]
    ) -> tuple[AffineSubspace | None, tuple[int, ...]]:
        """Describe the complement of a set that has half of the points, or more."""
        if size_of(flat) == self._points:
            return None, but
        if flat is not None and 2 * size_of(flat) == self._points:
            # One entry of the base is free: that at the place where no direction leads.
            leads = {lead_of(row) for row in flat.basis}
            base = tuple(x ^ (i not in leads) for i, x in enumerate(flat.base))
            return AffineSubspace(2, base, flat.basis), but
        held = set(but) ^ {column_of(x, self._p) for x in points_of(flat)}
        return None, tuple(x for x in range(self._points) if x not in held)

    def is_labelling(self, f: int) -> bool:
        """Whether an integer is a labelling of the points."""
        read = read_apart(int(f), self._p, self._n) if f >= 0 else None
        return read is not None and self.labelling_of(NearFlat(*read)) == f

    def label(self, f: int, column: int) -> int:
        """Return the label that a labelling has at a column."""
        flat, but, others = self._shape(f)
        held = flat is not None and flat.contains(self._vector(column))
        return int(held ^ others ^ (column in but))

    def flipped(self, f: int, column: int) -> int:
        """Return the labelling that differs from another one at this column alone."""
        flat, but, others = self._shape(f)
        return self.labelling_of(NearFlat(flat, tuple(sorted({*but} ^ {column})), others))

    def first_difference(self, f: int, g: int) -> int:
        """Return the first column where two different labellings differ."""
        below = self._differences(f, g)
        return self._least(lambda column: below(column + 1) > 0)

    def last_difference(self, f: int, g: int) -> int:
        """Return the last column where two different labellings differ."""
        below = self._differences(f, g)
        every = below(self._points)
        return self._least(lambda column: below(column + 1) == every)

    def _least(self, holds: Callable[[int], bool]) -> int:
        """Return the least column for which something holds that then goes on to hold."""
        low, high = 0, self._points - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle + 1, high)
        return low

    def _differences(self, f: int, g: int) -> Callable[[int], int]:
        """Return what counts the columns below another one where two labellings differ."""
        one, other = self._shape(f), self._shape(g)
        flats, turned = (one.flat, other.flat), one.others != other.others
        both = met(*flats)
        listed = []
        for x in {*one.but} ^ {*other.but}:
            held = [flat is not None and flat.contains(self._vector(x)) for flat in flats]
            listed.append((x, -1 if (held[0] != held[1]) != turned else 1))

        def below(column: int) -> int:
            apart = sum(points_below(flat, column) for flat in flats)
            apart -= 2 * points_below(both, column)
            apart = column - apart if turned else apart
            return apart + sum(change for x, change in listed if x < column)

        return below

    def shown(self, f: int) -> str:
        """Say in a few words which points a labelling labels 1."""
        flat, but, others = self._shape(f)
        vectors = () if flat is None else (flat.base, *(row for row in flat.basis))
        words = " + ".join(
            f"<{', '.join(map(str, vector))}>" if i else f"({', '.join(map(str, vector))})"
            for i, vector in enumerate(vectors)
        )
        listed = ", ".join(f"({', '.join(map(str, self._vector(x)))})" for x in but[:_SHOWN])
        listed += f", {len(but) - _SHOWN} points more" * (len(but) > _SHOWN)
        place = " but at ".join(filter(None, (words, listed))) or "nowhere"
        if place == "nowhere":
            return "1 everywhere" if others else "0 everywhere"
        return f"{0 if others else 1} {'only ' * others}at {place}"


@lru_cache(maxsize=1 << 12)
def read_apart(
    code: int, p: int, n: int
) -> tuple[AffineSubspace | None, tuple[int, ...], bool] | None:
    """Return a subspace, a list of columns and a bit from one integer; ``None`` if it has none."""
    points = p**n
    width, head = points.bit_length(), head_bits(n)
    digits = tuple(digit - 1 for digit in unpacked(code >> head, width))
    count, odd = divmod(code & (1 << head) - 1, 2)
    vectors, columns = digits[:count], digits[count:]
    if len(vectors) < count or not all(0 <= digit < points for digit in digits):
        return None
    if not all(a < b for a, b in pairwise(columns)):
        return None
    if not count:
        return None, columns, bool(odd)
    base, *basis = (vector_of(column, p, n) for column in vectors)
    flat = AffineSubspace(p, base, tuple(basis))
    return (flat, columns, bool(odd)) if is_flat(flat) else None


def head_bits(n: int) -> int:
    """Return how many bits say how many digits are vectors, and another bit."""
    return (2 * n + 3).bit_length()


# Parities of bits


LARGEST_RANK = 1024
"""The most bits that a point may have."""


class ImplicitParities(FlatClass):
    """Parities ``sum_i weights[i] x_i`` modulo 2 on the points ``x`` of ``{0, 1}^k``.

    A version space is an affine subspace of weights, and its Littlestone dimension is the dimension
    of that: each point outside of the span of those seen divides it into two halves.

    Parameters
    ----------
    k
        How many bits a point has, from 1 to 1,024.

    Notes
    -----
    A step takes ``O(k^2)`` operations, a prediction ``O(k^3)``.

    Examples
    --------
    >>> H = ImplicitParities(64)
    >>> H.dimension(H.whole), H.size(H.whole) == 2**64
    (64, True)
    >>> x = (1,) * 64
    >>> after = H.part(H.whole, H.column(x), 1)
    >>> H.dimension(after), H.labelling(H.optimal(after, tie=0))(x)
    (63, 1)
    """

    def __init__(self, k: int) -> None:
        super().__init__(2, as_size(k, "k", least=1, most=LARGEST_RANK))

    @property
    def k(self) -> int:
        """How many bits a point has."""
        return self._n

    @property
    def spec(self) -> str:
        """The class in a word, as the command line takes it."""
        return f"parities:{self._n}"

    def hypothesis(self, weights: Iterable[int]) -> Labelling:
        """Return the parity of the bits with weight 1."""
        return self.labelling(self._parity(bit_vector(tuple(weights), self._n, "weights")))

    def _parity(self, weights: Residues) -> int:
        return self.labelling_of(NearFlat(self._solutions((), weights)))

    def _solutions(self, basis: tuple[Residues, ...], odd: Residues) -> AffineSubspace | None:
        """The points that a basis is orthogonal to and whose product with ``odd`` is 1.

        The entries of ``odd`` are 0 where a vector of the reduced basis leads.
        """
        if not any(odd):
            return None
        place = lead_of(odd)
        point = [0] * self._n
        point[place] = 1
        for row in basis:
            point[lead_of(row)] = row[place]
        rows = spanned((0,) * self._n, (*basis, odd), 2).basis
        return spanned(tuple(point), orthogonal(rows, self._n, 2), 2)

    def _weights(self, space: int) -> AffineSubspace:
        """The weights of the hypotheses of a version space that is not empty."""
        read = read_apart(space, 2, self._n)
        if read is None or read[0] is None:
            raise InvalidInput("space", "another integer", f"a version space of {self.spec}")
        return read[0]

    @property
    def whole(self) -> int:
        """The version space before any example."""
        units = orthogonal((), self._n, 2)
        return self._written(spanned((0,) * self._n, units, 2), ())

    def part(self, space: int, column: int, label: int) -> int:
        """Return the hypotheses of a version space with this label at a column; 0 for none."""
        if not space:
            return 0
        weights, x = self._weights(space), self._vector(column)
        now = _product(weights.base, x)
        divided = [row for row in weights.basis if _product(row, x)]
        if not divided:
            return space if now == label else 0
        # The last of them is given up: then all the others lead where they did.
        last = divided[-1]
        basis = tuple(added(row, last, 2, _product(row, x)) for row in weights.basis if row != last)
        base = added(weights.base, last, 2, now ^ label)
        return self._written(AffineSubspace(2, base, basis), ())

    def size(self, space: int) -> int:
        """Return how many hypotheses a version space has."""
        return size_of(self._weights(space)) if space else 0

    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space: that of the subspace."""
        return self._weights(space).dimension if space else -1

    def optimal(self, space: int, tie: int) -> int:
        """Return the labelling of the SOA: a parity on the span of what was seen, else ``tie``."""
        base, basis = self._weights(space).base, self._weights(space).basis
        if not tie:
            return self.labelling_of(NearFlat(self._solutions(basis, base)))
        zero = (0,) * self._n
        rows = spanned(zero, (*basis, base), 2).basis
        zeros = spanned(zero, orthogonal(rows, self._n, 2), 2)
        return self.labelling_of(NearFlat(zeros, others=True))

    def split(self, space: int) -> int | None:
        """Return the first column that is not in the span of those seen: a power of two."""
        if not space:
            return None
        basis = self._weights(space).basis
        # Below the last column at which a vector is not 0 all were seen.
        places = [place for row in basis for place, entry in enumerate(row) if entry]
        return 1 << self._n - 1 - max(places) if places else None

    def member(self, space: int) -> int:
        """Return the parity of the first weights of a version space."""
        return self._parity(self._weights(space).base)

    def _contains(self, f: int) -> bool:
        flat, but, others = self._shape(f)
        if flat is None or but or others:
            return not (but or others)
        return flat.dimension == self._n - 1 and not flat.contains((0,) * self._n)


def _product(weights: Residues, point: Residues) -> int:
    return sum(w & x for w, x in zip(weights, point, strict=True)) % 2


def parities(k: int) -> ImplicitParities:
    """All parities of the bits of ``{0, 1}^k``, without a table.

    Examples
    --------
    >>> parities(64)
    <ImplicitParities parities:64>
    """
    return ImplicitParities(k)


# Affine lines, planes, ... over a prime field


class ImplicitAffineSubspaces(FlatClass):
    """Affine subspaces of one dimension ``d`` in ``GF(p)^n``, for an odd prime p.

    A version space is the subspaces of dimension d that contain a subspace F, spanned by the
    positive examples, and avoid some directions from F, those of the negative ones (before a
    positive example: some points). Its Littlestone dimension is d less that of F, if no more than
    p - 1 directions are avoided. If F lacks one dimension, the version space is like single points,
    and there is no limit.

    Parameters
    ----------
    p
        An odd prime below 2^20.
    n
        The dimension of the space.
    d
        The dimension of the subspaces, from 1 to n - 1.

    Raises
    ------
    Unanswerable
        On use: more than p - 2 directions are avoided, and F lacks two dimensions or more.

    Notes
    -----
    A step takes ``O(s d n)`` operations after s examples, a prediction ``O(d n)``.

    Examples
    --------
    >>> H = ImplicitAffineSubspaces(1009, 2, 1)
    >>> through = H.part(H.whole, H.column((5, 7)), 1)
    >>> H.dimension(H.whole), H.dimension(through), H.size(through)
    (2, 1, 1010)
    >>> H.labelling(H.optimal(through, tie=1))
    <Labelling 1 at (5, 7)>
    """

    def __init__(self, p: int, n: int, d: int) -> None:
        family = AffineSubspaces(p, n, d)
        if family.p == 2:
            raise InvalidInput("p", "2", "an odd prime")
        self._d = as_size(d, "d", least=1, most=family.n - 1)
        super().__init__(family.p, family.n)

    @property
    def spec(self) -> str:
        """The class in a word, as the command line takes it."""
        named = {(2, 1): "affine_lines", (3, 2): "affine_planes"}.get((self._n, self._d))
        return f"{named}:{self._p}" if named else f"affine_subspaces:{self._p},{self._n},{self._d}"

    def hypothesis(self, points: Iterable[Iterable[int]]) -> Labelling:
        """Return the subspace that some points span, which has dimension d."""
        first, *rest = (residue_vector(tuple(x), self._n, self._p, "points") for x in points)
        flat = spanned(first, (added(x, first, self._p, -1) for x in rest), self._p)
        if flat.dimension != self._d:
            raise InvalidInput("points", f"a span of dimension {flat.dimension}", str(self._d))
        return self.labelling(self.labelling_of(NearFlat(flat)))

    # A direction from F is a vector modulo those of F, with leading entry 1; while there is no F it
    # is a point. The directions that are avoided are written down as columns.

    def _state(self, space: int) -> tuple[AffineSubspace | None, frozenset[int]]:
        read = read_apart(space, self._p, self._n)
        if read is None or not read[2]:
            raise InvalidInput("space", "another integer", f"a version space of {self.spec}")
        return read[0], frozenset(read[1])

    def _rank(self, flat: AffineSubspace | None) -> int:
        """How many dimensions a subspace lacks; the empty one has dimension -1."""
        return self._d - (-1 if flat is None else flat.dimension)

    def _directions(self, flat: AffineSubspace | None) -> int:
        """How many directions lead out of a subspace."""
        if flat is None:
            return self._points
        return gaussian_binomial(self._n - flat.dimension, 1, self._p)

    def _direction(self, flat: AffineSubspace | None, point: Residues) -> int:
        return column_of(point if flat is None else flat.direction(point), self._p)

    def _extended(self, flat: AffineSubspace | None, direction: int) -> AffineSubspace:
        towards = self._vector(direction)
        return AffineSubspace(self._p, towards) if flat is None else flat.extended(towards)

    def _space(self, flat: AffineSubspace | None, avoided: frozenset[int]) -> int:
        """Return the version space, in the one way in which it is written down; 0 if empty."""
        rank, left = self._rank(flat), self._directions(flat) - len(avoided)
        if rank == 0:
            avoided = frozenset()
        elif rank == 1:
            if left == 0:
                return 0
            if left == 1:
                flat = self._extended(flat, next(self._open(flat, avoided)))
                avoided = frozenset()
        elif len(avoided) > self._p - 2:
            raise Unanswerable(
                f"a version space of {self.spec} that avoids {len(avoided)} directions",
                f"closed forms are known up to {self._p - 2}",
            )
        return self._written(flat, tuple(sorted(avoided)), odd=True)

    def _open(self, flat: AffineSubspace | None, avoided: frozenset[int]) -> Iterator[int]:
        """Yield the directions that are not avoided."""
        found = set(avoided)
        for point in product(range(self._p), repeat=self._n):
            if flat is None or not flat.contains(point):
                direction = self._direction(flat, point)
                if direction not in found:
                    found.add(direction)
                    yield direction

    @property
    def whole(self) -> int:
        """The version space before any example."""
        return self._space(None, frozenset())

    def part(self, space: int, column: int, label: int) -> int:
        """Return the hypotheses of a version space with this label at a column; 0 for none."""
        if not space:
            return 0
        flat, avoided = self._state(space)
        x = self._vector(column)
        if flat is not None and flat.contains(x):
            return space if label else 0
        if self._rank(flat) == 0:
            return 0 if label else space
        direction = self._direction(flat, x)
        if direction in avoided:
            return 0 if label else space
        if not label:
            return self._space(flat, avoided | {direction})
        return self._space(*self._through(flat, direction, avoided))

    def _through(
        self, flat: AffineSubspace | None, direction: int, avoided: Iterable[int]
    ) -> tuple[AffineSubspace, frozenset[int]]:
        """Add a direction to a subspace, and say which are avoided from there."""
        larger = self._extended(flat, direction)
        start = (0,) * self._n if flat is None else flat.base
        return larger, frozenset(
            self._direction(larger, added(start, self._vector(other), self._p)) for other in avoided
        )

    def size(self, space: int) -> int:
        """Return how many hypotheses a version space has."""
        if not space:
            return 0
        flat, avoided = self._state(space)
        return self._count(flat, tuple(avoided))

    def _count(self, flat: AffineSubspace | None, avoided: tuple[int, ...]) -> int:
        """Count the subspaces that contain one and avoid some directions."""
        rank = self._rank(flat)
        if rank == 0:
            return 1
        if rank == 1:
            return self._directions(flat) - len(avoided)
        if flat is None:
            count = AffineSubspaces(self._p, self._n, self._d).size
        else:
            count = gaussian_binomial(self._n - flat.dimension, rank, self._p)
        # Those that avoid all before this direction, and contain it.
        for i, direction in enumerate(avoided):
            larger, before = self._through(flat, direction, avoided[:i])
            count -= self._count(larger, tuple(before))
        return count

    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space."""
        return self._rank(self._state(space)[0]) if space else -1

    def optimal(self, space: int, tie: int) -> int:
        """Return the labelling of the SOA: what the positive examples span, unless two are left."""
        flat, avoided = self._state(space)
        f = self.labelling_of(NearFlat(flat))
        if self._rank(flat) != 1 or self._directions(flat) - len(avoided) > 2 or not tie:
            return f
        ones = {
            x for way in self._open(flat, avoided) for x in points_of(self._extended(flat, way))
        }
        return self.labelling_of(NearFlat(None, tuple(sorted(column_of(x, self._p) for x in ones))))

    def split(self, space: int) -> int | None:
        """Return the first column in a direction that is not avoided; all of them are alike."""
        if not space:
            return None
        flat, avoided = self._state(space)
        if self._rank(flat) == 0:
            return None
        if flat is None:
            return next(x for x in range(self._points) if x not in avoided)
        taken = [flat, *(self._extended(flat, direction) for direction in avoided)]
        column = 0
        while (after := max(self._passed(each, column) for each in taken)) > column:
            column = after
        return column

    def _passed(self, flat: AffineSubspace, column: int) -> int:
        """Return the column after the points in a row, from a column on, that are in a subspace."""
        if not flat.contains(self._vector(column)):
            return column
        length = 1
        for place in range(self._n - 1, -1, -1):
            # From a multiple of p^i on, p^i points are a subspace with the last i unit vectors.
            unit = tuple(int(i == place) for i in range(self._n))
            if column % (length * self._p) or not flat.contains(added(flat.base, unit, self._p)):
                break
            length *= self._p
        return column + length

    def member(self, space: int) -> int:
        """Return the hypothesis through the first points that a version space does not avoid."""
        while (column := self.split(space)) is not None:
            space = self.part(space, column, 1)
        return self.labelling_of(NearFlat(self._state(space)[0]))

    def _contains(self, f: int) -> bool:
        flat, but, others = self._shape(f)
        return not but and not others and size_of(flat) == self._p**self._d


def affine_subspaces(p: int, n: int, d: int) -> ImplicitAffineSubspaces:
    """All affine subspaces of ``GF(p)^n`` of dimension d, without a table.

    Examples
    --------
    >>> affine_subspaces(1009, 4, 2)
    <ImplicitAffineSubspaces affine_subspaces:1009,4,2>
    """
    return ImplicitAffineSubspaces(p, n, d)


def affine_lines(p: int) -> ImplicitAffineSubspaces:
    """All ``p^2 + p`` lines of the plane over ``GF(p)``, without a table.

    Examples
    --------
    >>> affine_lines(1009)
    <ImplicitAffineSubspaces affine_lines:1009>
    """
    return ImplicitAffineSubspaces(p, 2, 1)


def affine_planes(p: int) -> ImplicitAffineSubspaces:
    """All ``p^3 + p^2 + p`` planes of the space over ``GF(p)``, without a table."""
    return ImplicitAffineSubspaces(p, 3, 2)
