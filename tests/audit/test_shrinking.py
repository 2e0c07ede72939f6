"""Shrunk counterexamples are refutations, and nothing can be taken away from them."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, arithmetic, audit, checker, classes, data, randomness
from pac_stability.audit import again, certificates
from pac_stability.testing import strategies
from shared_refusals import refuses
from shared_subjects import one, zero

HALF = Fraction(1, 2)
Program = Callable[[data.Sample[int], int, randomness.Coins], int]


def certified(small: again.Shrunk) -> bool:
    """Whether the small counterexample has a certificate of its own."""
    return checker.rechecking.recheck(certificates.to_document(small.result)).refutes


def test_the_sample_and_the_domain_become_as_small_as_the_violation_allows() -> None:
    def reveals_pairs(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
        """A fair coin, except on two different points: then the label of the first is told."""
        if len(S.distinct_points) == 2 and x in S.points:
            return S.labels[0]
        return rng.bernoulli(HALF)

    found = audit.private_prediction(reveals_pairs, 3, 3, claim=1)
    small = again.shrink_counterexample(reveals_pairs, found)
    assert (small.setting.points, small.setting.n) == ((0, 1), 2)
    assert small.minimal
    assert certified(small)
    assert small.result.claim == found.claim
    witness = small.result.witness
    assert isinstance(witness, audit.PairWitness)
    assert isinstance(witness.sample, data.Sample)
    assert len(witness.sample) == 2


def test_a_violation_that_needs_three_examples_keeps_them() -> None:
    def late(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
        return S.labels[x] if len(S) >= 3 else rng.bernoulli(HALF)

    found = audit.uniform_stability(late, 2, 4, claim=HALF)
    small = again.shrink_counterexample(late, found)
    assert (small.setting.points, small.setting.n, small.result.value) == ((0,), 3, 1)
    assert certified(small)


tables = st.lists(st.integers(0, 4), min_size=7, max_size=7)


@given(tables)
@settings(max_examples=25)
def test_nothing_can_be_taken_away(table: list[int]) -> None:
    """Predictors without structure, held against all settings that are smaller in one respect."""

    def predictor(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
        code = sum((3 * point + label + 1) * (k + 1) for k, (point, label) in enumerate(pairs(S)))
        return rng.bernoulli(Fraction(table[(code + x * len(S)) % 7] + 1, 6))

    found = audit.private_prediction(predictor, 3, 2, claim=arithmetic.Epsilon.exactly(3))
    if found.verdict is not audit.Verdict.REFUTED:
        refuses("a refutation", again.shrink_counterexample, predictor, found)
        return
    small = again.shrink_counterexample(predictor, found)
    assert small.minimal
    assert certified(small)
    points, n = small.setting.points, small.setting.n
    for size in range(n):
        assert value_on(predictor, points, size) <= 3
    for point in points:
        assert value_on(predictor, tuple(p for p in points if p != point), n) <= 3
    assert value_on(predictor, points, n) == small.result.value > 3


def pairs(S: data.Sample[int]) -> Iterator[tuple[int, int]]:
    return zip(S.points, S.labels, strict=True)


def value_on(predictor: Program, points: tuple[object, ...], n: int) -> Fraction | float:
    value = audit.private_prediction(predictor, points, n).value
    assert not isinstance(value, arithmetic.Interval)
    return value


def test_the_class_of_a_learner_becomes_small_too() -> None:
    """The first hypothesis that is consistent is no private choice, of two or of twenty."""

    def learner(
        setting: again.Setting,
    ) -> Callable[[data.Sample[int]], data.FiniteDistribution[object]]:
        H = setting.hypotheses
        assert H is not None

        def law(S: data.Sample[int]) -> data.FiniteDistribution[object]:
            errors = [S.count_errors(h) for h in H]
            return data.FiniteDistribution.point_mass(
                tuple(H[errors.index(min(errors))](x) for x in H.domain)
            )

        return law

    H = classes.thresholds(4)
    found = audit.differential_privacy(learner(again.Setting(H.domain, 2, H)), H.domain, 2, claim=5)
    small = again.shrink_counterexample(learner, found, hypotheses=H)
    # Two hypotheses that differ at one point, and a sample of one example at that point.
    assert small.setting.hypotheses is not None
    assert len(small.setting.hypotheses) == 2
    assert (len(small.setting.points), small.setting.n) == (1, 1)
    assert small.minimal
    assert certified(small)


def test_the_parameter_becomes_simple() -> None:
    """Randomised response with flips of probability p needs the factor (1 - p)/p.

    So 3 fails below 1/4, and from 1/10 on 1/5 has the smallest denominator there.
    """

    def response(setting: again.Setting) -> Program:
        flip = setting.parameter
        assert flip is not None
        return lambda S, x, rng: S.labels[x] ^ rng.bernoulli(flip)

    p = Fraction(17, 100)
    start = again.Setting((0,), 1, None, p)
    found = audit.private_prediction(response(start), 1, 1, claim=arithmetic.Epsilon.exactly(3))
    bounds = Fraction(1, 10), HALF
    small = again.shrink_counterexample(response, found, parameter=p, bounds=bounds)
    assert small.setting.parameter == Fraction(1, 5)
    assert small.result.value == 4
    stopped = again.shrink_counterexample(response, found, parameter=p, bounds=bounds, max_audits=2)
    assert (stopped.minimal, stopped.audits, stopped.setting) == (False, 2, start)
    with pytest.raises(InvalidInput, match="a closed interval"):
        again.shrink_counterexample(response, found, parameter=p, bounds=(HALF, Fraction(0)))


@given(strategies.probabilities(), st.integers(0, 6), st.integers(6, 12))
def test_simpler_fractions_are_all_there_in_order(number: Fraction, low: int, high: int) -> None:
    a, b = Fraction(low, 12), Fraction(high, 12)
    everything = sorted(
        (q, p)
        for q in range(1, 13)
        for p in range(q + 1)
        if gcd(p, q) == 1 and a <= Fraction(p, q) <= b
    )
    wanted = [
        Fraction(p, q) for q, p in everything if (q, p) < (number.denominator, number.numerator)
    ]
    assert list(again.simpler_fractions(number, a, b)) == wanted


def test_a_mechanism_that_fails_on_small_settings_is_kept_large() -> None:
    def demanding(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
        if len(S) < 2:
            raise ValueError("two examples, please")
        return S.labels[0] if x in S.points else rng.bernoulli(HALF)

    found = audit.private_prediction(demanding, 2, 3, claim=1)
    small = again.shrink_counterexample(demanding, found)
    assert (len(small.setting.points), small.setting.n) == (1, 2)


def test_records_relation_and_delta_stay_what_they_were() -> None:
    def size(records: tuple[object, ...]) -> data.FiniteDistribution[object]:
        return data.FiniteDistribution({len(records): Fraction(2, 3), -1: Fraction(1, 3)})

    found = audit.differential_privacy(
        size, ["ab", "c"], 2, Fraction(1, 8), claim=1, labelled=False,
        relation=data.Neighbouring.ADD_REMOVE,
    )  # fmt: skip
    small = again.shrink_counterexample(size, found)
    instance = small.result.instance
    assert (small.setting.points, small.setting.n) == (("ab",), 1)
    assert (instance.relation, instance.delta) == (data.Neighbouring.ADD_REMOVE, Fraction(1, 8))
    assert instance.universe == ("ab",)
    assert certified(small)


def test_predictions_are_asked_for_where_they_were() -> None:
    def far(S: data.Sample[object], x: object, rng: randomness.Coins) -> int:
        return S.labels[0] if x == "far" else rng.bernoulli(HALF)

    found = audit.private_prediction(far, ["near", "by"], 1, claim=1, points=["near", "far"])
    small = again.shrink_counterexample(far, found)
    assert small.setting.points == ("near",)
    assert small.result.instance.points == ("near", "far")


def test_only_refutations_of_pairs_are_shrunk() -> None:
    def constant(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
        return rng.bernoulli(Fraction(len(S), len(S) + x + 1))

    found = audit.private_prediction(constant, 2, 1)
    refuses("without a claim", again.shrink_counterexample, constant, found)
    refuses("the verdict verified", again.shrink, lambda _: found, again.Setting((0, 1), 1))


def test_inaccuracy_becomes_small() -> None:
    def never(_: data.Sample[str]) -> data.FiniteDistribution[Callable[[str], int]]:
        return data.FiniteDistribution.point_mass(zero)

    examples = [data.Example("a", 0), data.Example("b", 1), data.Example("c", 1)]
    law = data.FiniteDistribution.uniform(examples)
    found = audit.accuracy(never, law, 3, 0, claim=HALF)
    assert found.value == Fraction(2, 3)
    small = again.shrink_counterexample(never, found)
    # On a and b, or a and c, the error is 1/2, as claimed; on b alone it is 1.
    assert (small.setting.points, small.setting.n, small.result.value) == (("b",), 1, 1)
    assert small.minimal
    assert certified(small)
    # Against a class that is no better, nothing is in excess; the class must be said again.
    best = audit.accuracy(never, law, 2, 0, claim="1/4", hypotheses=[one])
    assert (best.instance.optimum, best.value) == (Fraction(1, 3), Fraction(1, 3))
    refuses("against: got none, want the class", again.shrink_counterexample, never, best)
    assert again.shrink_counterexample(never, best, against=[one]).setting.points == ("b",)


def test_bad_generalization_becomes_small() -> None:
    def first(S: data.Sample[str]) -> data.FiniteDistribution[int]:
        return data.FiniteDistribution.point_mass(S.labels[0])

    def errs(label: int, z: data.Example[str]) -> bool:
        return label != z.label

    fair = data.FiniteDistribution.uniform(data.all_examples("xy"))
    found = audit.generalization(first, fair, 2, "1/4", claim="1/4", errs=errs)
    small = again.shrink_counterexample(first, found, errs=errs)
    # One example: no error on it, and 1/2 under the law of fair labels.
    assert (small.setting.points, small.setting.n, small.result.value) == (("x",), 1, HALF)
    assert certified(small)


def test_a_group_stays_a_group() -> None:
    def total(records: tuple[int, ...]) -> data.FiniteDistribution[object]:
        """Up to 2 of 3 records change the sum by 2 at most: the factor 4, where 3 is claimed."""
        k = sum(records)
        return data.FiniteDistribution({0: Fraction(1, 2 << k), 1: 1 - Fraction(1, 2 << k)})

    found = audit.group_privacy(total, 2, 3, 2, claim=arithmetic.Epsilon.exactly(3), labelled=False)
    small = again.shrink_counterexample(total, found)
    assert (small.setting.points, small.setting.n, small.result.value) == ((0, 1), 2, 4)
    assert small.result.instance.group_size == 2
    assert certified(small)


def test_distributions_are_conditioned_on_fewer_elements() -> None:
    die: data.FiniteDistribution[object] = data.FiniteDistribution.uniform([1, 2, 3])

    def reveal(sample: tuple[int, ...]) -> data.FiniteDistribution[object]:
        return data.FiniteDistribution.point_mass(sample)

    # One of two records is revealed whole: a test is off by 1/2 for sure; with one element by 0.
    robust = audit.robust_generalization(reveal, die, 2, 0, claim="1/4")
    small = again.shrink_counterexample(reveal, robust)
    assert (small.setting.points, small.setting.n, small.result.value) == ((1, 2), 1, HALF)
    assert small.result.instance.distribution == data.FiniteDistribution.uniform([1, 2])
    assert certified(small)
    # Two elements make two outputs of frequency 1/2, below a claim of 2/3; one element makes one.
    stable = again.shrink_counterexample(
        reveal, audit.global_stability(reveal, die, 2, claim="2/3")
    )
    assert (stable.setting.points, stable.setting.n, stable.result.value) == ((1, 2), 1, HALF)
    assert certified(stable)
    perfect = again.shrink_counterexample(
        reveal, audit.perfect_generalization(reveal, die, 2, "1/4", claim=1)
    )
    assert (perfect.setting.points, perfect.setting.n) == ((1, 2), 1)
    assert certified(perfect)
