from pac_stability.papers.dagan_feldman import sample_complexity as sample_complexity
from pac_stability.papers.dagan_feldman.additive_sums import (
    additive_selection as additive_selection,
)
from pac_stability.papers.dagan_feldman.additive_walks import (
    EnclosedLaw as EnclosedLaw,
    has_additive_normaliser as has_additive_normaliser,
)
from pac_stability.papers.dagan_feldman.answers import (
    block_minimisers as block_minimisers,
    empirical_risk_minimiser as empirical_risk_minimiser,
    index_blocks as index_blocks,
    random_subset as random_subset,
    stable_draw as stable_draw,
)
from pac_stability.papers.dagan_feldman.baselines import (
    DisjointAverage as DisjointAverage,
    DworkFeldmanAggregation as DworkFeldmanAggregation,
    ExponentialLearner as ExponentialLearner,
    LaplaceAggregation as LaplaceAggregation,
    RealizablePrivateLearner as RealizablePrivateLearner,
    SubsetAverage as SubsetAverage,
    ThresholdWalk as ThresholdWalk,
    markov_vote_error as markov_vote_error,
    vote_error as vote_error,
)
from pac_stability.papers.dagan_feldman.cited_lower_bounds import (
    PrivateVotingLearner as PrivateVotingLearner,
    agnostic_average_excess as agnostic_average_excess,
    coin_error as coin_error,
    private_average_error as private_average_error,
    private_least_error as private_least_error,
    private_least_sample_size as private_least_sample_size,
    private_step as private_step,
)
from pac_stability.papers.dagan_feldman.lower_bound import (
    HardChain as HardChain,
    HardDistribution as HardDistribution,
    VotingLearner as VotingLearner,
    hard_average_error as hard_average_error,
    hard_chain as hard_chain,
    hard_distribution as hard_distribution,
    least_sample_size as least_sample_size,
)
from pac_stability.papers.dagan_feldman.nets import (
    ChosenRepresentatives as ChosenRepresentatives,
    DrawnNets as DrawnNets,
    IndexNets as IndexNets,
    agreement_classes as agreement_classes,
    cover_size_bound as cover_size_bound,
    cover_transfer_bound as cover_transfer_bound,
    deviation_bound as deviation_bound,
    deviation_failure as deviation_failure,
    drawn_net_bound as drawn_net_bound,
    greedy_cover as greedy_cover,
    index_net_bound as index_net_bound,
    sauer_power_bound as sauer_power_bound,
    threshold_net_failure as threshold_net_failure,
    union_deviation_bound as union_deviation_bound,
)
from pac_stability.papers.dagan_feldman.private_prediction import (
    FactorCheck as FactorCheck,
    Matching as Matching,
    PrivatePredictionLearner as PrivatePredictionLearner,
    RelabellingLearner as RelabellingLearner,
    Subsampling as Subsampling,
    amplified_factor as amplified_factor,
    check_replacement as check_replacement,
    check_subsampling as check_subsampling,
    match_candidates as match_candidates,
    matching_factor as matching_factor,
    net_disagreements as net_disagreements,
)
from pac_stability.papers.dagan_feldman.selection import (
    enclosed_selection as enclosed_selection,
    exact_selection as exact_selection,
)
from pac_stability.papers.dagan_feldman.stable import (
    FlippedLearner as FlippedLearner,
    SampleApproximation as SampleApproximation,
    StableLearner as StableLearner,
    approximation_of as approximation_of,
    exponential_excess as exponential_excess,
    least_flip_probability as least_flip_probability,
    paper_excess as paper_excess,
)
