"""Prepared draws: for every word the outcome whose share contains it, in batches too."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteDistribution, SeededCoins, enumerate_law
from pac_stability.mechanisms import ExponentialMechanism, PreparedChoice, draws, exponential
from pac_stability.mechanisms.draws import (
    LazyCoin,
    ascending,
    below_each,
    borders,
    decided,
    toss_all,
    toss_each,
    words,
)
from shared_coins import Words

decays = st.one_of(
    st.just(Fraction(158999, 262144)),
    st.fractions(min_value=Fraction(1, 10**4), max_value=1, max_denominator=10**4),
)


def test_words_are_the_bytes_of_the_system_or_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "token_bytes", lambda count: bytes(range(count)))
    assert words(2).tolist() == [0x0706050403020100, 0x0F0E0D0C0B0A0908]
    number = SeededCoins(5).below(1 << 192)
    expected = [number >> 64 * place & 2**64 - 1 for place in range(3)]
    assert words(3, SeededCoins(5)).tolist() == expected
    assert len({*expected}) == 3


def test_the_system_is_asked_once_for_the_words_of_all_coins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chances = [Fraction(1, 3), Fraction(2, 7), Fraction(4, 5), Fraction(1, 9)]
    coins = [LazyCoin.of(p) for p in chances]
    asked = []
    for wanted in product((0, 1), repeat=4):
        # The last word that lies wholly below the probability, and the first that lies above it.
        below = [
            int(p * 2**64) - 1 if one else int(p * 2**64) + 1
            for p, one in zip(chances, wanted, strict=True)
        ]

        def octets(count: int, below: Sequence[int] = below) -> bytes:
            asked.append(count)
            return np.array(below, dtype=np.uint64).tobytes()

        monkeypatch.setattr(draws, "token_bytes", octets)
        assert toss_each(coins) == list(wanted)
    assert asked == [32] * 16


def long_choice(errors: Sequence[int], decay: Fraction) -> PreparedChoice:
    """A choice that does as if the weights were long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exponential, "_SHORT", -1)
        return PreparedChoice(errors, decay)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=12, unique=True), decays, st.data())
def test_every_word_gives_the_candidate_whose_share_contains_it(
    errors: list[int], decay: Fraction, data: st.DataObject
) -> None:
    order = sorted(errors)
    weights = [decay ** (k - order[0]) for k in order]
    ends = [end / sum(weights) for end in accumulate(weights)]
    words = []
    for _ in range(6):
        end = data.draw(st.sampled_from([Fraction(0), *ends]))
        near = int(end * 2**64) + data.draw(st.integers(-2, 2))
        words.append(near if 0 <= near < 1 << 64 else data.draw(st.integers(0, 2**64 - 1)))
    further = data.draw(st.integers(0, 2**64 - 1))
    prepared = long_choice(errors, decay)
    for word in words:
        # A second word, should the first not decide, and one more, for a border hit once more.
        number = Fraction(word << 64 | further, 2**128) + Fraction(1, 3 << 192)
        wanted = order[next(i for i, end in enumerate(ends) if number < end)]
        (found,) = prepared.draws(1, Words([word, further]))
        assert errors[found] == wanted
        # Single draws, the first and later ones.
        assert errors[prepared.draw(Words([word, further]))] == wanted
        assert errors[prepared.draw(Words([word, further]))] == wanted


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=6))
def test_borders_tell_which_digits_are_decided(bounds: list[tuple[int, int]]) -> None:
    """All digits of 6 bits: between two borders one case is possible, or several are."""
    floors, ceilings = [low for low, _ in bounds], [low + more for low, more in bounds]
    if not sum(floors):
        return
    maybe, surely = borders(lambda _: (floors, ceilings), 6)
    least, most = list(accumulate(floors)), list(accumulate(ceilings))
    for digits in range(64):
        passed = sum(border <= digits for border in surely)
        possible = sum(border <= digits for border in maybe)
        found = decided(digits, 6, least, most)
        assert found == (passed if passed == possible else None)
    assert maybe == sorted(maybe)
    assert surely == sorted(surely)


def test_there_are_no_borders_between_cases_that_are_never_certain() -> None:
    maybe, surely = borders(lambda _: ([5, 3, *[0] * 90], [5, 4, *[1] * 90]), 64)
    assert len(maybe) == len(surely) == 2
    assert maybe[1] == 8 * 2**64 // 99


@pytest.mark.parametrize("spread", [0, 1, 2**16 - 1, 2**16, 2**62])
@pytest.mark.parametrize("least", [-(2**62), 0, 7])
def test_candidates_are_sorted_by_their_errors(spread: int, least: int) -> None:
    errors = least + np.array([spread, 0, spread // 2, spread, 0, 1 % (spread + 1)])
    values = errors.tolist()
    assert ascending(errors).tolist() == sorted(range(6), key=lambda i: (values[i], i))


def test_a_batch_is_decided_word_by_word() -> None:
    prepared = long_choice([4, 1, 0, 1], Fraction(1, 2))
    # Shares: 2 has 16/33, 1 and 3 together 16/33, 0 has 1/33.
    third = 2**64 // 33
    words = [0, 16 * third - 1, 16 * third + 17, 32 * third - 1, 2**64 - 1]
    # Of the two that are level the halves of one more word choose, the lower half first.
    drawn = prepared.draws(5, Words([*words, 0xFFFFFFFF << 32]))
    assert drawn.tolist() == [2, 2, 1, 3, 0]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=4), st.data())
def test_a_coin_is_the_label_of_what_is_drawn(errors: list[int], data: st.DataObject) -> None:
    rho = Fraction(2, 3)
    prior = data.draw(st.none() | st.lists(st.integers(1, 9), min_size=4, max_size=4))
    labels = data.draw(st.lists(st.integers(0, 1), min_size=4, max_size=4))
    masses = [1] * len(errors) if prior is None else prior[: len(errors)]
    weights = [mass * rho**k for mass, k in zip(masses, errors, strict=True)]
    ones = sum((w for w, y in zip(weights, labels, strict=False) if y), Fraction(0))
    wanted = ones / sum(weights)
    given_labels = np.array(labels[: len(errors)])
    prepared = PreparedChoice(errors, rho, None if prior is None else masses)
    assert enumerate_law(prepared.coin(given_labels).toss).probability(1) == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exponential, "_SHORT", -1)
        coin = PreparedChoice(errors, rho, None if prior is None else masses).coin(given_labels)
    assert not coin.short
    assert coin.low <= wanted * 2**64 <= coin.high <= coin.low + 2


def test_few_draws_of_short_weights_can_be_followed() -> None:
    prepared = PreparedChoice([0, 1, 1], Fraction(1, 2))
    law = enumerate_law(lambda rng: tuple(prepared.draws(2, rng).tolist()))
    single = FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)})
    assert law.map(lambda pair: pair[0]) == single
    assert law.probability((1, 0)) == Fraction(1, 8)
    assert law == enumerate_law(lambda rng: (prepared.draw(rng), prepared.draw(rng)))


def test_batches_have_the_law_of_single_draws() -> None:
    """Counts of 20,000 seeded draws, with and without a prior, within five standard errors."""
    errors, decay = [0, 5, 5, 9, 30], Fraction(9, 10)
    for prior in (None, [1, 2, 3, 40, 5]):
        masses = prior or [1] * 5
        weights = [m * decay**k for m, k in zip(masses, errors, strict=True)]
        drawn = PreparedChoice(errors, decay, prior).draws(20_000, SeededCoins("batch"))
        counts = np.bincount(drawn, minlength=5)
        for count, weight in zip(counts.tolist(), weights, strict=True):
            p = float(weight / sum(weights))
            assert abs(count - 20_000 * p) <= 5 * (20_000 * p * (1 - p)) ** 0.5


@given(st.integers(2, 2**32 - 1), st.data())
def test_each_number_below_a_size_has_as_many_words(n: int, data: st.DataObject) -> None:
    """A word x is taken unless n x mod 2**32 < 2**32 mod n: floor(2**32 / n) for each number."""
    v = data.draw(st.integers(0, n - 1))
    first, after = -(-(v << 32) // n), -(-(v + 1 << 32) // n)
    refused = (first * n) % 2**32 < 2**32 % n
    assert after - first - refused == 2**32 // n
    accepted = first + refused
    for x, number in ((accepted, v), (after - 1, v)):
        if x >= accepted and x < after:
            assert below_each(np.array([n]), Words([x])).tolist() == [number]
    if refused and first:
        # The next word is taken instead: it is 0, and so on, until one is accepted.
        following = -(-(2**32 % n) // n) if 2**32 % n else 0
        taken = following if following * n % 2**32 >= 2**32 % n else following + 1
        found = below_each(np.array([n]), Words([first, taken]))
        assert found.tolist() == [taken * n >> 32]


def test_large_sizes_are_drawn_one_by_one() -> None:
    class Last:
        def below(self, n: int, /) -> int:
            return n - 1

        def choose(self, weights: Sequence[int | Fraction], /) -> int:
            raise NotImplementedError(weights)

        def bernoulli(self, p: int | Fraction, /) -> int:
            raise NotImplementedError(p)

    assert below_each(np.array([5, 1 << 40]), Last()).tolist() == [4, (1 << 40) - 1]


@given(st.fractions(0, 1, max_denominator=10**6), st.data())
def test_words_and_coins_agree(p: Fraction, data: st.DataObject) -> None:
    coin = LazyCoin.of(p)
    near = int(p * 2**64) + data.draw(st.integers(-2, 2))
    word = min(max(near, 0), 2**64 - 1)
    further = data.draw(st.integers(1, 2**64 - 2))
    number = Fraction(word << 64 | further, 2**128)
    if number != p:
        below = int(number < p)
        assert coin.settled(word, Words([further])) == below
        # More than a few tosses are compared in arrays: the others are certain.
        coins = [coin, LazyCoin.of(Fraction(0)), LazyCoin.of(Fraction(1))]
        which = np.array([1, 2] * 10 + [0])
        drawn = toss_all(coins, which, Words([2**64 - 1, 0] * 10 + [word, further]))
        assert drawn.tolist() == [0, 1] * 10 + [below]


def test_a_certain_coin_shows_its_side_whatever_the_word() -> None:
    coins = [LazyCoin.of(Fraction(0)), LazyCoin.of(Fraction(1))]
    which = np.array([0, 1] * 20)
    for word in (0, 2**64 - 1):
        assert toss_all(coins, which, Words([word] * 40)).tolist() == [0, 1] * 20


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5), st.booleans())
def test_a_mechanism_is_prepared_for_an_input(errors: list[int], weighed: bool) -> None:
    prior = range(1, len(errors) + 1) if weighed else None
    names = tuple("abcde"[: len(errors)])

    def later(more: int) -> list[int]:
        return [k + more for k in errors]

    mechanism = ExponentialMechanism(names, later, Fraction(1, 2), prior=prior)
    prepared = mechanism.prepare(3)
    law = mechanism.law(3)
    assert enumerate_law(prepared.draw).map(names.__getitem__) == law
    prepared.draws(20, SeededCoins(1))  # sorts the candidates
    assert enumerate_law(prepared.draw).map(names.__getitem__) == law
    assert enumerate_law(lambda rng: mechanism.run(3, rng), inside=True) == law
