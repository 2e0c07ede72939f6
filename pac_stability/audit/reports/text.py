"""The answer of an audit in words: for a terminal, and for build servers.

It shortens numbers, samples, outcomes and verdicts to a readable length; the tables of text and of
HTML have the same rows.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pac_stability._report import aligned
from pac_stability.arithmetic import Interval
from pac_stability.arithmetic.interval import (
    LONGEST_NUMBER,
    SHOWN,
    decimal,
    digits,
    exact,
    log_in_words,
    logarithm,
)
from pac_stability.audit import results
from pac_stability.audit.notions.notion import OWN, About, Notion, Symmetry
from pac_stability.data import Example, FiniteDistribution, Multiset, Neighbouring, Sample
from pac_stability.errors import legible, printable
from pac_stability.randomness.horizon import Known

if TYPE_CHECKING:  # it stands on notions, which say how they are told
    from pac_stability.audit.statistics import StatisticalResult

_LONGEST_NAME = 60
APPROXIMATE = frozenset(Known) - {Known.FROM_BELOW}
"""What makes a value that settles no claim an approximation."""


def value_in_words(notion: Notion, value: results.Value, places: int = SHOWN) -> str:
    """Return the value of a notion: exactly, and to some digits in its usual unit.

    Examples
    --------
    >>> value_in_words(Notion.PRIVATE_PREDICTION, Fraction(3, 2))
    'e^epsilon = 3/2 (1.5), epsilon = 0.405465'
    >>> value_in_words(Notion.UNIFORM_STABILITY, Interval(Fraction(1, 3), Fraction(1, 2)))
    'gamma between 1/3 (0.333333) and 1/2 (0.5)'
    """
    parameter = notion.parameter
    name = f"e^{parameter.name}" if parameter.is_factor else parameter.name
    if isinstance(value, Interval):
        ends = f"{exact(value.lower)} and {exact(value.upper)}"
        if not parameter.is_factor:
            return f"{name} between {ends}"
        low, high = (f"{logarithm(end):.6g}" for end in (value.lower, value.upper))
        return f"{name} between {ends}, {parameter.name} between {low} and {high}"
    if value == math.inf:
        return f"{parameter.name} infinite: no finite one is enough"
    if not parameter.is_factor:
        return f"{name} = {exact(value, places)}"
    epsilon = log_in_words(value, places)
    return f"{name} = {exact(value, places)}, {parameter.name} = {epsilon}"


def answer_in_words(result: results.AuditResult) -> str:
    """Return the value of an audit; that of an unfinished one is a lower bound."""
    if result.verdict is results.Verdict.SKIPPED:
        return "none"
    told = value_in_words(result.instance.notion, result.value, telling_places(result))
    open_end = not result.unseen or results.LOWER_BOUND in result.note
    bounded = result.verdict is results.Verdict.BOUNDED and isinstance(result.value, Fraction)
    if bounded and APPROXIMATE & Known.of(result.assumptions):
        return f"about: {told}"
    if bounded and open_end:
        return f"at least: {told}"
    return told


def claim_in_words(notion: Notion, claim: Fraction | float, places: int = SHOWN) -> str:
    """Return a claim in its usual unit, to some digits.

    Examples
    --------
    >>> claim_in_words(Notion.DIFFERENTIAL_PRIVACY, Fraction(3))
    'epsilon at most 1.09861 (a factor of 3)'
    >>> claim_in_words(Notion.GLOBAL_STABILITY, Fraction(1, 3))
    'eta at least 1/3 (0.333333)'
    """
    parameter = notion.parameter
    bound = "at least" if parameter.larger_is_better else "at most"
    if not parameter.is_factor:
        return f"{parameter.name} {bound} {exact(claim, places)}"
    factor = exact(claim, places)
    if isinstance(claim, Fraction) and len(digits(claim)) > LONGEST_NUMBER:
        factor = decimal(claim, places)  # e**epsilon, rounded down
    return f"{parameter.name} {bound} {log_in_words(claim, places)} (a factor of {factor})"


_OF_FLOATS = Fraction(1, 10**12)  # what rounding in floats leaves of a number, and more
_SLACK = Fraction(1, 10**9)
_MOST_PLACES = 60


def _excess(result: results.AuditResult) -> Fraction | None:
    """By how much a value breaks its claim, beside the claim; ``None`` where it does not."""
    value, claim = result.value, result.claim
    refuted = result.verdict is results.Verdict.REFUTED
    if not refuted or not isinstance(value, Fraction) or not isinstance(claim, Fraction):
        return None
    return abs(value - claim) / claim if claim else None


def telling_places(result: results.AuditResult) -> int:
    """Return how many digits distinguish a value from the claim that it breaks, at least six."""
    excess = _excess(result)
    if not excess:
        return SHOWN
    return max(SHOWN, min(2 + len(digits(math.ceil(1 / excess))), _MOST_PLACES))


def rounding_in_words(result: results.AuditResult) -> str:
    """Say that a claim fails only by rounding of floats, and what to write; otherwise nothing.

    Examples
    --------
    >>> from pac_stability import audit
    >>> tenth = lambda sample, point, rng: sample.labels[0] if rng.random() < 0.1 else 0
    >>> found = audit.uniform_stability(tenth, 1, 1, claim="1/10")
    >>> print(rounding_in_words(found).partition(":")[0])
    by 5.6E-18 in gamma, the size of the rounding of a float
    >>> audit.uniform_stability(tenth, 1, 1, claim="0.1000000001").verdict
    <Verdict.VERIFIED: 'verified'>
    """
    excess = _excess(result)
    if excess is None or not 0 < excess < _OF_FLOATS or not isinstance(result.claim, Fraction):
        return ""
    parameter = result.instance.notion.parameter
    claim = result.claim
    stated = Fraction(logarithm(claim)) if parameter.is_factor else claim
    by = excess if parameter.is_factor else excess * claim
    slack = -_SLACK if parameter.larger_is_better else _SLACK
    return (
        f"by {decimal(by, 2)} in {parameter.name}, the size of the rounding of a float: compute the"
        " probabilities as Fractions (Fraction(1, 10) for 0.1), or allow for the rounding with a"
        f" claim of {decimal(stated * (1 + slack), 10)}"
    )


def conclusion(result: results.AuditResult) -> str:
    """Return the verdict in a few words."""
    if result.verdict is results.Verdict.VERIFIED and result.claim is None:
        return "the value is exact, and no claim was made"
    if result.verdict is results.Verdict.BOUNDED and result.unseen:
        return "inconclusive: nothing random was seen"
    approximate = APPROXIMATE & Known.of(result.assumptions)
    if result.verdict is results.Verdict.BOUNDED and approximate:
        return "inconclusive: the value is an approximation, as is said below"
    rounding = rounding_in_words(result)
    return {
        results.Verdict.VERIFIED: "everything was examined, and the claim holds",
        results.Verdict.REFUTED: f"the claim fails {rounding}"
        if rounding
        else "the claim fails, as the witness shows",
        results.Verdict.BOUNDED: "the value lies between certified bounds, and no claim was made"
        if result.claim is None and isinstance(result.value, Interval)
        else "inconclusive: the bounds are certified but do not settle it",
        results.Verdict.SUPPORTED: "inconclusive: statistics support the claim but do not prove it",
        results.Verdict.SKIPPED: "inconclusive: nothing was examined",
    }[result.verdict]


def examined(counts: results.Counts, symmetry: Symmetry) -> str:
    """Return how much the audit examined.

    Examples
    --------
    >>> examined(results.Counts(datasets=3, pairs=4, points=1, outcomes=2), Symmetry.SHOWN)
    '3 samples up to order (shown not to matter), 4 pairs of neighbours, 1 point, 2 outcomes'
    """
    order = {
        Symmetry.NONE: "",
        Symmetry.DECLARED: " up to order (declared not to matter)",
        Symmetry.SHOWN: " up to order (shown not to matter)",
    }[symmetry]
    parts = [f"{_plural(counts.datasets, 'sample')}{order}"]
    if counts.pairs:
        parts.append(f"{_plural(counts.pairs, 'pair')} of neighbours")
    if counts.points:
        parts.append(_plural(counts.points, "point"))
    return ", ".join([*parts, _plural(counts.outcomes, "outcome")])


def _plural(count: int, one: str) -> str:
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def fixed_parameters(result: results.AuditResult) -> tuple[tuple[str, str], ...]:
    """Return the fixed parameters of the instance, as pairs (name, value) for a table."""
    instance = result.instance
    rows = [
        ("samples of", _listed(map(in_words, instance.universe))),
        ("n", instance.size_in_words),
    ]
    if instance.points:
        rows.append(("points", _listed(map(in_words, instance.points))))
    if instance.distribution is not None:
        weights = instance.distribution.items()
        rows.append(
            ("distribution", _listed(f"{in_words(z)}: {digits(weight)}" for z, weight in weights))
        )
    if instance.relation is not Neighbouring.REPLACE_ONE:
        pairs = f"{len(instance.listed)} pairs that are listed" if instance.listed else ""
        rows.append(("neighbours", pairs or instance.relation.value))
    if instance.group_size > 1:
        rows.append(("groups of", str(instance.group_size)))
    if instance.epsilon_ratio != 1:
        rows.append(("e^epsilon", exact(instance.epsilon_ratio)))
    rows += [
        (name, exact(number))
        for name, number in (
            ("delta", instance.delta),
            ("beta", instance.beta),
            ("optimum", instance.optimum),
        )
        if number
    ]
    rows += [(OWN[name], exact(value)) for name, value in instance.own]
    return tuple(rows)


def _listed(parts: Iterable[str], most: int = 12) -> str:
    kept = tuple(parts)
    shown = "  ".join(kept[:most])
    return shown if len(kept) <= most else f"{shown}  ... ({len(kept):,})"


def in_words(value: object) -> str:
    """Return a user's value on one line: an example as ``(point, label)``, others by their repr.

    Examples
    --------
    >>> in_words(Example("a", 1)), in_words(Fraction(1, 3)), in_words("x" * 90)[-9:]
    ("('a', 1)", '1/3', 'xxxxxxxx…')
    """
    text = whole(value)
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"


def whole(value: object) -> str:
    """Return a user's value as text without cuts."""
    if isinstance(value, Example):
        return f"({whole(value.point)}, {value.label})"
    if isinstance(value, Sample | Multiset):
        return "  ".join(map(whole, elements(value)))
    try:
        text = digits(value) if type(value) in {int, Fraction} else repr(value)  # type: ignore[arg-type]  # just looked at
    except Exception:  # a repr of the user's may do anything
        text = f"a value of type {type(value).__name__}"
    return printable(text)


def choice_in_words(what: object) -> str:
    """Return a strategy's choice: a number, a user's value, or a list of these."""
    if isinstance(what, tuple):
        return "  ".join(map(in_words, what)) or "nothing"
    return exact(what) if isinstance(what, Fraction) else in_words(what)


def law_in_words(law: FiniteDistribution[object], most: int = 4) -> str:
    """Return the first outcomes of a law, in order, with their probabilities."""
    weights = law.items()
    shown = ", ".join(f"{in_words(outcome)}: {exact(weight)}" for outcome, weight in weights[:most])
    return shown if len(weights) <= most else f"{shown}, ... ({len(weights):,} outcomes)"


def elements(sample: object) -> tuple[object, ...]:
    """Return the elements of a sample, in order; anything else is one element."""
    if isinstance(sample, Sample | tuple):
        return tuple(sample)
    if isinstance(sample, Multiset):
        return tuple(sample.elements())
    return (sample,)


def differing(first: object, second: object) -> tuple[frozenset[int], frozenset[int]]:
    """Return the positions of either sample that the other does not share.

    Examples
    --------
    >>> differing(("a", "b", "a"), ("a", "c", "a"))
    (frozenset({1}), frozenset({1}))
    >>> differing(("a", "b"), ("a",))
    (frozenset({1}), frozenset())
    """
    left, right = elements(first), elements(second)
    if len(left) == len(right):
        places = frozenset(
            i for i, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]
        )
        return places, places
    # The longest common subsequence, by the lengths of those of all tails.
    tails = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, j in product(reversed(range(len(left))), reversed(range(len(right)))):
        same = left[i] == right[j]
        tails[i][j] = tails[i + 1][j + 1] + 1 if same else max(tails[i + 1][j], tails[i][j + 1])
    alone: tuple[set[int], set[int]] = (set(range(len(left))), set(range(len(right))))
    i = j = 0
    while tails[i][j]:
        if left[i] == right[j]:
            alone[0].remove(i)
            alone[1].remove(j)
            i, j = i + 1, j + 1
        elif tails[i + 1][j] == tails[i][j]:
            i += 1
        else:
            j += 1
    return frozenset(alone[0]), frozenset(alone[1])


def event_in_words(witness: results.PairWitness, notion: Notion | None = None) -> str:
    """Return the event of a witness and its two probabilities, or its order of divergence instead.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> p, q = FiniteDistribution({0: 1}), FiniteDistribution.uniform([0, 1])
    >>> event_in_words(results.PairWitness((1,), (2,), None, p, q, (0,), Fraction(2)))
    '{0}: probability 1 on the sample, 1/2 (0.5) on its neighbour'
    """
    if witness.order is not None:
        order = exact(witness.order)
        at_least = "what the value asks" if notion is None else notion.by_order.format(order=order)
        return (
            f"{order}: the Renyi divergence of that order, of the law on the sample "
            f"from that on its neighbour, is at least {at_least}"
        )
    first, second = witness.probabilities
    shown = ", ".join(in_words(outcome) for outcome in witness.event[:12])
    more = f", ... ({len(witness.event):,} outcomes)" if len(witness.event) > 12 else ""
    return (
        f"{{{shown}{more}}}: probability {exact(first)} on the sample, "
        f"{exact(second)} on its neighbour"
    )


def outcomes_of(witness: results.PairWitness) -> tuple[object, ...]:
    """Return the outcomes of both laws: those of the event first."""
    union = dict.fromkeys((*witness.law.support, *witness.neighbour_law.support))
    event = set(witness.event)
    return tuple(sorted(union, key=lambda outcome: outcome not in event))


# The answer of an audit as plain text

MOST_ROWS = 20
"""Outcomes, samples or choices that a table of text shows."""


def audit_to_text(result: results.AuditResult, subject: str) -> str:
    """Return the result of an audit: the instance, the value, the verdict and the witness.

    Parameters
    ----------
    result
        What the audit returned.
    subject
        The user's name for the algorithm.

    Returns
    -------
    str
        Lines for a terminal, each ended by a newline.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from pac_stability.audit.results import Counts, Instance, Verdict
    >>> instance = Instance(Notion.GLOBAL_STABILITY, ("a",), 1)
    >>> counts = Counts(datasets=1, pairs=0, points=0, outcomes=1)
    >>> result = results.AuditResult(instance, Fraction(1), Verdict.VERIFIED, None, counts)
    >>> print(audit_to_text(result, "learner"), end="")
    learner: global stability
    <BLANKLINE>
    samples of  'a'
    n           1
    value       eta = 1
    examined    1 sample, 1 outcome
    verdict     VERIFIED: the value is exact, and no claim was made
    """
    rows = [
        *fixed_parameters(result),
        *summary(result),
        ("verdict", f"{result.verdict.name}: {conclusion(result)}"),
    ]
    assumed = [printable(each) for each in result.assumptions if each != result.unseen]
    rows += zip(("assuming", *[""] * len(assumed)), assumed, strict=False)
    on_grid, note = "", result.note
    if note.startswith(results.ON_GRID):
        on_grid, _, note = note.partition("; ")
    if note:
        rows.append(("note", printable(note)))
    second = "".join(f"{printable(each)}\n" for each in (result.unseen, on_grid) if each)
    parts = [f"{title(result, subject)}\n{second}", aligned(rows)]
    if result.witness is not None:
        parts.append(witness_to_text(result.witness, result.instance.notion))
    return "\n".join(parts)


def title(result: results.AuditResult, subject: str) -> str:
    """Return the notion, the algorithm, and how the audit understood it."""
    understood = f" of {result.understood}" if result.understood else ""
    named = f"{printable(subject)}: {result.instance.notion.title}{understood}"
    return named if subject else named.removeprefix(": ")


def summary(result: results.AuditResult) -> tuple[tuple[str, str], ...]:
    """Return the value, the claim and the counts, as pairs (name, text) for a table."""
    notion = result.instance.notion
    rows = [("value", answer_in_words(result))]
    if result.claim is not None:
        rows.append(("claim", claim_in_words(notion, result.claim, telling_places(result))))
    return (*rows, ("examined", examined(result.counts, result.instance.symmetry)))


def witness_to_text(witness: results.PairWitness | results.LawsWitness, notion: Notion) -> str:
    """Return a witness as plain text, with everything needed to check it by hand.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from pac_stability.data import FiniteDistribution
    >>> sure, coin = FiniteDistribution.point_mass(1), FiniteDistribution.uniform([0, 1])
    >>> witness = results.PairWitness((0, 0), (0, 7), 3, sure, coin, (1,), Fraction(2))
    >>> print(witness_to_text(witness, Notion.PRIVATE_PREDICTION), end="")
    witness
    sample       0  [0]
    neighbour    0  [7]
    at point     3
    event        {1}: probability 1 on the sample, 1/2 (0.5) on its neighbour
    <BLANKLINE>
    outcome      on the sample  on its neighbour
    1 *          1              1/2 (0.5)
    0            0              1/2 (0.5)
    """
    if isinstance(witness, results.PairWitness):
        return f"witness\n{pair_to_text(witness, notion)}"
    return _laws(witness, notion)


def pair_to_text(witness: results.PairWitness, notion: Notion | None = None) -> str:
    """Return two samples, what differs between them, and their laws, side by side."""
    marks = differing(witness.sample, witness.neighbour)
    rows = [
        ("sample", marked(witness.sample, marks[0])),
        ("neighbour", marked(witness.neighbour, marks[1])),
    ]
    if witness.point is not None:
        rows.append(("at point", in_words(witness.point)))
    rows.append(("event" if witness.order is None else "order", event_in_words(witness, notion)))
    event = set(witness.event)
    table = [
        (
            f"{in_words(outcome)} *" if outcome in event else in_words(outcome),
            exact(witness.law.probability(outcome)),
            exact(witness.neighbour_law.probability(outcome)),
        )
        for outcome in outcomes_of(witness)
    ]
    head = ("outcome", "on the sample", "on its neighbour")
    return f"{aligned(rows, least=11)}\n{_cut(head, table)}"


def _laws(witness: results.LawsWitness, notion: Notion) -> str:
    parts = ["witness\n"]
    if witness.strategy:
        table = [(in_words(first), choice_in_words(second)) for first, second in witness.strategy]
        parts.append(_cut((notion.strategy[0], ""), table))
        parts.append("\n")
    rows = [(marked(sample), law_in_words(law)) for sample, law in witness.laws]
    parts.append(_cut(("sample", "law of the output"), rows))
    return "".join(parts)


def marked(sample: object, marks: frozenset[int] = frozenset()) -> str:
    """Return a sample, with brackets around the elements at some places."""
    parts = [
        f"[{in_words(element)}]" if place in marks else in_words(element)
        for place, element in enumerate(elements(sample))
    ]
    return "  ".join(parts) or "(empty)"


def _cut(head: tuple[str, ...], table: Sequence[tuple[str, ...]]) -> str:
    shown = aligned([head, *table[:MOST_ROWS]], least=11)
    more = len(table) - MOST_ROWS
    return shown if more <= 0 else f"{shown}... and {more:,} more\n"


# The answer of a statistical audit as plain text

_HALVES = "; one half chose the event, the other half counts it"


def runs_to_text(result: StatisticalResult[object, object], subject: str) -> str:
    """Return the result, for a terminal."""
    notion, found = result.notion, result.evidence
    rows = [
        ("runs", f"{result.runs:,}{_HALVES if result.learned else ''}"),
        ("confidence", f"{decimal(result.confidence)}, of {result.multiplicity:,} bounds together"),
        ("at least", _bound_in_words(notion, result.bound)),
    ]
    if result.delta:
        rows.insert(0, ("delta", digits(result.delta)))
    if result.claim is not None:
        rows.append(("claim", claim_in_words(notion, result.claim)))
    if result.errors:
        rows.append(("errors", f"{result.errors:,} runs raised one: an error is an outcome"))
    rows.append(("verdict", f"{result.verdict.name}: {conclusion_of_runs(result)}"))
    if found is not None:
        rows += [
            ("sample", input_in_words(notion, found.sample)),
            ("neighbour", input_in_words(notion, found.neighbour)),
            ("event", found.rule or ", ".join(in_words(outcome) for outcome in found.event[:12])),
            ("seen", f"{found.successes:,} of {found.runs:,} times on the sample, "
            f"{found.neighbour_successes:,} on its neighbour"),
        ]  # fmt: skip
    lines = "".join(f"{name:<12}{text}\n" for name, text in rows)
    named = f"{printable(subject)}: " if subject else ""
    return f"{named}{notion.title} of a black box\n\n{lines}"


def conclusion_of_runs(result: StatisticalResult[object, object]) -> str:
    """Return the verdict in a few words."""
    if result.verdict is results.Verdict.SKIPPED:
        return "inconclusive: no event was learned, as hardly an outcome came twice"
    if result.claim is None:
        return "a lower bound from statistics, and no claim was made"
    if result.verdict is results.Verdict.REFUTED:
        return "the claim fails, at this confidence"
    return "inconclusive: the runs agree with the claim but do not prove it"


def _bound_in_words(notion: Notion, bound: Fraction) -> str:
    name = notion.parameter.name
    if not notion.parameter.is_factor:
        return f"{name} = {decimal(bound)}"
    return f"e^{name} = {decimal(bound)}, {name} = {logarithm(bound):.6g}"


def input_in_words(notion: Notion, question: object) -> str:
    """Return a sample, or a sample and the point of the prediction."""
    if notion.about is About.OUTPUTS:
        return sample_in_words(question)
    sample, point = cast("tuple[object, object]", question)
    return f"{sample_in_words(sample)}, at the point {whole(point)}"


def sample_in_words(sample: object) -> str:
    """Return all elements of a sample on one line; an empty sample is called so."""
    return "  ".join(map(whole, elements(sample))) or "(empty)"


# The answers of audits as JUnit XML, which build servers show as tests

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """One test case of a report.

    Attributes
    ----------
    subject
        What was audited.
    name
        What was asked.
    verdict
        ``VERIFIED`` passes, ``REFUTED`` is a failure, and any other verdict is an error: an
        unsettled claim must not look like a success.
    message
        The answer in one line.
    report
        All of the answer.
    """

    subject: str
    name: str
    verdict: results.Verdict
    message: str
    report: str


def case_of(subject: str, result: results.AuditResult) -> JUnitCase:
    """Return the test case of an audit; the report of a refuted claim holds the witness.

    Parameters
    ----------
    subject
        The user's name for the algorithm.
    result
        What the audit returned.
    """
    instance = result.instance
    name = f"{instance.notion.name}, n = {instance.size_in_words}"
    if result.claim is not None:
        name += f", {claim_in_words(instance.notion, result.claim)}"
    message = f"{answer_in_words(result)}: {conclusion(result)}"
    return JUnitCase(subject, name, result.verdict, message, str(replace(result, subject=subject)))


def cases_to_junit(cases: Sequence[JUnitCase]) -> str:
    """Return a JUnit report.

    Parameters
    ----------
    cases
        The test cases, one for each audit.

    Returns
    -------
    str
        An XML document. Characters that XML 1.0 cannot hold are written as Python escapes.

    Examples
    --------
    >>> case = JUnitCase("f.py::learn", "accuracy, n = 3", results.Verdict.SKIPPED, "nothing", "")
    >>> cases_to_junit([case]).splitlines()[2]
    '<testsuite name="pac-stability audit" tests="1" failures="0" errors="1" skipped="0">'
    """
    verdicts = [case.verdict for case in cases]
    failures = verdicts.count(results.Verdict.REFUTED)
    errors = len(verdicts) - failures - verdicts.count(results.Verdict.VERIFIED)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<testsuites>",
            f'<testsuite name="pac-stability audit" tests="{len(cases)}" '
            f'failures="{failures}" errors="{errors}" skipped="0">',
            *map(_testcase, cases),
            "</testsuite>",
            "</testsuites>",
            "",
        ]
    )


def _testcase(case: JUnitCase) -> str:
    report = xml_text(case.report)
    if case.verdict is results.Verdict.VERIFIED:
        inside = f"<system-out>{report}</system-out>"
    else:
        tag = "failure" if case.verdict is results.Verdict.REFUTED else "error"
        kind, message = case.verdict.name, xml_text(case.message)
        inside = f'<{tag} type="{kind}" message="{message}">{report}</{tag}>'
    return (
        f'<testcase classname="{xml_text(case.subject)}" name="{xml_text(case.name)}">\n'
        f"{inside}\n</testcase>"
    )


def xml_text(text: str) -> str:
    r"""Return text as XML 1.0 can hold it, in an element or in a quoted attribute.

    Examples
    --------
    >>> print(xml_text('a < "b" & \x1b[0m'))
    a &lt; &quot;b&quot; &amp; \x1b[0m
    """
    return escape(_NOT_IN_XML.sub(lambda match: ascii(match[0])[1:-1], text))


# And as an annotation, which GitHub shows beside the line


def annotation(places: Iterable[tuple[str, int] | None], title: str, message: str) -> str:
    r"""Return the command by which GitHub marks a line of a repository.

    Parameters
    ----------
    places
        Files, each with a line; it marks the first one that is in the repository.
    title, message
        What is shown there.

    Returns
    -------
    str
        One line, for the standard output or error stream of a step.

    Examples
    --------
    >>> annotation([("learn.py", 3)], "learn: privacy", "REFUTED\nby 1 %")
    '::error file=learn.py,line=3,title=learn%3A privacy::REFUTED%0Aby 1 %25'
    """
    root = Path(os.environ.get("GITHUB_WORKSPACE") or ".").resolve()
    known = ((Path(place[0]).resolve(), place[1]) for place in places if place is not None)
    where = next((each for each in known if each[0].is_relative_to(root)), None)
    marked = {} if where is None else {"file": where[0].relative_to(root), "line": where[1]}
    fields = {**marked, "title": title}.items()
    shown = ",".join(f"{name}={_sent(str(value), ':,')}" for name, value in fields)
    return f"::error {shown}::{_sent(message)}"


def _sent(text: str, more: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in "%\n" + more else c for c in legible(text))
