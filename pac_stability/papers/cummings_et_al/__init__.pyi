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
    ResamplingAccuracy as ResamplingAccuracy,
    ResamplingCompiler as ResamplingCompiler,
    ResamplingPipeline as ResamplingPipeline,
    ResamplingPrivacy as ResamplingPrivacy,
    ThresholdSideCondition as ThresholdSideCondition,
    UniformConvergence as UniformConvergence,
    advantage as advantage,
    empirical as empirical,
    resampling_pipeline as resampling_pipeline,
    simulate as simulate,
    untouched as untouched,
)
