"""Numbers in double precision that are proved to lie on one side of what is meant.

Only additions, subtractions, multiplications and divisions of doubles are used, whose relative
error is at most ``2**-52`` whatever the rounding mode, and the exact operations floor and scaling
by a power of two.  The mathematical library of the machine is never asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import repeat
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.arithmetic import Interval

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

_BITS = 128
_VANISHES = 700
_PARTS = 64


class Scaled(NamedTuple):
    """Positive numbers ``mantissa * 2**exponent``, of any size.

    What is meant lies between that and ``1 + 2**-51`` times that.
    """

    mantissas: Floats
    exponents: Integers

    def take(self, indices: Integers) -> Scaled:
        """Return some of the numbers."""
        return Scaled(self.mantissas[indices], self.exponents[indices])

    def products(self, other: Scaled) -> tuple[Floats, Floats]:
        """Return lower and upper bounds on all products, of shape ``(len(self), len(other))``.

        Products that no double can hold are bounded by ones that it can: lower bounds by 0 and
        ``2**60``, upper bounds by ``2**-1000`` from below and by infinity.
        """
        mantissas = self.mantissas[:, None] * other.mantissas
        exponents = self.exponents[:, None] + other.exponents
        held = np.ldexp(mantissas, np.clip(exponents, -1000, 60).astype(np.int32))
        lower = np.where(exponents < -1000, 0.0, held * (1 - 2**-50))
        upper = np.where(exponents > 60, math.inf, held * (1 + 2**-48))
        return lower, upper


def scaled_powers(base: Fraction, count: int, start: Fraction = Fraction(1)) -> Scaled:
    """Return ``start * base**k`` for k from 0 to ``count - 1``; both numbers are positive."""
    factor, shift = _leading_bits(base)
    return _running_products(*_leading_bits(start), repeat(factor, count), shift)


@lru_cache(maxsize=4)  # asked for again and again at the size of a sample
def scaled_factorials(count: int) -> Scaled:
    """Return the factorials of the numbers below ``count``."""
    return _running_products(1, 0, range(1, count + 1), 0)


def _leading_bits(number: Fraction) -> tuple[int, int]:
    """Return the first bits of a number, and by how many places they are shifted up."""
    shift = _BITS + number.denominator.bit_length() - number.numerator.bit_length()
    return math.floor(number * Fraction(2) ** shift), shift


def _running_products(value: int, shift: int, factors: Iterable[int], step: int) -> Scaled:
    """Return ``value``, then each product with one more factor; ``step`` shifts at a time."""
    heads = []
    shifts = []
    for factor in factors:
        # Rounded down by less than 2**-126: far less than 2**-53 in a million steps.
        excess = max(value.bit_length() - _BITS, 0)
        value >>= excess
        shift -= excess
        places = value.bit_length() - 53
        heads.append(value >> places if places >= 0 else value << -places)
        shifts.append(shift - places)
        value *= factor
        shift += step
    return Scaled(np.ldexp(np.array(heads, dtype=np.float64), -53), 53 - np.array(shifts))


def float_below(number: Fraction) -> float:
    """Return the largest double that is not above a number."""
    nearest = float(number)
    return nearest if Fraction(nearest) <= number else math.nextafter(nearest, -math.inf)


@cache
def _exponential_tables() -> tuple[Floats, Floats]:
    """Return ``e**-k`` for integers and for multiples of ``1 / _PARTS``, rounded down."""
    whole = scaled_powers(Interval.exp(-1, 2 * _BITS).lower, _VANISHES + 1)
    parts = scaled_powers(Interval.exp(Fraction(-1, _PARTS), 2 * _BITS).lower, _PARTS)
    return np.ldexp(*whole), np.ldexp(*parts)


def exponentials_below(x: Floats) -> Floats:
    """Return lower bounds for ``e**-x``, entry by entry, for non-negative x.

    Notes
    -----
    x is split exactly into an integer, a multiple of 1/64 and a rest r below 1/64. The factors of
    the first two are tabulated, rounded down; that of r is bounded from below by the Taylor
    polynomial of degree 7, which is too small by less than ``r**8 / 8! < 2**-63``. Horner's scheme
    ``1 - r (1 - r/2 (1 - r/3 ...))`` has partial results between 63/64 and 1, and each error is
    divided by 64 before it is passed on: all in all less than ``2 * 2**-52``. With the two
    products, the result is at most ``1 + 5 * 2**-52`` times too large before it is scaled down. It
    is too small by a factor of ``1 - 2**-48`` at most, and 0 beyond 700.
    """
    whole, parts = _exponential_tables()
    inside = np.minimum(x, float(_VANISHES))
    step = np.floor(inside * _PARTS)
    rest = inside - step / _PARTS
    polynomial = 1 - rest / 7
    for k in range(6, 0, -1):
        polynomial = 1 - rest / k * polynomial
    index = step.astype(np.int64)
    value = whole[index // _PARTS] * parts[index % _PARTS] * polynomial * (1 - 2**-49)
    return np.where(x > _VANISHES, 0.0, value)
