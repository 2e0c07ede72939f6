"""Every parameter of BLM20 as a formula, as printed and as repaired."""

from __future__ import annotations

from pac_stability.papers.bun_livni_moran.formulas.draws import ExpectedDraws as ExpectedDraws
from pac_stability.papers.bun_livni_moran.formulas.draws import expected_draws as expected_draws
from pac_stability.papers.bun_livni_moran.formulas.frequency import Constants as Constants
from pac_stability.papers.bun_livni_moran.formulas.frequency import (
    FrequencyThreshold as FrequencyThreshold,
)
from pac_stability.papers.bun_livni_moran.formulas.frequency import (
    agreement_bounds as agreement_bounds,
)
from pac_stability.papers.bun_livni_moran.formulas.frequency import proves as proves
from pac_stability.papers.bun_livni_moran.formulas.generalization import (
    FrequentOutputLoss as FrequentOutputLoss,
)
from pac_stability.papers.bun_livni_moran.formulas.generalization import (
    fresh_examples as fresh_examples,
)
from pac_stability.papers.bun_livni_moran.formulas.orders import THEOREM_6_WEAK as THEOREM_6_WEAK
from pac_stability.papers.bun_livni_moran.formulas.orders import (
    corollary_2_order as corollary_2_order,
)
from pac_stability.papers.bun_livni_moran.formulas.orders import lemma_15_order as lemma_15_order
from pac_stability.papers.bun_livni_moran.formulas.orders import lemma_16_order as lemma_16_order
from pac_stability.papers.bun_livni_moran.formulas.orders import theorem_1_order as theorem_1_order
from pac_stability.papers.bun_livni_moran.formulas.orders import (
    theorem_6_weak_delta as theorem_6_weak_delta,
)
from pac_stability.papers.bun_livni_moran.formulas.orders import (
    theorem_17_order as theorem_17_order,
)
from pac_stability.papers.bun_livni_moran.formulas.privacy import (
    PrivateFromStable as PrivateFromStable,
)
from pac_stability.papers.bun_livni_moran.formulas.privacy import (
    PrivateLearnerSizes as PrivateLearnerSizes,
)
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import (
    proved_frequency as proved_frequency,
)
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import (
    sharper_agreement_bounds as sharper_agreement_bounds,
)
from pac_stability.papers.bun_livni_moran.formulas.stability import (
    GlobalStabilityParameters as GlobalStabilityParameters,
)
