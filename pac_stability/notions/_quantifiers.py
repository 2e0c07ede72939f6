"""Suprema over pairs of samples, exact or enclosed; what is said of all pairs is said of some."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import reduce
from typing import TypeVar, cast

from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput

V = TypeVar("V")
S = TypeVar("S")
P = TypeVar("P")
L = TypeVar("L")
Value = TypeVar("Value", bound=Fraction | Interval | float)


def nonempty(values: Iterable[V], argument: str) -> Iterator[V]:
    """Yield the values, one at a time; raise :class:`InvalidInput` at the end if there was none."""
    examined = False
    for value in values:
        examined = True
        yield value
    if not examined:
        raise InvalidInput(argument, "none", "at least one: nothing would be examined")


def predicted(
    law: Callable[[S, P], L], pairs: Iterable[tuple[S, S]], points: Iterable[P]
) -> Iterator[tuple[L, L]]:
    """Yield the two laws of the label of each point, for each pair of samples; never nothing."""
    everywhere = tuple(nonempty(points, "points"))
    for sample, neighbour in nonempty(pairs, "pairs"):
        for x in everywhere:
            yield law(sample, x), law(neighbour, x)


def largest(values: Iterable[Value]) -> Value:
    """Return the largest of rationals, intervals or infinities; an interval if there is any."""
    numbers: Iterable[Fraction | Interval | float] = values
    return cast("Value", reduce(_larger, numbers))


def _larger(
    one: Fraction | Interval | float, other: Fraction | Interval | float
) -> Fraction | Interval | float:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return max(one, other)
    if isinstance(one, float) or isinstance(other, float):
        return math.inf  # no other float is one of these numbers
    a, b = (x if isinstance(x, Interval) else Interval.exactly(x) for x in (one, other))
    return Interval(max(a.lower, b.lower), max(a.upper, b.upper))
