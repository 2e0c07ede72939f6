"""A certificate told in plain words, for someone who reads one for the first time."""

from __future__ import annotations

from fractions import Fraction
from os import PathLike
from typing import cast

from pac_stability.audit.certificates import Document, recorded_result
from pac_stability.audit.reports.wording import (
    claim_in_words,
    differing,
    elements,
    exact,
    in_words,
    title_of,
    value_in_words,
)
from pac_stability.audit.results import AuditResult, Instance, LawsWitness, Notion, PairWitness
from pac_stability.checker.rechecking import Recheck, recheck
from pac_stability.data import Multiset, Neighbouring
from pac_stability.reading import read_json

_PROMISES = {
    Notion.UNIFORM_STABILITY: "{step} changes the probability of predicting 1, at "
    "every point, by at most gamma",
    Notion.PRIVATE_PREDICTION: "{step} changes the probability of a prediction, at "
    "every point, by at most the factor e^epsilon, but for delta",
    Notion.DIFFERENTIAL_PRIVACY: "{step} changes the probability of every set of "
    "outputs by at most the factor e^epsilon, but for delta",
    Notion.PERFECT_GENERALIZATION: "for all samples but a fraction beta, a simulator that knows "
    "only the distribution imitates the output up to the factor e^epsilon, but for delta",
    Notion.ROBUST_GENERALIZATION: "whoever sees the output finds a test on which sample and "
    "distribution differ by more than epsilon with probability at most delta",
    Notion.GLOBAL_STABILITY: "one output appears with probability at least eta",
    Notion.GENERALIZATION: "error on the sample and true error differ by more than alpha with "
    "probability at most beta",
    Notion.ACCURACY: "the error exceeds the best possible one by more than alpha with probability "
    "at most beta",
}

_STRATEGIES = {
    Notion.PERFECT_GENERALIZATION: "This simulator imitates them",
    Notion.ROBUST_GENERALIZATION: "This adversary answers an output with a test, a set of elements",
    Notion.GLOBAL_STABILITY: "The most frequent output, and its probability",
    Notion.GENERALIZATION: "The examples on which each output errs",
    Notion.ACCURACY: "The examples on which each output errs",
}


def explain(certificate: Document | str | PathLike[str]) -> str:
    r"""Return the story of a certificate: what was claimed, what it shows, and how.

    Parameters
    ----------
    certificate
        The name of a file, or the document itself; it is rechecked first.

    Returns
    -------
    str
        Paragraphs for a terminal; every fraction has its decimal beside it.

    Raises
    ------
    InvalidInput
        The certificate does not pass :func:`pac_stability.checker.rechecking.recheck`.

    Examples
    --------
    >>> from pac_stability import audit
    >>> from pac_stability.audit.certificates import to_document
    >>> from pac_stability.data import Deterministic
    >>> publish = Deterministic(lambda records: records)
    >>> found = audit.differential_privacy(publish, ["a", "b"], 1, claim=1, labelled=False)
    >>> print(explain(to_document(found)).split("\n\n")[1])
    Take these two samples, which differ where it is marked:
      S  = ['a']
      S' = ['b']
    """
    document = read_json(certificate) if isinstance(certificate, str | PathLike) else certificate
    checked = recheck(document)
    result = recorded_result(cast("Document", document))
    told = (
        _pair(result, result.witness) if isinstance(result.witness, PairWitness) else _laws(result)
    )
    paragraphs = [_opening(result), *told, *_closing(checked)]
    return "\n\n".join(paragraphs) + "\n"


def _opening(result: AuditResult) -> str:
    instance = result.instance
    title = title_of(instance.notion).capitalize()
    fixed = [
        f"{name} = {exact(value)}"
        for name, value in (("delta", instance.delta), ("beta", instance.beta))
        if value
    ]
    promise = _PROMISES[instance.notion].format(step=_step(instance))
    text = f"{title} promises that {promise}."
    if fixed:
        text += f" Here {' and '.join(fixed)}."
    if result.claim is None:
        return f"{text} Nothing in particular was claimed."
    return f"{text} The claim: {claim_in_words(instance.notion, result.claim)}."


def _step(instance: Instance) -> str:
    """Return what makes two samples neighbours."""
    verb = "replacing" if instance.relation is Neighbouring.REPLACE_ONE else "adding or removing"
    if instance.group_size == 1:
        return f"{verb} one example"
    return f"{verb} up to {instance.group_size} examples"


def _pair(result: AuditResult, witness: PairWitness) -> list[str]:
    places, others = differing(witness.sample, witness.neighbour)
    where = f" at the point {in_words(witness.point)}" if result.instance.points else ""
    event = set(witness.event)
    here, there = (
        sum((law.probability(outcome) for outcome in event), Fraction(0))
        for law in (witness.law, witness.neighbour_law)
    )
    outcomes = dict.fromkeys((*witness.event, *witness.law.support, *witness.neighbour_law.support))
    table = [
        f"  {in_words(outcome)}{' *' if outcome in event else ''}: "
        f"{exact(witness.law.probability(outcome))} against "
        f"{exact(witness.neighbour_law.probability(outcome))}"
        for outcome in outcomes
    ]
    return [
        "Take these two samples, which differ where it is marked:\n"
        f"  S  = {_marked(witness.sample, places)}\n"
        f"  S' = {_marked(witness.neighbour, others)}",
        f"The output{where} has one law on S, and another on S':\n" + "\n".join(table),
        f"The outcomes marked with a star have together probability {exact(here)} on S and "
        f"{exact(there)} on S'. {_arithmetic(result, here, there)}",
    ]


def _arithmetic(result: AuditResult, here: Fraction, there: Fraction) -> str:
    """Return the sum that leads from two probabilities to the value."""
    instance, value = result.instance, value_in_words(result.instance.notion, result.value)
    if instance.notion is Notion.UNIFORM_STABILITY:
        return f"They differ by {exact(here - there)}, so the least that is possible is {value}."
    over = here - instance.delta
    less = " less delta" if instance.delta else ""
    if result.value == 1:
        return (
            f"The first{less} is no more than the second, so the least that is possible is {value}."
        )
    if not there:
        return f"The first{less} is {exact(over)}, of which nothing is no fraction: {value}."
    return (
        f"The first{less} is {exact(over / there)} times the second, so the least that is possible "
        f"is {value}."
    )


def _laws(result: AuditResult) -> list[str]:
    witness = cast("LawsWitness", result.witness)
    order = " up to order" if isinstance(witness.laws[0][0], Multiset) else ""
    text = f"The certificate holds the law of the output on all {len(witness.laws)} samples{order}."
    lines = [
        f"  {in_words(outcome)}: {_choice(choice)}" for outcome, choice in witness.strategy[:20]
    ]
    value = value_in_words(result.instance.notion, result.value)
    if lines:
        text += f" {_STRATEGIES[result.instance.notion]}:\n" + "\n".join(lines)
    return [text, f"Together they give {value}."]


def _choice(choice: object) -> str:
    if isinstance(choice, Fraction):
        return exact(choice)
    return f"{{{', '.join(in_words(element) for element in elements(choice))}}}"


def _marked(sample: object, places: frozenset[int]) -> str:
    shown = [
        f"[{in_words(element)}]" if place in places else in_words(element)
        for place, element in enumerate(elements(sample))
    ]
    return "  ".join(shown) or "(empty)"


def _closing(checked: Recheck) -> list[str]:
    if checked.refutes:
        verdict = "That contradicts the claim, so the claim fails."
    elif checked.claim is None:
        verdict = "There is no claim to hold this against."
    elif checked.verdict == "verified" and checked.proven:
        verdict = "That keeps to the claim."
    elif checked.verdict == "verified":
        verdict = "That keeps to the claim, and does not prove it."
    else:
        verdict = "That does not settle the claim."
    return [
        verdict,
        "What the certificate proves:\n" + "\n".join(f"- {text}" for text in checked.proved),
        "What it only says:\n" + "\n".join(f"- {text}" for text in checked.trusted),
    ]
