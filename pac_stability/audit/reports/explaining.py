"""A certificate explained in plain words, for a first-time reader."""

from __future__ import annotations

from fractions import Fraction
from os import PathLike
from typing import cast

from pac_stability._report import Reported
from pac_stability.arithmetic.interval import exact
from pac_stability.audit.certificates import Document, recorded_result, to_document
from pac_stability.audit.notions.notion import OWN, Instance
from pac_stability.audit.reports.text import (
    claim_in_words,
    differing,
    elements,
    in_words,
    marked,
    rounding_in_words,
    telling_places,
    value_in_words,
)
from pac_stability.audit.results import AuditResult, LawsWitness, PairWitness
from pac_stability.checker.rechecking import SCHEMA, WITH_SIZES, Recheck, recheck
from pac_stability.data import Adjacency, Multiset, Neighbouring
from pac_stability.reading import read_json


def explain(certificate: Reported | Document | str | PathLike[str]) -> str:
    r"""Explain a certificate in words: the claim, what the certificate proves, and how.

    Parameters
    ----------
    certificate
        The name of a file, the document itself, or the result of an exact audit, for its
        certificate. It rechecks the certificate first. It explains any other result directly.

    Returns
    -------
    str
        Paragraphs for a terminal; every fraction has its decimal next to it.

    Raises
    ------
    InvalidInput
        The certificate does not pass :func:`pac_stability.checker.rechecking.recheck`.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.data import Deterministic
    >>> publish = Deterministic(lambda records: records)
    >>> found = audit.differential_privacy(publish, ["a", "b"], 1, claim=1, labelled=False)
    >>> print(explain(found).split("\n\n")[1])
    Take these two samples, which differ in the marked places:
      S  = ['a']
      S' = ['b']
    """
    if isinstance(certificate, AuditResult):
        certificate = to_document(certificate)
    elif isinstance(certificate, Reported):
        return certificate.report().text()
    document = read_json(certificate) if isinstance(certificate, str | PathLike) else certificate
    checked = recheck(document)
    if isinstance(document, dict) and document["schema"] not in (SCHEMA, WITH_SIZES):
        opening = f"A certificate about {checked.notion}. It makes no claim."
        return "\n\n".join([opening, *_closing(checked)]) + "\n"
    result = recorded_result(cast("Document", document))
    told = (
        _pair(result, result.witness) if isinstance(result.witness, PairWitness) else _laws(result)
    )
    paragraphs = [_opening(result), *told, *_closing(checked, rounding_in_words(result))]
    return "\n\n".join(paragraphs) + "\n"


def _opening(result: AuditResult) -> str:
    instance = result.instance
    title = instance.notion.title.capitalize()
    fixed = [
        f"{name} = {exact(value)}"
        for name, value in (
            ("delta", instance.delta),
            ("beta", instance.beta),
            ("e^epsilon", instance.epsilon_ratio - 1 and instance.epsilon_ratio),
            *((OWN[name], value) for name, value in instance.own),
        )
        if value
    ]
    promise = instance.notion.promise.format(step=_step(instance))
    text = f"{title} promises that {promise}."
    if fixed:
        text += f" Here {' and '.join(fixed)}."
    if result.claim is None:
        return f"{text} It makes no claim."
    claim = claim_in_words(instance.notion, result.claim, telling_places(result))
    return f"{text} The claim: {claim}."


_STEPS = {
    Adjacency.EACH_ANSWER: "moving each answer by at most 1",
    Adjacency.ONE_ANSWER: "moving one answer by at most 1",
    Adjacency.LISTED: "going from a sample to the other of its pair",
}


def _step(instance: Instance) -> str:
    """Return what makes two samples neighbours."""
    if isinstance(instance.relation, Adjacency):
        return _STEPS[instance.relation]
    verb = "replacing" if instance.relation is Neighbouring.REPLACE_ONE else "adding or removing"
    if instance.group_size == 1:
        return f"{verb} one example"
    return f"{verb} up to {instance.group_size} examples"


def _pair(result: AuditResult, witness: PairWitness) -> list[str]:
    places, others = differing(witness.sample, witness.neighbour)
    where = f" at the point {in_words(witness.point)}" if result.instance.points else ""
    event = set(witness.event)
    outcomes = dict.fromkeys((*witness.event, *witness.law.support, *witness.neighbour_law.support))
    table = [
        f"  {in_words(outcome)}{' *' if outcome in event else ''}: "
        f"{exact(witness.law.probability(outcome))} against "
        f"{exact(witness.neighbour_law.probability(outcome))}"
        for outcome in outcomes
    ]
    value = value_in_words(result.instance.notion, result.value, telling_places(result))
    how = result.instance.notion.measured(result.instance).told(witness, value)
    return [
        "Take these two samples, which differ in the marked places:\n"
        f"  S  = {marked(witness.sample, places)}\n"
        f"  S' = {marked(witness.neighbour, others)}",
        f"The output{where} has one law on S, and another on S':\n" + "\n".join(table),
        how,
    ]


def _laws(result: AuditResult) -> list[str]:
    witness = cast("LawsWitness", result.witness)
    order = " up to order" if isinstance(witness.laws[0][0], Multiset) else ""
    text = f"The certificate holds the law of the output on all {len(witness.laws)} samples{order}."
    lines = [
        f"  {in_words(outcome)}: {_choice(choice)}" for outcome, choice in witness.strategy[:20]
    ]
    value = value_in_words(result.instance.notion, result.value, telling_places(result))
    if lines:
        text += f" {result.instance.notion.strategy[1]}:\n" + "\n".join(lines)
    return [text, f"Together they give {value}."]


def _choice(choice: object) -> str:
    if isinstance(choice, Fraction):
        return exact(choice)
    return f"{{{', '.join(in_words(element) for element in elements(choice))}}}"


def _closing(checked: Recheck, rounding: str = "") -> list[str]:
    if checked.refutes:
        verdict = f"This contradicts the claim, so the claim fails{rounding and ' '}{rounding}."
    elif checked.claim is None:
        verdict = "There is no claim to compare this with."
    elif checked.verdict == "verified" and checked.proven:
        verdict = "This meets the claim."
    elif checked.verdict == "verified":
        verdict = "This meets the claim, but does not prove it."
    else:
        verdict = "This does not settle the claim."
    return [
        verdict,
        "What the certificate proves:\n" + "\n".join(f"- {text}" for text in checked.proved),
        "What it only states:\n" + "\n".join(f"- {text}" for text in checked.trusted),
    ]
