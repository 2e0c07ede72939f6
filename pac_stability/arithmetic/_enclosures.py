"""The one place that talks to python-flint: enclosures of functions with rational endpoints."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Literal, TypeAlias

Function: TypeAlias = Literal["exp", "log", "sqrt"]

# The working precision is global to python-flint, shared by all threads. A change made by someone
# else while we compute can only widen or narrow the ball: it always encloses the value.
_precision_in_use = threading.Lock()


def enclose(function: Function, value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return rationals that enclose ``function(value)``, computed with ``bits`` bits.

    The caller keeps to the domain of the function.
    """
    # Imported here because importing python-flint takes longer than the rest of the library.
    from flint import arb, ctx, fmpq  # noqa: PLC0415  # slow to import

    # Rounding the argument moves exp(x) by a factor e**(2**-bits x), so the bits of x are added.
    # Near 1 it would move log(x) by more than its size, so x - 1 is rounded there.
    guard = abs(int(value)).bit_length() if function == "exp" else 0
    near_one = function == "log" and 2 * abs(value - 1) < 1
    exact = value - 1 if near_one else value
    with _precision_in_use, ctx.workprec(bits + guard):
        argument = arb(fmpq(exact.numerator, exact.denominator))
        if function == "exp":
            ball = argument.exp()
        elif near_one:
            ball = argument.log1p()
        elif function == "log":
            ball = argument.log()
        else:
            ball = argument.sqrt()
        if not ball.is_finite():
            raise OverflowError(f"{function} has no finite enclosure at {bits} bits")
        # ball.lower() and ball.upper() are balls again; midpoint and radius are exact.
        middle, radius = (part.man_exp() for part in (ball.mid(), ball.rad()))
    centre = _dyadic(int(middle[0]), int(middle[1]))
    width = _dyadic(int(radius[0]), int(radius[1]))
    return centre - width, centre + width


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    return Fraction(mantissa, 1 << -exponent)
