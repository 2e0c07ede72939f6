"""Draws with exponential weights: for every uniform number, the outcome whose share contains it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteDistribution, InvalidInput, SeededCoins, enumerate_law
from pac_stability.mechanisms import (
    enclosed_choice,
    enclosed_powers,
    exponential,
    exponential_choice,
)
from pac_stability.mechanisms.draws import Prior

decays = st.one_of(
    st.just(1 - Fraction(1, 1 << 20)),
    st.just(Fraction(158999, 262144)),
    st.fractions(min_value=Fraction(1, 10**4), max_value=1, max_denominator=10**4),
)


@dataclass
class Uniform:
    """Coins that reveal the binary digits of one number, and then always take the last member."""

    number: Fraction
    revealed: int = 0
    readings: list[int] = field(default_factory=list)

    def below(self, n: int, /) -> int:
        count = n.bit_length() - 1
        if count < 64:
            return n - 1
        assert n == 1 << count
        self.readings.append(count)
        self.revealed += count
        return int(self.number * (1 << self.revealed)) & (n - 1)

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        raise AssertionError(f"{len(weights)} weights are written out")

    def bernoulli(self, p: int | Fraction, /) -> int:
        raise NotImplementedError(p)


@dataclass
class Weighing(Uniform):
    """The same, with a note of the weights that are chosen among."""

    weighed: list[list[int | Fraction]] = field(default_factory=list)

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        self.weighed.append(list(weights))
        return len(weights) - 1


def shares(errors: Sequence[int], decay: Fraction) -> list[tuple[int, Fraction, Fraction]]:
    """The share of [0, 1) of each number of errors, fewest first."""
    levels = sorted(set(errors))
    weights = [errors.count(k) * decay ** (k - levels[0]) for k in levels]
    ends = [Fraction(0), *accumulate(weights)]
    return [(k, ends[i] / ends[-1], ends[i + 1] / ends[-1]) for i, k in enumerate(levels)]


@given(st.lists(st.integers(0, 60), min_size=2, max_size=12), decays, st.data())
def test_every_uniform_number_gives_the_level_that_contains_it(
    errors: list[int], decay: Fraction, data: st.DataObject
) -> None:
    table = shares(errors, decay)
    # Anywhere, and within 2**-300 of an end of a share, from either side.
    end = table[data.draw(st.integers(0, len(table) - 1))][1]
    step = data.draw(st.integers(-2, 2))
    near = Fraction(int(end * 2**300) + step, 2**300)
    anywhere = Fraction(data.draw(st.integers(0, 2**80 - 1)), 2**80)
    for number in (near, anywhere):
        # On an end itself reading would never stop, which has probability 0.
        if 0 <= number < 1 and (number == 0 or all(number != low for _, low, _ in table)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(exponential, "_SHORT", -1)  # as if the weights were long
                found = exponential_choice(errors, decay, Uniform(number))
            (level,) = [k for k, low, high in table if low <= number < high]
            assert errors[found] == level


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=4), st.data())
def test_a_prior_on_the_tape(errors: list[int], data: st.DataObject) -> None:
    rho, positive = Fraction(2, 3), st.fractions(Fraction(1, 9), 9, max_denominator=9)
    prior = data.draw(st.lists(positive, min_size=len(errors), max_size=len(errors)))
    weights = [p * rho ** (k + 3) for p, k in zip(prior, errors, strict=True)]
    expected = {i: weight / sum(weights) for i, weight in enumerate(weights)}
    law = enumerate_law(lambda rng: exponential_choice(errors, rho, rng, prior=prior))
    assert law == FiniteDistribution(expected)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=9), decays, st.data())
def test_a_prior_is_a_list_that_repeats_the_candidates(
    errors: list[int], decay: Fraction, data: st.DataObject
) -> None:
    size = len(errors)
    prior = data.draw(st.lists(st.integers(1, 5), min_size=size, max_size=size))
    repeated = [k for k, times in zip(errors, prior, strict=True) for _ in range(times)]
    number = Fraction(2 * data.draw(st.integers(0, 2**70 - 1)) + 1, 2**71)
    far: list[Prior] = [
        prior,
        [p << 70 for p in prior],
        np.array(prior),
    ]  # the second beyond 64 bits, before gcd
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exponential, "_SHORT", -1)
        want = repeated[exponential_choice(repeated, decay, Uniform(number))]
        for given_prior in far:
            coins = Weighing(number)
            assert errors[exponential_choice(errors, decay, coins, prior=given_prior)] == want
            members = [p for p, k in zip(prior, errors, strict=True) if k == want]
            common = math.gcd(*prior)
            assert coins.weighed == [[p // common for p in members]]


def test_a_prior_of_any_size_adds_up_exactly() -> None:
    # Sums beyond 2**63: 2**200 (3 + 1) against 2**199 (1/2 + 1/2 ...) at one error more.
    prior = [3 << 200, 1, (1 << 200) - 1]
    law = enumerate_law(lambda rng: exponential_choice([0, 1, 1], Fraction(1, 2), rng, prior=prior))
    assert law.probability(0) == Fraction(6, 7)


def test_doubtful_numbers_are_read_further_and_others_are_not() -> None:
    errors, decay = [0, 50, 600], 1 - Fraction(1, 1 << 40)
    first = shares(errors, decay)[0][2]
    near = Uniform(Fraction(int(first * 2**200), 2**200))
    assert errors[exponential_choice(errors, decay, near)] == 0
    far = Uniform(first + Fraction(1, 1000))
    assert errors[exponential_choice(errors, decay, far)] == 50
    assert (near.readings, far.readings) == ([64, 64, 128], [64])


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=4), st.sampled_from(["1/2", "2/3", "1"]))
def test_short_weights_on_the_tape(errors: list[int], decay: str) -> None:
    rho = Fraction(decay)
    weights = [rho ** (k + 3) for k in errors]
    expected = {i: weight / sum(weights) for i, weight in enumerate(weights)}
    law = enumerate_law(lambda rng: exponential_choice(errors, rho, rng))
    assert law == FiniteDistribution(expected)


def test_members_of_a_level_are_equally_likely() -> None:
    errors, decay, rng = [10**6, 0, 10**6, 0], 1 - Fraction(1, 1 << 20), SeededCoins(4)
    found = [exponential_choice(errors, decay, rng) for _ in range(4000)]
    # P(0) = 1 / (2 + 2 e**(-0.9537)): errors of 4 standard deviations are 0.03.
    low, high = 0.5 / (1 + 2.5953), 0.5 * 2.5953 / (1 + 2.5953)
    for index, probability in enumerate([low, high, low, high]):
        assert abs(found.count(index) / 4000 - probability) < 0.03


@given(
    st.lists(st.integers(0, 500), unique=True, max_size=8).map(sorted), decays, st.integers(1, 200)
)
def test_powers_are_enclosed(exponents: list[int], decay: Fraction, bits: int) -> None:
    floors, ceilings = enclosed_powers(exponents, decay, bits)
    for exponent, floor, ceiling in zip(exponents, floors, ceilings, strict=True):
        scaled = decay**exponent * 2**bits
        assert floor <= scaled <= ceiling
        if floor:
            assert ceiling - floor <= 3 * exponent


@pytest.mark.parametrize(
    ("prior", "argument"),
    [
        ([1], "prior"), ([1, 0], "prior[1]"), ([-1, 1], "prior[0]"), ([0.5, 0.5], "prior[0]"),
        ([True, 1], "prior[0]"), (np.array([1.0, 2.0]), "prior[0]"),
        (np.array([[1, 2], [3, 4]]), "prior[0]"), (3, "prior"),
    ],
)  # fmt: skip
def test_bad_priors(prior: Sequence[int], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        exponential_choice([0, 1], Fraction(1, 2), prior=prior)
    assert caught.value.argument == argument


def test_enclosures_that_are_none() -> None:
    for wrong in (([], []), ([1], [1, 2])):
        with pytest.raises(InvalidInput, match="enclosed"):
            enclosed_choice(lambda _, both=wrong: both)  # type: ignore[misc]  # a default


@pytest.mark.parametrize(("errors", "decay", "argument"), [
    ([], Fraction(1, 2), "errors"), ([0.5], Fraction(1, 2), "errors"), ([1], Fraction(0), "decay"),
    ([1], Fraction(3, 2), "decay"), ([1], float("nan"), "decay"),
])  # fmt: skip
def test_bad_input(errors: list[int], decay: Fraction, argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        exponential_choice(errors, decay)
    assert caught.value.argument == argument
