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
from pac_stability.audit.failures import AuditStopped as AuditStopped
from pac_stability.audit.failures import SubjectFailure as SubjectFailure
from pac_stability.audit.in_writing import as_written as as_written
from pac_stability.audit.learning import accuracy as accuracy
from pac_stability.audit.learning import generalization as generalization
from pac_stability.audit.learning import global_stability as global_stability
from pac_stability.audit.learning import perfect_generalization as perfect_generalization
from pac_stability.audit.learning import robust_generalization as robust_generalization
from pac_stability.audit.options import Options as Options
from pac_stability.audit.options import RunOptions as RunOptions
from pac_stability.audit.predictions import private_prediction as private_prediction
from pac_stability.audit.predictions import uniform_stability as uniform_stability
from pac_stability.audit.privacy import differential_privacy as differential_privacy
from pac_stability.audit.privacy import group_privacy as group_privacy
from pac_stability.audit.progress import Progress as Progress
from pac_stability.audit.reasking import recheck as recheck
from pac_stability.audit.reports.explaining import explain as explain
from pac_stability.audit.results import AuditResult as AuditResult
from pac_stability.audit.results import Counts as Counts
from pac_stability.audit.results import Instance as Instance
from pac_stability.audit.results import LawsWitness as LawsWitness
from pac_stability.audit.results import Notion as Notion
from pac_stability.audit.results import PairWitness as PairWitness
from pac_stability.audit.results import Symmetry as Symmetry
from pac_stability.audit.results import Verdict as Verdict
from pac_stability.audit.shrinking import Setting as Setting
from pac_stability.audit.shrinking import Shrunk as Shrunk
from pac_stability.audit.shrinking import shrink_counterexample as shrink_counterexample
from pac_stability.audit.statistical import EventEvidence as EventEvidence
from pac_stability.audit.statistical import StatisticalResult as StatisticalResult
from pac_stability.audit.statistical import privacy_bound as privacy_bound
from pac_stability.audit.statistical import stability_bound as stability_bound
from pac_stability.audit.subjects import BlackBox as BlackBox
from pac_stability.audit.subjects import HasLaw as HasLaw
from pac_stability.audit.subjects import Predictor as Predictor
from pac_stability.audit.subjects import Program as Program
from pac_stability.audit.symmetry import SymmetryCheck as SymmetryCheck
from pac_stability.audit.symmetry import is_symmetric as is_symmetric
from pac_stability.audit.tightness import Tightness as Tightness
from pac_stability.audit.tightness import compare_with_claim as compare_with_claim
from pac_stability.audit.tightness import tightness_table as tightness_table
from pac_stability.audit.tightness import tightness_to_latex as tightness_to_latex
from pac_stability.audit.tightness import tightness_to_text as tightness_to_text
from pac_stability.audit.trials import RunFailed as RunFailed
from pac_stability.audit.trials import RunsUnfinished as RunsUnfinished
from pac_stability.checker import Recheck as Recheck
