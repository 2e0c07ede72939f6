"""The evidence of a run, for readers and for programs."""

from __future__ import annotations

from pac_stability.claims.report.catalogue import (
    claim_to_text as claim_to_text,
    claims_document as claims_document,
    claims_to_latex as claims_to_latex,
    claims_to_text as claims_to_text,
)
from pac_stability.claims.report.document import evidence_document as evidence_document
from pac_stability.claims.report.html_report import evidence_to_html as evidence_to_html
from pac_stability.claims.report.latex import evidence_to_latex as evidence_to_latex
from pac_stability.claims.report.own_class import (
    class_evidence_document as class_evidence_document,
    class_evidence_to_text as class_evidence_to_text,
    class_summary as class_summary,
)
from pac_stability.claims.report.text import (
    evidence_to_text as evidence_to_text,
    summary as summary,
)
