"""What audits say: the words of ``audit``, and the part of its page that a notebook shows."""

from __future__ import annotations

from html import escape

from pac_stability._report import Face, latex_table
from pac_stability.audit.reports.html_report import audit_to_fragment, pair_to_fragment
from pac_stability.audit.reports.runs_report import runs_to_text
from pac_stability.audit.reports.text_report import audit_to_text, pair_to_text, summary
from pac_stability.audit.reports.wording import conclusion
from pac_stability.audit.results import AuditResult, PairWitness
from pac_stability.audit.statistical import StatisticalResult


def audit_face(result: AuditResult) -> Face:
    """Return what an exact audit says."""

    def latex() -> str:
        verdict = f"{result.verdict.name}: {conclusion(result)}"
        head = ("notion", result.instance.notion.title)
        return latex_table([*summary(result), ("verdict", verdict)], head)

    return Face(
        lambda: audit_to_text(result, result.subject),
        html=lambda: audit_to_fragment(result, result.subject),
        latex=latex,
    )


def witness_face(witness: PairWitness) -> Face:
    """Return two samples that show a value, with what differs between them and their laws."""
    return Face(lambda: pair_to_text(witness), html=lambda: pair_to_fragment(witness))


def runs_face(result: StatisticalResult[object, object]) -> Face:
    """Return what runs of a black box say."""
    return Face(
        lambda: runs_to_text(result, result.subject),
        html=lambda: f"<pre>{escape(runs_to_text(result, result.subject))}</pre>",
    )
