"""Grids: what a measurement becomes, and that no row changes what another one becomes."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.classes import DecisionLeaf, DecisionSplit, SparseHalfspace
from pac_stability.errors import InvalidInput
from pac_stability.estimators import FeatureBounds, FeatureGrid, FittedRule, RoundNumbers
from pac_stability.estimators.drawing import evenly

GRIDS: list[FeatureGrid] = [FeatureBounds(-2, [5, 7], resolution=12), RoundNumbers()]
numbers = st.floats(-1e7, 1e7)


@pytest.mark.parametrize("grid", GRIDS)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6))
def test_codes_are_row_by_row_increasing_and_in_range(
    grid: FeatureGrid, rows: list[tuple[float, float]]
) -> None:
    table = np.array(sorted(rows))
    codes = grid.codes(table)
    assert codes.dtype == np.int64
    assert 0 <= codes.min() <= codes.max() <= grid.largest
    assert codes.tolist() == [grid.codes(row[None])[0].tolist() for row in table]
    assert np.all(np.diff(codes[:, 0]) >= 0)
    # The value of a code is the least measurement that has it.
    for feature, code in enumerate(codes[0].tolist()):
        value = grid.value(feature, code)
        if code and math.isfinite(value):
            assert (
                grid.codes(np.full((1, 2), value * (1 + 1e-9 * np.sign(value)) + 1e-12))[0, feature]
                >= code
            )
            assert grid.codes(np.full((1, 2), value - 1e-6))[0, feature] < code


def test_round_numbers_are_reached() -> None:
    grid = RoundNumbers()
    assert grid.largest == 61
    values = [grid.value(0, code) for code in range(1, 62)]
    assert values == sorted(values)
    assert {0.001, 0.0002, 5e4, 1.0, 0.0, -5.0} < set(values)
    assert grid.codes(np.array(values)[:, None]).ravel().tolist() == list(range(1, 62))
    assert grid.cuts(3) == tuple(range(1, 62))
    assert grid.value(0, 0) == -math.inf


def test_even_cuts() -> None:
    assert evenly(960, 15) == tuple(range(60, 960, 60))
    assert evenly(7, 3) == (2, 4, 6)
    assert evenly(3, 3) == evenly(3, 9) == (1, 2, 3)


@pytest.mark.parametrize(("make", "argument"), [
    (lambda: FeatureBounds(0, 0), "high"),
    (lambda: FeatureBounds(0, math.inf), "high"),
    (lambda: FeatureBounds(math.nan, 1), "low"),
    (lambda: FeatureBounds("a", 1), "low"),
    (lambda: FeatureBounds([0, 0], [1, 1, 1]), "high"),
    (lambda: FeatureBounds([[0]], 1), "low"),
    (lambda: FeatureBounds(0, 1, resolution=0), "resolution"),
    (lambda: FeatureBounds([0, 0], 1).require(3), "bounds"),
])  # fmt: skip
def test_bad_bounds(make: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument


def test_rules_read_as_they_decide() -> None:
    grid = FeatureBounds([0, -10], [20, 10], resolution=10)
    names, classes = ("radius", "texture"), ("benign", "malignant")
    tree = DecisionSplit(
        1, 5, DecisionLeaf(1), DecisionSplit(0, 2, DecisionLeaf(0), DecisionLeaf(1))
    )
    fitted = FittedRule(tree, grid, names, classes)
    assert str(fitted).splitlines() == [
        "if texture >= 0:",
        "    malignant",
        "else:",
        "    if radius >= 4:",
        "        benign",
        "    else:",
        "        malignant",
    ]
    table = np.array([[0.0, 0.0], [4.0, -0.1], [3.9, -9.0]])
    assert fitted.labels(table).tolist() == [1, 0, 1]
    score = FittedRule(SparseHalfspace(2, (0, 1), (1, -1), -2), grid, names, classes)
    assert str(score) == (
        "radius - texture >= -0.2, as shares of their ranges: malignant; else benign"
    )
    counted = FittedRule(score.rule, RoundNumbers(), names, classes)
    assert "radius - texture >= -2, as numbers of round numbers reached" in str(counted)
    one = FittedRule(SparseHalfspace(2, (1,), (1,), 5, upward=False), grid, names, classes)
    assert str(one) == "texture < 0: malignant; else benign"
