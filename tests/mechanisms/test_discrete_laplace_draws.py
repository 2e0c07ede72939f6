"""Batches of discrete Laplace noise: the law of single draws, by the tape and by its borders."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.data import enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import DiscreteLaplace, discrete_laplace_draws
from pac_stability.randomness import Coins, SeededCoins

F = Fraction


def _first(mechanism: DiscreteLaplace, x: int, rng: Coins) -> int:
    return int(mechanism.draws(x, 1, rng)[0])


@pytest.mark.parametrize("r", [F(1, 2), F(1, 7), F(9, 10)])
@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (-1, 3), (-2, 6)])
def test_a_batch_of_one_has_the_law(r: Fraction, low: int, high: int) -> None:
    mechanism = DiscreteLaplace(r, low, high)
    for x in range(low, high + 1):
        law = enumerate_law(partial(_first, mechanism, x))
        assert law == mechanism.law(x)


def test_two_draws_are_independent() -> None:
    mechanism = DiscreteLaplace(F(1, 2), -1, 1)
    alone = mechanism.law(0)
    law = enumerate_law(lambda rng: tuple(mechanism.draws(0, 2, rng).tolist()))
    assert dict(law.items()) == {(a, b): p * q for a, p in alone.items() for b, q in alone.items()}


def test_what_lies_beyond_the_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    # With two digits for all numbers, those from 4 on are rare no longer.
    monkeypatch.setattr(discrete_laplace_draws, "digits_drawn", lambda _decay, _most: 2)
    mechanism = DiscreteLaplace(F(3, 4), -11, 11)
    law = enumerate_law(lambda rng: int(mechanism.draws(0, 1, rng)[0]))
    assert law == mechanism.law(0)


@given(
    st.integers(1, 5), st.integers(3000, 10**5), st.integers(0, 12), st.booleans(),
    st.integers(60, 200),
)  # fmt: skip
def test_a_long_coin_has_bounds_around_its_probability_that_close(
    a: int, b: int, place: int, odds: bool, bits: int
) -> None:
    r = 1 - F(a, b)
    power = r ** (1 << place)
    p = power / (1 + power) if odds else power
    low, high = discrete_laplace_draws._bounds_of(r, 1 << place, odds=odds)(bits)
    assert low <= p * 2**bits <= high
    assert high - low <= 2


def test_many_draws_side_by_side_are_those_of_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Batches are only cut: what is drawn has the mean and the variance of the law.
    monkeypatch.setattr(discrete_laplace_draws, "_BATCH", 1000)
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
        with pytest.raises(InvalidInput, match="2\\*\\*61"):
            DiscreteLaplace(F(1, 2), low, high).draws(0, 3)
    widest = DiscreteLaplace(F(1, 2), -(1 << 61), 1 << 61)
    assert abs(widest.draws(1 << 61, 10, SeededCoins(1)) - (1 << 61)).max() < 100
    near = DiscreteLaplace(1 - F(1, 1 << 70), -(1 << 61), 1 << 61)
    assert set(near.draws(0, 50, SeededCoins(1)).tolist()) == {-(1 << 61), 1 << 61}
    assert len(widest.draws(0, 0)) == 0
    with pytest.raises(InvalidInput, match="count"):
        widest.draws(0, -1)
