"""The answer of an audit for programs: what ``json.dumps`` accepts, exact numbers as text."""

from __future__ import annotations

import math
from fractions import Fraction

from pac_stability.arithmetic import Interval
from pac_stability.arithmetic.interval import digits, logarithm
from pac_stability.audit.notions.notion import Notion
from pac_stability.audit.reports.wording import elements, outcomes_of, whole
from pac_stability.audit.results import (
    LOWER_BOUND,
    AuditResult,
    Instance,
    LawsWitness,
    Verdict,
    Witness,
)
from pac_stability.data import Example, FiniteDistribution

SCHEMA = "pac-stability/audit/2"
"""What the document calls itself; a change of meaning changes the number."""


def audit_to_dict(result: AuditResult, subject: str, version: str) -> dict[str, object]:
    """Return what an audit found as a dictionary that ``json.dumps`` accepts.

    Parameters
    ----------
    result
        What the audit returned.
    subject
        How the user calls what was audited.
    version
        The version of the program that writes.

    Returns
    -------
    dict
        Fractions are ``"p/q"``; points, records and outcomes are text as Python writes them. The
        fields are described in ``docs/reference/json-schema.md``.

    Examples
    --------
    >>> from pac_stability import audit
    >>> result = audit.private_prediction(lambda sample, point: 0, 1, 1)
    >>> audit_to_dict(result, "learner", "1.0")["value"]
    {'lower': '1', 'upper': '1', 'exact': True, 'epsilon': 0.0}
    """
    notion = result.instance.notion
    return {
        "schema": SCHEMA,
        "version": version,
        "subject": subject,
        "understood": result.understood,
        "notion": notion.name,
        "verdict": result.verdict.value,
        "value": _value(result),
        "claim": None if result.claim is None else _claim(notion, result.claim),
        "instance": _instance(result.instance),
        "counts": {
            "datasets": result.counts.datasets,
            "pairs": result.counts.pairs,
            "points": result.counts.points,
            "outcomes": result.counts.outcomes,
        },
        "witness": None if result.witness is None else _witness(result.witness),
        "note": result.note,
        "assumptions": list(result.assumptions),
        "kept": result.kept,
    }


_OPEN = (Verdict.BOUNDED, Verdict.SKIPPED)


def _value(result: AuditResult) -> dict[str, object]:
    notion, value = result.instance.notion, result.value
    if isinstance(value, Interval):
        lower: Fraction | float = value.lower
        upper: Fraction | float = value.upper
    else:
        lower = upper = value
        if result.verdict in _OPEN or LOWER_BOUND in result.note:
            upper = math.inf
    return {
        "lower": _number(lower),
        "upper": _number(upper),
        "exact": lower == upper,
        "epsilon": _epsilon(notion, upper),
    }


def _claim(notion: Notion, claim: Fraction) -> dict[str, object]:
    bound = "at least" if notion.parameter.larger_is_better else "at most"
    return {"bound": bound, "value": _number(claim), "epsilon": _epsilon(notion, claim)}


def _number(number: Fraction | float) -> str:
    if isinstance(number, Fraction):
        return digits(number)
    return "infinity" if number > 0 else "-infinity"


def _epsilon(notion: Notion, ratio: Fraction | float) -> float | None:
    """Return the logarithm of a factor, which JSON can hold only when it is finite."""
    epsilon = logarithm(ratio) if notion.parameter.is_factor else math.inf
    return epsilon if math.isfinite(epsilon) else None


def _instance(instance: Instance) -> dict[str, object]:
    law = instance.distribution
    return {
        "universe": [_element(element) for element in instance.universe],
        "n": instance.n,
        "points": [whole(point) for point in instance.points],
        "epsilon_ratio": digits(instance.epsilon_ratio),
        "delta": digits(instance.delta),
        "beta": digits(instance.beta),
        "optimum": digits(instance.optimum),
        "relation": instance.relation.value,
        "group_size": instance.group_size,
        "symmetry": instance.symmetry.value,
        "distribution": None if law is None else _law(law),
        **{name: digits(value) for name, value in instance.own},
    }


def _element(element: object) -> object:
    if isinstance(element, Example):
        return {"point": whole(element.point), "label": element.label}
    return whole(element)


def _sample(sample: object) -> list[object]:
    return [_element(element) for element in elements(sample)]


def _law(law: FiniteDistribution[object]) -> list[dict[str, object]]:
    return [
        {"outcome": _element(outcome), "probability": digits(weight)}
        for outcome, weight in law.items()
    ]


def _witness(witness: Witness) -> dict[str, object]:
    if isinstance(witness, LawsWitness):
        return _laws(witness)
    event = set(witness.event)
    return {
        "kind": "pair",
        "value": _number(witness.value),
        "sample": _sample(witness.sample),
        "neighbour": _sample(witness.neighbour),
        "point": None if witness.point is None else whole(witness.point),
        **({} if witness.order is None else {"order": digits(witness.order)}),
        "outcomes": [
            {
                "outcome": whole(outcome),
                "probability": digits(witness.law.probability(outcome)),
                "neighbour_probability": digits(witness.neighbour_law.probability(outcome)),
                "in_event": outcome in event,
            }
            for outcome in outcomes_of(witness)
        ],
    }


def _laws(witness: LawsWitness) -> dict[str, object]:
    return {
        "kind": "laws",
        "value": _number(witness.value),
        "laws": [{"sample": _sample(sample), "law": _law(law)} for sample, law in witness.laws],
        "strategy": [
            {"outcome": whole(outcome), "choice": _choice(choice)}
            for outcome, choice in witness.strategy
        ],
    }


def _choice(choice: object) -> object:
    return [_element(part) for part in choice] if isinstance(choice, tuple) else whole(choice)
