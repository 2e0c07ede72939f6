"""Outcomes as JSON: exactly where they are plain values, otherwise by a description."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from pac_stability.audit.writing import name_of_outcome, written
from pac_stability.data import FiniteDistribution
from pac_stability.data.sample import decode_point, encode_point
from pac_stability.errors import InvalidInput
from pac_stability.reading import exact_text

_OBJECT = "object"


@dataclass(frozen=True, slots=True)
class RecordedObject:
    """An outcome of which a certificate keeps a description, and nothing else.

    Functions and other objects have no JSON form. To recheck a certificate only their identity
    counts: which outcomes are the same. Where the object was a hypothesis its labels are kept too,
    and it can still be called.

    Attributes
    ----------
    index
        Its place in the certificate's table of objects; equal objects have the same.
    description
        What ``repr`` said of it, without addresses in memory.
    labels
        Pairs of a point and the label that the hypothesis gives it; empty when it was none.
    """

    index: int
    description: str = field(compare=False)
    labels: tuple[tuple[object, int], ...] = field(default=(), compare=False)

    def __call__(self, point: object, /) -> int:
        """Return the label of a point."""
        for known, label in self.labels:
            if known == point:
                return label
        raise InvalidInput("point", repr(point), f"a point that {self.description} was recorded at")

    def __repr__(self) -> str:
        return self.description


class OutcomeTable:
    """The JSON forms of the outcomes of one certificate.

    Parameters
    ----------
    outcomes
        All outcomes, in any order, possibly repeated.
    domain
        The points on which hypotheses are tabulated.

    Notes
    -----
    Equal outcomes have one form, also when Python writes them in two ways (1 and ``True``). An
    object is ``{"object": index}``; ``objects`` describes it. The indices follow the labels and the
    descriptions, and only among those that look alike the order of appearance.
    """

    def __init__(self, outcomes: Iterable[object], domain: Sequence[object]) -> None:
        self._forms: dict[object, object] = {}
        strangers: list[tuple[object, dict[str, object]]] = []
        for outcome in dict.fromkeys(outcomes):
            form = _plain(outcome)
            if form is _NONE:
                strangers.append((outcome, _described(outcome, domain)))
            else:
                self._forms[outcome] = form
        _tell_apart(strangers)
        strangers.sort(key=lambda pair: json.dumps(pair[1]))
        self.objects: list[dict[str, object]] = [description for _, description in strangers]
        self._forms |= {outcome: {_OBJECT: i} for i, (outcome, _) in enumerate(strangers)}

    def form(self, outcome: object) -> object:
        """Return the JSON form of an outcome of the table."""
        return self._forms[outcome]

    def rank(self, outcome: object) -> tuple[int, Fraction, str]:
        """Return a key that sorts outcomes: numbers, text and tuples, objects."""
        form = self._forms[outcome]
        if isinstance(form, dict) and _OBJECT in form:
            return 2, Fraction(form[_OBJECT]), ""
        value = decode_point(form)
        if isinstance(value, int | float | Fraction):
            return 0, Fraction(value), ""
        return 1, Fraction(0), json.dumps(form)

    def law_form(self, law: FiniteDistribution[object]) -> list[object]:
        """Return the JSON form of a law: pairs of an outcome and its probability, sorted."""
        items = sorted(law.items(), key=lambda item: self.rank(item[0]))
        return [[self.form(outcome), exact_text(p)] for outcome, p in items]


def decode_outcome(form: object, objects: Sequence[RecordedObject]) -> object:
    """Return the outcome whose JSON form is given."""
    if isinstance(form, dict) and _OBJECT in form:
        return objects[form[_OBJECT]]
    return decode_point(form)


def decode_object(index: int, description: dict[str, object]) -> RecordedObject:
    """Return what the table of objects of a certificate says of one."""
    labels = cast("list[tuple[object, int]]", description.get("labels", []))
    return RecordedObject(
        index,
        cast("str", description["repr"]),
        tuple((decode_point(point), label) for point, label in labels),
    )


_NONE = object()


def _tell_apart(strangers: Sequence[tuple[object, dict[str, object]]]) -> None:
    """Describe in full what is described alike in short: what looks the same proves nothing."""
    alike = Counter(json.dumps(description) for _, description in strangers)
    for outcome, description in strangers:
        if alike[json.dumps(description)] > 1:
            description["repr"] = written(outcome)


def _plain(outcome: object) -> object:
    """Return the form of a plain value, or ``_NONE``."""
    if callable(outcome):  # a hypothesis, whose labels say more than the integer that it may be
        return _NONE
    try:
        form = encode_point(outcome)
        json.dumps(form)
        # An object may look like an integer to Python without being equal to one.
        return form if decode_point(form) == outcome else _NONE
    except (InvalidInput, ValueError, RecursionError):  # also integers of thousands of digits
        return _NONE


def _described(outcome: object, domain: Sequence[object]) -> dict[str, object]:
    if isinstance(outcome, RecordedObject):
        text, labels = outcome.description, outcome.labels
    else:
        text, labels = name_of_outcome(outcome), labels_of(outcome, domain)
    description: dict[str, object] = {"repr": text}
    if labels:
        description["labels"] = [[encode_point(point), label] for point, label in labels]
    return description


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
