"""Checks of arguments that several files of this room share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction

from pac_stability.classes import FiniteClass
from pac_stability.data import Example
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput


def check_label(argument: str, label: int) -> int:
    """``label`` as a plain 0 or 1, or :class:`InvalidInput`."""
    if label == 0:
        return 0
    if label == 1:
        return 1
    raise InvalidInput(
        argument, repr(label), "a label, 0 or 1" + " (map -1 to 0)" * int(label == -1)
    )


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


def check_inhabited(H: FiniteClass) -> None:
    """Refuse the empty class: nothing can be learned from it and no sequence is realizable."""
    _require_class(H)
    if len(H) == 0:
        raise InvalidInput("H", "an empty class", "at least one hypothesis")


def _require_class(value: object) -> None:
    if not isinstance(value, FiniteClass):
        raise InvalidInput("H", described(value), "a FiniteClass")


def check_playable(H: FiniteClass) -> None:
    """Refuse a class that an adversary cannot play on: empty, or with a point that means "stop"."""
    check_inhabited(H)
    if None in H.domain:
        raise InvalidInput("H", "the point None", "other points: None ends a game")


def check_count(argument: str, value: object) -> int:
    """``value`` as an int that is not negative, or :class:`InvalidInput`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInput(argument, repr(value), "a non-negative integer")
    return value


def check_beta(beta: object) -> Fraction:
    """``beta`` as a rational strictly between 0 and 1, or :class:`InvalidInput`."""
    if isinstance(beta, Fraction) and 0 < beta < 1:
        return beta
    raise InvalidInput("beta", repr(beta), "a Fraction strictly between 0 and 1")
