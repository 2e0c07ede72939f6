"""Which end of an enclosure a result takes: with wide enclosures what is promised still holds."""

import importlib
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from pac_stability import Epsilon, FiniteDistribution, data, mechanisms
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass
from pac_stability.notions import perfect_generalization, two_point_generalization
from pac_stability.papers.cummings_et_al import implications, implications as im, separations
from pac_stability.papers.cummings_et_al.algorithm_1 import (
    GenericAgnosticLearner,
    GenericAgnosticSize,
)
from shared_examples import example
from shared_refusals import refuses

tightness = example("tightness_of_implications")

Coarsely = Callable[..., AbstractContextManager[None]]
BITS = 256
HALF = Fraction(1, 2)
# A function of the package has the module's name.
pipeline = importlib.import_module("pac_stability.papers.cummings_et_al.simulators")


def test_the_failure_of_both_outputs_is_a_lower_bound(coarsely: Coarsely) -> None:
    tests = separations.RandomTests(4, 20, 10)
    fine = tests.failure_together
    with coarsely():
        assert fine * Fraction(9, 10) < tests.failure_together < fine


def test_the_split_reading_is_no_less_than_the_square_root() -> None:
    split = im.RobustGuarantee(HALF, Fraction(1, 100)).as_split().delta
    root = Interval.sqrt(Fraction(1, 50), BITS)
    assert root.upper <= split < root.upper + Fraction(1, 2**60)
    assert im.RobustGuarantee(HALF, Fraction(3, 4)).as_split().delta == 1


def test_a_factor_is_above_the_whole_enclosure_of_its_logarithm() -> None:
    assert (
        implications.factor_above(Interval(Fraction(1), Fraction(2))).ratio > Interval.exp(2).lower
    )
    assert implications.factor_above(Interval(Fraction(-2), Fraction(-1))).ratio == 1
    edge = 1 << 20
    refuses(r"^n: got", implications.factor_above, Interval(Fraction(edge - 1), Fraction(edge + 1)))


def test_composed_betas_add_up_to_one_at_most() -> None:
    link = im.PerfectGuarantee(Fraction(2, 5), Epsilon.exactly(2))
    assert im.compose_perfect([link, link]).beta == Fraction(4, 5)
    assert im.compose_perfect([link, link, link]).beta == 1


def test_the_printed_pair_of_samples() -> None:
    guarantee = im.PerfectGuarantee(Fraction(2, 5), Epsilon.exactly("3/2"), Fraction(1, 100))
    assert im.close_pair(guarantee, constants="paper").probability == Fraction(1, 5)
    unlikely = replace(guarantee, beta=Fraction(3, 5))
    assert im.close_pair(unlikely, constants="paper").probability == 0


def test_the_printed_constants_ask_for_two_small_epsilons() -> None:
    small, large = (Epsilon.exactly("3/2"), Fraction(0)), (Epsilon.exactly(2), Fraction(0))
    for links in ((small, large), (large, small)):
        refuses("below ln 2", im.close_ends, *links, constants="paper")


def test_the_smaller_of_two_numbers_is_enclosed() -> None:
    one, other = Interval(Fraction(1), Fraction(4)), Interval(Fraction(2), Fraction(3))
    expected = Interval(Fraction(1), Fraction(3))
    assert implications._least(one, other) == implications._least(other, one) == expected


def test_a_failure_that_is_only_enclosed_counts_as_the_larger_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enclosed = SimpleNamespace(value=Interval(Fraction(1, 10), Fraction(1, 5)))
    name = "failure_over_two_points"
    monkeypatch.setattr(two_point_generalization, name, lambda n, epsilon: enclosed)  # noqa: ARG005  # a stand-in
    assert im.finite_range_failure(2, 3, HALF) == Fraction(2, 5)
    assert im.finite_range_failure(7, 3, HALF) == 1


def test_theorem_20_refuses_what_is_too_close_to_tell(coarsely: Coarsely) -> None:
    near_third = mechanisms.PrivacyGuarantee(Epsilon("0.3329"), Fraction(1, 10**6))
    near_quarter = mechanisms.PrivacyGuarantee(Epsilon("1/10"), Fraction(2495, 100_000))
    assert im.theorem_20(near_third, 10**6).delta < Fraction(1, 10**5)
    assert im.theorem_20(near_quarter, 10**6).delta < 1
    # log(4 epsilon / delta) / epsilon**2, to which the size is near.
    private = mechanisms.PrivacyGuarantee(Epsilon("1/20"), Fraction(1, 10**6))
    needed = math.ceil((Interval.log(200_000) * 400).upper)
    assert im.theorem_20(private, needed).delta < 1
    with coarsely():
        for close in (near_third, near_quarter):
            refuses("guarantee", im.theorem_20, close, 10**6)
        refuses(r"^n: got", im.theorem_20, private, needed)


def test_the_lower_bounds_need_a_k_that_is_certainly_small(coarsely: Coarsely) -> None:
    # n = 4 ln(1/(15 beta)) is 200 and some thousandths.
    mechanism, beta = separations.NoisyMajority(200, Epsilon(1)), Fraction(13, 10**24)
    log = Interval.log(1 / (15 * beta))
    assert Fraction(998, 1000) * 50 < log < 50
    assert mechanism.tightness(beta).direct is not None
    with coarsely():
        assert mechanism.tightness(beta).direct is None


def test_the_decay_is_no_less_than_wide_enclosures_show(coarsely: Coarsely) -> None:
    learner = GenericAgnosticLearner(FiniteClass([[0], [1]]), "1/10", Epsilon("3/10"))
    fine = learner.decay(40)
    for function in ("exp", "log", "sqrt"):
        with coarsely(function):
            assert fine < learner.decay(40) < 1


def test_the_simulator_weighs_by_one_number_of_each_enclosure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learner = GenericAgnosticLearner(FiniteClass([[0], [1]]), "1/10", Epsilon("3/10"))
    learner.decay(7)  # its own exponential is not the one that is replaced
    tiny = Fraction(1, 2**80)

    def exp(value: Interval, bits: int = 64) -> Interval:
        del bits
        weight = Fraction(1, 3) if value.lower == 0 else Fraction(1, 5)
        return Interval(weight, weight + tiny)

    monkeypatch.setattr(Interval, "exp", exp)
    D = FiniteDistribution({data.Example(0, 0): Fraction(2, 3), data.Example(0, 1): Fraction(1, 3)})
    law = learner.simulator(7).law(D)
    assert sorted(p for _, p in law.items()) == [Fraction(3, 8), Fraction(5, 8)]


def test_the_simulator_has_room_for_the_digits_of_its_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learner = GenericAgnosticLearner(FiniteClass([[0], [1]]), "1/10", Epsilon("3/10"))
    learner.decay(7)
    tiny = Fraction(1, 2**80)

    def exp(value: Interval, bits: int = 64) -> Interval:
        del bits
        # The upper ends alone have short denominators.
        upper = Fraction(1) if value.lower == 0 else Fraction(1, 2)
        return Interval(upper - tiny, upper)

    monkeypatch.setattr(Interval, "exp", exp)
    D = FiniteDistribution({data.Example(0, 0): Fraction(2, 3), data.Example(0, 1): Fraction(1, 3)})
    weights = sorted(p for _, p in learner.simulator(7).law(D).items())
    total = Fraction(3, 2) - 2 * tiny
    assert weights == [(HALF - tiny) / total, (1 - tiny) / total]


def test_a_pipeline_keeps_both_ends_and_states_the_upper_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enclosed = SimpleNamespace(lower=Fraction(2), upper=Fraction(3))
    monkeypatch.setattr(pipeline, "minimal_epsilon", lambda *_, **__: enclosed)
    fair = FiniteDistribution.uniform([0, 1])
    for symmetric in (False, True):
        found = pipeline.resampling_pipeline(lambda _: fair, [0, 1], 2, "1/10", symmetric=symmetric)
        assert (found.lower, found.upper) == (2, 3)
        assert found.stated().epsilon == Epsilon.exactly(3)
    refuses("infinite", replace(found, upper=math.inf).stated)


def test_the_deviation_of_the_printed_proof_is_counted_to_the_last_example() -> None:
    # So large an epsilon that the cube is nothing: ln(4 |H| / gamma) 9 / (2 alpha**2) remains.
    size = GenericAgnosticSize(
        4, Fraction(1, 10), Fraction(1, 20), Fraction(1, 20), Epsilon(1000), "proof"
    )
    needed = Interval.log(320, BITS) * 450
    assert size.sample_size - 1 < needed < size.sample_size


def test_rows_of_the_table_take_the_safe_end(monkeypatch: pytest.MonkeyPatch) -> None:
    exhibit = tightness.noisy_majority(6, Fraction(4, 5))
    epsilon = Epsilon.exactly(2)
    enclosed = SimpleNamespace(lower=Fraction(1, 10), upper=Fraction(1, 5))
    with monkeypatch.context() as patch:
        patch.setattr(perfect_generalization, "minimal_beta", lambda *_: enclosed)
        row = tightness.perfect_to_robust_row(exhibit, epsilon)
    guarantee = im.PerfectGuarantee(Fraction(1, 5), epsilon)
    assert row.proved == im.perfect_deviation(guarantee, 6)
    factors = SimpleNamespace(lower=Fraction(2), upper=Fraction(3))
    with monkeypatch.context() as patch:
        patch.setattr(perfect_generalization, "minimal_epsilon", lambda *_: factors)
        exact = tightness.private_to_perfect_row(exhibit, "1/20").exact
    low, high = Interval.log(2, BITS), Interval.log(3, BITS)
    assert low.lower - Fraction(1, 2**50) < exact.lower <= low.lower
    assert high.upper <= exact.upper < high.upper + Fraction(1, 2**50)


def test_a_size_of_theorem_26_suffices_for_certain(coarsely: Coarsely) -> None:
    # 2^24 examples are enough for 1/10, and not for a thousandth less than what they give.
    value = separations.Theorem26(1 << 24, 1, Fraction(1, 20)).learner.value()
    assert separations.Theorem26.least("1/10", 1, "1/20").n == 1 << 24
    little_less = value.lower * Fraction(999, 1000)
    with coarsely():
        assert separations.Theorem26.least(little_less, 1, "1/20").n == 1 << 25
