"""The exponential mechanism: its law, its sampler, and its guarantee over all neighbours."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import cast

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import InvalidInput, SeededCoins, arithmetic, audit, mechanisms
from pac_stability.classes import FiniteClass, random_class, thresholds
from pac_stability.data import (
    FiniteDistribution,
    Mechanism,
    Sample,
    all_examples,
    neighbouring_pairs,
)
from pac_stability.mechanisms.draws import MAX_WEIGHT_BITS
from shared_refusals import refuses

Errors = tuple[int, ...]
Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Runs = Callable[[Mechanism[object, object], object], bool]

decays = st.fractions(Fraction(1, 20), 1, max_denominator=20)
error_lists = st.lists(st.integers(-4, 9), min_size=1, max_size=6).map(tuple)


def given_errors(
    candidates: int, decay: Fraction, sensitivity: int = 1, monotone: bool = False
) -> mechanisms.ExponentialMechanism[Errors, int]:
    """The mechanism whose input is the list of errors."""
    return mechanisms.ExponentialMechanism(
        tuple(range(candidates)), list, decay, sensitivity, monotone
    )


def shifts(errors: Errors, steps: Sequence[int]) -> list[Errors]:
    """All lists that differ from one by some of the steps in each place."""
    return [
        tuple(k + step for k, step in zip(errors, change, strict=True))
        for change in product(steps, repeat=len(errors))
    ]


@given(error_lists, decays)
def test_law_is_the_definition(errors: Errors, decay: Fraction) -> None:
    total = sum(decay**k for k in errors)
    expected = {index: decay**k / total for index, k in enumerate(errors)}
    assert given_errors(len(errors), decay).law(errors) == FiniteDistribution(expected)


@given(error_lists, decays)
def test_what_runs_has_the_law(runs_as_stated: Runs, errors: Errors, decay: Fraction) -> None:
    mechanism = cast("Mechanism[object, object]", given_errors(len(errors), decay))
    assert runs_as_stated(mechanism, errors)


@given(error_lists, decays)
def test_weights_are_integers_in_proportion(errors: Errors, decay: Fraction) -> None:
    weights = mechanisms.exponential_weights(errors, decay)
    assert all(type(weight) is int and weight > 0 for weight in weights)
    for (k, weight), (other, other_weight) in combinations(zip(errors, weights, strict=True), 2):
        assert Fraction(weight, other_weight) == decay ** (k - other)


@pytest.mark.parametrize("decay", [Fraction(1, 2), Fraction(2, 3)])
@pytest.mark.parametrize("sensitivity", [1, 2])
def test_privacy_over_all_neighbours(
    least_factor: Factor, decay: Fraction, sensitivity: int
) -> None:
    mechanism = given_errors(3, decay, sensitivity)
    steps = range(-sensitivity, sensitivity + 1)
    laws = {errors: mechanism.law(errors) for errors in product(range(-3, 6), repeat=3)}
    worst = max(
        least_factor(laws[errors], laws[other])
        for errors in product(range(3), repeat=3)
        for other in shifts(errors, steps)
    )
    # Not attained, as the normaliser never changes by as much as the largest weight in it.
    assert decay**-sensitivity < worst < mechanism.guarantee.factor == decay ** (-2 * sensitivity)
    assert mechanism.guarantee.delta == 0


PRIOR = (Fraction(1, 3), Fraction(1), Fraction(5))


@pytest.mark.parametrize("decay", [Fraction(1, 2), Fraction(2, 3)])
def test_a_prior_leaves_the_guarantee(least_factor: Factor, decay: Fraction) -> None:
    plain = given_errors(3, decay)
    mechanism = replace(plain, prior=PRIOR)
    assert mechanism.prior == (1, 3, 15)
    assert mechanism.guarantee == plain.guarantee
    weights = [p * decay**k for p, k in zip(PRIOR, (2, 0, 1), strict=True)]
    expected = {i: weight / sum(weights) for i, weight in enumerate(weights)}
    assert mechanism.law((2, 0, 1)) == FiniteDistribution(expected)
    worst = max(
        least_factor(mechanism.law(errors), mechanism.law(other))
        for errors in product(range(3), repeat=3)
        for other in shifts(errors, (-1, 0, 1))
    )
    assert worst < mechanism.guarantee.factor
    lone = replace(plain, prior=PRIOR, monotone=True)
    worst = max(
        least_factor(lone.law(errors), lone.law(other))
        for errors in product(range(3), repeat=3)
        for other in shifts(errors, (0, 1))
    )
    assert worst < lone.guarantee.factor == 1 / decay


def labels_missed(sample: Sample[object]) -> list[int]:
    """Errors of the constants 0 and 1."""
    return [sum(sample.labels), len(sample) - sum(sample.labels)]


def test_a_prior_that_has_seen_the_data_is_refuted() -> None:
    fixed: mechanisms.ExponentialMechanism[Sample[object], int] = mechanisms.ExponentialMechanism(
        (0, 1), labels_missed, Fraction(1, 2), prior=(1, 3)
    )

    def seen(sample: Sample[object]) -> FiniteDistribution[int]:
        ones = sum(sample.labels)
        counted = (1 + len(sample) - ones, 1 + ones)  # "how common the labels are"
        return replace(fixed, prior=counted).law(sample)

    claim = arithmetic.Epsilon.exactly(fixed.guarantee.factor)
    right = audit.differential_privacy(fixed, 1, 3, claim=claim)
    wrong = audit.differential_privacy(seen, 1, 3, claim=claim)
    assert (right.verdict, wrong.verdict) == (audit.Verdict.VERIFIED, audit.Verdict.REFUTED)
    # Label 0 has the weights 1 3 2 1 2^ones: from 8 4 : 1 1 to 4 3 : 2 2 with one label replaced.
    assert wrong.value == Fraction(4, 16) / Fraction(1, 33)


def test_a_prior_of_the_exponential_learner() -> None:
    learner = mechanisms.exponential_learner(FiniteClass([[0], [1]]), Fraction(1, 2), [2, 6])
    assert learner.prior == (1, 3)
    assert learner.law(Sample([0], [1])).probability(learner.candidates[1]) == Fraction(6, 7)


@pytest.mark.parametrize("prior", [(1, 2), (1, 2, 0), (1, 2, 0.5), "abc", 7])
def test_bad_priors_are_refused(prior: object) -> None:
    refuses("prior", replace, given_errors(3, Fraction(1, 2)), prior=cast("tuple[int, ...]", prior))


@pytest.mark.parametrize("steps", [(0, 1), (-1, 0)])
def test_monotone_errors_cost_half_as_much(least_factor: Factor, steps: tuple[int, int]) -> None:
    mechanism = given_errors(3, Fraction(1, 2), monotone=True)
    worst = max(
        least_factor(mechanism.law(errors), mechanism.law(other))
        for errors in product(range(4), repeat=3)
        for other in shifts(errors, steps)
    )
    assert Fraction(3, 2) < worst < mechanism.guarantee.factor == 2


def test_no_smaller_factor_serves_all_sets_of_candidates(least_factor: Factor) -> None:
    # One candidate among a thousand gains an error where all others lose one.
    mechanism = given_errors(1001, Fraction(1, 2))
    worst = least_factor(mechanism.law((0,) + (1,) * 1000), mechanism.law((1,) + (0,) * 1000))
    assert Fraction(399, 100) < worst < mechanism.guarantee.factor
    lone = given_errors(1001, Fraction(1, 2), monotone=True)
    worst = least_factor(lone.law((0,) + (0,) * 1000), lone.law((1,) + (0,) * 1000))
    assert Fraction(199, 100) < worst < lone.guarantee.factor


@pytest.mark.parametrize("decay", [Fraction(1, 2), Fraction(4, 5)])
def test_stability_of_a_label_is_attained(decay: Fraction) -> None:
    mechanism = given_errors(3, decay)
    changes = [
        abs(p.probability(i) - q.probability(i))  # of three, an event or its rest is a singleton
        for errors in product(range(3), repeat=3)
        for p in [mechanism.law(errors)]
        for other in shifts(errors, (-1, 0, 1))
        for q in [mechanism.law(other)]
        for i in range(3)
    ]
    assert max(changes) <= mechanism.stability
    two = given_errors(2, decay)
    change = two.law((0, 1)).probability(0) - two.law((1, 0)).probability(0)
    assert change == two.stability == (1 - decay) / (1 + decay)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 8.0])
@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_from_epsilon_is_safe_and_near(epsilon: float, monotone: bool, sensitivity: int) -> None:
    mechanism: mechanisms.ExponentialMechanism[Errors, str] = (
        mechanisms.ExponentialMechanism.from_epsilon(
            "ab", list, epsilon, sensitivity=sensitivity, monotone=monotone
        )
    )
    asked = arithmetic.Epsilon(epsilon).ratio
    assert asked - (asked - 1) / 1000 < mechanism.guarantee.factor <= asked


def test_base_two_has_powers_of_two() -> None:
    mechanism: mechanisms.ExponentialMechanism[Errors, str] = (
        mechanisms.ExponentialMechanism.base_two("abc", list, 3, sensitivity=2)
    )
    assert mechanism.law((0, 2, 1)).probability("b") == Fraction(1, 64 + 1 + 8)
    assert mechanism.guarantee.factor == 4 ** (3 * 2)
    assert mechanisms.exponential_weights([0, 2, 1], mechanism.decay) == (64, 1, 8)


H = thresholds(2)


@pytest.mark.parametrize("decay", [Fraction(1, 2), Fraction(3, 4)])
def test_learner_over_all_samples(least_factor: Factor, decay: Fraction) -> None:
    learner = mechanisms.exponential_learner(H, decay)
    worst, moved = Fraction(1), Fraction(0)
    for sample, neighbour in neighbouring_pairs(all_examples(H.domain), 3, up_to_order=True):
        p, q = learner.law(sample), learner.law(neighbour)
        for h in H:
            total = sum(decay ** sample.count_errors(g) for g in H)
            assert p.probability(h) == decay ** sample.count_errors(h) / total
        factor = least_factor(p, q)
        assert isinstance(factor, Fraction)
        worst = max(worst, factor)
        for x in H.domain:
            ones = [h for h in H if h(x)]
            gains = (p.probability(h) - q.probability(h) for h in ones)
            moved = max(moved, abs(sum(gains, Fraction(0))))
    assert 1 / decay < worst < decay**-2 == learner.guarantee.factor
    assert Fraction(9, 10) * learner.stability < moved <= learner.stability


@pytest.mark.parametrize("decay", [Fraction(1, 2), Fraction(3, 4)])
def test_stability_of_a_learner_is_attained(decay: Fraction) -> None:
    # Two hypotheses on one point: with three examples there are always more errors on one side.
    two = thresholds(1)
    learner = mechanisms.exponential_learner(two, decay)
    ones = {h for h in two if h(0)}

    def label(sample: Sample[int]) -> Fraction:
        return sum((learner.law(sample).probability(h) for h in ones), Fraction(0))

    moves = [abs(label(S) - label(T)) for S, T in neighbouring_pairs(all_examples([0]), 3)]
    assert max(moves) == learner.stability == (1 - decay) / (1 + decay)


@given(st.data())
def test_error_counts_are_those_of_each_hypothesis(data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1))
    points = data.draw(st.lists(st.sampled_from("xyz")))
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(points), max_size=len(points)))
    some, sample = FiniteClass(rows, "xyz"), Sample(points, labels)
    assert mechanisms.error_counts(some, sample).tolist() == [sample.count_errors(h) for h in some]


def test_a_thousand_hypotheses_run_as_stated(runs_as_stated: Runs) -> None:
    large = random_class(1000, 40, seed=1)
    sample = Sample([i % 40 for i in range(300)], [i * i % 3 == 0 for i in range(300)])
    learner = mechanisms.exponential_learner(large, Fraction(5, 8))
    assert len(large) == 1000
    assert runs_as_stated(cast("Mechanism[object, object]", learner), sample)
    weights = [Fraction(5, 8) ** sample.count_errors(h) for h in large]
    assert learner.law(sample).probability(large[17]) == weights[17] / sum(weights)


def test_learner_is_a_value() -> None:
    learner = mechanisms.exponential_learner(H, Fraction(1, 2))
    copy = pickle.loads(pickle.dumps(learner))  # noqa: S301  # our own bytes
    sample = Sample([0, 1], [0, 1])
    assert copy.law(sample) == learner.law(sample)
    assert learner.run(sample) in tuple(H)
    assert learner.run(sample, SeededCoins(3)) == learner.run(sample, rng=SeededCoins(3))


def test_arrays_of_any_integer_type_are_errors() -> None:
    for kind in (np.uint8, np.int32, np.uint64):
        mechanism = given_errors(2, Fraction(1, 2))
        errors = cast("Errors", np.array([1, 0], dtype=kind))
        assert mechanism.law(errors).probability(1) == Fraction(2, 3)


@pytest.mark.parametrize("decay", [0, -1, Fraction(3, 2), float("nan"), True, "half"], ids=str)
def test_a_decay_is_exact_and_in_range(decay: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        given_errors(2, cast("Fraction", decay))
    assert caught.value.argument == "decay"


@pytest.mark.parametrize(
    "errors",
    [
        [], [1], [1, 2, 3], [0.5, 1.0], [True, False], [[1, 2], [3]], [[0, 1]], "ab", None, 3,
        [Fraction(1), Fraction(2)], [0, 2**63], [0, 2**70],
        np.array([2**63, 2**63], dtype=np.uint64),
    ],
    ids=repr,
)  # fmt: skip
def test_errors_are_one_integer_a_candidate(errors: object) -> None:
    mechanism: mechanisms.ExponentialMechanism[None, int] = mechanisms.ExponentialMechanism(
        (0, 1), lambda _: cast("list[int]", errors), Fraction(1, 2)
    )
    for use in (mechanism.law, mechanism.run):
        with pytest.raises(InvalidInput) as caught:
            use(None)
        assert caught.value.argument == "errors"


def test_weights_that_would_fill_the_memory_are_refused() -> None:
    with pytest.raises(InvalidInput, match=str(MAX_WEIGHT_BITS)):
        mechanisms.exponential_weights([0, MAX_WEIGHT_BITS], Fraction(1, 2))


@pytest.mark.parametrize(("argument", "candidates", "errors", "sensitivity"), [
    ("candidates", "", list, 1), ("candidates", "aa", list, 1), ("candidates", ([1],), list, 1),
    ("candidates", (float("nan"),), list, 1), ("errors", "ab", [1, 2], 1),
    ("sensitivity", "ab", list, 0),
])  # fmt: skip
def test_bad_parameters(
    argument: str, candidates: tuple[object, ...], errors: object, sensitivity: int
) -> None:
    scores = cast("Callable[[Errors], list[int]]", errors)
    with pytest.raises(InvalidInput) as caught:
        mechanisms.ExponentialMechanism(candidates, scores, Fraction(1, 2), sensitivity)
    assert caught.value.argument == argument


def test_learner_refuses_what_it_cannot_learn_from() -> None:
    learner = mechanisms.exponential_learner(H, Fraction(1, 2))
    refuses("point", learner.law, Sample([7], [0]))
    refuses("a Sample", learner.law, cast("Sample[object]", ((0, 1),)))
    with pytest.raises(InvalidInput, match="candidates"):
        mechanisms.exponential_learner(FiniteClass(np.zeros((0, 2))), Fraction(1, 2))
