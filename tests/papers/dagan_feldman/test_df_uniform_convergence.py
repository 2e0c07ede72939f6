"""Deviations of losses, by enumeration of samples, and the bounds on them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import classes
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples
from pac_stability.dimensions import growth_function
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.uniform_convergence import (
    deviation_bound,
    deviation_failure,
    union_deviation_bound,
)


@settings(max_examples=30)
@given(
    st.integers(1, 2),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.sets(st.integers(0, 3), min_size=1),
    st.integers(1, 3),
    st.fractions(0, 1, max_denominator=5),
)
def test_by_enumeration(
    m: int, weights: list[int], rows: set[int], n: int, alpha: Fraction
) -> None:
    H = FiniteClass([[row >> i & 1 for i in range(m)] for row in sorted(rows)])
    weights = [w + 1 for w in weights[: 2 * m]]
    law = {
        z: Fraction(w, sum(weights)) for z, w in zip(all_examples(range(m)), weights, strict=True)
    }
    failure = Fraction()
    for draws in product(law, repeat=n):
        S = Sample.from_examples(draws)
        if any(
            abs(S.loss(h) - sum(p for z, p in law.items() if h(z.point) != z.label)) > alpha
            for h in H
        ):
            failure += prod((law[z] for z in draws), start=Fraction(1))
    assert deviation_failure(H, FiniteDistribution(law), n, alpha) == failure


def test_bounds() -> None:
    H = classes.thresholds(2)
    D = FiniteDistribution(
        {
            Example(0, 1): Fraction(1, 2),
            Example(1, 0): Fraction(1, 4),
            Example(1, 1): Fraction(1, 4),
        }
    )
    informative = 0
    for n in (10, 40):
        for alpha in (Fraction(1, 10), Fraction(3, 10), Fraction(1, 2), Fraction(7, 10)):
            exact = deviation_failure(H, D, n, alpha)
            general = deviation_bound(growth_function(H, n), n, alpha)
            finite = union_deviation_bound(len(H), n, alpha)
            assert exact <= general.lower
            assert exact <= finite.lower
            informative += general.upper < 1
    assert informative >= 3


def test_sizes_from_the_bounds() -> None:
    # ln 6002 = 8.7; sqrt(17.4/3000) = .0762; e^(-6000 * .0238^2) = .033: n = 3000 is enough for
    # alpha = .1, beta = .05 and d = 1, and 2800 is not.
    assert deviation_bound(3001, 3000, "1/10").upper < Fraction(1, 20)
    assert deviation_bound(2801, 2800, "1/10").lower > Fraction(1, 20)
    # Two hypotheses: 4 e^(-2 n alpha^2) = 1/20 at n = 50 ln 80 = 219.1.
    assert union_deviation_bound(2, 220, "1/10").upper < Fraction(1, 20)
    assert union_deviation_bound(2, 219, "1/10").lower > Fraction(1, 20)
    assert union_deviation_bound(2, 0, 1) == 4 * Interval.exactly(1)


def test_a_bound_that_says_nothing_is_one() -> None:
    assert deviation_bound(2, 1, Fraction(1, 2)) == Interval.exactly(1)


def test_bad_input() -> None:
    D = FiniteDistribution.point_mass(Example(0, 0))
    with pytest.raises(InvalidInput, match=r"^n: got 0, want"):
        deviation_failure(classes.thresholds(1), D, 0, 0)
    with pytest.raises(InvalidInput, match=r"^alpha: got 2, want"):
        deviation_failure(classes.thresholds(1), D, 1, 2)
    with pytest.raises(InvalidInput, match=r"^growth: got 0, want"):
        deviation_bound(0, 1, 0)
