"""The statements of CLNRW16, in the order of the paper."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.cummings_et_al import (
    basic_properties,
    composition,
    compression_learners,
    compression_schemes,
    every_class,
    generalization_notions,
    generic_learner,
    generic_learner_sizes,
    kept_examples,
    learning_definitions,
    necessary_loss,
    perfect_from_privacy,
    resampled,
    resampled_learning,
    separations,
    sufficient_conditions,
    thresholds,
)

CLAIMS: tuple[Claim, ...] = (
    *learning_definitions.CLAIMS,
    *generalization_notions.CLAIMS,
    *basic_properties.CLAIMS,
    *composition.CLAIMS,
    *compression_schemes.CLAIMS,
    *kept_examples.CLAIMS,
    *compression_learners.CLAIMS,
    *sufficient_conditions.CLAIMS,
    *thresholds.CLAIMS,
    *every_class.CLAIMS,
    *generic_learner.CLAIMS,
    *generic_learner_sizes.CLAIMS,
    *resampled.CLAIMS,
    *resampled_learning.CLAIMS,
    *separations.CLAIMS,
    *perfect_from_privacy.CLAIMS,
    *necessary_loss.CLAIMS,
)
