"""The statements of CLNRW16, in the order of the paper."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.cummings_et_al import (
    basic_properties,
    compression_learners,
    compression_schemes,
    generalization_notions,
    generic_learner,
    learning_definitions,
    perfect_from_privacy,
    resampled,
    separations,
    sufficient_conditions,
    thresholds,
)

CLAIMS: tuple[Claim, ...] = (
    *learning_definitions.CLAIMS,
    *generalization_notions.CLAIMS,
    *basic_properties.CLAIMS,
    *compression_schemes.CLAIMS,
    *compression_learners.CLAIMS,
    *sufficient_conditions.CLAIMS,
    *thresholds.CLAIMS,
    *compression_learners.EVERY_CLASS,
    *generic_learner.CLAIMS,
    *resampled.CLAIMS,
    *separations.CLAIMS,
    *perfect_from_privacy.CLAIMS,
)
