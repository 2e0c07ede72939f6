"""Positive numbers of any size, rounded up: weights of hypotheses, and sums of them."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

_BITS = 96


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
            return WeightAbove(large.mantissa + (small.mantissa > 0), large.exponent)._rounded()
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
        if self.mantissa and self.mantissa.bit_length() + self.exponent > 1:
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
