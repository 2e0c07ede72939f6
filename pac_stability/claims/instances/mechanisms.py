"""Mechanisms given by a table: one law for each multiset of elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from pac_stability.data import FiniteDistribution, Multiset, multisets


@dataclass(frozen=True, slots=True)
class TabledMechanism:
    """A mechanism on samples of n of the elements 0, ..., m - 1 that ignores their order.

    Attributes
    ----------
    elements
        m.
    n
        The size of the samples.
    laws
        The law of the output on each multiset.
    """

    elements: int
    n: int
    laws: Mapping[Multiset[int], FiniteDistribution[int]]

    def law(self, kind: Multiset[int], /) -> FiniteDistribution[int]:
        """Return the law of the output on the samples of a type."""
        return self.laws[kind]

    def law_of(self, sample: tuple[int, ...], /) -> FiniteDistribution[int]:
        """Return the law of the output on a sample."""
        return self.laws[Multiset.of(sample)]

    def __str__(self) -> str:
        rows = (
            f"{''.join(map(str, kind.elements()))}: "
            + " ".join(f"{outcome}|{chance}" for outcome, chance in law.items())
            for kind, law in self.laws.items()
        )
        return f"M({'; '.join(rows)})"


def random_mechanisms(
    count: int,
    *,
    elements: int = 2,
    most: int = 3,
    least: int = 1,
    outcomes: int = 2,
    weights: tuple[int, int] = (0, 4),
    seed: str = "mechanisms",
) -> Iterator[TabledMechanism]:
    """Give mechanisms with random tables, the size of the samples growing.

    Parameters
    ----------
    count
        How many.
    elements, outcomes
        How many elements and outputs there are.
    most, least
        The largest and the smallest size of samples.
    weights
        The least and the largest weight of an output; probabilities are in proportion. With a
        least weight above 0 every output is possible on every sample.
    seed
        Another seed gives other mechanisms.

    Examples
    --------
    >>> print(next(random_mechanisms(1)))
    M(0: 1|1; 1: 0|1)
    """
    for index in range(count):
        coins = Random(f"{seed}/{index}")  # instances, not secrets
        n = least + index * (most - least + 1) // count
        kinds = multisets(range(elements), n)
        yield TabledMechanism(elements, n, {kind: _random_law(coins, outcomes, weights) for kind in kinds})


def _random_law(coins: Random, outcomes: int, weights: tuple[int, int]) -> FiniteDistribution[int]:
    drawn = [coins.randint(*weights) for _ in range(outcomes)]
    if not any(drawn):
        drawn[coins.randrange(outcomes)] = 1
    total = sum(drawn)
    return FiniteDistribution({y: Fraction(w, total) for y, w in enumerate(drawn) if w})
