"""Points as JSON: what :meth:`Sample.to_dict` writes and :meth:`Sample.from_dict` reads."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

from pac_stability.arguments import described
from pac_stability.errors import InvalidInput
from pac_stability.reading import MAX_DIGITS, number_from

_FRACTION = "fraction"
_TOO_LONG = 10**MAX_DIGITS
_DEEPEST = 32  # half of what the reader allows: a point stands inside lists and objects


def encode_point(point: object, name: str = "points", depth: int = _DEEPEST) -> object:
    """Return the JSON form of a point; ``name`` is what it is called in a message.

    What is written here is never refused by the reader: integers are short, tuples not deep.
    """
    if type(point).__module__ == "numpy" and getattr(point, "ndim", None) == 0:
        # NumPy's scalars are not known to every JSON writer; their item is Python's, and equal.
        point = point.item()  # type: ignore[attr-defined]  # every scalar of NumPy has one
    if point is None or isinstance(point, bool | str):
        return point
    if isinstance(point, tuple):
        if not depth:
            given = "tuples nested too deeply"
            raise InvalidInput(name, given, f"tuples nested at most {_DEEPEST} deep")
        return [encode_point(part, name, depth - 1) for part in point]
    if isinstance(point, Fraction):
        _require_short(max(abs(point.numerator), point.denominator), name)
        return {_FRACTION: str(point)}
    if isinstance(point, float) and math.isfinite(point):
        return float(point)
    try:
        number = operator.index(point)  # type: ignore[arg-type]  # NumPy's integers have an index
    except TypeError:
        raise InvalidInput(
            name,
            described(point),
            "None, booleans, integers, finite floats, fractions, strings and tuples of these",
        ) from None
    _require_short(abs(number), name)
    return number


def decode_point(value: object, name: str = "points") -> object:
    """Return the point whose JSON form is given; ``name`` is what it is called in a message."""
    if isinstance(value, list):
        return tuple(decode_point(part, name) for part in value)
    if not isinstance(value, dict):
        return value
    wanted = f'a point, or {{"{_FRACTION}": "p/q"}}'
    text = value.get(_FRACTION)
    if isinstance(text, str) and len(value) == 1:
        return number_from(text, name, wanted)
    raise InvalidInput(name, described(value), wanted)


def _require_short(size: int, name: str) -> None:
    if size >= _TOO_LONG:
        given = f"an integer of {size.bit_length()} bits"
        raise InvalidInput(name, given, f"integers of at most {MAX_DIGITS} digits")
