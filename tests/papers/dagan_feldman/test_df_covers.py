"""Greedy covers against their definition, and the transfer of closeness against enumeration."""

from fractions import Fraction
from itertools import combinations

from hypothesis import given, settings

from pac_stability import Interval, classes, data, dimensions, testing
from pac_stability.papers.dagan_feldman import nets
from shared_refusals import refuses


def apart(h: classes.Hypothesis, g: classes.Hypothesis, points: list[int]) -> int:
    return sum(h(x) != g(x) for x in points)


QUESTIONS = testing.strategies.classes_with_samples(max_points=6, max_hypotheses=12, max_size=8)


@given(QUESTIONS, testing.strategies.probabilities(8))
def test_covers_and_separated(
    question: tuple[classes.FiniteClass, data.Sample[int]], alpha: Fraction
) -> None:
    H, points = question[0], list(question[1].points)
    cover = nets.greedy_cover(H, points, alpha)
    limit = alpha * len(points)
    assert all(any(apart(h, g, points) <= limit for g in cover) for h in H)
    assert all(apart(h, g, points) > limit for h, g in combinations(cover, 2))
    assert cover == nets.greedy_cover(H, sorted(points, reverse=True), alpha)


def test_the_order_of_the_points_does_not_matter_for_families() -> None:
    points = [3, 1, 2, 2, 0]
    covers = [
        nets.greedy_cover(classes.Intervals(), order, "1/5") for order in (points, points[::-1])
    ]
    assert covers[0] == covers[1]
    assert len(covers[0]) > 2


@given(QUESTIONS, testing.strategies.probabilities(8).filter(bool))
def test_size(question: tuple[classes.FiniteClass, data.Sample[int]], alpha: Fraction) -> None:
    H, S = question
    bound = nets.cover_size_bound(dimensions.vc_dimension(H), alpha)
    assert len(nets.greedy_cover(H, S.points, alpha)) <= bound.lower


def test_without_slack_it_is_the_restricted_class() -> None:
    H = classes.intervals(5)
    points = [4, 0, 2]
    assert nets.greedy_cover(H, points, 0) == H.representatives_on(points)


def test_close_to_an_earlier_member_and_far_from_the_last() -> None:
    H = classes.FiniteClass([[0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1]])
    assert nets.greedy_cover(H, range(4), Fraction(1, 4)) == (H[0], H[1])


def test_covers_of_families() -> None:
    assert len(nets.greedy_cover(classes.Thresholds(), [i / 8 for i in range(80)], "1/10")) == 9


def test_size_bound_encloses_its_formula() -> None:
    # e (d + 1) (2e / alpha)^d for d = 2, alpha = 1/2: 48 e^3.
    assert Interval.exp(3).lower * 48 in nets.cover_size_bound(2, "1/2", bits=40)
    assert nets.cover_size_bound(0, 1).compare(Fraction(27182818, 10**7)) == 1


@settings(max_examples=50)
@given(QUESTIONS, testing.strategies.probabilities(8))
def test_transfer(question: tuple[classes.FiniteClass, data.Sample[int]], alpha: Fraction) -> None:
    H, points = question[0], question[1].points
    n, growth = len(points), len(H.restrict(points))
    far = [
        apart
        for h, g in combinations(H.table.tolist(), 2)
        if len(apart := {i for i, x in enumerate(points) if h[x] != g[x]}) > 2 * alpha * n
    ]
    for size in range(n + 1):
        subsets = [set(subset) for subset in combinations(range(n), size)]
        bad = sum(any(len(seen & part) <= alpha * size for seen in far) for part in subsets)
        bound = nets.cover_transfer_bound(growth, n, size, alpha)
        assert Fraction(bad, len(subsets)) <= bound


def test_transfer_is_exact_for_two_hypotheses() -> None:
    # 5 of 9 points differ, more than 2 alpha n = 4; no difference among 4 drawn: C(4, 4)/C(9, 4),
    # and at alpha n' = 8/9 none is allowed to show.
    assert nets.cover_transfer_bound(2, 9, 4, Fraction(2, 9)) == Fraction(1, 126)


def test_closed_form_of_the_transfer() -> None:
    for alpha in (Fraction(1, 20), Fraction(1, 5), Fraction(2, 5)):
        for beta in (Fraction(1, 2), Fraction(1, 100)):
            n = 800
            size = 4 * (2 * Interval.log(n + 1) + Interval.log(1 / (2 * beta))) / alpha
            n_prime = -(-size.upper.numerator // size.upper.denominator)
            if n_prime <= n:
                assert nets.cover_transfer_bound(n + 1, n, n_prime, alpha) <= beta


def test_bad_input() -> None:
    H = classes.thresholds(3)
    refuses(r"^alpha: got 2, want", nets.greedy_cover, H, [0], 2)
    refuses(r"^alpha: got 0, want a number above 0", nets.cover_size_bound, 1, 0)
    refuses(r"^d: got -1, want", nets.cover_size_bound, -1, 1)
    refuses(r"^size: got 4, want at most 3", nets.cover_transfer_bound, 2, 3, 4, 0)
