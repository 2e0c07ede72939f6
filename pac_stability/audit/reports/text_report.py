"""The answer of an audit as plain text."""

from __future__ import annotations

from collections.abc import Sequence

from pac_stability._report import aligned
from pac_stability.arithmetic.interval import exact
from pac_stability.audit.notions.notion import Notion
from pac_stability.audit.reports.wording import (
    answer_in_words,
    choice_in_words,
    claim_in_words,
    conclusion,
    differing,
    elements,
    event_in_words,
    examined,
    fixed_parameters,
    in_words,
    law_in_words,
    outcomes_of,
)
from pac_stability.audit.results import AuditResult, LawsWitness, PairWitness
from pac_stability.errors import printable

MOST_ROWS = 20
"""Outcomes, samples or choices that a table of text shows."""


def audit_to_text(result: AuditResult, subject: str) -> str:
    """Return what an audit found: the instance, the value, the verdict and the witness.

    Parameters
    ----------
    result
        What the audit returned.
    subject
        How the user calls what was audited.

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
    >>> result = AuditResult(instance, Fraction(1), Verdict.VERIFIED, None, counts)
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
    heads = ("assuming", *[""] * len(result.assumptions))
    rows += zip(heads, map(printable, result.assumptions), strict=False)
    if result.note:
        rows.append(("note", printable(result.note)))
    parts = [f"{title(result, subject)}\n", aligned(rows)]
    if result.witness is not None:
        parts.append(witness_to_text(result.witness, result.instance.notion))
    return "\n".join(parts)


def title(result: AuditResult, subject: str) -> str:
    """Return what was asked, of what, and what that was understood to be."""
    understood = f" of {result.understood}" if result.understood else ""
    named = f"{printable(subject)}: {result.instance.notion.title}{understood}"
    return named if subject else named.removeprefix(": ")


def summary(result: AuditResult) -> tuple[tuple[str, str], ...]:
    """Return the value, the claim and the counts, as pairs (name, text) for a table."""
    notion = result.instance.notion
    rows = [("value", answer_in_words(result))]
    if result.claim is not None:
        rows.append(("claim", claim_in_words(notion, result.claim)))
    return (*rows, ("examined", examined(result.counts, result.instance.symmetry)))


def witness_to_text(witness: PairWitness | LawsWitness, notion: Notion) -> str:
    """Return a witness as plain text: what is needed to check it by hand.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from pac_stability.data import FiniteDistribution
    >>> sure, coin = FiniteDistribution.point_mass(1), FiniteDistribution.uniform([0, 1])
    >>> witness = PairWitness((0, 0), (0, 7), 3, sure, coin, (1,), Fraction(2))
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
    if isinstance(witness, PairWitness):
        return f"witness\n{pair_to_text(witness, notion)}"
    return _laws(witness, notion)


def pair_to_text(witness: PairWitness, notion: Notion | None = None) -> str:
    """Return two samples, what differs between them, and their laws, side by side."""
    marks = differing(witness.sample, witness.neighbour)
    rows = [
        ("sample", _marked(witness.sample, marks[0])),
        ("neighbour", _marked(witness.neighbour, marks[1])),
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


def _laws(witness: LawsWitness, notion: Notion) -> str:
    parts = ["witness\n"]
    if witness.strategy:
        table = [(in_words(first), choice_in_words(second)) for first, second in witness.strategy]
        parts.append(_cut((notion.strategy[0], ""), table))
        parts.append("\n")
    rows = [(_marked(sample), law_in_words(law)) for sample, law in witness.laws]
    parts.append(_cut(("sample", "law of the output"), rows))
    return "".join(parts)


def _marked(sample: object, marks: frozenset[int] = frozenset()) -> str:
    """Return the elements of a sample, in brackets where it is marked."""
    parts = [
        f"[{in_words(element)}]" if place in marks else in_words(element)
        for place, element in enumerate(elements(sample))
    ]
    return "  ".join(parts) or "(empty)"


def _cut(head: tuple[str, ...], table: Sequence[tuple[str, ...]]) -> str:
    shown = aligned([head, *table[:MOST_ROWS]], least=11)
    more = len(table) - MOST_ROWS
    return shown if more <= 0 else f"{shown}... and {more:,} more\n"
