"""Group privacy: which pairs are in a group, and bounds that hold and are attained."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, Sample, testing
from pac_stability.notions import differential_privacy, group_privacy
from shared_refusals import refuses

Bits = tuple[int, ...]
SAMPLES: list[Bits] = [*product(range(2), repeat=3)]


# A mechanism on three bits with three outcomes.
mechanisms = testing.strategies.tables(SAMPLES, testing.strategies.weighted(range(3)))


def test_pairs_are_those_within_the_distance() -> None:
    # Of 3 bits: 12 pairs at distance 1, 12 at distance 2, 4 at distance 3.
    for size, expected in ((1, 12), (2, 24), (3, 28), (9, 28)):
        pairs = [*group_privacy.group_pairs(iter(SAMPLES), size)]
        assert len({frozenset(pair) for pair in pairs}) == len(pairs) == expected
        assert all(1 <= sum(a ^ b for a, b in zip(*pair, strict=True)) <= size for pair in pairs)


def test_samples_of_examples_have_a_distance() -> None:
    assert group_privacy.hamming_distance(Sample("aab", [0, 1, 1]), Sample("aab", [1, 1, 0])) == 2
    assert group_privacy.hamming_distance((), ()) == 0


@settings(max_examples=50)
@given(mechanisms, testing.strategies.epsilons(3), st.integers(1, 3))
def test_the_bound_holds_for_groups(
    law: Callable[[Bits], FiniteDistribution[int]], epsilon: Epsilon, size: int
) -> None:
    single = [
        (s, t) for s, t in product(SAMPLES, repeat=2) if group_privacy.hamming_distance(s, t) == 1
    ]
    delta = differential_privacy.minimal_delta(law, single, epsilon)
    total, bound = group_privacy.bound(epsilon, delta, size)
    assert total == epsilon * size
    assert group_privacy.minimal_delta(law, SAMPLES, size, total) <= bound
    assert bound <= group_privacy.simpler_delta(epsilon, delta, size)
    assert group_privacy.holds(law, SAMPLES, size, total, min(bound, Fraction(1)))


@settings(max_examples=50)
@given(mechanisms, testing.strategies.probabilities(10))
def test_groups_of_one_are_neighbours(
    law: Callable[[Bits], FiniteDistribution[int]], delta: Fraction
) -> None:
    single = [
        (s, t) for s, t in product(SAMPLES, repeat=2) if group_privacy.hamming_distance(s, t) == 1
    ]
    expected = differential_privacy.minimal_epsilon(law, single, delta)
    assert group_privacy.minimal_epsilon(law, SAMPLES, 1, delta) == expected


@pytest.mark.parametrize("t", [Fraction(1), Fraction(3, 2), Fraction(3)])
def test_the_bound_is_attained(t: Fraction) -> None:
    # The event "yes" is impossible without ones, and each one more makes it as likely as
    # (epsilon, delta) lets it be.
    epsilon, delta = Epsilon.exactly(t), Fraction(1, 100)
    yes = [delta * sum((t**i for i in range(ones)), Fraction()) for ones in range(4)]

    def law(sample: Bits) -> FiniteDistribution[str]:
        return FiniteDistribution({"yes": yes[sum(sample)], "no": 1 - yes[sum(sample)]})

    for size in (1, 2, 3):
        total, bound = group_privacy.bound(epsilon, delta, size)
        assert group_privacy.minimal_delta(law, SAMPLES, size, total) == bound
        simpler = group_privacy.simpler_delta(epsilon, delta, size)
        assert simpler == size * t ** (size - 1) * delta
        assert (simpler > bound) == (t > 1 and size > 1)


def test_pure_privacy_of_a_group_is_attained_by_independent_bits() -> None:
    def told(sample: Bits) -> FiniteDistribution[Bits]:
        noise = FiniteDistribution({0: Fraction(2, 3), 1: Fraction(1, 3)}).power(3)
        return noise.map(lambda flips: tuple(b ^ f for b, f in zip(sample, flips, strict=True)))

    for size in (1, 2, 3):
        assert group_privacy.minimal_epsilon(told, SAMPLES, size) == Fraction(2) ** size
        assert not group_privacy.holds(told, SAMPLES, size, Epsilon.exactly(Fraction(3, 2)))


def test_bad_arguments_are_named() -> None:
    refuses("size: got 0", group_privacy.group_pairs, SAMPLES, 0)
    refuses("size: got 0", group_privacy.bound, Epsilon.exactly(2), 0, 0)
    refuses("size: got 0", group_privacy.simpler_delta, Epsilon.exactly(2), 0, 0)
    refuses("other: got sizes 1 and 2", group_privacy.hamming_distance, "a", "ab")
    with pytest.raises(InvalidInput, match="pairs: got none"):
        group_privacy.minimal_epsilon(FiniteDistribution.point_mass, ["a"], 1)
