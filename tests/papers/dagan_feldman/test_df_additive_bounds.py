"""What the enclosures of the additive selection rest on: each bound against exact numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.arithmetic import Interval
from pac_stability.papers.dagan_feldman import additive_paths, additive_sums

RATIO = additive_sums.RATIO


def up_to(relative: float) -> Fraction:
    return 1 + Fraction(relative)


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=8))
def test_exponentials_lie_just_below(x: list[float]) -> None:
    values = additive_paths.exponentials_below(np.array(x))
    for argument, value in zip(x, values.tolist(), strict=True):
        exact = Interval.exp(-Fraction(argument), 128)
        assert Fraction(value) <= exact.lower
        if argument <= 700:
            assert exact.upper <= Fraction(value) * up_to(2**-47)


def test_exponentials_at_the_seams() -> None:
    seams = np.arange(0, 701 * 64) / 64
    for x in (seams, np.nextafter(seams, 0), np.nextafter(seams, 1000)):
        chosen = x[:: 64 * 7 + 1]
        for argument, value in zip(chosen, additive_paths.exponentials_below(chosen), strict=True):
            exact = Interval.exp(-Fraction(float(argument)), 128)
            assert Fraction(float(value)) <= exact.lower
            assert argument > 700 or exact.upper <= Fraction(float(value)) * up_to(2**-47)
    assert additive_paths.exponentials_below(np.array([math.inf])).tolist() == [0.0]


def scaled(numbers: additive_paths.Scaled, index: int) -> Fraction:
    return Fraction(numbers.mantissas[index]) * Fraction(2) ** int(numbers.exponents[index])


@given(
    st.fractions(Fraction(1, 1000), 3, max_denominator=10**6),
    st.fractions(Fraction(1, 1000), 1000, max_denominator=1000),
)
def test_powers_and_their_products(base: Fraction, start: Fraction) -> None:
    powers = additive_paths.scaled_powers(base, 60, start)
    for k in range(0, 60, 9):
        exact = start * base**k
        assert scaled(powers, k) <= exact <= scaled(powers, k) * up_to(2**-51)
    some = powers.take(np.array([0, 7, 59]))
    lower, upper = powers.products(some)
    for i in range(0, 60, 7):
        for j, k in enumerate((0, 7, 59)):
            exact = start**2 * base ** (i + k)
            assert Fraction(lower[i, j]) <= exact
            assert math.isinf(upper[i, j]) or exact <= Fraction(upper[i, j])
            if 2**-900 < exact < 2**50:
                assert upper[i, j] <= lower[i, j] * (1 + 2**-46)


def test_products_beyond_the_doubles() -> None:
    tiny = additive_paths.scaled_powers(Fraction(1, 2**500), 4)
    lower, upper = tiny.products(tiny)
    assert lower[3, 3] == 0.0 < upper[3, 3]
    large = additive_paths.scaled_powers(Fraction(2**500), 4)
    lower, upper = large.products(large)
    assert lower[3, 3] < math.inf == upper[3, 3]
    # One is the reciprocal of the other.
    lower, upper = tiny.products(large)
    assert (lower.diagonal() <= 1).all()
    assert (upper.diagonal() >= 1).all()


def test_factorials() -> None:
    factorials = additive_paths.scaled_factorials(300)
    for k in range(300):
        exact = math.factorial(k)
        assert scaled(factorials, k) <= exact <= scaled(factorials, k) * up_to(2**-51)


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_gauss_rule_has_the_moments_of_its_measure(count: int) -> None:
    # sum over k of q**k q**(k i) = 1 / (1 - q**(i + 1)), for polynomials of degree < 2 count;
    # the next even one is integrated to too little.
    q = 1 / RATIO
    rule = additive_sums.gauss_rule(count)
    assert len(rule.nodes) == count
    for i in range(2 * count + 1):
        moment = 1 / (1 - q ** (i + 1))
        found = sum(w * t**i for t, w in zip(rule.nodes, rule.weights, strict=True))
        if i < 2 * count:
            assert abs(found - moment) < moment * Fraction(1, 10**30)
        else:
            assert found < moment * (1 - Fraction(1, 10**20))


@pytest.mark.parametrize("exponent", range(-9, 10, 2))
def test_the_sum_of_exponentials_is_nearly_the_reciprocal_and_never_more(exponent: int) -> None:
    # The smallest t are summed by the Gauss rule; it starts where t Z is at most 4.
    rng = np.random.default_rng(exponent + 9)
    z = Fraction(int(rng.integers(10**5, 10**6)), 10**5) * Fraction(10) ** exponent
    level = math.floor(math.log(4 / float(z), float(RATIO)))
    first = RATIO**level
    step = Interval.log(RATIO)
    total = Interval.exactly(0)
    rule = additive_sums.gauss_rule()
    for t, w in zip(rule.nodes, rule.weights, strict=True):
        total = total + w * first * Interval.exp(-t * first * z, 96)
    for k in range(1, 20):
        t = first * RATIO**k
        total = total + t * Interval.exp(-t * z, 96)
    total = total * step * z
    assert total.upper <= 1 + additive_sums.excess()
    assert total.lower >= 1 - Fraction(1, 10**11)
    assert additive_sums.excess() < Fraction(1, 10**12)
    # With terms of larger t left out, or where t Z is larger, there is only less.
    shifted = Interval.exactly(0)
    for t, w in zip(rule.nodes, rule.weights, strict=True):
        shifted = shifted + w * first * Interval.exp(-t * first * 40 * z, 96)
    assert (shifted * step * 40 * z).upper <= 1


def hypergeometric(n: int, drawn: int, behind: int, s: int) -> Fraction:
    return Fraction(math.comb(behind, s) * math.comb(n - behind, drawn - s), math.comb(n, drawn))


@pytest.mark.parametrize("seed", range(15))
def test_paths_have_the_probabilities_of_a_random_subset(seed: int) -> None:
    rng = np.random.default_rng(seed)
    copies = rng.choice([1, 1, 1, 2, 5, 30], rng.integers(1, 13)).tolist()
    n = sum(copies)
    size = int(rng.choice([1, n, rng.integers(1, n + 1)]))
    found = additive_paths.paths(np.array(copies), size)
    place, behind, rounding = 0, 0, up_to(found.roundings * 2.0**-51)
    for j, copied in enumerate(copies):
        for s in range(found.low[j], found.high[j] + 1):
            for t in range(max(s, found.low[j + 1]), min(s + copied, found.high[j + 1]) + 1):
                wanted = (
                    math.comb(copied, t - s)
                    * Fraction(math.comb(n - behind - copied, size - t))
                    / math.comb(n - behind, size - s)
                )
                given = Fraction(found.steps[place])
                assert wanted / rounding <= given <= wanted * rounding
                place += 1
        # The windows leave hardly anything out.
        inside = sum(
            hypergeometric(n, size, behind, s) for s in range(found.low[j], found.high[j] + 1)
        )
        assert inside > 1 - Fraction(1, 10**15)
        behind += copied
    assert place == len(found.steps)
    assert found.low[-1] == found.high[-1] == size
