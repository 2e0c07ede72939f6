"""Certificates: the answer of an audit as a JSON document that others can check.

:mod:`pac_stability.checker` checks one without any code of the search; the reference page on
audit certificates describes the fields.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from os import PathLike
from typing import TypeAlias, cast

from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.audit.domains import points_in
from pac_stability.audit.notion import Notion
from pac_stability.audit.outcomes_json import (
    OutcomeTable,
    RecordedObject,
    decode_object,
    decode_outcome,
)
from pac_stability.audit.results import (
    AllAnswers,
    AuditResult,
    Counts,
    Instance,
    LawsWitness,
    PairWitness,
    Symmetry,
    Value,
    Verdict,
    Witness,
)
from pac_stability.checker.rechecking import recheck
from pac_stability.data import Example, FiniteDistribution, Multiset, Neighbouring, Sample
from pac_stability.data.points_json import decode_point, encode_point
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.reading import (
    MAX_BYTES,
    exact_number,
    exact_text,
    parse_json,
    read_json,
    require_spread,
)

SCHEMA = "pac-stability/audit-certificate/2"

LONGEST_ANSWERS = MAX_BYTES // 2
"""Characters that the answers on all samples may take; longer ones are left out."""

Document: TypeAlias = dict[str, object]
"""A certificate as ``json.loads`` gives it."""


def to_document(result: AuditResult) -> Document:
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
        Nothing was examined, so there is no witness; or a point has no JSON form.

    Notes
    -----
    Equal results have equal documents, whatever the order in which a law lists its outcomes.

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
    instance, witness = result.instance, result.witness
    table = OutcomeTable(_outcomes(result), domain_of(instance))
    document: Document = {
        "schema": SCHEMA,
        "notion": instance.notion.name,
        "verdict": result.verdict.value,
        "claim": None if result.claim is None else exact_text(result.claim),
        "value": _value_form(result.value),
        "instance": _instance_form(instance),
        "counts": {
            "datasets": result.counts.datasets,
            "pairs": result.counts.pairs,
            "points": result.counts.points,
            "outcomes": result.counts.outcomes,
        },
        "note": result.note,
        "assumptions": list(result.assumptions),
        "objects": table.objects,
        "answers": None if result.answers is None else _answers_form(result.answers, table),
        "witness": (
            _pair_form(witness, table, has_points=bool(instance.points))
            if isinstance(witness, PairWitness)
            else _laws_form(witness, table, instance)
        ),
    }
    return {**document, "sha256": digest(document)}


def from_document(document: object) -> AuditResult:
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
        The certificate does not pass :func:`recheck`, or has numbers that were chosen to have one
        hash.
    """
    recheck(document)
    return recorded_result(cast("Document", document))


def recorded_result(fields: Document) -> AuditResult:
    """Return the audit that a rechecked certificate records.

    The recheck has seen every field, and this relies on their types.

    Raises
    ------
    InvalidInput
        It is of runs of a black box, or a counterexample: these record no exact audit.
    """
    if fields["schema"] != SCHEMA:
        raise InvalidInput(
            "schema", described(fields["schema"]), f"{SCHEMA!r}: only an exact audit has laws"
        )
    require_spread(fields, "certificate")  # what the checker reads as texts become numbers here
    descriptions = cast("list[Document]", fields["objects"])
    objects = [decode_object(index, description) for index, description in enumerate(descriptions)]
    instance = _instance(fields)
    claim = fields["claim"]
    return AuditResult(
        instance=instance,
        value=_value(fields["value"]),
        verdict=Verdict(fields["verdict"]),
        witness=_witness(cast("Document", fields["witness"]), instance, objects),
        counts=Counts(**cast("dict[str, int]", fields["counts"])),
        claim=None if claim is None else exact_number(claim, "claim"),
        note=cast("str", fields["note"]),
        assumptions=tuple(cast("list[str]", fields["assumptions"])),
        answers=_answers(fields["answers"], objects),
    )


def to_json(result: AuditResult) -> str:
    """Return the certificate of an audit as text; raises like :func:`to_document`.

    Notes
    -----
    The same result gives the same bytes, on every machine.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.data import Deterministic
    >>> found = audit.differential_privacy(Deterministic(len), ["a"], 1)
    >>> from_json(to_json(found)) == found
    True
    """
    return _pretty(to_document(result), "") + "\n"


def from_json(text: str | bytes, *, max_bytes: int = MAX_BYTES) -> AuditResult:
    """Return the audit that a certificate records, given its text; see :func:`from_document`."""
    return from_document(parse_json(text, "certificate", max_bytes=max_bytes))


def save(result: AuditResult, path: str | PathLike[str]) -> None:
    """Write the certificate of an audit to a file, which appears whole or not at all.

    Raises
    ------
    InvalidInput
        As for :func:`to_document`, or the file cannot be written; an existing one is then left as
        it was.
    """
    write_text(path, to_json(result))


def load(path: str | PathLike[str], *, max_bytes: int = MAX_BYTES) -> AuditResult:
    """Return the audit that a certificate file records; see :func:`from_document`."""
    return from_document(read_json(path, max_bytes=max_bytes))


def digest(document: Document) -> str:
    """Return the SHA-256 of a document without its own: a guard against accidents, not forgery."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def domain_of(instance: Instance) -> tuple[object, ...]:
    """Return the points of an instance: where predictions are made, or those of the universe."""
    if instance.points:
        return instance.points
    return points_in(instance.universe)


def sample_of(elements: tuple[object, ...]) -> object:
    """Return a sample as an algorithm sees it: a ``Sample``, or a tuple of records."""
    if elements and isinstance(elements[0], Example):
        return Sample.from_examples(cast("tuple[Example[object], ...]", elements))
    return elements


def _outcomes(result: AuditResult) -> Iterable[object]:
    witness = result.witness
    if witness is None:
        return ()
    if isinstance(witness, PairWitness):
        values = () if result.answers is None else result.answers.values
        laws = [value for value in values if isinstance(value, FiniteDistribution)]
        others = (outcome for law in laws for outcome in law.support)
        return (*witness.law.support, *witness.neighbour_law.support, *witness.event, *others)
    supports = (outcome for _, law in witness.laws for outcome in law.support)
    return (*supports, *(choice for choice, _ in witness.strategy))


def _instance_form(instance: Instance) -> Document:
    distribution = instance.distribution
    return {
        "labelled": any(isinstance(element, Example) for element in instance.universe),
        "universe": [_element_form(element) for element in instance.universe],
        "distribution": None
        if distribution is None
        else [[_element_form(element), exact_text(p)] for element, p in distribution.items()],
        "n": instance.n,
        "points": [encode_point(point) for point in instance.points],
        "epsilon_ratio": exact_text(instance.epsilon_ratio),
        "delta": exact_text(instance.delta),
        "beta": exact_text(instance.beta),
        "optimum": exact_text(instance.optimum),
        "relation": instance.relation.value,
        "group_size": instance.group_size,
        "symmetry": instance.symmetry.value,
        **({} if instance.deviation is None else {"deviation": exact_text(instance.deviation)}),
    }


def _instance(document: Document) -> Instance:
    fields = cast("Document", document["instance"])
    labelled = cast("bool", fields["labelled"])
    weights = cast("list[tuple[object, str]] | None", fields["distribution"])
    return Instance(
        notion=Notion.named(document["notion"]),
        universe=tuple(_elements(fields["universe"], labelled)),
        n=cast("int", fields["n"]),
        points=tuple(map(decode_point, cast("list[object]", fields["points"]))),
        epsilon_ratio=exact_number(fields["epsilon_ratio"], "epsilon_ratio"),
        delta=exact_number(fields["delta"], "delta"),
        beta=exact_number(fields["beta"], "beta"),
        optimum=exact_number(fields["optimum"], "optimum"),
        deviation=exact_number(fields["deviation"], "deviation") if "deviation" in fields else None,
        relation=Neighbouring(fields["relation"]),
        group_size=cast("int", fields["group_size"]),
        symmetry=Symmetry(fields["symmetry"]),
        distribution=None
        if weights is None
        else FiniteDistribution(
            {_element(form, labelled): exact_number(p, "distribution") for form, p in weights}
        ),
    )


def _element_form(element: object) -> object:
    if isinstance(element, Example):
        return [encode_point(element.point), element.label]
    return encode_point(element)


def _element(form: object, labelled: bool) -> object:
    if labelled:
        point, label = cast("tuple[object, int]", form)
        return Example(decode_point(point), label)
    return decode_point(form)


def _elements(forms: object, labelled: bool) -> list[object]:
    return [_element(form, labelled) for form in cast("list[object]", forms)]


def _sample(forms: object, labelled: bool) -> object:
    return sample_of(tuple(_elements(forms, labelled)))


def _law(forms: object, objects: Sequence[RecordedObject]) -> FiniteDistribution[object]:
    items = cast("list[tuple[object, str]]", forms)
    return FiniteDistribution(
        {decode_outcome(form, objects): exact_number(p, "law") for form, p in items}
    )


def _pair_form(witness: PairWitness, table: OutcomeTable, *, has_points: bool) -> Document:
    return {
        "kind": "pair",
        "sample": [_element_form(z) for z in cast("Iterable[object]", witness.sample)],
        "neighbour": [_element_form(z) for z in cast("Iterable[object]", witness.neighbour)],
        **({"point": encode_point(witness.point)} if has_points else {}),
        "law": table.law_form(witness.law),
        "neighbour_law": table.law_form(witness.neighbour_law),
        "event": [table.form(outcome) for outcome in sorted(witness.event, key=table.rank)],
        **({} if witness.order is None else {"order": exact_text(witness.order)}),
        "value": _value_form(witness.value),
    }


def _laws_form(witness: LawsWitness, table: OutcomeTable, instance: Instance) -> Document:
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
            {"sample": [_element_form(z) for z in elements], "law": table.law_form(law)}
            for _, elements, law in laws
        ],
        "strategy": [[table.form(choice), _choice_form(what)] for choice, what in strategy],
        "value": _value_form(witness.value),
    }


def _answers_form(answers: AllAnswers, table: OutcomeTable) -> Document | None:
    """Write the answers on all samples, unless a reader would refuse so long a certificate."""
    form: Document = {
        "laws": [
            table.law_form(value) if isinstance(value, FiniteDistribution) else exact_text(value)
            for value in answers.values
        ],
        "rows": [list(row) for row in answers.rows],
        "levels": [[list(node) for node in level] for level in answers.levels],
        "roots": list(answers.roots),
    }
    return form if len(json.dumps(form)) <= LONGEST_ANSWERS else None


def _answers(form: object, objects: Sequence[RecordedObject]) -> AllAnswers | None:
    if form is None:
        return None
    fields = cast("dict[str, list[object]]", form)
    return AllAnswers(
        values=tuple(
            exact_number(value, "laws") if isinstance(value, str) else _law(value, objects)
            for value in fields["laws"]
        ),
        rows=_nodes(fields["rows"]),
        levels=tuple(map(_nodes, fields["levels"])),
        roots=tuple(cast("list[int]", fields["roots"])),
    )


def _nodes(forms: object) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, cast("list[list[int]]", forms)))


def _choice_form(what: object) -> object:
    """Write a probability, or a set of elements."""
    if isinstance(what, Fraction | int):
        return exact_text(Fraction(what))
    return [_element_form(element) for element in cast("Iterable[object]", what)]


def _witness(fields: Document, instance: Instance, objects: Sequence[RecordedObject]) -> Witness:
    labelled = any(isinstance(element, Example) for element in instance.universe)
    value = cast("Fraction | float", _value(fields["value"]))
    if fields["kind"] == "pair":
        return PairWitness(
            sample=_sample(fields["sample"], labelled),
            neighbour=_sample(fields["neighbour"], labelled),
            point=decode_point(fields["point"]) if "point" in fields else None,
            law=_law(fields["law"], objects),
            neighbour_law=_law(fields["neighbour_law"], objects),
            event=tuple(
                decode_outcome(form, objects) for form in cast("list[object]", fields["event"])
            ),
            value=value,
            order=exact_number(fields["order"], "order") if "order" in fields else None,
        )
    laws = cast("list[Document]", fields["laws"])
    strategy = cast("list[tuple[object, object]]", fields["strategy"])
    return LawsWitness(
        laws=tuple(
            (
                Multiset.of(_elements(entry["sample"], labelled))
                if fields["up_to_order"]
                else _sample(entry["sample"], labelled),
                _law(entry["law"], objects),
            )
            for entry in laws
        ),
        strategy=tuple(
            (
                decode_outcome(form, objects),
                exact_number(what, "strategy")
                if isinstance(what, str)
                else tuple(_elements(what, labelled)),
            )
            for form, what in strategy
        ),
        value=value,
    )


def _value_form(value: Value) -> object:
    if isinstance(value, Interval):
        return {"lower": exact_text(value.lower), "upper": exact_text(value.upper)}
    if isinstance(value, float):
        if value != math.inf:
            raise InvalidInput("value", repr(value), "a Fraction, math.inf or an Interval")
        return "infinity"
    return exact_text(Fraction(value))


def _value(form: object) -> Value:
    if isinstance(form, dict):
        return Interval(*(exact_number(form[end], end) for end in ("lower", "upper")))
    return math.inf if form == "infinity" else exact_number(form, "value")


def _pretty(value: object, indent: str) -> str:
    """Write JSON with a line for each entry, except where a whole list or object fits in one."""
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
