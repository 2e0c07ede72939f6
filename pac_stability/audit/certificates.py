"""Certificates: the answer of an audit as a JSON document that others can check.

:mod:`pac_stability.checker` checks one without any code of the search; the reference page on
audit certificates describes the fields.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from os import PathLike
from typing import TypeAlias, cast

from pac_stability.arguments import described
from pac_stability.audit.domains import points_in
from pac_stability.audit.instances_json import decode_instance, encode_instance
from pac_stability.audit.notions.notion import Instance
from pac_stability.audit.outcomes_json import OutcomeTable, decode_object
from pac_stability.audit.results import AllAnswers, AuditResult, Counts, PairWitness, Verdict
from pac_stability.audit.witness_json import (
    decode_answers,
    decode_value,
    decode_witness,
    encode_answers,
    encode_value,
    encode_witness,
)
from pac_stability.checker.rechecking import recheck
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.reading import (
    MAX_BYTES,
    exact_number,
    exact_text,
    parse_json,
    read_json,
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
    return _document(result, {})


def to_report(result: AuditResult, version: str) -> Document:
    """Return all that an audit found, for programs: its certificate, and what it was about.

    Parameters
    ----------
    result
        An audit, perhaps without a witness; such a document cannot be rechecked.
    version
        The version of the program that writes.
    """
    beside = {
        "version": version,
        "subject": result.subject,
        "understood": result.understood,
        "kept": result.kept,
    }
    return _document(result, beside)


def _document(result: AuditResult, beside: Document) -> Document:
    instance, witness = result.instance, result.witness
    table = OutcomeTable(_outcomes(result), domain_of(instance))
    document: Document = {
        "schema": SCHEMA,
        **beside,
        "notion": instance.notion.name,
        "verdict": result.verdict.value,
        "claim": None if result.claim is None else exact_text(result.claim),
        "value": encode_value(result.value),
        "instance": encode_instance(instance),
        "counts": {
            "datasets": result.counts.datasets,
            "pairs": result.counts.pairs,
            "points": result.counts.points,
            "outcomes": result.counts.outcomes,
        },
        "note": result.note,
        "assumptions": list(result.assumptions),
        "objects": table.objects,
        "answers": _answers_that_fit(result.answers, table),
        "witness": None if witness is None else encode_witness(witness, table, instance),
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
        It is a counterexample to a claim, which records no audit.
    """
    if fields["schema"] != SCHEMA:
        raise InvalidInput(
            "schema", described(fields["schema"]), f"{SCHEMA!r}: only an exact audit has laws"
        )
    descriptions = cast("list[Document]", fields["objects"])
    objects = [decode_object(index, description) for index, description in enumerate(descriptions)]
    instance = decode_instance(cast("Document", fields["instance"]), fields["notion"])
    claim = fields["claim"]
    return AuditResult(
        instance=instance,
        value=decode_value(fields["value"]),
        verdict=Verdict(fields["verdict"]),
        witness=decode_witness(cast("Document", fields["witness"]), instance, objects),
        counts=Counts(**cast("dict[str, int]", fields["counts"])),
        claim=None if claim is None else exact_number(claim, "claim"),
        note=cast("str", fields["note"]),
        assumptions=tuple(cast("list[str]", fields["assumptions"])),
        answers=decode_answers(fields["answers"], objects),
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
    return pretty(to_document(result))


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


def _answers_that_fit(answers: AllAnswers | None, table: OutcomeTable) -> Document | None:
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
