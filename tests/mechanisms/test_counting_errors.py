"""Errors are counted all at once, and coins are weighed when asked."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteClass, InvalidInput, Sample, SeededCoins
from pac_stability.mechanisms import error_counts
from pac_stability.mechanisms.draws import LazyCoin, distinct_errors, levels_of


@pytest.mark.parametrize(("columns", "met"), [(3, 3), (12, 2), (12, 3), (12, 12), (200, 5)])
def test_errors_are_those_of_each_hypothesis_whatever_is_picked(columns: int, met: int) -> None:
    choice = np.random.default_rng(columns + met)
    H = FiniteClass(choice.integers(0, 2, (30, columns)))
    points = choice.choice(columns, met, replace=False)[choice.integers(0, met, 50)]
    sample = Sample(points.tolist(), choice.integers(0, 2, 50).tolist())
    found = error_counts(H, sample)
    assert found.dtype == np.int64
    assert found.tolist() == [sample.count_errors(h) for h in H]


def test_no_examples_and_no_columns() -> None:
    assert error_counts(FiniteClass([[0, 1], [1, 1]]), Sample([], [])).tolist() == [0, 0]
    assert error_counts(FiniteClass(np.zeros((1, 0), dtype=int)), Sample([], [])).tolist() == [0]
    assert error_counts(FiniteClass(np.zeros((0, 2), dtype=int)), Sample([1], [1])).tolist() == []


def test_the_first_point_that_is_unknown_is_named() -> None:
    with pytest.raises(InvalidInput, match="got 7, want one of the 2 points"):
        error_counts(FiniteClass([[0, 1]]), Sample([1, 7, 8, 7], [0, 1, 0, 1]))


@given(
    st.lists(st.integers(-20, 20), min_size=1)
    | st.lists(st.sampled_from([-(2**63), -1, 0, 2**62, 2**63 - 1]), min_size=1)
)
def test_errors_are_grouped_whether_counted_or_sorted(errors: list[int]) -> None:
    counts = np.array(errors, dtype=np.int64)
    expected = sorted(Counter(errors).items())
    values, multiplicities = distinct_errors(counts)
    assert list(zip(values.tolist(), multiplicities.tolist(), strict=True)) == expected
    assert levels_of(counts) == tuple(map(list, zip(*expected, strict=True)))


def test_a_short_coin_is_tossed_without_its_bounds() -> None:
    asked: list[int] = []

    def bounds(bits: int) -> tuple[int, int]:
        asked.append(bits)
        return (1 << bits) // 3, (1 << bits) // 3 + 1

    coin = LazyCoin(bounds, Fraction(1, 3))
    assert [coin.toss(SeededCoins(k)) for k in range(9)] == [
        SeededCoins(k).bernoulli(Fraction(1, 3)) for k in range(9)
    ]
    assert not asked
    assert (coin.low, coin.high) == ((1 << 64) // 3, (1 << 64) // 3 + 1)
    assert asked == [64]
