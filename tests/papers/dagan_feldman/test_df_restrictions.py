"""H_T from its definition, and Lemma 5."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, strategies as st

from pac_stability import Interval, classes, dimensions, testing
from pac_stability.papers.dagan_feldman import nets
from shared_refusals import refuses

tables = testing.strategies.finite_classes(max_points=5, max_hypotheses=16)


@given(st.data(), tables)
def test_agreement_classes(data: st.DataObject, H: classes.FiniteClass) -> None:
    points = data.draw(st.lists(st.sampled_from(H.domain), max_size=6))
    parts = nets.agreement_classes(H, points)
    assert sorted(row for rows in parts for row in rows) == list(range(len(H)))
    where = {row: part for part, rows in enumerate(parts) for row in rows}
    for h, g in combinations(range(len(H)), 2):
        agree = all(H(h, x) == H(g, x) for x in points)
        assert (where[h] == where[g]) == agree
    assert tuple(rows[0] for rows in parts) == H.representative_rows(points)


@given(st.data(), tables, st.integers(0, 100))
def test_chosen_representatives(data: st.DataObject, H: classes.FiniteClass, seed: int) -> None:
    def choice(members: frozenset[Hashable], rows: tuple[int, ...]) -> int:
        return rows[(seed + 7 * sum(hash(x) for x in members)) % len(rows)]

    points = data.draw(st.lists(st.sampled_from(H.domain), max_size=6))
    chosen = nets.ChosenRepresentatives(H, choice)
    patterns = chosen.restrict(points)
    assert patterns == H.restrict(points)
    for row, h in zip(patterns.table, patterns.representatives, strict=True):
        assert [h(x) for x in patterns.domain] == row.tolist()
    # A function of the set: order and repetition do not matter.
    assert set(chosen.representatives_on(points)) == set(
        chosen.representatives_on([*reversed(points), *points])
    )


def always_first(_points: frozenset[Hashable], _rows: tuple[int, ...]) -> int:
    return 0


def test_a_choice_outside_its_class_is_refused() -> None:
    wrong = nets.ChosenRepresentatives(classes.thresholds(2), always_first)
    assert wrong.known == classes.thresholds(2).known
    refuses(r"^choice: got the row 0, want one of the 2 in", wrong.representatives_on, [0])


@given(tables)
def test_lemma_5(H: classes.FiniteClass) -> None:
    d = dimensions.vc_dimension(H)
    for n in range(1, 6):
        growth = dimensions.growth_function(H, n)
        assert growth <= dimensions.sauer_shelah_bound(n, d)
        if n >= d >= 1:
            assert growth <= nets.sauer_power_bound(n, d).lower


@pytest.mark.parametrize(
    "H", [classes.thresholds(7), classes.intervals(7), classes.subsets(7, 3), classes.cube(5)]
)
def test_maximum_classes_attain_the_sum(H: classes.FiniteClass) -> None:
    d = dimensions.vc_dimension(H)
    for n in range(len(H.domain) + 1):
        assert dimensions.growth_function(H, n) == dimensions.sauer_shelah_bound(n, d)


def test_the_power_bound_holds_from_the_dimension_on() -> None:
    for d in range(1, 25):
        for n in range(d, d + 25):
            assert dimensions.sauer_shelah_bound(n, d) < nets.sauer_power_bound(n, d).lower
    # (e/2)^2 < 1.85, and two patterns are there on one point.
    assert Interval.exp(2) / 4 < Fraction(185, 100) < dimensions.sauer_shelah_bound(1, 2) == 2


def test_values_of_the_power_bound() -> None:
    assert nets.sauer_power_bound(1, 1).lower <= Interval.exp(1).upper
    assert nets.sauer_power_bound(1, 1).upper >= Interval.exp(1).lower
    assert nets.sauer_power_bound(6, 3).compare(comb(6, 3) * 8) == 1  # 8 e^3 > 160
    assert nets.sauer_power_bound(6, 3).compare(161) == -1


def test_bad_input() -> None:
    refuses(r"^d: got 0, want", nets.sauer_power_bound, 3, 0)
    refuses(r"^m: got 1, want at least 2, the dimension$", nets.sauer_power_bound, 1, 2)
    refuses(r"^point: got 9", nets.agreement_classes, classes.thresholds(2), [9])
