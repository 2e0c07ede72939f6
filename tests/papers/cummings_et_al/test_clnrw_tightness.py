"""The tables of tightness: laws and guarantees of the exhibits, and rows against brute force."""

from fractions import Fraction
from itertools import product

import pytest

from pac_stability import Epsilon, FiniteDistribution, Interval
from pac_stability.data import Multiset, neighbouring_multisets
from pac_stability.notions import differential_privacy
from shared_examples import example
from shared_refusals import refuses

tightness = example("tightness_of_implications")

DECAY = Fraction(3, 4)


def test_noisy_favourite_weighs_counts() -> None:
    law = tightness.noisy_favourite(3, DECAY).law(Multiset.of("aab"))
    weights = [DECAY**-2, 1 / DECAY, Fraction(1)]
    assert [law.probability(x) for x in "abc"] == [w / sum(weights, Fraction()) for w in weights]


@pytest.mark.parametrize("n", [2, 4])
def test_noisy_majority_is_a_tail_of_the_noise(n: int) -> None:
    exhibit = tightness.noisy_majority(n, DECAY)
    # Pr[noise = z] = (1 - d)/(1 + d) d**|z|; beyond 60 there is less than d**60.
    scale = (1 - DECAY) / (1 + DECAY)
    for ones in range(n + 1):
        one = sum(
            (scale * DECAY ** abs(z) for z in range(-60, 61) if 2 * (ones + z) > n), Fraction()
        )
        found = exhibit.law(Multiset.of([1] * ones + [0] * (n - ones))).probability(1)
        assert 0 < found - one < DECAY**59 or one == found


def test_randomized_responses_are_independent() -> None:
    law = tightness.randomized_responses(2, Fraction(3)).law((0, 1))
    assert law.probability((0, 1)) == Fraction(9, 16)
    assert law.probability((1, 1)) == Fraction(3, 16)
    assert law.probability((1, 0)) == Fraction(1, 16)


def test_the_guarantees_hold() -> None:
    favourite = tightness.noisy_favourite(4, DECAY)
    factor = differential_privacy.minimal_epsilon(favourite.law, neighbouring_multisets("abc", 4))
    assert 1 < factor <= favourite.private().factor
    majority = tightness.noisy_majority(4, DECAY)
    factor = differential_privacy.minimal_epsilon(majority.law, neighbouring_multisets([0, 1], 4))
    # Attained between counts on one side, where the tail is geometric.
    assert factor == majority.private().factor == 1 / DECAY


def test_the_deviation_of_the_favourite_by_brute_force() -> None:
    n, delta = 3, Fraction(1, 4)
    exhibit = tightness.favourite(n)
    samples = list(product("abc", repeat=n))
    tests = list(product([0, 1], repeat=3))

    def failure(epsilon: Fraction) -> Fraction:
        lost = Fraction()
        for name in "abc":
            named = [s for s in samples if exhibit.law(Multiset.of(s)).probability(name)]
            lost += max(
                Fraction(
                    sum(
                        abs(Fraction(sum(h["abc".index(x)] for x in s), n) - Fraction(sum(h), 3))
                        > epsilon
                        for s in named
                    ),
                    len(samples),
                )
                for h in tests
            )
        return lost

    grid = [Fraction(j, 9) for j in range(10)]  # all deviations are multiples of 1/9
    least = min(e for e in grid if failure(e) <= delta)
    assert tightness.finite_range_row(exhibit, delta).exact == Interval.exactly(least)


def test_the_catalogue() -> None:
    rows = tightness.table()
    assert {row.implication for row in rows} == {
        "Theorem 20",
        "Theorem 21",
        "Lemma 36",
        "Theorem 39",
    }
    for row in rows:
        assert row.exact.upper <= row.proved.lower, str(row)
        assert row.ratio.lower < 5, str(row)
        if row.implication in ("Lemma 36", "Theorem 39"):
            assert row.printed is not None
            assert row.printed.lower > row.proved.upper
        elif row.implication == "Theorem 21":
            assert row.printed is not None
            assert row.printed.upper < row.proved.lower


def test_exact_values_of_perfect_generalization() -> None:
    # Every sample has probability 1/8, so none may be missed. By symmetry the uniform simulator is
    # best, and the answer that is wrong three times decides.
    row = tightness.private_to_perfect_row(
        tightness.randomized_responses(3, Fraction(3, 2)), Fraction(1, 20)
    )
    smallest = Fraction(8, 125)
    assert Interval.log(Fraction(1, 8) / smallest).compare(row.exact) in (None, 0)
    assert row.exact.width < Fraction(1, 2**60)


def test_bad_input() -> None:
    refuses("exhibit", tightness.private_to_perfect_row, tightness.favourite(3), Fraction(1, 20))
    refuses("delta", tightness.perfect_to_robust_row, tightness.favourite(3), Epsilon(1))


def test_exhibits_know_their_size() -> None:
    assert tightness.constant(7).n == 7
    assert tightness.reveal(4).outputs == 15
    assert isinstance(tightness.constant(2).law(Multiset.of("ab")), FiniteDistribution)
