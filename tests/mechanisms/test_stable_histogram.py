"""Stable histograms: laws, and the exact (epsilon, delta) over all neighbours."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import cast

import pytest

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, Mechanism, data
from pac_stability.mechanisms import (
    LaplaceHistogram,
    StableHistogram,
    discrete_laplace_pmf,
    discrete_laplace_tail,
)

Law = FiniteDistribution[object]
Delta = Callable[[Law, Law, Fraction], Fraction]
Runs = Callable[[Mechanism[object, object], object], bool]

HALF, TWO_THIRDS = Fraction(1, 2), Fraction(2, 3)
INPUTS = ["", "a", "aa", "aab", "abcb", "aaaabbb"]
SMALL = [
    StableHistogram(HALF, 0, 2),
    StableHistogram(TWO_THIRDS, 1, 3),
    StableHistogram(HALF, 1, 5),
    LaplaceHistogram(HALF, 2),
    LaplaceHistogram(TWO_THIRDS, 4),
]


@pytest.mark.parametrize("histogram", SMALL, ids=repr)
@pytest.mark.parametrize("items", INPUTS)
def test_what_runs_has_the_law(
    runs_as_stated: Runs, histogram: StableHistogram | LaplaceHistogram, items: str
) -> None:
    assert runs_as_stated(cast("Mechanism[object, object]", histogram), items)
    assert histogram.law(items) == histogram.law(items[::-1])


def test_law_of_one_item_is_the_definition() -> None:
    # Three times "a", r = 1/2, noise -1, 0, 1 of weights 1, 2, 1, threshold 3.
    law = StableHistogram(HALF, 1, 3).law("aaa")
    assert law.probability(frozenset()) == Fraction(1, 4)
    assert law.probability(frozenset({("a", 3)})) == Fraction(2, 4)
    assert law.probability(frozenset({("a", 4)})) == Fraction(1, 4)
    # With unbounded noise a count of 5 among 6 is seen as 4 when the noise is -1, and so on.
    law = LaplaceHistogram(HALF, 4).law("aaaaab").condition(lambda seen: "b" not in dict(seen))
    assert law.probability(frozenset({("a", 4)})) == discrete_laplace_pmf(-1, HALF)
    assert law.probability(frozenset({("a", 6)})) == discrete_laplace_tail(1, HALF)
    assert law.probability(frozenset()) == 1 - discrete_laplace_tail(-1, HALF)
    # In a sample of one nothing counts more than once, however much noise is added.
    law = LaplaceHistogram(HALF, 4).law("a")
    assert law.probability(frozenset({("a", 1)})) == discrete_laplace_tail(3, HALF)
    assert law.probability(frozenset()) == 1 - discrete_laplace_tail(3, HALF)


@pytest.mark.parametrize("truncation", range(8))
@pytest.mark.parametrize("decay", [HALF, TWO_THIRDS])
def test_truncated_noise_is_conditioned_noise(
    runs_as_stated: Runs, truncation: int, decay: Fraction
) -> None:
    histogram = StableHistogram(decay, truncation, 9)
    items = "a" * 20
    assert runs_as_stated(cast("Mechanism[object, object]", histogram), items)
    law, noises = histogram.law(items), range(-truncation, truncation + 1)
    inside = sum(discrete_laplace_pmf(z, decay) for z in noises)
    for z in noises:
        conditioned = discrete_laplace_pmf(z, decay) / inside
        assert law.probability(frozenset({("a", 20 + z)})) == conditioned


def two_items(first: int, second: int) -> str:
    return "a" * first + "b" * second


@pytest.mark.parametrize(
    ("histogram", "delta"),
    [
        # d = r^A (1-r) / (1 + r - 2 r^(A+1)), delta = 2d - d^2: d = 1, 1/4, 1/10, 4/29.
        (StableHistogram(HALF, 0, 2), Fraction(1)),
        (StableHistogram(HALF, 1, 3), Fraction(7, 16)),
        (StableHistogram(HALF, 1, 4), Fraction(7, 16)),
        (StableHistogram(HALF, 2, 4), Fraction(19, 100)),
        (StableHistogram(TWO_THIRDS, 2, 4), Fraction(216, 841)),
    ],
    ids=repr,
)
def test_truncated_noise_over_all_neighbours(
    least_delta: Delta, histogram: StableHistogram, delta: Fraction
) -> None:
    most = histogram.certain_count + 1
    laws = {
        counts: histogram.law(two_items(*counts)) for counts in product(range(most + 1), repeat=2)
    }
    worst = max(
        least_delta(p, laws[(first - 1, second + 1)], histogram.guarantee.factor)
        for (first, second), p in laws.items()
        if first and second < most
    )
    assert histogram.guarantee.factor == histogram.decay**-2
    assert worst == histogram.guarantee.delta == delta
    # Where some counts are seen in part only, less is lost.
    low = least_delta(histogram.law("a"), histogram.law("b"), histogram.guarantee.factor)
    assert low == 0


@pytest.mark.parametrize("decay", [HALF, TWO_THIRDS, Fraction(19, 20)])
@pytest.mark.parametrize("threshold", [2, 3, 4])
def test_unbounded_noise_over_all_neighbours(
    least_delta: Delta, decay: Fraction, threshold: int
) -> None:
    histogram = LaplaceHistogram(decay, threshold)
    t = histogram.guarantee.factor
    assert t == decay**-2
    for n in (1, 3):
        laws = {items: histogram.law(items.elements()) for items in data.multisets("abc", n)}
        deltas = {
            least_delta(laws[items], laws[other], t)
            for items in laws
            for other in data.multiset_neighbours(items, "abc")
        }
        assert max(deltas) == histogram.guarantee.delta == decay ** (threshold - 1) / (1 + decay)
    # Both items stay: no delta is needed, but all of epsilon.
    p, q = histogram.law(two_items(4, 4)), histogram.law(two_items(3, 5))
    assert least_delta(p, q, t) == 0 < least_delta(p, q, t * Fraction(99, 100))


@pytest.mark.parametrize("kind", [StableHistogram, LaplaceHistogram])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
@pytest.mark.parametrize("delta", [Fraction(1, 1000), Fraction(1, 10**6), Fraction(1)])
def test_from_privacy_is_safe_and_least(
    kind: type[StableHistogram | LaplaceHistogram], epsilon: float, delta: Fraction
) -> None:
    histogram = kind.from_privacy(epsilon, delta)
    asked = Epsilon(epsilon).ratio
    assert asked - (asked - 1) / 1000 < histogram.guarantee.factor <= asked
    assert histogram.guarantee.delta <= delta
    if isinstance(histogram, StableHistogram):
        assert histogram.threshold == histogram.truncation + 2
        least = histogram.truncation == 0
        smaller = StableHistogram(histogram.decay, max(histogram.truncation - 1, 0), 10**6)
        assert least or smaller.guarantee.delta > delta
    else:
        least = histogram.threshold == 2
        assert least or LaplaceHistogram(
            histogram.decay, histogram.threshold - 1
        ).guarantee.delta > delta  # fmt: skip


def test_from_privacy_at_small_parameters_is_least_to_the_last_bit() -> None:
    histogram = StableHistogram.from_privacy(0.05, Fraction(1, 2**40))
    # What is spent is 2d - d**2, which with d = r**A (1-r) / (1 + r - 2 r**(A+1)) is this.
    r, A = histogram.decay, histogram.truncation
    d = r**A * (1 - r) / (1 + r - 2 * r ** (A + 1))
    exact = 2 * d - d**2
    assert A > 500
    assert exact <= Fraction(1, 2**40) < 2 * r ** (A - 1) * (1 - r) / (1 + r)
    # No enclosure tells these apart: only the exact number does.
    hair = Fraction(1, 2**2000)
    assert StableHistogram.from_privacy(0.05, exact) == histogram
    assert StableHistogram.from_privacy(0.05, exact + hair) == histogram
    assert StableHistogram.from_privacy(0.05, exact - hair).truncation == A + 1
    tail = LaplaceHistogram(r, 100).guarantee.delta
    assert LaplaceHistogram.from_privacy(0.05, tail).threshold == 100
    assert LaplaceHistogram.from_privacy(0.05, tail - hair).threshold == 101


def test_frequent_items_are_listed_surely_and_nearly_right() -> None:
    histogram = StableHistogram(TWO_THIRDS, 2, 4)
    for count in range(1, 9):
        law = histogram.law("x" * count)
        listed = [dict(seen)["x"] for seen in law.support if seen]
        assert all(abs(noisy - count) <= 2 and noisy >= 4 for noisy in listed)
        assert (frozenset() in law.support) == (count < histogram.certain_count)
        assert bool(listed) == (count >= 2)


def test_many_items_in_one_run() -> None:
    histogram = StableHistogram.from_privacy(1.0, Fraction(1, 10**6))
    items = [k for k in range(1, 121) for _ in range(k)]
    released = dict(histogram.run(items))
    assert set(range(histogram.certain_count, 121)) <= set(released) <= set(range(2, 121))
    counts = Counter(items)
    assert all(abs(noisy - counts[k]) <= histogram.truncation for k, noisy in released.items())


@pytest.mark.parametrize(("argument", "make"), [
    ("decay", lambda: StableHistogram(Fraction(1), 1, 3)),
    ("truncation", lambda: StableHistogram(HALF, -1, 3)),
    ("threshold", lambda: StableHistogram(HALF, 2, 3)),
    ("threshold", lambda: LaplaceHistogram(HALF, 1)),
    ("decay", lambda: LaplaceHistogram(cast("Fraction", float("nan")), 2)),
    ("delta", lambda: StableHistogram.from_privacy(1.0, Fraction(0))),
    ("delta", lambda: LaplaceHistogram.from_privacy(1.0, cast("Fraction", float("nan")))),
    ("epsilon", lambda: StableHistogram.from_privacy(0.0, HALF)),
    ("epsilon", lambda: LaplaceHistogram.from_privacy(2.0**-70, HALF)),
])  # fmt: skip
def test_bad_parameters(argument: str, make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument


@pytest.mark.parametrize("items", [3, None, [[1]]])
def test_bad_input(items: object) -> None:
    for histogram in (StableHistogram(HALF, 1, 3), LaplaceHistogram(HALF, 2)):
        for use in (histogram.law, histogram.run):
            with pytest.raises(InvalidInput) as caught:
                use(cast("str", items))
            assert caught.value.argument == "x"


@pytest.mark.parametrize(("epsilon", "is_exact"), [("1/30", True), ("1/100", False)])
def test_a_long_delta_is_rounded_up_by_a_little(epsilon: str, is_exact: bool) -> None:
    histogram = StableHistogram.from_privacy(epsilon, Fraction(1, 10**6))
    r, top = histogram.decay, histogram.decay**histogram.truncation
    one = top * (1 - r) / (1 + r - 2 * r * top)
    exact, found = one * (2 - one), histogram.guarantee.delta
    assert (found == exact) is is_exact
    assert exact <= found <= exact * (1 + Fraction(1, 2**128))


@pytest.mark.parametrize("epsilon", ["4", "1", "1/7", "1/1000"])
@pytest.mark.parametrize(
    "delta", [Fraction(1), Fraction(1, 2), Fraction(1, 10**6), Fraction(1, 10**40)]
)
def test_the_noise_and_the_threshold_are_the_least(epsilon: str, delta: Fraction) -> None:
    stable = StableHistogram.from_privacy(epsilon, delta)
    assert stable.guarantee.delta <= delta
    if stable.truncation:
        less = StableHistogram(stable.decay, stable.truncation - 1, stable.threshold)
        assert less.guarantee.delta > delta
    laplace = LaplaceHistogram.from_privacy(epsilon, delta)
    assert laplace.guarantee.delta <= delta
    if laplace.threshold > 2:
        assert LaplaceHistogram(laplace.decay, laplace.threshold - 1).guarantee.delta > delta
