"""Growth function and Sauer-Shelah bound."""

from math import comb

import numpy as np
import pytest
from hypothesis import given

from pac_stability import classes
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import growth_function, sauer_shelah_bound, vc_dimension
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.testing import strategies
from shared_dimensions import growth_by_definition

small_classes = strategies.finite_classes(max_points=7, max_hypotheses=30)


def test_definition_on_many_random_classes() -> None:
    for seed in range(300):
        rng = np.random.default_rng(seed)
        H = FiniteClass(
            rng.random((rng.integers(1, 30), rng.integers(1, 8))) < rng.choice([0.3, 0.5])
        )
        for m in range(H.table.shape[1] + 2):
            assert growth_function(H, m) == growth_by_definition(H.table, m)


@given(H=small_classes)
def test_growth_is_the_cube_up_to_the_dimension_and_below_sauer_beyond(H: FiniteClass) -> None:
    d = vc_dimension(H)
    values = [growth_function(H, m) for m in range(H.table.shape[1] + 1)]
    assert values[: d + 1] == [2**m for m in range(d + 1)]
    assert all(values[m] < 2**m for m in range(d + 1, len(values)))
    assert all(value <= sauer_shelah_bound(m, d) for m, value in enumerate(values))
    assert values[-1] == len(H)


def test_closed_forms() -> None:
    for m in range(8):
        assert growth_function(classes.thresholds(12), m) == m + 1
        assert growth_function(classes.intervals(8), m) == 1 + comb(m + 1, 2)
        assert growth_function(classes.subsets(8, 2), m) == sauer_shelah_bound(m, 2)
        assert growth_function(classes.cube(6), m) == 2 ** min(m, 6)
    assert growth_function(FiniteClass(np.zeros((0, 3))), 2) == 0
    assert growth_function(FiniteClass(np.zeros((1, 0))), 5) == 1


def test_sauer_shelah_is_an_exact_integer() -> None:
    for m in range(12):
        for d in range(-1, 14):
            assert sauer_shelah_bound(m, d) == sum(comb(m, i) for i in range(max(d, -1) + 1))
            if m >= d >= 0:  # Pascal's rule, summed
                assert sauer_shelah_bound(m + 1, d) == sauer_shelah_bound(
                    m, d
                ) + sauer_shelah_bound(m, d - 1)
    assert sauer_shelah_bound(200, 100) > 2**199  # more than half of all subsets, no rounding


def test_a_budget_gives_certified_bounds() -> None:
    H = FiniteClass(np.random.default_rng(1).random((60, 24)) < 0.5)
    with pytest.raises(BudgetExhausted, match="more than 50 sets") as caught:
        growth_function(H, 8, max_nodes=50)
    true = growth_function(H, 8)
    assert caught.value.lower is not None
    assert caught.value.upper is not None
    assert 2 <= caught.value.lower <= true <= caught.value.upper == 60


def test_bad_input() -> None:
    H = classes.thresholds(3)
    with pytest.raises(InvalidInput, match=r"^m: got -1, want"):
        growth_function(H, -1)
    with pytest.raises(InvalidInput, match=r"^max_nodes: got 0, want"):
        growth_function(H, 1, max_nodes=0)
    with pytest.raises(InvalidInput, match=r"^m: got -1, want"):
        sauer_shelah_bound(-1, 0)
    with pytest.raises(InvalidInput, match=r"^d: got -2, want"):
        sauer_shelah_bound(1, -2)
