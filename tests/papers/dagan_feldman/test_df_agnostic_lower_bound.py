"""How many examples agnostic learning takes: coins, by enumeration, and the closed forms."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import arithmetic, data, errors
from pac_stability.papers import dagan_feldman
from pac_stability.papers.dagan_feldman.sample_complexity import (
    agnostic_lower_bound,
    private_lower_bound,
)
from shared_examples import example

EXAMPLE = example("private_bounds")
agnostic_least_sample_size: Callable[..., Any] = EXAMPLE.agnostic_least_sample_size

F = Fraction
BIASES = [F(0), F(1, 10), F(1, 3), F(9, 10), F(1)]


def told_wrongly(tosses: int, bias: Fraction) -> Fraction:
    """Half of the smaller chances of each outcome under the two coins: the best guess."""
    total = F(0)
    for shown in product((0, 1), repeat=tosses):
        chances = [
            math.prod(((1 + bias) / 2 if y == side else (1 - bias) / 2 for y in shown), start=F(1))
            for side in (0, 1)
        ]
        total += min(chances) / 2
    return total


@pytest.mark.parametrize("bias", BIASES)
def test_a_coin(bias: Fraction) -> None:
    for tosses in range(9):
        assert dagan_feldman.coin_error(tosses, bias) == told_wrongly(tosses, bias)


@pytest.mark.parametrize("bias", BIASES)
def test_rounding_loses_less_than_it_says(bias: Fraction) -> None:
    scale = 1 << 30
    for n in (0, 1, 2, 7, 60):
        rounded = EXAMPLE._rounded_coin_errors(n, bias, scale)
        assert len(rounded) == n + 1
        for seen, value in enumerate(rounded):
            assert 0 <= dagan_feldman.coin_error(seen, bias) * scale - value < 2


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any),
    st.integers(0, 7),
    st.sampled_from(BIASES),
)
def test_average_excesses(parts: list[int], n: int, bias: Fraction) -> None:
    masses = [F(part, sum(parts)) for part in parts]
    expected = sum(
        bias * p * math.comb(n, k) * p**k * (1 - p) ** (n - k) * dagan_feldman.coin_error(k, bias)
        for p in masses
        for k in range(n + 1)
    )
    assert dagan_feldman.agnostic_average_excess(masses, n, bias) == expected


def test_the_majority_attains_it_for_all_sides() -> None:
    masses, n, bias = (F(1, 3), F(2, 3)), 3, F(1, 2)
    for sides in product((0, 1), repeat=2):
        excess = F(0)
        for drawn in product(product((0, 1), repeat=2), repeat=n):
            chance = math.prod(
                masses[x] * (F(3, 4) if y == sides[x] else F(1, 4)) for x, y in drawn
            )
            sample = data.Sample([x for x, _ in drawn], [y for _, y in drawn])
            predicted = dagan_feldman.VotingLearner(F(1)).probabilities(sample, (0, 1))
            for x in (0, 1):
                excess += chance * masses[x] * bias * abs(sides[x] - predicted[x])
        assert excess == dagan_feldman.agnostic_average_excess(masses, n, bias)


@pytest.mark.parametrize(("d", "alpha", "beta"), [
    (1, F(1, 10), F(0)), (3, F(1, 10), F(0)), (4, F(1, 20), F(1, 10)), (1, F(1, 5), F(1, 20)),
    (40, F(1, 10), F(1, 20)),
])  # fmt: skip
def test_sizes_are_the_largest_that_coins_ask_for(d: int, alpha: Fraction, beta: Fraction) -> None:
    n = agnostic_least_sample_size(d, alpha, beta)

    def excluded(size: int) -> bool:
        biases = [alpha * F(k, 4) for k in range(8, 49) if alpha * k <= 4]
        coins = any(
            dagan_feldman.agnostic_average_excess([F(1, d)] * d, size, bias)
            > (1 - beta) * alpha + beta * bias
            for bias in biases
        )
        return coins or (beta > 0 and dagan_feldman.coin_error(size, 2 * alpha) > beta)

    assert excluded(n - 1)
    assert not excluded(n)


def test_closed_forms_are_below() -> None:
    for d, alpha, beta in product((1, 3, 20), (F(1, 12), F(1, 40)), (F(0), F(1, 20), F(1, 5))):
        closed = agnostic_lower_bound(alpha, beta, d)
        assert 0 < closed <= agnostic_least_sample_size(d, alpha, beta)


def test_golden_closed_forms() -> None:
    """16 alpha^2 = 1/4 at alpha = 1/8: d ln(4/3)/ln(4/3) = d, which no interval tells from d."""
    assert [agnostic_lower_bound("1/8", 0, d) for d in (1, 7, 1000)] == [1, 7, 1000]
    assert agnostic_lower_bound("1/4", 0, 5) == 0  # a bias of 1
    # alpha = 1/4, beta = 1/16: ln 4/ln(4/3) = 4.8; 1 - 4 alpha^2 = 1/4 needs alpha^2 = 3/16.
    assert agnostic_lower_bound("1/5", "1/16", 1) == math.ceil(math.log(4) / -math.log(1 - 0.16))
    rho = 4 * 0.95 / 0.9 / 50
    coins = 100 * math.log(4 / (4 - 0.81)) / -math.log(1 - rho**2)
    assert agnostic_lower_bound("1/50", "1/20", 100) == math.ceil(coins)
    # And ln 3 / ln 9 = 1/2: m/(4 alpha) times that.
    assert private_lower_bound("1/8", arithmetic.Epsilon.exactly(9), 3) == 2
    assert private_lower_bound("1/4", arithmetic.Epsilon.exactly(3), 6) == 5


def test_the_constant_of_the_sum() -> None:
    """(d + ln(1/beta))/(400 alpha^2) for beta <= 1/8 and alpha <= 1/10, its worst case included."""
    for d, alpha, beta in product(
        (1, 2, 50), (F(1, 10), F(1, 37), F(1, 200)), (F(1, 8), F(1, 50), F(1, 10**6))
    ):
        stated = (d + arithmetic.Interval.log(1 / beta)) / (400 * alpha * alpha)
        assert stated <= agnostic_lower_bound(alpha, beta, d)


def test_bad_input() -> None:
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("tosses: got -1", lambda: dagan_feldman.coin_error(-1, "1/2")),
        ("bias", lambda: dagan_feldman.coin_error(1, 2)),
        (
            "masses: got a sum of 3/2",
            lambda: dagan_feldman.agnostic_average_excess([1, "1/2"], 1, "1/2"),
        ),
        ("d: got 0", lambda: agnostic_least_sample_size(0, "1/10")),
        ("alpha: got 1/2", lambda: agnostic_least_sample_size(1, "1/2")),
        ("beta: got 1/2", lambda: agnostic_least_sample_size(1, "1/10", "1/2")),
        ("beta: got 1/2", lambda: agnostic_lower_bound("1/10", "1/2", 1)),
        ("vc_dimension: got 0", lambda: agnostic_lower_bound("1/10", 0, 0)),
    ]
    for message, call in wrong:
        with pytest.raises(errors.InvalidInput, match=message):
            call()
