"""Counts of many draws at once: their laws on small numbers, exactly, and large ones nearly."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from pac_stability import FiniteDistribution, InvalidInput, SeededCoins, arithmetic, enumerate_law
from pac_stability.mechanisms import draws as many_draws
from pac_stability.mechanisms.draws import keeping_coin, occurrences, ones_among, successes
from shared_refusals import refuses


@pytest.mark.parametrize(
    ("weights", "size"),
    [((1, 1), 3), ((1, 3), 3), ((3, 1, 4), 3), ((1, 5, 1, 1), 2), ((2,), 4), ((0, 1, 0, 3), 2)],
)
def test_counts_have_the_multinomial_law(weights: tuple[int, ...], size: int) -> None:
    # Sums that are powers of two: so every number is settled after finitely many bits.
    total = sum(weights)
    law: Counter[tuple[int, ...]] = Counter()
    for drawn in product(range(len(weights)), repeat=size):
        counts = Counter(drawn)
        key = tuple(counts[i] for i in range(len(weights)))
        law[key] += math.prod(weights[i] for i in drawn)
    expected = FiniteDistribution({key: Fraction(w, total**size) for key, w in law.items() if w})
    assert enumerate_law(lambda rng: tuple(occurrences(weights, size, rng))) == expected


@pytest.mark.parametrize("size", [10**6, 10**15])
def test_counts_of_thirds_are_near_their_means(size: int) -> None:
    weights = (1, 2, 3)
    for seed in range(5):
        counts = occurrences(weights, size, SeededCoins(seed))
        assert sum(counts) == size
        for count, weight in zip(counts, weights, strict=True):
            p = weight / 6
            assert 0 < abs(count - size * p) < 5 * math.sqrt(size * p * (1 - p))


def test_bounds_are_refined_until_nothing_is_between() -> None:
    asked: list[int] = []

    def quarter(bits: int) -> tuple[int, int]:
        asked.append(bits)
        whole = 1 << bits
        return (whole // 4, whole // 4) if bits > 100 else (0, whole // 2)

    law = enumerate_law(lambda rng: successes(quarter, 2, rng))
    assert law == FiniteDistribution({0: Fraction(9, 16), 1: Fraction(6, 16), 2: Fraction(1, 16)})
    assert max(asked) > 100
    with pytest.raises(InvalidInput, match="bounds"):
        successes(lambda bits: ((1 << bits) // 8 * (bits > 100), (1 << bits) // 9), 10**40)


@pytest.mark.parametrize("half", [1, 2, 3, 10, 40])
def test_every_number_of_ones_is_kept_as_often_as_it_should_be(half: int) -> None:
    width, p = math.isqrt(2 * half) + 1, arithmetic.fair_binomial(half)
    assert width**2 > 2 * half
    for distance in range(-half, half + 1):
        # One proposal gives this distance, in one way.
        proposed = distance if distance >= 0 else -1 - distance
        k = proposed // width
        chance = Fraction(1, width << k + 2)
        coin = keeping_coin(p, width, k, distance)
        wanted = Fraction(math.comb(2 * half, half + distance), 4**half)
        kept = Fraction(3, 16) * wanted / chance
        assert kept <= 1
        assert coin.low <= kept * 2**64 <= coin.high <= coin.low + 2


def test_ones_have_the_binomial_law(monkeypatch: pytest.MonkeyPatch) -> None:
    assert enumerate_law(lambda rng: ones_among(3, rng)) == FiniteDistribution(
        {k: Fraction(math.comb(3, k), 8) for k in range(4)}
    )
    monkeypatch.setattr(many_draws, "FLIPS", 1)
    rng, draws = SeededCoins(1), 1500
    for flips in (8, 9):
        counts = Counter(ones_among(flips, rng) for _ in range(draws))
        expected = {k: draws * math.comb(flips, k) / 2**flips for k in range(flips + 1)}
        square = sum((counts[k] - mean) ** 2 / mean for k, mean in expected.items())
        assert square < 30  # 8 or 9 degrees of freedom: once in 2,000 seeds


def test_ones_among_very_many_are_as_far_from_half_as_they_should_be() -> None:
    rng, flips = SeededCoins(2), 10**30 + 1
    away = [(2 * ones_among(flips, rng) - flips) / math.sqrt(flips) for _ in range(400)]
    assert 150 < sum(abs(z) < 0.6745 for z in away) < 250
    assert 150 < sum(z < 0 for z in away) < 250
    assert 5 <= sum(abs(z) > 1.96 for z in away) <= 40


def test_bad_input_is_refused() -> None:
    for weights in ([], [0, 0], [1, -1]):
        refuses("weights", occurrences, weights, 3)
    refuses("size", occurrences, [1], -1)
    refuses("distance", arithmetic.fair_binomial(3), 4, 1, 64)
