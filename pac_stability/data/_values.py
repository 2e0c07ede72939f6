"""Checks on the values that users bring: points, outcomes, elements of a universe."""

from __future__ import annotations

import reprlib
from collections.abc import Hashable, Iterable
from typing import TypeVar

from pac_stability.errors import InvalidInput

T = TypeVar("T")


def described(value: object) -> str:
    """Return a short ``repr`` of a value, on one line, for an error message."""
    try:
        return " ".join(reprlib.repr(value).split())
    except ValueError:  # an integer of thousands of digits
        return f"a value of type {type(value).__name__} too long to show"


def require_hashable(value: object, argument: str) -> None:
    """Raise :class:`InvalidInput` unless the value, and all that is inside it, has a hash."""
    try:
        hash(value)
    except TypeError:
        raise InvalidInput(
            argument, f"the unhashable value {described(value)}", "hashable values, such as tuples"
        ) from None


def require_value(value: object, argument: str) -> None:
    """Raise :class:`InvalidInput` unless the value is hashable and equal to itself."""
    require_hashable(value, argument)
    # NaN would be another value every time.
    if value != value:  # noqa: PLR0124  # a NaN is not
        raise InvalidInput(argument, described(value), "values equal to themselves")


def distinct(values: Iterable[T], argument: str) -> tuple[T, ...]:
    """Return the values as a tuple, refusing repeated ones and what is no value."""
    kept = tuple(values)
    seen: set[Hashable] = set()
    for value in kept:
        require_value(value, argument)
        if value in seen:
            raise InvalidInput(argument, f"{described(value)} twice", "distinct values")
        seen.add(value)
    return kept
