"""Numbers rounded up: weights of any size, sums of them, and chances to miss examples."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pac_stability.papers.dagan_feldman.additive._floats import Floats

_BITS = 96
_GUARD_BITS = 128


class WeightAbove(NamedTuple):
    """An upper bound ``mantissa * 2**exponent``, of any size, rounded up to so many bits."""

    mantissa: int
    exponent: int

    @staticmethod
    def above(value: Fraction) -> WeightAbove:
        """Return the least such number that is not below a fraction."""
        shift = _BITS - value.numerator.bit_length() + value.denominator.bit_length()
        scaled = value * Fraction(2) ** shift
        return WeightAbove(-(-scaled.numerator // scaled.denominator), -shift)

    def __add__(self, other: tuple[object, ...]) -> WeightAbove:
        if not isinstance(other, WeightAbove):
            return NotImplemented
        large, small = (self, other) if self.exponent >= other.exponent else (other, self)
        if not large.mantissa:
            return small
        apart = large.exponent - small.exponent
        if apart > 4 * _BITS:
            # Of so many more bits, one in the last place is more than the small number.
            places = 2 * _BITS
            mantissa = (large.mantissa << places) + (small.mantissa > 0)
            return WeightAbove(mantissa, large.exponent - places)._rounded()
        return WeightAbove((large.mantissa << apart) + small.mantissa, small.exponent)._rounded()

    def __mul__(self, other: object) -> WeightAbove:
        if not isinstance(other, WeightAbove):
            return NotImplemented
        return WeightAbove(
            self.mantissa * other.mantissa, self.exponent + other.exponent
        )._rounded()

    def _rounded(self) -> WeightAbove:
        surplus = max(self.mantissa.bit_length() - _BITS, 0)
        return WeightAbove(-(-self.mantissa >> surplus), self.exponent + surplus)

    def upper(self) -> Fraction:
        """Return the number, or one when it is more."""
        if self.mantissa and self.mantissa.bit_length() + self.exponent > 0:
            return Fraction(1)
        # What is far too small to matter is rounded up, so that fractions stay short.
        places = max(-self.exponent - 4 * _BITS, 0)
        mantissa = -(-self.mantissa >> places)
        return mantissa * Fraction(2) ** (self.exponent + places)

    def logarithm(self) -> float:
        """Return the natural logarithm, nearly."""
        return float(np.log(float(self.mantissa))) + self.exponent * float(np.log(2.0))


class PowersAbove:
    """Upper bounds of powers of the decay, also negative ones, each computed once."""

    def __init__(self, decay: Fraction) -> None:
        self._bases = WeightAbove.above(decay), WeightAbove.above(1 / decay)
        self._known: dict[int, WeightAbove] = {}

    def of(self, exponent: int) -> WeightAbove:
        """Return an upper bound of ``decay**exponent``."""
        if exponent not in self._known:
            base = self._bases[exponent < 0]
            result = WeightAbove(1, 0)
            for bit in f"{abs(exponent):b}":
                result = result * result
                if bit == "1":
                    result = result * base
            self._known[exponent] = result
        return self._known[exponent]


def chances_to_miss(n: int, subset_size: int) -> Floats:
    """Return upper bounds of the probabilities that k of n examples are missed, for k up to n."""
    chance, found = 1 << _GUARD_BITS, []
    for k in range(n + 1):
        # A float that is not below: the nearest one, and a little more.
        found.append(float(np.ldexp(float(chance), -_GUARD_BITS)) * (1 + 2.0**-50))
        if k < n:
            chance = -(-chance * max(n - subset_size - k, 0) // (n - k))
    return np.array(found)
