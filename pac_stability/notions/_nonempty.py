"""What is said of all pairs is not said of none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pac_stability.errors import InvalidInput

V = TypeVar("V")


def nonempty(values: Iterable[V], argument: str) -> Iterator[V]:
    """Yield the values, one at a time; raise :class:`InvalidInput` at the end if there was none."""
    examined = False
    for value in values:
        examined = True
        yield value
    if not examined:
        raise InvalidInput(argument, "none", "at least one: nothing would be examined")
