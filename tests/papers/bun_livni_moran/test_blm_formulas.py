"""The formulas of BLM20: against the printed numbers, and against what they are meant to bound."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.arithmetic import ConstantsLike, Epsilon, Interval
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran.formulas import (
    THEOREM_6_WEAK,
    ExpectedDraws,
    FrequencyThreshold,
    FrequentOutputLoss,
    GlobalStabilityParameters,
    PrivateFromStable,
    PrivateLearnerSizes,
    agreement_bounds,
    corollary_2_order,
    expected_draws,
    fewest_fresh_examples,
    fresh_examples,
    lemma_15_order,
    lemma_16_order,
    proved_frequency,
    proves,
    sharper_agreement_bounds,
    theorem_1_order,
    theorem_6_weak_delta,
    theorem_17_order,
)
from pac_stability.papers.bun_livni_moran.formulas.parameters import DrawCounts
from shared_refusals import refuses

QUARTER, TENTH, MILLIONTH = Fraction(1, 4), Fraction(1, 10), Fraction(1, 10**6)
ONE = Epsilon(1.0)
BOTH: tuple[ConstantsLike, ConstantsLike] = ("paper", "repaired")

frequencies = st.fractions(Fraction(1, 10**6), Fraction(1, 2), max_denominator=10**6)
losses = st.fractions(Fraction(1, 1000), Fraction(2), max_denominator=1000)


# Lemma 12


def test_the_repaired_thresholds() -> None:
    # d = 2: r_2 = (1/2)(1/2 - tau)/2 >= tau is 1/8 >= 5 tau / 4, so tau = 1/10 exactly.
    # d = 3: r_3 = r_2 (r_2 - tau)/2 for r_2 = (1/2 - tau)/4; 1/140 fits and 1/139 does not.
    assert [FrequencyThreshold(d, "proved").value for d in range(4)] == [
        1,
        Fraction(1, 2),
        Fraction(1, 10),
        Fraction(1, 140),
    ]
    for tau, fits in ((Fraction(1, 140), True), (Fraction(1, 139), False)):
        second = (Fraction(1, 2) - tau) / 4
        assert (second * (second - tau) / 2 >= tau) is fits
        assert proves(3, tau) is fits


@pytest.mark.parametrize("d", range(1, 9))
def test_the_repaired_threshold_is_the_largest_proved_unit_fraction(d: int) -> None:
    tau = FrequencyThreshold(d, "proved").value
    assert tau.numerator == 1
    assert proves(d, tau)
    assert not proves(d, Fraction(1, tau.denominator - 1))
    # Doubly exponential, and 2**-(2**d) always serves.
    assert proves(d, Fraction(1, 2**2**d))
    assert 2 ** (2**d - 1) <= tau.denominator <= 2**2**d
    assert tau <= FrequencyThreshold(d, "paper").value


def test_which_printed_thresholds_are_proved() -> None:
    assert [FrequencyThreshold(d, "paper").is_proved for d in range(6)] == [
        True, True, False, False, False, False,
    ]  # fmt: skip
    assert all(FrequencyThreshold(d, c).is_proved for d in range(6) for c in ("proved", "sharp"))
    assert FrequencyThreshold(40, "paper").value == Fraction(1, 2**40)


@settings(max_examples=30)
@given(st.integers(1, 5), frequencies, frequencies)
def test_what_is_proved_for_a_threshold_is_proved_for_smaller_ones(
    d: int, tau: Fraction, other: Fraction
) -> None:
    small, large = sorted((tau, other))
    assert proves(d, small) or not proves(d, large)
    assert all(
        a >= b for a, b in zip(agreement_bounds(d, small), agreement_bounds(d, large), strict=True)
    )


@settings(max_examples=30)
@given(st.integers(0, 6), frequencies)
def test_agreement_bounds_follow_their_recursion(k: int, tau: Fraction) -> None:
    bounds = agreement_bounds(k, tau)
    assert len(bounds) == k + 1
    assert bounds[:2] == (Fraction(1), Fraction(1, 2))[: k + 1]
    for below, above in pairwise(bounds[1:]):
        assert above == max(0, (below * below - tau * below) / 2)
        assert above <= below / 2  # never more than the paper's halving


@settings(max_examples=50)
@given(st.integers(0, 5), frequencies, frequencies)
def test_sharper_bounds_are_no_smaller_and_fall_with_the_frequency(
    k: int, tau: Fraction, other: Fraction
) -> None:
    small, large = sorted((tau, other))
    bounds = sharper_agreement_bounds(k, small)
    assert all(a >= b for a, b in zip(bounds, agreement_bounds(k, small), strict=True))
    assert all(a >= b for a, b in zip(bounds, sharper_agreement_bounds(k, large), strict=True))


@settings(max_examples=100)
@given(st.lists(st.integers(1, 100), min_size=1, max_size=9), st.integers(1, 20))
def test_the_sharper_step_is_below_every_way_of_being_good(parts: list[int], scale: int) -> None:
    # A level whose good outputs have the frequencies g, half of the mass, whatever else there is.
    g = [Fraction(part, 2 * sum(parts)) for part in parts]
    tau = min(Fraction(1), max(g) * (1 + Fraction(scale - 1, 20)))
    squares = sum(x * x for x in g)
    assert sharper_agreement_bounds(2, tau)[2] <= (QUARTER - squares) / (2 * (1 - squares))


@given(frequencies)
def test_what_the_sharper_recursion_proves_for_dimension_two(tau: Fraction) -> None:
    proved = sharper_agreement_bounds(2, tau)[2] >= tau
    assert proved == (tau <= proved_frequency(2, 200).lower)
    # Rougher: q <= tau/2, which gives (5 - sqrt 21)/4.
    rough = (QUARTER - tau / 2) / (2 * (1 - tau / 2))
    assert (rough >= tau) == (4 * tau**2 - 10 * tau + 1 >= 0)
    assert proved or rough < tau


def test_the_numbers_for_dimension_two() -> None:
    found = proved_frequency(2, 120)
    exact = (7 - 2 * Interval.sqrt(6, 160)) / 20
    assert found.lower <= exact.lower
    assert exact.upper <= found.upper
    assert found.upper - found.lower < Fraction(1, 2**120)
    assert (5 - Interval.sqrt(21)) / 4 < found.lower
    assert proved_frequency(0) == Interval.exactly(1)
    for d in range(1, 9):
        assert FrequencyThreshold(d).value <= proved_frequency(d).upper
        assert proved_frequency(d).upper <= Fraction(1, 2 ** (2**d - 1))


# Proposition 5 and Lemma 13


@settings(max_examples=30)
@given(frequencies, st.integers(1, 50))
def test_loss_bounds_are_in_order(p: Fraction, n: int) -> None:
    bound = FrequentOutputLoss(p, n)
    assert bound.sharp() < bound.proposition_5() < bound.lemma_13()
    inside, outside = bound.sharp(128).lower, bound.sharp(128).upper
    assert bound.allows(max(Fraction(0), inside))
    assert outside > 1 or not bound.allows(outside + Fraction(1, 10**30))


def test_lemma_13_as_printed() -> None:
    for d, n in product(range(1, 8), (1, 3, 10)):
        assert FrequentOutputLoss(Fraction(1, 2**d), n).lemma_13() == Interval.exactly(
            Fraction(d, n)
        )


@settings(max_examples=30)
@given(frequencies, losses)
def test_fresh_examples_are_the_fewest(p: Fraction, alpha: Fraction) -> None:
    n = fresh_examples(p, alpha)
    # 2**(n alpha) >= 1/p, in whole powers.
    enough = [2 ** (m * alpha.numerator) * p**alpha.denominator >= 1 for m in (n - 1, n)]
    assert enough[1]
    assert n == 1 or not enough[0]


@settings(max_examples=30)
@given(st.integers(1, 12), losses)
def test_fresh_examples_of_the_printed_threshold(d: int, alpha: Fraction) -> None:
    assert fresh_examples(Fraction(1, 2**d), alpha) == math.ceil(d / alpha)


@pytest.mark.parametrize("fresh", [fresh_examples, fewest_fresh_examples])
def test_no_number_of_examples_tells_a_loss_of_0(fresh: Callable[[str, int], int]) -> None:
    refuses("alpha: got 0", fresh, "1/8", 0)


def test_fresh_examples_for_a_loss_with_a_long_fraction() -> None:
    # The binary value of the float 0.1 is above 1/10, by less than matters here.
    assert fresh_examples("1/10", Fraction(0.1)) == fresh_examples("1/10", TENTH) == 34
    assert fresh_examples("1/4", Fraction(0.1)) == fresh_examples("1/4", TENTH) == 20


# Lemma 14


@settings(max_examples=30)
@given(st.integers(0, 6), st.integers(1, 20), frequencies)
def test_bounds_on_the_draws_are_in_order(k: int, n: int, tau: Fraction) -> None:
    bounds = ExpectedDraws(k, n, tau)
    # All players of all levels agree as often as the threshold lets them.
    worst = expected_draws([tau] * k, n)
    assert worst == bounds.from_threshold <= bounds.summed < bounds.printed
    assert bounds.summed == expected_draws([Fraction(1, 2)] * k, n)
    assert bounds.printed == 4 ** (k + 1) * n


@settings(max_examples=40)
@given(st.lists(frequencies, min_size=1, max_size=3), st.integers(1, 60))
def test_markov_bounds_the_draws(collisions: list[Fraction], blocks: int) -> None:
    more = 1 - DrawCounts(collisions).within(blocks)
    assert more <= expected_draws(collisions, 1) / (blocks + 1)


# Theorem 10


@settings(max_examples=30)
@given(st.integers(1, 7), losses)
def test_theorem_10_as_printed(d: int, alpha: Fraction) -> None:
    G = GlobalStabilityParameters(d, alpha, "paper")
    assert G.n == math.ceil(d / alpha)
    assert G.budget == 8 ** (d + 1) * G.n
    assert G.sample_size == (8 ** (d + 1) + 1) * math.ceil(d / alpha)
    assert G.eta == Fraction(1, (d + 1) * 2 ** (d + 1))


@given(st.integers(1, 5), losses, st.sampled_from(BOTH))
@settings(max_examples=40)
def test_what_theorem_10_needs_of_its_parameters(
    d: int, alpha: Fraction, constants: ConstantsLike
) -> None:
    G = GlobalStabilityParameters(d, alpha, constants)
    tau = G.threshold.value
    # The stable output has loss alpha: if a larger loss were allowed, 1 - loss <= 2**-loss.
    assert FrequentOutputLoss(tau, G.n).lemma_13(256).lower <= alpha
    assert FrequentOutputLoss(tau, G.n).sharp() <= alpha
    # The budget is passed with probability tau/2 at most, at every level.
    for k in range(d + 1):
        assert Fraction(ExpectedDraws(k, G.n, tau).printed, G.budget) <= tau / 2
    assert G.eta == (tau - tau / 2) / (d + 1)
    assert G.sample_size == G.budget + G.n


@settings(max_examples=30)
@given(st.integers(1, 4), losses, losses, st.sampled_from(BOTH))
def test_less_loss_and_more_dimension_take_more_examples(
    d: int, alpha: Fraction, other: Fraction, constants: ConstantsLike
) -> None:
    small, large = sorted((alpha, other))
    G = GlobalStabilityParameters
    assert G(d, small, constants).sample_size >= G(d, large, constants).sample_size
    assert G(d, alpha, constants).sample_size < G(d + 1, alpha, constants).sample_size
    assert G(d, alpha, constants).eta > G(d + 1, alpha, constants).eta
    assert G(d, alpha, "repaired").sample_size >= G(d, alpha, "paper").sample_size


def test_for_dimension_one_nothing_is_repaired() -> None:
    printed, repaired = (PrivateLearnerSizes(1, QUARTER, TENTH, ONE, MILLIONTH, c) for c in BOTH)
    assert printed.private == repaired.private
    assert printed.sample_size == repaired.sample_size == 900_821


# Theorems 17 and 1


@given(
    frequencies,
    st.fractions(Fraction(1, 100), Fraction(9, 10), max_denominator=100),
    st.sampled_from([Epsilon(0.1), ONE, Epsilon.exactly(3)]),
)
@settings(max_examples=40)
def test_what_theorem_17_needs_of_its_sizes(
    eta: Fraction, beta: Fraction, epsilon: Epsilon
) -> None:
    M = PrivateFromStable(10, eta, QUARTER, beta, epsilon, MILLIONTH, "proved")
    k, A = M.runs, M.noise
    # Chernoff for the stable output, and noise that is small beside its count.
    assert Interval.exp(-eta * k / 8) <= beta / 2
    assert eta * k / 8 >= A
    # Half its expected count is released, whatever the noise; what is released is not rare.
    assert math.ceil(eta * k / 2) - A >= M.cutoff >= A + 2
    assert M.cutoff - A >= eta * k / 4
    assert (M.list_size + 1) * eta * k / 4 > k >= M.list_size * eta * k / 4
    # The choice, by the three conditions in the proof of Lemma 16.
    a, size, n = QUARTER / 2, M.list_size, M.choice_size
    assert Interval.exp(-a * n / 36) * size <= beta / 8
    assert Interval.exp(-a * n / 27) <= beta / 8
    assert Interval.exp(epsilon.interval() * (-a * n / 6)) * size <= beta / 4
    assert M.sample_size == 10 * k + n


@pytest.mark.parametrize("constants", BOTH)
@pytest.mark.parametrize("d", [1, 2])
def test_asking_for_less_takes_no_more_examples(d: int, constants: ConstantsLike) -> None:
    rising = [Fraction(1, 1000), Fraction(1, 100), TENTH, QUARTER, Fraction(1, 2)]
    epsilons = [Epsilon(0.1), Epsilon(0.5), ONE, Epsilon(3.0)]

    def total(
        alpha: Fraction = TENTH,
        beta: Fraction = TENTH,
        epsilon: Epsilon = ONE,
        delta: Fraction = MILLIONTH,
    ) -> int:
        return PrivateLearnerSizes(d, alpha, beta, epsilon, delta, constants).sample_size

    for sizes in (
        [total(alpha=x) for x in rising],
        [total(beta=x) for x in rising],
        [total(delta=x) for x in rising],
        [total(epsilon=x) for x in epsilons],
    ):
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] > sizes[-1]


def test_the_term_of_theorem_1_as_printed() -> None:
    for d in (1, 2, 3):
        sure = Interval.log2(1 / (TENTH * MILLIONTH), 128)
        term = (sure + d) * (16**d * d**2 / QUARTER) / ONE.interval(128)
        found = theorem_1_order(d, QUARTER, TENTH, ONE, MILLIONTH, constants="paper", bits=128)
        assert abs((found - term).upper) < Fraction(1, 10**20)


@pytest.mark.parametrize("constants", BOTH)
def test_sizes_are_of_the_order_stated(constants: ConstantsLike) -> None:
    # At most 2 * 4 (in m), 2 for alpha/2, 2 (d+1)/d <= 4 (in 1/eta), 8 (in k), and what the noise
    # has beyond log2(1/(beta delta)) / epsilon, which is less than 2.
    for d, alpha, beta, delta in product(
        (1, 2, 4), (QUARTER, Fraction(1, 100)), (TENTH,), (MILLIONTH, TENTH)
    ):
        for epsilon in (ONE, Epsilon(0.1)):
            size = PrivateLearnerSizes(d, alpha, beta, epsilon, delta, constants).sample_size
            term = theorem_1_order(d, alpha, beta, epsilon, delta, constants=constants)
            assert term < size
            assert term * 1000 > size


def test_terms_of_the_other_statements() -> None:
    histogram = lemma_15_order("1/8", TENTH, ONE, MILLIONTH)
    # log2(8 * 10 * 10**6) * 8 / 1
    assert math.isclose(float(histogram), math.log2(8e7) * 8)
    generic = lemma_16_order(32, "1/8", "1/20", ONE)
    assert math.isclose(float(generic), math.log2(32 * 20) * 8)
    both = theorem_17_order(520, "1/8", alpha="1/8", beta="1/20", epsilon=ONE, delta=MILLIONTH)
    assert math.isclose(float(both), 520 * math.log2(160e6) * 8 + math.log2(160) * 8)
    agnostic = corollary_2_order(2, 3, alpha=QUARTER, beta=TENTH, epsilon=ONE, delta=MILLIONTH)
    realizable = theorem_1_order(2, QUARTER, TENTH, ONE, MILLIONTH)
    assert math.isclose(float(agnostic - realizable), (3 + math.log2(10)) * 16, rel_tol=1e-6)
    assert THEOREM_6_WEAK == {"epsilon_0": TENTH, "alpha_0": 1 / 16, "beta_0": 1 / 16}
    assert Fraction(1, 1024) in theorem_6_weak_delta(16, 1)


@pytest.mark.parametrize(("argument", "make"), [
    ("dimension", lambda: FrequencyThreshold(-1)),
    ("dimension", lambda: FrequencyThreshold(9)),
    ("constants", lambda: FrequencyThreshold(2, cast("ConstantsLike", "other"))),
    ("tau", lambda: proves(2, 0)),
    ("tau", lambda: agreement_bounds(2, "3/2")),
    ("tau", lambda: sharper_agreement_bounds(2, 0)),
    ("dimension", lambda: proved_frequency(9)),
    ("bits", lambda: proved_frequency(2, 0)),
    ("frequency", lambda: FrequentOutputLoss(Fraction(0), 3)),
    ("n", lambda: FrequentOutputLoss(Fraction(1, 2), 0)),
    ("alpha", lambda: fresh_examples("1/2", 0)),
    ("frequency", lambda: fresh_examples(2, 1)),
    ("threshold", lambda: ExpectedDraws(1, 1, Fraction(2, 3))),
    ("k", lambda: ExpectedDraws(-1, 1, Fraction(1, 2))),
    ("collisions", lambda: expected_draws([1], 2)),
    ("dimension", lambda: GlobalStabilityParameters(0, QUARTER)),
    ("alpha", lambda: GlobalStabilityParameters(1, Fraction(0))),
    ("run_size", lambda: PrivateFromStable(0, QUARTER, QUARTER, TENTH, ONE, MILLIONTH)),
    ("eta", lambda: PrivateFromStable(1, Fraction(0), QUARTER, TENTH, ONE, MILLIONTH)),
    ("epsilon", lambda: PrivateLearnerSizes(1, QUARTER, TENTH, Epsilon(0), MILLIONTH)),
    ("epsilon", lambda: PrivateLearnerSizes(1, QUARTER, TENTH, cast("Epsilon", 1.0), TENTH)),
    ("delta", lambda: PrivateLearnerSizes(1, QUARTER, TENTH, ONE, Fraction(0))),
    ("alpha", lambda: PrivateLearnerSizes(1, Fraction(1), TENTH, ONE, MILLIONTH)),
    ("beta", lambda: PrivateLearnerSizes(1, QUARTER, Fraction(2), ONE, MILLIONTH)),
    ("dimension", lambda: PrivateLearnerSizes(0, QUARTER, TENTH, ONE, MILLIONTH)),
    ("n0", lambda: theorem_6_weak_delta(1, 1)),
])  # fmt: skip
def test_bad_parameters_are_named(argument: str, make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as raised:
        make()
    assert raised.value.argument == argument


def test_a_dimension_beyond_all_numbers_is_refused() -> None:
    huge = 10**30
    for argument, compute in (
        ("dimension", lambda: FrequencyThreshold(huge, "printed")),
        ("dimension", lambda: GlobalStabilityParameters(huge, QUARTER, "printed")),
        ("dimension", lambda: theorem_1_order(huge, QUARTER, TENTH, ONE, TENTH, constants="paper")),
        ("k", lambda: ExpectedDraws(huge, 3, QUARTER)),
    ):
        refuses(f"^{argument}: got .*, want at most 10000$", compute)
    assert FrequencyThreshold(10_000, "printed").value == Fraction(1, 2**10_000)
