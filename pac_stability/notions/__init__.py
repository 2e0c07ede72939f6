"""The definitions of stability, privacy, generalization and learning, one module each.

They take laws: a law for each sample, and pairs of neighbouring samples or a distribution of
samples. Where a definition has an epsilon between two laws, values are factors ``e**epsilon``.

==============================  ===================================================================
two laws                        ``closeness`` (and its ``frontier``), ``domination``,
                                ``chain_rule``, ``zero_concentrated``
all neighbouring samples        ``uniform_stability``, ``private_prediction``,
                                ``differential_privacy``, ``group_privacy``
samples from a distribution     ``robust_generalization`` (and ``split_reading``),
                                ``perfect_generalization`` (and ``simulators``),
                                ``global_stability``, ``generalization``, ``accuracy``
all distributions               ``covering`` (grids), ``two_point``, ``two_point_generalization``
what they are given             ``by_type`` (laws by type of the sample), ``losses``
==============================  ===================================================================
"""

from __future__ import annotations

from pac_stability.notions import (
    accuracy as accuracy,
    by_type as by_type,
    chain_rule as chain_rule,
    closeness as closeness,
    covering as covering,
    differential_privacy as differential_privacy,
    domination as domination,
    frontier as frontier,
    generalization as generalization,
    global_stability as global_stability,
    group_privacy as group_privacy,
    losses as losses,
    perfect_generalization as perfect_generalization,
    private_prediction as private_prediction,
    robust_generalization as robust_generalization,
    simulators as simulators,
    split_reading as split_reading,
    two_point as two_point,
    two_point_generalization as two_point_generalization,
    uniform_stability as uniform_stability,
    zero_concentrated as zero_concentrated,
)
