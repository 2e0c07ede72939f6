"""Multisets over a finite universe: the "types" of samples, which forget the order."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Generic, TypeVar

from pac_stability.arithmetic import as_size, multinomial
from pac_stability.data.distribution import FiniteDistribution
from pac_stability.errors import InvalidInput

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Multiset(Generic[T]):
    """How often each element of a finite universe occurs.

    Parameters
    ----------
    universe
        The possible elements, distinct.
    counts
        Their multiplicities, one for each.

    Raises
    ------
    InvalidInput
        An element repeats, a count is negative, or the lengths differ.

    Examples
    --------
    >>> coins = Multiset.of("abba", universe=("a", "b", "c"))
    >>> coins.counts, coins.size, coins.orderings
    ((2, 2, 0), 4, 6)
    """

    universe: tuple[T, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(set(self.universe)) != len(self.universe):
            raise InvalidInput("universe", "a repeated element", "distinct elements")
        if len(self.counts) != len(self.universe):
            raise InvalidInput("counts", f"{len(self.counts)}", f"{len(self.universe)} counts")
        for count in self.counts:
            as_size(count, "counts")

    @classmethod
    def of(cls, elements: Iterable[T], universe: Sequence[T]) -> Multiset[T]:
        """Return the multiset of some elements, such as the examples of a sample.

        Raises
        ------
        InvalidInput
            An element is not in the universe.
        """
        counts = dict.fromkeys(universe, 0)
        for element in elements:
            if element not in counts:
                raise InvalidInput("elements", repr(element)[:60], "elements of the universe")
            counts[element] += 1
        return cls(tuple(universe), tuple(counts[element] for element in universe))

    @property
    def size(self) -> int:
        """The number of elements, with repetitions."""
        return sum(self.counts)

    @property
    def orderings(self) -> int:
        """The number of sequences with these elements, a multinomial coefficient."""
        return multinomial(self.counts)

    def elements(self) -> tuple[T, ...]:
        """Return the elements with repetitions, in the order of the universe."""
        return tuple(
            element
            for element, count in zip(self.universe, self.counts, strict=True)
            for _ in range(count)
        )

    def probability(self, distribution: FiniteDistribution[T]) -> Fraction:
        """Return the probability that independent draws, order forgotten, give this multiset."""
        mass = Fraction(self.orderings)
        for element, count in zip(self.universe, self.counts, strict=True):
            mass *= distribution.probability(element) ** count
        return mass


def multisets(universe: Sequence[T], n: int) -> Iterator[Multiset[T]]:
    """Yield all multisets of size n over a universe, streaming; :func:`count_multisets` of them.

    Examples
    --------
    >>> [m.counts for m in multisets("ab", 2)]
    [(2, 0), (1, 1), (0, 2)]
    """
    elements = tuple(universe)
    for chosen in combinations_with_replacement(range(len(elements)), as_size(n, "n")):
        counts = [0] * len(elements)
        for index in chosen:
            counts[index] += 1
        yield Multiset(elements, tuple(counts))


def count_multisets(universe_size: int, n: int) -> int:
    """Return the number of multisets of size n over k elements, ``C(n + k - 1, n)``."""
    k, size = as_size(universe_size, "universe_size"), as_size(n, "n")
    return math.comb(size + k - 1, size) if size else 1
