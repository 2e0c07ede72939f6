"""Differential privacy of tabulated mechanisms, against the inequality for every event."""

from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given, settings

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, Sample, data, testing
from pac_stability.notions import differential_privacy

PAIRS = [*data.neighbouring_pairs(data.all_examples("a"), 2)]
SAMPLES = sorted({sample for sample, _ in PAIRS}, key=repr)
EVENTS = [*chain.from_iterable(combinations(range(4), size) for size in range(5))]
Laws = Callable[[Sample[str]], FiniteDistribution[int]]


# A mechanism on the four samples of two examples at one point, with four outcomes.
mechanisms = testing.strategies.tables(SAMPLES, testing.strategies.weighted(range(4)))


def private(law: Laws, t: Fraction, delta: Fraction) -> bool:
    return all(
        sum(law(s).probability(y) for y in event)
        <= t * sum(law(other).probability(y) for y in event) + delta
        for s, other in PAIRS
        for event in EVENTS
    )


epsilons = testing.strategies.epsilons(5)
deltas = testing.strategies.probabilities(20)
LESS = Fraction(999, 1000)


@settings(max_examples=50)
@given(mechanisms, epsilons, deltas)
def test_holds_is_the_definition(law: Laws, epsilon: Epsilon, delta: Fraction) -> None:
    expected = private(law, epsilon.ratio, delta)
    assert differential_privacy.holds(law, PAIRS, epsilon, delta) == expected


@settings(max_examples=50)
@given(mechanisms, epsilons)
def test_the_minimal_delta_holds_and_no_smaller_one(law: Laws, epsilon: Epsilon) -> None:
    delta = differential_privacy.minimal_delta(law, PAIRS, epsilon)
    assert private(law, epsilon.ratio, delta)
    assert delta == 0 or not private(law, epsilon.ratio, delta * LESS)
    curve = differential_privacy.frontier(law, iter(PAIRS))
    assert curve.minimal_delta(epsilon) == delta


@settings(max_examples=50)
@given(mechanisms, deltas)
def test_the_minimal_epsilon_holds_and_no_smaller_one(law: Laws, delta: Fraction) -> None:
    factor = differential_privacy.minimal_epsilon(law, PAIRS, delta)
    if isinstance(factor, Fraction):
        assert private(law, factor, delta)
        assert factor == 1 or not private(law, factor * LESS, delta)
    else:
        assert not private(law, Fraction(10**9), delta)
    curve = differential_privacy.frontier(law, iter(PAIRS))
    assert curve.minimal_epsilon(delta) == factor


def test_pairs_are_taken_in_both_orders() -> None:
    def law(bit: int) -> FiniteDistribution[int]:
        return FiniteDistribution.uniform(range(1 + bit))

    for pair in ((0, 1), (1, 0)):
        assert differential_privacy.minimal_delta(law, [pair], Epsilon.exactly(5)) == Fraction(1, 2)


def test_nothing_examined_is_refused() -> None:
    epsilon = Epsilon.exactly(1)
    for attempt in (
        lambda: differential_privacy.minimal_epsilon(FiniteDistribution.point_mass, []),
        lambda: differential_privacy.minimal_delta(FiniteDistribution.point_mass, [], epsilon),
        lambda: differential_privacy.holds(FiniteDistribution.point_mass, [], epsilon),
        lambda: differential_privacy.frontier(FiniteDistribution.point_mass, []),
    ):
        with pytest.raises(InvalidInput, match="pairs: got none, want at least one"):
            attempt()
