"""The definitions of stability, privacy, generalization and learning, one module each.

They take laws: a law for each sample, and pairs of neighbouring samples or a distribution of
samples. Where a definition has an epsilon between two laws, values are factors ``e**epsilon``.

==============================  ===================================================================
two laws                        ``closeness`` (and its ``frontier``), ``domination``,
                                ``chain_rule``
all neighbouring samples        ``uniform_stability``, ``private_prediction``,
                                ``differential_privacy``, ``group_privacy``
samples from a distribution     ``robust_generalization`` (and ``split_reading``),
                                ``perfect_generalization`` (and ``simulators``),
                                ``enclosed_generalization`` (of laws in intervals),
                                ``global_stability``, ``generalization``, ``accuracy``
all distributions               ``covering`` (grids), ``two_point``, ``two_point_generalization``
what they are given             ``by_type`` (laws by type of the sample), ``losses``
==============================  ===================================================================
"""

from __future__ import annotations

from pac_stability.notions import accuracy as accuracy
from pac_stability.notions import by_type as by_type
from pac_stability.notions import chain_rule as chain_rule
from pac_stability.notions import closeness as closeness
from pac_stability.notions import covering as covering
from pac_stability.notions import differential_privacy as differential_privacy
from pac_stability.notions import domination as domination
from pac_stability.notions import enclosed_generalization as enclosed_generalization
from pac_stability.notions import frontier as frontier
from pac_stability.notions import generalization as generalization
from pac_stability.notions import global_stability as global_stability
from pac_stability.notions import group_privacy as group_privacy
from pac_stability.notions import losses as losses
from pac_stability.notions import perfect_generalization as perfect_generalization
from pac_stability.notions import private_prediction as private_prediction
from pac_stability.notions import robust_generalization as robust_generalization
from pac_stability.notions import simulators as simulators
from pac_stability.notions import split_reading as split_reading
from pac_stability.notions import two_point as two_point
from pac_stability.notions import two_point_generalization as two_point_generalization
from pac_stability.notions import uniform_stability as uniform_stability
