from pac_stability.arithmetic import Constants as Constants
from pac_stability.papers.bun_livni_moran.formulas.parameters import (
    THEOREM_6_WEAK as THEOREM_6_WEAK,
    ExpectedDraws as ExpectedDraws,
    FrequencyThreshold as FrequencyThreshold,
    FrequentOutputLoss as FrequentOutputLoss,
    GlobalStabilityParameters as GlobalStabilityParameters,
    agreement_bounds as agreement_bounds,
    corollary_2_order as corollary_2_order,
    expected_draws as expected_draws,
    fewest_fresh_examples as fewest_fresh_examples,
    fresh_examples as fresh_examples,
    lemma_15_order as lemma_15_order,
    lemma_16_order as lemma_16_order,
    proved_frequency as proved_frequency,
    proves as proves,
    sharper_agreement_bounds as sharper_agreement_bounds,
    theorem_1_order as theorem_1_order,
    theorem_6_weak_delta as theorem_6_weak_delta,
    theorem_17_order as theorem_17_order,
)
from pac_stability.papers.bun_livni_moran.formulas.sizes import (
    ByLevelSizes as ByLevelSizes,
    LevelRuns as LevelRuns,
    PrivateFromStable as PrivateFromStable,
    PrivateLearnerSizes as PrivateLearnerSizes,
    least_runs as least_runs,
    missed_output as missed_output,
)
