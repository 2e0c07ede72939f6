"""Checks of arguments that several files of this room share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.classes.required import require_inhabited
from pac_stability.data import Example
from pac_stability.errors import InvalidInput


def as_pairs(
    examples: Iterable[tuple[Hashable, int] | Example[Hashable]],
) -> Iterator[tuple[Hashable, int]]:
    """Points and labels of examples, in whichever way they are written."""
    for number, example in enumerate(examples):
        if isinstance(example, Example):
            yield example.point, example.label
            continue
        try:
            point, label = example
        except (TypeError, ValueError):
            raise InvalidInput(
                f"examples[{number}]", repr(example), "a point and its label"
            ) from None
        yield point, label


def require_playable(H: FiniteClass | ImplicitClass) -> None:
    """Refuse a class that an adversary cannot play on: empty, or with a point that means "stop"."""
    if isinstance(H, ImplicitClass):
        return
    require_inhabited(H)
    if None in H.domain:
        raise InvalidInput("H", "the point None", "other points: None ends a game")
