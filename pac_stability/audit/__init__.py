"""Is an algorithm what it claims to be? Exact answers on finite instances, with certificates."""

from __future__ import annotations

from pac_stability.audit.failures import AuditStopped, SubjectFailure
from pac_stability.audit.predictions import private_prediction, uniform_stability
from pac_stability.audit.privacy import differential_privacy
from pac_stability.audit.results import (
    AuditResult,
    Counts,
    Instance,
    LawsWitness,
    Notion,
    PairWitness,
    Symmetry,
    Verdict,
)
from pac_stability.audit.subjects import BlackBox, HasLaw, Predictor, Program

__all__ = [
    "AuditResult",
    "AuditStopped",
    "BlackBox",
    "Counts",
    "HasLaw",
    "Instance",
    "LawsWitness",
    "Notion",
    "PairWitness",
    "Predictor",
    "Program",
    "SubjectFailure",
    "Symmetry",
    "Verdict",
    "differential_privacy",
    "private_prediction",
    "uniform_stability",
]
