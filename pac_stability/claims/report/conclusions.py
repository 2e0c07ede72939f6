"""What implications say, and what follows by them: the words of ``follows``."""

from __future__ import annotations

from html import escape
from textwrap import indent

from pac_stability._report import Face, aligned, html_table, latex_table
from pac_stability.claims.consequences import Consequences, in_short
from pac_stability.claims.report.catalogue import claims_to_latex
from pac_stability.claims.search import get
from pac_stability.papers.guarantees import Implication


def consequences_to_text(found: Consequences, *, every: bool = False) -> str:
    """Return what follows from a guarantee: of each kind the strongest, or all."""
    lines = [f"from {in_short(found.guarantee)}, on samples of {found.n:,} examples:"]
    for consequence in found:
        if every or consequence.rank == 1:
            lines.append(f"  {consequence}")
            lines += [indent(note, "    ") for note in consequence.notes]
    return "\n".join([*lines, "" if len(lines) > 1 else "  nothing\n"])


def consequences_face(found: Consequences) -> Face:
    """Return what follows from a guarantee."""
    head = ("kind", "guarantee", "by")
    rows = [
        (*in_short(each.conclusion).split(": ", 1), ", then ".join(each.claims))
        for each in found
        if each.rank == 1
    ]
    return Face(
        lambda: consequences_to_text(found),
        html=lambda: html_table(rows, head),
        latex=lambda: latex_table(rows, head),
    )


def implication_face(rule: Implication[object, ..., object, object]) -> Face:
    """Return which guarantee an implication turns into which, and the statement behind it."""
    claim = get(rule.claim)
    rows = [
        ("from", rule.premise.__name__),
        ("to", rule.conclusion.__name__),
        ("statement", claim.statement),
    ]
    title = f"{claim.key}: {claim.title}"
    return Face(
        lambda: f"{title}\n{aligned(rows)}",
        html=lambda: f"<p><b>{escape(title)}</b></p>\n{html_table(rows)}",
        latex=lambda: claims_to_latex([claim]),
    )
