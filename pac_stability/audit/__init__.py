"""Is an algorithm what it claims to be? Exact answers on finite instances, with certificates."""

from __future__ import annotations

from pac_stability.audit.explaining import explain
from pac_stability.audit.failures import AuditStopped, SubjectFailure
from pac_stability.audit.learning import (
    accuracy,
    generalization,
    global_stability,
    perfect_generalization,
    robust_generalization,
)
from pac_stability.audit.options import Options, RunOptions
from pac_stability.audit.predictions import private_prediction, uniform_stability
from pac_stability.audit.privacy import differential_privacy, group_privacy
from pac_stability.audit.progress import Progress
from pac_stability.audit.rechecking import Recheck, recheck
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
from pac_stability.audit.shrinking import Setting, Shrunk, shrink_counterexample
from pac_stability.audit.subjects import BlackBox, HasLaw, Predictor, Program
from pac_stability.audit.symmetry import SymmetryCheck, is_symmetric
from pac_stability.audit.tightness import Tightness, compare_with_claim, tightness_table

__all__ = [
    "AuditResult",
    "AuditStopped",
    "BlackBox",
    "Counts",
    "HasLaw",
    "Instance",
    "LawsWitness",
    "Notion",
    "Options",
    "PairWitness",
    "Predictor",
    "Program",
    "Progress",
    "Recheck",
    "RunOptions",
    "Setting",
    "Shrunk",
    "SubjectFailure",
    "Symmetry",
    "SymmetryCheck",
    "Tightness",
    "Verdict",
    "accuracy",
    "compare_with_claim",
    "differential_privacy",
    "explain",
    "generalization",
    "global_stability",
    "group_privacy",
    "is_symmetric",
    "perfect_generalization",
    "private_prediction",
    "recheck",
    "robust_generalization",
    "shrink_counterexample",
    "tightness_table",
    "uniform_stability",
]
