"""Frontiers against the divergence, epsilon by epsilon, and against brute force over events."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, Undecided, data
from pac_stability.notions.closeness import (
    frontier,
    hockey_stick,
    minimal_delta,
    minimal_epsilon,
    one_sided_epsilon,
    one_sided_frontier,
)
from pac_stability.notions.frontier import EnclosedFrontier, Frontier
from pac_stability.testing import strategies
from shared_refusals import refuses

Law = FiniteDistribution[int]


laws = strategies.weighted(range(4))
enclosed_laws = strategies.enclosures(range(4), width=Fraction(1, 17))
epsilons = strategies.epsilons(5, 12)
deltas = strategies.probabilities(20)
events = st.lists(st.tuples(strategies.probabilities(9), strategies.probabilities(9)), max_size=6)


@given(laws, laws, epsilons, deltas)
def test_a_frontier_has_all_the_answers(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> None:
    both, one = frontier(p, q), one_sided_frontier(p, q)
    assert both.minimal_delta(epsilon) == minimal_delta(p, q, epsilon)
    assert both.minimal_epsilon(delta) == minimal_epsilon(p, q, delta)
    assert one.minimal_delta(epsilon) == hockey_stick(p, q, epsilon)
    assert one.minimal_epsilon(delta) == one_sided_epsilon(p, q, delta)
    assert both == frontier(q, p) == Frontier.maximum([one, one_sided_frontier(q, p)])


@given(laws, laws)
def test_a_one_sided_frontier_bends_at_likelihood_ratios(p: Law, q: Law) -> None:
    ratios = {
        p.probability(k) / q.probability(k)
        for k in p.support
        if q.probability(k) and p.probability(k) > q.probability(k)
    }
    assert one_sided_frontier(p, q).breakpoints == tuple(sorted(ratios))


@given(events, epsilons, deltas)
def test_a_frontier_is_the_maximum_over_its_events(
    given_events: list[tuple[Fraction, Fraction]], epsilon: Epsilon, delta: Fraction
) -> None:
    built = Frontier(given_events)
    t = epsilon.ratio
    assert built.minimal_delta(epsilon) == max(0, *(p - t * q for p, q in given_events), 0)
    needed = [((p - delta) / q if q else math.inf) for p, q in given_events if p > delta]
    assert built.minimal_epsilon(delta) == max(1, *needed, 1)


@given(events, epsilons)
def test_vertices_and_corners_describe_the_function(
    given_events: list[tuple[Fraction, Fraction]], epsilon: Epsilon
) -> None:
    built = Frontier(given_events)
    vertices = built.vertices
    assert tuple(t for t, _ in vertices) == (1, *built.breakpoints)
    for t, delta in vertices:
        assert built.minimal_delta(Epsilon.exactly(t)) == delta
    # Convex and falling: slopes are negative and rise; constant after the last vertex.
    slopes = [(d2 - d1) / (t2 - t1) for (t1, d1), (t2, d2) in pairwise(vertices)]
    assert slopes == sorted(set(slopes))
    assert all(slope < 0 for slope in slopes)
    beyond = Epsilon.exactly(vertices[-1][0] + epsilon.ratio)
    assert built.minimal_delta(beyond) == vertices[-1][1]
    # Between two vertices the function is linear.
    for (t1, d1), (t2, d2) in pairwise(vertices):
        assert built.minimal_delta(Epsilon.exactly((t1 + t2) / 2)) == (d1 + d2) / 2
    assert Frontier(built.corners) == built


@given(st.lists(events, min_size=1, max_size=4), epsilons, deltas)
def test_maximum_is_pointwise(
    several: list[list[tuple[Fraction, Fraction]]], epsilon: Epsilon, delta: Fraction
) -> None:
    frontiers = [Frontier(each) for each in several]
    top = Frontier.maximum(iter(frontiers))
    assert top.minimal_delta(epsilon) == max(f.minimal_delta(epsilon) for f in frontiers)
    assert top.minimal_epsilon(delta) == max(f.minimal_epsilon(delta) for f in frontiers)
    assert top == Frontier(event for each in several for event in each)


@given(events, events)
def test_frontiers_are_equal_when_they_are_the_same_function(
    left: list[tuple[Fraction, Fraction]], right: list[tuple[Fraction, Fraction]]
) -> None:
    one, other = Frontier(left), Frontier(right)
    # Piecewise linear with bends at the vertices, and constant after the last.
    bends = {*(t for t, _ in one.vertices), *(t for t, _ in other.vertices)}
    same = all(
        one.minimal_delta(Epsilon.exactly(t)) == other.minimal_delta(Epsilon.exactly(t))
        for t in bends
    )
    assert (one == other) == same
    if same:
        assert hash(one) == hash(other)


def test_equal_laws_have_the_frontier_that_is_zero() -> None:
    law: Law = FiniteDistribution.uniform(range(3))
    assert (
        frontier(law, law) == Frontier([]) == Frontier([(1, 1), (Fraction(1, 3), Fraction(1, 3))])
    )
    assert frontier(law, law).vertices == ((Fraction(1), Fraction(0)),)


def test_what_is_no_probability_is_refused() -> None:
    refuses("events: got 3/2, want probabilities", Frontier, [(Fraction(3, 2), 0)])
    with pytest.raises(InvalidInput, match="events: got the float"):
        Frontier([(0.5, 0)])  # type: ignore[list-item]  # what is tested
    refuses("frontiers: got none", Frontier.maximum, [])
    refuses("delta: got 2", Frontier([]).minimal_epsilon, 2)
    with pytest.raises(InvalidInput, match="epsilon: got a value of type Fraction"):
        Frontier([]).minimal_delta(Fraction(2))  # type: ignore[arg-type]  # what is tested


@settings(max_examples=60)
@given(enclosed_laws, enclosed_laws, epsilons, deltas)
def test_enclosed_frontiers_have_the_answers_for_enclosed_laws(
    one: tuple[Law, data.EnclosedDistribution[int]],
    other: tuple[Law, data.EnclosedDistribution[int]],
    epsilon: Epsilon,
    delta: Fraction,
) -> None:
    (p, around_p), (q, around_q) = one, other
    found = frontier(around_p, around_q)
    assert found.minimal_delta(epsilon) == minimal_delta(around_p, around_q, epsilon)
    sides = [one_sided_frontier(around_p, around_q), one_sided_frontier(around_q, around_p)]
    assert sides[0].minimal_delta(epsilon) == hockey_stick(around_p, around_q, epsilon)
    assert EnclosedFrontier.maximum(sides) == found
    assert frontier(p, q).minimal_delta(epsilon) in found.minimal_delta(epsilon)
    try:
        expected = minimal_epsilon(around_p, around_q, delta)
    except Undecided:
        with pytest.raises(Undecided):
            found.minimal_epsilon(delta)
    else:
        assert found.minimal_epsilon(delta) == expected
