"""Roundings of one side, and the larger of two conditions, where the other one would show."""

import itertools
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction

import pytest

from pac_stability.arithmetic import ConstantsLike, Epsilon, Interval
from pac_stability.classes import cube, thresholds
from pac_stability.data import EnclosedDistribution, Example, FiniteDistribution
from pac_stability.learning import Mask
from pac_stability.mechanisms import LaplaceHistogram, StableHistogram, exponential_learner
from pac_stability.papers.bun_livni_moran.agnostic import AgnosticPrivateLearner
from pac_stability.papers.bun_livni_moran.agnostic_accuracy import agnostic_sizes
from pac_stability.papers.bun_livni_moran.formulas import GlobalStabilityParameters
from pac_stability.papers.bun_livni_moran.formulas.parameters import (
    _Rounded,
    sharper_agreement_bounds,
)
from pac_stability.papers.bun_livni_moran.formulas.sizes import PrivateFromStable, generic_size
from pac_stability.papers.bun_livni_moran.private import stable_histogram
from pac_stability.papers.bun_livni_moran.stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.theorems import StrongSizeBound
from pac_stability.papers.bun_livni_moran.tournaments import MonteCarloTournament

Coarsely = Callable[..., AbstractContextManager[None]]
BITS = 256
TENTH, LARGE = Fraction(1, 10), (Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000))
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
        M = PrivateFromStable(1, eta, HALF, beta, epsilon, delta, "proved")
        assert 8 * M.cutoff >= 3 * eta * M.runs > 8 * (M.cutoff - 1)
        assert M.cutoff >= M.noise + 2 >= 3
        assert M.histogram.threshold == M.cutoff
        # The least number of runs with both conditions: Chernoff's, and the noise's.
        needed = Interval.log(2 / beta, BITS) * (8 / eta)
        enough = [needed < k and 8 * M.noise <= eta * k for k in (M.runs - 1, M.runs)]
        assert enough == [False, True]


@pytest.mark.parametrize("constants", ["paper", "repaired"])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_constant_of_theorem_6_is_its_formula_rounded_up(
    d: int, constants: ConstantsLike
) -> None:
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


def laplace_bound(histogram: LaplaceHistogram, eta: Fraction, g: int) -> Fraction:
    """How likely a count is far off: a heavy item is missed, or some noise is beyond g."""
    r, t = histogram.decay, histogram.threshold
    return (r ** (g - t + 1) + 2 * (g + 1) * r ** (g + 1)) / (eta * (1 + r))


@pytest.mark.parametrize("eta", [Fraction(2, 7), Fraction(3, 11), Fraction(5, 13), Fraction(1, 8)])
def test_sizes_of_histograms_are_the_least(eta: Fraction) -> None:
    certain = stable_histogram(eta, 1.0, MILLIONTH)
    assert isinstance(certain.histogram, StableHistogram)
    needed = certain.histogram.certain_count
    assert (certain.size - 1) * eta < needed <= certain.size * eta
    noisy = stable_histogram(eta, 1.0, MILLIONTH, beta="1/10")
    assert isinstance(noisy.histogram, LaplaceHistogram)
    sizes = math.floor(eta * (noisy.size - 1)), math.floor(eta * noisy.size)
    bounds = [laplace_bound(noisy.histogram, eta, g) for g in sizes]
    assert bounds[1] <= TENTH < bounds[0]


@pytest.mark.parametrize("frequency", [Fraction(1, 10), Fraction(2, 7)])
def test_the_largest_sum_of_squares_has_whole_parts(frequency: Fraction) -> None:
    r = Fraction(1, 2)
    whole = math.floor(r / frequency)
    q = whole * frequency**2 + (r - whole * frequency) ** 2
    assert sharper_agreement_bounds(2, frequency)[2] == (r * r - q) / (2 * (1 - q))


@pytest.mark.parametrize("epsilon", [Epsilon.exactly(10**6), Epsilon(1), Epsilon("1/10")])
def test_the_histogram_and_the_choice_spend_the_same(epsilon: Epsilon) -> None:
    for eta in (Fraction(1), Fraction(1, 7)):
        M = PrivateFromStable(1, eta, HALF, HALF, epsilon, MILLIONTH)
        assert M.guarantee.factor == M.histogram.guarantee.factor == M.decay**-2
        assert M.guarantee.delta == M.histogram.guarantee.delta <= MILLIONTH


@pytest.mark.parametrize("epsilon", [Epsilon(3), Epsilon(1), Epsilon("1/5")])
def test_no_smaller_size_is_enough_under_laplace_noise(epsilon: Epsilon) -> None:
    # With large deltas and betas the threshold is where g * r**g still grows.
    for eta, beta, delta in itertools.product((Fraction(1), HALF), LARGE, LARGE):
        found = stable_histogram(eta, epsilon, delta, beta=beta)
        assert isinstance(found.histogram, LaplaceHistogram)
        least = math.floor(eta * found.size)
        assert found.size == math.ceil(least / eta)
        candidates = range(found.histogram.threshold - 1, least + 1)
        *smaller, last = (laplace_bound(found.histogram, eta, g) for g in candidates)
        assert last <= beta < min(smaller, default=1)


@pytest.mark.parametrize("base_size", [1, 2, 3, 7, 100, 600])
def test_halves_are_a_whole_number_of_base_samples(base_size: int) -> None:
    sizes = agnostic_sizes(base_size, 1, "1/4", "1/10")
    assert (sizes.ratio - 1) * base_size < sizes.half <= sizes.ratio * base_size


def test_an_odd_example_is_of_no_use() -> None:
    base = exponential_learner(thresholds(2), HALF)
    learner = AgnosticPrivateLearner(thresholds(2), base, 1, base.guarantee)
    bounds = [learner.expected_excess(n, TENTH, TENTH) for n in (18, 19, 20)]
    assert bounds[0] == bounds[1] > bounds[2]


def test_the_most_frequent_output_is_sure_to_be_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    H = thresholds(2)
    G = GloballyStableLearner(H, Fraction(1, 4), n=1, blocks=2)
    ends = {0: (1, 5), 1: (2, 4), 3: (1, 3)}
    law = EnclosedDistribution(
        {Mask(f, H.domain): Interval(a * TENTH, b * TENTH) for f, (a, b) in ends.items()}
    )
    monkeypatch.setattr(GloballyStableLearner, "enclosed_law_of_output", lambda *_: law)
    found = G.global_stability(FiniteDistribution.point_mass(Example(0, 0))).most_frequent
    assert (found.hypothesis, found.frequency) == (1, Interval(2 * TENTH, 5 * TENTH))


def test_what_nearly_never_ends_is_enclosed_with_few_bits() -> None:
    rare = Fraction(1, 2**40)
    target = FiniteDistribution({Example(0, 1): 1 - rare, Example(1, 0): rare})
    D = MonteCarloTournament(cube(2), target, 1, 1, 2)
    fail = D.enclosed_fail_probability(1)
    assert fail.lower < D.fail_probability < fail.upper == 1
    assert D.enclosed_law_of_output(1).encloses(D.law_of_output())


@pytest.mark.parametrize("bits", [0, 1, 2, 3])
def test_products_in_fixed_point_are_enclosed(bits: int) -> None:
    for a, b, r, s in itertools.product(range(-5, 6), range(-5, 6), range(4), range(2)):
        found = (_Rounded([a], r, bits) * _Rounded([b], s, bits)).enclosure
        for x, y in itertools.product((a - r, a + r), (b - s, b + s)):
            assert Fraction(x * y, 2**bits) in found


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
