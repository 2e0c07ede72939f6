"""Every parameter of BLM20 as a formula, as printed and as repaired."""

from __future__ import annotations

from pac_stability.arithmetic import Constants as Constants
from pac_stability.papers.bun_livni_moran.formulas.by_level import (
    ByLevelSizes as ByLevelSizes,
    LevelRuns as LevelRuns,
)
from pac_stability.papers.bun_livni_moran.formulas.draws import (
    ExpectedDraws as ExpectedDraws,
    expected_draws as expected_draws,
)
from pac_stability.papers.bun_livni_moran.formulas.frequency import (
    FrequencyThreshold as FrequencyThreshold,
    agreement_bounds as agreement_bounds,
    proves as proves,
)
from pac_stability.papers.bun_livni_moran.formulas.generalization import (
    FrequentOutputLoss as FrequentOutputLoss,
    fewest_fresh_examples as fewest_fresh_examples,
    fresh_examples as fresh_examples,
)
from pac_stability.papers.bun_livni_moran.formulas.orders import (
    THEOREM_6_WEAK as THEOREM_6_WEAK,
    corollary_2_order as corollary_2_order,
    lemma_15_order as lemma_15_order,
    lemma_16_order as lemma_16_order,
    theorem_1_order as theorem_1_order,
    theorem_6_weak_delta as theorem_6_weak_delta,
    theorem_17_order as theorem_17_order,
)
from pac_stability.papers.bun_livni_moran.formulas.privacy import (
    PrivateFromStable as PrivateFromStable,
    PrivateLearnerSizes as PrivateLearnerSizes,
)
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import (
    proved_frequency as proved_frequency,
    sharper_agreement_bounds as sharper_agreement_bounds,
)
from pac_stability.papers.bun_livni_moran.formulas.sharper_release import (
    least_runs as least_runs,
    missed_output as missed_output,
)
from pac_stability.papers.bun_livni_moran.formulas.stability import (
    GlobalStabilityParameters as GlobalStabilityParameters,
)
