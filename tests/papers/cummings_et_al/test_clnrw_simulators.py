"""Simulators: against the definition of closeness written out, and against one another."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, Interval, InvalidInput, SeededCoins
from pac_stability.data import FiniteDistribution, Mechanism, Multiset, multisets
from pac_stability.papers.cummings_et_al.separations import NoisyMajority, StrangeNormal
from pac_stability.papers.cummings_et_al.simulators import (
    Advantage,
    ArithmeticMeanSimulator,
    Experiment,
    FixedSampleSimulator,
    GeometricMeanSimulator,
    OptimalSimulator,
    advantage,
    simulate,
)
from pac_stability.testing import strategies
from shared_refusals import refuses

Bits = tuple[int, ...]
Law = FiniteDistribution[str]
Bit = FiniteDistribution[int]

FACTORS = st.sampled_from([Fraction(1), Fraction(6, 5), Fraction(2), Fraction(7, 2)])
SHARES = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(2, 3)])


def experiments(
    outcomes: str = "abc", least: int = 0
) -> st.SearchStrategy[Experiment[int, Multiset[int], str]]:
    laws = strategies.weighted(outcomes, 6, min_weight=least)
    drawn = strategies.mechanisms_on_datasets([0, 1], laws, max_size=3, symmetric=True)
    return drawn.map(
        lambda pair: Experiment.on_types(lambda kind: pair[1].law(kind.elements()), pair[0])
    )


COINS = strategies.weighted([0, 1], 4, min_weight=1)


def point(sample: Bits) -> FiniteDistribution[Bits]:
    return FiniteDistribution.point_mass(sample)


def majority_law(mechanism: NoisyMajority) -> Callable[[Multiset[int]], Bit]:
    return mechanism.law


def sequences(
    experiment: Experiment[int, Multiset[int], str], coin: Bit
) -> list[tuple[Fraction, Law]]:
    """Every ordered sample with its probability and the law of the output on it."""
    return [
        (
            math.prod((coin.probability(bit) for bit in bits), start=Fraction(1)),
            experiment.law(Multiset.of(bits)),
        )
        for bits in product([0, 1], repeat=experiment.n)
    ]


def close(p: Law, q: Law, factor: Fraction, delta: Fraction) -> bool:
    """Definition 6, over all events."""
    outcomes = sorted({*p.support, *q.support})
    for chosen in product([0, 1], repeat=len(outcomes)):
        event = [o for o, inside in zip(outcomes, chosen, strict=True) if inside]
        a = sum((p.probability(o) for o in event), Fraction())
        b = sum((q.probability(o) for o in event), Fraction())
        if a > factor * b + delta or b > factor * a + delta:
            return False
    return True


@given(experiments(), COINS, strategies.weighted("abc", 6), FACTORS, SHARES)
def test_beta_is_the_mass_of_samples_that_are_not_close(
    experiment: Experiment[int, Multiset[int], str],
    coin: Bit,
    simulated: Law,
    factor: Fraction,
    delta: Fraction,
) -> None:
    classes = advantage(experiment, ArithmeticMeanSimulator(experiment), coin).classes
    found = Advantage(simulated, classes)
    missed = sum(
        (w for w, law in sequences(experiment, coin) if not close(law, simulated, factor, delta)),
        Fraction(),
    )
    assert found.beta(Epsilon.exactly(factor), delta) == missed


@given(experiments(), COINS, FACTORS, SHARES)
def test_delta_and_epsilon_are_the_least_that_beta_allows(
    experiment: Experiment[int, Multiset[int], str], coin: Bit, factor: Fraction, beta: Fraction
) -> None:
    found = advantage(experiment, ArithmeticMeanSimulator(experiment), coin)
    epsilon, tiny = Epsilon.exactly(factor), Fraction(1, 10**9)
    delta = found.delta(beta, epsilon)
    assert found.beta(epsilon, delta) <= beta
    if delta > 0:
        assert found.beta(epsilon, delta - min(tiny, delta)) > beta
    least = found.epsilon(beta, delta)
    assert isinstance(least, Fraction)
    assert least <= factor
    assert found.beta(Epsilon.exactly(least), delta) <= beta
    if least > 1 + tiny:
        assert found.beta(Epsilon.exactly(least - tiny), delta) > beta


@given(experiments(), COINS, strategies.weighted("abc", 6), FACTORS, SHARES)
def test_the_joint_frontier_is_that_of_pairs_and_follows_from_beta_and_delta(
    experiment: Experiment[int, Multiset[int], str],
    coin: Bit,
    simulated: Law,
    factor: Fraction,
    delta: Fraction,
) -> None:
    classes = advantage(experiment, ArithmeticMeanSimulator(experiment), coin).classes
    found, epsilon = Advantage(simulated, classes), Epsilon.exactly(factor)
    there = back = Fraction()
    for weight, law in sequences(experiment, coin):
        for outcome in "abc":
            p, q = weight * law.probability(outcome), weight * simulated.probability(outcome)
            there += max(Fraction(), p - factor * q)
            back += max(Fraction(), q - factor * p)
    assert found.joint.minimal_delta(epsilon) == max(there, back)
    beta = found.beta(epsilon, delta)
    assert found.joint.minimal_delta(epsilon) <= beta + (1 - beta) * delta
    assert found.output_alone.minimal_delta(epsilon) <= found.joint.minimal_delta(epsilon)


@given(experiments(), COINS)
def test_without_the_sample_the_mean_law_is_the_real_one(
    experiment: Experiment[int, Multiset[int], str], coin: Bit
) -> None:
    found = advantage(experiment, ArithmeticMeanSimulator(experiment), coin)
    assert found.output_alone.minimal_delta(Epsilon(0)) == 0


@given(experiments("ab", least=1), COINS, SHARES)
def test_nothing_beats_the_optimal_simulator_on_two_outcomes(
    experiment: Experiment[int, Multiset[int], str], coin: Bit, beta: Fraction
) -> None:
    best = OptimalSimulator(experiment, beta=beta)
    bounds = best.found(coin)
    reached = advantage(experiment, best, coin).epsilon(beta)
    assert reached <= bounds.upper
    assert bounds.upper - bounds.lower < Fraction(1, 2**90)
    centre = FixedSampleSimulator.central(experiment.law, [0, 1], experiment.n)
    others: list[Mechanism[Bit, str]] = [
        GeometricMeanSimulator(experiment),
        ArithmeticMeanSimulator(experiment),
        centre,
    ]
    for other in others:
        assert advantage(experiment, other, coin).epsilon(beta) >= bounds.lower
        epsilon = Epsilon.exactly(2)
        fewest = OptimalSimulator(experiment, epsilon=epsilon)
        missed = advantage(experiment, other, coin).beta(epsilon)
        assert advantage(experiment, fewest, coin).beta(epsilon) <= missed


def test_the_geometric_mean_is_proportional_to_the_products_of_the_laws() -> None:
    # One fair bit, laws (1/10, 9/10) and (9/10, 1/10) on two outcomes of three, and a third one of
    # probability 0 on one sample: products 9/100 each for the first two, 0 for the third.
    table: Mapping[Multiset[int], Law] = {
        Multiset.of([0]): FiniteDistribution({"a": Fraction(1, 10), "b": Fraction(9, 10)}),
        Multiset.of([1]): FiniteDistribution(
            {"a": Fraction(8, 10), "b": Fraction(1, 10), "c": Fraction(1, 10)}
        ),
    }
    fair = FiniteDistribution.uniform([0, 1])
    mean = GeometricMeanSimulator(Experiment.on_types(table.__getitem__, 1)).law(fair)
    # sqrt(8/100) to sqrt(9/100).
    assert mean.probability("c") == 0
    ratio = (mean.probability("a") / mean.probability("b")) ** 2
    assert abs(ratio - Fraction(8, 9)) < Fraction(1, 2**50)


@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize("bias", [Fraction(1, 2), Fraction(1, 7)])
def test_the_geometric_mean_keeps_what_theorem_39_promises(n: int, bias: Fraction) -> None:
    mechanism = NoisyMajority(n, Epsilon.exactly("11/10"))
    experiment = Experiment.on_types(majority_law(mechanism), n)
    coin = FiniteDistribution({1: bias, 0: 1 - bias})
    found = advantage(experiment, GeometricMeanSimulator(experiment), coin)
    for beta in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)):
        # epsilon sqrt(2 n ln(2 |R| / beta)) = 2 tau for |R| = 2. Jensen's inequality bounds the
        # quotient of the normalising sums by 1 on one side, and Hoeffding's by
        # exp(n epsilon^2 / 8) on the other, so tau + min(tau, n epsilon^2 / 8) is enough.
        epsilon = mechanism.epsilon.interval()
        tau = epsilon * Interval.sqrt(n * Interval.log(4 / beta) / 2)
        reached = found.epsilon(beta)
        assert isinstance(reached, Fraction)
        assert Interval.log(reached) <= tau * 2
        assert Interval.log(reached) <= tau + n * epsilon * epsilon / 8


@given(st.integers(1, 3), st.integers(0, 5))
def test_the_central_type_is_as_near_to_all_types_as_one_can_be(m: int, n: int) -> None:
    def distance(one: Multiset[int], other: Multiset[int]) -> int:
        return n - sum(min(count, other.count(e)) for e, count in one.items())

    types = list(multisets(range(m), n))
    central = FixedSampleSimulator.central(FiniteDistribution.point_mass, range(m), n)
    assert central.radius == max(distance(central.sample, other) for other in types)
    assert central.radius == min(max(distance(one, other) for other in types) for one in types)


@pytest.mark.parametrize("n", range(1, 9))
def test_group_privacy_holds_everywhere_and_is_attained_by_the_noisy_majority(n: int) -> None:
    mechanism = NoisyMajority(n, Epsilon.exactly("3/2"))
    experiment = Experiment.on_types(majority_law(mechanism), n)
    coin = FiniteDistribution({1: Fraction(1, 3), 0: Fraction(2, 3)})
    simulator = FixedSampleSimulator.central(majority_law(mechanism), [0, 1], n)
    epsilon, delta = simulator.guarantee(mechanism.epsilon)
    assert simulator.radius == (n + 1) // 2
    assert delta == 0
    reached = advantage(experiment, simulator, coin).epsilon(0)
    assert reached <= epsilon.ratio
    if n % 2 == 0:  # 1/2 against r**-n / 2, and r**n = e**(n/2 epsilon)
        assert reached == epsilon.ratio == Fraction(3, 2) ** n


def test_group_privacy_with_delta_sums_a_geometric_series() -> None:
    simulator = FixedSampleSimulator[int, Bits, Bits](point, (0, 0, 0), radius=3)
    assert simulator.guarantee(Epsilon.exactly(2), "1/100") == (
        Epsilon.exactly(8),
        Fraction(7, 100),
    )
    alone = FixedSampleSimulator[int, Bits, Bits](point, (), radius=0)
    assert alone.guarantee(Epsilon.exactly(2), "1/100") == (Epsilon.exactly(1), Fraction())


def test_ordered_samples_are_simulated_when_the_order_matters() -> None:
    strange = StrangeNormal(3)
    experiment = Experiment(strange.mechanism.law, 3, FiniteDistribution[int].power)
    simulator = FixedSampleSimulator[int, Bits, str](strange.mechanism.law, (0, 0, 0), radius=3)
    found = advantage(experiment, simulator, strange.worst)
    assert found.beta(Epsilon(5), "99/100") == Fraction(4, 27)
    assert found.joint.minimal_delta(Epsilon(0)) == Fraction(4, 27)
    assert found.epsilon(Fraction(4, 27)) == 1
    assert found.epsilon("1/7") == math.inf  # 1/7 < 4/27


def test_a_simulated_output_has_the_law_of_the_simulator() -> None:
    coin = FiniteDistribution({1: Fraction(1, 4), 0: Fraction(3, 4)})

    def ones(kind: Multiset[int]) -> Bit:
        return FiniteDistribution.point_mass(kind.count(1))

    counts = Experiment.on_types(ones, 2)
    simulator = ArithmeticMeanSimulator(counts)
    rng = SeededCoins(7)
    drawn = [simulate(simulator, coin, rng) for _ in range(4000)]
    # Expected 2250, 1500, 250 with standard deviations below 32.
    for outcome, expected in ((0, 2250), (1, 1500), (2, 250)):
        assert simulator.law(coin).probability(outcome) == Fraction(expected, 4000)
        assert abs(drawn.count(outcome) - expected) < 200


def test_bad_input_is_refused() -> None:
    def zero(_: Multiset[int]) -> Bit:
        return FiniteDistribution.point_mass(0)

    point = Experiment.on_types(zero, 1)
    fair = FiniteDistribution.uniform([0, 1])
    refuses("n: got -1", Experiment.on_types, point.law, -1)
    with pytest.raises(InvalidInput, match="distribution: "):
        simulate(ArithmeticMeanSimulator(point), {0: 1})  # type: ignore[arg-type]  # on purpose
    with pytest.raises(InvalidInput, match="distribution: "):
        FixedSampleSimulator(point.law, Multiset.of([0]), 1).law("fair")  # type: ignore[arg-type]  # on purpose
    refuses("both of epsilon and beta", OptimalSimulator, point, epsilon=Epsilon(1), beta=0)
    refuses("none of epsilon and beta", OptimalSimulator, point)
    refuses("beta: got 1", advantage(point, ArithmeticMeanSimulator(point), fair).epsilon, 1)
    refuses("delta: ", advantage(point, ArithmeticMeanSimulator(point), fair).beta, Epsilon(1), 2)
    refuses("elements: got none", FixedSampleSimulator.central, point.law, [], 2)
    refuses("radius", FixedSampleSimulator, point.law, Multiset.of([0]), -1)
