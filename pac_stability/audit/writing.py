"""How an outcome is written: in short for people, and in full where that must tell two apart."""

from __future__ import annotations

import copyreg
import dataclasses
import enum
import re
from collections.abc import Callable, Mapping, Sequence, Set
from fractions import Fraction

from pac_stability.arguments import described
from pac_stability.errors import InvalidInput

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


def written(value: object, depth: int = 0, *, exactly: bool = False) -> str:
    """Return a text that is the same for values that are written alike, in all their parts.

    Numbers and text go with their type, mappings and sets are sorted, and objects are taken apart:
    the fields of a dataclass, also those that are not compared, or what copying would copy.

    Parameters
    ----------
    value
        What is written.
    depth
        How many objects it is in.
    exactly
        Whether to refuse what could only be described, such as a function: two of them may have the
        same text.

    Raises
    ------
    InvalidInput
        Something could only be described.

    Examples
    --------
    >>> written(1), written(True), written((1.0, -0.0))
    ('1', 'True', '(1.0, -0.0)')
    >>> written(frozenset({"b", "a"}))
    "frozenset{'a', 'b'}"
    """
    kind = type(value)
    if isinstance(value, ONCE) or kind in (*_ATOMS, bool):
        return repr(value)
    if depth > _DEEPEST:
        return _only_described(value, repr(value), exactly)

    def inner(part: object) -> str:
        return written(part, depth + 1, exactly=exactly)

    if kind is tuple:
        return f"({', '.join(map(inner, value))})"  # type: ignore[call-overload]  # a tuple
    name = f"{kind.__module__}.{kind.__qualname__}" if exactly else kind.__qualname__
    # A class of somebody's own may keep more than its items.
    more = inner(vars(value)) if exactly and getattr(value, "__dict__", None) else ""
    if isinstance(value, _ATOMS):  # of a class of its own, such as NumPy's
        return f"{name}({value!r}){more}"
    if isinstance(value, Mapping):
        parts = sorted(f"{inner(k)}: {inner(v)}" for k, v in value.items())
        return f"{name}{{{', '.join(parts)}}}{more}"
    if isinstance(value, Set):
        return f"{name}{{{', '.join(sorted(map(inner, value)))}}}{more}"
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        parts = [f"{f.name}={inner(getattr(value, f.name, None))}" for f in fields]
        return f"{name}({', '.join(parts)}){more}"
    if isinstance(value, Sequence):
        return f"{name}({', '.join(map(inner, value))}){more}"
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:  # what cannot be copied is described
        return _only_described(value, name_of_outcome(value), exactly)
    if isinstance(reduced, str) or reduced[0] is not copyreg.__newobj__:  # type: ignore[attr-defined]  # what plain classes have
        return _only_described(value, name_of_outcome(value), exactly)
    return f"{name}{inner(tuple(reduced[1][1:]))}{inner(reduced[2])}"


def _only_described(value: object, text: str, exactly: bool) -> str:
    if exactly:
        raise InvalidInput(
            "outcome",
            described(value),
            "outcomes that can be written in full: numbers, text, tuples, sets, dataclasses",
        )
    return text


def labels_of(hypothesis: object, domain: Sequence[object]) -> tuple[tuple[object, int], ...]:
    """Return the table of a hypothesis; empty for what is none."""
    if isinstance(hypothesis, Mapping):
        label_of: Callable[[object], object] = hypothesis.__getitem__
    elif callable(hypothesis):
        label_of = hypothesis
    else:
        return ()
    labels = []
    for point in domain:
        try:
            label = label_of(point)
        except Exception:  # whatever a stranger raises, it is no hypothesis
            return ()
        if label not in (0, 1):
            return ()
        labels.append((point, int(label)))
    return tuple(labels)
