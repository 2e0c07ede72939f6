"""What is guaranteed of whatever keeps k of n examples: formulas with certified values."""

from __future__ import annotations

from pac_stability.compression.bounds.form import (
    DeviationBound as DeviationBound,
    Reading as Reading,
)
from pac_stability.compression.bounds.hoeffding import (
    AnytimeBound as AnytimeBound,
    HoeffdingBound as HoeffdingBound,
    UnionBound as UnionBound,
    anytime_delta as anytime_delta,
)
from pac_stability.compression.bounds.learners import Theorem18 as Theorem18, Theorem19 as Theorem19
from pac_stability.compression.bounds.oblivious import (
    balanced_subsample as balanced_subsample,
    remark_27 as remark_27,
)
from pac_stability.compression.bounds.printed import (
    Lemma16 as Lemma16,
    Lemma17 as Lemma17,
    unselected as unselected,
    unselected_mean as unselected_mean,
)
from pac_stability.compression.bounds.ranking import (
    RankedBound as RankedBound,
    ranked_bounds as ranked_bounds,
)
