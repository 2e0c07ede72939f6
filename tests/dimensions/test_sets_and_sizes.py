"""Shattered sets, recursive teaching, epsilon-nets, sizes; star number, growth and bounds."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import BudgetExhausted, FiniteClass, classes, dimensions, testing
from pac_stability._core.growth import most_patterns
from pac_stability.classes.bits import pack
from pac_stability.dimensions import Bounds, growth_function, sauer_shelah_bound, vc_dimension
from shared_classes import random_class
from shared_dimensions import growth_by_definition, star_by_definition
from shared_refusals import refuses

small_classes = testing.strategies.finite_classes(max_points=5, max_hypotheses=12)


def _shattered(H: FiniteClass) -> set[tuple[int, ...]]:
    m = H.table.shape[1]
    return {
        points
        for d in range(m + 1)
        for points in combinations(range(m), d)
        if len({tuple(row) for row in H.table[:, list(points)].tolist()}) == 2**d
    }


@given(H=small_classes)
def test_shattered_sets_by_definition_and_pajor(H: FiniteClass) -> None:
    found = dimensions.shattered_sets(H)
    assert sorted(found) == sorted(_shattered(H))
    assert found.count() == len(_shattered(H)) >= len(H)
    for group in found.alike:  # exchanging any two leaves the class as it is
        for one, other in combinations(group, 2):
            turned = H.table.copy()
            turned[:, [one, other]] = turned[:, [other, one]]
            assert {*map(tuple, turned.tolist())} == {*map(tuple, H.table.tolist())}


def test_shattered_sets_up_to_symmetry_and_limits() -> None:
    found = dimensions.shattered_sets(classes.subsets(60, 3))
    assert [len(sets) for sets in found.representatives] == [1, 1, 1, 1]
    assert [found.count(d) for d in range(5)] == [1, 60, 1770, 34220, 0]
    assert dimensions.shattered_sets(classes.thresholds(4), 0).representatives == (((),),)
    with pytest.raises(BudgetExhausted, match="more than 5 of them"):
        dimensions.shattered_sets(random_class(1, 60, 12), max_sets=5)


def _recursive(H: FiniteClass) -> int:
    """The least, over all orders, of the largest teaching set."""

    def taught(row: int, rows: tuple[int, ...]) -> int:
        return dimensions.minimum_teaching_set(H.table[[row, *rows]], 0).__len__()

    return min(
        max(taught(order[i], order[i + 1 :]) for i in range(len(order)))
        for order in permutations(range(len(H)))
    )


@pytest.mark.parametrize("seed", range(30))
def test_recursive_teaching_by_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    H = random_class(seed, int(rng.integers(1, 7)), int(rng.integers(1, 6)), 0.5)
    found = dimensions.recursive_teaching(H)
    assert found.value == _recursive(H) <= dimensions.teaching_dimension(H)
    assert found.witness is not None
    assert found.witness.teaches(H)
    assert found.witness.order == found.value


def test_recursive_teaching_closed_forms_and_limits() -> None:
    """Maximum classes have RTD = VC (Doliwa et al. 2014); Warmuth's class has 3 above VC 2."""
    for d in range(4):
        assert dimensions.recursive_teaching_dimension(classes.subsets(6, d)) == d
    sides = ("11000", "01100", "00110", "00011", "10001")
    more = ("11010", "01101", "10110", "01011", "10101")
    warmuth = FiniteClass([[int(cell) for cell in row] for row in (*sides, *more)])
    assert dimensions.vc_dimension(warmuth) == 2
    assert dimensions.recursive_teaching_dimension(warmuth) == 3
    assert dimensions.recursive_teaching_dimension(np.zeros((0, 2))) == -1
    H = random_class(1, 80, 14)
    stopped = dimensions.recursive_teaching(H, max_nodes=3)
    assert not stopped.exact
    assert stopped.lower <= dimensions.recursive_teaching_dimension(H) <= stopped.upper
    plan = dimensions.recursive_teaching(classes.cube(2)).witness
    assert plan is not None
    for wrong in (plan.steps[1:], plan.steps[:-1] + plan.steps[:1], ((9, ()), *plan.steps[1:])):
        assert not dimensions.TeachingPlan(wrong).teaches(classes.cube(2))
    assert not dimensions.TeachingPlan(((0, ()), *plan.steps[1:])).teaches(classes.cube(2))


@given(H=small_classes, data=st.data())
def test_epsilon_nets_by_definition_and_beside_alpha_nets(
    H: FiniteClass, data: st.DataObject
) -> None:
    m = len(H.domain)
    points = data.draw(st.sets(st.integers(0, m - 1)))
    weights = data.draw(st.lists(st.fractions(0, 3), min_size=m, max_size=m).filter(any))
    epsilon = data.draw(st.fractions(0, 1))
    missed = [
        row
        for row, labels in enumerate(H.table.tolist())
        if not any(labels[x] for x in points)
        and sum(w for w, label in zip(weights, labels, strict=True) if label)
        > epsilon * sum(weights)
    ]
    net = [H.domain[x] for x in points]
    assert dimensions.missed_by_net(H, net, epsilon, weights) == (missed[0] if missed else None)
    apart = FiniteClass([row ^ other for row in H.table for other in H.table], H.domain)
    assert dimensions.is_epsilon_net(apart, net, epsilon, weights) == dimensions.is_alpha_net(
        H, net, epsilon, weights
    )


@pytest.mark.parametrize("seed", range(20))
def test_star_and_growth_by_definition_at_every_budget(seed: int) -> None:
    H = random_class(seed, 14, 6, 0.5)
    value, patterns = star_by_definition(H.table), growth_by_definition(H.table, 3)
    for nodes in (1, 4, 16, 64, 10**6):
        star = dimensions.star(H, max_nodes=nodes)
        grown = dimensions.growth_bounds(H, 3, max_nodes=nodes)
        assert star.lower <= value <= star.upper
        assert grown.lower <= patterns <= grown.upper
        assert star.witness is not None
        assert grown.witness is not None
        assert star.witness.is_realized_by(H)
        assert grown.witness.count_on(H) == grown.lower
    assert (star.value, grown.value) == (value, patterns)


def test_a_large_table_has_bounds_in_a_moment() -> None:
    H = random_class(7, 372, 67, 0.05)
    star = dimensions.star(H, time_limit=2)
    assert star.witness is not None
    assert star.witness.is_realized_by(H)
    assert 20 < star.lower <= star.upper
    grown = dimensions.growth_bounds(H, 6, max_nodes=2_000)
    assert 20 < grown.lower <= 27 <= grown.upper <= 64
    assert growth_function(H, 6) == 27


@pytest.mark.parametrize(
    ("rows", "points", "density"),
    [(9, 7, 0.5), (40, 9, 0.3), (90, 9, 0.5), (70, 66, 0.1), (150, 131, 0.03)],
)
def test_the_kernel_of_growth_beside_all_sets(rows: int, points: int, density: float) -> None:
    """Behind any points that are given, and for every number of further ones that is short."""
    table = random_class(rows, rows, points, density).table
    for start in ((), (1,), (0, 3), (points - 3,), (5, 2)):
        behind = range(max(start, default=-1) + 1, points)
        for more in range(1, min(len(behind), 5 if points < 10 else 132 // points) + 1):
            counts = {
                chosen: len(np.unique(table[:, [*start, *chosen]], axis=0))
                for chosen in combinations(behind, more)
            }
            most, words = max(counts.values()), pack(table)
            first = np.array(start, dtype=np.int64)
            for least in (0, most - 1):
                found, chosen, visited = most_patterns(words, points, first, more, least)
                assert found == counts[tuple(chosen)] == most
                assert 0 < visited <= sum(math.comb(len(behind), j) for j in range(more))
            assert most_patterns(words, points, first, more, most)[:2] == (most, [])


def test_sizes_are_the_least_integers() -> None:
    """Beside floats, which are right but at the very edge."""
    for size, alpha, beta in ((2, 0.5, 0.5), (1024, 0.1, 0.05), (10**9, 0.001, 1e-6)):
        exact = dimensions.pac_size(size, Fraction(str(alpha)), Fraction(str(beta)))
        assert exact == math.ceil(math.log(size / beta) / alpha)
        agnostic = dimensions.pac_size(size, alpha, beta, agnostic=True)
        assert agnostic == math.ceil(2 * math.log(2 * size / beta) / alpha**2)
    assert dimensions.pac_size(classes.thresholds(1023), 0.1, 0.05) == 100
    assert dimensions.pac_lower_bound(33, Fraction(1, 8), Fraction(1, 100)) == 33
    assert dimensions.pac_lower_bound(1001, Fraction(1, 100), Fraction(1, 100)) == 3125
    assert dimensions.pac_lower_bound(10**6, Fraction(1, 4), Fraction(1, 10)) == 7
    refuses(r"^d: got 1", dimensions.pac_lower_bound, 1, Fraction(1, 8), Fraction(1, 100))


def test_growth_by_definition() -> None:
    for seed in range(300):
        H = random_class(seed, seed % 29 + 1, seed % 7 + 1, (0.3, 0.5)[seed % 2])
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


def test_growth_of_families() -> None:
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


def test_a_budget_bounds_growth() -> None:
    H = FiniteClass(np.random.default_rng(1).random((60, 24)) < 0.5)
    with pytest.raises(BudgetExhausted, match="more than 50 sets") as caught:
        growth_function(H, 8, max_nodes=50)
    true = growth_function(H, 8)
    assert caught.value.lower is not None
    assert caught.value.upper is not None
    assert 2 <= caught.value.lower <= true <= caught.value.upper == 60


def test_sizes_that_are_none_are_refused() -> None:
    H = classes.thresholds(3)
    refuses(r"^m: got -1, want", growth_function, H, -1)
    refuses(r"^max_nodes: got 0, want", growth_function, H, 1, max_nodes=0)
    refuses(r"^m: got -1, want", sauer_shelah_bound, -1, 0)
    refuses(r"^d: got -2, want", sauer_shelah_bound, 1, -2)


def test_bounds_are_values_with_the_type_of_their_witness() -> None:
    bounds = Bounds[str](1, 1, "one point")
    assert (bounds.exact, bounds.value, hash(bounds)) == (True, 1, hash(Bounds(1, 1, "one point")))
    with pytest.raises(BudgetExhausted, match=r"bounds 1\.\.3") as caught:
        _ = Bounds(1, 3, None).value
    assert (caught.value.lower, caught.value.upper) == (1, 3)
