"""Permute-and-flip prepared: draws have the law of the definition."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import SeededCoins, enumerate_law
from pac_stability.mechanisms import PermuteAndFlip, PreparedTurns
from pac_stability.mechanisms.draws import enclosed_power
from shared_refusals import refuses

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


@pytest.mark.parametrize("name", LISTS)
def test_many_draws_have_the_law(name: str) -> None:
    errors, decay = LISTS[name]
    drawn = PreparedTurns(errors, decay).draws(20_000, SeededCoins(name))
    found = np.bincount(drawn, minlength=len(errors))
    assert_like(found, law(errors, decay))


def assert_like(found: npt.NDArray[np.int64], expected: list[Fraction]) -> None:
    count = int(found.sum())
    for seen, p in zip(found.tolist(), map(float, expected), strict=True):
        assert abs(seen - count * p) <= 5 * (count * p * (1 - p)) ** 0.5 + 1e-9


def test_batches_are_as_long_as_asked() -> None:
    turns = PreparedTurns([0, 1, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5], Fraction(1, 4))
    for count in (0, 1, 4, 5, 4096, 4097):
        drawn = turns.draws(count, SeededCoins(1))
        assert drawn.shape == (count,)
        assert drawn.dtype == np.int64
    assert turns.draws(100, SeededCoins(5)).tolist() == turns.draws(100, SeededCoins(5)).tolist()


@pytest.mark.parametrize("decay", [Fraction(1, 3), Fraction(2, 5), Fraction(6, 7)])
def test_powers_are_enclosed(decay: Fraction) -> None:
    for bits in (3, 5, 64):
        for excess in range(6):
            low, high = enclosed_power(excess, decay, bits)
            assert low <= decay**excess * 2**bits <= high <= low + 1


def test_errors_that_need_long_fractions_are_drawn_at_once() -> None:
    decay = 1 - Fraction(1, 10**6)
    turns = PreparedTurns([0, 10**6, 2 * 10**6, 10**9], decay)
    drawn = [turns.draw(SeededCoins(seed)) for seed in range(2_000)]
    # p = 1, e^-1, e^-2 and nothing: 1 is taken with e^-1 (1/2 - e^-2/6), nearly.
    assert 290 <= drawn.count(1) <= 390
    assert 3 not in drawn


@pytest.mark.parametrize(("errors", "decay", "message"), [
    ([], Fraction(1, 2), "errors"), ([0.5], Fraction(1, 2), "errors"), ([0], Fraction(0), "decay"),
    ([0], Fraction(3, 2), "decay"),
])  # fmt: skip
def test_bad_input_is_named(errors: list[int], decay: Fraction, message: str) -> None:
    refuses(message, PreparedTurns, errors, decay)
    refuses("count", PreparedTurns([0], Fraction(1, 2)).draws, -1)


def test_errors_are_asked_for_once() -> None:
    asked: list[object] = []

    def errors(x: object) -> list[int]:
        asked.append(x)
        return [0, 1, 2]

    chooser: PermuteAndFlip[object, str] = PermuteAndFlip(tuple("abc"), errors, Fraction(1, 2))
    prepared = chooser.prepare("x")
    assert prepared.draws(50, SeededCoins(2)).max() <= 2
    assert asked == ["x"]
