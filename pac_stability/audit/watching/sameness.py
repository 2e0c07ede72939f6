"""When two outcomes are the same, and how an outcome is written: the rule of every audit.

1. Outcomes are the same when they are equal, by ``==`` and ``hash``. Then 1, ``True`` and 1.0
   are one outcome, and so are 0.0 and -0.0. If equal outcomes have different texts, or differ in
   what their equality ignores (``field(compare=False)``), the answer states it as an assumption: a
   reader of the text sees more than the audit compared.
2. A hypothesis that equals only itself, such as a function, counts as the table of its labels on
   the domain.
3. Any other object that equals only itself is refused: two runs that return one would never agree.
   Members of enumerations, classes and ``None`` exist only once and are kept unchanged.

An outcome has a short text for people, and a full text for comparisons.
"""

from __future__ import annotations

import copyreg
import dataclasses
import enum
import functools
import marshal
import pickle
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any

from pac_stability.arguments import described
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.randomness.watch import assume

_LONGEST_NAME = 200
_DEEPEST = 20
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_ATOMS = (int, float, complex, str, bytes, Fraction)
ONCE = (type(None), type(...), type(NotImplemented), enum.Enum, type)
"""The types of values that are there only once."""


def name_of_outcome(outcome: object) -> str:
    """Return the ``repr`` on one line, without parts that change from run to run."""
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
    """Return a text that is equal for values that are written alike, in all their parts.

    Numbers and texts carry their type, mappings and sets are sorted, and objects are written by
    their parts: all fields of a dataclass, even uncompared ones, or whatever copying would copy.

    Parameters
    ----------
    value
        What is written.
    depth
        The depth in nested objects.
    exactly
        Whether to refuse objects that can only be described, such as functions: two of them may
        have the same text.

    Raises
    ------
    InvalidInput
        A part could only be described.

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
    kept = getattr(value, "__dict__", None)
    more = inner(kept) if kept and not dataclasses.is_dataclass(value) else ""
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
        known = {f.name for f in fields}
        extra = {key: part for key, part in (kept or {}).items() if key not in known}
        return f"{name}({', '.join(parts)}){inner(extra) if extra else ''}"
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
    """Return the table of a hypothesis; empty for any other object."""
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


# When are two outcomes the same? The rule of every audit, in one place

TABULATED = (
    "A hypothesis counts as the table of its labels on the domain: "
    "whoever receives the object may see more."
)
"""What is assumed where an outcome is a hypothesis that equals only itself."""

UNLIKE = "Equal outcomes count as the same, although some of them are not written alike"
"""How the sentence begins that is assumed of such outcomes; two of them end it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Tabulated:
    """A hypothesis that equals only itself, as the table of its labels on the domain.

    Attributes
    ----------
    description
        Its ``repr``, without addresses.
    labels
        Pairs of a point and its label, which alone count.
    """

    description: str = dataclasses.field(compare=False)
    labels: tuple[tuple[object, int], ...]

    def __call__(self, point: object, /) -> int:
        """Return the label of a point of the domain."""
        return dict(self.labels)[point]

    def __repr__(self) -> str:
        return self.description


def comparable_law(law: FiniteDistribution[object], domain: Sequence[object]) -> object:
    """Return a law with its outcomes as audits compare them: see :func:`comparable`."""
    if not any(_equals_only_itself(kind) for kind in set(map(type, law.support))):
        return law
    return law.map(lambda outcome: comparable(outcome, domain))


def _equals_only_itself(kind: Any) -> bool:
    return bool(kind.__eq__ is object.__eq__)


def comparable(outcome: object, domain: Sequence[object]) -> object:
    """Return an outcome as audits compare it.

    Parameters
    ----------
    outcome
        What an algorithm returned.
    domain
        The points on which hypotheses are tabulated.

    Raises
    ------
    InvalidInput
        It equals only itself, and is not a hypothesis.

    Examples
    --------
    >>> comparable((1, "a"), [0, 1])
    (1, 'a')
    >>> comparable(lambda x: x, [0, 1]) == comparable(lambda x: x % 2, [0, 1])
    True
    """
    if not _equals_only_itself(type(outcome)) or isinstance(outcome, ONCE):
        return outcome
    labels = labels_of(outcome, domain)
    if labels:
        if labels_of(outcome, domain) != labels:
            raise InvalidInput(
                "outcome",
                f"{name_of_outcome(outcome)}, which labels the domain otherwise when asked again",
                "a hypothesis that answers the same each time",
            )
        assume(TABULATED)
        return Tabulated(name_of_outcome(outcome), labels)
    raise InvalidInput(
        "outcome",
        f"{described(outcome)}, which equals only itself",
        "outcomes that compare by value: numbers, text, tuples, frozen dataclasses, or what has "
        "__eq__ and __hash__",
    )


class Forms:
    """The texts of outcomes, to detect equal ones with different texts."""

    # A cached property is no part of what a program keeps between questions, which this stands by.
    @functools.cached_property
    def _known(self) -> dict[object, tuple[bytes, object]]:
        return {}

    @functools.cached_property
    def _kinds(self) -> set[type]:
        return set()

    def note(self, outcome: Hashable) -> str:
        """Record the text of an outcome; return the assumption if an equal one has another text."""
        self._kinds.add(type(outcome))
        known = self._known.get(outcome)
        if known is not None and known[1] is outcome and type(outcome) in _ATOMS:
            return ""
        form = _quickly(outcome)
        if known is None:
            self._known[outcome] = form, outcome
        elif form != known[0] or not form:
            if known[1] is outcome and form:
                return f"{UNLIKE}: {_shortened(name_of_outcome(outcome))}, which was changed."
            here, there = written(outcome), written(known[1])
            if here == there:
                here, there = name_of_outcome(outcome), name_of_outcome(known[1])
            if here != there:
                return f"{UNLIKE}: {_shortened(there)} and {_shortened(here)}."
        return ""

    def note_law(self, law: object) -> str:
        """Do so for the outcomes of a law; other values have none."""
        if not isinstance(law, FiniteDistribution):
            return ""
        outcomes = law.numerators.keys()
        fresh: Iterable[Hashable] = outcomes
        if set(map(type, outcomes)) == {int} >= self._kinds:  # which are written alike when equal
            fresh = outcomes - self._known.keys()
        return next(filter(None, [self.note(outcome) for outcome in fresh]), "")


def _quickly(value: object) -> bytes:
    """Return bytes that are the same only for what is written alike; nothing if it has none."""
    if isinstance(value, enum.Enum | type):  # there only once, with what was set on it
        return name_of_outcome(sorted(vars(value).items())).encode()
    try:
        return marshal.dumps(value, 2)  # type: ignore[arg-type]  # it says if it cannot
    except ValueError:
        pass
    try:
        return pickle.dumps(value, 5)
    except Exception:  # a stranger's objects may raise anything
        return b""


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
