"""Sizes of the lemmas against exact failure probabilities, worst cases and counterexamples."""

import itertools
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import FiniteDistribution, Sample, arithmetic, classes, mechanisms
from pac_stability.papers.dagan_feldman import sample_complexity
from pac_stability.papers.dagan_feldman.nets import (
    DrawnNets,
    IndexNets,
    deviation_bound,
    index_net_bound,
    threshold_net_failure,
)
from pac_stability.papers.dagan_feldman.sample_complexity import asking, lemma_sizes

decays = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(999999, 10**6)).filter(
    lambda decay: 0 < decay < 1
)


def test_ceilings_are_exact_where_floats_are_not() -> None:
    def just_above(real: asking.Reals[asking.R]) -> asking.R:
        # sqrt(n**2 + 1) is a little above n = 10**12, by 5e-13.
        return real.sqrt(real.exactly(10**24 + 1))

    def an_integer(real: asking.Reals[asking.R]) -> asking.R:
        return real.exactly(7)

    assert asking.certified_ceiling(just_above) == 10**12 + 1
    assert asking.certified_ceiling(an_integer) == 7


def test_the_least_fixed_point_is_the_least_one() -> None:
    # 9 satisfies its condition, 10 to 12 do not: bisection from 16 would miss it.
    asked = {10: 13, 11: 13, 12: 13}

    def conditions(_: None, n: int, __: object) -> list[tuple[str, int]]:
        return [("only", 9 if n < 10 else asked.get(n, 13))]

    assert asking.fixed_point(conditions, None) == 9
    assert asking.fixed_point(conditions, None, start=10) == 13


@given(decays, decays)
def test_short_decays_are_monotone_and_what_a_mechanism_spends(
    one: Fraction, two: Fraction
) -> None:
    low, high = sorted((one, two))
    short = asking.rounded_up_decay(low)
    assert low <= short <= asking.rounded_up_decay(high) < 1
    assert short - low <= min(low, 1 - low) * Fraction(1, 1 << 15)
    assert mechanisms.decay_for(arithmetic.Epsilon.exactly(short**-2)) == short


@pytest.mark.parametrize("d", [1, 2, 3, 10])
def test_differences_cannot_shatter_more_points(d: int) -> None:
    m = asking.difference_dimension(d) + 1
    assert 1 + math.comb(sum(math.comb(m, i) for i in range(d + 1)), 2) < 2**m
    assert [asking.sauer_sum(k, d) for k in range(6)] == [
        sum(math.comb(k, i) for i in range(d + 1)) for k in range(6)
    ]


def test_the_differences_of_large_classes_are_counted_in_time() -> None:
    def shattered(m: int, d: int) -> bool:
        patterns = 1 + math.comb(sum(math.comb(m, i) for i in range(d + 1)), 2)
        return patterns >= 1 << m

    # From the definition: the first m that fails, step by step or on both sides.
    for d in range(40):
        assert asking.difference_dimension(d) == next(
            m for m in itertools.count(d) if not shattered(m + 1, d)
        )
    found = asking.difference_dimension(600)
    assert shattered(found, 600)
    assert not shattered(found + 1, 600)
    assert asking.difference_dimension(9999) == 90852


def test_the_differences_of_huge_classes_are_bounded() -> None:
    # tau_m <= (m/d)^d (m/(m-d))^(m-d), so for m = 91 k, d = 10 k: tau_m^2 < 2^m.
    assert Fraction(91, 10) ** 20 * Fraction(91, 81) ** 162 < 2**91
    assert asking.difference_dimension(20_001) == 91 * 20_001 // 10
    assert asking.difference_dimension(2000) <= 91 * 200
    assert asking.difference_dimension(10**12) == 91 * 10**11


@pytest.mark.parametrize(("n", "alpha", "beta"), [(2000, "1/10", "1/10"), (500, "1/7", "1/1000")])
def test_nets_of_indices_are_the_least_that_the_bound_allows(n: int, alpha: str, beta: str) -> None:
    size = sample_complexity.net_size(alpha, beta, 1, population=n)
    assert size.binding == "indices"
    assert index_net_bound(n + 1, n, size.subset_size, alpha) <= Fraction(beta)
    assert index_net_bound(n + 1, n, size.subset_size - 1, alpha) > Fraction(beta)
    exact = sample_complexity.threshold_net_size(alpha, beta, n).subset_size
    assert exact <= size.subset_size
    assert threshold_net_failure(n, exact, alpha) <= Fraction(beta)
    assert threshold_net_failure(n, exact - 1, alpha) > Fraction(beta)


def test_nets_of_many_indices_use_certified_factorials() -> None:
    # 0.001 * 10**5 + 1 = 101 indices are heavy; the exact products of the bound, in integers.
    n, heavy = 10**5, 101
    size = sample_complexity.net_size("1/1000", "1/100", 1, population=n).subset_size

    def failure(m: int) -> Fraction:
        missed = Fraction(1)
        for i in range(heavy):
            missed *= Fraction(n - m - i, n - i)
        return math.comb(n + 1, 2) * missed

    assert failure(size) <= Fraction(1, 100) < failure(size - 1)


@settings(max_examples=30)
@given(st.integers(0, 2**20 - 1), st.sampled_from(["1/10", "1/3", "3/5", "9/10"]))
def test_drawn_nets_fail_as_rarely_as_promised(bits: int, alpha: str) -> None:
    table = np.array([[bits >> (4 * row + x) & 1 for x in range(4)] for row in range(5)])
    H = classes.FiniteClass(table.astype(np.uint8))
    if len(H) < 2:
        return
    uniform = FiniteDistribution(dict.fromkeys(H.domain, Fraction(1, 4)))
    # The VC dimension is at most 2, as there are fewer than 8 hypotheses.
    size = sample_complexity.net_size(alpha, "1/5", 2).subset_size
    assert DrawnNets(H, uniform, Fraction(alpha)).failure(size) <= Fraction(1, 5)


def test_lemma_4_needs_more_than_its_formula_as_alpha_tends_to_one() -> None:
    # Sets of at most s points among N, and their complements: whatever 2s points are drawn, two
    # hypotheses agree on them and differ on the N - 2s others. d (= 2s + 1) does not appear in
    # d ln(1/alpha) + ln(1/beta) at alpha = 1.
    for s, points in ((1, 9), (2, 9)):
        rows = [
            [int(x in chosen) ^ flip for x in range(points)]
            for flip in (0, 1)
            for size in range(s + 1)
            for chosen in combinations(range(points), size)
        ]
        H = classes.FiniteClass(np.array(rows, dtype=np.uint8))
        alpha = 1 - Fraction(2 * s, points) - Fraction(1, 100)
        nets = IndexNets(H, Sample(range(points), [0] * points), alpha)
        assert nets.failure(2 * s) == 1
        sharp = sample_complexity.net_size(alpha, "1/2", 2 * s + 1)
        paper = sample_complexity.net_size(alpha, "1/2", 2 * s + 1, constants="paper")
        assert min(sharp.subset_size, paper.subset_size) > 2 * s


@settings(max_examples=60)
@given(st.data())
def test_a_random_subset_loses_what_the_sharp_lemma_says(data: st.DataObject) -> None:
    # E_I max {errors of h against g : h agrees with g on I} <= (n/n') (1 + ln(patterns - 1)).
    n = data.draw(st.integers(2, 6))
    patterns = data.draw(st.sets(st.integers(0, 2**n - 1), min_size=2, max_size=12))
    g = data.draw(st.sampled_from(sorted(patterns)))
    size = data.draw(st.integers(1, n))
    worst = [
        max((h ^ g).bit_count() for h in patterns if not (h ^ g) & sum(1 << i for i in chosen))
        for chosen in combinations(range(n), size)
    ]
    bound = Fraction(n, size) * (1 + arithmetic.Interval.log(len(patterns) - 1))
    assert Fraction(sum(worst), len(worst)) <= bound.upper


@pytest.mark.parametrize("candidates", [2, 3, 10, 1000])
def test_the_exponential_mechanism_is_within_alpha_whatever_the_errors(candidates: int) -> None:
    alpha, epsilon = Fraction(1, 10), "1/2"
    n = sample_complexity.exponential_mechanism_size(alpha, epsilon, candidates).sample_size
    rho = float(mechanisms.decay_for(epsilon))
    # The worst case: all others have the same number of errors k more than the best.
    others = candidates - 1

    def worst(n: int) -> float:
        return max(k * others * rho**k / (1 + others * rho**k) for k in range(n + 1)) / n

    assert worst(n) <= alpha
    assert worst(int(n * 0.9)) > alpha
    assert (
        sample_complexity.exponential_mechanism_size(
            alpha, epsilon, candidates, constants="paper"
        ).sample_size
        >= n
    )


@pytest.mark.parametrize("alpha", ["1/2", "1/10", "1/100"])
@pytest.mark.parametrize("beta", ["9/10", "1/20"])
def test_uniform_convergence_agrees_with_the_failure_bound(alpha: str, beta: str) -> None:
    for d in (1, 4):
        n = sample_complexity.uniform_convergence_size(alpha, beta, d).sample_size
        tau = sum(math.comb(n, i) for i in range(d + 1))
        a, b = float(Fraction(alpha)), float(Fraction(beta))
        union = math.sqrt(2 * math.log(tau) / n) + math.sqrt(math.log(2 / b) / (2 * n))
        assert union <= a * (1 + 1e-12) or deviation_bound(tau, n, alpha).upper <= Fraction(beta)
        assert deviation_bound(tau, n - 1, alpha).lower > Fraction(beta)


@pytest.mark.parametrize("sharpness", lemma_sizes.SHARPNESS)
def test_the_line_is_above_the_loss_of_the_vote(sharpness: int) -> None:
    line = lemma_sizes.vote_loss(sharpness)
    for A in (sharpness * (1 - 2**-15), sharpness * (1 + 1 / 64)):
        excess = max(
            1 / (1 + math.exp(-A * (u / 1000 - 0.5)))
            - float(line.unanimous + line.slope * u / 1000)
            for u in range(1001)
        )
        assert excess <= 1e-12
    # No line much lower would do.
    assert line.slope < 2
    steepest = max(
        (1 / (1 + math.exp(-sharpness * (u / 1000 - 0.5))) - float(line.unanimous)) / (u / 1000)
        for u in range(1, 1001)
    )
    assert line.slope <= steepest + 0.02


def test_a_growth_function_makes_sizes_smaller() -> None:
    # Point functions have m + 1 patterns on m points, less than their Sauer sum for d = 3.
    by_dimension = sample_complexity.net_size("1/10", "1/10", 3).subset_size
    assert sample_complexity.net_size(
        "1/10", "1/10", 3, growth=lambda m: m + 1
    ) == sample_complexity.net_size("1/10", "1/10", 1)
    assert sample_complexity.net_size("1/10", "1/10", 3, class_size=8).subset_size < by_dimension
    assert asking.Growth(3, 8, lambda m: min(m, 5))(100) == 5


def test_the_lower_bound_is_the_one_of_the_theorem_and_of_its_repair() -> None:
    # (d - 1) / (8 gamma alpha)
    assert sample_complexity.stable_lower_bound("1/8", "1/64", 9) == 512
    # Mass c alpha on d - 1 points, with c = 4 (1 - beta) / (1 - 2 beta) = 6: the expected loss is
    # at most (1 - beta) alpha + beta c alpha = (3/4 + 3/2) alpha, and at least
    # (c alpha / 2) (1 - gamma n c alpha / (d - 1)), so n >= (1 - 3/4) 8 / (6 gamma alpha).
    assert sample_complexity.stable_lower_bound("1/8", "1/64", 9, beta="1/4") == math.ceil(
        Fraction(2, 6) * 512
    )
    assert sample_complexity.stable_lower_bound("1/8", "1/64", 1) == 64


def test_the_threshold_scan_is_quoted() -> None:
    n = sample_complexity.threshold_scan_size("1/10", "1/2").sample_size
    assert n - 1 < 12 * math.log(20) / 0.05 <= n
