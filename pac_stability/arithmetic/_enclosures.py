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


def log_choose(n: int, k: int, bits: int) -> tuple[Fraction, Fraction]:
    """Return rationals that enclose ``ln C(n, k)``."""
    with _working(bits):
        ways = _log_factorial(n) - _log_factorial(k) - _log_factorial(n - k)
        return _ends(ways, f"no finite enclosure at {bits} bits")


class NoisyBinomial:
    """Enclosures of how likely a noisy count is small: see :func:`arithmetic.noisy_binomial`."""

    def __init__(self, p: Fraction, decay: Fraction, most: int) -> None:
        self._p, self._r, self._most = p, decay, most
        self._bits = 0
        self._balls: tuple[arb, arb, arb, arb] | None = None
        self._tilted: tuple[tuple[arb, arb], ...] = ()

    def log_below(self, k: int, threshold: int, bits: int) -> tuple[Fraction, Fraction] | None:
        """Return rationals that enclose the logarithm; ``None`` where they are not finite."""
        # Exponents have the bits of k before the point, and 1 - r may cost those of 1/(1-r).
        guard = k.bit_length() + (1 / (1 - self._r)).__ceil__().bit_length() + 16
        with _working(bits + guard):
            found = self._below(k, threshold, bits + guard)
            if not (found.upper() > 0 and found.is_finite()):
                return None
            most = _ends(found.upper().log(), "")[1]
            if found > 0:
                return _ends(found.lower().log(), "")[0], most
            if self._p == 1:
                return None
            # At least, nothing was counted.
            return _ends((1 - _exact(self._p)).log() * k, "")[0], most

    def _below(self, k: int, threshold: int, bits: int) -> arb:
        T, most = threshold, self._most
        if self._balls is None or bits != self._bits:
            p, r = _exact(self._p), _exact(self._r)
            log_r = r.log()
            largest = (log_r * (most + 1)).exp()
            whole = 1 + r - 2 * largest
            self._bits = bits
            self._balls = r, log_r, largest / whole, whole
            self._tilted = tuple(
                (share / (1 - p + share), (1 - p + share).log()) for share in (p, p / r, p * r)
            )
        r, log_r, share, whole = self._balls
        plain, up, down = self._tilted
        ends = tuple(
            _at_most(k, plain[0], m, bits, 0.0) for m in (T - most - 2, T - 1, T + most - 1)
        )
        found: arb = ends[1] * (1 + 2 * share) - share * (ends[0] + ends[2])
        for (mean, log), power, (low, high), sign in (
            (up, log_r * T, (T - most - 2, T - 1), -1),
            (down, log_r * (1 - T), (T - 1, T + most - 1), 1),
        ):
            exponent = log * k + power
            spare = max(0.0, float(exponent))
            part = _at_most(k, mean, high, bits, spare) - _at_most(k, mean, low, bits, spare)
            found += sign * exponent.exp() / whole * part
        return found


def _at_most(k: int, p: arb, m: int, bits: int, spare: float) -> arb:
    """Enclose ``Pr[Bin(k, p) <= m]``; what is below ``2**-bits e**-spare`` is not looked into."""
    from flint import arb  # noqa: PLC0415  # slow to import

    if m < 0 or m >= k:
        return arb(int(m >= k))
    if p == 1:
        return arb(0)
    mean, left = k * float(p), 0.7 * bits + spare
    # Chernoff's bound, of either tail; what floats round off is taken from the deviation.
    off = abs(m + 0.5 - mean) * (1 - 1e-12) - 1 - 1e-12 * mean
    if off > 0 and off * off > (2 * mean + off) * (left * 1.001 + 1):
        tiny = arb(0.5, 0.5) * (-arb(left)).exp()
        return tiny if m < mean else 1 - tiny
    return (1 - p).beta_lower(k - m, m + 1, 1)


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
    if function == "log":
        above, below = value.as_integer_ratio()
        if 2 * abs(above - below) < below:
            return _exact(value - 1).log1p()
    argument = _exact(value)
    if function == "exp":
        return argument.exp()
    return argument.log() if function == "log" else argument.sqrt()


def _ends(ball: arb, failure: str) -> tuple[Fraction, Fraction]:
    if not ball.is_finite():
        raise OverflowError(failure)
    # ball.lower() and ball.upper() are balls again; midpoint and radius are exact.
    (middle, place), (radius, unit) = (
        map(int, part.man_exp()) for part in (ball.mid(), ball.rad())
    )
    # In units of the finer of the two, which may be far above or far below 1.
    least = min(place, unit)
    middle, radius = middle << place - least, radius << unit - least
    return _dyadic(middle - radius, least), _dyadic(middle + radius, least)


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    return Fraction(mantissa, 1 << -exponent)
