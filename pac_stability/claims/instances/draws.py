"""Instances from a seed: always the same ones, each from its own coins."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from pac_stability.classes import FiniteClass, random_class
from pac_stability.data import FiniteDistribution


def random_laws(
    count: int, *, outcomes: int, laws: int = 2, seed: str = "laws", zeros: bool = True
) -> Iterator[tuple[FiniteDistribution[int], ...]]:
    """Give tuples of laws on the outcomes 0, 1, ..., with small denominators.

    Parameters
    ----------
    count
        How many tuples.
    outcomes
        The most outcomes a law has, at least 2; the number grows from 2 on.
    laws
        How many laws are in a tuple.
    seed
        Another seed gives other laws.
    zeros
        Whether outcomes of probability 0 occur.

    Examples
    --------
    >>> [len(pair) for pair in random_laws(3, outcomes=3)]
    [2, 2, 2]
    """
    for index in range(count):
        coins = Random(f"{seed}/{index}")  # instances, not secrets
        size = 2 + index * (outcomes - 1) // count
        largest = coins.choice((2, 4, 9, 30))
        yield tuple(_law(coins, size, largest, zeros) for _ in range(laws))


def random_distributions(
    count: int, universe: int, *, largest: int = 6, seed: str = "distributions"
) -> Iterator[FiniteDistribution[int]]:
    """Give distributions on 0 to ``universe - 1`` with weights from 0 to ``largest``."""
    for index in range(count):
        coins = Random(f"{seed}/{index}")
        yield _law(coins, universe, largest, zeros=True)


def random_classes(
    count: int, *, rows: int, points: int, seed: str = "classes"
) -> Iterator[FiniteClass]:
    """Give random classes with up to ``rows`` hypotheses on ``points`` points."""
    for index in range(count):
        coins = Random(f"{seed}/{index}")
        size = coins.randint(2, min(rows, 1 << points))
        yield random_class(size, points, seed=coins.getrandbits(32))


def _law(coins: Random, size: int, largest: int, zeros: bool) -> FiniteDistribution[int]:
    weights = [coins.randint(0 if zeros else 1, largest) for _ in range(size)]
    if not any(weights):
        weights[coins.randrange(size)] = 1
    total = sum(weights)
    return FiniteDistribution({x: Fraction(w, total) for x, w in enumerate(weights) if w})
