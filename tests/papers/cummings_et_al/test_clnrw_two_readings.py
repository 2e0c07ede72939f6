"""Definition 5 in its two readings: the constant mechanism, against the notions."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability import Interval
from pac_stability.notions.robust_generalization import conditional_failures, optimal_adversary
from pac_stability.notions.split_reading import split_bounds, split_failure
from pac_stability.papers.cummings_et_al.simulators import CoordinateAdversary
from shared_laws import silent
from shared_refusals import refuses


@pytest.mark.parametrize(
    ("k", "n", "epsilon"), [(1, 2, "1/4"), (2, 2, "1/4"), (2, 3, "1/3"), (3, 2, "1/4")]
)
def test_the_two_failures_are_those_of_the_adversary(k: int, n: int, epsilon: str) -> None:
    pair = CoordinateAdversary(k, n, epsilon)
    samples = pair.distribution.power(n)
    strategy = {"nothing": pair.adversary}
    failures = conditional_failures(silent, samples, strategy, epsilon)
    assert sum((w * p for w, p in failures), Fraction()) == pair.joint
    assert split_failure(failures) == pair.split


def test_the_known_values() -> None:
    # n = 2: a fair bit deviates by 1/2 when both draws agree, tau = 1/2. k = 2: p_S is 0, 1/2, 1
    # with probabilities 1/4, 1/2, 1/4; gamma = 0 or 1/2 give 3/4. k = 3: p_S = 0, 1/3, 2/3, 1 with
    # 1/8, 3/8, 3/8, 1/8; gamma = 2/3 gives 2/3 + 1/8 = 19/24, gamma = 1/3 gives 1/3 + 1/2 = 5/6.
    for k, split in ((1, Fraction(1, 2)), (2, Fraction(3, 4)), (3, Fraction(19, 24))):
        pair = CoordinateAdversary(k, 2, "1/4")
        assert pair.joint == Fraction(1, 2)
        assert pair.split == split


def test_no_joint_failure_is_larger_than_that_of_one_coordinate() -> None:
    pair = CoordinateAdversary(2, 2, "1/4")
    samples = pair.distribution.power(2)
    assert optimal_adversary(silent, samples, "1/4").failure == pair.joint
    found = split_bounds(silent, samples, "1/4")
    assert found.joint < pair.split <= found.upper


def test_theorem_21_with_its_constant_repaired_holds_in_the_joint_reading_alone() -> None:
    # |R| = 1, n = 20, beta = 1/20: the deviation is sqrt(ln(2/beta) / (2n)) = sqrt(ln(40)/40).
    beta = Fraction(1, 20)
    deviation = Interval.sqrt(Interval.log(2 / beta) / 40)
    # Below 3/10 and 35/100 there is no multiple of 1/20 away from 1/2 but these two.
    assert Fraction(3, 10) < deviation < Fraction(35, 100)
    pair = CoordinateAdversary(20, 20, deviation.upper)
    # 17 or more, or 3 or fewer, of 20 fair coins: 2 (1140 + 190 + 20 + 1) / 2^20.
    assert pair.joint == Fraction(2 * 1351, 2**20) < beta < pair.split
    # The repair for the split reading, sqrt(ln(8/beta^2) / (2n)), is enough here.
    wider = Interval.sqrt(Interval.log(8 / beta**2) / 40)
    assert CoordinateAdversary(20, 20, wider.lower).split <= beta


@given(st.integers(1, 8), st.integers(1, 12), st.fractions(0, Fraction(1, 2), max_denominator=12))
def test_the_split_failure_is_between_the_joint_one_and_its_root(
    k: int, n: int, epsilon: Fraction
) -> None:
    pair = CoordinateAdversary(k, n, epsilon)
    assert sum((w * p for w, p in pair.failures), Fraction()) == pair.joint
    assert pair.joint <= pair.split
    assert pair.split**2 <= 2 * pair.joint
    if k > 1 and 0 < pair.joint < 1:
        assert pair.joint < pair.split


def test_bad_input_is_refused() -> None:
    refuses("k: got 0", CoordinateAdversary, 0, 2, "1/4")
    refuses("n: got 0", CoordinateAdversary, 2, 0, "1/4")
    refuses("epsilon: got -1", CoordinateAdversary, 2, 2, -1)
