"""Exact extrema over two points, against dense evaluation and numbers known in closed form."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import FiniteDistribution, Interval, InvalidInput, testing
from pac_stability.notions.by_type import laws_by_type
from pac_stability.notions.two_point import (
    Extremum,
    Piece,
    Polynomial,
    infimum,
    laws_by_count,
    output_polynomials,
    pieces_between,
    supremum,
    whole,
)
from shared_laws import ends
from shared_refusals import refuses

HALF = Fraction(1, 2)
probabilities = testing.strategies.probabilities()
numbers = st.fractions(-2, 2, max_denominator=6)
count_values = st.lists(numbers, min_size=1, max_size=7)


def expectation(values: list[Fraction], p: Fraction) -> Fraction:
    """The expectation of values[K] for K binomial, term by term."""
    n = len(values) - 1
    terms = (comb(n, k) * p**k * (1 - p) ** (n - k) * v for k, v in enumerate(values))
    return sum(terms, Fraction(0))


def slope(values: list[Fraction]) -> Fraction:
    """A bound on the derivative: n times the largest difference of consecutive values."""
    steps = (abs(after - before) for before, after in pairwise(values))
    return (len(values) - 1) * max(steps, default=Fraction(0))


@given(count_values, probabilities)
def test_polynomials_of_counts_are_binomial_expectations(
    values: list[Fraction], p: Fraction
) -> None:
    assert Polynomial.of_counts(values)(p) == expectation(values, p)


@settings(max_examples=40)
@given(count_values, count_values, probabilities)
def test_arithmetic_of_polynomials(
    first: list[Fraction], second: list[Fraction], p: Fraction
) -> None:
    a, b = Polynomial(first), Polynomial(second)
    assert (a + b)(p) == a(p) + b(p)
    assert (a - b)(p) == a(p) - b(p)
    assert (-a)(p) == -a(p)
    assert a == Polynomial([*first, 0, 0])


@settings(max_examples=50)
@given(count_values)
def test_supremum_against_dense_evaluation(values: list[Fraction]) -> None:
    answer = supremum(whole([Polynomial.of_counts(values)]))
    steps = 64
    seen = max(expectation(values, Fraction(k, steps)) for k in range(steps + 1))
    low, high = ends(answer.value)
    assert seen <= high
    assert low <= seen + slope(values) / (2 * steps)
    assert high - low <= Fraction(1, 1 << 64)
    if isinstance(answer.p, Fraction):
        assert low <= expectation(values, answer.p) <= high


@settings(max_examples=40)
@given(st.lists(count_values, min_size=1, max_size=8))
def test_infimum_of_a_maximum_against_dense_evaluation(family: list[list[Fraction]]) -> None:
    answer = infimum(whole(map(Polynomial.of_counts, family)))
    steps = 64
    grid = [Fraction(k, steps) for k in range(steps + 1)]
    seen = min(max(expectation(values, p) for values in family) for p in grid)
    low, high = ends(answer.value)
    assert low <= seen
    assert seen - max(map(slope, family)) / (2 * steps) <= high
    if isinstance(answer.p, Fraction):
        assert low <= max(expectation(values, answer.p) for values in family) <= high


@pytest.mark.parametrize("n", range(1, 9))
def test_one_sequence_is_likeliest_at_its_own_frequency(n: int) -> None:
    # The derivative of p^a (1-p)^b is p^(a-1) (1-p)^(b-1) (a (1-p) - b p), zero inside at p = a/n:
    # the maxima for (1, 2), (2, 3), (3, 4) are 4/27, 108/3125, 6912/823543.
    for a in range(n + 1):
        only = [Fraction(int(k == a), comb(n, a)) for k in range(n + 1)]
        peak = Fraction(a, n) ** a * Fraction(n - a, n) ** (n - a)
        assert supremum(whole([Polynomial.of_counts(only)])) == Extremum(peak, Fraction(a, n))


def test_an_irrational_supremum_is_enclosed_as_narrowly_as_asked() -> None:
    # p - p^3 has derivative 1 - 3 p^2, so the maximum is at 1/sqrt 3 and its square is 4/27.
    cubic = whole([Polynomial([0, 1, 0, -1])])
    for bits in (10, 64, 300):
        answer = supremum(cubic, width=Fraction(1, 1 << bits))
        assert isinstance(answer.value, Interval)
        assert isinstance(answer.p, Interval)
        assert answer.value.lower**2 < Fraction(4, 27) < answer.value.upper**2
        assert answer.p.lower**2 < Fraction(1, 3) < answer.p.upper**2
        assert answer.value.width <= Fraction(1, 1 << bits)
        assert answer.p.width <= Fraction(1, 1 << bits)


def test_a_rational_value_at_an_irrational_point_is_exact() -> None:
    # -(p^2 - 1/2)^2 is at most 0, at sqrt(1/2) only.
    answer = supremum(whole([Polynomial([Fraction(-1, 4), 0, 1, 0, -1])]))
    assert answer.value == 0
    assert isinstance(answer.p, Interval)
    assert answer.p.lower**2 < HALF < answer.p.upper**2
    assert answer.p.width <= Fraction(1, 1 << 64)


def test_a_minimum_where_two_polynomials_cross() -> None:
    # p^2 = 1 - p at p = (sqrt 5 - 1)/2, where v = 1 - p solves v^2 - 3 v + 1 = 0.
    crossing = [Polynomial([0, 0, 1]), Polynomial([1, -1])]
    low, high = ends(infimum(whole(crossing)).value)
    assert high * high - 3 * high + 1 < 0 < low * low - 3 * low + 1
    # With the constant 2/5, which is above that crossing, the minimum is that constant.
    level = Polynomial([Fraction(2, 5)])
    assert infimum(whole([*crossing, level])).value == Fraction(2, 5)


def test_a_minimum_among_many_polynomials() -> None:
    # The tangents of (p - 1/3)^2 at 0, 1/8, ..., 1. Neighbouring ones cross midway, 1/16 from where
    # they touch and so 1/256 below the parabola; lowest between 1/4 and 3/8, at (1/48)^2 - 1/256.
    third = Fraction(1, 3)
    slopes = [(a, 2 * (a - third)) for a in (Fraction(k, 8) for k in range(9))]
    tangents = [Polynomial([(a - third) ** 2 - slope * a, slope]) for a, slope in slopes]
    expected = Extremum(Fraction(-1, 288), Fraction(5, 16))
    assert infimum(whole(tangents)) == expected
    # A constant just above that minimum is the largest near it; one below does not matter.
    low, above = Polynomial([Fraction(-1, 280)]), Polynomial([Fraction(-1, 290)])
    assert infimum(whole([*tangents, low])) == expected
    assert infimum(whole([*tangents, above])).value == Fraction(-1, 290)
    # In separate pieces the lower one counts, whichever comes first.
    cuts = [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
    pieces = [Piece(a, b, tuple(tangents)) for a, b in pairwise(cuts)]
    assert infimum(pieces) == infimum(reversed(pieces)) == expected


def test_many_polynomials_that_all_meet_do_not_hide_a_lower_piece() -> None:
    # 1 + k (p - 2/3): no part around p = 2/3 has only a few of them, and the largest is 1 there.
    fan = [Polynomial([1 - Fraction(2 * k, 3), k]) for k in range(-3, 4)]
    crowded = Piece(HALF, Fraction(1), tuple(fan))
    assert infimum([crowded]) == Extremum(Fraction(1), Fraction(2, 3))
    line = Piece(Fraction(0), HALF, (Polynomial([0, 1]),))
    for pieces in ([crowded, line], [line, crowded]):
        assert infimum(pieces) == Extremum(Fraction(0), Fraction(0))


def test_a_rational_close_to_an_irrational_is_told_apart() -> None:
    cubic = Polynomial([0, 1, 0, -1])
    below, above = ends(supremum(whole([cubic]), width=Fraction(1, 1 << 300)).value)
    assert supremum(whole([cubic, Polynomial([above])]), width=HALF).value == above
    answer = supremum(whole([cubic, Polynomial([below])]), width=HALF).value
    assert isinstance(answer, Interval)
    assert answer.lower > below
    assert answer.lower**2 < Fraction(4, 27) < answer.upper**2


def test_equal_irrational_maxima_are_one_answer() -> None:
    skew = Polynomial([0, 1, 0, -1])
    mirrored = Polynomial([0, 2, -3, 1])  # (1 - p) - (1 - p)^3
    assert all(mirrored(p) == skew(1 - p) for p in (Fraction(0), Fraction(1, 3), HALF, Fraction(1)))
    answer = supremum(whole([skew, mirrored]))
    low, high = ends(answer.value)
    assert low**2 < Fraction(4, 27) < high**2
    assert high - low <= Fraction(1, 1 << 64)


def deviates(n: int, limit: Fraction, p: Fraction) -> list[Fraction]:
    return [Fraction(int(abs(Fraction(k, n) - p) > limit)) for k in range(n + 1)]


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("limit", [Fraction(1, 4), Fraction(1, 3), Fraction(2, 5), HALF])
def test_functions_with_breakpoints_against_dense_evaluation(n: int, limit: Fraction) -> None:
    # Pr[|K/n - p| > limit] changes its polynomial at k/n -+ limit.
    breakpoints = [Fraction(k, n) + sign * limit for k in range(n + 1) for sign in (1, -1)]
    pieces = pieces_between(breakpoints, lambda p: [Polynomial.of_counts(deviates(n, limit, p))])
    steps = 60 * n
    # Just beside every breakpoint too: an extremum may be approached there only.
    tiny = Fraction(1, 10**9)
    dense = [Fraction(k, steps) + shift for k in range(steps + 1) for shift in (-tiny, 0, tiny)]
    values = [expectation(deviates(n, limit, p), p) for p in dense if 0 <= p <= 1]
    between = Fraction(n, 2 * steps) + n * tiny
    low, high = ends(supremum(pieces).value)
    assert max(values) <= high
    assert low <= max(values) + between
    low, high = ends(infimum(pieces).value)
    assert low <= min(values)
    assert min(values) - between <= high


def test_the_value_at_a_breakpoint_alone_counts() -> None:
    one, zero = Polynomial([1]), Polynomial([])
    spike = pieces_between([HALF], lambda p: [one] if p == HALF else [zero])
    assert supremum(spike) == Extremum(Fraction(1), HALF)
    hole = pieces_between([HALF, Fraction(7)], lambda p: [zero] if p == HALF else [one])
    assert infimum(hole) == Extremum(Fraction(0), HALF)
    assert len(hole) == 5


def test_output_polynomials_are_output_probabilities() -> None:
    def first(sample: tuple[str, ...]) -> FiniteDistribution[tuple[str, bool]]:
        return FiniteDistribution.uniform([(sample[0], flag) for flag in (False, True)])

    laws = laws_by_type(first, "ab", 3)
    assert laws_by_count(laws)[1].probability(("b", True)) == Fraction(1, 6)
    found = output_polynomials(laws)
    for p in (Fraction(0), Fraction(1, 3), HALF, Fraction(1)):
        law = laws.output_law(FiniteDistribution({"a": 1 - p, "b": p}))
        assert {o: f(p) for o, f in found.items()} == {o: law.probability(o) for o in found}


def test_bad_input_is_refused() -> None:
    refuses("pieces: got none", supremum, [])
    refuses("pieces: got none", infimum, [])
    refuses("width: got 0", supremum, whole([Polynomial([1])]), width=Fraction(0))
    refuses("polynomials: got none", whole, [])
    refuses("high: got 1/2 to 1/3", Piece, HALF, Fraction(1, 3), (Polynomial([1]),))
    with pytest.raises(InvalidInput, match="coefficients: got the float"):
        Polynomial([0.5])  # type: ignore[list-item]  # what is refused
    with pytest.raises(InvalidInput, match="laws: got a universe of 3 elements"):
        output_polynomials(laws_by_type(FiniteDistribution.point_mass, "abc", 1))
