"""What a program gives to a draw, read exactly: numbers, probabilities, what to choose from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import cast

from pac_stability.arguments import as_fraction, as_size, described
from pac_stability.errors import InvalidInput
from pac_stability.randomness.lazy_uniform import exact_float
from pac_stability.randomness.weights import WeightedChoice


def exactly(value: object, argument: str) -> Fraction:
    """Return a number exactly; a float as the binary number that it is."""
    if not isinstance(value, float):
        return as_fraction(value, argument)
    if not math.isfinite(value):
        raise InvalidInput(argument, str(value), "a finite number")
    return exact_float(value)


def chance_of(value: object, argument: str) -> Fraction:
    """Return a probability exactly."""
    share = exactly(value, argument)
    if not 0 <= share <= 1:
        raise InvalidInput(argument, described(value), "a probability")
    return share


def shares_of(p: object, count: int) -> WeightedChoice:
    """Return probabilities as weights."""
    if not isinstance(p, Iterable) or isinstance(p, Mapping | str):
        raise InvalidInput("p", described(p), "a probability for each")
    parts = [exactly(each, "p") for each in p]
    if len(parts) != count:
        raise InvalidInput("p", f"{len(parts)} probabilities", f"{count}, one for each")
    table = WeightedChoice(parts)
    if abs(sum(parts, Fraction(-1))) > Fraction(1, 2**26):
        raise InvalidInput("p", "probabilities that do not sum to 1", "a sum of 1")
    return table


def members(a: object, least: int = 1) -> Sequence[object]:
    """Return what can be chosen from: a sequence, an array, or the numbers below one."""
    if isinstance(a, Sequence) or is_array(a):
        values = cast("Sequence[object]", a)
    elif isinstance(a, Mapping | Iterable) or not hasattr(type(a), "__index__"):
        # Sets have no order that is the same from run to run.
        raise InvalidInput("rng", f"a choice from a value of type {type(a).__name__}", "a sequence")
    else:
        values = range(as_size(a, "a"))
    if len(values) < least:
        raise InvalidInput("rng", "a choice from nothing", "at least one value")
    return values


def is_array(value: object) -> bool:
    """Return whether a value is an array with at least one axis."""
    return hasattr(value, "__array_interface__") and getattr(value, "ndim", 0) > 0


def shape_of(size: object) -> tuple[int, ...]:
    """Return the shape that ``size=`` asks for."""
    if isinstance(size, tuple | list):
        return tuple(as_size(each, "size") for each in size)
    return (as_size(size, "size"),)
