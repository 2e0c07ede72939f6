"""Numbers that were chosen to have one hash, which would make every dictionary of them slow."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from pac_stability.errors import InvalidInput
from pac_stability.reading.numbers import number_from

MAX_MET = 32
"""How many others of its hash a value may meet in a dictionary of all of them, on average."""

_MODULUS = sys.hash_info.modulus
_SHORT = frozenset({int, bool})
_NO_POINT = object()
"""Stands for what has no hash, or none that matters."""


def require_spread(document: object, name: str) -> None:
    """Refuse a document whose points would be slow to look up.

    Python hashes a number by its residue modulo a prime, and a tuple by the hashes of its parts, in
    the same way in every process. So ten thousand integers ``i * (2**61 - 1) + 5`` fall into one
    place of a dictionary, where each is compared with all before it. Texts are safe: their hashes
    are salted.

    Parameters
    ----------
    document
        A JSON value, or lists or tuples of points. All numbers in it are looked at, and all lists,
        as the tuples that they may become; ``{"fraction": "p/q"}`` counts as a number.
    name
        What to call it in a message.

    Raises
    ------
    InvalidInput
        In a dictionary of all of them, values would be compared with more than :data:`MAX_MET`
        different ones of the same hash, on average.

    Notes
    -----
    At most :data:`MAX_MET` comparisons for each value, and else linear. Honest values collide, too:
    -1 and -2 have one hash, and so have 1 and ``2**61``.

    Examples
    --------
    >>> require_spread([2**k for k in range(1000)], "powers")
    >>> require_spread([i * sys.hash_info.modulus + 5 for i in range(1000)], "it")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: it: got numbers that were chosen to have one hash, want \
points that a dictionary tells apart
    """
    found: list[tuple[int, object]] = []
    _gather(document, found)
    alike = Counter(place for place, _ in found)
    met: dict[int, list[object]] = {}
    left = MAX_MET * len(found)
    for place, value in found:
        if alike[place] == 1:
            continue
        others = met.setdefault(place, [])
        left -= len(others)
        if left < 0:
            given = "numbers that were chosen to have one hash"
            raise InvalidInput(name, given, "points that a dictionary tells apart")
        if value not in others:
            others.append(value)


def _gather(value: object, found: list[tuple[int, object]]) -> Hashable:
    """Add values and their hashes to what was found; return something that has the same hash.

    That of a fraction takes long, so a tuple is made of the hashes of its numbers: the hash of such
    an integer is the integer. What can be no point is :data:`_NO_POINT`.
    """
    if isinstance(value, list | tuple):
        parts = tuple(value)
        # A table has millions of entries: no step of Python's for each.
        if not _SHORT.issuperset(map(type, parts)) or not _are_short(parts):
            parts = tuple([_gather(part, found) for part in parts])
            if any(part is _NO_POINT for part in parts):
                return _NO_POINT
        found.append((hash(parts), value))
        return parts
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and -_MODULUS < value < _MODULUS:
        return value
    if isinstance(value, int | float | Fraction):
        place = hash(value)
    elif isinstance(value, dict) and len(value) == 1 and isinstance(value.get("fraction"), str):
        try:
            place = hash(number_from(value["fraction"], "fraction"))
        except InvalidInput:
            return _NO_POINT  # refused by whoever takes it for a point
    else:
        for inner in value.values() if isinstance(value, dict) else ():
            _gather(inner, found)
        return _NO_POINT
    found.append((place, value))
    return place


def _are_short(numbers: tuple[Any, ...]) -> bool:
    return not numbers or -_MODULUS < min(numbers) <= max(numbers) < _MODULUS
