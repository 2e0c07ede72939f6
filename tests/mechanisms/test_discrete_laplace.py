"""Discrete Laplace noise: law, sampler, exact (epsilon, delta); and discrete Gaussian noise."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import Coins, Epsilon, InvalidInput, SeededCoins, audit
from pac_stability.data import FiniteDistribution, Mechanism
from pac_stability.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    discrete_laplace_pmf,
    discrete_laplace_tail,
)
from shared_refusals import refuses

Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Delta = Callable[[Law, Law, Fraction], Fraction]
Runs = Callable[[Mechanism[object, object], object], bool]

decays = st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9)


@given(decays, st.integers(-6, 6))
def test_pmf_is_two_sided_geometric(r: Fraction, z: int) -> None:
    assert discrete_laplace_pmf(z + 1, r) / discrete_laplace_pmf(z, r) == (r if z >= 0 else 1 / r)
    # The values from -5 to 5, and the two ends as geometric series.
    ends = 2 * discrete_laplace_pmf(6, r) / (1 - r)
    assert sum(discrete_laplace_pmf(k, r) for k in range(-5, 6)) + ends == 1


@given(decays, st.integers(-6, 6))
def test_tail_adds_the_pmf(r: Fraction, z: int) -> None:
    below = sum((discrete_laplace_pmf(k, r) for k in range(-10, z)), Fraction(0))
    beyond = discrete_laplace_pmf(11, r) / (1 - r)  # -11 and below, a geometric series
    assert discrete_laplace_tail(z, r) == 1 - below - beyond


@given(decays, st.integers(-3, 3), st.integers(0, 5), st.data())
def test_law_is_that_of_what_runs_and_the_definition(
    runs_as_stated: Runs, r: Fraction, low: int, length: int, data: st.DataObject
) -> None:
    noise = DiscreteLaplace(r, low, low + length)
    x = data.draw(st.integers(low, low + length))
    law = noise.law(x)
    assert runs_as_stated(cast("Mechanism[object, object]", noise), x)
    for outcome in range(low + 1, low + length):
        assert law.probability(outcome) == discrete_laplace_pmf(outcome - x, r)
    if length:
        assert law.probability(low + length) == discrete_laplace_tail(low + length - x, r)


@pytest.mark.parametrize("r", [Fraction(1, 2), Fraction(4, 5)])
@pytest.mark.parametrize("sensitivity", [1, 2, 3])
@pytest.mark.parametrize("length", [1, 3, 6])
def test_epsilon_and_delta_over_all_neighbours(
    least_factor: Factor, least_delta: Delta, r: Fraction, sensitivity: int, length: int
) -> None:
    noise = DiscreteLaplace(r, 0, length, sensitivity)
    inputs = range(length + 1)
    pairs = [
        (noise.law(x), noise.law(y))
        for x, y in product(inputs, inputs)
        if abs(x - y) <= sensitivity
    ]
    room = length >= sensitivity
    factor = max(least_factor(p, q) for p, q in pairs)
    assert factor == r**-sensitivity if room else factor < r**-sensitivity
    assert noise.guarantee.factor == r**-sensitivity
    for t in (Fraction(1), Fraction(9, 8), 1 / r, r**-2, r**-3):
        delta = max(least_delta(p, q, t) for p, q in pairs)
        stated = noise.delta(Epsilon.exactly(t))
        assert delta == stated if room else delta <= stated
        assert (stated == 0) == (t >= r**-sensitivity)


def test_from_epsilon_spends_it() -> None:
    noise = DiscreteLaplace.from_epsilon(Epsilon.exactly(4), 0, 5, sensitivity=2)
    assert noise.decay == Fraction(1, 2)
    asked = Epsilon(0.1).ratio
    spent = DiscreteLaplace.from_epsilon(0.1, 0, 5).guarantee.factor
    assert asked - (asked - 1) / 1000 < spent <= asked
    with pytest.raises(InvalidInput, match="epsilon"):  # no noise is that wide
        DiscreteLaplace.from_epsilon(0.0, 0, 5)


@pytest.mark.parametrize(("argument", "arguments"), [
    ("decay", (1, 0, 1)), ("decay", (float("nan"), 0, 1)), ("low", (Fraction(1, 2), 0.5, 1)),
    ("high", (Fraction(1, 2), 0, Fraction(1, 2))), ("high", (Fraction(1, 2), 1, 0)),
    ("sensitivity", (Fraction(1, 2), 0, 1, 0)),
])  # fmt: skip
def test_bad_parameters(argument: str, arguments: tuple[Fraction, int, int]) -> None:
    with pytest.raises(InvalidInput) as caught:
        DiscreteLaplace(*arguments)
    assert caught.value.argument == argument


@pytest.mark.parametrize("x", [-1, 4, 0.5, Fraction(1, 2), "1", None, True])
def test_bad_input(x: object) -> None:
    noise = DiscreteLaplace(Fraction(1, 2), 0, 3)
    for use in (noise.law, noise.run):
        with pytest.raises(InvalidInput) as caught:
            use(cast("int", x))
        assert caught.value.argument == "x"
    refuses("value", discrete_laplace_tail, cast("int", Fraction(1, 2)), Fraction(1, 2))


class Plain:
    """Coins that are no generator of NumPy."""

    def __init__(self) -> None:
        self.coins = SeededCoins(5)

    def below(self, n: int, /) -> int:
        return self.coins.below(n)

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        return self.coins.choose(weights)

    def bernoulli(self, p: int | Fraction, /) -> int:
        return self.coins.bernoulli(p)


@pytest.mark.parametrize("coins", [SeededCoins(4), Plain()])
@pytest.mark.parametrize("sigma", [Fraction(1, 2), Fraction(1), Fraction(13, 4)])
def test_discrete_gaussian_draws_have_their_weights(coins: Coins, sigma: Fraction) -> None:
    noise, many = DiscreteGaussian(sigma), 4000
    seen = Counter(noise.run(7, coins) - 7 for _ in range(many))
    weights = {z: math.exp(-z * z / (2 * float(sigma) ** 2)) for z in range(-40, 41)}
    means = {z: many * w / sum(weights.values()) for z, w in weights.items()}
    likely = [z for z, mean in means.items() if mean > 5]
    squares = sum((seen[z] - means[z]) ** 2 / means[z] for z in likely)
    assert squares < len(likely) + 4 * math.sqrt(2 * len(likely))  # chi squared, four deviations


def test_a_program_with_discrete_gaussian_noise_is_enclosed() -> None:
    noise = DiscreteGaussian(Fraction(2))

    def is_many(rows: Sequence[int], rng: Coins) -> bool:
        return noise.run(sum(rows), rng) > 1

    found = audit.differential_privacy(is_many, 2, 2, labelled=False)
    weights = [math.exp(-z * z / 8) for z in range(-40, 41)]
    assert found.verdict is audit.Verdict.BOUNDED
    assert float(found.value) == pytest.approx(sum(weights[41:]) / sum(weights[42:]), rel=1e-12)
    refuses("sigma: got 0, want a number above 0", DiscreteGaussian, Fraction(0))
