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
from pac_stability.papers.dagan_feldman.additive import AdditiveSelection as AdditiveSelection
from pac_stability.papers.dagan_feldman.additive import additive_selection as additive_selection
from pac_stability.papers.dagan_feldman.additive import (
    has_additive_normaliser as has_additive_normaliser,
)
from pac_stability.papers.dagan_feldman.agnostic_lower_bound import (
    agnostic_average_excess as agnostic_average_excess,
)
from pac_stability.papers.dagan_feldman.agnostic_lower_bound import (
    agnostic_least_sample_size as agnostic_least_sample_size,
)
from pac_stability.papers.dagan_feldman.agnostic_lower_bound import coin_error as coin_error
from pac_stability.papers.dagan_feldman.approximation import Approximation as Approximation
from pac_stability.papers.dagan_feldman.approximation import approximation_of as approximation_of
from pac_stability.papers.dagan_feldman.baselines import DisjointAverage as DisjointAverage
from pac_stability.papers.dagan_feldman.baselines import (
    DworkFeldmanAggregation as DworkFeldmanAggregation,
)
from pac_stability.papers.dagan_feldman.baselines import ExponentialLearner as ExponentialLearner
from pac_stability.papers.dagan_feldman.baselines import LaplaceAggregation as LaplaceAggregation
from pac_stability.papers.dagan_feldman.baselines import SubsetAverage as SubsetAverage
from pac_stability.papers.dagan_feldman.baselines import ThresholdWalk as ThresholdWalk
from pac_stability.papers.dagan_feldman.covers import cover_size_bound as cover_size_bound
from pac_stability.papers.dagan_feldman.covers import cover_transfer_bound as cover_transfer_bound
from pac_stability.papers.dagan_feldman.covers import greedy_cover as greedy_cover
from pac_stability.papers.dagan_feldman.draws import random_subset as random_subset
from pac_stability.papers.dagan_feldman.draws import stable_draw as stable_draw
from pac_stability.papers.dagan_feldman.erm import block_minimisers as block_minimisers
from pac_stability.papers.dagan_feldman.erm import (
    empirical_risk_minimiser as empirical_risk_minimiser,
)
from pac_stability.papers.dagan_feldman.erm import index_blocks as index_blocks
from pac_stability.papers.dagan_feldman.estimate import PredictionEstimate as PredictionEstimate
from pac_stability.papers.dagan_feldman.estimate import (
    estimated_probabilities as estimated_probabilities,
)
from pac_stability.papers.dagan_feldman.excess import exponential_excess as exponential_excess
from pac_stability.papers.dagan_feldman.excess import paper_excess as paper_excess
from pac_stability.papers.dagan_feldman.flipped import FlippedLearner as FlippedLearner
from pac_stability.papers.dagan_feldman.flipped import (
    least_flip_probability as least_flip_probability,
)
from pac_stability.papers.dagan_feldman.label_noise import NoisyThreshold as NoisyThreshold
from pac_stability.papers.dagan_feldman.lower_bound import HardDistribution as HardDistribution
from pac_stability.papers.dagan_feldman.lower_bound import hard_distribution as hard_distribution
from pac_stability.papers.dagan_feldman.lower_bound import least_sample_size as least_sample_size
from pac_stability.papers.dagan_feldman.lower_bound_chain import HardChain as HardChain
from pac_stability.papers.dagan_feldman.lower_bound_chain import (
    hard_average_error as hard_average_error,
)
from pac_stability.papers.dagan_feldman.lower_bound_chain import hard_chain as hard_chain
from pac_stability.papers.dagan_feldman.matching import FactorCheck as FactorCheck
from pac_stability.papers.dagan_feldman.matching import Matching as Matching
from pac_stability.papers.dagan_feldman.matching import Subsampling as Subsampling
from pac_stability.papers.dagan_feldman.matching import check_replacement as check_replacement
from pac_stability.papers.dagan_feldman.matching import check_subsampling as check_subsampling
from pac_stability.papers.dagan_feldman.matching import match_candidates as match_candidates
from pac_stability.papers.dagan_feldman.net_bounds import drawn_net_bound as drawn_net_bound
from pac_stability.papers.dagan_feldman.net_bounds import index_net_bound as index_net_bound
from pac_stability.papers.dagan_feldman.nets import DrawnNets as DrawnNets
from pac_stability.papers.dagan_feldman.nets import IndexNets as IndexNets
from pac_stability.papers.dagan_feldman.nets import threshold_net_failure as threshold_net_failure
from pac_stability.papers.dagan_feldman.private_lower_bound import (
    private_average_error as private_average_error,
)
from pac_stability.papers.dagan_feldman.private_lower_bound import (
    private_least_error as private_least_error,
)
from pac_stability.papers.dagan_feldman.private_lower_bound import private_step as private_step
from pac_stability.papers.dagan_feldman.private_prediction import (
    PrivatePredictionLearner as PrivatePredictionLearner,
)
from pac_stability.papers.dagan_feldman.private_prediction import (
    amplified_factor as amplified_factor,
)
from pac_stability.papers.dagan_feldman.private_prediction import matching_factor as matching_factor
from pac_stability.papers.dagan_feldman.private_prediction import (
    net_disagreements as net_disagreements,
)
from pac_stability.papers.dagan_feldman.private_sizes import WorstMasses as WorstMasses
from pac_stability.papers.dagan_feldman.private_sizes import (
    private_least_sample_size as private_least_sample_size,
)
from pac_stability.papers.dagan_feldman.private_sizes import (
    private_minimax_error as private_minimax_error,
)
from pac_stability.papers.dagan_feldman.private_voting import (
    PrivateVotingLearner as PrivateVotingLearner,
)
from pac_stability.papers.dagan_feldman.realizable import (
    RealizablePrivateLearner as RealizablePrivateLearner,
)
from pac_stability.papers.dagan_feldman.realizable import markov_vote_error as markov_vote_error
from pac_stability.papers.dagan_feldman.realizable import vote_error as vote_error
from pac_stability.papers.dagan_feldman.relabelling import RelabellingLearner as RelabellingLearner
from pac_stability.papers.dagan_feldman.restrictions import (
    ChosenRepresentatives as ChosenRepresentatives,
)
from pac_stability.papers.dagan_feldman.restrictions import agreement_classes as agreement_classes
from pac_stability.papers.dagan_feldman.restrictions import sauer_power_bound as sauer_power_bound
from pac_stability.papers.dagan_feldman.selection import EnclosedSelection as EnclosedSelection
from pac_stability.papers.dagan_feldman.selection import enclosed_selection as enclosed_selection
from pac_stability.papers.dagan_feldman.selection import exact_selection as exact_selection
from pac_stability.papers.dagan_feldman.selection import float_selection as float_selection
from pac_stability.papers.dagan_feldman.stable import StableLearner as StableLearner
from pac_stability.papers.dagan_feldman.uniform_convergence import (
    deviation_bound as deviation_bound,
)
from pac_stability.papers.dagan_feldman.uniform_convergence import (
    deviation_failure as deviation_failure,
)
from pac_stability.papers.dagan_feldman.uniform_convergence import (
    union_deviation_bound as union_deviation_bound,
)
from pac_stability.papers.dagan_feldman.voting import VotingLearner as VotingLearner
