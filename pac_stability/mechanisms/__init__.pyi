from pac_stability.data import (
    compose as compose,
    compose_adaptively as compose_adaptively,
    then as then,
)
from pac_stability.mechanisms.accounting import (
    Composition as Composition,
    PrivacyGuarantee as PrivacyGuarantee,
    Resampled as Resampled,
    Subsampled as Subsampled,
    basic_composition as basic_composition,
    optimal_delta as optimal_delta,
    subsampling_amplification as subsampling_amplification,
    uses_left as uses_left,
)
from pac_stability.mechanisms.draws import (
    Enclosures as Enclosures,
    decay_for as decay_for,
    enclosed_choice as enclosed_choice,
    enclosed_powers as enclosed_powers,
    error_counts as error_counts,
    exponential_weights as exponential_weights,
    occurrences as occurrences,
    ones_among as ones_among,
    successes as successes,
)
from pac_stability.mechanisms.exponential import (
    ClippedLabel as ClippedLabel,
    ExponentialMechanism as ExponentialMechanism,
    Flip as Flip,
    GeometricVote as GeometricVote,
    NoisyMeanVote as NoisyMeanVote,
    PermuteAndFlip as PermuteAndFlip,
    PreparedChoice as PreparedChoice,
    PreparedTurns as PreparedTurns,
    RandomizedResponse as RandomizedResponse,
    SoftMajorityVote as SoftMajorityVote,
    bounded_range as bounded_range,
    exponential_choice as exponential_choice,
    exponential_learner as exponential_learner,
)
from pac_stability.mechanisms.ledger import (
    Entry as Entry,
    Ledger as Ledger,
    Use as Use,
)
from pac_stability.mechanisms.noise import (
    DiscreteGaussian as DiscreteGaussian,
    DiscreteLaplace as DiscreteLaplace,
    Geometric as Geometric,
    LaplaceHistogram as LaplaceHistogram,
    StableHistogram as StableHistogram,
    discrete_laplace_pmf as discrete_laplace_pmf,
    discrete_laplace_tail as discrete_laplace_tail,
)
from pac_stability.mechanisms.posteriors import (
    Posterior as Posterior,
    PosteriorUnion as PosteriorUnion,
    ReadableRule as ReadableRule,
    SparsePosterior as SparsePosterior,
    TreePosterior as TreePosterior,
)
