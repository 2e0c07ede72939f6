"""Conjunctions of variables, or of literals, on the Boolean cube."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product

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
        """Dimensions known in closed form, by name."""
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

    def _order(self, points: Iterable[Bits]) -> list[Bits]:
        return sorted(points)

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
        """Dimensions known in closed form, by name."""
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

    Examples
    --------
    >>> monotone_conjunctions(1).table.tolist()
    [[1, 1], [0, 1]]
    """
    n = as_size(n, "n", most=MAX_EXPONENT)
    return _on_cube(MonotoneConjunctions(n), 2**n)


def conjunctions(n: int) -> FiniteClass:
    """All conjunctions of literals on ``{0, 1}^n``: ``3^n + 1`` hypotheses (one if ``n = 0``).

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
