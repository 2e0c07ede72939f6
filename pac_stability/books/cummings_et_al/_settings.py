"""Instances of the claims about mechanisms: a mechanism, a distribution, two parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import TypeAlias

from pac_stability.claims.instances import TabledMechanism
from pac_stability.data import FiniteDistribution, Multiset, multiset_distribution

Law: TypeAlias = FiniteDistribution[int]
Types: TypeAlias = FiniteDistribution[Multiset[int]]
FACTORS = tuple(Fraction(t) for t in ("1", "4/3", "2", "5"))
DELTAS = tuple(Fraction(d) for d in ("0", "1/8", "1/3"))


def events(outcomes: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Go through all sets of outcomes."""
    listed = tuple(dict.fromkeys(outcomes))
    for size in range(len(listed) + 1):
        yield from combinations(listed, size)


def probability(law: Law, event: Iterable[int]) -> Fraction:
    """Return the probability of an event."""
    return sum((law.probability(y) for y in event), Fraction(0))


@dataclass(frozen=True, slots=True)
class MechanismSetting:
    """A mechanism, the distribution of an element, and two numbers.

    Attributes
    ----------
    mechanism
        On types of samples.
    source
        D, the law of one element.
    first, second
        Parameters: what they are, each question says.
    """

    mechanism: TabledMechanism
    source: FiniteDistribution[int]
    first: Fraction
    second: Fraction

    @property
    def types(self) -> Types:
        """The law of the type of a sample."""
        return multiset_distribution(self.source, self.mechanism.n)

    def sequences(self) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
        """Go through the ordered samples, with their probabilities."""
        for drawn in product(self.source.items(), repeat=self.mechanism.n):
            weight = Fraction(1)
            for _, chance in drawn:
                weight *= chance
            yield weight, tuple(x for x, _ in drawn)

    def __str__(self) -> str:
        return f"{self.mechanism}, D = {self.source}, {self.first}, {self.second}"


def settings(
    mechanisms: Iterable[TabledMechanism],
    firsts: tuple[Fraction, ...],
    seconds: tuple[Fraction, ...] = (Fraction(0),),
) -> Iterator[MechanismSetting]:
    """Give each mechanism a random distribution of its elements and two random parameters."""
    for index, mechanism in enumerate(mechanisms):
        coins = Random(f"setting/{index}")
        weights = [coins.randint(1, 3) for _ in range(mechanism.elements)]
        source = FiniteDistribution({x: Fraction(w, sum(weights)) for x, w in enumerate(weights)})
        yield MechanismSetting(mechanism, source, coins.choice(firsts), coins.choice(seconds))
