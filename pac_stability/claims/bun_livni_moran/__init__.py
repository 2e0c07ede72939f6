"""The statements of BLM20."""

from __future__ import annotations

from pac_stability.claims.bun_livni_moran import (
    classes_and_regret,
    frequent_hypotheses,
    generalization,
    global_stability,
    indistinguishability,
    losses,
    monte_carlo,
    overview,
    stable_learner,
    tournament_samples,
    trees_and_mistakes,
)
from pac_stability.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = (
    *classes_and_regret.CLAIMS,
    *global_stability.CLAIMS,
    *generalization.CLAIMS,
    *overview.CLAIMS,
    *losses.CLAIMS,
    *trees_and_mistakes.CLAIMS,
    *indistinguishability.CLAIMS,
    *tournament_samples.CLAIMS,
    *frequent_hypotheses.CLAIMS,
    *monte_carlo.CLAIMS,
    *stable_learner.CLAIMS,
)
