"""The answer of a statistical audit as plain text."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from pac_stability.arithmetic.interval import decimal, digits, logarithm
from pac_stability.audit.notions.notion import About, Notion
from pac_stability.audit.reports.wording import claim_in_words, elements, in_words, whole
from pac_stability.audit.results import Verdict
from pac_stability.audit.statistical import StatisticalResult
from pac_stability.errors import printable


def runs_to_text(result: StatisticalResult[object, object], subject: str) -> str:
    """Return what was found, for a terminal."""
    notion, found = result.notion, result.evidence
    rows = [
        ("runs", f"{result.runs:,}"),
        ("confidence", f"{decimal(result.confidence)}, of {result.multiplicity:,} bounds together"),
        ("at least", _bound_in_words(notion, result.bound)),
    ]
    if result.delta:
        rows.insert(0, ("delta", digits(result.delta)))
    if result.claim is not None:
        rows.append(("claim", claim_in_words(notion, result.claim)))
    rows.append(("verdict", f"{result.verdict.name}: {conclusion(result)}"))
    if found is not None:
        rows += [
            ("sample", input_in_words(notion, found.sample)),
            ("neighbour", input_in_words(notion, found.neighbour)),
            ("event", ", ".join(in_words(outcome) for outcome in found.event[:12])),
            ("seen", f"{found.successes:,} of {found.runs:,} times on the sample, "
            f"{found.neighbour_successes:,} on its neighbour"),
        ]  # fmt: skip
    lines = "".join(f"{name:<12}{text}\n" for name, text in rows)
    named = f"{printable(subject)}: " if subject else ""
    return f"{named}{notion.title} of a black box\n\n{lines}"


def conclusion(result: StatisticalResult[object, object]) -> str:
    """Return in a few words what the verdict says."""
    if result.claim is None:
        return "a lower bound from statistics, and no claim was made"
    if result.verdict is Verdict.REFUTED:
        return "the claim fails, at this confidence"
    return "inconclusive: the runs agree with the claim but do not prove it"


def _bound_in_words(notion: Notion, bound: Fraction) -> str:
    name = notion.parameter.name
    if not notion.parameter.is_factor:
        return f"{name} = {decimal(bound)}"
    return f"e^{name} = {decimal(bound)}, {name} = {logarithm(bound):.6g}"


def input_in_words(notion: Notion, question: object) -> str:
    """Return a sample, or a sample and the point where it was asked for a prediction."""
    if notion.about is About.OUTPUTS:
        return "  ".join(map(whole, elements(question)))
    sample, point = cast("tuple[object, object]", question)
    return f"{'  '.join(map(whole, elements(sample)))}, at the point {whole(point)}"
