"""Algorithm 1 and Lemma 29: the rational learner and its rational simulator keep the guarantee."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, Interval, InvalidInput, classes, mechanisms, randomness
from pac_stability.data import (
    ArraySample,
    Example,
    FiniteDistribution,
    Sample,
    all_examples,
    multiset_distribution,
    neighbouring_multisets,
)
from pac_stability.notions import by_type, closeness, differential_privacy, perfect_generalization
from pac_stability.notions.simulators import coverage
from pac_stability.papers.cummings_et_al import algorithm_1
from shared_refusals import refuses

BITS = 256
NESTED = classes.FiniteClass([[0, 0], [0, 1], [1, 1]])


def ideal_exponent(count: int, n: int, beta: Fraction, epsilon: Epsilon) -> Interval:
    """c/n as it is printed, for the temperature c of Algorithm 1."""
    c = epsilon.interval(BITS) * Interval.sqrt(n, BITS)
    return c / Interval.sqrt(2 * Interval.log(2 * count / beta, BITS), BITS) / n


@settings(max_examples=50)
@given(
    st.integers(1, 10**6),
    st.integers(1, 10**12),
    st.fractions(min_value=Fraction(1, 10**6), max_value=Fraction(999, 1000)),
    st.fractions(min_value=Fraction(1, 10**6), max_value=50),
)
def test_the_decay_never_spends_more_than_epsilon_and_nearly_all(
    count: int, n: int, beta: Fraction, size: Fraction
) -> None:
    epsilon = Epsilon(size)
    learner = algorithm_1.GenericAgnosticLearner(NESTED, beta, epsilon)
    # The decay depends on the number of hypotheses only.
    object.__setattr__(learner, "hypotheses", range(count))
    spent = Interval.log(1 / learner.decay(n), BITS)
    ideal = ideal_exponent(count, n, beta, epsilon)
    # What is left is the room of the simulator: a 2**-30th for its rounding.
    assert spent <= ideal * (1 - Fraction(1, 1 << 30))
    # Sample sizes rely on this.
    assert spent >= ideal * (1 - Fraction(1, 1 << 28))


@given(st.data())
def test_the_law_weighs_each_error_by_the_decay(data: st.DataObject) -> None:
    H = classes.random_class(data.draw(st.integers(1, 5)), 3, seed=data.draw(st.integers(0, 10**6)))
    examples = list(all_examples(range(3)))
    drawn = data.draw(st.lists(st.sampled_from(examples), min_size=1, max_size=7))
    learner = algorithm_1.GenericAgnosticLearner(H, "1/7", Fraction(3, 2))
    r = learner.decay(len(drawn))
    weights = [r ** sum(h(z.point) != z.label for z in drawn) for h in H]
    law = learner.law(Sample.from_examples(drawn))
    assert [law.probability(h) for h in H] == [weight / sum(weights) for weight in weights]


def test_any_hypotheses_can_be_learned() -> None:
    thresholds = classes.Thresholds().restrict([1, 2]).representatives
    learner = algorithm_1.GenericAgnosticLearner(thresholds, "1/10", 4)
    law = learner.law(ArraySample([0.5, 1.5, 2.5], [0, 0, 1]))
    r = learner.decay(3)
    errors = [sum(h(x) != y for x, y in [(0.5, 0), (1.5, 0), (2.5, 1)]) for h in thresholds]
    total = sum(r**k for k in errors)
    assert [law.probability(h) for h in thresholds] == [r**k / total for k in errors]


weights_of_examples = st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any)


@settings(max_examples=50)
@given(
    weights_of_examples,
    st.integers(1, 6),
    st.fractions(min_value=Fraction(1, 50), max_value=Fraction(9, 10)),
    st.sampled_from([Fraction(1, 1000), Fraction(1, 2), Fraction(4)]),
    st.integers(0, 10**6),
)
def test_lemma_29(
    numerators: list[int], n: int, beta: Fraction, epsilon: Fraction, seed: int
) -> None:
    """The simulator misses samples of probability at most beta, with both laws rational."""
    examples = list(all_examples("ab"))
    total = sum(numerators)
    D = FiniteDistribution(
        {z: Fraction(k, total) for z, k in zip(examples, numerators, strict=True) if k}
    )
    table = classes.random_class(3, 2, seed=seed).table
    learner = algorithm_1.GenericAgnosticLearner(classes.FiniteClass(table, "ab"), beta, epsilon)
    laws = by_type.learner_laws_by_type(learner.law, D.support, n, symmetric=True)
    simulator = learner.simulator(n).law(D)
    covered = coverage(simulator, laws.laws, multiset_distribution(D, n), learner.epsilon)
    assert covered >= 1 - beta


@pytest.mark.parametrize("epsilon", [Fraction(40), Fraction(1, 100), Fraction(1, 10**12)])
def test_the_simulator_rounds_within_the_room_that_the_learner_leaves(epsilon: Fraction) -> None:
    H = classes.FiniteClass([[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 1]])
    D = FiniteDistribution(
        {
            z: Fraction(k, 20)
            for z, k in zip(all_examples(range(3)), (1, 2, 3, 4, 3, 7), strict=True)
        }
    )
    n = 1000
    learner = algorithm_1.GenericAgnosticLearner(H, "1/20", epsilon)
    law = learner.simulator(n).law(D)
    errors = [D.expectation(lambda z, h=h: int(h(z.point) != z.label)) for h in H]  # type: ignore[misc]  # a default is bound
    logarithm = Interval.log(learner.decay(n), BITS)
    weights = [Interval.exp(logarithm * (n * e), BITS) for e in errors]
    total = sum(weights, Interval.exactly(0))
    room = learner.epsilon.interval(BITS) * Fraction(1, 1 << 30)
    for h, weight in zip(H, weights, strict=True):
        ratio = Interval.log(law.probability(h) * total / weight, BITS)
        assert -room <= ratio
        assert ratio <= room


def test_where_the_distribution_has_whole_errors_the_simulator_is_nearly_the_learner() -> None:
    """err(h) = err(S, h) for D = E_S: then learner and simulator have the same weights."""
    S = Sample([0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    learner = algorithm_1.GenericAgnosticLearner(NESTED, "1/10", 2)
    D = FiniteDistribution({z: Fraction(list(S).count(z), 5) for z in S})
    simulated = learner.simulator(5).law(D)
    factor = closeness.minimal_epsilon(learner.law(S), simulated)
    assert 1 <= factor < 1 + Fraction(1, 1 << 28)


def test_privacy_is_two_c_over_n() -> None:
    learner = algorithm_1.GenericAgnosticLearner(NESTED, "1/10", 1)
    n = 5
    guarantee = learner.at(n).guarantee
    pairs = [
        (Sample.from_examples(a.elements()), Sample.from_examples(b.elements()))
        for a, b in neighbouring_multisets(all_examples(range(2)), n)
    ]
    exact = differential_privacy.minimal_epsilon(learner.law, pairs)
    assert 1 < exact <= guarantee.factor
    twice = ideal_exponent(3, n, Fraction(1, 10), learner.epsilon) * 2
    assert Interval.log(guarantee.factor, BITS) <= twice
    assert guarantee.delta == 0


def test_how_loose_lemma_29_is() -> None:
    """On a fair coin and n = 12 half of epsilon would do; the best simulator is little better."""
    learner = algorithm_1.GenericAgnosticLearner(NESTED, "1/10", Fraction(1, 2))
    D = FiniteDistribution.uniform([Example(0, 0), Example(0, 1)])
    n, samples = 12, multiset_distribution(D, 12)
    laws = by_type.learner_laws_by_type(learner.law, D.support, n, symmetric=True).laws
    simulator = learner.simulator(n).law(D)
    missed = 1 - coverage(simulator, laws, samples, Epsilon(0.5))
    # The weights are farthest from the true ones when all labels are alike: then a law is off by
    # the factor (1 + 2 e**c)/3 = e**0.441 at most, with c = 0.605.
    assert missed == 0
    best = perfect_generalization.minimal_epsilon(laws, samples, Fraction(1, 10))
    reached = 1 - coverage(simulator, laws, samples, Epsilon(Fraction(21, 100)))
    assert reached <= Fraction(1, 10)
    assert math.log(best.upper) < 0.21
    assert math.log(best.lower) > 0.15


def test_a_draw_from_300_000_examples_is_a_draw_from_the_law() -> None:
    rng = np.random.default_rng(7)
    table = rng.integers(0, 2, (300, 40))
    H = classes.FiniteClass(table)
    points = rng.integers(0, 40, 300_000)
    # Row 5 with two labels of five turned round; for the other rows about half are wrong.
    labels = table[5][points] ^ (rng.random(300_000) < 0.4)
    S = ArraySample(points, labels)
    learner = algorithm_1.GenericAgnosticLearner(H, "1/20", Fraction(1, 2))
    errors = [int((row[points] != labels).sum()) for row in table]
    r = learner.decay(300_000)
    weights = np.exp((np.array(errors) - min(errors)) * math.log(r))
    assert 0.3 < float(weights[5] / weights.sum()) < 0.95
    for seed in range(6):
        drawn = learner.run(S, randomness.SeededCoins(seed))
        assert drawn.index == mechanisms.exponential_choice(errors, r, randomness.SeededCoins(seed))
    assert learner.run(Sample(points.tolist(), labels.tolist()), randomness.SeededCoins(5)) == drawn


def test_bad_input() -> None:
    refuses("hypotheses: got none", algorithm_1.GenericAgnosticLearner, [], "1/10", 1)
    refuses("beta: got 1", algorithm_1.GenericAgnosticLearner, NESTED, 1, 1)
    refuses("epsilon: got 0", algorithm_1.GenericAgnosticLearner, NESTED, "1/10", 0)
    learner = algorithm_1.GenericAgnosticLearner(NESTED, "1/10", 1)
    refuses("sample: got 0 examples, want at least 1", learner.law, Sample([], []))
    with pytest.raises(InvalidInput, match="a Sample or an ArraySample"):
        learner.run([(0, 1)])  # type: ignore[arg-type]  # what is tested
    refuses("n: got 0", learner.simulator, 0)
    with pytest.raises(InvalidInput, match="a FiniteDistribution of examples"):
        learner.simulator(3).law(FiniteDistribution.uniform([0, 1]))  # type: ignore[list-item]  # what is tested


def test_what_is_no_hypothesis_and_no_learner_is_refused() -> None:
    given: list[Any] = ["no function"]
    with pytest.raises(InvalidInput, match="hypotheses: got 'no function', want a function"):
        algorithm_1.GenericAgnosticLearner(given, "1/10", 1)
    learner: Any = NESTED
    refuses("learner: got", algorithm_1.GenericAgnosticSimulator, learner, 5)
    for n in (0, True, 1.5):
        size: Any = n
        with pytest.raises(InvalidInput, match="n: got"):
            algorithm_1.GenericAgnosticSimulator(
                algorithm_1.GenericAgnosticLearner(NESTED, "1/10", 1), size
            )
