"""What a soft majority adds to the errors of its voters."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from pac_stability.arithmetic import Interval, floor_log2

SHARPNESS = (6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128)
"""Values of ``A = epsilon r`` that the sizes choose from."""

ROUNDING = 1 + Fraction(1, 1 << 14)
"""More than what a decay that is rounded up takes from an epsilon, as a factor."""

SPENT = 1 - Fraction(1, 1 << 40)
"""The part of an epsilon that votes spend: an ``Epsilon(1)`` is a little less than 1."""

_ABOVE = 1 + Fraction(1, 64)
_STEP = Fraction(1, 1024)
_BITS = 256


class VoteLoss(NamedTuple):
    """The loss of a soft majority is at most ``unanimous + slope a``.

    That is when each voter differs from the target on a mass of at most a.
    """

    unanimous: Fraction
    slope: Fraction


@lru_cache(maxsize=64)
def vote_loss(sharpness: int) -> VoteLoss:
    """Return a bound that holds when epsilon times r is the sharpness A, or up to A/64 more.

    When a fraction u of the votes is wrong, so is the outcome with probability ``f(u) = 1 / (1 +
    exp(-A (u - 1/2)))``. A line that is above f on [0, 1] bounds the expectation by that of u,
    which is at most a. Let it begin in ``l >= f(0)``, with a slope of c. On [0, 1/2] f is convex,
    so both ends decide. On [1/2, 1] it is concave and rises with A: where its slope is c, at ``f =
    (1 + sqrt(1 - 4 c / A)) / 2``, decides; if there is no such place, 1/2 does.
    """
    lowest = sharpness / ROUNDING
    exact = 1 / (1 + Interval.exp(lowest / 2, _BITS))
    # Rounded up to 16 bits.
    fine = 16 - floor_log2(exact.upper)
    unanimous = Fraction(ceil(exact.upper * (1 << fine)), 1 << fine)
    low, high = 512, 2048  # no slope is above 2
    while low < high:
        middle = (low + high) // 2
        if _is_above(unanimous, middle * _STEP, sharpness * _ABOVE):
            high = middle
        else:
            low = middle + 1
    return VoteLoss(unanimous, high * _STEP)


def _is_above(start: Fraction, slope: Fraction, sharpness: Fraction) -> bool:
    if start + slope / 2 < Fraction(1, 2):
        return False
    if 4 * slope >= sharpness:
        return True
    value = (1 + Interval.sqrt(1 - 4 * slope / sharpness, _BITS)) / 2
    place = Fraction(1, 2) + Interval.log(value / (1 - value), _BITS) / sharpness
    return value.upper <= (start + slope * place).lower
