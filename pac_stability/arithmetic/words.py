"""Numbers in words: exactly where that is short, and to a few digits however large they are."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

LONGEST_NUMBER = 36
_SIX_DIGITS = Context(prec=6, Emax=MAX_EMAX, Emin=MIN_EMIN)


def digits(number: int | Fraction) -> str:
    """Return a number as ``p`` or ``p/q`` with all its digits, which ``str`` may refuse.

    Examples
    --------
    >>> digits(Fraction(6, 4)), len(digits(10**5000))
    ('3/2', 5001)
    """
    top, bottom = (f"{Decimal(part):f}" for part in (number.numerator, number.denominator))
    return top if number.denominator == 1 else f"{top}/{bottom}"


def decimal(number: Fraction) -> str:
    """Return a number to six digits, however large or small it is.

    Examples
    --------
    >>> decimal(Fraction(4, 3)), decimal(Fraction(10) ** 400)
    ('1.33333', '1E+400')
    """
    quotient = _SIX_DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{quotient.normalize(_SIX_DIGITS):.6g}".replace("e", "E")


def exact(number: Fraction | float) -> str:
    """Return a number exactly when that is short, and in any case to six digits.

    Examples
    --------
    >>> exact(Fraction(4, 3)), exact(Fraction(7)), exact(math.inf)
    ('4/3 (1.33333)', '7', 'infinity')
    >>> exact(Fraction(10**40, 3))
    '10000000...0000/3 (3.33333E+39)'
    """
    if not isinstance(number, Fraction):
        return "infinity" if number > 0 else "-infinity"
    whole = digits(number)
    if number.denominator == 1 and len(whole) <= LONGEST_NUMBER:
        return whole
    if len(whole) > LONGEST_NUMBER:
        whole = "/".join(
            part if len(part) <= 15 else f"{part[:8]}...{part[-4:]}" for part in whole.split("/")
        )
    return f"{whole} ({decimal(number)})"


def logarithm(ratio: Fraction | float) -> float:
    """Return the natural logarithm of a factor to floating point accuracy: for display only.

    Examples
    --------
    >>> logarithm(Fraction(3, 2)), logarithm(math.inf), logarithm(Fraction(1))
    (0.4054651081081644, inf, 0.0)
    >>> round(logarithm(Fraction(2) ** 2000), 6)
    1386.294361
    """
    if not isinstance(ratio, Fraction):
        return math.inf
    if ratio <= 0:
        return -math.inf
    if Fraction(1, 2) < ratio < 2:
        return math.log1p(ratio - 1)
    return math.log(ratio.numerator) - math.log(ratio.denominator)
