"""Sample sizes: how many examples are enough for each statement of DF20, and for its baselines.

Every size is an integer that provably suffices, with the parameters of the learner it is for.
Printed constants are the paper's own division of alpha, beta and gamma and the explicit constants
of what it cites; proved ones the same division with the best lemmas that we can prove; sharp ones,
the default, these lemmas and the best of a fixed list of divisions. Real numbers are only compared
by certified intervals; floats guide the search. Smaller alpha, beta, gamma or epsilon, and larger
classes, never give a smaller size.
"""

from __future__ import annotations

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
