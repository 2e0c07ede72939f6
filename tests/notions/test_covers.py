"""What a common simulator costs, which laws conflict, and the search, against brute force."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, FiniteDistribution, testing
from pac_stability.notions.by_type import law_classes
from pac_stability.notions.closeness import are_close
from pac_stability.notions.simulator_covers import (
    Cover,
    Polytope,
    SimulatorBox,
    conflict_graph,
    needed_by_pair,
    projections,
)
from pac_stability.notions.simulator_search import (
    Candidates,
    cheapest_cover,
    heaviest_cover,
    sufficient_cover,
)

Law = FiniteDistribution[int]
OUTCOMES = (0, 1, 2)
LAW: st.SearchStrategy[Law] = testing.strategies.weighted(OUTCOMES, 4)
LAWS = st.lists(LAW, min_size=2, max_size=4)


def grid(q: int) -> list[Law]:
    """All laws on the outcomes with denominators q: simulators that nobody optimised."""
    return [
        FiniteDistribution({0: Fraction(a, q), 1: Fraction(b, q), 2: Fraction(q - a - b, q)})
        for a in range(q + 1)
        for b in range(q + 1 - a)
    ]


def extended(empty: Cover[int], laws: Sequence[Law]) -> Cover[int]:
    for law in laws:
        empty = empty.extended(law)
    return empty


@given(LAWS, st.sampled_from([Fraction(1), Fraction(4, 3), Fraction(2)]))
@settings(max_examples=30)
def test_the_cost_in_delta_is_attained_and_not_beaten_on_a_grid(
    laws: list[Law], t: Fraction
) -> None:
    epsilon = Epsilon.exactly(t)
    polytope = extended(Polytope(OUTCOMES, epsilon), laws)
    cost = polytope.cost
    assert cost is not None
    assert all(are_close(p, polytope.simulator(t), epsilon, cost) for p in laws)
    reach = polytope.below(cost + 1)
    assert cost <= reach.delta < cost + 1
    if cost:
        less = cost - min(cost, Fraction(1, 10**9))
        assert not any(all(are_close(p, q, epsilon, less) for p in laws) for q in grid(12))


@given(LAWS)
def test_the_cost_in_epsilon_is_attained_and_not_beaten_on_a_grid(laws: list[Law]) -> None:
    box = extended(SimulatorBox(OUTCOMES), laws)
    if box.cost is None:
        # Two laws disagree on what is possible; the simulator cannot have it both ways.
        assert any(set(p.support) != set(q.support) for p, q in combinations(laws, 2))
        return
    gap = Fraction(1, 10**40)
    reach = box.below(box.cost + gap)
    assert box.cost <= reach.epsilon.ratio**2 < box.cost + gap
    assert all(are_close(p, *reach) for p in laws)
    exactly = box.below(None)
    assert all(are_close(p, *exactly) for p in laws)
    for tenths in range(10, 40):
        t = Fraction(tenths, 10)
        if t * t < box.cost:
            epsilon = Epsilon.exactly(t)
            assert not any(all(are_close(p, q, epsilon) for p in laws) for q in grid(6))


@given(LAW, LAW, st.sampled_from([Fraction(1), Fraction(4, 3), Fraction(2)]))
def test_pairs_need_at_most_what_one_simulator_shows(p: Law, q: Law, t: Fraction) -> None:
    epsilon = Epsilon.exactly(t)
    pair = extended(Polytope(OUTCOMES, epsilon), [p, q])
    assert pair.cost is not None
    assert needed_by_pair(p, q, epsilon) <= pair.cost
    # Without delta the bound is all there is.
    box = extended(SimulatorBox(OUTCOMES), [p, q])
    fits = box.cost is not None and box.cost <= t * t
    assert fits == (needed_by_pair(p, q, epsilon) == 0)


def candidates_of(
    laws: Sequence[Law], epsilon: Epsilon, delta: Fraction, weights: Sequence[int]
) -> Candidates[int]:
    masks = conflict_graph(laws, lambda p, q: needed_by_pair(p, q, epsilon) > delta)
    return Candidates(laws, [Fraction(w, 20) for w in weights], masks, OUTCOMES)


@settings(max_examples=20)
@given(
    st.lists(st.tuples(LAW, st.integers(1, 5)), min_size=2, max_size=5),
    st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 4)]),
)
def test_the_search_finds_the_best_of_all_sets(
    drawn: list[tuple[Law, int]], delta: Fraction
) -> None:
    laws = [law for law, _ in drawn]
    t = Fraction(3, 2)
    epsilon = Epsilon.exactly(t)
    given_laws = candidates_of(laws, epsilon, delta, [weight for _, weight in drawn])
    empty: Cover[int] = Polytope(OUTCOMES, epsilon) if delta else SimulatorBox(OUTCOMES)
    costs = {}
    for size in range(1, len(laws) + 1):
        for chosen in combinations(range(len(laws)), size):
            weight = sum((given_laws.weights[i] for i in chosen), Fraction())
            cost = extended(empty, [laws[i] for i in chosen]).cost
            costs[chosen] = weight, cost
    bound = delta or t * t
    heaviest = max(w for w, cost in costs.values() if cost is not None and cost <= bound)
    found, upper = heaviest_cover(given_laws, epsilon, delta, known=Fraction(0), max_steps=10**6)
    assert upper == heaviest
    assert found is not None
    covered = (are_close(p, found, epsilon, delta) for p in laws)
    assert sum(w for w, c in zip(given_laws.weights, covered, strict=True) if c) == heaviest
    again = heaviest_cover(given_laws, epsilon, delta, known=heaviest, max_steps=10**6)
    assert again == (None, heaviest)
    assert heaviest_cover(given_laws, epsilon, delta, known=Fraction(0), max_steps=1)[1] >= heaviest

    assert sufficient_cover(given_laws, epsilon, delta, heaviest, 10**6)[0] is not None
    more = sufficient_cover(given_laws, epsilon, delta, heaviest + Fraction(1, 20), 10**6)
    assert more == (None, True)

    target = sum(given_laws.weights) * Fraction(2, 3)
    prices = [cost for w, cost in costs.values() if w >= target and cost is not None]
    free = Candidates(laws, given_laws.weights, [0] * len(laws), OUTCOMES)
    cheapest, finished = cheapest_cover(free, empty, target, known=None, max_steps=10**6)
    assert finished
    if prices:
        assert cheapest is not None
        assert cheapest.cost == min(prices)
        none = cheapest_cover(free, empty, target, known=min(prices), max_steps=10**6)
        assert none == (None, True)
    else:
        assert cheapest is None


@pytest.mark.parametrize("outcomes", [2, 3, 4, 7])
def test_events_are_what_post_processing_makes_of_the_laws(outcomes: int) -> None:
    samples = FiniteDistribution({0: Fraction(1, 3), 1: Fraction(2, 3)})
    laws = {
        0: FiniteDistribution.uniform(range(outcomes)),
        1: FiniteDistribution(
            {0: Fraction(1, 2), **dict.fromkeys(range(1, outcomes), Fraction(1, 2 * outcomes - 2))}
        ),
    }
    found = projections(law_classes(laws, samples))
    events = [
        {y for y, inside in enumerate(chosen) if inside}
        for chosen in product([False, True], repeat=outcomes)
    ]
    if outcomes > 6:
        events = [event for event in events if len(event) == 1]
    else:
        assert len(found) == 2 ** (outcomes - 1) - 1  # up to complement
    images = []
    for event in events:
        pairs = [(sum(laws[i].probability(y) for y in event), w) for i, w in samples.items()]
        weights: dict[Fraction, Fraction] = {}
        for p, w in pairs:
            weights[Fraction(p)] = weights.get(Fraction(p), Fraction()) + w
        images.append(sorted(weights.items()))
    assert all(points in images for points in found)
    assert outcomes <= 6 or len(found) == outcomes
