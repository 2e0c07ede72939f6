"""What the notes on DF20 say beside the refuted statements, which have trials of their own."""

from fractions import Fraction
from itertools import product
from math import ceil, floor

import pytest

from pac_stability.arithmetic import Interval
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.mechanisms import Flip


def test_where_a_flip_begins_to_fail() -> None:
    # |1 - 2 alpha| epsilon alpha / (1 - alpha) > e^epsilon - 1: for small epsilon above
    # alpha = 1/sqrt(2), where 2 alpha^2 = 1.
    epsilon = Fraction(1, 10**6)
    for alpha, fails in ((Fraction(707, 1000), False), (Fraction(708, 1000), True)):
        # Of predictions 0 and epsilon alpha on neighbouring samples.
        zero, one = (alpha + (1 - 2 * alpha) * p for p in (Fraction(0), epsilon * alpha))
        reached = max(zero / one, one / zero, (1 - zero) / (1 - one), (1 - one) / (1 - zero))
        assert (Interval.exp(epsilon) < reached) == fails


@pytest.mark.parametrize("alpha", [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2)])
def test_a_flip_of_at_most_one_half_needs_no_factor_two(alpha: Fraction) -> None:
    for epsilon in (Fraction(1, 10), Fraction(9, 10)):
        assert Flip(alpha).factor_after(epsilon * alpha) <= 1 + epsilon


def test_two_epsilon_eta_for_symmetric_algorithms() -> None:
    # 1 + eta (e^epsilon - 1) <= e^(2 epsilon eta) as long as e^epsilon <= 1 + 2 epsilon.
    assert Interval.exp(Fraction(1256, 1000)) < 1 + 2 * Fraction(1256, 1000)
    assert Interval.exp(Fraction(1257, 1000)) > 1 + 2 * Fraction(1257, 1000)


@pytest.mark.parametrize("alpha", [Fraction(1, 3), Fraction(1, 10), Fraction(1, 100)])
def test_no_dimension_inside_the_logarithm_of_theorem_10(alpha: Fraction) -> None:
    log = Interval.log(1 / alpha)
    constant = 8
    for d in range(1, 41):
        size = ceil((constant * (d + 1) * log / alpha).upper)
        # ln tau_{n'} <= d ln(2eC ln(1/alpha) / alpha), with no d in the last logarithm.
        per_dimension = 1 + Interval.log(2 * constant * log / alpha)
        assert Interval.log(sauer_shelah_bound(size, d)) <= d * per_dimension


def test_disagreements_on_the_sample() -> None:
    # Lemma 18 bounds the count by 2 eta n; it is at most (1 + kappa) eta n, kappa = 1/(eta n).
    for n, inverse in product((10, 37, 1000), (2, 5, 9)):
        eta = Fraction(1, inverse)
        kappa = 1 / (eta * n)
        most = floor(eta * (n - 1)) + 1
        assert most <= (1 + kappa) * eta * n
        assert most <= 2 * eta * n or kappa > 1
    # So 4 e^(3 (1 + kappa)) in place of 4 e^6: from 1613 down to 80.
    assert 1613 < 4 * Interval.exp(6) < 1614
    assert 80 < 4 * Interval.exp(3) < 81
