"""Deviations of losses, by enumeration of samples, and the bounds on them."""

from fractions import Fraction
from itertools import product
from math import prod

from hypothesis import given, settings, strategies as st

from pac_stability import FiniteClass, arithmetic, classes, dimensions, testing
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples
from pac_stability.papers.dagan_feldman import nets
from shared_refusals import refuses


@settings(max_examples=30)
@given(
    testing.strategies.finite_classes(max_points=2, max_hypotheses=4),
    st.integers(1, 3),
    testing.strategies.probabilities(5),
    st.data(),
)
def test_by_enumeration(H: FiniteClass, n: int, alpha: Fraction, data: st.DataObject) -> None:
    source = data.draw(testing.strategies.weighted(all_examples(H.domain), 4, min_weight=1))
    law = dict(source.items())
    failure = Fraction()
    for draws in product(law, repeat=n):
        S = Sample.from_examples(draws)
        if any(
            abs(S.loss(h) - sum(p for z, p in law.items() if h(z.point) != z.label)) > alpha
            for h in H
        ):
            failure += prod((law[z] for z in draws), start=Fraction(1))
    assert nets.deviation_failure(H, source, n, alpha) == failure


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
            exact = nets.deviation_failure(H, D, n, alpha)
            general = nets.deviation_bound(dimensions.growth_function(H, n), n, alpha)
            finite = nets.union_deviation_bound(len(H), n, alpha)
            assert exact <= general.lower
            assert exact <= finite.lower
            informative += general.upper < 1
    assert informative >= 3


def test_sizes_from_the_bounds() -> None:
    # ln 6002 = 8.7; sqrt(17.4/3000) = .0762; e^(-6000 * .0238^2) = .033: n = 3000 is enough for
    # alpha = .1, beta = .05 and d = 1, and 2800 is not.
    assert nets.deviation_bound(3001, 3000, "1/10").upper < Fraction(1, 20)
    assert nets.deviation_bound(2801, 2800, "1/10").lower > Fraction(1, 20)
    # Two hypotheses: 4 e^(-2 n alpha^2) = 1/20 at n = 50 ln 80 = 219.1.
    assert nets.union_deviation_bound(2, 220, "1/10").upper < Fraction(1, 20)
    assert nets.union_deviation_bound(2, 219, "1/10").lower > Fraction(1, 20)
    assert nets.union_deviation_bound(2, 0, 1) == 4 * arithmetic.Interval.exactly(1)


def test_a_bound_that_says_nothing_is_one() -> None:
    assert nets.deviation_bound(2, 1, Fraction(1, 2)) == arithmetic.Interval.exactly(1)


def test_bad_input() -> None:
    D = FiniteDistribution.point_mass(Example(0, 0))
    refuses(r"^n: got 0, want", nets.deviation_failure, classes.thresholds(1), D, 0, 0)
    refuses(r"^alpha: got 2, want", nets.deviation_failure, classes.thresholds(1), D, 1, 2)
    refuses(r"^growth: got 0, want", nets.deviation_bound, 0, 1, 0)
