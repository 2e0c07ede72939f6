"""Geometric numbers by their digits: the exact law, and coins that do not tell the number."""

import math
import secrets
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability.data import enumerate_law, enumerate_paths
from pac_stability.mechanisms import DiscreteLaplace, NoisyMeanVote, draws
from pac_stability.mechanisms.noise import (
    LaplaceHistogram,
    PowerCoin,
    clamped_noise,
    digits_drawn,
    geometric,
    truncated_noise,
)
from pac_stability.randomness import SYSTEM_COINS, BitCoins, Coins, SeededCoins

F = Fraction
decays = st.tuples(st.integers(1, 40), st.integers(1, 40)).map(lambda t: F(t[0], t[0] + t[1]))

# So near to one that a power of some thousands is no tiny number.
near_one = st.tuples(st.integers(1, 5), st.integers(3000, 10**5)).map(lambda t: 1 - F(*t))


@pytest.mark.parametrize("most", [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31])
@pytest.mark.parametrize("r", [F(1, 2), F(1, 7), F(9, 10)])
def test_every_number_up_to_the_most_has_its_probability(r: Fraction, most: int) -> None:
    law = enumerate_law(lambda rng: min(geometric(r, most, rng), most))
    expected = {g: (1 - r) * r**g for g in range(most)}
    expected[most] = r**most
    assert dict(law.items()) == expected


def test_numbers_beyond_the_digits_have_their_probability_too() -> None:
    # r is so small that 7 digits are enough for all but 2**-64; 150 is beyond them.
    r, most = F(1, 40), 150
    assert digits_drawn(r, most) == 7
    law = enumerate_law(lambda rng: min(geometric(r, most, rng), most))
    assert law.probability(100) == (1 - r) * r**100
    assert law.probability(140) == (1 - r) * r**140
    assert law.probability(most) == r**most


class Scripted(BitCoins):
    """Bits of a given uniform number, the first ones first."""

    def __init__(self, number: Fraction) -> None:
        self.number = number
        self.read = 0

    def bits(self, count: int, /) -> int:
        self.read += count
        return math.floor(self.number * (1 << self.read)) % (1 << count)


@given(near_one, st.integers(0, 2), st.booleans(), st.integers(-3, 3), st.integers(60, 200))
def test_a_long_coin_is_one_exactly_below_its_probability(
    r: Fraction, place: int, odds: bool, steps: int, bits: int
) -> None:
    """The uniform number lies next to the probability, where rounding would show."""
    k = 4096 << place
    one, whole = r.numerator**k, r.denominator**k
    whole += one if odds else 0
    unit = 1 << bits
    number = min(max(one * unit // whole + steps, 0), unit - 1)
    coins = Scripted(F(number, unit))
    answer = PowerCoin(r, k, odds=odds).toss(coins)
    assert answer == (number * whole < one * unit)
    assert coins.read >= 64


@given(decays, st.booleans())
def test_a_long_coin_far_from_its_probability_reads_64_bits(r: Fraction, odds: bool) -> None:
    k = 10**6
    coins = Scripted(F(1, 3))
    assert PowerCoin(r, k, odds=odds).toss(coins) == 0
    assert coins.read == 64


def test_a_short_coin_is_tossed_as_a_long_one() -> None:
    r, k = F(3, 4), 9
    for odds in (True, False):
        law = enumerate_law(PowerCoin(r, k, odds=odds).toss)
        assert law.probability(1) == (r**k / (1 + r**k) if odds else r**k)


class Watched(BitCoins):
    """Notes what is asked, and answers from a seed."""

    def __init__(self, seed: int) -> None:
        self.asked: list[object] = []
        self._coins = SeededCoins(seed)

    def bits(self, count: int, /) -> int:
        return self._coins.bits(count)

    def below(self, n: int, /) -> int:
        self.asked.append(n)
        return self._coins.below(n)


def questions(programs: Iterable[Callable[[Coins], object]], runs: int) -> tuple[set[str], int]:
    """What programs ask of their coins, in 200 runs or more, and how many values they return."""
    asked, values = set(), set()
    for number, program in enumerate(programs):
        for seed in range(runs):
            coins = Watched(1000 * number + seed)
            values.add(program(coins))
            asked.add(repr(coins.asked))
    return asked, len(values)


@pytest.mark.parametrize("r", [F(1, 2), F(99, 100), 1 - F(1, 10**5)])
def test_the_noise_does_not_show_in_the_questions_nor_does_the_input(r: Fraction) -> None:
    noise = DiscreteLaplace(r, -(10**6), 10**6)
    inputs = [-(10**6), -3, 0, 5 * 10**5]
    asked, values = questions([lambda rng, x=x: noise.run(x, rng) for x in inputs], 50)  # type: ignore[misc]
    assert values > 10
    assert len(asked) == 1


def test_the_votes_do_not_show_in_the_questions_before_the_last() -> None:
    vote = NoisyMeanVote(F(9, 10))
    noise = [lambda rng, v=v: clamped_noise(vote.decay, -v, 40 - v, rng) for v in (0, 7, 40)]
    asked, values = questions(noise, 70)
    assert values > 20
    assert len(asked) == 1


def test_counts_do_not_show_in_the_questions_of_a_histogram() -> None:
    histogram = LaplaceHistogram(F(9, 10), threshold=12)
    samples = ["a" * 20, "a" * 13 + "b" * 7, "a" * 19 + "b"]
    for runs in (samples[:1], samples[1:]):  # how many items there are does show
        asked, values = questions([lambda rng, x=x: histogram.run(x, rng) for x in runs], 70)  # type: ignore[misc]
        assert values > 5
        assert len(asked) == 1


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8, 13])
def test_truncated_noise_asks_as_much_for_all_values_but_for_a_question(most: int) -> None:
    paths = list(enumerate_paths(lambda rng: truncated_noise(F(2, 3), most, rng)))
    assert {path.outcome for path in paths} == set(range(-most, most + 1))
    lengths = {len(path.draws) for path in paths}
    assert max(lengths) - min(lengths) <= 1


@pytest.mark.parametrize(("r", "most"), [(F(1022, 1023), 10**9), (1 - F(1, 10**5), 10**4)])
def test_each_word_of_the_system_is_a_digit(
    r: Fraction, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word of zeros is below any probability, and one of ones is above; the last goes beyond.

    Those here are above 2**-64: the least is r**(2**15), some e**-32, in the first case.
    """
    digits = digits_drawn(r, most)
    asked: list[int] = []

    def drawn(*ones: int) -> int:
        words = [0 if place in ones else 2**64 - 1 for place in range(digits + 1)]

        def octets(count: int) -> bytes:
            asked.append(count)
            return b"".join(word.to_bytes(8, sys.byteorder) for word in words)

        monkeypatch.setattr(draws, "token_bytes", octets)
        return geometric(r, most, SYSTEM_COINS)

    assert drawn() == 0
    assert [drawn(place) for place in range(digits)] == [1 << place for place in range(digits)]
    assert drawn(0, 2, 3) == 13
    # In the first case e**-64 of the numbers lie beyond: 64 bits leave it open. Then no more do.
    further = iter([0, 2**64 - 1])
    monkeypatch.setattr(secrets, "randbits", lambda _: next(further))
    assert drawn(1, digits) == 2 + (1 << digits)
    assert asked == [8 * (digits + 1)] * (digits + 3)


def test_the_digits_drawn_at_first_reach_what_is_rare() -> None:
    """So many that 2^d is at least 64 / (1 - r), and no more; 255/2, or 128 of them."""
    assert digits_drawn(Fraction(127, 255), 10**9) == 7
    assert digits_drawn(Fraction(1, 2), 10**9) == 8
