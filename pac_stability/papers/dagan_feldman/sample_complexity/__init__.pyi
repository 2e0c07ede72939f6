from pac_stability.arithmetic import Constants as Constants
from pac_stability.papers.dagan_feldman.sample_complexity.asking import (
    Ask as Ask,
    LeastSize as LeastSize,
    Share as Share,
    Size as Size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.baseline_sizes import (
    PRIVATE as PRIVATE,
    STABLE as STABLE,
    AggregationSize as AggregationSize,
    ComparisonRow as ComparisonRow,
    DisjointAverageSize as DisjointAverageSize,
    SubsetAverageSize as SubsetAverageSize,
    aggregation_size as aggregation_size,
    answer as answer,
    compare as compare,
    disjoint_average_size as disjoint_average_size,
    subset_average_size as subset_average_size,
    threshold_scan_size as threshold_scan_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.lemma_sizes import (
    ExponentialLearnerSize as ExponentialLearnerSize,
    NetSize as NetSize,
    agnostic_lower_bound as agnostic_lower_bound,
    exponential_learner_size as exponential_learner_size,
    exponential_mechanism_size as exponential_mechanism_size,
    net_size as net_size,
    private_lower_bound as private_lower_bound,
    stable_lower_bound as stable_lower_bound,
    threshold_net_size as threshold_net_size,
    uniform_convergence_size as uniform_convergence_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.private_prediction_sizes import (
    PrivatePredictionSize as PrivatePredictionSize,
    theorem_3 as theorem_3,
)
from pac_stability.papers.dagan_feldman.sample_complexity.stable_sizes import (
    FlippedSize as FlippedSize,
    RealizableSize as RealizableSize,
    StableSize as StableSize,
    corollary_2 as corollary_2,
    realizable_private_size as realizable_private_size,
    theorem_1 as theorem_1,
)
