"""Checks that the parts of this package share."""

from __future__ import annotations

from collections.abc import Sized

from pac_stability.data._values import described
from pac_stability.errors import InvalidInput


def require_size(x: Sized, size: int, argument: str, what: str = "examples") -> None:
    """Refuse what is shorter than a stated size."""
    if len(x) < size:
        raise InvalidInput(argument, f"{len(x)} {what}", f"at least {size}")


def require_instance(value: object, kind: type[object], argument: str) -> None:
    """Refuse a value of another type."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise InvalidInput(argument, described(value), f"{article} {kind.__name__}")
