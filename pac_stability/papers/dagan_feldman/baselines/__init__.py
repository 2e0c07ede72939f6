"""What DF20 compares its learners with: averages over parts, aggregation, the finite learner."""

from __future__ import annotations

from pac_stability.papers.dagan_feldman.baselines.aggregation import (
    DworkFeldmanAggregation as DworkFeldmanAggregation,
    LaplaceAggregation as LaplaceAggregation,
)
from pac_stability.papers.dagan_feldman.baselines.disjoint_average import (
    DisjointAverage as DisjointAverage,
)
from pac_stability.papers.dagan_feldman.baselines.exponential_learner import (
    ExponentialLearner as ExponentialLearner,
)
from pac_stability.papers.dagan_feldman.baselines.laplace_vote import (
    LaplaceMeanVote as LaplaceMeanVote,
)
from pac_stability.papers.dagan_feldman.baselines.subset_average import (
    SubsetAverage as SubsetAverage,
)
from pac_stability.papers.dagan_feldman.baselines.threshold_walk import (
    ThresholdWalk as ThresholdWalk,
)
