"""Implicit classes: they answer by closed forms, for any number of points.

An :class:`ImplicitClass` computes the part of a version space that agrees with an example, its
Littlestone dimension, the labels that the standard optimal algorithm (SOA) gives to all points, and
a split. This is all that the SOA, the game, the tournaments of BLM20, its algorithms G and M, and
Littlestone compression need. The page about implicit classes proves each closed form.
"""

from __future__ import annotations

from pac_stability.classes.implicit.base import (
    ExampleSource as ExampleSource,
    ImplicitClass as ImplicitClass,
    Labelling as Labelling,
    UniformTarget as UniformTarget,
    hypothesis_of as hypothesis_of,
)
from pac_stability.classes.implicit.line_and_sets import (
    ImplicitIntervals as ImplicitIntervals,
    ImplicitSingletons as ImplicitSingletons,
    ImplicitSubsets as ImplicitSubsets,
    ImplicitThresholds as ImplicitThresholds,
    intervals as intervals,
    point_functions as point_functions,
    singletons as singletons,
    subsets as subsets,
    thresholds as thresholds,
)
