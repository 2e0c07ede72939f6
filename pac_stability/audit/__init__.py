"""Is an algorithm what it claims to be? Exact answers on finite instances, with certificates.

A function for each :class:`Notion` takes an algorithm in any of its shapes (:class:`HasLaw`,
:class:`Program`, :class:`Predictor`, or a function that returns a law) and returns an
:class:`AuditResult`: the exact value, what follows for a claim, and a witness.

==============================  ===================================================================
all neighbouring samples        :func:`uniform_stability`, :func:`private_prediction`,
                                :func:`differential_privacy`, :func:`group_privacy`,
                                :func:`total_variation_stability`,
                                :func:`zero_concentrated_privacy`, :func:`renyi_privacy`
samples from a distribution     :func:`robust_generalization`, :func:`perfect_generalization`,
                                :func:`global_stability`, :func:`generalization`, :func:`accuracy`
what comes after                :func:`shrink_counterexample`, :mod:`certificates`, :func:`recheck`,
                                :func:`explain`
with ``fit`` and ``predict``    :func:`estimator`
a :class:`BlackBox`             :func:`privacy_bound`, :func:`stability_bound`: statistics;
                                :mod:`black_box` for other libraries
==============================  ===================================================================
"""

from __future__ import annotations

from pac_stability.audit import black_box as black_box, certificates as certificates
from pac_stability.audit.again import (
    Setting as Setting,
    Shrunk as Shrunk,
    explain as explain,
    recheck as recheck,
    shrink_counterexample as shrink_counterexample,
)
from pac_stability.audit.notions.draws import (
    accuracy as accuracy,
    generalization as generalization,
    global_stability as global_stability,
    perfect_generalization as perfect_generalization,
    robust_generalization as robust_generalization,
)
from pac_stability.audit.notions.notion import (
    About as About,
    Instance as Instance,
    Notion as Notion,
    Parameter as Parameter,
    Symmetry as Symmetry,
)
from pac_stability.audit.notions.predictions import (
    estimator as estimator,
    private_prediction as private_prediction,
    uniform_stability as uniform_stability,
)
from pac_stability.audit.notions.privacy import (
    differential_privacy as differential_privacy,
    group_privacy as group_privacy,
    total_variation_stability as total_variation_stability,
)
from pac_stability.audit.notions.renyi import (
    RenyiBound as RenyiBound,
    renyi_privacy as renyi_privacy,
)
from pac_stability.audit.notions.zero_concentrated import (
    zero_concentrated_privacy as zero_concentrated_privacy,
)
from pac_stability.audit.options import (
    Options as Options,
    Progress as Progress,
    RunOptions as RunOptions,
    SymmetryCheck as SymmetryCheck,
    is_symmetric as is_symmetric,
)
from pac_stability.audit.results import (
    AuditInterrupted as AuditInterrupted,
    AuditResult as AuditResult,
    AuditStopped as AuditStopped,
    Counts as Counts,
    LawsWitness as LawsWitness,
    PairWitness as PairWitness,
    SubjectFailure as SubjectFailure,
    Verdict as Verdict,
)
from pac_stability.audit.statistics import (
    EventEvidence as EventEvidence,
    RunFailed as RunFailed,
    RunsInterrupted as RunsInterrupted,
    RunsUnfinished as RunsUnfinished,
    StatisticalResult as StatisticalResult,
    privacy_bound as privacy_bound,
    stability_bound as stability_bound,
)
from pac_stability.audit.subjects import (
    BlackBox as BlackBox,
    HasLaw as HasLaw,
    Predictor as Predictor,
    Program as Program,
    as_written as as_written,
)
from pac_stability.checker import Recheck as Recheck
