"""What runs of a black box have shown, as a document that a colleague can recheck."""

from __future__ import annotations

import json

from pac_stability.audit.certificates import Document, digest
from pac_stability.audit.notions.notion import About
from pac_stability.audit.reports.wording import elements, whole
from pac_stability.audit.statistical import EventEvidence, StatisticalResult
from pac_stability.checker.recheck_runs import SCHEMA
from pac_stability.reading import exact_text


def to_document(result: StatisticalResult[object, object]) -> Document:
    """Return the certificate of a statistical audit, for ``json.dumps``.

    Parameters
    ----------
    result
        What :func:`~pac_stability.audit.statistical.privacy_bound` or ``stability_bound`` returned.

    Returns
    -------
    dict
        The counts, and what follows from them. Samples, points and outcomes are text as Python
        writes them: nothing is computed from them.

    Examples
    --------
    >>> from pac_stability import audit
    >>> found = audit.privacy_bound(lambda bits: bits[0], [((0,), (1,))], runs=200, claim=1)
    >>> document = to_document(found)
    >>> document["verdict"], document["evidence"]["successes"]
    ('refuted', 100)
    >>> print(audit.recheck(document).proved[-1])
    so the claim about 2.718 fails, at this confidence
    """
    document: Document = {
        "schema": SCHEMA,
        "notion": result.notion.name,
        "verdict": result.verdict.value,
        "claim": None if result.claim is None else exact_text(result.claim),
        "delta": exact_text(result.delta),
        "bound": exact_text(result.bound),
        "confidence": exact_text(result.confidence),
        "multiplicity": result.multiplicity,
        "runs": result.runs,
        "evidence": None if result.evidence is None else _evidence(result.evidence, result),
    }
    return {**document, "sha256": digest(document)}


def to_json(result: StatisticalResult[object, object]) -> str:
    """Return the certificate of a statistical audit as text."""
    return json.dumps(to_document(result), indent=1) + "\n"


def _evidence(
    found: EventEvidence[object, object], result: StatisticalResult[object, object]
) -> Document:
    point = None
    inputs: list[object] = [found.sample, found.neighbour]
    if result.notion.about is About.PREDICTIONS and all(map(_with_a_point, inputs)):
        point = whole(inputs[0][1])  # type: ignore[index]  # a pair, as was just looked at
        inputs = [pair[0] for pair in inputs]  # type: ignore[index]  # likewise
    sample, neighbour = ([whole(part) for part in elements(data)] for data in inputs)
    return {
        "sample": sample,
        "neighbour": neighbour,
        "point": point,
        "event": [whole(outcome) for outcome in found.event],
        "runs": found.runs,
        "successes": found.successes,
        "neighbour_successes": found.neighbour_successes,
        "probability_above": exact_text(found.probability_above),
        "neighbour_probability_below": exact_text(found.neighbour_probability_below),
    }


def _with_a_point(data: object) -> bool:
    return isinstance(data, tuple) and len(data) == 2
