"""Checks of arguments, and the wording of their error messages.

A number is exact: an ``int``, a ``Fraction``, a ``Decimal`` or a text such as ``"1/3"``. A float
given as a *parameter* means the decimal that it prints as: ``0.1`` is one tenth. A float given as a
*computed* number (a probability or a weight) is refused: it was rounded. The page
docs/reference/numbers.md explains this to users. A function ``as_...`` returns the value in its
canonical form; ``require_...`` only checks it.
"""

from __future__ import annotations

import math
import operator
import re
import reprlib
import sys
from collections.abc import Hashable, Iterable, Sequence, Sized
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TypeAlias, TypeVar

from pac_stability.errors import InvalidInput
from pac_stability.reading import number_from

T = TypeVar("T")

ExactNumber: TypeAlias = int | Fraction | Decimal | str
"""What :func:`as_fraction` turns into a ``Fraction`` without loss."""

AnyNumber: TypeAlias = float | ExactNumber
"""What :func:`as_number` takes: a parameter."""

_WANTED = "an exact number (an int, a Fraction, a Decimal, or a string such as '1/3' or '0.1')"


# Words


def described(value: object) -> str:
    """Return a short ``repr`` of a value on one line, without addresses, for an error message."""
    try:
        text = " ".join(reprlib.repr(value).split())
        if not re.fullmatch(r"<.*x[0-9a-f]{6,}>", text):
            return text
        named = getattr(value, "__qualname__", None)
        return f"<{type(value).__qualname__} {named or 'object'}>"
    except ValueError:  # an integer of thousands of digits
        return f"a value of type {type(value).__name__} too long to show"


def in_words(number: int | Fraction) -> str:
    """Return a number in few characters, for a message (``str`` refuses thousands of digits)."""
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    return str(number) if bits <= 256 else f"a number of {bits} bits"


def refuse_masked(values: object, argument: str) -> None:
    """Refuse NumPy's masked arrays with a missing cell: conversion to an array loses the mask."""
    parts = values if isinstance(values, list | tuple) else (values,)
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())  # loaded where there is one
    if any(isinstance(part, masked) and part.mask.any() for part in parts):
        raise InvalidInput(argument, "a cell that is missing: it is masked", "cells that are there")


# Numbers


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


def as_number(value: object, argument: str, wanted: str = "a finite number") -> Fraction:
    """Return a parameter as a ``Fraction``, or refuse it.

    Parameters
    ----------
    value
        What :func:`as_fraction` takes, or a finite float of Python or NumPy: it stands for the
        decimal that Python prints for it, the shortest that reads back as the same float.
    argument
        Name of the argument, for the message.
    wanted
        Description of the accepted values, for the message about a number that is not finite.

    Raises
    ------
    InvalidInput
        The value is not a number, or not finite.

    Examples
    --------
    >>> as_number(0.1, "alpha") == as_number("0.1", "alpha") == Fraction(1, 10)
    True
    """
    if not isinstance(value, Real) or isinstance(value, Rational):
        return as_fraction(value, argument)
    if not math.isfinite(value):
        raise InvalidInput(argument, str(value), wanted)
    return Fraction(repr(float(value)))


def as_probability(value: object, argument: str, most: Fraction | int = 1) -> Fraction:
    """Return an exact number from 0 to 1, or to another bound, or refuse it.

    Parameters
    ----------
    value
        What :func:`as_number` takes.
    argument
        Name of the argument, for the message.
    most
        The largest number allowed.

    Raises
    ------
    InvalidInput
        The value is not exact, or out of range.

    Examples
    --------
    >>> as_probability("1/4", "delta")
    Fraction(1, 4)
    """
    number = as_number(value, argument)
    if not 0 <= number <= most:
        raise InvalidInput(argument, in_words(number), f"an exact number from 0 to {most}")
    return number


def as_open_unit(value: object, argument: str, *, most: bool = False) -> Fraction:
    """Return an exact number above 0 and below 1, or refuse it.

    Parameters
    ----------
    value
        What :func:`as_number` takes.
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
    number = as_number(value, argument)
    if not 0 < number < 1 and not (most and number == 1):
        wanted = "an exact number above 0 and " + ("at most 1" if most else "below 1")
        raise InvalidInput(argument, in_words(number), wanted)
    return number


def as_share(value: object, argument: str) -> Fraction:
    """Return a number of at least 0 and less than 1 as a fraction."""
    share = as_number(value, argument)
    if not 0 <= share < 1:
        raise InvalidInput(argument, in_words(share), "a number of at least 0 and less than 1")
    return share


def as_positive(value: object, argument: str) -> Fraction:
    """Return a number above 0 as a fraction."""
    number = as_number(value, argument)
    if number <= 0:
        raise InvalidInput(argument, in_words(number), "a number above 0")
    return number


def as_size(value: object, argument: str, least: int = 0, most: int | None = None) -> int:
    """Return an integer that is at least ``least``, or refuse it.

    Parameters
    ----------
    value
        An ``int`` or another integer type, such as NumPy's; not a boolean.
    argument
        Name of the argument, for the message.
    least, most
        The smallest and the largest value allowed; by default there is no largest.

    Returns
    -------
    int
        The number, unchanged.

    Raises
    ------
    InvalidInput
        The value is not an integer, too small or too large.

    Examples
    --------
    >>> as_size(3, "n")
    3
    >>> as_size(3, "k", 0, 2)
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: k: got 3, want an integer from 0 to 2
    """
    if type(value) is int and value >= least and (most is None or value <= most):
        return value
    if most is not None:
        wanted = f"an integer from {least} to {most}"
    elif least:
        wanted = f"an integer that is at least {least}"
    else:
        wanted = "a non-negative integer"
    number = as_integer(value, argument, wanted)
    if number < least or (most is not None and number > most):
        raise InvalidInput(argument, in_words(number), wanted)
    return number


def as_integer(value: object, argument: str, wanted: str = "an integer") -> int:
    """Return an integer of either sign and of any integer type, or refuse it; refuse booleans."""
    if type(value) is int:  # asked very often
        return value
    if isinstance(value, bool):
        raise InvalidInput(argument, f"the boolean {value}", wanted)
    try:
        return operator.index(value)  # type: ignore[arg-type]  # the TypeError is the check
    except TypeError:
        raise InvalidInput(argument, described(value), wanted) from None


# Labels and points


def as_label(value: object, argument: str) -> int:
    """Return a label as 0 or 1, or refuse it.

    A label is an integer or a boolean of Python or NumPy.
    """
    if type(value) is int and (value == 0 or value == 1):  # noqa: PLR1714  # asked very often
        return value
    # NumPy's truth values have no index; their item is Python's. Arrays are no labels.
    scalar = hasattr(value, "item") and getattr(value, "ndim", 0) == 0
    plain = value.item() if scalar else value  # type: ignore[attr-defined]  # just looked up
    if isinstance(plain, int) and plain in (0, 1):
        return int(plain)
    wanted = "a label, 0 or 1"
    if isinstance(plain, int) and plain == -1:
        wanted += " (label_from_sign maps -1 to 0 and +1 to 1)"
    raise InvalidInput(argument, described(value), wanted)


def as_labels(values: Iterable[int], argument: str) -> tuple[int, ...]:
    """Return at least one label as a tuple."""
    try:
        kept = tuple(values)
    except TypeError:
        raise InvalidInput(argument, described(values), "labels") from None
    if not kept:
        raise InvalidInput(argument, "none", "at least one label")
    return tuple(as_label(value, argument) for value in kept)


def as_points(points: Iterable[T], argument: str = "points") -> tuple[T, ...]:
    """Return points as a tuple, or refuse a value that is not iterable.

    Examples
    --------
    >>> as_points("ab")
    ('a', 'b')
    """
    try:
        return tuple(points)
    except TypeError:
        wanted = "several points: a list of them, for one point too"
        raise InvalidInput(argument, described(points), wanted) from None


def require_hashable(value: object, argument: str) -> None:
    """Raise :class:`InvalidInput` unless the value and everything inside it are hashable."""
    try:
        hash(value)
    except TypeError:
        raise InvalidInput(
            argument, f"the unhashable value {described(value)}", "hashable values, such as tuples"
        ) from None


def require_value(value: object, argument: str) -> None:
    """Raise :class:`InvalidInput` unless the value is hashable and equal to itself."""
    require_hashable(value, argument)
    # NaN would be another value every time, and in a tuple as well, unless it is the same object.
    inside = (value, *value) if isinstance(value, tuple) else (value,)
    if any(map(operator.ne, inside, inside)):
        raise InvalidInput(argument, described(value), "values equal to themselves, no NaN")


def distinct(values: Iterable[T], argument: str) -> tuple[T, ...]:
    """Return the values as a tuple; refuse repetitions, and values without a hash or equality."""
    kept = tuple(values)
    seen: set[Hashable] = set()
    for value in kept:
        require_value(value, argument)
        if value in seen:
            raise InvalidInput(argument, f"{described(value)} twice", "distinct values")
        seen.add(value)
    return kept


# Words, types and lengths


def require_word(word: object, argument: str, words: Sequence[str]) -> None:
    """Refuse a value that is not one of the given words."""
    # An array compares with a word entry by entry.
    if not isinstance(word, str) or word not in words:
        raise InvalidInput(argument, described(word), " or ".join(map(repr, words)))


def require_instance(
    value: object, kind: type[object] | tuple[type[object], ...], argument: str, wanted: str = ""
) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, kind):
        names = [each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,))]
        words = (f"{'an' if name[0] in 'AEIOU' else 'a'} {name}" for name in names)
        raise InvalidInput(argument, described(value), wanted or " or ".join(words))


def require_size(x: Sized, size: int, argument: str, what: str = "examples") -> None:
    """Refuse a value that is shorter than a stated size."""
    if len(x) < size:
        raise InvalidInput(argument, f"{len(x)} {what}", f"at least {size} {what}")


def fix(made: object, **fields: object) -> None:
    """Set fields of a frozen object while it is made."""
    for name, value in fields.items():
        object.__setattr__(made, name, value)
