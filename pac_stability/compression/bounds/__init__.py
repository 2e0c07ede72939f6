"""What is guaranteed of whatever keeps k of n examples: formulas with certified values."""

from __future__ import annotations

from pac_stability.compression.bounds._form import DeviationBound as DeviationBound
from pac_stability.compression.bounds._form import Reading as Reading
from pac_stability.compression.bounds.hoeffding import AnytimeBound as AnytimeBound
from pac_stability.compression.bounds.hoeffding import HoeffdingBound as HoeffdingBound
from pac_stability.compression.bounds.hoeffding import UnionBound as UnionBound
from pac_stability.compression.bounds.hoeffding import anytime_delta as anytime_delta
from pac_stability.compression.bounds.learners import Theorem18 as Theorem18
from pac_stability.compression.bounds.learners import Theorem19 as Theorem19
from pac_stability.compression.bounds.oblivious import balanced_subsample as balanced_subsample
from pac_stability.compression.bounds.oblivious import remark_27 as remark_27
from pac_stability.compression.bounds.printed import Lemma16 as Lemma16
from pac_stability.compression.bounds.printed import Lemma17 as Lemma17
from pac_stability.compression.bounds.printed import unselected as unselected
from pac_stability.compression.bounds.printed import unselected_mean as unselected_mean
from pac_stability.compression.bounds.ranking import RankedBound as RankedBound
from pac_stability.compression.bounds.ranking import ranked_bounds as ranked_bounds
