"""Batches of discrete Laplace noise: the law of single draws, by the tape and by its borders."""

import math
import secrets
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import Coins, SeededCoins, enumerate_law, randomness
from pac_stability.mechanisms import DiscreteLaplace, draws, noise as module
from pac_stability.mechanisms.noise import clamped_law
from shared_refusals import refuses

F = Fraction


def _first(mechanism: DiscreteLaplace, x: int, rng: Coins) -> int:
    return int(mechanism.draws(x, 1, rng)[0])


@pytest.mark.parametrize("r", [F(1, 2), F(1, 7), F(9, 10)])
@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (-1, 3), (-2, 6)])
def test_a_batch_of_one_has_the_law(r: Fraction, low: int, high: int) -> None:
    mechanism = DiscreteLaplace(r, low, high)
    for x in range(low, high + 1):
        law = enumerate_law(partial(_first, mechanism, x), inside=True)
        assert law == mechanism.law(x)


def test_two_draws_are_independent() -> None:
    mechanism = DiscreteLaplace(F(1, 2), -1, 1)
    alone = mechanism.law(0)
    law = enumerate_law(lambda rng: tuple(mechanism.draws(0, 2, rng).tolist()), inside=True)
    assert dict(law.items()) == {(a, b): p * q for a, p in alone.items() for b, q in alone.items()}


class Grid(randomness.BitCoins):
    """For so many draws words that cut the unit cube into equal parts; then coins of a seed."""

    def __init__(self, sides: list[int]) -> None:
        self.count = math.prod(sides)
        axes = [(2 * np.arange(n, dtype=np.uint64) + 1) * np.uint64(2**63 // n) for n in sides]
        planes = [plane.ravel() for plane in np.meshgrid(*axes, indexing="ij")]
        self.words = int.from_bytes(np.concatenate(planes).astype("<u8").tobytes(), "little")
        self.length = 64 * len(sides) * self.count
        self.further = SeededCoins("further")

    def bits(self, count: int, /) -> int:
        if count == self.length:
            return self.words
        return self.further.bits(count)


@pytest.mark.parametrize(("r", "digits", "sides"), [
    (F(1, 2), 7, [1 << 12]), (F(9, 10), 3, [1 << 12]), (F(9, 10), 0, [1 << 8]),
    (F(9, 10), 4, [1 << 9, 1 << 9]), (F(9, 10), 5, [1 << 6, 1 << 5, 1 << 5]),
    (F(99, 100), 4, [1 << 8, 1 << 6]),
])  # fmt: skip
def test_equal_parts_of_all_words_have_the_law(
    r: Fraction, digits: int, sides: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case takes an interval of words: of N words a share of p has N p, but for less than 2."""
    most = 1 << digits  # what lies beyond is all clamped
    monkeypatch.setattr(module, "digits_drawn", lambda _decay, _most: digits)
    together = -(-digits // len(sides)) or 1
    monkeypatch.setattr(module, "_TOGETHER", together)
    monkeypatch.setattr(module, "_BATCH", math.prod(sides))
    module._groups.cache_clear()
    low, high = -1 - most, 1 + most
    grid = Grid(sides)
    drawn = module.clamped_noises(r, low, high, grid.count, grid)
    module._groups.cache_clear()
    places, counts = np.unique(drawn, return_counts=True)
    assert low <= places[0] <= places[-1] <= high
    found = dict(zip(places.tolist(), counts.tolist(), strict=True))
    slack = math.prod(1 + F(2, n) for n in sides) - 1
    for z, p in clamped_law(r, low, high).items():
        assert abs(found.get(z, 0) - p * grid.count) <= slack * grid.count


def test_what_lies_beyond_the_digits_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # With two digits for all numbers, those from 4 on are rare no longer.
    monkeypatch.setattr(module, "digits_drawn", lambda _decay, _most: 2)
    module._groups.cache_clear()
    asked: list[int] = []

    def further(_decay: Fraction, most: int, _rng: Coins) -> int:
        asked.append(most)
        return len(asked) % 9

    monkeypatch.setattr(module, "geometric", further)
    grid = Grid([1 << 10])
    drawn = module.clamped_noises(F(3, 4), -3, 8, grid.count, grid)
    assert set(asked) == {6}  # of sizes to 1 + 10
    # A share of 2 r**5 / (1 + r) of sizes is larger than 4.
    assert abs(len(asked) - 1024 * 2 * F(3, 4) ** 5 / F(7, 4)) <= 2
    # Upwards 5, 6, 7, and 8 for all that is larger.
    assert set(drawn.tolist()) == set(range(-3, 9))
    exact = Grid([1 << 10])
    asked.clear()
    wide = module.clamped_noises(F(3, 4), -100, 100, exact.count, exact)
    sizes = np.abs(wide)[np.abs(wide) > 4].tolist()
    assert sizes == [5 + n % 9 for n in range(1, 1 + len(sizes))]


@given(
    st.integers(1, 5), st.integers(3000, 10**5), st.integers(0, 6), st.integers(0, 4),
    st.integers(60, 200),
)  # fmt: skip
def test_weights_of_digits_are_enclosed(a: int, b: int, low: int, more: int, bits: int) -> None:
    r, high = 1 - F(a, b), low + more
    unit = 2 ** (bits + 32)
    powers = [r**k for k in range(0, 1 << high, 1 << low)]
    floors, ceilings = module._powers(r, range(0, 1 << high, 1 << low), bits)
    sizes = [r ** (1 + k) for k in range(0, (1 << high) + 1, 1 << low)]
    side = [*(p - q for p, q in pairwise(sizes)), sizes[-1]]
    firsts = module._sides(r, range(1, (1 << high) + 2, 1 << low), bits)
    for weights, least, most in ((powers, floors, ceilings), ([1 - r, *side, *side], *firsts)):
        assert len(weights) == len(least) == len(most)
        for weight, below, above in zip(weights, least, most, strict=True):
            assert below <= weight * unit <= above <= below + 2**14


def test_many_draws_side_by_side_are_those_of_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Batches are only cut: what is drawn has the mean and the variance of the law.
    monkeypatch.setattr(module, "_BATCH", 1000)
    for epsilon in ("1", "1/100", "1/10000"):
        mechanism = DiscreteLaplace.from_epsilon(epsilon, -(1 << 60), 1 << 60)
        r = float(mechanism.decay)
        drawn = mechanism.draws(5, 40_500, SeededCoins(7))
        assert drawn.dtype == np.int64
        assert len(drawn) == 40_500
        deviation = math.sqrt(2 * r) / (1 - r)
        assert abs(drawn.mean() - 5) < 5 * deviation / math.sqrt(len(drawn))
        assert abs(drawn.std() / deviation - 1) < 0.04
        assert (drawn[1000:2000] != drawn[:1000]).any()


def test_ranges_that_do_not_fit_are_refused() -> None:
    for low, high in ((-(1 << 61) - 1, 0), (0, (1 << 61) + 1)):
        refuses("2\\*\\*61", DiscreteLaplace(F(1, 2), low, high).draws, 0, 3)
    widest = DiscreteLaplace(F(1, 2), -(1 << 61), 1 << 61)
    assert abs(widest.draws(1 << 61, 10, SeededCoins(1)) - (1 << 61)).max() < 100
    near = DiscreteLaplace(1 - F(1, 1 << 70), -(1 << 61), 1 << 61)
    assert set(near.draws(0, 50, SeededCoins(1)).tolist()) == {-(1 << 61), 1 << 61}
    assert len(widest.draws(0, 0)) == 0
    refuses("count", widest.draws, 0, -1)


def test_single_noise_of_the_system_has_the_mean_and_the_deviation_of_the_law() -> None:
    """Of 4,000 numbers; a sane library fails once in a million runs or less."""
    for epsilon in ("1", "1/100", "1/10000"):
        mechanism = DiscreteLaplace.from_epsilon(epsilon, -(1 << 60), 1 << 60)
        r = float(mechanism.decay)
        drawn = [mechanism.run(5) - 5 for _ in range(4000)]
        deviation = math.sqrt(2 * r) / (1 - r)
        assert abs(sum(drawn) / 4000) < 6 * deviation / math.sqrt(4000)
        assert abs(math.sqrt(sum(z * z for z in drawn) / 4000) / deviation - 1) < 0.12


@pytest.mark.parametrize(
    ("r", "coins", "words"), [(F(1, 2), 9, 1), (F(99, 100), 14, 2), (1 - F(1, 10**4), 21, 3)]
)
def test_the_system_is_asked_for_as_much_whatever_the_noise_and_the_input(
    r: Fraction, coins: int, words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def noted(count: int) -> bytes:
        asked.append(count)
        return secrets.token_bytes(count)

    monkeypatch.setattr(draws, "token_bytes", noted)
    noise = DiscreteLaplace(r, -(10**6), 10**6)
    values = {noise.run(x) - x for x in (-(10**6), -3, 0, 5 * 10**5) for _ in range(100)}
    assert len(values) > 5
    assert asked == [8 * coins] * 400
    asked.clear()
    monkeypatch.setattr(draws, "settled_choice", lambda *_: 0)
    noise.draws(0, 1000)
    assert asked == [8 * words * 1000]
