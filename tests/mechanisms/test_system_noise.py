"""Single noise from the system's words: the exact law word by word, and words that do not tell."""

from __future__ import annotations

import math
import secrets
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, strategies as st

from pac_stability.mechanisms import DiscreteLaplace, NoisyMeanVote, system_noise as module
from pac_stability.mechanisms.discrete_laplace import clamped_law, clamped_noise
from pac_stability.mechanisms.geometric_digits import digits_drawn, geometric
from pac_stability.mechanisms.histogram import LaplaceHistogram
from pac_stability.mechanisms.system_noise import system_noise
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins

F = Fraction


class System:
    """The operating system with words of our choice, and what else it is asked for."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.words: list[int] = []
        self.further: list[int] = []
        self.beyond: list[int] = []
        patch.setattr(module, "token_bytes", self._octets)
        patch.setattr(secrets, "randbits", self._bits)

    def _octets(self, count: int) -> bytes:
        assert count == 8 * len(self.words)
        return b"".join(word.to_bytes(8, sys.byteorder) for word in self.words)

    def _bits(self, count: int) -> int:
        self.beyond.append(count)
        return self.further.pop(0)


def groups_of(r: Fraction, most: int) -> list[tuple[int, list[Fraction]]]:
    """The lowest place and the weights of each group, in the order of their words.

    With sizes ``1 + g`` of weight ``r**(1 + g)`` on each side, 0 weighs 1.
    """
    digits = digits_drawn(r, most)
    parts = max(1, math.ceil(F(digits, 4)))
    *cuts, first = [digits * part // parts for part in range(parts)]
    block = sum((r**i for i in range(1 << first)), F(0))
    side = [r ** (1 + k) * block for k in range(0, 1 << digits, 1 << first)]
    side.append(r ** (1 + (1 << digits)) / (1 - r))
    others = [
        (low, [r ** (j << low) for j in range(1 << high - low)])
        for low, high in pairwise([*cuts, first])
    ]
    return [(first, [F(1), *side, *side]), *others]


def shares(weights: list[Fraction]) -> list[Fraction]:
    """Where the share of each case ends."""
    return [end / sum(weights) for end in accumulate(weights)]


@given(
    st.sampled_from([F(1, 2), F(1, 7), F(9, 10), F(99, 100), F(5, 37)]),
    st.sampled_from([0, 1, 2, 7, 16, 17, 100, 300]),
    st.data(),
)
def test_every_number_gives_the_case_whose_share_contains_it(
    r: Fraction, most: int, data: st.DataObject
) -> None:
    """Numbers next to borders, of two words, and a third part where these leave the case open."""
    groups, digits = groups_of(r, most), digits_drawn(r, most)
    chosen = data.draw(st.integers(0, len(groups) - 1))
    first, (_, weights) = groups[0][0], groups[chosen]
    ends = shares(weights)
    fine = data.draw(st.sampled_from([64, 128]))  # how near: one word leaves it open, or two do
    end = data.draw(st.sampled_from([F(0), *ends]))
    near = math.floor(end * 2**fine) + data.draw(st.integers(-3, 3))
    number = min(max(near, 0), 2**fine - 1) << 128 - fine
    further = data.draw(st.integers(2, 2**128 - 2))
    value = F(number, 2**128) + F(further, 2**256)
    case = next(i for i, end in enumerate(ends) if value < end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "geometric", lambda *_: 0)
        system = System(patch)
        # By their words alone the first group chooses the least positive sizes, the others zeros.
        least = math.floor((shares(groups[0][1])[0] + shares(groups[0][1])[1]) * 2**63)
        system.words = [least, 0, *[0, 0] * (len(groups) - 1)]
        system.words[2 * chosen : 2 * chosen + 2] = divmod(number, 2**64)
        system.further = [further]
        found = system_noise(r, most)
    half = len(groups[0][1]) // 2  # the last case of the positive side
    if chosen:
        assert found == 1 + (case << groups[chosen][0])
    elif case in (half, 2 * half):
        assert abs(found) == 1 + min(1 << digits, most)
        assert (found > 0) == (case == half)
    elif case:
        k = (case - 1) % half << first
        assert found == (1 + k if case < half else -1 - k)
    else:
        assert found == 0
    distance = min(abs(number + F(1, 2) - end * 2**128) for end in ends[:-1]) if ends[1:] else 9
    if distance < F(1, 2):
        assert system.beyond == [128]
    elif distance > 3:
        assert not system.beyond


@given(st.sampled_from([F(99, 100), F(499, 500)]), st.data())
def test_each_group_has_digits_of_its_own(r: Fraction, data: st.DataObject) -> None:
    """Words in the middle of shares: the digits of all groups are put together."""
    groups, words, wanted = groups_of(r, 300), [], 0
    assert len(groups) == 3
    for place, weights in groups:
        # Of the first group a positive size, so that the number of the case is that of its digits.
        positive = int(place == groups[0][0])
        case = data.draw(st.integers(0, 7))
        ends = [F(0), *shares(weights)]
        words += [math.floor((ends[case + positive] + ends[case + positive + 1]) * 2**63), 0]
        wanted += case << place
    with pytest.MonkeyPatch.context() as patch:
        system = System(patch)
        system.words = words
        assert system_noise(r, 300) == 1 + wanted


@pytest.mark.parametrize("r", [F(1, 2), F(1, 7), F(9, 10)])
@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 3), (-2, 6), (-8, 9)])
def test_equal_parts_of_all_words_have_the_law(
    r: Fraction, low: int, high: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case takes two intervals of words at most: of N words a share of p has N p, nearly."""
    system, count = System(monkeypatch), 1 << 10
    found: Counter[int] = Counter()
    for place in range(count):
        system.words = [(2 * place + 1) * (2**63 // count), 0]
        found[clamped_noise(r, low, high, SYSTEM_COINS)] += 1
    for z, p in clamped_law(r, low, high).items():
        assert abs(found.pop(z, 0) - p * count) < 4
    assert not found


def test_sizes_beyond_the_digits_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # With two digits for all numbers, those from 4 on are rare no longer.
    monkeypatch.setattr(module, "digits_drawn", lambda _decay, _most: 2)
    asked: list[tuple[Fraction, int, Coins]] = []

    def further(decay: Fraction, most: int, rng: Coins) -> int:
        asked.append((decay, most, rng))
        return 3

    monkeypatch.setattr(module, "geometric", further)
    module._noise.cache_clear()
    system = System(monkeypatch)
    system.words = [2**64 - 1, 0]
    try:
        assert [system_noise(F(3, 4), most) for most in (10, 7, 6, 5, 3)] == [-8, -8, -7, -6, -4]
    finally:
        module._noise.cache_clear()
    assert asked == [(F(3, 4), most, SYSTEM_COINS) for most in (6, 3, 2, 1, 0)]


def _watched(patch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What the system is asked for, by whoever draws; it answers as ever."""
    asked: list[tuple[str, int]] = []

    def noting(name: str, answers: Callable[[int], object]) -> Callable[[int], object]:
        def answer(count: int) -> object:
            asked.append((name, count))
            return answers(count)

        return answer

    patch.setattr(module, "token_bytes", noting("octets", secrets.token_bytes))
    patch.setattr(secrets, "randbits", noting("bits", secrets.randbits))
    return asked


@pytest.mark.parametrize(("r", "words"), [(F(1, 2), 4), (F(99, 100), 8), (1 - F(1, 10**4), 10)])
def test_as_many_words_are_asked_for_whatever_the_noise_and_the_input(
    r: Fraction, words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _watched(monkeypatch)
    noise = DiscreteLaplace(r, -(10**6), 10**6)
    values = {noise.run(x) - x for x in (-(10**6), -3, 0, 5 * 10**5) for _ in range(100)}
    assert len(values) > 5
    assert asked == [("octets", 8 * words)] * 400


def test_votes_and_histograms_draw_their_noise_so(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _watched(monkeypatch)
    vote = NoisyMeanVote(F(9, 10))
    for ones in (0, 7, 40):
        vote.run([1] * ones + [0] * (40 - ones))
    octets = [each for each in asked if each[0] == "octets"]
    assert octets == [("octets", 32)] * 3
    asked.clear()
    for sample in ("a" * 13 + "b" * 7, "a" * 19 + "b"):
        LaplaceHistogram(F(9, 10), threshold=12).run(sample)
    assert asked == [("octets", 32)] * 4


def test_other_coins_are_asked_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _watched(monkeypatch)
    for seed in range(50):
        drawn = DiscreteLaplace(F(9, 10), -100, 100).run(0, SeededCoins(seed))
        rng = SeededCoins(seed)  # a sign, and one coin for each digit
        sign = (0, 1, -1)[rng.choose([1, 9, 9])]
        assert drawn == sign * (1 + geometric(F(9, 10), 199, rng))
    assert not asked


def test_what_the_system_draws_has_the_mean_and_the_deviation_of_the_law() -> None:
    """Of 4,000 numbers; a sane library fails once in a million runs or less."""
    for epsilon in ("1", "1/100", "1/10000"):
        mechanism = DiscreteLaplace.from_epsilon(epsilon, -(1 << 60), 1 << 60)
        r = float(mechanism.decay)
        drawn = [mechanism.run(5) - 5 for _ in range(4000)]
        deviation = math.sqrt(2 * r) / (1 - r)
        assert abs(sum(drawn) / 4000) < 6 * deviation / math.sqrt(4000)
        assert abs(math.sqrt(sum(z * z for z in drawn) / 4000) / deviation - 1) < 0.12
