"""What a choice may be asked with: exact numbers only (this room stands beside ``arithmetic``)."""

from __future__ import annotations

from fractions import Fraction
from numbers import Integral, Rational

from pac_stability.errors import InvalidInput


def as_rational(value: object, argument: str) -> Fraction:
    """Return an integer or fraction as a ``Fraction``, or refuse it."""
    if not isinstance(value, bool) and isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    raise InvalidInput(argument, _describe(value), "an exact number (an int or a Fraction)")


def as_probability(value: object) -> Fraction:
    """Return an exact number between 0 and 1 as a ``Fraction``, or refuse it."""
    probability = as_rational(value, "p")
    if not 0 <= probability <= 1:
        raise InvalidInput("p", str(probability), "a probability between 0 and 1")
    return probability


def as_count(value: object, argument: str, least: int) -> int:
    """Return an integer that is at least ``least``, or refuse it."""
    if not isinstance(value, bool) and isinstance(value, Integral):
        count = int(value)
        if count >= least:
            return count
    raise InvalidInput(argument, _describe(value), f"an integer that is at least {least}")


def _describe(value: object) -> str:
    kind = type(value).__name__
    return f"{value} ({kind})" if isinstance(value, bool | int | float) else f"a {kind}"
