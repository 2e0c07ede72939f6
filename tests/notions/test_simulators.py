"""Simulators that are written down, not searched for."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, FiniteDistribution, Interval, InvalidInput, Multiset, data
from pac_stability.notions import by_type, closeness, perfect_generalization, simulators
from pac_stability.testing import strategies

Law = FiniteDistribution[int]
SKEWED = FiniteDistribution({0: Fraction(1, 3), 1: Fraction(2, 3)})


def tilted(base: Fraction) -> dict[Multiset[int], Law]:
    """Laws on the multisets of 8 bits: the odds of answer 1 are base to the power #1s - #0s.

    One replaced bit changes the odds by base^2, so the mechanism is (ln base^2, 0)-private.
    """
    laws = {}
    for k in range(9):
        odds = base ** (2 * k - 8)
        law = FiniteDistribution({1: odds / (1 + odds), 0: 1 / (1 + odds)})
        laws[Multiset.of((0,) * (8 - k) + (1,) * k)] = law
    return laws


@given(strategies.probabilities(30), st.integers(1, 3))
def test_coverage_is_the_weight_of_the_close_laws(q: Fraction, n: int) -> None:
    samples = SKEWED.power(n)
    laws = {
        s: FiniteDistribution({0: Fraction(1 + sum(s), n + 2), 1: Fraction(n + 1 - sum(s), n + 2)})
        for s in samples.support
    }
    simulator = FiniteDistribution({0: q, 1: 1 - q})
    t, delta = Fraction(3, 2), Fraction(1, 10)
    expected = Fraction(0)
    for s, weight in samples.items():
        p = laws[s].probability(0)
        # Definition 6 on the two events that matter.
        pairs = [(p, q), (1 - p, 1 - q)]
        if all(x <= t * y + delta and y <= t * x + delta for x, y in pairs):
            expected += weight
    assert simulators.coverage(simulator, laws, samples, Epsilon.exactly(t), delta) == expected


def test_the_arithmetic_mean_is_the_law_on_a_random_sample() -> None:
    laws = {0: FiniteDistribution.uniform("ab"), 1: FiniteDistribution.point_mass("a")}
    assert simulators.arithmetic_mean(laws, SKEWED) == FiniteDistribution(
        {"a": Fraction(5, 6), "b": Fraction(1, 6)}
    )


def test_the_geometric_mean_is_near_the_irrational_one() -> None:
    laws = {
        0: FiniteDistribution({"a": Fraction(1, 2), "b": Fraction(1, 4), "c": Fraction(1, 4)}),
        1: FiniteDistribution({"a": Fraction(1, 8), "b": Fraction(7, 8)}),
    }
    # c is not always possible. The mean of a is 2^-1/3 8^-2/3 = 2^-7/3; of b 4^-1/3 (7/8)^2/3.
    a, b = 2 ** (-7 / 3), 4 ** (-1 / 3) * (7 / 8) ** (2 / 3)
    found = simulators.geometric_mean(laws, SKEWED)
    assert found.support == ("a", "b")
    assert math.isclose(found.probability("a"), a / (a + b), rel_tol=1e-12)
    with pytest.raises(InvalidInput, match="laws: got no outcome that is possible on all samples"):
        simulators.geometric_mean(FiniteDistribution.point_mass, SKEWED)


@pytest.mark.parametrize("base", [Fraction(9, 8), Fraction(5, 4), Fraction(3, 2)])
@pytest.mark.parametrize("beta", [Fraction(1, 10), Fraction(1, 2)])
def test_privacy_gives_perfect_generalization(base: Fraction, beta: Fraction) -> None:
    """Theorem 39: (eps, 0)-privacy is (beta, eps sqrt(2 n ln(2 |R| / beta)), 0)-generalization.

    The geometric mean is the simulator. Here n = 8 and |R| = 2.
    """
    laws = tilted(base)
    samples = data.multiset_distribution(FiniteDistribution.uniform([0, 1]), 8)
    neighbours = [
        closeness.minimal_epsilon(p, q)
        for p, q in zip(laws.values(), list(laws.values())[1:], strict=False)
    ]
    assert max(neighbours) <= base**2
    bound = Interval.log(base**2) * Interval.sqrt(16 * Interval.log(4 / beta))
    simulator = simulators.geometric_mean(laws, samples)
    assert simulators.coverage(simulator, laws, samples, Epsilon(bound.upper)) >= 1 - beta
    best = perfect_generalization.minimal_beta(laws, samples, Epsilon(bound.upper))
    assert (
        best.upper
        <= 1 - simulators.coverage(simulator, laws, samples, Epsilon(bound.upper))
        <= beta
    )


def test_those_to_try_are_the_means_and_the_likeliest_laws() -> None:
    samples = data.multiset_distribution(FiniteDistribution.uniform([0, 1]), 8)
    laws = tilted(Fraction(3, 2))
    tried = list(simulators.simulators_to_try(by_type.law_classes(laws, samples)))
    assert tried[0] == simulators.arithmetic_mean(laws, samples)
    assert tried[1] == simulators.geometric_mean(laws, samples)
    assert tried[2] == FiniteDistribution.uniform([0, 1])  # of 4 ones, the likeliest number
    assert set(tried[2:]) == set(laws.values())


def test_groups_have_the_samples_of_one_law() -> None:
    samples = SKEWED.power(2)
    groups = by_type.law_classes(lambda s: FiniteDistribution.point_mass(sum(s)), samples)
    assert [(g.weight, g.samples) for g in groups] == [
        (Fraction(4, 9), ((0, 1), (1, 0))),
        (Fraction(4, 9), ((1, 1),)),
        (Fraction(1, 9), ((0, 0),)),
    ]
