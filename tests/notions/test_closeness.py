"""Closeness against the definition: every event of small supports, one by one."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, Interval, InvalidInput, Undecided
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.notions import closeness
from pac_stability.testing import strategies
from shared_laws import mass
from shared_refusals import refuses

Law = FiniteDistribution[int]
Event = tuple[int, ...]


laws = strategies.weighted(range(4))
enclosed_laws = strategies.enclosures(range(4), width=Fraction(1, 20))
factors = st.fractions(0, 5, max_denominator=12)
epsilons = strategies.epsilons(5, 12)
deltas = strategies.probabilities(20)


def masses(p: Law, q: Law) -> list[tuple[Fraction, Fraction]]:
    """The probabilities of all sixteen events under two laws."""
    found = [(Fraction(), Fraction())]
    for k in range(4):
        in_p, in_q = p.probability(k), q.probability(k)
        found += [(of_p + in_p, of_q + in_q) for of_p, of_q in found]
    return found


def close_one_way(p: Law, q: Law, t: Fraction, delta: Fraction) -> bool:
    return all(of_p <= t * of_q + delta for of_p, of_q in masses(p, q))


def largest_gap(p: Law, q: Law, t: Fraction) -> Fraction:
    return max(of_p - t * of_q for of_p, of_q in masses(p, q))


def least_factor(p: Law, q: Law, delta: Fraction) -> Fraction | float:
    """The least t >= 1 that satisfies the inequality of every event, one at a time."""
    needed: list[Fraction | float] = [Fraction(1)]
    for of_p, of_q in masses(p, q):
        if of_p > delta:
            needed.append((of_p - delta) / of_q if of_q else math.inf)
    return max(needed)


@given(laws, laws, factors)
def test_hockey_stick_is_the_largest_gap_of_an_event(p: Law, q: Law, t: Fraction) -> None:
    assert closeness.hockey_stick_at(p, q, t) == largest_gap(p, q, t)


@given(laws, laws, epsilons)
def test_minimal_delta_is_the_larger_direction(p: Law, q: Law, epsilon: Epsilon) -> None:
    there, back = largest_gap(p, q, epsilon.ratio), largest_gap(q, p, epsilon.ratio)
    assert closeness.hockey_stick(p, q, epsilon) == there
    assert closeness.minimal_delta(p, q, epsilon) == max(there, back)


@given(laws, laws, deltas)
def test_minimal_epsilon_is_what_the_worst_event_needs(p: Law, q: Law, delta: Fraction) -> None:
    there, back = least_factor(p, q, delta), least_factor(q, p, delta)
    assert closeness.one_sided_epsilon(p, q, delta) == there
    assert closeness.minimal_epsilon(p, q, delta) == max(there, back)


@given(laws, laws, epsilons, deltas)
def test_are_close_is_the_definition(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> None:
    t = epsilon.ratio
    expected = close_one_way(p, q, t, delta) and close_one_way(q, p, t, delta)
    assert closeness.are_close(p, q, epsilon, delta) == expected


@given(laws, laws, epsilons)
def test_closeness_holds_at_the_minimal_delta_and_not_below(
    p: Law, q: Law, epsilon: Epsilon
) -> None:
    delta = closeness.minimal_delta(p, q, epsilon)
    assert closeness.are_close(p, q, epsilon, delta)
    if delta:
        assert not closeness.are_close(p, q, epsilon, delta * Fraction(999, 1000))


@given(laws, laws, factors.filter(bool))
def test_the_two_directions_determine_each_other(p: Law, q: Law, t: Fraction) -> None:
    # The complement of an event turns P - tQ into (1 - t) + t (Q - P/t).
    exchanged = closeness.hockey_stick_at(q, p, 1 / t)
    assert closeness.hockey_stick_at(p, q, t) == 1 - t + t * exchanged


@given(laws, laws, epsilons)
def test_the_best_event_attains_the_divergence(p: Law, q: Law, epsilon: Epsilon) -> None:
    event = closeness.best_event(p, q, epsilon)
    gap = mass(p, event) - epsilon.ratio * mass(q, event)
    assert gap == largest_gap(p, q, epsilon.ratio)
    assert event == tuple(sorted(event))
    assert all(p.probability(k) > epsilon.ratio * q.probability(k) for k in event)


@given(laws, laws, deltas)
def test_the_best_event_for_delta_attains_the_factor(p: Law, q: Law, delta: Fraction) -> None:
    event = closeness.best_event_for_delta(p, q, delta)
    factor = least_factor(p, q, delta)
    if factor == math.inf:
        assert mass(q, event) == 0
        assert mass(p, event) > delta
    elif factor > 1:
        assert mass(p, event) == factor * mass(q, event) + delta
        assert mass(q, event) > 0
    else:
        assert event == ()


@given(laws, laws)
def test_the_best_event_for_delta_zero_has_the_largest_ratio(p: Law, q: Law) -> None:
    event = closeness.best_event_for_delta(p, q)
    factor = least_factor(p, q, Fraction(0))
    assert bool(event) == (factor > 1)
    for k in range(4):
        ratio = p.probability(k) / q.probability(k) if q.probability(k) else math.inf
        assert (k in event) == (p.probability(k) > 0 and ratio == factor > 1)


@given(laws, laws)
def test_total_variation_is_half_the_l1_distance(p: Law, q: Law) -> None:
    half = sum(abs(p.probability(k) - q.probability(k)) for k in range(4)) / 2
    assert closeness.total_variation(p, q) == half


@given(laws, laws, st.lists(st.integers(0, 2), min_size=4, max_size=4), epsilons)
def test_post_processing_never_increases_delta(
    p: Law, q: Law, image: list[int], epsilon: Epsilon
) -> None:
    after = closeness.minimal_delta(p.map(image.__getitem__), q.map(image.__getitem__), epsilon)
    assert after <= closeness.minimal_delta(p, q, epsilon)


def test_outcomes_may_be_of_any_kind_and_disjoint() -> None:
    p, q = FiniteDistribution[object]({"a": 1}), FiniteDistribution[object]({(1, 2): 1})
    assert closeness.total_variation(p, q) == 1
    assert closeness.minimal_epsilon(p, q, Fraction(99, 100)) == math.inf
    assert closeness.minimal_epsilon(p, q, 1) == 1


def test_bad_arguments_are_named() -> None:
    p: Law = FiniteDistribution.uniform(range(2))
    with pytest.raises(InvalidInput, match=r"epsilon: got .* float, want an Epsilon"):
        closeness.minimal_delta(p, p, 1.0)  # type: ignore[arg-type]  # what is tested
    refuses("delta: got -1/2", closeness.minimal_epsilon, p, p, Fraction(-1, 2))
    refuses("delta: got 3/2", closeness.are_close, p, p, Epsilon.exactly(1), Fraction(3, 2))
    refuses("ratio: got -1", closeness.hockey_stick_at, p, p, -1)
    enclosed = EnclosedDistribution.exactly(p)
    for one, other in ((p, enclosed), (enclosed, p), (p, {0: 1})):
        with pytest.raises(InvalidInput, match="want two FiniteDistributions or two Enclosed"):
            closeness.total_variation(one, other)  # type: ignore[type-var, arg-type]  # what is tested
    with pytest.raises(InvalidInput, match="want two FiniteDistributions or two Enclosed"):
        closeness.best_event(p, enclosed, Epsilon.exactly(2))  # type: ignore[type-var]  # what is tested


Enclosed = tuple[Law, EnclosedDistribution[int]]


@settings(max_examples=50)
@given(enclosed_laws, enclosed_laws, epsilons, factors)
def test_intervals_hold_the_values_of_every_enclosed_law(
    one: Enclosed, other: Enclosed, epsilon: Epsilon, t: Fraction
) -> None:
    (p, around_p), (q, around_q) = one, other
    found = closeness.minimal_delta(around_p, around_q, epsilon)
    assert closeness.minimal_delta(p, q, epsilon) in found
    assert found.upper <= 1
    assert closeness.hockey_stick(p, q, epsilon) in closeness.hockey_stick(
        around_p, around_q, epsilon
    )
    assert closeness.hockey_stick_at(p, q, t) in closeness.hockey_stick_at(around_p, around_q, t)
    assert closeness.total_variation(p, q) in closeness.total_variation(around_p, around_q)


@settings(max_examples=50)
@given(enclosed_laws, enclosed_laws, deltas)
def test_factors_of_enclosed_laws(one: Enclosed, other: Enclosed, delta: Fraction) -> None:
    (p, around_p), (q, around_q) = one, other
    exact = closeness.minimal_epsilon(p, q, delta)
    try:
        found = closeness.minimal_epsilon(around_p, around_q, delta)
    except Undecided:
        # What is impossible under one law may have a probability of more than delta, or not.
        either = [*around_p.items(), *around_q.items()]
        assert any(weight.width for _, weight in either)
        return
    if isinstance(found, Interval):
        assert isinstance(exact, Fraction)
        assert exact in found
    else:
        assert found == exact == math.inf


@settings(max_examples=50)
@given(enclosed_laws, enclosed_laws, epsilons, deltas)
def test_what_is_decided_for_enclosed_laws_is_right(
    one: Enclosed, other: Enclosed, epsilon: Epsilon, delta: Fraction
) -> None:
    (p, around_p), (q, around_q) = one, other
    try:
        found = closeness.are_close(around_p, around_q, epsilon, delta)
    except Undecided:
        assert (around_p, around_q) != (
            EnclosedDistribution.exactly(p),
            EnclosedDistribution.exactly(q),
        )
    else:
        assert found == closeness.are_close(p, q, epsilon, delta)


@given(laws, laws, epsilons, deltas)
def test_exactly_enclosed_laws_have_exact_answers(
    p: Law, q: Law, epsilon: Epsilon, delta: Fraction
) -> None:
    around_p, around_q = EnclosedDistribution.exactly(p), EnclosedDistribution.exactly(q)
    exact = closeness.minimal_delta(p, q, epsilon)
    assert closeness.minimal_delta(around_p, around_q, epsilon) == Interval.exactly(exact)
    factor = closeness.one_sided_epsilon(p, q, delta)
    expected = Interval.exactly(factor) if isinstance(factor, Fraction) else factor
    assert closeness.one_sided_epsilon(around_p, around_q, delta) == expected
    assert closeness.best_event(around_p, around_q, epsilon) == closeness.best_event(p, q, epsilon)


def test_an_exponential_mechanism_of_factor_e() -> None:
    # Weights e**(-k/2) and e**(-(2-k)/2) on k = 0, 1, 2 have equal sums, so the largest likelihood
    # ratio is e**(1/2 * 2) = e, at the ends.
    weights = {k: Interval.exp(Fraction(-k, 2)) for k in range(3)}
    p = EnclosedDistribution.in_proportion(weights)
    q = EnclosedDistribution.in_proportion({k: weights[2 - k] for k in range(3)})
    factor = closeness.minimal_epsilon(p, q)
    assert isinstance(factor, Interval)
    assert factor.lower < Interval.exp(1).lower <= Interval.exp(1).upper < factor.upper
    assert factor.width < Fraction(1, 2**50)
    assert closeness.are_close(p, q, Epsilon.exactly(Fraction(272, 100)))
    assert not closeness.are_close(p, q, Epsilon.exactly(Fraction(271, 100)))


def test_no_enclosed_delta_exceeds_one() -> None:
    wide = Interval(Fraction(2, 5), Fraction(3, 5))
    p = EnclosedDistribution({0: wide, 1: wide})
    q = EnclosedDistribution({2: 1})
    assert closeness.total_variation(p, q) == Interval(Fraction(4, 5), Fraction(1))
    assert closeness.frontier(p, q).minimal_delta(Epsilon.exactly(2)) == Interval.exactly(1)


def test_an_outcome_that_may_be_impossible_leaves_the_factor_open() -> None:
    law = EnclosedDistribution({0: 1, 1: Interval(Fraction(0), Fraction(1, 10))})
    half = EnclosedDistribution.exactly(FiniteDistribution.uniform([0, 1]))
    with pytest.raises(Undecided, match="any epsilon"):
        closeness.minimal_epsilon(law, half, Fraction(1, 4))
    assert closeness.minimal_epsilon(law, half, Fraction(1, 2)) == Interval.exactly(1)


def test_an_event_that_the_intervals_leave_open_is_undecided() -> None:
    half = Interval(Fraction(49, 100), Fraction(51, 100))
    p = EnclosedDistribution({0: half, 1: half})
    with pytest.raises(Undecided):
        closeness.best_event(p, p, Epsilon.exactly(1))
    assert closeness.best_event(p, p, Epsilon.exactly(2)) == ()
