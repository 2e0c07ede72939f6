"""The one place that talks to python-flint: enclosures of functions with rational endpoints."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from flint import arb

Function: TypeAlias = Literal["exp", "log", "sqrt"]

# The working precision is global to python-flint, shared by all threads. A change made by someone
# else while we compute can only widen or narrow the ball: it always encloses the value.
_precision_in_use = threading.Lock()


def enclose(function: Function, value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return rationals that enclose ``function(value)``, computed with ``bits`` bits.

    The caller keeps to the domain of the function.
    """
    with _working(bits + _guard(function, value)):
        return _ends(_ball(function, value), f"{function} has no finite enclosure at {bits} bits")


class LogPowerMean:
    """Enclosures of the logarithm of a power mean: see :func:`arithmetic.log_power_mean`."""

    def __init__(self, terms: Sequence[tuple[Fraction, Fraction]], bits: int) -> None:
        self._bits = bits
        largest = max(number for number, _ in terms)
        with _working(bits):
            self._weights = [_exact(weight) for _, weight in terms]
            # Relative to the largest number, so that no power is larger than 1, and its own is 1.
            self._logs = [_ball("log", number / largest) for number, _ in terms]
            self._largest, self._nothing = _ball("log", largest), _exact(Fraction(0))

    def at(self, power: Fraction) -> tuple[Fraction, Fraction]:
        """Return rationals that enclose it at a power."""
        with _working(self._bits):
            terms = zip(self._weights, self._logs, strict=True)
            if power:
                x = _exact(power)
                mean = sum(((log * x).exp() * w for w, log in terms), self._nothing).log() / x
            else:
                mean = sum((log * weight for weight, log in terms), self._nothing)
            return _ends(mean + self._largest, f"no finite enclosure at {self._bits} bits")


class FairBinomial:
    """Enclosures of binomial probabilities: see :func:`arithmetic.fair_binomial`."""

    def __init__(self, half: int) -> None:
        self._half = half
        self._tops: dict[int, arb] = {}

    def scaled(self, away: int, factor: int, bits: int) -> tuple[Fraction, Fraction]:
        """Return rationals that enclose ``factor C(2 half, half + away) / 4**half``."""
        half = self._half
        # Differences of numbers of about 2 half log(half).
        with _working(bits + 2 * half.bit_length() + 16):
            if bits not in self._tops:
                all_ways = _exact(Fraction(2)).log() * (2 * half)
                self._tops[bits] = _log_factorial(2 * half) - all_ways
            ways = _log_factorial(half + away) + _log_factorial(half - away)
            share = (self._tops[bits] - ways).exp() * factor
            return _ends(share, f"no finite enclosure at {bits} bits")


def _log_factorial(n: int) -> arb:
    from flint import arb  # noqa: PLC0415  # slow to import

    return arb(n + 1).lgamma()


@contextmanager
def _working(bits: int) -> Iterator[None]:
    # Imported here because importing python-flint takes longer than the rest of the library.
    from flint import ctx  # noqa: PLC0415  # slow to import

    with _precision_in_use, ctx.workprec(bits):
        yield


def _guard(function: Function, value: Fraction) -> int:
    # Rounding the argument moves exp(x) by a factor e**(2**-bits x), so the bits of x are added.
    return abs(int(value)).bit_length() if function == "exp" else 0


def _exact(value: Fraction) -> arb:
    from flint import arb, fmpq  # noqa: PLC0415  # slow to import

    return arb(fmpq(value.numerator, value.denominator))


def _ball(function: Function, value: Fraction) -> arb:
    # Near 1 rounding would move log(x) by more than its size, so x - 1 is rounded there.
    if function == "log" and 2 * abs(value - 1) < 1:
        return _exact(value - 1).log1p()
    argument = _exact(value)
    if function == "exp":
        return argument.exp()
    return argument.log() if function == "log" else argument.sqrt()


def _ends(ball: arb, failure: str) -> tuple[Fraction, Fraction]:
    if not ball.is_finite():
        raise OverflowError(failure)
    # ball.lower() and ball.upper() are balls again; midpoint and radius are exact.
    middle, radius = (part.man_exp() for part in (ball.mid(), ball.rad()))
    centre = _dyadic(int(middle[0]), int(middle[1]))
    width = _dyadic(int(radius[0]), int(radius[1]))
    return centre - width, centre + width


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    return Fraction(mantissa, 1 << -exponent)
