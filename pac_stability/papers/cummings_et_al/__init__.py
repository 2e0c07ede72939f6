"""Cummings, Ligett, Nissim, Roth and Wu, *Adaptive Learning with Robust Generalization Guarantees*.

COLT 2016 (CLNRW16): guarantees of generalization that survive post-processing and adaptivity. The
page docs/reference/cummings-et-al.md goes through the paper item by item; in short:

============================  =====================================================================
`GenericAgnosticLearner`      Algorithm 1: perfect generalization for finite classes (Lemma 29)
`GenericAgnosticSize`         Theorem 30: from how many examples on it is accurate
`FiniteDomainLearner`         Corollary 31: the labelings of a finite domain
`ResamplingCompiler`          Algorithm 2: from perfect generalization to differential privacy
`resampling_pipeline`         Theorem 32 on an instance, exactly
`ResamplingAccuracy`          Theorem 33: what is accurate stays accurate
`ThresholdSideCondition`      Theorem 35: its numbers
`simulate`, `advantage`       simulators as mechanisms over distributions, and how good they are
`CoordinateAdversary`         Definition 5 has two readings
`Majority`                    Lemma 37: robust, but neither private nor perfect
`StrangeNormal`               Theorem 38: perfect, but not private
`NoisyMajority`               Theorem 40: private, and perfect with a larger parameter only
`FiniteRangeThresholds`       Lemma 23: a finite range cannot learn
`OrderAsKey`                  robust generalization does not compose
`implications`                one guarantee from another: Theorems 12, 20, 21, 39, Lemmas 9, 11, 36
`tightness`                   each implication against the exact optimum, on instances
============================  =====================================================================

Compression schemes, their bounds and adaptive sessions (Section 3) are in
:mod:`pac_stability.compression`, definitions in :mod:`pac_stability.notions`.
"""

from __future__ import annotations

from pac_stability.compression.bounds import (
    Lemma16 as Lemma16,
    Lemma17 as Lemma17,
    Theorem18 as Theorem18,
    Theorem19 as Theorem19,
    remark_27 as remark_27,
)
from pac_stability.papers.cummings_et_al import implications as implications, tightness as tightness
from pac_stability.papers.cummings_et_al.advantages import (
    Advantage as Advantage,
    advantage as advantage,
)
from pac_stability.papers.cummings_et_al.boosted import Theorem26 as Theorem26
from pac_stability.papers.cummings_et_al.composition_failure import (
    OrderAsKey as OrderAsKey,
    RandomTests as RandomTests,
)
from pac_stability.papers.cummings_et_al.experiments import Experiment as Experiment
from pac_stability.papers.cummings_et_al.finite_range_thresholds import (
    FiniteRangeThresholds as FiniteRangeThresholds,
)
from pac_stability.papers.cummings_et_al.generic_agnostic import (
    GenericAgnosticLearner as GenericAgnosticLearner,
    GenericAgnosticSimulator as GenericAgnosticSimulator,
)
from pac_stability.papers.cummings_et_al.labelings import (
    FiniteDomainLearner as FiniteDomainLearner,
    corollary_31 as corollary_31,
)
from pac_stability.papers.cummings_et_al.majority import Majority as Majority
from pac_stability.papers.cummings_et_al.noisy_majority import (
    NoisyMajority as NoisyMajority,
    tail_inequality as tail_inequality,
)
from pac_stability.papers.cummings_et_al.pipelines import (
    ResamplingPipeline as ResamplingPipeline,
    resampling_pipeline as resampling_pipeline,
)
from pac_stability.papers.cummings_et_al.resampling import (
    ResamplingCompiler as ResamplingCompiler,
    empirical as empirical,
)
from pac_stability.papers.cummings_et_al.resampling_learning import (
    ResamplingAccuracy as ResamplingAccuracy,
    ThresholdSideCondition as ThresholdSideCondition,
    UniformConvergence as UniformConvergence,
)
from pac_stability.papers.cummings_et_al.resampling_privacy import (
    ResamplingPrivacy as ResamplingPrivacy,
    untouched as untouched,
)
from pac_stability.papers.cummings_et_al.simulators import (
    ArithmeticMeanSimulator as ArithmeticMeanSimulator,
    FixedSampleSimulator as FixedSampleSimulator,
    GeometricMeanSimulator as GeometricMeanSimulator,
    OptimalSimulator as OptimalSimulator,
    simulate as simulate,
)
from pac_stability.papers.cummings_et_al.sizes import GenericAgnosticSize as GenericAgnosticSize
from pac_stability.papers.cummings_et_al.strange_normal import (
    StrangeNormal as StrangeNormal,
    StrangeOrder as StrangeOrder,
)
from pac_stability.papers.cummings_et_al.two_readings import (
    CoordinateAdversary as CoordinateAdversary,
)
