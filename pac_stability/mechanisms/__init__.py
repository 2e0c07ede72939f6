"""Randomised building blocks with exact laws and exact samplers.

Each is a :class:`~pac_stability.data.Mechanism`: ``law(x)`` is a closed form, ``run(x, rng)`` draws
with integers only, and the two agree exactly. Each says what it guarantees as an exact factor
``e**epsilon``. Post-processing is :func:`then`, composition :func:`compose` and
:func:`compose_adaptively`; what they and subsampling guarantee is in the accounting functions.
"""

from __future__ import annotations

from pac_stability.data import compose as compose
from pac_stability.data import compose_adaptively as compose_adaptively
from pac_stability.data import then as then
from pac_stability.mechanisms.accounting import PrivacyGuarantee as PrivacyGuarantee
from pac_stability.mechanisms.accounting import basic_composition as basic_composition
from pac_stability.mechanisms.accounting import optimal_delta as optimal_delta
from pac_stability.mechanisms.accounting import (
    subsampling_amplification as subsampling_amplification,
)
from pac_stability.mechanisms.decays import decay_for as decay_for
from pac_stability.mechanisms.discrete_laplace import DiscreteLaplace as DiscreteLaplace
from pac_stability.mechanisms.discrete_laplace import discrete_laplace_pmf as discrete_laplace_pmf
from pac_stability.mechanisms.discrete_laplace import (
    discrete_laplace_tail as discrete_laplace_tail,
)
from pac_stability.mechanisms.exponential import ExponentialMechanism as ExponentialMechanism
from pac_stability.mechanisms.exponential import exponential_learner as exponential_learner
from pac_stability.mechanisms.exponential_draws import enclosed_powers as enclosed_powers
from pac_stability.mechanisms.exponential_draws import exponential_choice as exponential_choice
from pac_stability.mechanisms.flip import ClippedLabel as ClippedLabel
from pac_stability.mechanisms.flip import Flip as Flip
from pac_stability.mechanisms.histogram import LaplaceHistogram as LaplaceHistogram
from pac_stability.mechanisms.histogram import StableHistogram as StableHistogram
from pac_stability.mechanisms.permute_and_flip import PermuteAndFlip as PermuteAndFlip
from pac_stability.mechanisms.ranges import bounded_range as bounded_range
from pac_stability.mechanisms.responses import RandomizedResponse as RandomizedResponse
from pac_stability.mechanisms.subsampling import Resampled as Resampled
from pac_stability.mechanisms.subsampling import Subsampled as Subsampled
from pac_stability.mechanisms.votes import NoisyMeanVote as NoisyMeanVote
from pac_stability.mechanisms.votes import SoftMajorityVote as SoftMajorityVote
from pac_stability.mechanisms.weights import error_counts as error_counts
from pac_stability.mechanisms.weights import exponential_weights as exponential_weights
