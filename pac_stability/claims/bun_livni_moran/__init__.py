"""The statements of BLM20."""

from __future__ import annotations

from pac_stability.claims.bun_livni_moran import (
    boosting,
    classes_and_regret,
    equivalence_of_learning,
    figure_one,
    frequent_hypotheses,
    generalization,
    generic_learner,
    global_stability,
    indistinguishability,
    learnability,
    losses,
    monte_carlo,
    overview,
    private_learner,
    sharper_frequency,
    stable_histograms,
    stable_learner,
    tournament_samples,
    trees_and_mistakes,
    wrapping_up,
)
from pac_stability.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = (
    # I. Introduction
    *classes_and_regret.CLAIMS,
    *learnability.CLAIMS,
    *equivalence_of_learning.CLAIMS,
    *global_stability.CLAIMS,
    *generalization.CLAIMS,
    *boosting.CLAIMS,
    # II. Proof overview
    *overview.CLAIMS,
    # III. Preliminaries
    *losses.CLAIMS,
    *figure_one.CLAIMS,
    *trees_and_mistakes.CLAIMS,
    *indistinguishability.CLAIMS,
    # IV. Globally stable learning
    *tournament_samples.CLAIMS,
    *frequent_hypotheses.CLAIMS,
    *sharper_frequency.CLAIMS,
    *monte_carlo.CLAIMS,
    *stable_learner.CLAIMS,
    # V. From global stability to privacy
    *stable_histograms.CLAIMS,
    *generic_learner.CLAIMS,
    *private_learner.CLAIMS,
    # VI. Proof of Theorem 1
    *wrapping_up.CLAIMS,
)
