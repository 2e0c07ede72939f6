"""Roundings of one side, with so few bits that the side shows."""

import itertools
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from pac_stability import Interval, Sample
from pac_stability.classes import FiniteClass, Thresholds
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.dagan_feldman import (
    additive_paths,
    additive_sums,
    cited_lower_bounds,
    lower_bound,
    private_prediction,
    selection,
    stable,
)
from pac_stability.papers.dagan_feldman.baselines import LaplaceAggregation
from pac_stability.papers.dagan_feldman.nets import deviation_bound
from pac_stability.papers.dagan_feldman.sample_complexity import asking

Coarsely = Callable[..., AbstractContextManager[None]]
BITS = 256


def test_the_sum_of_the_walk_is_scaled_down() -> None:
    # (2**62 + 1) times 2**64 + 3, and 2**62 times 3: in units of 2**-62, with 2 missed.
    sums = np.array([1, 0], dtype=np.uint64), np.array([3, 3], dtype=np.uint64)
    walk = SimpleNamespace(sums=sums)
    rows, mantissas = (0, 1), (2**62 + 1, 2**62)
    prepared = selection.PreparedWalk(walk, rows, mantissas, 2)  # type: ignore[arg-type]  # a stand-in
    # The first is 2**64 + 3 + 4 + 3 / 2**62, rounded down.
    assert prepared.lower_bounds() == (2**64 + 5, 1)


def test_a_point_that_counts_as_always_hit_is_as_rare_as_that() -> None:
    n = 10**6
    for copies, size in itertools.product((1, 7, 50, 300, 999), (100, 5000, 20_000, 100_000)):
        rarity = selection._rarity(copies, size, n)
        assert 100 * n * rarity <= 144 * copies * size < 100 * n * (rarity + 1)
        if copies * size < 40 * n:
            assert Interval.log(1 - Fraction(copies, n)) * size < -rarity * Interval.log(2)


def test_the_rarity_is_not_rounded_up() -> None:
    # (1 - c/n)**n' is 2**-2.886, so not below 2**-3.
    assert selection._rarity(20, 10**5, 10**6) == 2
    assert Interval.log(1 - Fraction(20, 10**6)) * 10**5 > -3 * Interval.log(2)


@pytest.mark.parametrize("guard", [1, 2, 3])
def test_chances_are_lower_bounds_with_any_number_of_guard_bits(
    monkeypatch: pytest.MonkeyPatch, guard: int
) -> None:
    monkeypatch.setattr(selection, "_PRECISION", guard)
    bits, most_lost = 6, 0
    for total in range(1, 9):
        for marked, draws in itertools.product(range(total + 1), repeat=2):
            first, chances = selection._hypergeometric(total, marked, draws, bits)
            assert all(chances)
            for t, chance in enumerate(chances, first):
                ways = math.comb(marked, t) * math.comb(total - marked, draws - t)
                exact = Fraction(ways << bits, math.comb(total, draws))
                assert chance <= exact
                most_lost = max(most_lost, math.ceil(exact) - chance)
    assert most_lost <= 8  # each step loses less than one of some


def test_powers_are_enclosed_with_few_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "_PRECISION", 7)
    monkeypatch.setattr(selection, "_MANTISSA", 5)
    for a, b, k in itertools.product(range(1, 25), range(1, 25), range(8)):
        if a <= b:
            lower, upper, exponent = selection._power.__wrapped__(Fraction(a, b), k)
            unit = Fraction(2) ** exponent
            assert lower * unit <= Fraction(a, b) ** k <= upper * unit, (a, b, k)
            assert lower.bit_length() == 5


def test_the_base_of_a_power_is_enclosed() -> None:
    # One bit of precision: 2/3 of 2**3 is 5.33, between 5 and 6.
    x = selection._cut((21, 22, -5), 3)
    assert x == (5, 6, -3)
    assert selection._cut((5, 6, -3), 3) == x


@pytest.mark.parametrize("bits", [53, 54, 128])
def test_scaled_numbers_are_lower_bounds(monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    monkeypatch.setattr(additive_paths, "_BITS", bits)
    for start in (Fraction(1, 3), Fraction(2, 3), Fraction(1, 7), Fraction(10**30 + 1, 3)):
        powers = additive_paths.scaled_powers(Fraction(2, 3), 4, start)
        for k, (mantissa, exponent) in enumerate(zip(*powers, strict=True)):
            held = Fraction(float(mantissa)) * Fraction(2) ** int(exponent)
            exact = start * Fraction(2, 3) ** k
            assert held <= exact <= held * (1 + Fraction(8, 2**53))


@pytest.mark.parametrize("k", range(1, 30))
def test_a_double_below_is_the_largest(k: int) -> None:
    for number in (Fraction(k, 7), Fraction(k, 10), Fraction(-k, 3), Fraction(k, 8)):
        below = additive_paths.float_below(number)
        assert Fraction(below) <= number < Fraction(math.nextafter(below, math.inf))


def test_gauss_weights_sum_to_no_more_than_the_terms_they_stand_for() -> None:
    rule = additive_sums.gauss_rule()
    terms = 1 / (1 - 1 / additive_sums.RATIO)
    assert terms - Fraction(1, 2**60) < sum(rule.weights) < terms


def test_the_excess_of_the_reciprocal_is_a_bound_on_its_formula() -> None:
    pi = Fraction("3.14159265358979323846264338327950288419716939937510")
    step = Interval.log(additive_sums.RATIO, BITS)
    z = Fraction(2) * pi**2 / step
    first = Interval.sqrt(2 * z / (Interval.exp(z, BITS) - 1), BITS)
    bound = first * 2 * (1 + Fraction(1, 1000))
    assert bound < additive_sums.excess() < bound * (1 + Fraction(1, 10**6))
    assert Fraction(additive_sums.step_below()) < step


def test_a_unit_is_left_for_products_too_small_for_a_double(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    units = np.array([7 / 2, 1025 / 4, 1 / 2])

    def sums(*_: object) -> SimpleNamespace:
        return SimpleNamespace(probabilities=lambda: (units / 2**60, 0))

    monkeypatch.setattr(additive_sums, "Sums", sums)
    chosen = additive_sums.additive_selection(
        Thresholds(), Sample([0, 1], [0, 1]), 1, Fraction(1, 2)
    )
    for lower, computed in zip(chosen.lowers.tolist(), units.tolist(), strict=True):
        scaled = Fraction(computed) / (1 + additive_sums.excess())
        assert scaled - 2 < lower <= max(scaled - 1, 0)


def test_long_powers_are_rounded_up() -> None:
    base, exponent = Fraction(2**300 + 1, 2**300), 4000
    exact = base**exponent
    rounded = private_prediction._power(base, exponent)
    assert rounded != exact
    assert exact < rounded < exact * (1 + Fraction(1, 2**50))


@pytest.mark.parametrize(("bits", "seen", "sizes"), [
    *itertools.product((10, 40), (Fraction(1, 10), Fraction(3, 5)), [(1, 2, 5, 9)]),
    # (8/9)**21 is hardly above 1/2**4, and (3/4)**29 hardly below 1/2**12, so that it is the
    # later roundings that count.
    (4, Fraction(1, 9), (21,)),
    (12, Fraction(1, 4), (29,)),
])  # fmt: skip
def test_the_truncated_bound_is_compared_from_both_sides(
    monkeypatch: pytest.MonkeyPatch, bits: int, seen: Fraction, sizes: tuple[int, ...]
) -> None:
    monkeypatch.setattr(lower_bound, "_EXACTLY", 0)
    monkeypatch.setattr(lower_bound, "_BITS", bits)
    slopes = Fraction(1), Fraction(2, 3), Fraction(3, 10), Fraction(1, 20)
    for n, slope in itertools.product(sizes, slopes):
        mean = Fraction(0)
        for k in range(n + 1):
            drawn = math.comb(n, k) * seen**k * (1 - seen) ** (n - k)
            mean += drawn * max(1 - slope * k, Fraction(0))
        for side in (-1, 0, 1):
            allowed = mean / 2 * (1 + side * Fraction(1, 2**60))
            assert lower_bound._is_above(Fraction(1), seen, slope, n, allowed) == (side < 0)


def test_a_certified_ceiling_waits_until_both_ends_have_the_same() -> None:
    astride = Interval(Fraction(5, 2), Fraction(7, 2))
    asked: list[int] = []

    def narrowing(then: Interval) -> asking.Formula:
        def formula(functions: object) -> Interval:
            bits = functions.bits  # type: ignore[attr-defined]  # those of intervals
            asked.append(bits)
            return astride if bits == 96 else then

        return formula  # type: ignore[return-value]  # it is asked for intervals alone

    below, above = Interval.exactly(Fraction(11, 4)), Interval.exactly(Fraction(13, 4))
    assert asking.certified_ceiling(narrowing(below)) == 3
    assert asking.certified_ceiling(narrowing(above)) == 4
    assert asked == [96, 192] * 2
    asked.clear()
    # An integer is never told from what is above it: the safe answer, at the last precision.
    assert asking.certified_ceiling(narrowing(astride)) == 4
    assert asked == [96, 192, 384, 768, 1536]


@pytest.mark.parametrize("bits", [8, 16, 24])
def test_the_root_of_an_excess_is_enclosed_for_both_ends(coarsely: Coarsely, bits: int) -> None:
    for k in range(-3, 15):
        right = Interval(Fraction(k, 4), Fraction(k, 4) + Fraction(k % 3, 100))
        with coarsely("log"):
            found = stable._root(right, bits)
        assert found.lower + Interval.log(found.lower, BITS) < right.lower
        assert found.upper + Interval.log(found.upper, BITS) > right.upper


def test_the_root_is_enclosed_where_its_function_is_bent(coarsely: Coarsely) -> None:
    # w + ln w is 1 at 1, at most 7/8 at 15/16, and less than 9/8 at 17/16, if by 1/530 only.
    right, w = Interval(Fraction(7, 8), Fraction(9, 8)), Fraction(17, 16)
    assert right.upper - Fraction(1, 500) < w + Interval.log(w, BITS) < right.upper
    with coarsely("log"):
        assert (w + Interval.log(w, 8 + stable._GUARD)).upper > right.upper
        wide = stable._root(right, 8)
    for found in (stable._root(right, 8), wide):
        assert found.upper + Interval.log(found.upper, BITS) >= right.upper
        assert found.lower + Interval.log(found.lower, BITS) <= right.lower


@pytest.mark.parametrize("guard", [1, 8])
def test_scaled_least_errors_are_lower_bounds(monkeypatch: pytest.MonkeyPatch, guard: int) -> None:
    monkeypatch.setattr(cited_lower_bounds, "_GUARD", guard)
    scale = 2**10
    for factor, delta in itertools.product(
        (Fraction(4, 3), Fraction(7, 5), Fraction(3)),
        (Fraction(0), Fraction(1, 1000), Fraction(1, 30)),
    ):
        # err(0), err(1), and from err(N) to err(N + 2).
        exact = [Fraction(1, 2), (1 - delta) / (1 + factor)]
        errors = cited_lower_bounds._rounded_errors(factor, delta, scale)
        for error in errors:
            assert 0 < error <= scale * exact[0]
            exact = [exact[1], max(exact[0] - delta, Fraction(0)) / factor]


@pytest.mark.parametrize("alpha", ["1/5", "1030/10000", "11/100"])
def test_the_bound_on_a_deviation_is_enclosed(alpha: str, coarsely: Coarsely) -> None:
    # sqrt(2 ln 200 / 1000) is 0.10294, so that a wide enclosure does not tell it from 0.103.
    exact = deviation_bound(100, 1000, alpha, bits=BITS)
    with coarsely("log"):
        found = deviation_bound(100, 1000, alpha)
    assert found.lower <= exact.lower <= exact.upper <= found.upper


def test_an_aggregation_promises_no_less_than_the_exact_factor(coarsely: Coarsely) -> None:
    learner = LaplaceAggregation(FiniteClass([[0], [1]]), 3, 1)
    exact = learner.vote.factor(3, BITS)
    with coarsely():
        (promised,) = learner.promises(3).values()
    assert isinstance(promised, PrivacyGuarantee)
    assert exact.upper < promised.epsilon.ratio < exact.lower * Fraction(11, 10)
