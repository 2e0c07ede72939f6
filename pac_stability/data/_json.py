"""Points as JSON: what :meth:`Sample.to_dict` writes and :meth:`Sample.from_dict` reads."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

from pac_stability.data._values import described
from pac_stability.errors import InvalidInput

_FRACTION = "fraction"


def encode_point(point: object) -> object:
    """Return the JSON form of a point."""
    if type(point).__module__ == "numpy" and getattr(point, "ndim", None) == 0:
        # NumPy's scalars are not known to every JSON writer; their item is Python's, and equal.
        point = point.item()  # type: ignore[attr-defined]  # every scalar of NumPy has one
    if point is None or isinstance(point, bool | str):
        return point
    if isinstance(point, tuple):
        return [encode_point(part) for part in point]
    if isinstance(point, Fraction):
        return {_FRACTION: str(point)}
    if isinstance(point, float) and math.isfinite(point):
        return float(point)
    try:
        return operator.index(point)  # type: ignore[arg-type]  # NumPy's integers have an index
    except TypeError:
        raise InvalidInput(
            "points",
            described(point),
            "None, booleans, integers, finite floats, fractions, strings and tuples of these",
        ) from None


def decode_point(value: object) -> object:
    """Return the point whose JSON form is given."""
    if isinstance(value, list):
        return tuple(decode_point(part) for part in value)
    if not isinstance(value, dict):
        return value
    text = value.get(_FRACTION)
    if isinstance(text, str) and len(value) == 1:
        try:
            return Fraction(text)
        except (ValueError, ZeroDivisionError):
            pass
    raise InvalidInput("points", described(value), f'a point, or {{"{_FRACTION}": "p/q"}}')
