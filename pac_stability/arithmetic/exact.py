"""Exact numbers: how a value becomes a ``Fraction``, and integer functions of exact numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TypeAlias

from pac_stability.errors import InvalidInput
from pac_stability.reading import number_from

ExactNumber: TypeAlias = int | Fraction | Decimal | str
"""What :func:`as_fraction` turns into a ``Fraction`` without loss."""

_WANTED = "an exact number (an int, a Fraction, a Decimal, or a string such as '1/3' or '0.1')"


def as_fraction(value: object, argument: str) -> Fraction:
    """Return an exact number as a ``Fraction``, or refuse it.

    Parameters
    ----------
    value
        An ``int``, a ``Fraction``, a finite ``Decimal``, a string ``"p/q"`` or a decimal string, or
        any other registered :class:`numbers.Rational` (NumPy integers among them). Floats are
        refused: ``0.1`` is not one tenth. So are booleans.
    argument
        Name of the argument, for the message.

    Returns
    -------
    Fraction
        The number, unchanged.

    Raises
    ------
    InvalidInput
        The value is not an exact number.

    Examples
    --------
    >>> as_fraction("0.1", "p"), as_fraction("2/6", "p")
    (Fraction(1, 10), Fraction(1, 3))
    >>> as_fraction("half", "p")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: p: got 'half', want an exact number \
(an int, a Fraction, a Decimal, or a string such as '1/3' or '0.1')
    """
    if type(value) is Fraction:
        return value
    if type(value) is int:
        return Fraction(value)
    if isinstance(value, bool):
        raise InvalidInput(argument, f"the boolean {value}", _WANTED)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, str | Decimal):
        return number_from(str(value), argument, _WANTED)
    if isinstance(value, Real):
        number = float(value)
        if math.isfinite(number):
            raise InvalidInput(
                argument,
                f"the float {number!r}",
                f"an exact number: the string '{number!r}' for the decimal, "
                f"or Fraction({number!r}) for the float's binary value",
            )
        raise InvalidInput(argument, str(number), _WANTED)
    raise InvalidInput(argument, f"a value of type {type(value).__name__}", _WANTED)


def as_probability(value: object, argument: str) -> Fraction:
    """Return an exact number between 0 and 1, or refuse it.

    Parameters
    ----------
    value
        What :func:`as_fraction` takes.
    argument
        Name of the argument, for the message.

    Raises
    ------
    InvalidInput
        The value is not exact, or out of range.

    Examples
    --------
    >>> as_probability("1/4", "delta")
    Fraction(1, 4)
    """
    number = as_fraction(value, argument)
    if not 0 <= number <= 1:
        raise InvalidInput(argument, in_words(number), "a number between 0 and 1")
    return number


def as_open_unit(value: object, argument: str, *, most: bool = False) -> Fraction:
    """Return an exact number above 0 and below 1, or refuse it.

    Parameters
    ----------
    value
        What :func:`as_fraction` takes.
    argument
        Name of the argument, for the message.
    most
        Whether 1 is allowed as well.

    Raises
    ------
    InvalidInput
        The value is not exact, or out of range.

    Examples
    --------
    >>> as_open_unit("1/4", "beta"), as_open_unit(1, "eta", most=True)
    (Fraction(1, 4), Fraction(1, 1))
    """
    number = as_fraction(value, argument)
    if not 0 < number < 1 and not (most and number == 1):
        wanted = "an exact number above 0 and " + ("at most 1" if most else "below 1")
        raise InvalidInput(argument, in_words(number), wanted)
    return number


def as_size(value: object, argument: str, least: int = 0) -> int:
    """Return an integer that is at least ``least``, or refuse it.

    Parameters
    ----------
    value
        An ``int`` or another integer type, such as NumPy's; not a boolean.
    argument
        Name of the argument, for the message.
    least
        The smallest value allowed.

    Returns
    -------
    int
        The number, unchanged.

    Raises
    ------
    InvalidInput
        The value is no integer, or too small.

    Examples
    --------
    >>> as_size(3, "n")
    3
    """
    if type(value) is int and value >= least:
        return value
    wanted = "a non-negative integer" if least == 0 else f"an integer that is at least {least}"
    if isinstance(value, bool):
        raise InvalidInput(argument, f"the boolean {value}", wanted)
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # the TypeError is the check
    except TypeError:
        raise InvalidInput(argument, f"a value of type {type(value).__name__}", wanted) from None
    if number < least:
        raise InvalidInput(argument, in_words(number), wanted)
    return number


def in_words(number: int | Fraction) -> str:
    """Return a number in few characters, for a message: ``str`` refuses thousands of digits."""
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    return str(number) if bits <= 256 else f"a number of {bits} bits"


def floor_log2(value: int | Fraction) -> int:
    """Return the largest integer ``k`` with ``2**k <= value``.

    Parameters
    ----------
    value
        A positive exact number.

    Returns
    -------
    int
        The exponent, negative when ``value < 1``.

    Raises
    ------
    InvalidInput
        ``value`` is not an exact number, or not positive.

    Examples
    --------
    >>> floor_log2(8), floor_log2(7), floor_log2(Fraction(1, 3))
    (3, 2, -2)
    """
    number = as_fraction(value, "value")
    if number <= 0:
        raise InvalidInput("value", in_words(number), "a positive number")
    # The bit lengths put the logarithm between guess - 1 (excluded) and guess + 1 (excluded).
    guess = number.numerator.bit_length() - number.denominator.bit_length()
    reached = (
        number.numerator >= number.denominator << guess
        if guess >= 0
        else number.numerator << -guess >= number.denominator
    )
    return guess if reached else guess - 1


def multinomial(counts: Iterable[int]) -> int:
    """Return the number of ways to order a multiset with the given multiplicities.

    Parameters
    ----------
    counts
        Non-negative multiplicities ``n_1, ..., n_k``.

    Returns
    -------
    int
        ``(n_1 + ... + n_k)! / (n_1! ... n_k!)``; one for no counts.

    Raises
    ------
    InvalidInput
        A count is no non-negative integer.

    Examples
    --------
    >>> multinomial([2, 1, 1])
    12
    """
    total, orders = 0, 1
    for count in counts:
        size = as_size(count, "counts")
        total += size
        orders *= math.comb(total, size)
    return orders
