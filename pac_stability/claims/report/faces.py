"""What claims and the evidence for them say: the words of ``claims show`` and ``verify``."""

from __future__ import annotations

from html import escape

from pac_stability._report import Face
from pac_stability.claims.claim import Claim
from pac_stability.claims.evidence import Evidence
from pac_stability.claims.report.catalogue import claim_to_text, claims_to_latex
from pac_stability.claims.report.latex import evidence_to_latex
from pac_stability.claims.report.text import evidence_to_text


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
