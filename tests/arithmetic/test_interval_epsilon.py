"""Certified enclosures against directed rounding in plain integers, and what stands on them."""

import copy
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability.arithmetic import Epsilon, Interval, decide_less
from pac_stability.errors import Undecided
from shared_refusals import refuses


def exp_bounds(x: Fraction, terms: int = 60) -> tuple[Fraction, Fraction]:
    """Return bounds on e**x for 0 <= x <= 4: a Taylor sum, and a geometric bound on its rest."""
    term, total = Fraction(1), Fraction(0)
    for k in range(terms):
        total += term
        term *= x / (k + 1)
    return total, total + term / (1 - x / (terms + 1))


small = st.fractions(min_value=0, max_value=4, max_denominator=1000)
rationals = st.fractions(min_value=-10, max_value=10, max_denominator=50)


@given(small)
def test_exp_meets_the_taylor_bounds_and_is_narrow(x: Fraction) -> None:
    enclosure, (low, high) = Interval.exp(x, 128), exp_bounds(x)
    assert enclosure.lower <= high
    assert low <= enclosure.upper
    assert enclosure.width <= Fraction(1, 2**115)


@given(st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=1000))
def test_log_and_sqrt_are_inverse_within_the_enclosure(x: Fraction) -> None:
    log, root = Interval.log(x), Interval.sqrt(x)
    assert x in Interval.exp(log)
    assert root.lower**2 <= x <= root.upper**2
    assert x in root * root
    assert Interval.log2(2**7).compare(8) == -1


@given(rationals, rationals, rationals, rationals)
def test_arithmetic_contains_every_result(
    a: Fraction, b: Fraction, c: Fraction, d: Fraction
) -> None:
    x, y = Interval(min(a, b), max(a, b)), Interval(min(c, d), max(c, d))
    for u in (a, b, (a + b) / 2):
        for v in (c, d, (c + d) / 2):
            assert u + v in x + y
            assert u - v in x - y
            assert u * v in x * y
            if y.upper < 0 or y.lower > 0:
                assert u / v in x / y


Thunks: TypeAlias = tuple[Callable[[], object], ...]


def test_comparisons_answer_or_raise_and_never_guess() -> None:
    low, high = Interval(Fraction(0), Fraction(1)), Interval(Fraction(1), Fraction(2))
    assert (low <= high) is True
    assert (high < low) is False
    assert (low > 1) is False
    open_questions: Thunks = (lambda: low < high, lambda: low >= high, lambda: low <= high - 1)
    for undecided in open_questions:
        with pytest.raises(Undecided):
            undecided()
    assert low.compare(high) is None
    assert Interval.exactly(1).compare(1) == 0


def test_domains_are_guarded() -> None:
    astride = Interval(Fraction(-1), Fraction(1))
    outside: Thunks = (
        lambda: Interval.log(0),
        lambda: Interval.sqrt(-1),
        lambda: Interval.exp(2**21),
    )
    for bad in outside:
        refuses("", bad)
    unknown: Thunks = (
        lambda: Interval.log(astride),
        lambda: Interval.sqrt(astride),
        lambda: 1 / astride,
    )
    for open_ in unknown:
        with pytest.raises(Undecided):
            open_()


def test_decide_less_raises_the_precision_until_it_knows_and_gives_up_on_equality() -> None:
    tiny = Fraction(1, 2**500)
    one = Interval.exactly(1 + tiny)
    assert decide_less(lambda _: one, lambda bits: Interval.exp(tiny, bits))
    with pytest.raises(Undecided):
        decide_less(lambda b: Interval.sqrt(2, b), lambda b: Interval.sqrt(2, b), max_bits=256)


@given(st.floats(0, 4))
def test_epsilon_is_the_largest_multiple_below(value: float) -> None:
    ratio = Epsilon(value).ratio
    # Four terms settle a tiny value, and its fractions are long.
    low, high = exp_bounds(Fraction(repr(value)), terms=60 if value > 1e-6 else 4)
    step = Fraction(1, Epsilon.DENOMINATOR)
    assert ratio <= high  # never weaker than asked
    assert low < ratio + step  # and no coarser than documented
    assert (ratio * Epsilon.DENOMINATOR).denominator == 1


def test_epsilon_arithmetic_is_exact_where_it_can_be_and_safe_elsewhere() -> None:
    a, b = Epsilon.exactly(Fraction(9, 4)), Epsilon.exactly("2")
    assert (a + b).ratio == Fraction(9, 2)
    assert (a * 3).ratio == (3 * a).ratio == Fraction(9, 4) ** 3
    assert (a / 2).ratio == Fraction(3, 2)
    assert (a * 0).ratio == 1 == Epsilon(0).ratio
    third = b / 3
    assert third * 3 < b < Epsilon.exactly((third.ratio + Fraction(1, 2**64)) ** 3)
    assert sorted([a, b]) == [b, a]
    assert math.isclose(float(a), math.log(2.25))
    assert Fraction("0.69314718055994530941723212145") in b.interval(64)


def test_epsilon_shows_both_numbers_and_survives_copies() -> None:
    epsilon = Epsilon.exactly("5/4")
    assert repr(epsilon) == "Epsilon(e**epsilon = 5/4, epsilon = 0.223144)"
    assert pickle.loads(pickle.dumps(epsilon)) == copy.deepcopy(epsilon) == epsilon  # noqa: S301
    assert hash(epsilon) == hash(Epsilon.exactly(Fraction(10, 8)))
    assert "bits" in repr(Epsilon.exactly(2) * 20000)


@pytest.mark.parametrize("bad", [-1, -0.5, float("nan"), float("inf"), 1025, True, "one"])
def test_epsilon_refuses(bad: float) -> None:
    refuses(r"^epsilon: got", Epsilon, bad)
    refuses(r"^ratio: got", Epsilon.exactly, Fraction(99, 100))


def test_the_interval_library_is_loaded_on_first_use() -> None:
    code = (
        "import sys; from pac_stability.arithmetic import Interval;"
        "assert 'flint' not in sys.modules, 'early';"
        "Interval.exp(1); assert 'flint' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_logarithm_near_one_keeps_its_relative_width() -> None:
    tiny = Fraction(1, 2**200)
    log = Interval.log(1 + tiny)
    # x - x**2 / 2 < log(1 + x) < x for positive x.
    assert log.lower < tiny
    assert tiny - tiny**2 / 2 < log.upper
    assert log.width < tiny / 2**50
    assert Interval.log(1 - tiny) < 0
    large = Interval.exp(Fraction(3_000_001, 3))
    assert large.width < large.lower / 2**60


@pytest.mark.parametrize("parts", [10_000, 10**6])
def test_an_epsilon_is_split_into_very_many_parts(parts: int) -> None:
    part = (Epsilon.exactly(2) / parts).ratio
    step = Fraction(1, Epsilon.DENOMINATOR)
    log_two, bits = Interval.log(2, 256), 256
    assert parts * Interval.log(part, bits) < log_two < parts * Interval.log(part + step, bits)


def test_epsilon_takes_the_floats_of_numpy_and_tiny_numbers() -> None:
    assert Epsilon(float(np.float32(0.5))) == Epsilon(np.float32(0.5)) == Epsilon("0.5")  # type: ignore[arg-type]  # a float of another type
    assert Epsilon(Fraction(1, 10**300_000)).ratio == 1
