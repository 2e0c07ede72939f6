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
from pac_stability.papers.bun_livni_moran.frequent_items import stable_histogram
from pac_stability.papers.bun_livni_moran.theorem_6 import StrongSizeBound

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
