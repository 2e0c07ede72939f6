"""The ends of what encloses rho: orders without limit, and few bits, against sums by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from pac_stability.arithmetic import Interval
from pac_stability.audit.search.measures import Divergence
from pac_stability.data import FiniteDistribution
from pac_stability.notions import zero_concentrated
from pac_stability.notions.zero_concentrated import one_sided_rho, renyi_divergence

Law = FiniteDistribution[object]


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


@pytest.mark.parametrize("bits", [4, 6, 20, 128])
def test_powers_that_are_enclosed_widely(bits: int) -> None:
    """What is in an interval and not positive has its exponential in what encloses them.

    e**-1 is between two partial sums of its series; e**-n is larger than 0, and less than 1 / n.
    """
    terms = [Fraction((-1) ** k, math.factorial(k)) for k in range(42)]
    low, high = sum(terms), sum(terms[:-1])
    for width in (0, 1, 10**9):
        found = zero_concentrated._exp(Interval(Fraction(-1 - width), Fraction(-1)), bits)
        assert found.lower <= (Fraction(1, width) if width > 1 else low)
        assert high <= found.upper < 2
    far = zero_concentrated._exp(Interval.exactly(-(10**9)), bits)
    assert far.lower <= 0 < far.upper < Fraction(1, 1 << bits)
    unknown = zero_concentrated._exp(Interval(Fraction(-(10**9)), Fraction(10**9)), bits)
    assert unknown.lower <= 0
    assert 1 <= unknown.upper < 2


def test_the_range_is_bounded_from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bits hold the logarithm of a ratio close to 1 between two numbers far apart.

    Here the supremum is between two orders that are asked about first, so that cells whose bound
    were the larger of their ends would miss it.
    """
    for p, q in ((law(1, 99), law(1, 100)), (law(1, 50), law(1, 51)), (law(1, 999), law(1, 1005))):
        exact = one_sided_rho(p, q)
        zero_concentrated._rho.cache_clear()
        monkeypatch.setattr(zero_concentrated, "RANGE_BITS", 2)
        coarse = one_sided_rho(p, q)
        zero_concentrated._rho.cache_clear()
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


@pytest.mark.parametrize("twos", [*range(-40, 40), -100_000, 70_000])
def test_bounds_have_eight_digits_or_nine(twos: int) -> None:
    """Log 2 is 0.30103 to base ten; with 0.3 there were fewer digits, and none at 2**-7000."""
    for number in (Fraction(2) ** twos, Fraction(3) / 2 * Fraction(2) ** twos):
        assert 10**7 <= number / zero_concentrated._unit(number) < 10**9
