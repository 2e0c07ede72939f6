"""Parities of bits, without a table."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.arguments import as_size
from pac_stability.classes.exact import bit_vector
from pac_stability.classes.families.affine import AffineSubspace, Residues
from pac_stability.classes.implicit.flats import (
    added,
    lead_of,
    orthogonal,
    size_of,
    spanned,
)
from pac_stability.classes.implicit.labelling import Labelling
from pac_stability.classes.implicit.patched import FlatClass, NearFlat, read_apart
from pac_stability.errors import InvalidInput

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
