"""Epsilons as values: equality, order and hashes, and the last digit of a rounded factor."""

import itertools
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pac_stability import Epsilon, Interval, InvalidInput

STEP = Fraction(1, Epsilon.DENOMINATOR)
RATIOS = [Fraction(1), Fraction(1) + STEP, Fraction(9, 8), Fraction(5, 4), Fraction(2), Fraction(3)]


@pytest.mark.parametrize(
    "relation", [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
)
def test_epsilons_stand_to_one_another_as_their_factors_do(
    relation: Callable[[Any, Any], bool],
) -> None:
    for a, b in itertools.product(RATIOS, repeat=2):
        assert relation(Epsilon.exactly(a), Epsilon.exactly(b)) is relation(a, b), (a, b)


def test_different_numbers_are_different_epsilons() -> None:
    assert Epsilon(1) != Epsilon(2)
    assert not Epsilon(1) == Epsilon(2)  # noqa: SIM201  # the operator, not its negation
    assert Epsilon(1) < Epsilon(2)
    assert Epsilon(1) == Epsilon(1.0) == Epsilon("1")
    assert len({Epsilon(1), Epsilon(2), Epsilon("1"), Epsilon.exactly(2)}) == 3


@pytest.mark.parametrize("other", [1, Fraction(2), 2.0, "2", None, object()])
def test_an_epsilon_is_neither_equal_to_nor_comparable_with_anything_else(other: object) -> None:
    epsilon = Epsilon.exactly(2)
    assert not epsilon == other  # noqa: SIM201  # the operator, not its negation
    assert epsilon != other
    operations: list[Callable[[Any, Any], object]] = [
        *(operator.lt, operator.le, operator.gt, operator.ge, operator.add)
    ]
    for operation in operations:
        with pytest.raises(TypeError):
            operation(epsilon, other)


def test_equal_epsilons_have_equal_hashes_that_are_not_those_of_their_factors() -> None:
    for ratio in RATIOS:
        assert hash(Epsilon.exactly(ratio)) == hash(Epsilon.exactly(ratio * 7 / 7))
        assert hash(Epsilon.exactly(ratio)) != hash(ratio)
    # Python's hashes of fractions are residues; these four differ.
    assert len({hash(Epsilon.exactly(ratio)) for ratio in (1, 2, 3, Fraction(5, 4))}) == 4


@pytest.mark.parametrize("multiple", [Fraction(3, 2), Fraction(2), Fraction(20_001, 10_000)])
def test_a_factor_close_to_a_multiple_falls_on_the_right_side_of_it(multiple: Fraction) -> None:
    grid = Fraction(int(multiple / STEP), Epsilon.DENOMINATOR)
    around = Interval.log(grid, 400)
    # e**x is nearer to the multiple than 2**-190, but an enclosure at 128 bits contains it.
    below, above = around.lower - Fraction(1, 2**200), around.upper + Fraction(1, 2**200)
    assert Epsilon(below).ratio == grid - STEP
    assert Epsilon(above).ratio == grid


def test_the_factor_of_a_tiny_epsilon_is_the_largest_multiple_too() -> None:
    assert Epsilon(STEP / 2).ratio == 1
    assert Epsilon(STEP).ratio == 1 + STEP
    # ln(1 + s) is above s - s**2 / 2, and below s - s**2 / 4.
    assert Epsilon(STEP - STEP**2 / 4).ratio == 1 + STEP
    assert Epsilon(STEP - STEP**2 / 2).ratio == 1
    assert Epsilon(STEP * 3 / 2).ratio == 1 + STEP
    assert Epsilon(STEP * 2).ratio == 1 + 2 * STEP


def test_a_power_is_divided_back_exactly() -> None:
    for top, bottom, parts in itertools.product(range(1, 12), range(1, 6), range(1, 8)):
        if top >= bottom:
            part = Epsilon.exactly(Fraction(top, bottom))
            assert part * parts / parts == part, (top, bottom, parts)


def test_the_largest_epsilon_is_allowed_and_no_larger_one() -> None:
    assert Epsilon(Epsilon.LARGEST).ratio > 2**1477  # 1024 / ln 2 = 1477.3...
    with pytest.raises(InvalidInput, match="at most 1024"):
        Epsilon(Epsilon.LARGEST + STEP)
    for parts in (0, -1, True, 1.5):
        with pytest.raises(InvalidInput, match="parts"):
            Epsilon(1) / parts  # type: ignore[operator]  # a float is refused at run time, too
    with pytest.raises(InvalidInput, match="times"):
        Epsilon(1) * -1
