"""Outcomes by value: what a program returned, as it is compared with what other runs returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any, cast

from pac_stability.randomness.lazy_number import LazyNumber
from pac_stability.randomness.watch import assume

FROZEN = (
    "A list, an array, a dictionary, a set or a frame that is returned counts as what it holds: "
    "lists, arrays and tuples of equal entries are one outcome."
)
"""What is said of such outcomes."""

_LEAVES = frozenset([int, str, bool, float, bytes, type(None)])


def frozen(outcome: object) -> object:
    """Return an outcome as a value: lists as tuples, sets as frozen ones, mappings as their items.

    A number with noise that is not decided is told apart as it is published. What is a value
    already comes back as it is.

    Examples
    --------
    >>> frozen([1, {"a": [2]}])
    (1, frozenset({('a', (2,))}))
    """
    kind = type(outcome)
    if kind in _LEAVES:
        return outcome
    if kind is LazyNumber:
        return cast("LazyNumber", outcome).seen()
    if isinstance(outcome, tuple):
        parts = [frozen(part) for part in outcome]
        if all(one is other for one, other in zip(parts, outcome, strict=True)):
            return outcome
        return kind(*parts) if hasattr(kind, "_fields") else tuple(parts)
    if not _holds_noise(outcome) and _hashes(outcome):
        return outcome
    value = _by_value(outcome)
    if value is not outcome:
        assume(FROZEN)
    return value


def _holds_noise(outcome: object) -> bool:
    """Return whether a dataclass has a number with noise that is not decided."""
    named = getattr(type(outcome), "__dataclass_fields__", ())
    return any(type(getattr(outcome, name, None)) is LazyNumber for name in named)


def _hashes(outcome: object) -> bool:
    try:
        hash(outcome)
    except TypeError:
        return False
    return True


def _by_value(outcome: object) -> object:
    if hasattr(outcome, "to_dict") and hasattr(outcome, "columns"):  # a frame
        named = cast("Any", outcome).to_dict()
        return frozenset((name, frozen(column)) for name, column in named.items())
    if hasattr(outcome, "__array_interface__") or hasattr(outcome, "to_list"):
        listed = cast("Any", outcome)
        return frozen((listed.tolist if hasattr(listed, "tolist") else listed.to_list)())
    if isinstance(outcome, Mapping):
        return frozenset((frozen(key), frozen(value)) for key, value in outcome.items())
    if isinstance(outcome, Set):
        return frozenset(map(frozen, outcome))
    if isinstance(outcome, Sequence):
        return tuple(map(frozen, outcome))
    if is_dataclass(outcome) and type(outcome).__eq__ is not object.__eq__:
        held = (getattr(outcome, field.name) for field in fields(outcome) if field.compare)
        return (type(outcome).__qualname__, *map(frozen, held))
    return outcome
