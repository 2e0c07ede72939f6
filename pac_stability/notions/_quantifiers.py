"""Suprema over pairs of samples, exact or enclosed; what is said of all pairs is said of some."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from typing import TypeVar, overload

from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput

V = TypeVar("V")


def nonempty(values: Iterable[V], argument: str) -> Iterator[V]:
    """Yield the values, one at a time; raise :class:`InvalidInput` at the end if there was none."""
    examined = False
    for value in values:
        examined = True
        yield value
    if not examined:
        raise InvalidInput(argument, "none", "at least one: nothing would be examined")


@overload
def largest(values: Iterable[Fraction | Interval]) -> Fraction | Interval: ...
@overload
def largest(values: Iterable[Fraction | Interval | float]) -> Fraction | Interval | float: ...
def largest(values: Iterable[Fraction | Interval | float]) -> Fraction | Interval | float:
    """Return the largest of numbers that are all exact or all enclosed, infinity apart."""
    return reduce(_larger, values)


def _larger(
    one: Fraction | Interval | float, other: Fraction | Interval | float
) -> Fraction | Interval | float:
    if isinstance(one, Interval) and isinstance(other, Interval):
        return Interval(max(one.lower, other.lower), max(one.upper, other.upper))
    if isinstance(one, Interval) or isinstance(other, Interval):
        return math.inf  # the other one
    return max(one, other)
