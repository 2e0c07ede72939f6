"""All maximal sets that one simulator covers, against all corners of all regions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, Epsilon, FiniteDistribution
from pac_stability.notions import covering
from pac_stability.notions.closeness import are_close
from pac_stability.notions.simulator_search import MAX_SEARCHED, maximal_covers
from pac_stability.testing import strategies

Law = FiniteDistribution[int]

factors = st.sampled_from([Fraction(1), Fraction(4, 3), Fraction(2)])
deltas = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(1, 2)])


def laws_on(outcomes: int, most: int) -> st.SearchStrategy[list[Law]]:
    return st.lists(strategies.weighted(range(outcomes), 4), unique=True, min_size=1, max_size=most)


def maximal(sets: Iterator[frozenset[int]]) -> set[tuple[int, ...]]:
    every = set(sets)
    return {tuple(sorted(one)) for one in every if not any(one < other for other in every)}


def covered(laws: Sequence[Law], simulator: Law, t: Fraction, delta: Fraction) -> frozenset[int]:
    epsilon = Epsilon.exactly(t)
    return frozenset(i for i, p in enumerate(laws) if are_close(p, simulator, epsilon, delta))


def corners(laws: Sequence[Law], t: Fraction, delta: Fraction) -> Iterator[Law]:
    """Where two lines meet on which closeness becomes tight or a probability is 0.

    The simulators that cover a set are a closed polygon, so one of its corners covers it.
    """
    lines = {(1, 0, Fraction(0)), (0, 1, Fraction(0)), (1, 1, Fraction(1))}
    for p in laws:
        for a, b in ((1, 0), (0, 1), (1, 1)):  # an event, and its complement
            mass = a * p.probability(0) + b * p.probability(1)
            lines |= {(a, b, (mass - delta) / t), (a, b, t * mass + delta)}
            lines |= {(a, b, 1 - (1 - mass - delta) / t), (a, b, 1 - t * (1 - mass) - delta)}
    points = set()
    for (a, b, e), (c, d, f) in combinations(lines, 2):
        if a * d != b * c:
            x, y = ((e * d - b * f) / (a * d - b * c), (a * f - e * c) / (a * d - b * c))
            if min(x, y, 1 - x - y) >= 0:
                points.add((x, y))
    for x, y in points:
        yield FiniteDistribution({0: x, 1: y, 2: 1 - x - y})


@settings(max_examples=25)
@given(laws_on(3, 5), factors, deltas)
def test_three_outcomes(laws: list[Law], t: Fraction, delta: Fraction) -> None:
    found = maximal_covers(laws, (0, 1, 2), Epsilon.exactly(t), delta, max_steps=10**5)
    assert len(set(found)) == len(found)
    assert set(found) == maximal(covered(laws, q, t, delta) for q in corners(laws, t, delta))


@settings(max_examples=40)
@given(laws_on(2, 8), factors, deltas)
def test_two_outcomes(laws: list[Law], t: Fraction, delta: Fraction) -> None:
    found = maximal_covers(laws, (0, 1), Epsilon.exactly(t), delta, max_steps=0)
    assert len(set(found)) == len(found)
    # The simulators that cover a set are a closed interval, with one of these ends.
    tight = {Fraction(0), Fraction(1)}
    for law in laws:
        p = law.probability(1)
        tight |= {t * p + delta, (p - delta) / t}
        tight |= {1 - t * (1 - p) - delta, 1 - (1 - p - delta) / t}
    simulators = (FiniteDistribution({0: 1 - q, 1: q}) for q in tight if 0 <= q <= 1)
    assert set(found) == maximal(covered(laws, q, t, delta) for q in simulators)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_of_point_masses_as_many_as_share_a_uniform_law(k: int) -> None:
    laws: list[Law] = [FiniteDistribution.point_mass(y) for y in range(4)]
    found = maximal_covers(laws, range(4), Epsilon(1), 1 - Fraction(1, k), max_steps=10**4)
    assert found == tuple(combinations(range(4), k))


def test_laws_that_are_all_covered_take_one_step_each() -> None:
    laws = [*covering.grid(range(4), 5)][:30]
    every = maximal_covers(laws, range(4), Epsilon(0), Fraction(1), max_steps=30)
    assert every == (tuple(range(30)),)


def test_a_search_without_budget_is_refused() -> None:
    with pytest.raises(BudgetExhausted, match=r"3 distinct laws .* more than 0 steps"):
        maximal_covers(
            [*covering.grid(range(3), 5)][7:10], range(3), Epsilon(1), Fraction(1, 3), max_steps=0
        )


def test_how_many_laws_are_too_many_is_said() -> None:
    laws: list[Law] = [FiniteDistribution.point_mass(y) for y in range(MAX_SEARCHED + 1)]
    with pytest.raises(BudgetExhausted, match=r"201 distinct laws on 201 outcomes.* at most 200"):
        maximal_covers(laws, range(len(laws)), Epsilon(1), Fraction(0), max_steps=10**6)
