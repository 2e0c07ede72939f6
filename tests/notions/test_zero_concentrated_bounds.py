"""The ends of what encloses rho: orders without limit, and few bits, against sums by hand."""

import math
from fractions import Fraction
from itertools import product
from operator import add

import pytest

from pac_stability import Epsilon, FiniteDistribution, Interval, mechanisms, notions
from pac_stability.audit.notions.zero_concentrated import Divergence
from pac_stability.notions.zero_concentrated import implied_rho, one_sided_rho, renyi_divergence

Law = FiniteDistribution[object]
Choice = mechanisms.ExponentialMechanism[tuple[int, ...], int]


def law(*weights: int) -> Law:
    return FiniteDistribution({y: Fraction(w, sum(weights)) for y, w in enumerate(weights)})


@pytest.mark.parametrize("power", [17, 41, 45, 60, 300])
def test_an_enormous_order(power: int) -> None:
    """Of order a, between D_infinity + log(weight of the largest ratio) / (a - 1) and D_infinity.

    The logarithms of the ratios were enclosed too widely for this, from order 10**41 on.
    """
    p, q = law(3, 1), law(1, 3)
    found = renyi_divergence(p, q, 10**power)
    assert isinstance(found, Interval)
    largest = Interval.log(3, 512)
    assert found.lower <= largest.upper
    assert largest.lower + Interval.log(Fraction(3, 4), 512).lower / (10**power - 1) <= found.upper
    assert found.width < Fraction(1, 10**30)


def test_ratios_that_bits_do_not_tell_apart() -> None:
    """Ratios 1 + 2**-200 and 1 - 2**-200 at order 10**60: 128 bits do not say which is larger."""
    hair = Fraction(1, 1 << 200)
    p: Law = FiniteDistribution({0: (1 + hair) / 2, 1: (1 - hair) / 2})
    found = renyi_divergence(p, law(1, 1), 10**60)
    assert isinstance(found, Interval)
    # The logarithm of 1 + x is between x - x**2 and x.
    assert found.lower <= hair
    assert hair - hair**2 - Fraction(1, 10**60) <= found.upper


def test_the_range_is_bounded_from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bits hold the logarithm of a ratio close to 1 between two numbers far apart.

    Here the supremum is between two orders that are asked about first, so that cells whose bound
    were the larger of their ends would miss it.
    """
    for p, q in ((law(1, 99), law(1, 100)), (law(1, 50), law(1, 51)), (law(1, 999), law(1, 1005))):
        exact = one_sided_rho(p, q)
        notions.zero_concentrated._rho.cache_clear()
        monkeypatch.setattr(notions.zero_concentrated, "RANGE_BITS", 2)
        coarse = one_sided_rho(p, q)
        notions.zero_concentrated._rho.cache_clear()
        monkeypatch.undo()
        assert exact.lower <= coarse.upper
        assert coarse.lower <= exact.upper


def test_a_pair_requires_no_more_than_its_lower_bound() -> None:
    """All orders of uniform laws on two and three points have the divergence ln(3/2)."""
    two, three = law(1, 1), law(1, 1, 1)
    shown = Divergence().directed(two, three)
    # Sums of the series of 2 artanh(1/5), each smaller than ln(3/2), and what is left of it.
    below = sum(2 * Fraction(1, 5) ** k / k for k in range(1, 80, 2))
    assert shown <= below + Fraction(1, 10**50)
    assert shown > below - Fraction(1, 10**6)


def shifted(k: int) -> tuple[Law, Law]:
    """Two laws on k outcomes whose likelihood ratios all differ, nearly normal and nearly alike."""
    weights = [math.comb(k - 1, y) for y in range(k)]
    return law(*weights), law(*(w * (100 + y) for y, w in enumerate(weights)))


# What was found before psi was held below its chords, and sums were of balls: in 1,317 orders and
# 3.6 seconds for the last pair.
RECORDED = [
    (law(1, 99), law(1, 100), "5.3802167e-6", "5.3802699e-6"),
    (law(3, 1), law(1, 3), "0.54930614", "0.54931356"),
    (law(1, 1), law(1, 99), "1.820246", "1.820255"),
    (*shifted(12), "0.00012401074", "0.00012401257"),
    (*shifted(41), "0.00036160826", "0.00036161372"),
]


@pytest.mark.parametrize(("p", "q", "low", "high"), RECORDED)
def test_fewer_orders_show_as_much(p: Law, q: Law, low: str, high: str) -> None:
    asked = 0

    def counted(search: notions.zero_concentrated._OrderSearch, order: Fraction) -> Fraction:
        nonlocal asked
        asked += 1
        return at(search, order)

    at = notions.zero_concentrated._OrderSearch._at
    with pytest.MonkeyPatch.context() as patch:
        notions.zero_concentrated._rho.cache_clear()
        patch.setattr(notions.zero_concentrated._OrderSearch, "_at", counted)
        found = one_sided_rho(p, q)
    assert found.lower <= Fraction(high)
    assert Fraction(low) <= found.upper <= found.lower * (1 + Fraction(1, 60_000))
    assert 1 < asked <= 120


def test_a_function_below_a_chord() -> None:
    """Where psi(x) = x (x - 1) at both ends of a cell, as for two normal laws.

    On [2, 3] the chord is 4x - 6, and (4x - 6) / (x (x - 1)) is largest where x / (x - 1) is
    sqrt(3): there it is 8 - 4 sqrt(3) = 1.0718.
    """
    one = Fraction(1)
    most = notions.zero_concentrated._below_chord(Fraction(2), one, Fraction(3), one)
    assert (8 - most) ** 2 <= 48
    assert most < Fraction(10719, 10_000)
    for x in (Fraction(2) + Fraction(k, 50) for k in range(51)):
        assert (4 * x - 6) / (x * (x - 1)) <= most
    # From order 1 on it is what grows with the order.
    assert notions.zero_concentrated._below_chord(one, one / 2, Fraction(2), one) == 2


@pytest.mark.parametrize("t", [Fraction(1), Fraction(101, 100), Fraction(3), Fraction(10**4)])
def test_what_privacy_implies_is_attained(t: Fraction) -> None:
    """By randomised response; all else with ratios up to t is below, and so below epsilon^2/2."""
    implied, epsilon = implied_rho(Epsilon.exactly(t)), Interval.log(t, 256)
    p, q = law(t.numerator, t.denominator), law(t.denominator, t.numerator)
    attained = one_sided_rho(p, q)
    assert attained.lower <= implied.upper
    assert implied.lower <= attained.upper
    assert implied.lower <= epsilon.upper**2 / 2
    for middle in (1, t.numerator):
        a, b = law(t.numerator, middle, t.denominator), law(t.denominator, middle, t.numerator)
        assert one_sided_rho(a, b).lower <= implied.upper


@pytest.mark.parametrize("errors", [(0, 0), (0, 1, 2), (5, 0, 1, 1), (0, 9, 9, 9)])
def test_a_choice_by_weights_is_as_concentrated_as_its_range_says(errors: tuple[int, ...]) -> None:
    """Of all neighbours, whose errors are one less, the same or one more each."""
    candidates = tuple(range(len(errors)))
    choose: Choice = mechanisms.ExponentialMechanism(candidates, tuple, Fraction(1, 3))
    base = choose.law(errors)
    values = [
        one_sided_rho(base, choose.law(tuple(map(add, errors, changes)))).lower
        for changes in product((-1, 0, 1), repeat=len(errors))
    ]
    assert 0 < max(values) <= choose.concentration.upper
    # Two candidates that change places come near to it, the more as the decay is nearer to 1.
    mild: Choice = mechanisms.ExponentialMechanism((0, 1), tuple, Fraction(99, 100))
    near = one_sided_rho(mild.law((0, 1)), mild.law((1, 0))).lower
    assert near >= mild.concentration.lower * Fraction(99, 100)


@pytest.mark.parametrize("twos", [*range(-40, 40), -100_000, 70_000])
def test_bounds_have_eight_digits_or_nine(twos: int) -> None:
    """Log 2 is 0.30103 to base ten; with 0.3 there were fewer digits, and none at 2**-7000."""
    for number in (Fraction(2) ** twos, Fraction(3) / 2 * Fraction(2) ** twos):
        assert 10**7 <= number / notions.zero_concentrated._unit(number) < 10**9
