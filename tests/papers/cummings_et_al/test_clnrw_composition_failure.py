"""Two mechanisms that generalize as robustly as silence, and what they give away together."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import exp, factorial, perm

import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteDistribution, InvalidInput, Mechanism, Multiset
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.papers.cummings_et_al.separations import OrderAsKey, RandomTests
from shared_refusals import refuses

Points = tuple[int, ...]


def all_subsets(m: int, size: int) -> tuple[frozenset[int], ...]:
    return tuple(map(frozenset, combinations(range(m), size)))


def on(weights: list[int]) -> FiniteDistribution[int]:
    total = sum(weights)
    return FiniteDistribution({x: Fraction(w, total) for x, w in enumerate(weights)})


@st.composite
def pairs(draw: st.DrawFn) -> OrderAsKey[int]:
    n, m = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    subsets = [frozenset(c) for size in range(m + 1) for c in combinations(range(m), size)]
    tests = draw(st.lists(st.sampled_from(subsets), min_size=1, max_size=factorial(n), unique=True))
    return OrderAsKey(tuple(range(m)), n, tuple(tests))


WEIGHTS = st.lists(st.integers(0, 4), min_size=4, max_size=4)


def distribution_for(pair: OrderAsKey[int], weights: list[int]) -> FiniteDistribution[int]:
    kept = weights[: len(pair.elements)]
    return on(kept if any(kept) else [1] * len(pair.elements))


@given(pairs(), WEIGHTS)
def test_each_output_is_uniform_and_independent_of_the_elements_drawn(
    pair: OrderAsKey[int], weights: list[int]
) -> None:
    law = distribution_for(pair, weights)
    size = factorial(pair.n)
    for mechanism in (pair.key, pair.encrypted):
        joint: dict[tuple[Multiset[int], int], Fraction] = {}
        types: dict[Multiset[int], Fraction] = {}
        for sample, weight in law.power(pair.n).items():
            kind = Multiset.of(sample)
            types[kind] = types.get(kind, Fraction()) + weight
            for output, probability in mechanism.law(sample).items():
                cell = kind, output
                joint[cell] = joint.get(cell, Fraction()) + weight * probability
        for (kind, output), probability in joint.items():
            assert 0 <= output < size
            assert probability == types[kind] / size
        assert len(joint) == size * len(types)


@given(pairs(), WEIGHTS, st.sampled_from(["0", "1/5", "1/3", "1/2"]))
def test_the_failures_are_those_of_the_mechanisms_on_ordered_samples(
    pair: OrderAsKey[int], weights: list[int], epsilon: str
) -> None:
    law = distribution_for(pair, weights)
    samples = law.power(pair.n)
    alone = pair.failure_alone(law, epsilon)
    assert optimal_adversary(pair.key.law, samples, epsilon).failure == alone
    assert optimal_adversary(pair.encrypted.law, samples, epsilon).failure == alone
    together = optimal_adversary(pair.together.law, samples, epsilon).failure
    assert together == pair.failure_together(law, epsilon) >= alone


def test_both_outputs_name_the_test() -> None:
    pair = OrderAsKey(tuple(range(5)), 3, all_subsets(5, 4))
    for sample in permutations(range(5), 3):
        encrypted, key = pair.together.run(sample)
        test = pair.tests[(encrypted - key) % factorial(3)]
        assert set(sample) <= test
        assert pair.message(sample) == (encrypted - key) % factorial(3)


def test_the_order_is_numbered_lexicographically() -> None:
    pair = OrderAsKey(("c", "a", "b"), 3, (frozenset("abc"),))
    key: Mechanism[tuple[str, ...], int] = pair.key
    # In the order of the elements given: c < a < b.
    orders = ["cab", "cba", "acb", "abc", "bca", "bac"]
    assert [key.run(tuple(order)) for order in orders] == list(range(6))


def test_the_exact_gap_on_six_points() -> None:
    # Silence: a test of 3 points deviates by 1/2 on 0 or 4 of 4 draws and by 1/4 otherwise: 1/8.
    # A test of 4 points: h(D) = 2/3, and 4, 1 or 0 draws of 4 inside deviate by 1/3, 5/12, 2/3:
    # (16 + 8 + 1) / 81. A test of 5: h(D) = 5/6, deviating above 3/10 with at most 2 inside:
    # (1 + 20 + 150) / 1296 < 25/81.
    pair = OrderAsKey(tuple(range(6)), 4, all_subsets(6, 4))
    die = FiniteDistribution.uniform(range(6))
    assert pair.failure_alone(die, "3/10") == Fraction(25, 81)
    # Together: distinct samples always fail. For the others the adversary hears a message at
    # random. It names a set of 4 points for the first 15, all of which fail on distinct samples,
    # and hears from the other 9 that the sample is not distinct.
    together = pair.failure_together(die, "3/10")
    assert together == Fraction(46, 81)
    assert together > Fraction(perm(6, 4), 6**4) > 0


@pytest.mark.parametrize(("n", "m", "size"), [(2, 3, 2), (2, 4, 3), (3, 5, 4)])
def test_average_tests_miss_no_more_than_stated(n: int, m: int, size: int) -> None:
    scale = RandomTests(n, m, size)
    distinct = Fraction(sum(len(set(x)) == n for x in product(range(m), repeat=n)), m**n)
    assert scale.distinct == distinct
    sets = [frozenset(c) for c in combinations(range(m), n)]
    best = Fraction()
    for tests in combinations_with_replacement(all_subsets(m, size), factorial(n)):
        covered = sum(any(drawn <= test for test in tests) for drawn in sets)
        best = max(best, Fraction(covered, len(sets)))
    assert 0 < scale.failure_together <= distinct * best
    share = 1 - (1 - Fraction(len(list(combinations(range(size), n))), len(sets))) ** factorial(n)
    assert scale.failure_together <= distinct * share


def test_good_tests_of_three_in_five() -> None:
    # Sets of 4 of 5 points: three of them contain all pairs but none, and 1 - 4/5 = 1/5.
    pair = OrderAsKey(tuple(range(5)), 3, all_subsets(5, 4))
    five = FiniteDistribution.uniform(range(5))
    scale = RandomTests(3, 5, 4)
    assert scale.deviation == Fraction(1, 5)
    assert pair.failure_together(five, "19/100") >= scale.failure_together


def test_the_gap_at_scale() -> None:
    scale = RandomTests(20, 1000, 150)
    # Twice the deviation that is rare from one output is there from both, nearly always.
    alone = scale.failure_alone("2/5").value
    assert alone < Fraction(4, 10**4)
    assert scale.deviation > 2 * Fraction(2, 5)
    # Birthdays: 1000 * 999 * ... * 981 / 1000^20, and e^-80 of the sets are missed.
    assert abs(float(scale.failure_together) - perm(1000, 20) / 1000**20) < 1e-9
    few = RandomTests(4, 20, 10)  # 24 tests, each of which has 210 of 4845 sets
    assert abs(float(few.failure_together) - perm(20, 4) / 20**4 * (1 - exp(-5040 / 4845))) < 1e-12


def test_bad_input_is_refused() -> None:
    whole = frozenset({0, 1})
    refuses("elements: ", OrderAsKey, (0, 0), 1, (whole,))
    refuses("n: got 0", OrderAsKey, (0, 1), 0, (whole,))
    refuses("tests: got 0 tests", OrderAsKey, (0, 1), 1, ())
    with pytest.raises(InvalidInput, match="tests: got 2 tests, want from 1 to 1! of them"):
        OrderAsKey((0, 1), 1, (whole, frozenset({0})))
    refuses("tests: ", OrderAsKey, (0, 1), 1, (frozenset({0, 2}),))
    pair = OrderAsKey((0, 1), 2, (whole,))
    for sample in [(0,), (0, 2), (0, 1, 0)]:
        refuses("sample: ", pair.key.law, sample)
    refuses("size: got 6", RandomTests, 2, 5, 6)
    refuses("m: got 1", RandomTests, 2, 1, 2)
