"""What the book says of a few classes, by hand, and that its trials notice their mutants."""

from fractions import Fraction

import pytest
from filmus_et_al.recursion import (
    budgeted,
    dimension,
    dimension_within,
    optimal_prediction,
    randomized_dimension,
)

from pac_stability import claims
from pac_stability.classes import FiniteClass, cube, singletons, thresholds


@pytest.mark.parametrize(
    ("H", "value"),
    [
        (FiniteClass([[0]]), Fraction(0)),
        (thresholds(7), Fraction(3, 2)),
        (thresholds(8), Fraction(25, 16)),
        (thresholds(12), Fraction(29, 16)),
        (singletons(8), Fraction(127, 128)),
        (cube(4), Fraction(2)),
    ],
)
def test_the_randomized_dimension(H: FiniteClass, value: Fraction) -> None:
    assert randomized_dimension(budgeted(H)) == value


def test_errors_of_one_hypothesis() -> None:
    for k in range(4):
        V = budgeted(FiniteClass([[0]]), k)
        assert randomized_dimension(V) == dimension(V) == k
        assert [dimension_within(V, T) for T in range(6)] == [min(T, k) for T in range(6)]
        assert optimal_prediction(V, 0) == 0


@pytest.mark.parametrize("claim", claims.select(["FHMM23:*"]), ids=str)
def test_each_statement(claim: claims.Claim) -> None:
    assert claims.check(claim).as_expected
    assert claims.notices_mutants(claim) == ()
