"""Classes that no table holds: they answer by closed forms, whatever the number of points.

An :class:`ImplicitClass` says which part of a version space agrees with an example, what its
Littlestone dimension is, how the standard optimal algorithm (SOA) labels all points from there, and
where it splits. That is all that the SOA, the game, the tournaments of BLM20, its algorithms G and
M, and Littlestone compression need. Each closed form is proved on the page about implicit classes.
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
