"""Is an algorithm what it claims to be? Exact answers on finite instances, with certificates.

A function for each notion takes an algorithm in any of its shapes (:class:`HasLaw`,
:class:`Program`, :class:`Predictor`, or a function that returns a law) and returns an
:class:`AuditResult`: the exact value, what follows for a claim, and a witness.

==============================  ===================================================================
all neighbouring samples        :func:`uniform_stability`, :func:`private_prediction`,
                                :func:`differential_privacy`, :func:`group_privacy`
samples from a distribution     :func:`robust_generalization`, :func:`perfect_generalization`,
                                :func:`global_stability`, :func:`generalization`, :func:`accuracy`
what comes after                :func:`shrink_counterexample`, :mod:`certificates`, :func:`recheck`,
                                :func:`explain`, :func:`tightness_table`
a :class:`BlackBox`             :func:`privacy_bound`, :func:`stability_bound`: statistics
==============================  ===================================================================
"""

from __future__ import annotations

from pac_stability.audit import certificates as certificates
from pac_stability.audit import dp_accounting as dp_accounting
from pac_stability.audit.checker.rechecking import Recheck, recheck
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
from pac_stability.audit.reports.explaining import explain
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
from pac_stability.audit.statistical import (
    EventEvidence,
    StatisticalResult,
    privacy_bound,
    stability_bound,
)
from pac_stability.audit.subjects import BlackBox, HasLaw, Predictor, Program
from pac_stability.audit.symmetry import SymmetryCheck, is_symmetric
from pac_stability.audit.tightness import (
    Tightness,
    compare_with_claim,
    tightness_table,
    tightness_to_latex,
    tightness_to_text,
)
from pac_stability.audit.trials import RunFailed, RunsUnfinished

__all__ = [
    "AuditResult",
    "AuditStopped",
    "BlackBox",
    "Counts",
    "EventEvidence",
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
    "RunFailed",
    "RunOptions",
    "RunsUnfinished",
    "Setting",
    "Shrunk",
    "StatisticalResult",
    "SubjectFailure",
    "Symmetry",
    "SymmetryCheck",
    "Tightness",
    "Verdict",
    "accuracy",
    "certificates",
    "compare_with_claim",
    "differential_privacy",
    "dp_accounting",
    "explain",
    "generalization",
    "global_stability",
    "group_privacy",
    "is_symmetric",
    "perfect_generalization",
    "privacy_bound",
    "private_prediction",
    "recheck",
    "robust_generalization",
    "shrink_counterexample",
    "stability_bound",
    "tightness_table",
    "tightness_to_latex",
    "tightness_to_text",
    "uniform_stability",
]
