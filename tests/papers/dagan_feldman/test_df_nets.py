"""Exact net probabilities against enumeration, and the bounds against the exact values."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, FiniteClass, Interval, InvalidInput, classes, dimensions
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.papers.dagan_feldman import nets
from pac_stability.testing import strategies
from shared_dagan_feldman import sample_on
from shared_refusals import refuses

ALPHAS = strategies.probabilities(6)
# Points of mixed types and in no order: the count must not depend on either.
MIXED = ["b", 3, "a", (1, 2), Fraction(1, 2)]
WITH_SAMPLES = strategies.classes_with_samples(
    strategies.finite_classes(max_points=5, max_hypotheses=10, points=MIXED), max_size=7
)
SMALL = strategies.finite_classes(max_hypotheses=10, points=MIXED)
ClassAndSample = tuple[FiniteClass, Sample[Hashable]]


def is_net(H: FiniteClass, S: Sample[Hashable], points: list[Hashable], alpha: Fraction) -> bool:
    return dimensions.is_alpha_net(H, points, alpha, [S.points.count(x) for x in H.domain])


@settings(max_examples=60)
@given(WITH_SAMPLES, ALPHAS)
def test_indices_by_enumeration(pair: ClassAndSample, alpha: Fraction) -> None:
    H, S = pair
    random_nets = nets.IndexNets(H, S, alpha)
    for size in range(len(S) + 1):
        chosen = list(combinations(S.points, size))
        failures = sum(not is_net(H, S, list(part), alpha) for part in chosen)
        assert random_nets.failure(size) == Fraction(failures, len(chosen))


@settings(max_examples=40)
@given(st.data(), SMALL, ALPHAS)
def test_draws_by_enumeration(data: st.DataObject, H: FiniteClass, alpha: Fraction) -> None:
    law = data.draw(strategies.weighted(H.domain, 3))
    weights = [law.probability(x) for x in H.domain]
    random_nets = nets.DrawnNets(H, law, alpha)
    for size in range(4):
        failure = sum(
            (
                prod((law.probability(x) for x in draws), start=Fraction(1))
                for draws in product(H.domain, repeat=size)
                if not dimensions.is_alpha_net(H, draws, alpha, weights)
            ),
            Fraction(),
        )
        assert random_nets.failure(size) == failure


def test_labels_and_order_do_not_matter() -> None:
    H = classes.intervals(6)
    points = [0, 5, 3, 3, 1, 2, 4]
    one = nets.IndexNets(H, Sample(points, [0] * 7), Fraction(1, 4))
    other = nets.IndexNets(H, Sample(points[::-1], [1, 0, 1, 0, 1, 0, 1]), Fraction(1, 4))
    assert [one.failure(k) for k in range(8)] == [other.failure(k) for k in range(8)]


def test_infinite_families_as_their_tables() -> None:
    points: list[Hashable] = [2, 0, 1, 3, 3]
    family = nets.IndexNets(classes.Intervals(), sample_on(points), Fraction(1, 5))
    table = nets.IndexNets(classes.intervals(4), sample_on(points), Fraction(1, 5))
    assert [family.failure(k) for k in range(6)] == [table.failure(k) for k in range(6)]


@pytest.mark.parametrize(("n", "alpha"), [(1, "0"), (7, "1/7"), (12, "1/5"), (40, "1/10"), (9, 1)])
def test_thresholds_in_closed_form(n: int, alpha: str) -> None:
    counted = nets.IndexNets(classes.thresholds(n), sample_on(list(range(n))), Fraction(alpha))
    for size in range(n + 1):
        assert nets.threshold_net_failure(n, size, alpha) == counted.failure(size)


def test_all_subsets_in_closed_form() -> None:
    # For the class of all subsets a set of indices is a net when at most floor(alpha n) of the
    # points are missing: the sizes from n - floor(alpha n) on, with certainty.
    everything = nets.IndexNets(classes.cube(8), sample_on(list(range(8))), Fraction(3, 10))
    assert [everything.failure(size) for size in range(9)] == [1] * 6 + [0] * 3


@settings(max_examples=40)
@given(WITH_SAMPLES, ALPHAS)
def test_indices_fail_at_most_as_often_as_draws(pair: ClassAndSample, alpha: Fraction) -> None:
    # The distinct indices among n' independent ones are part of a uniformly random set of n'.
    H, S = pair
    law = FiniteDistribution({x: Fraction(S.points.count(x), len(S)) for x in S.distinct_points})
    indices, draws = nets.IndexNets(H, S, alpha), nets.DrawnNets(H, law, alpha)
    for size in range(len(S) + 1):
        assert indices.failure(size) <= draws.failure(size)


@settings(max_examples=40)
@given(WITH_SAMPLES, ALPHAS, strategies.probabilities(20).filter(bool))
def test_least_size(pair: ClassAndSample, alpha: Fraction, beta: Fraction) -> None:
    H, S = pair
    indices = nets.IndexNets(H, S, alpha)
    draws = nets.DrawnNets(H, FiniteDistribution.uniform(S.distinct_points), alpha)
    assert indices.least_size(beta) == next(
        size for size in range(len(S) + 1) if indices.failure(size) <= beta
    )
    least = draws.least_size(beta)
    assert draws.failure(least) <= beta
    assert least == 0 or draws.failure(least - 1) > beta


@settings(max_examples=60)
@given(WITH_SAMPLES, ALPHAS)
def test_bound_for_indices(pair: ClassAndSample, alpha: Fraction) -> None:
    H, S = pair
    exact = nets.IndexNets(H, S, alpha)
    patterns = len(H.restrict(S.points))
    for size in range(len(S) + 1):
        assert exact.failure(size) <= nets.index_net_bound(patterns, len(S), size, alpha)


def test_bound_for_indices_is_attained_by_two_hypotheses() -> None:
    H = FiniteClass([[0] * 10, [1] * 4 + [0] * 6])
    exact = nets.IndexNets(H, sample_on(list(range(10))), Fraction(3, 10))
    for size in range(11):
        assert exact.failure(size) == nets.index_net_bound(2, 10, size, Fraction(3, 10))


def test_closed_form_of_the_bound_for_indices() -> None:
    # n' >= (2 ln tau + ln(1/(2 beta))) / alpha, rounded up, for alpha from small to nearly 1.
    for alpha in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(19, 20)):
        for growth, n in ((2, 900), (901, 900), (400_000, 900)):
            for beta in (Fraction(1, 2), Fraction(1, 1000)):
                size = (2 * Interval.log(growth) + Interval.log(1 / (2 * beta))) / alpha
                n_prime = -(-size.upper.numerator // size.upper.denominator)
                if n_prime <= n:
                    assert nets.index_net_bound(growth, n, n_prime, alpha) <= beta


@settings(max_examples=30)
@given(SMALL, st.fractions(Fraction(1, 6), 1, max_denominator=6), st.integers(1, 8), st.data())
def test_bound_for_draws(H: FiniteClass, alpha: Fraction, ghost: int, data: st.DataObject) -> None:
    exact = nets.DrawnNets(H, FiniteDistribution.uniform(H.domain), alpha)
    threshold = data.draw(st.integers(1, ghost))
    for size in (0, 1, 5, 20, 60):
        bound = nets.drawn_net_bound(len(H), size, alpha, ghost=ghost, threshold=threshold)
        assert exact.failure(size) <= bound <= 1


def test_bound_for_draws_by_hand() -> None:
    # Two hypotheses, M = k = 1: C(2, 2) * (1 / (n' + 1)) / alpha.
    assert nets.drawn_net_bound(2, 9, Fraction(1, 2), ghost=1, threshold=1) == Fraction(1, 5)
    # Bin(2, 1/3) >= 2 has probability 1/9; C(2, 2) / C(n' + 2, 2) for n' = 8 is 1/45; 3 pairs.
    assert nets.drawn_net_bound(3, 8, "1/3", ghost=2, threshold=2) == Fraction(3 * 9, 45)
    # The form of the textbooks: M = n', k = alpha n'/2 and n' >= 8/alpha give tau^2 2^-k.
    size, k = 400, 20
    bound = nets.drawn_net_bound(801, size, Fraction(1, 10), ghost=size, threshold=k)
    assert bound <= Fraction(801**2, 2**k)


def test_numbers_for_thresholds() -> None:
    # alpha = beta = 1/10, n = 1000, one node a gap: exact 58, by the growth function 135.
    least = next(
        k for k in range(1000) if nets.threshold_net_failure(1000, k, "1/10") <= Fraction(1, 10)
    )
    bound = next(
        k for k in range(1000) if nets.index_net_bound(1001, 1000, k, "1/10") <= Fraction(1, 10)
    )
    assert (least, bound) == (58, 135)
    assert comb(1001, 2) * Fraction(9, 10) ** 135 > Fraction(1, 10)  # so the exact tail is needed


def test_too_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nets, "MAX_STATES", 3)
    with pytest.raises(BudgetExhausted, match=r"^nets: more than 3 states on 8 points$"):
        nets.IndexNets(classes.intervals(8), sample_on(list(range(8))), Fraction(1, 4))


def test_few_states_in_any_order_of_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a line a state is the length of the run of points that were left out last.
    monkeypatch.setattr(nets, "MAX_STATES", 5)
    points = [7 * x % 40 for x in range(40)]
    counted = nets.IndexNets(classes.thresholds(40), sample_on(points), Fraction(1, 10))
    assert counted.failure(20) == nets.threshold_net_failure(40, 20, "1/10")


def test_bad_input() -> None:
    H, S = classes.thresholds(3), sample_on([0, 1])
    refuses(r"^alpha: got 3/2, want", nets.IndexNets, H, S, Fraction(3, 2))
    with pytest.raises(InvalidInput, match=r"^point: got 7, want one of the 3 points$"):
        nets.IndexNets(H, sample_on([7]), Fraction(1, 2))
    with pytest.raises(InvalidInput, match=r"^size: got 3, want at most 2, the size of the"):
        nets.IndexNets(H, S, Fraction(1, 2)).failure(3)
    with pytest.raises(InvalidInput, match=r"^beta: got 0, want a number above 0"):
        nets.IndexNets(H, S, Fraction(1, 2)).least_size(0)
    refuses(r"^size: got 9, want at most 5", nets.threshold_net_failure, 5, 9, 0)
    refuses(r"^growth: got -1, want", nets.index_net_bound, -1, 5, 2, 0)
    with pytest.raises(InvalidInput, match=r"^alpha: got 0, want a number above 0"):
        nets.drawn_net_bound(2, 5, 0, ghost=1, threshold=1)
    with pytest.raises(InvalidInput, match=r"^threshold: got 2, want at most 1, the ghost's"):
        nets.drawn_net_bound(2, 5, 1, ghost=1, threshold=2)
