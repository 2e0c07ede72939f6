"""Dagan and Feldman, *PAC learning with stable and private predictions*, COLT 2020 (DF20).

Predictions that hardly depend on any one example. The page docs/reference/dagan-feldman.md goes
through the paper item by item; in short:

============================  =====================================================================
`StableLearner`               A^sta of Theorem 1: the exponential mechanism on a random cover
`FlippedLearner`              Corollary 2: private predictions from stable ones
`RealizablePrivateLearner`    Lemma 9: the soft majority of consistent hypotheses
`PrivatePredictionLearner`    Theorem 3: h_S, phi_S and the flip
`baselines`                   what the paper compares with
`sample_complexity`           how many examples each of them needs, explicitly
`HardDistribution`            Theorem 11: how many every stable learner needs
`private_least_error`         Section 1.1: how much private predictions err at least
============================  =====================================================================
"""

from __future__ import annotations

from pac_stability.papers.dagan_feldman import sample_complexity as sample_complexity
from pac_stability.papers.dagan_feldman.additive import (
    additive_selection as additive_selection,
    has_additive_normaliser as has_additive_normaliser,
)
from pac_stability.papers.dagan_feldman.agnostic_lower_bound import (
    agnostic_average_excess as agnostic_average_excess,
    agnostic_least_sample_size as agnostic_least_sample_size,
    coin_error as coin_error,
)
from pac_stability.papers.dagan_feldman.approximation import (
    SampleApproximation as SampleApproximation,
    approximation_of as approximation_of,
)
from pac_stability.papers.dagan_feldman.baselines import (
    DisjointAverage as DisjointAverage,
    DworkFeldmanAggregation as DworkFeldmanAggregation,
    ExponentialLearner as ExponentialLearner,
    LaplaceAggregation as LaplaceAggregation,
    SubsetAverage as SubsetAverage,
    ThresholdWalk as ThresholdWalk,
)
from pac_stability.papers.dagan_feldman.covers import (
    cover_size_bound as cover_size_bound,
    cover_transfer_bound as cover_transfer_bound,
    greedy_cover as greedy_cover,
)
from pac_stability.papers.dagan_feldman.draws import (
    random_subset as random_subset,
    stable_draw as stable_draw,
)
from pac_stability.papers.dagan_feldman.enclosed_law import EnclosedLaw as EnclosedLaw
from pac_stability.papers.dagan_feldman.erm import (
    block_minimisers as block_minimisers,
    empirical_risk_minimiser as empirical_risk_minimiser,
    index_blocks as index_blocks,
)
from pac_stability.papers.dagan_feldman.excess import (
    exponential_excess as exponential_excess,
    paper_excess as paper_excess,
)
from pac_stability.papers.dagan_feldman.flipped import (
    FlippedLearner as FlippedLearner,
    least_flip_probability as least_flip_probability,
)
from pac_stability.papers.dagan_feldman.lower_bound import (
    HardDistribution as HardDistribution,
    hard_distribution as hard_distribution,
    least_sample_size as least_sample_size,
)
from pac_stability.papers.dagan_feldman.lower_bound_chain import (
    HardChain as HardChain,
    hard_average_error as hard_average_error,
    hard_chain as hard_chain,
)
from pac_stability.papers.dagan_feldman.matching import (
    FactorCheck as FactorCheck,
    Matching as Matching,
    Subsampling as Subsampling,
    check_replacement as check_replacement,
    check_subsampling as check_subsampling,
    match_candidates as match_candidates,
)
from pac_stability.papers.dagan_feldman.net_bounds import (
    drawn_net_bound as drawn_net_bound,
    index_net_bound as index_net_bound,
)
from pac_stability.papers.dagan_feldman.nets import (
    DrawnNets as DrawnNets,
    IndexNets as IndexNets,
    threshold_net_failure as threshold_net_failure,
)
from pac_stability.papers.dagan_feldman.private_lower_bound import (
    private_average_error as private_average_error,
    private_least_error as private_least_error,
    private_step as private_step,
)
from pac_stability.papers.dagan_feldman.private_prediction import (
    PrivatePredictionLearner as PrivatePredictionLearner,
    amplified_factor as amplified_factor,
    matching_factor as matching_factor,
    net_disagreements as net_disagreements,
)
from pac_stability.papers.dagan_feldman.private_sizes import (
    WorstMasses as WorstMasses,
    private_least_sample_size as private_least_sample_size,
    private_minimax_error as private_minimax_error,
)
from pac_stability.papers.dagan_feldman.private_voting import (
    PrivateVotingLearner as PrivateVotingLearner,
)
from pac_stability.papers.dagan_feldman.realizable import (
    RealizablePrivateLearner as RealizablePrivateLearner,
    markov_vote_error as markov_vote_error,
    vote_error as vote_error,
)
from pac_stability.papers.dagan_feldman.relabelling import RelabellingLearner as RelabellingLearner
from pac_stability.papers.dagan_feldman.restrictions import (
    ChosenRepresentatives as ChosenRepresentatives,
    agreement_classes as agreement_classes,
    sauer_power_bound as sauer_power_bound,
)
from pac_stability.papers.dagan_feldman.selection import (
    enclosed_selection as enclosed_selection,
    exact_selection as exact_selection,
)
from pac_stability.papers.dagan_feldman.stable import StableLearner as StableLearner
from pac_stability.papers.dagan_feldman.uniform_convergence import (
    deviation_bound as deviation_bound,
    deviation_failure as deviation_failure,
    union_deviation_bound as union_deviation_bound,
)
from pac_stability.papers.dagan_feldman.voting import VotingLearner as VotingLearner
