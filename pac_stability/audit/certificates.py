"""Certificates: the answer of an audit as a JSON document that others can check.

:mod:`pac_stability.checker` checks one without any code of the search; the reference page on audit
certificates describes the fields. It writes outcomes exactly if they are plain values, and
describes them otherwise; then come the instance, the witness, and the whole document.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from os import PathLike
from typing import TypeAlias, cast

from pac_stability import reading
from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.audit import results
from pac_stability.audit.notions.notion import OWN, Instance, Notion, Symmetry
from pac_stability.audit.subjects import points_in
from pac_stability.audit.watching.program import labels_of, name_of_outcome, written
from pac_stability.checker.rechecking import recheck
from pac_stability.data import (
    Adjacency,
    Example,
    FiniteDistribution,
    Multiset,
    Neighbouring,
    Sample,
)
from pac_stability.data.sample import decode_point, encode_point
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text

_OBJECT = "object"


@dataclass(frozen=True, slots=True)
class RecordedObject:
    """An outcome of which a certificate keeps only a description.

    Functions and other objects have no JSON form. To recheck a certificate only their identity
    counts: which outcomes are the same. If the object was a hypothesis, its labels are kept too and
    it can still be called.

    Attributes
    ----------
    index
        Its place in the certificate's table of objects; equal objects have the same.
    description
        Its ``repr``, without addresses in memory.
    labels
        Pairs of a point and the label that the hypothesis gives it; empty when it was not a
        hypothesis.
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
    Equal outcomes have one form, even if Python writes them in two ways (1 and ``True``). An object
    is ``{"object": index}``; ``objects`` describes it. The indices are sorted by labels and
    description; the order of appearance only breaks ties.
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
        return [[self.form(outcome), reading.exact_text(p)] for outcome, p in items]


def decode_outcome(form: object, objects: Sequence[RecordedObject]) -> object:
    """Return the outcome whose JSON form is given."""
    if isinstance(form, dict) and _OBJECT in form:
        return objects[form[_OBJECT]]
    return decode_point(form)


def decode_object(index: int, description: dict[str, object]) -> RecordedObject:
    """Return one object from the table of objects of a certificate."""
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


# Instances of audits as JSON: the universe and its elements, samples, and the parameters


def encode_instance(instance: Instance) -> dict[str, object]:
    """Return the form of an instance without its notion, which the certificate records itself."""
    distribution = instance.distribution
    return {
        "labelled": any(isinstance(element, Example) for element in instance.universe),
        "universe": [encode_element(element) for element in instance.universe],
        "distribution": None
        if distribution is None
        else [
            [encode_element(element), reading.exact_text(p)] for element, p in distribution.items()
        ],
        "n": instance.n,
        **({"sizes": [instance.least, instance.n]} if _has_sizes(instance) else {}),
        "points": [encode_point(point) for point in instance.points],
        "epsilon_ratio": reading.exact_text(instance.epsilon_ratio),
        "delta": reading.exact_text(instance.delta),
        "beta": reading.exact_text(instance.beta),
        "optimum": reading.exact_text(instance.optimum),
        "relation": instance.relation.value,
        **({"listed": _pair_forms(instance)} if instance.listed else {}),
        "group_size": instance.group_size,
        "symmetry": instance.symmetry.value,
        **{name: reading.exact_text(value) for name, value in instance.own},
    }


def _has_sizes(instance: Instance) -> bool:
    """Whether a certificate says the sizes of samples: they are more than n."""
    return instance.relation is Neighbouring.ADD_REMOVE


def _pair_forms(instance: Instance) -> list[list[list[object]]]:
    return [[list(map(encode_element, sample)) for sample in pair] for pair in instance.listed]


def decode_instance(fields: dict[str, object], notion: object) -> Instance:
    """Return the instance of a rechecked form, for the notion of that name."""
    labelled = cast("bool", fields["labelled"])
    weights = cast("list[tuple[object, str]] | None", fields["distribution"])
    n, least = cast("int", fields["n"]), 0
    adjacency = fields["relation"] in {each.value for each in Adjacency}
    relation = (Adjacency if adjacency else Neighbouring)(fields["relation"])
    couples = cast("list[list[list[object]]]", fields.get("listed", []))
    if relation is Neighbouring.ADD_REMOVE:  # in version 2, n and what is one more or less
        least, n = cast("list[int]", fields.get("sizes", [max(n - 1, 0), n + 1]))
    return Instance(
        notion=Notion.named(notion),
        universe=tuple(decode_elements(fields["universe"], labelled)),
        n=n,
        least=least,
        points=tuple(map(decode_point, cast("list[object]", fields["points"]))),
        epsilon_ratio=reading.exact_number(fields["epsilon_ratio"], "epsilon_ratio"),
        delta=reading.exact_number(fields["delta"], "delta"),
        beta=reading.exact_number(fields["beta"], "beta"),
        optimum=reading.exact_number(fields["optimum"], "optimum"),
        own=tuple(
            (name, reading.exact_number(fields[name], name)) for name in fields if name in OWN
        ),
        relation=relation,
        listed=tuple(
            (tuple(decode_elements(one, labelled)), tuple(decode_elements(other, labelled)))
            for one, other in couples
        ),
        group_size=cast("int", fields["group_size"]),
        symmetry=Symmetry(fields["symmetry"]),
        distribution=None
        if weights is None
        else FiniteDistribution(
            {
                _decode_element(form, labelled): reading.exact_number(p, "distribution")
                for form, p in weights
            }
        ),
    )


def encode_element(element: object) -> object:
    """Return the form of an example, or of a record."""
    if isinstance(element, Example):
        return [encode_point(element.point), element.label]
    return encode_point(element)


def _decode_element(form: object, labelled: bool) -> object:
    if labelled:
        point, label = cast("tuple[object, int]", form)
        return Example(decode_point(point), label)
    return decode_point(form)


def decode_elements(forms: object, labelled: bool) -> list[object]:
    """Return the examples, or the records, of a list of forms."""
    return [_decode_element(form, labelled) for form in cast("list[object]", forms)]


def decode_sample(forms: object, labelled: bool) -> object:
    """Return the sample of these forms, as an algorithm sees it."""
    return sample_of(tuple(decode_elements(forms, labelled)))


def sample_of(elements: tuple[object, ...]) -> object:
    """Return a sample as an algorithm sees it: a ``Sample``, or a tuple of records."""
    if elements and isinstance(elements[0], Example):
        return Sample.from_examples(cast("tuple[Example[object], ...]", elements))
    return elements


# What shows the value of an audit as JSON: a witness, the answers on all samples, the value


def encode_witness(
    witness: results.Witness, table: OutcomeTable, instance: Instance
) -> dict[str, object]:
    """Return the form of a witness of an instance, whose outcomes have theirs in the table."""
    if isinstance(witness, results.PairWitness):
        return _encode_pair(witness, table, has_points=bool(instance.points))
    return _encode_laws(witness, table, instance)


def _encode_pair(
    witness: results.PairWitness, table: OutcomeTable, *, has_points: bool
) -> dict[str, object]:
    return {
        "kind": "pair",
        "sample": [encode_element(z) for z in cast("Iterable[object]", witness.sample)],
        "neighbour": [encode_element(z) for z in cast("Iterable[object]", witness.neighbour)],
        **({"point": encode_point(witness.point)} if has_points else {}),
        "law": table.law_form(witness.law),
        "neighbour_law": table.law_form(witness.neighbour_law),
        "event": [table.form(outcome) for outcome in sorted(witness.event, key=table.rank)],
        **({} if witness.order is None else {"order": reading.exact_text(witness.order)}),
        "value": encode_value(witness.value),
    }


def _encode_laws(
    witness: results.LawsWitness, table: OutcomeTable, instance: Instance
) -> dict[str, object]:
    place = {element: index for index, element in enumerate(instance.universe)}
    up_to_order = any(isinstance(sample, Multiset) for sample, _ in witness.laws)
    laws = []
    for sample, law in witness.laws:
        if isinstance(sample, Multiset):
            elements = sorted(sample.elements(), key=place.__getitem__)
        else:
            elements = list(cast("Iterable[object]", sample))
        laws.append(([place[z] for z in elements], elements, law))
    laws.sort(key=lambda entry: entry[0])
    strategy = sorted(witness.strategy, key=lambda pair: table.rank(pair[0]))
    return {
        "kind": "laws",
        "up_to_order": up_to_order,
        "laws": [
            {"sample": [encode_element(z) for z in elements], "law": table.law_form(law)}
            for _, elements, law in laws
        ],
        "strategy": [[table.form(choice), _encode_choice(what)] for choice, what in strategy],
        "value": encode_value(witness.value),
    }


def _encode_choice(what: object) -> object:
    """Write a probability, or a set of elements."""
    if isinstance(what, Fraction | int):
        return reading.exact_text(Fraction(what))
    return [encode_element(element) for element in cast("Iterable[object]", what)]


def decode_witness(
    fields: dict[str, object], instance: Instance, objects: Sequence[RecordedObject]
) -> results.Witness:
    """Return the witness of a rechecked form."""
    labelled = any(isinstance(element, Example) for element in instance.universe)
    value = cast("Fraction | float", decode_value(fields["value"]))
    if fields["kind"] == "pair":
        return results.PairWitness(
            sample=decode_sample(fields["sample"], labelled),
            neighbour=decode_sample(fields["neighbour"], labelled),
            point=decode_point(fields["point"]) if "point" in fields else None,
            law=_decode_law(fields["law"], objects),
            neighbour_law=_decode_law(fields["neighbour_law"], objects),
            event=tuple(
                decode_outcome(form, objects) for form in cast("list[object]", fields["event"])
            ),
            value=value,
            order=reading.exact_number(fields["order"], "order") if "order" in fields else None,
        )
    laws = cast("list[dict[str, object]]", fields["laws"])
    strategy = cast("list[tuple[object, object]]", fields["strategy"])
    return results.LawsWitness(
        laws=tuple(
            (
                Multiset.of(decode_elements(entry["sample"], labelled))
                if fields["up_to_order"]
                else decode_sample(entry["sample"], labelled),
                _decode_law(entry["law"], objects),
            )
            for entry in laws
        ),
        strategy=tuple(
            (
                decode_outcome(form, objects),
                reading.exact_number(what, "strategy")
                if isinstance(what, str)
                else tuple(decode_elements(what, labelled)),
            )
            for form, what in strategy
        ),
        value=value,
    )


def _decode_law(forms: object, objects: Sequence[RecordedObject]) -> FiniteDistribution[object]:
    items = cast("list[tuple[object, str]]", forms)
    return FiniteDistribution(
        {decode_outcome(form, objects): reading.exact_number(p, "law") for form, p in items}
    )


def encode_answers(answers: results.AllAnswers, table: OutcomeTable) -> dict[str, object]:
    """Return the form of the answers on all samples."""
    return {
        "laws": [
            table.law_form(value)
            if isinstance(value, FiniteDistribution)
            else reading.exact_text(value)
            for value in answers.values
        ],
        "rows": [list(row) for row in answers.rows],
        "levels": [[list(node) for node in level] for level in answers.levels],
        "roots": list(answers.roots),
    }


def decode_answers(form: object, objects: Sequence[RecordedObject]) -> results.AllAnswers | None:
    """Return the answers of a rechecked form; ``None`` where they were left out."""
    if form is None:
        return None
    fields = cast("dict[str, list[object]]", form)
    return results.AllAnswers(
        values=tuple(
            reading.exact_number(value, "laws")
            if isinstance(value, str)
            else _decode_law(value, objects)
            for value in fields["laws"]
        ),
        rows=_decode_nodes(fields["rows"]),
        levels=tuple(map(_decode_nodes, fields["levels"])),
        roots=tuple(cast("list[int]", fields["roots"])),
    )


def _decode_nodes(forms: object) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, cast("list[list[int]]", forms)))


def encode_value(value: results.Value) -> object:
    """Return the form of a value: a number, infinity, or an enclosure."""
    if isinstance(value, Interval):
        return {"lower": reading.exact_text(value.lower), "upper": reading.exact_text(value.upper)}
    if isinstance(value, float):
        if value != math.inf:
            raise InvalidInput("value", repr(value), "a Fraction, math.inf or an Interval")
        return "infinity"
    return reading.exact_text(Fraction(value))


def decode_value(form: object) -> results.Value:
    """Return the value of a rechecked form."""
    if isinstance(form, dict):
        return Interval(*(reading.exact_number(form[end], end) for end in ("lower", "upper")))
    return math.inf if form == "infinity" else reading.exact_number(form, "value")


# Certificates: the answer of an audit as a JSON document that others can check

SCHEMA = "pac-stability/audit-certificate/2"
WITH_SIZES = "pac-stability/audit-certificate/3"
"""Of samples of several sizes, which it states; the other fields are the same."""

LONGEST_ANSWERS = reading.MAX_BYTES // 2
"""Characters that the answers on all samples may take; longer ones are left out."""

Document: TypeAlias = dict[str, object]
"""A certificate as ``json.loads`` gives it."""


def to_document(result: results.AuditResult) -> Document:
    """Return the certificate of an audit as a dictionary that ``json.dumps`` accepts.

    Parameters
    ----------
    result
        An audit with a witness.

    Returns
    -------
    dict
        The document that the reference page on audit certificates describes.

    Raises
    ------
    InvalidInput
        The audit examined nothing, so there is no witness; or a point has no JSON form.

    Notes
    -----
    Equal results have equal documents, regardless of the order in which a law lists its outcomes.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.data import Deterministic
    >>> publish = Deterministic(lambda S: S.labels[0])
    >>> found = audit.differential_privacy(publish, ["a"], 1, claim=1)
    >>> document = to_document(found)
    >>> document["verdict"], document["value"], document["witness"]["law"]
    ('refuted', 'infinity', [[0, '1']])
    """
    if result.witness is None:
        raise InvalidInput("result", "an audit without a witness", "one that examined something")
    return _document(result, {})


def to_report(result: results.AuditResult, version: str) -> Document:
    """Return the whole result of an audit, for programs: its certificate and its subject.

    Parameters
    ----------
    result
        An audit, perhaps without a witness; without one, the document cannot be rechecked.
    version
        The version of the writing program.
    """
    beside = {
        "version": version,
        "subject": result.subject,
        "understood": result.understood,
        "kept": result.kept,
    }
    return _document(result, beside)


def _document(result: results.AuditResult, beside: Document) -> Document:
    instance, witness = result.instance, result.witness
    skipped = result.verdict is results.Verdict.SKIPPED
    table = OutcomeTable(_outcomes(result), domain_of(instance))
    document: Document = {
        "schema": WITH_SIZES if _has_sizes(instance) else SCHEMA,
        **beside,
        "notion": instance.notion.name,
        "verdict": result.verdict.value,
        "claim": None if result.claim is None else reading.exact_text(result.claim),
        "value": None if skipped else encode_value(result.value),
        "instance": encode_instance(instance),
        "counts": asdict(result.counts),
        "note": result.note,
        "assumptions": list(result.assumptions),
        "objects": table.objects,
        "answers": _answers_that_fit(result.answers, table),
        "witness": None if witness is None else encode_witness(witness, table, instance),
    }
    return {**document, "sha256": digest(document)}


def from_document(document: object) -> results.AuditResult:
    """Return the audit that a certificate records, after rechecking it.

    Parameters
    ----------
    document
        What :func:`to_document` returned, possibly after a passage through JSON.

    Returns
    -------
    AuditResult
        Equal to the original one, except that outcomes without a JSON form have become
        :class:`RecordedObject`.

    Raises
    ------
    InvalidInput
        The certificate does not pass :func:`recheck`, or contains numbers chosen to collide in
        their hashes.
    """
    recheck(document)
    return recorded_result(cast("Document", document))


def recorded_result(fields: Document) -> results.AuditResult:
    """Return the audit that a rechecked certificate records.

    The recheck has checked every field, and this relies on their types.

    Raises
    ------
    InvalidInput
        It is a counterexample to a statement, not an audit.
    """
    if fields["schema"] not in (SCHEMA, WITH_SIZES):
        wanted = f"{SCHEMA!r}: only an exact audit has laws"
        raise InvalidInput("schema", described(fields["schema"]), wanted)
    descriptions = cast("list[Document]", fields["objects"])
    objects = [decode_object(index, description) for index, description in enumerate(descriptions)]
    instance = decode_instance(cast("Document", fields["instance"]), fields["notion"])
    claim = fields["claim"]
    return results.AuditResult(
        instance=instance,
        value=decode_value(fields["value"]),
        verdict=results.Verdict(fields["verdict"]),
        witness=decode_witness(cast("Document", fields["witness"]), instance, objects),
        counts=results.Counts(**cast("dict[str, int]", fields["counts"])),
        claim=None if claim is None else reading.exact_number(claim, "claim"),
        note=cast("str", fields["note"]),
        assumptions=tuple(cast("list[str]", fields["assumptions"])),
        answers=decode_answers(fields["answers"], objects),
    )


def to_json(result: results.AuditResult) -> str:
    """Return the certificate of an audit as text; raises like :func:`to_document`.

    Notes
    -----
    Equal results give the same bytes on every machine.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.data import Deterministic
    >>> found = audit.differential_privacy(Deterministic(len), ["a"], 1)
    >>> from_json(to_json(found)) == found
    True
    """
    return pretty(to_document(result))


def from_json(text: str | bytes, *, max_bytes: int = reading.MAX_BYTES) -> results.AuditResult:
    """Return the audit that a certificate records, given its text; see :func:`from_document`."""
    return from_document(reading.parse_json(text, "certificate", max_bytes=max_bytes))


def save(result: results.AuditResult, path: str | PathLike[str]) -> None:
    """Write the certificate of an audit to a file, which appears whole or not at all.

    Raises
    ------
    InvalidInput
        As for :func:`to_document`, or the file cannot be written; an existing one then stays
        unchanged.
    """
    write_text(path, to_json(result))


def load(path: str | PathLike[str], *, max_bytes: int = reading.MAX_BYTES) -> results.AuditResult:
    """Return the audit that a certificate file records; see :func:`from_document`."""
    return from_document(reading.read_json(path, max_bytes=max_bytes))


def digest(document: Document) -> str:
    """Return the SHA-256 of a document without its own: a guard against accidents, not forgery."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def domain_of(instance: Instance) -> tuple[object, ...]:
    """Return the points of an instance: those of the predictions, or those of the universe."""
    if instance.points:
        return instance.points
    return points_in(instance.universe)


def _outcomes(result: results.AuditResult) -> Iterable[object]:
    witness = result.witness
    if witness is None:
        return ()
    if isinstance(witness, results.PairWitness):
        values = () if result.answers is None else result.answers.values
        laws = [value for value in values if isinstance(value, FiniteDistribution)]
        others = (outcome for law in laws for outcome in law.support)
        return (*witness.law.support, *witness.neighbour_law.support, *witness.event, *others)
    supports = (outcome for _, law in witness.laws for outcome in law.support)
    return (*supports, *(choice for choice, _ in witness.strategy))


def _answers_that_fit(answers: results.AllAnswers | None, table: OutcomeTable) -> Document | None:
    """Write the answers on all samples, unless a reader would refuse so long a certificate."""
    if answers is None:
        return None
    form = encode_answers(answers, table)
    return form if len(json.dumps(form)) <= LONGEST_ANSWERS else None


def pretty(document: Document) -> str:
    """Write JSON with a line for each entry, except where a whole list or object fits in one."""
    return _pretty(document, "") + "\n"


def _pretty(value: object, indent: str) -> str:
    line = json.dumps(value)
    if len(indent) + len(line) <= 96 or not value or not isinstance(value, dict | list):
        return line
    deeper = indent + " "
    if isinstance(value, dict):
        entries = [f"{json.dumps(key)}: {_pretty(entry, deeper)}" for key, entry in value.items()]
        opening, closing = "{", "}"
    else:
        entries = [_pretty(entry, deeper) for entry in value]
        opening, closing = "[", "]"
    body = ",\n".join(deeper + entry for entry in entries)
    return f"{opening}\n{body}\n{indent}{closing}"
