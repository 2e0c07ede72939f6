"""Checks and roundings that the parts of this package share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sized
from fractions import Fraction

from pac_stability.arithmetic import Interval, as_fraction
from pac_stability.arithmetic.exact import in_words
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput, Undecided


def as_open_unit(value: object, argument: str, *, most: bool = False) -> Fraction:
    """Return an exact number above 0 and below 1 (or at most 1, if so wanted), or refuse it."""
    number = as_fraction(value, argument)
    if not 0 < number < 1 and not (most and number == 1):
        wanted = "an exact number above 0 and " + ("at most 1" if most else "below 1")
        raise InvalidInput(argument, in_words(number), wanted)
    return number


def require_size(x: Sized, size: int, argument: str, what: str = "examples") -> None:
    """Refuse what is shorter than a stated size."""
    if len(x) < size:
        raise InvalidInput(argument, f"{len(x)} {what}", f"at least {size}")


def require_instance(value: object, kind: type[object], argument: str) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise InvalidInput(argument, described(value), f"{article} {kind.__name__}")


def certified_ceiling(enclosure: Callable[[int], Interval], max_bits: int = 4096) -> int:
    """Return the least integer that is at least a number enclosed as narrowly as one likes.

    Parameters
    ----------
    enclosure
        A function from a working precision in bits to an enclosure of the number.
    max_bits
        Where to give up; so it must for an integer that is never enclosed by itself.

    Raises
    ------
    Undecided
        Not settled at ``max_bits``.
    """
    bits = 64
    while bits <= max_bits:
        around = enclosure(bits)
        if (ceiling := math.ceil(around.lower)) == math.ceil(around.upper):
            return ceiling
        bits *= 2
    raise Undecided(f"the integer above a number is not settled at {max_bits} bits")
