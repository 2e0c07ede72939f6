"""What several of the zoo's mechanisms are made of."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar, cast

from pac_stability.data import Deterministic, FromProgram, Mechanism, then
from pac_stability.notions.frontier import Frontier
from pac_stability.randomness import Coins
from pac_stability.zoo.specimen import Records

Mid = TypeVar("Mid")


def bits(data: Records) -> tuple[int, ...]:
    """Return records that are known to be integers, as such."""
    return cast("tuple[int, ...]", data)


def first(data: Records) -> int:
    """Return the first record, known to be an integer."""
    return bits(data)[0]


def total(data: Records) -> int:
    """Return the sum of the records, known to be integers."""
    return sum(bits(data))


def of(
    query: Callable[[Records], Mid], answer: Mechanism[Mid, object]
) -> Mechanism[Records, object]:
    """Return the mechanism that answers a query of the data."""
    return then(Deterministic(query), answer)


def noisy(query: Callable[[Records], int], least: int, *weights: int) -> Mechanism[Records, object]:
    """Return the mechanism that adds noise ``least``, ``least + 1``, ... of given weights."""

    def program(data: Records, rng: Coins) -> object:
        return query(data) + least + rng.choose(weights)

    return FromProgram(program)


def curve(*events: tuple[str, str]) -> Frontier:
    """Return the frontier of events given by their two probabilities, each as "p/q"."""
    return Frontier((Fraction(p), Fraction(q)) for p, q in events)
