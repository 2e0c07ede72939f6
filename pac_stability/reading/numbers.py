"""Numbers written as text: in decimal as people write them, and exactly as certificates do."""

from __future__ import annotations

import re
from fractions import Fraction

from pac_stability.errors import InvalidInput

MAX_DIGITS = 4_300
"""Decimal digits, at most, also once an exponent is written out: ``1e999999999`` is a short text.

Reading them takes quadratic time. Python, too, reads and writes no more unless it is told to.
"""

MAX_BITS = 1 << 18
"""Bits of an exact number, at most: its greatest common divisor takes quadratic time."""

_WANTED = "a number such as '1/3', '0.25' or '1e-3'"
# Digits are 0 to 9: int() and Fraction() also take those of other scripts, and underscores.
_SPACE = " \t\r\n"  # str.strip takes more than int() does
_INTEGER = re.compile(r"[+-]?([0-9]++)")
_NUMBER = re.compile(
    r"[+-]?(?:(?P<p>[0-9]++)/(?P<q>[0-9]++)"
    r"|(?P<whole>[0-9]*+)(?:\.(?P<part>[0-9]*+))?(?:[eE](?P<exponent>[+-]?[0-9]++))?)"
)


def integer_from(text: str, name: str, wanted: str = "an integer") -> int:
    """Return the integer that a text gives in decimal; white space around it does not count.

    Parameters
    ----------
    text
        What was written.
    name
        What to call it in a message.
    wanted
        What the message says is wanted.

    Raises
    ------
    InvalidInput
        The text is no integer in the digits 0 to 9, or a very long one.

    Examples
    --------
    >>> integer_from(" -12", "n")
    -12
    >>> integer_from("1_000", "n")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: n: got '1_000', want an integer
    """
    match = _INTEGER.fullmatch(text.strip(_SPACE))
    if match is None:
        raise InvalidInput(name, _shown(text), wanted)
    _require_short(name, match[1])
    return int(match[0])


def number_from(text: str, name: str, wanted: str = _WANTED) -> Fraction:
    """Return the exact number that a text gives: ``"p/q"``, or a decimal, also with an exponent.

    White space around it does not count. Takes time quadratic in :data:`MAX_DIGITS` at most,
    whatever the text.

    Parameters
    ----------
    text
        What was written.
    name
        What to call it in a message.
    wanted
        What the message says is wanted.

    Raises
    ------
    InvalidInput
        The text is no such number in the digits 0 to 9, has more than :data:`MAX_DIGITS` of them
        once its exponent is written out, or a zero below.

    Examples
    --------
    >>> number_from("2/6", "p"), number_from("1e-1", "p")
    (Fraction(1, 3), Fraction(1, 10))
    >>> number_from("1e99999999", "p")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: p: got '1e99999999', want a number of at most 4300 digits
    """
    bare = text.strip(_SPACE)
    match = _NUMBER.fullmatch(bare)
    if match is None:
        raise InvalidInput(name, _shown(text), wanted)
    top, bottom, whole, part, exponent = match.group("p", "q", "whole", "part", "exponent")
    if top is not None:
        _require_short(name, top)
        _require_short(name, bottom)
        if not int(bottom):
            raise InvalidInput(name, _shown(text), wanted)
    else:
        if not (whole or part):
            raise InvalidInput(name, _shown(text), wanted)
        power = (exponent or "0").lstrip("+-").lstrip("0") or "0"
        written = len(whole + (part or "")) + (int(power) if len(power) <= 4 else MAX_DIGITS)
        if written > MAX_DIGITS:
            raise InvalidInput(name, _shown(text), f"a number of at most {MAX_DIGITS} digits")
    return Fraction(bare)


def exact_text(number: Fraction) -> str:
    """Write a rational number as ``"p"`` or ``"p/q"`` in lowest terms.

    Parameters
    ----------
    number
        Any rational number.

    Examples
    --------
    >>> exact_text(Fraction(2, 6)), exact_text(Fraction(3)), exact_text(Fraction(1 << 1024))[:6]
    ('1/3', '3', '0x1000')
    """
    top, bottom = _integer_text(number.numerator), _integer_text(number.denominator)
    return top if bottom == "1" else f"{top}/{bottom}"


def exact_number(value: object, name: str, max_bits: int = MAX_BITS) -> Fraction:
    """Read what :func:`exact_text` writes, and nothing else: one number has one text.

    Parameters
    ----------
    value
        The text.
    name
        What to call it in a message.
    max_bits
        Refuse a numerator or a denominator that is longer.

    Raises
    ------
    InvalidInput
        The value is another one, or too long.

    Examples
    --------
    >>> exact_number("1/3", "p")
    Fraction(1, 3)
    >>> exact_number("2/6", "p")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: p: got '2/6', want an exact number "p" or "p/q" in \
lowest terms
    """
    wanted = 'an exact number "p" or "p/q" in lowest terms'
    if not isinstance(value, str):
        raise InvalidInput(name, f"a value of type {type(value).__name__}", wanted)
    top, slash, bottom = value.partition("/")
    longest = -(-max(max_bits, _LONG) // 4) + len("-0x")
    if max(len(top), len(bottom)) > longest:
        given = f"a number of {max(len(top), len(bottom))} digits"
        raise InvalidInput(name, given, f"at most {max_bits} bits")
    if not _EXACT.fullmatch(top) or (slash and not _EXACT.fullmatch(bottom)):
        raise InvalidInput(name, _shown(value), wanted)
    p, q = _integer(top), _integer(bottom) if slash else 1
    if q < 1 or max(p.bit_length(), q.bit_length()) > max(max_bits, _LONG):
        raise InvalidInput(name, _shown(value), wanted)
    number = Fraction(p, q)
    # So that no two readers can see two numbers in it.
    if exact_text(number) != value:
        raise InvalidInput(name, _shown(value), wanted)
    return number


_LONG = 1 << 10  # bits: longer integers are written in base 16, which takes linear time to read
_EXACT = re.compile(r"-?(?:0|[1-9][0-9]{0,308}|0x[1-9a-f][0-9a-f]*+)")


def _integer(text: str) -> int:
    return int(text, 16 if "x" in text else 10)


def _integer_text(number: int) -> str:
    return str(number) if number.bit_length() <= _LONG else hex(number)


def _require_short(name: str, digits: str) -> None:
    if len(digits) > MAX_DIGITS:
        raise InvalidInput(name, f"a number of {len(digits)} digits", f"at most {MAX_DIGITS}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")
