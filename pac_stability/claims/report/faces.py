"""What claims and the evidence for them say: the words of ``claims show`` and ``verify``."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pac_stability._report import Face
from pac_stability.claims.claim import Claim
from pac_stability.claims.evidence import Evidence, EvidenceReport
from pac_stability.claims.report.catalogue import claim_to_text, claims_to_latex
from pac_stability.claims.report.latex import evidence_to_latex
from pac_stability.claims.report.text import evidence_to_text, summary


def claim_face(claim: Claim) -> Face:
    """Return everything about a claim."""
    return Face(
        lambda: claim_to_text(claim),
        html=lambda: (
            f"<p><b>{escape(claim.key)}: {escape(claim.title)}</b></p>\n"
            f"<pre>{escape(claim_to_text(claim).partition(chr(10))[2])}</pre>"
        ),
        latex=lambda: claims_to_latex([claim]),
    )


def evidence_face(evidence: Evidence) -> Face:
    """Return what a run found about a claim."""
    return Face(lambda: evidence_to_text([evidence]), latex=lambda: evidence_to_latex([evidence]))


def run_to_text(found: Sequence[Evidence], width: int = 100) -> str:
    """Return what a run found, as ``verify`` prints it: a table, and its sum."""
    return f"{evidence_to_text(found, width)}\n{summary(found)}\n"


def run_face(run: EvidenceReport) -> Face:
    """Return what a run found."""
    return Face(lambda: run_to_text(run.found), latex=lambda: evidence_to_latex(run.found))
