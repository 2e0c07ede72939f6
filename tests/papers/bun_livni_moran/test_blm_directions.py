"""Roundings of one side, and the larger of two conditions, where the other one would show."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction

import pytest

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.mechanisms import StableHistogram
from pac_stability.papers.bun_livni_moran.formulas import Constants, GlobalStabilityParameters
from pac_stability.papers.bun_livni_moran.formulas.privacy import PrivateFromStable
from pac_stability.papers.bun_livni_moran.formulas.sharper_frequency import (
    sharper_agreement_bounds,
)
from pac_stability.papers.bun_livni_moran.private.frequent_items import stable_histogram
from pac_stability.papers.bun_livni_moran.private.generic import generic_size
from pac_stability.papers.bun_livni_moran.private.theorem_6 import StrongSizeBound
from pac_stability.papers.bun_livni_moran.streams.cells import WaitingCells, WeightedCells

Coarsely = Callable[..., AbstractContextManager[None]]
BITS = 256
HALF, MILLIONTH = Fraction(1, 2), Fraction(1, 10**6)


def test_the_size_under_laplace_noise_is_certified(coarsely: Coarsely) -> None:
    fine = stable_histogram("1/8", "1/100000", MILLIONTH, beta="1/10").size
    with coarsely():
        assert fine < stable_histogram("1/8", "1/100000", MILLIONTH, beta="1/10").size < 2 * fine


@pytest.mark.parametrize("epsilon", [Epsilon.exactly(10**6), Epsilon(1), Epsilon("1/10")])
def test_what_is_released_occurs_more_often_than_the_noise_is_large(epsilon: Epsilon) -> None:
    for eta, beta, delta in itertools.product(
        (Fraction(1), HALF, Fraction(1, 7)),
        (Fraction(999, 1000), HALF, MILLIONTH),
        (Fraction(999, 1000), Fraction(1, 10), MILLIONTH),
    ):
        M = PrivateFromStable(1, eta, HALF, beta, epsilon, delta)
        assert 8 * M.cutoff >= 3 * eta * M.runs > 8 * (M.cutoff - 1)
        assert M.cutoff >= M.noise + 2 >= 3
        assert M.histogram.threshold == M.cutoff
        # The least number of runs with both conditions: Chernoff's, and the noise's.
        needed = Interval.log(2 / beta, BITS) * (8 / eta)
        enough = [needed < k and 8 * M.noise <= eta * k for k in (M.runs - 1, M.runs)]
        assert enough == [False, True]


@pytest.mark.parametrize("constants", ["paper", "repaired"])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_constant_of_theorem_6_is_its_formula_rounded_up(d: int, constants: Constants) -> None:
    G = GlobalStabilityParameters(d, Fraction(1), constants)
    runs = Fraction(271, 10) / G.eta
    one_run = (G.blocks + 1) * (2 * Interval.log2(1 / G.threshold.value, BITS) + 1)
    choice = 72 * (1 + Interval.log(32 / G.eta, BITS) / Interval.log(4, BITS)) + 1
    formula = one_run * runs + choice
    # An enclosure may add one where the formula is an integer.
    assert formula <= StrongSizeBound(d, constants).constant
    assert StrongSizeBound(d, constants).constant - formula < 1 + Fraction(1, 2**40)


def test_the_size_of_theorem_6_is_rounded_up(coarsely: Coarsely) -> None:
    bound = StrongSizeBound(1)
    parameters = Fraction(1, 3), Fraction(1, 5), Epsilon(HALF), Fraction(1, 7)
    # ln 35 over epsilon / 3, times C.
    needed = Interval.log(35, BITS) / Epsilon(HALF).interval(BITS) * (3 * bound.constant)
    assert bound.sample_size(*parameters) == math.ceil(needed.lower) == math.ceil(needed.upper)
    fine = bound.constant, bound.sample_size(*parameters)
    with coarsely():
        assert bound.constant > fine[0]
    with coarsely("log"):
        assert bound.sample_size(*parameters) > fine[1]


@pytest.mark.parametrize("eta", [Fraction(2, 7), Fraction(3, 11), Fraction(5, 13), Fraction(1, 8)])
def test_sizes_of_histograms_are_the_least(eta: Fraction) -> None:
    certain = stable_histogram(eta, 1.0, MILLIONTH)
    assert isinstance(certain.histogram, StableHistogram)
    needed = certain.histogram.certain_count
    assert (certain.size - 1) * eta < needed <= certain.size * eta
    noisy = stable_histogram(eta, 1.0, MILLIONTH, beta="1/10")
    r, t = noisy.histogram.decay, noisy.histogram.threshold

    def bound(g: int) -> Fraction:
        return (r ** (g - t + 1) + 2 * (g + 1) * r ** (g + 1)) / (eta * (1 + r))

    tenth = Fraction(1, 10)
    assert bound(math.floor(eta * noisy.size)) <= tenth < bound(math.floor(eta * (noisy.size - 1)))


@pytest.mark.parametrize("bits", [1, 2, 5, 64])
def test_borders_of_cells_are_enclosed_tightly(bits: int) -> None:
    for weights in ((1, 2, 4), (3, 1), (5, 5, 7, 1)):
        total, below = sum(weights), itertools.accumulate(weights[:-1])
        for (low, high), exact in zip(WeightedCells(weights).borders(bits), below, strict=True):
            border = Fraction(exact << bits, total)
            assert (low, high) == (math.floor(border), math.ceil(border))
    for stay in (Fraction(1, 3), Fraction(2, 3), Fraction(99, 100)):
        for i, (low, high) in enumerate(WaitingCells(stay, 40).borders(bits), 1):
            border = (1 - stay**i) * 2**bits
            assert low <= border <= high <= 2**bits
            assert high - low <= 2


@pytest.mark.parametrize("frequency", [Fraction(1, 10), Fraction(2, 7)])
def test_the_largest_sum_of_squares_has_whole_parts(frequency: Fraction) -> None:
    r = Fraction(1, 2)
    whole = math.floor(r / frequency)
    q = whole * frequency**2 + (r - whole * frequency) ** 2
    assert sharper_agreement_bounds(2, frequency)[2] == (r * r - q) / (2 * (1 - q))


def test_the_larger_factor_of_two_choices_is_guaranteed() -> None:
    for eta in (Fraction(1), Fraction(1, 7)):
        M = PrivateFromStable(1, eta, HALF, HALF, Epsilon(1), MILLIONTH)
        factors = M.histogram.guarantee.factor, M.decay**-2
        assert M.guarantee.factor == max(factors)


def test_generic_sizes_are_their_largest_condition() -> None:
    for count, decay in ((32, Fraction(1, 100)), (1, Fraction(1, 10**6)), (32, Fraction(9, 10))):
        a, b = Fraction(1, 8), Fraction(1, 20)
        asked = (
            Interval.log(4 * count / b, BITS) * (36 / a),
            Interval.log(4 / b, BITS) * (27 / a),
            Interval.log(2 * count / b, BITS) / Interval.log(1 / decay, BITS) * (3 / a),
        )
        found = generic_size(count, a, b, decay)
        assert all(formula < found for formula in asked)
        assert any(formula > found - 1 for formula in asked)
