"""Permute-and-flip prepared: turns and leaps have the law of the definition."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from operator import mul

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.data import enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PermuteAndFlip, PreparedTurns, permuted_draws
from pac_stability.randomness import SeededCoins

DECAYS = st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(1, 100), Fraction(1)])
COUNTS = st.lists(st.integers(-2, 6), min_size=1, max_size=5)


def law(errors: Sequence[int], decay: Fraction) -> list[Fraction]:
    chooser: PermuteAndFlip[None, int] = PermuteAndFlip(
        tuple(range(len(errors))), lambda _: errors, decay
    )
    return [chooser.law(None).probability(i) for i in range(len(errors))]


@settings(max_examples=30)
@given(COUNTS, DECAYS)
def test_a_draw_on_the_tape_has_the_law(errors: list[int], decay: Fraction) -> None:
    turns = PreparedTurns(errors, decay)
    found = enumerate_law(turns.draw)
    assert [found.probability(i) for i in range(len(errors))] == law(errors, decay)


LISTS = {
    "few levels": ([0, 0, 1, 3, 3, 9, 2], Fraction(1, 2)),
    "one that is best": ([5, 1, 2, 2, 2, 2, 2, 2, 2, 2], Fraction(1, 8)),
    "many that say yes": ([i // 2 for i in range(9)], Fraction(99, 100)),
    "nobody but the best": ([0, 200, 0, 300], Fraction(1, 2)),
    "all alike": ([7, 7, 7], Fraction(1, 3)),
    "no decay": ([0, 3, 9], Fraction(1)),
    "several blocks": ([0, *[1] * 5, *[2] * 6], Fraction(3, 4)),
}


@pytest.mark.parametrize("way", ["_leaps", "_turns", "draws"])
@pytest.mark.parametrize("name", LISTS)
def test_many_draws_have_the_law(name: str, way: str) -> None:
    errors, decay = LISTS[name]
    if way == "_leaps" and decay == 1:
        return  # leaps are made over candidates of whom few say yes
    count = 40_000
    drawn: Callable[..., npt.NDArray[np.int64]] = getattr(PreparedTurns(errors, decay), way)
    found = np.bincount(drawn(count, SeededCoins(name)), minlength=len(errors))
    assert_like(found, law(errors, decay))


def assert_like(found: npt.NDArray[np.int64], expected: list[Fraction]) -> None:
    count = int(found.sum())
    for seen, p in zip(found.tolist(), map(float, expected), strict=True):
        assert abs(seen - count * p) <= 5 * (count * p * (1 - p)) ** 0.5 + 1e-9


@pytest.mark.parametrize("name", ["few levels", "one that is best", "several blocks"])
@pytest.mark.parametrize("unit", [3, 8])
def test_numbers_that_half_a_word_leaves_open_are_read_on(
    name: str, unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With probabilities of a few bits most leaps are open, and settled with more.
    monkeypatch.setattr(permuted_draws, "_UNIT", unit)
    errors, decay = LISTS[name]
    settled: list[int] = []
    turns = PreparedTurns(errors, decay)
    original = turns._settled

    def noted(here: int, end: int, digits: int, rng: SeededCoins) -> int:
        settled.append(here)
        return original(here, end, digits, rng)

    monkeypatch.setattr(turns, "_settled", noted)
    found = np.bincount(turns._leaps(4_000, SeededCoins(unit)), minlength=len(errors))
    assert len(settled) > 30
    assert_like(found, law(errors, decay))


def test_a_leap_is_settled_where_the_number_lies() -> None:
    # From the second on: yes with probabilities 1/2, 1/4, 1/4; nobody with 9/32.
    turns = PreparedTurns([0, 1, 2, 2], Fraction(1, 2))
    borders = [Fraction(1, 2), Fraction(3, 8), Fraction(9, 32)]
    for digits in (0, 1, 2**31 - 1, 2**31, 2**32 - 1, *(int(b * 2**32) for b in borders)):
        expected = next(
            (place for place, b in enumerate(borders) if Fraction(digits, 2**32) >= b), 3
        )
        assert turns._settled(0, 3, digits, SeededCoins(1)) == expected


def test_a_number_beside_a_border_is_read_on() -> None:
    # Nobody says yes with 2/3, whose first 32 digits these are: the next ones decide.
    turns = PreparedTurns([0, 1], Fraction(1, 3))
    digits = 2**33 // 3
    found = {turns._settled(0, 1, digits, SeededCoins(seed)) for seed in range(20)}
    assert found == {0, 1}
    assert turns._settled(0, 1, digits - 1, SeededCoins(1)) == 1
    assert turns._settled(0, 1, digits + 1, SeededCoins(1)) == 0


@pytest.mark.parametrize("name", ["few levels", "one that is best", "several blocks"])
def test_leaps_are_decided_only_where_all_that_may_follow_agrees(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Few bits of probability, and numbers all over [0, 1): an open one must not be decided.
    monkeypatch.setattr(permuted_draws, "_UNIT", 4)
    errors, decay = LISTS[name][0], LISTS[name][1] * Fraction(9, 10)
    turns = PreparedTurns(errors, decay)
    levels = sorted(error - min(errors) for error in errors)
    best = levels.count(0)
    stays = [1 - decay**level for level in levels[best:]]
    blocks = turns._bounds[0].tolist()
    numbers = np.arange(0, 1 << 32, 1 << 23, dtype=np.uint64)
    opened: list[int] = []

    def noted(here: int, _: int, digits: int, __: SeededCoins) -> int:
        opened.append(digits)
        return here

    monkeypatch.setattr(
        permuted_draws, "words", lambda _, __: numbers << np.uint64(32) | np.uint64(1)
    )
    monkeypatch.setattr(turns, "_settled", noted)
    total = 0
    for here in range(len(stays)):
        end = here + blocks[here:].count(blocks[here])
        nobody = [math.prod(stays[here : place + 1]) for place in range(here, end)]
        opened.clear()
        places, said = turns._next(np.full(len(numbers), here + best), SeededCoins(1))
        total += len(opened)
        for number, place, yes in zip(
            numbers.tolist(), (places - best).tolist(), said.tolist(), strict=True
        ):
            if number not in opened:
                # U lies in [number, number + 1) / 2**32; the first c with nobody(c) <= U.
                least = here + sum(p * 2**32 > number for p in nobody)
                most = here + sum(p * 2**32 >= number + 1 for p in nobody)
                assert least == most == place
                assert yes == (place < end)
    assert total > 100


@pytest.mark.parametrize("decay", [Fraction(1, 3), Fraction(2, 5), Fraction(6, 7), Fraction(9, 11)])
def test_a_number_is_settled_by_products_that_enclose(decay: Fraction) -> None:
    # In digits of one border each: it must be read on, and may then be on either side.
    errors = [0, 1, 1, 2, 3]
    turns = PreparedTurns(errors, decay)
    stays = list(accumulate((1 - decay**error for error in errors[1:]), mul))
    for place, border in enumerate(stays):
        digits, rest = divmod(border * 2**32, 1)
        found = {turns._settled(0, 4, int(digits), SeededCoins(seed)) for seed in range(40)}
        if Fraction(1, 5) < rest < Fraction(4, 5):
            assert found == {place, place + 1}
        assert found <= {place, place + 1}


@pytest.mark.parametrize("unit", [3, 5])
@pytest.mark.parametrize("guard", [0, 2])
def test_leaps_are_bounded_by_what_encloses_them(
    unit: int, guard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("_UNIT", unit), ("_GUARD", guard), ("_LEAST", 2)):
        monkeypatch.setattr(permuted_draws, name, value)
    for decay in (Fraction(1, 3), Fraction(2, 5), Fraction(6, 7)):
        errors = [0, 1, 1, 1, 2, 3, 3, 4]
        blocks, before, after = PreparedTurns(errors, decay)._bounds
        left = Fraction(1)
        for i, error in enumerate(errors[1:]):
            if i == 0 or blocks[i] != blocks[i - 1]:
                left = Fraction(1)
            assert before[0][i] <= left * 2**unit <= before[1][i]
            left *= 1 - decay**error
            low, high = (2**unit - (int(ranks[i]) - (int(blocks[i]) << 32)) for ranks in after)
            assert low <= left * 2**unit <= high
        for excess in range(6):
            low, high = permuted_draws._power(excess, decay, unit)
            assert low <= decay**excess * 2**unit <= high


def test_batches_are_as_long_as_asked() -> None:
    turns = PreparedTurns([0, 1, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5], Fraction(1, 4))
    for count in (0, 1, 4, 5, 4096, 4097):
        drawn = turns.draws(count, SeededCoins(1))
        assert drawn.shape == (count,)
        assert drawn.dtype == np.int64
    assert turns.draws(100, SeededCoins(5)).tolist() == turns.draws(100, SeededCoins(5)).tolist()


def test_errors_that_need_long_fractions_are_drawn_at_once() -> None:
    decay = 1 - Fraction(1, 10**6)
    turns = PreparedTurns([0, 10**6, 2 * 10**6, 10**9], decay)
    drawn = [turns.draw(SeededCoins(seed)) for seed in range(2_000)]
    # p = 1, e^-1, e^-2 and nothing: 1 is taken with e^-1 (1/2 - e^-2/6), nearly.
    assert 290 <= drawn.count(1) <= 390
    assert 3 not in drawn


@pytest.mark.parametrize(
    ("errors", "decay", "message"),
    [
        ([], Fraction(1, 2), "errors"),
        ([0.5], Fraction(1, 2), "errors"),
        ([0], Fraction(0), "decay"),
        ([0], Fraction(3, 2), "decay"),
    ],
)
def test_bad_input_is_named(errors: list[int], decay: Fraction, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        PreparedTurns(errors, decay)
    with pytest.raises(InvalidInput, match="count"):
        PreparedTurns([0], Fraction(1, 2)).draws(-1)


def test_errors_are_asked_for_once() -> None:
    asked: list[object] = []

    def errors(x: object) -> list[int]:
        asked.append(x)
        return [0, 1, 2]

    chooser: PermuteAndFlip[object, str] = PermuteAndFlip(tuple("abc"), errors, Fraction(1, 2))
    prepared = chooser.prepare("x")
    assert prepared.draws(50, SeededCoins(2)).max() <= 2
    assert asked == ["x"]
