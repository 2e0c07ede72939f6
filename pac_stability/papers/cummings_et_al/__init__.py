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
from pac_stability.papers.cummings_et_al import implications as implications
from pac_stability.papers.cummings_et_al.algorithm_1 import (
    FiniteDomainLearner as FiniteDomainLearner,
    FiniteRangeThresholds as FiniteRangeThresholds,
    GenericAgnosticLearner as GenericAgnosticLearner,
    GenericAgnosticSimulator as GenericAgnosticSimulator,
    GenericAgnosticSize as GenericAgnosticSize,
    corollary_31 as corollary_31,
)
from pac_stability.papers.cummings_et_al.resampling import (
    ResamplingAccuracy as ResamplingAccuracy,
    ResamplingCompiler as ResamplingCompiler,
    ResamplingPipeline as ResamplingPipeline,
    ResamplingPrivacy as ResamplingPrivacy,
    ThresholdSideCondition as ThresholdSideCondition,
    UniformConvergence as UniformConvergence,
    empirical as empirical,
    resampling_pipeline as resampling_pipeline,
    untouched as untouched,
)
from pac_stability.papers.cummings_et_al.separations import (
    Majority as Majority,
    NoisyMajority as NoisyMajority,
    OrderAsKey as OrderAsKey,
    RandomTests as RandomTests,
    StrangeNormal as StrangeNormal,
    StrangeOrder as StrangeOrder,
    Theorem26 as Theorem26,
    tail_inequality as tail_inequality,
)
from pac_stability.papers.cummings_et_al.simulators import (
    Advantage as Advantage,
    ArithmeticMeanSimulator as ArithmeticMeanSimulator,
    CoordinateAdversary as CoordinateAdversary,
    Experiment as Experiment,
    FixedSampleSimulator as FixedSampleSimulator,
    GeometricMeanSimulator as GeometricMeanSimulator,
    OptimalSimulator as OptimalSimulator,
    advantage as advantage,
    simulate as simulate,
)
