"""Affine lines, planes, ... over a prime field, without a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from pac_stability.arguments import as_size
from pac_stability.classes.exact import residue_vector
from pac_stability.classes.families.affine import (
    AffineSubspace,
    AffineSubspaces,
    Residues,
    gaussian_binomial,
)
from pac_stability.classes.implicit.flats import added, column_of, points_of, size_of, spanned
from pac_stability.classes.implicit.labelling import Labelling
from pac_stability.classes.implicit.patched import FlatClass, NearFlat, read_apart
from pac_stability.errors import InvalidInput, Unanswerable


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
