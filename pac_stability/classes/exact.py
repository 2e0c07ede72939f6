"""Points with exact coordinates: integers and fractions decide, never floats."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational

import numpy as np

from pac_stability.errors import InvalidInput

Number = int | Fraction
"""An exact coordinate: an integer, or a fraction that is none."""

Vector = tuple[Number, ...]
"""A point with exact coordinates."""


def exact_number(value: object, argument: str = "point") -> Number:
    """Return a real number exactly, as an ``int`` where it is one.

    Integers, fractions, decimals and floats (each a dyadic rational) are taken at their exact
    values, which compare and hash equal to what was given.

    Raises
    ------
    InvalidInput
        The value is no real number, or not finite.

    Examples
    --------
    >>> exact_number(0.5), exact_number(2.0), exact_number(Fraction(1, 3))
    (Fraction(1, 2), 2, Fraction(1, 3))
    """
    if type(value) is int:
        return value
    if isinstance(value, Integral | np.bool_):
        return int(value)
    if isinstance(value, Rational):
        exact = Fraction(value)
    elif isinstance(value, float | np.floating | Decimal):
        if not math.isfinite(value):
            raise InvalidInput(argument, _shown(value), "a finite number")
        exact = Fraction(*value.as_integer_ratio())
    else:
        raise InvalidInput(argument, _shown(value), "a real number")
    return int(exact) if exact.denominator == 1 else exact


def exact_vector(value: object, dimension: int, argument: str = "point") -> Vector:
    """Return a point of ``R^dimension`` exactly.

    Raises
    ------
    InvalidInput
        It is no sequence of that many finite numbers.
    """
    coordinates: Sequence[object] | None = None
    if isinstance(value, np.ndarray) and value.ndim == 1:
        coordinates = list(value)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        coordinates = value
    if coordinates is None or len(coordinates) != dimension:
        raise InvalidInput(argument, _shown(value), f"a tuple of {dimension} numbers")
    return tuple(exact_number(coordinate, argument) for coordinate in coordinates)


def bit_vector(value: object, length: int, argument: str = "point") -> tuple[int, ...]:
    """Return a point of ``{0, 1}^length``.

    Raises
    ------
    InvalidInput
        It is no sequence of that many bits.
    """
    return residue_vector(value, length, 2, argument)


def residue_vector(
    value: object, length: int, modulus: int, argument: str = "point"
) -> tuple[int, ...]:
    """Return a point with coordinates ``0, ..., modulus - 1``.

    Raises
    ------
    InvalidInput
        It is no sequence of that many such integers.
    """
    for coordinate in (vector := exact_vector(value, length, argument)):
        if not isinstance(coordinate, int) or not 0 <= coordinate < modulus:
            wanted = f"a tuple of {length} integers from 0 to {modulus - 1}"
            raise InvalidInput(argument, _shown(value), wanted)
    return tuple(int(coordinate) for coordinate in vector)


def scaled_to_integers(values: Iterable[Number]) -> tuple[list[int], int]:
    """Return the values times their least common denominator, and that denominator."""
    exact = list(values)
    denominator = math.lcm(*(value.denominator for value in exact))
    return [value.numerator * (denominator // value.denominator) for value in exact], denominator


def canonical_order(points: Iterable[Hashable]) -> list[Hashable]:
    """Sort points of any types, so that the result depends on their set only.

    Numbers come first, then text, then bytes, then tuples of such; other values follow in the order
    of their type names and ``repr``.
    """
    return sorted(points, key=_sort_key)


def _sort_key(point: Hashable) -> tuple[object, ...]:
    if isinstance(point, int | float | Fraction):
        return (0, point)
    if isinstance(point, str):
        return (1, point)
    if isinstance(point, bytes):
        return (2, point)
    if isinstance(point, tuple):
        return (3, tuple(_sort_key(entry) for entry in point))
    return (4, type(point).__qualname__, repr(point))


def _shown(value: object) -> str:
    """Show a value on one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
