"""The tables behind robust generalization when probabilities have no short denominator."""

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pac_stability.data import FiniteDistribution, Multiset, multiset_distribution
from pac_stability.notions import robust_generalization
from pac_stability.notions.by_type import laws_on
from pac_stability.notions.robust_generalization import (
    BestTests,
    conditional_failures,
    minimal_epsilon,
    optimal_adversary,
)

Law = FiniteDistribution[int]

seeds = st.integers(0, 10**6)
patching = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


def random_setting(seed: int) -> tuple[dict[Multiset[int], Law], FiniteDistribution[Multiset[int]]]:
    """Laws with denominators of their own, and some equal ones for ties."""
    rng = random.Random(seed)
    weights = [rng.randint(1, 3) for _ in range(4)]
    distribution = FiniteDistribution({z: Fraction(w, sum(weights)) for z, w in enumerate(weights)})
    samples = multiset_distribution(distribution, 3)
    laws = {}
    for sample in samples.support:
        parts = [rng.choice([0, 1, 2, 10**9 + rng.randint(0, 50)]) for _ in range(3)]
        parts[rng.randrange(3)] += 1
        laws[sample] = FiniteDistribution({y: Fraction(w, sum(parts)) for y, w in enumerate(parts)})
    return laws, samples


def symmetric(sample: Multiset[int]) -> Law:
    """All elements are alike: tests of one size tie."""
    twice = max(count for _, count in sample.items()) + len(sample.support)
    return FiniteDistribution({0: Fraction(1, 10**9 + twice), 1: 1 - Fraction(1, 10**9 + twice)})


@patching
@given(seeds, st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1)]))
def test_rounded_weights_give_the_exact_answers(
    monkeypatch: pytest.MonkeyPatch, seed: int, epsilon: Fraction
) -> None:
    laws, samples = random_setting(seed)
    # Without bits for exact weights all are rounded, to so few that fractions decide often.
    with monkeypatch.context() as patch:
        patch.setattr(robust_generalization, "_EXACT_BITS", 10**6)
        exact = BestTests(laws_on(laws, samples), samples)
        best, smallest = exact.best(epsilon), minimal_epsilon(laws, samples, "1/4")
    for bits in (3, 20, 95):
        with monkeypatch.context() as patch:
            patch.setattr(robust_generalization, "_EXACT_BITS", 0)
            patch.setattr(robust_generalization, "_ROUNDED_BITS", bits)
            rounded = BestTests(laws_on(laws, samples), samples)
            assert rounded.best(epsilon) == best
            assert rounded.ranked(epsilon, 3) == exact.ranked(epsilon, 3)
            assert minimal_epsilon(laws, samples, "1/4") == smallest
            # At the value itself bounds cannot tell.
            for bound in (best.failure, best.failure - Fraction(1, 10**40)):
                assert rounded.succeeds_more_often(epsilon, bound) == (bound < best.failure)


def test_many_denominators_are_rounded_and_ties_named_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    samples = multiset_distribution(FiniteDistribution.uniform(range(5)), 4)
    found = optimal_adversary(symmetric, samples, "1/4")
    monkeypatch.setattr(robust_generalization, "_EXACT_BITS", 0)
    assert optimal_adversary(symmetric, samples, "1/4") == found
    named = {y: FiniteDistribution.point_mass(test) for y, test in found.tests}
    judged = conditional_failures(symmetric, samples, named, "1/4")
    assert sum(weight * failure for weight, failure in judged) == found.failure


@pytest.mark.parametrize("bits", [256, 0])
def test_differences_beyond_the_digits_decide(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One draw; the output 1 is likelier by 10^-60 when 2 was drawn than when 1 was.

    With epsilon = 1/2 the tests {1} and {2} (of three equally likely elements) fail on the samples
    1 and 2, and {1, 2} on the sample 0; so the best test for output 1 is {2}.
    """
    monkeypatch.setattr(robust_generalization, "_EXACT_BITS", bits)
    tiny = Fraction(1, 10**60)
    chances = {0: Fraction(1, 4), 1: Fraction(1, 3), 2: Fraction(1, 3) + tiny}
    law: Callable[[tuple[int, ...]], Law] = lambda sample: FiniteDistribution(  # noqa: E731
        {1: chances[sample[0]], 0: 1 - chances[sample[0]]}
    )
    found = optimal_adversary(law, FiniteDistribution.uniform(range(3)).power(1), "1/2")
    # Output 0 has 3/4 on the sample 0, where {1, 2} fails.
    assert dict(found.tests) == {1: (2,), 0: (1, 2)}
    assert found.failure == (chances[2] + Fraction(3, 4)) / 3
