"""Checks of parameters, and real formulas rounded up to integers."""

from __future__ import annotations

import math
from collections.abc import Callable

from pac_stability.arithmetic import Epsilon, ExactNumber, Interval
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms._checks import as_epsilon

_MOST_BITS = 1024


def as_positive_epsilon(epsilon: Epsilon | float | ExactNumber) -> Epsilon:
    """Return an epsilon above 0, or refuse it."""
    asked = as_epsilon(epsilon)
    if asked.ratio == 1:
        raise InvalidInput("epsilon", "0", "a number above 0 (at least 2**-64)")
    return asked


def require_word(word: object, argument: str, words: tuple[str, ...]) -> None:
    """Refuse what is none of some words."""
    if not isinstance(word, str) or word not in words:
        raise InvalidInput(argument, described(word), " or ".join(map(repr, words)))


def certified_ceiling(enclosure: Callable[[int], Interval]) -> int:
    """Return the least integer that is at least a number enclosed as narrowly as one likes.

    If 1024 bits do not tell the number from an integer, the next integer is returned: it is never
    too small.

    Parameters
    ----------
    enclosure
        A function from a working precision in bits to an enclosure of the number.
    """
    bits = 64
    while True:
        around = enclosure(bits)
        low, high = math.ceil(around.lower), math.ceil(around.upper)
        if low == high or bits >= _MOST_BITS:
            return high
        bits *= 2
