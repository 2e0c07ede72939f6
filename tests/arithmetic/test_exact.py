"""Exact coercion and integer functions."""

import itertools
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import InvalidInput, arguments, arithmetic, audit, classes, data, randomness
from pac_stability.papers import dagan_feldman
from shared_refusals import refuses


@pytest.mark.parametrize(
    "value", [Fraction(1, 4), "1/4", "0.25", Decimal("0.25"), "25e-2", "  1/4 "]
)
def test_every_exact_spelling_of_a_quarter_is_a_quarter(value: object) -> None:
    assert arguments.as_fraction(value, "p") == Fraction(1, 4)


def test_numpy_integers_are_exact() -> None:
    number = arguments.as_fraction(np.int64(-3), "p")
    assert number == -3
    assert type(number.numerator) is int


@pytest.mark.parametrize(
    "value",
    [
        True, np.True_, 0.5, np.float32(0.5), float("nan"), "x", "1/0", "1e999999999", "nan", None,
        Decimal("NaN"), Decimal("Infinity"), 1j, [1],
    ],
)  # fmt: skip
def test_inexact_values_are_refused_in_one_line_naming_the_argument(value: object) -> None:
    refuses(r"^p: got .*, want [^\n]*$", arguments.as_fraction, value, "p")


def test_a_refused_float_is_told_how_to_pass_it() -> None:
    refuses(r"'0\.1' for the decimal, or Fraction\(0\.1\)", arguments.as_fraction, 0.1, "p")


@pytest.mark.parametrize(("value", "number"), [
    (0.1, Fraction(1, 10)),  # the float itself is a little more
    (0.3, Fraction(3, 10)),  # and here a little less
    (1e-300, Fraction(1, 10**300)),
    (np.float64(0.1), Fraction(1, 10)),
    (np.float32(0.5), Fraction(1, 2)),
    (-2.0, Fraction(-2)),
    ("1/3", Fraction(1, 3)),
])  # fmt: skip
def test_a_parameter_given_as_a_float_is_the_decimal_it_prints_as(
    value: object, number: Fraction
) -> None:
    assert arguments.as_number(value, "alpha") == number


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, None, "x"])
def test_what_is_no_finite_number_is_no_parameter(value: object) -> None:
    refuses(r"^alpha: got .*, want [^\n]*$", arguments.as_number, value, "alpha")


@pytest.mark.parametrize("claim", [0.3, "0.3", Fraction(3, 10)])
def test_a_claim_an_epsilon_and_an_alpha_read_the_same_numbers(claim: float | str) -> None:
    def three_tenths(sample: data.Sample[int], _: int, rng: randomness.Coins) -> int:
        return int(rng.bernoulli(Fraction(3, 10))) if any(sample.labels) else 0

    result = audit.uniform_stability(three_tenths, 1, 1, claim=claim)
    assert (result.value, result.verdict) == (Fraction(3, 10), audit.Verdict.VERIFIED)
    assert arithmetic.Epsilon(claim) == arithmetic.Epsilon("3/10")
    assert dagan_feldman.StableLearner.from_stability(
        classes.thresholds(2), claim, 9
    ) == dagan_feldman.StableLearner.from_stability(classes.thresholds(2), "3/10", 9)


@given(st.fractions(min_value=Fraction(1, 10**30)))
def test_floor_log2_is_the_definition(value: Fraction) -> None:
    k = arithmetic.floor_log2(value)
    assert Fraction(2) ** k <= value < Fraction(2) ** (k + 1)


def test_floor_log2_refuses_what_is_not_positive() -> None:
    refuses("positive", arithmetic.floor_log2, 0)


@given(st.lists(st.integers(0, 3), max_size=3).filter(lambda counts: sum(counts) <= 6))
def test_multinomial_counts_orderings(counts: list[int]) -> None:
    letters = [i for i, count in enumerate(counts) for _ in range(count)]
    assert arithmetic.multinomial(counts) == len(set(itertools.permutations(letters)))


def test_a_number_too_long_to_write_is_refused_in_few_characters() -> None:
    refuses(r"^epsilon: got a number of \d+ bits, want [^\n]*$", arithmetic.Epsilon, 10**9999)
    with pytest.raises(InvalidInput, match=r"^p: got '1e9999', want a number of at most 4300 "):
        arguments.as_fraction("1e9999", "p")
