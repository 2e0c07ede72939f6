"""Classes that no table holds: they answer by closed forms, whatever the number of points.

An :class:`ImplicitClass` says which part of a version space agrees with an example, what its
Littlestone dimension is, how the standard optimal algorithm (SOA) labels all points from there, and
where it splits. That is all that the SOA, the game, the tournaments of BLM20, its algorithms G and
M, and Littlestone compression need. Each closed form is proved on the page about implicit classes.
"""

from __future__ import annotations

from pac_stability.classes.implicit.base import ImplicitClass as ImplicitClass
from pac_stability.classes.implicit.cuts import (
    ImplicitThresholds as ImplicitThresholds,
    thresholds as thresholds,
)
from pac_stability.classes.implicit.labelling import (
    Labelling as Labelling,
    hypothesis_of as hypothesis_of,
)
from pac_stability.classes.implicit.small_sets import (
    ImplicitSingletons as ImplicitSingletons,
    ImplicitSubsets as ImplicitSubsets,
    point_functions as point_functions,
    singletons as singletons,
    subsets as subsets,
)
from pac_stability.classes.implicit.spans import (
    ImplicitIntervals as ImplicitIntervals,
    intervals as intervals,
)
from pac_stability.classes.implicit.targets import (
    ExampleSource as ExampleSource,
    UniformTarget as UniformTarget,
)
