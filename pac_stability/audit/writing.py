"""How an outcome is written: in short for people, and in full where that must tell two apart."""

from __future__ import annotations

import copyreg
import dataclasses
import enum
import re
from collections.abc import Mapping, Sequence, Set
from fractions import Fraction

_LONGEST_NAME = 200
_DEEPEST = 20
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_ATOMS = (int, float, complex, str, bytes, Fraction)
ONCE = (type(None), type(...), type(NotImplemented), enum.Enum, type)
"""The types of values that are there only once."""


def name_of_outcome(outcome: object) -> str:
    """Return what ``repr`` says, without what changes from run to run, on one line."""
    text: str
    if type(outcome) is frozenset:
        # The order of a set of strings differs from run to run.
        text = f"frozenset({{{', '.join(sorted(map(name_of_outcome, outcome)))}}})"
    elif type(outcome) is tuple:
        text = f"({', '.join(map(name_of_outcome, outcome))})"
    else:
        try:
            text = " ".join(_ADDRESS.sub("", repr(outcome)).split())
        except Exception:  # a stranger's repr may raise anything
            text = f"<{type(outcome).__qualname__}>"
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."


def written(value: object, depth: int = 0) -> str:
    """Return a text that is the same for values that are written alike, in all their parts.

    Numbers and text go with their type, mappings and sets are sorted, and objects are taken apart:
    the fields of a dataclass, also those that are not compared, or what copying would copy.

    Examples
    --------
    >>> written(1), written(True), written((1.0, -0.0))
    ('1', 'True', '(1.0, -0.0)')
    >>> written(frozenset({"b", "a"}))
    "frozenset{'a', 'b'}"
    """
    kind = type(value)
    if depth > _DEEPEST or isinstance(value, ONCE) or kind in (*_ATOMS, bool):
        return repr(value)
    inner = depth + 1
    if kind is tuple:
        return f"({', '.join(written(part, inner) for part in value)})"  # type: ignore[attr-defined]  # a tuple
    name = kind.__qualname__
    if isinstance(value, _ATOMS):  # of a class of its own, such as NumPy's
        return f"{name}({value!r})"
    if isinstance(value, Mapping):
        parts = sorted(f"{written(k, inner)}: {written(v, inner)}" for k, v in value.items())
        return f"{name}{{{', '.join(parts)}}}"
    if isinstance(value, Set):
        return f"{name}{{{', '.join(sorted(written(part, inner) for part in value))}}}"
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        parts = [f"{f.name}={written(getattr(value, f.name, None), inner)}" for f in fields]
        return f"{name}({', '.join(parts)})"
    if isinstance(value, Sequence):
        return f"{name}({', '.join(written(part, inner) for part in value)})"
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:  # what cannot be copied is described
        return name_of_outcome(value)
    if isinstance(reduced, str) or reduced[0] is not copyreg.__newobj__:  # type: ignore[attr-defined]  # what plain classes have
        return name_of_outcome(value)
    return f"{name}{written(tuple(reduced[1][1:]), inner)}{written(reduced[2], inner)}"
