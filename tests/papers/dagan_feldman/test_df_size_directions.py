"""Sizes against their formulas on either side of every rounding, and searches that lose nothing."""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import partial
from math import comb, exp, log, sqrt

import pytest

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.papers.dagan_feldman.sample_complexity import (
    asking,
    baseline_sizes,
    lemma_sizes,
    private_prediction_sizes,
    stable_sizes,
)

Coarsely = Callable[..., AbstractContextManager[None]]
BITS = 256
A, B, TENTH = Fraction(3, 11), Fraction(2, 7), Fraction(1, 10)
a, b = float(A), float(B)
CERTIFIED = asking.certified_ceiling
LARGE = 10**30  # a class of so many, of dimension 99
# Growth functions: of one dimension, of a small class, and of a large one.
ONE, TWO, MANY = asking.Growth(1), asking.Growth(1, 2), asking.Growth(99, LARGE)


def pairs_of(patterns: int, z: float) -> float:
    return log(comb(patterns, 2)) - log(min(1, z * 8.839 / (1 - 2 * z)))


def disagreements(patterns: int, z: float, t: float) -> tuple[float, float]:
    """What privacy asks, and what makes n' at most n/2."""
    part = pairs_of(patterns, z) + 0.9 / 24
    return (8.839 * part + 0.9 * t) / (t - 1), 2 * pairs_of(patterns, z) + 0.9 / 12


EPS = Epsilon.exactly(Fraction(3))

# What is asked of n, and the formula in floats; none is near an integer.
FORMULAS: dict[str, tuple[Callable[[], int], float]] = {
    "two sides": (
        lambda: lemma_sizes.two_sided_size(50, A, B, CERTIFIED),
        (sqrt(8 * log(50)) + sqrt(2 * log(4 / b))) ** 2 / a**2,
    ),
    "union of sides": (
        lambda: lemma_sizes._union_of_sides(50, A, B, CERTIFIED),
        (sqrt(2 * log(50)) + sqrt(log(2 / b) / 2)) ** 2 / a**2,
    ),
    "both sides": (
        lambda: lemma_sizes._both_sides(50, A, B, CERTIFIED),
        (sqrt(2 * log(100)) + sqrt(log(1 / b) / 2)) ** 2 / a**2,
    ),
    "finite, two sides": (
        lambda: lemma_sizes._finite_two_sided(50, A, B),
        log(100 / b) / (2 * a**2),
    ),
    "excess by growth": (
        lambda: lemma_sizes.excess_deviation_size(ONE, 40, A, B, CERTIFIED),
        (sqrt(2 * log(41)) + sqrt(2 * log(1 / b))) ** 2 / a**2,
    ),
    "excess by growth, finite": (
        lambda: lemma_sizes.excess_deviation_size(asking.Growth(1, LARGE), 1, A, B, CERTIFIED),
        (sqrt(2 * log(2)) + sqrt(2 * log(1 / b))) ** 2 / a**2,
    ),
    "excess by differences": (
        lambda: lemma_sizes.excess_deviation_size(TWO, 40, A, B, CERTIFIED),
        2 * log(1 / b) / a**2,
    ),
    "excess by hypotheses": (
        lambda: lemma_sizes.excess_deviation_size(MANY, 10**4, A, B, CERTIFIED),
        (sqrt(log(2 * LARGE / b)) + sqrt(log(2 / b))) ** 2 / (2 * a**2),
    ),
    "mean of a block": (
        lambda: baseline_sizes._mean_block_size(ONE, 40, A, CERTIFIED),
        2 * log(41) / a**2,
    ),
    "mean of no block": (
        lambda: baseline_sizes._mean_block_size(ONE, 0, A, CERTIFIED),
        2 * log(2) / a**2,
    ),
    "deviation": (lambda: baseline_sizes._deviation_size(A, B, CERTIFIED), 2 * log(1 / b) / a**2),
    "scan": (
        lambda: baseline_sizes.threshold_scan_size(A, EPS).sample_size,
        12 * log(2 / a) / (a * log(3)),
    ),
    "parts": (lambda: baseline_sizes.disjoint_average_size(A, B, A, 1).blocks, 1 / a),
    "blocks of the paper": (
        lambda: baseline_sizes.aggregation_size(A, B, EPS, 1, constants="paper").blocks,
        2 / (log(3) * a),
    ),
    "votes of the paper": (
        lambda: stable_sizes.paper_votes(A, EPS, CERTIFIED),
        4 * (1 + 2**-14) * log(5 / a) / log(3),
    ),
    "votes": (lambda: stable_sizes.sharp_votes(20, EPS, CERTIFIED), 20 / log(3)),
    "selection": (
        lambda: lemma_sizes.selection_size(1 + 2**3, B, A, CERTIFIED),
        # w e**w = 8/e for w near 1.0401
        1.0401 / (log(1 / b) * a),
    ),
    "selection of the paper": (
        lambda: lemma_sizes.paper_selection_size(9, Fraction(3), A, CERTIFIED),
        2 * log(9) / (log(3) * a),
    ),
    "subset": (lambda: stable_sizes.subset_size(ONE, 40, A, CERTIFIED), (1 + log(40)) / a),
    # Differences of thresholds have dimension 2: 1 + C(4, 2) is below 2**3.
    "net of the paper": (
        lambda: lemma_sizes.paper_net_size(1, A, TENTH, CERTIFIED),
        8 / a * (2 * 2 * (1 + log(16 / a)) + log(20)),
    ),
    "net of the paper, seldom": (
        lambda: lemma_sizes.paper_net_size(1, A, Fraction(9, 10), CERTIFIED),
        8 / a * (2 * 2 * (1 + log(16 / a)) + log(2 / 0.249)),
    ),
    "net of a finite class": (
        lambda: lemma_sizes.drawn_net_size(asking.Growth(1, 3), A, TENTH)[0],
        log(30) / -log(1 - a),
    ),
    "disagreements": (
        lambda: private_prediction_sizes._disagreements(ONE, 40, Fraction(1, 100), EPS, CERTIFIED),
        disagreements(41, 0.01, 3)[0],
    ),
    "disagreements, half": (
        lambda: private_prediction_sizes._disagreements(
            ONE, 10**9, Fraction(1, 100), Epsilon.exactly(100), CERTIFIED
        ),
        disagreements(10**9 + 1, 0.01, 100)[1],
    ),
    "disagreements, least": (
        lambda: private_prediction_sizes._disagreements(
            ONE, 2, Fraction(49, 100), Epsilon.exactly(100), CERTIFIED
        ),
        31.5,
    ),
    "disagreements, a large flip": (
        lambda: private_prediction_sizes._disagreements(ONE, 10**6, Fraction(1, 4), EPS, CERTIFIED),
        disagreements(10**6 + 1, 0.25, 3)[0],
    ),
    "private subset": (
        lambda: private_prediction_sizes._subset_size(ONE, 40, Fraction(1, 100), 50),
        pairs_of(41, 0.01) * 39 / 50,
    ),
    "private selection": (
        lambda: private_prediction_sizes._selection_size(9, 1 / A, CERTIFIED),
        1.0401 / a,
    ),
    "stable bound": (
        lambda: lemma_sizes.stable_lower_bound("1/30", B / 3, 5),
        4 * 3 * 30 / (8 * b),
    ),
    "stable bound, one": (
        lambda: lemma_sizes.stable_lower_bound("1/30", B / 3, 1),
        3 * 30 / (8 * b),
    ),
    "private bound by tanh": (
        lambda: lemma_sizes.private_lower_bound("1/100", Epsilon.exactly(20), 8),
        7 * 100 * log(3) / (4 * log(20)),
    ),
    "private bound, one": (
        lambda: lemma_sizes.private_lower_bound("1/100", Epsilon.exactly(20), 1),
        100 * log(3) / (4 * log(20)),
    ),
    "private bound by cosh": (
        lambda: lemma_sizes.private_lower_bound("1/100", Epsilon.exactly(2), 8),
        7 * 100 * 2 * sqrt(2) / (exp(1) * 3 * log(2)),
    ),
    "agnostic bound of d coins": (
        lambda: lemma_sizes.agnostic_lower_bound("1/100", "1/5", 100),
        100 * log(4 / (4 - 0.36)) / -log(1 - (3.2 / 60) ** 2),
    ),
    "agnostic bound of one coin": (
        lambda: lemma_sizes.agnostic_lower_bound("1/100", "1/1000", 1),
        log(250) / -log(1 - 0.0004),
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_size_is_its_formula_rounded_up(name: str) -> None:
    size, formula = FORMULAS[name]
    assert abs(formula - round(formula)) > 1e-3, formula
    assert size() == math.ceil(formula)


def least_fixed_point(formula: Callable[[int], float]) -> int:
    n = 1
    while (needed := math.ceil(formula(n))) > n:
        n = needed
    return n


@pytest.mark.parametrize("beta", ["9/10", "1/1000"])
def test_uniform_convergence_takes_the_better_bound(beta: str) -> None:
    c = float(Fraction(beta))
    union = least_fixed_point(lambda n: (sqrt(2 * log(n + 1)) + sqrt(log(2 / c) / 2)) ** 2 / a**2)
    both = least_fixed_point(
        lambda n: (sqrt(2 * log(2 * n + 2)) + sqrt(log(1 / c) / 2)) ** 2 / a**2
    )
    assert union != both
    found = lemma_sizes.uniform_convergence_size(A, beta, 1).sample_size
    assert found == min(union, both)


@pytest.mark.parametrize("d", [1, 3])
def test_a_drawn_net_is_the_best_of_double_samples(d: int) -> None:
    def hits(ghost: int, m: int) -> float:
        tau = sum(comb((ghost + 1) * m, i) for i in range(d + 1))
        return math.ceil(log(20 * comb(tau, 2)) / log((ghost + 1) / ghost)) / (ghost * a)

    best = min(least_fixed_point(partial(hits, ghost)) for ghost in lemma_sizes._GHOSTS)
    assert lemma_sizes.drawn_net_size(asking.Growth(d), A, TENTH) == (best, "double sample")
    # A large finite class does not make it larger.
    assert lemma_sizes.drawn_net_size(asking.Growth(d, LARGE), A, TENTH)[0] == best


@pytest.mark.parametrize("tau", [ONE, TWO, MANY, asking.Growth(3), asking.Growth(2, 100)])
@pytest.mark.parametrize("alpha", [A, Fraction(1, 100), Fraction(9, 10)])
def test_the_start_of_a_search_for_a_net_is_below_and_near(
    tau: asking.Growth, alpha: Fraction
) -> None:
    size, _ = lemma_sizes.drawn_net_size(tau, alpha, TENTH)
    start = lemma_sizes.least_drawn_net_size(tau, alpha, TENTH)
    assert start <= size < 3 * start + 10


def test_growth_is_the_least_bound() -> None:
    for m in range(1, 12):
        for d in range(1, 12):
            assert asking.sauer_sum(m, d) == sum(comb(m, i) for i in range(d + 1))
        assert asking.Growth(1, 4)(m) == min(m + 1, 4)
        assert asking.Growth(1, 4, lambda _: 3)(m) == min(m + 1, 3)


def test_quotients_of_logarithms_are_rounded_up() -> None:
    quotient = lemma_sizes._ceiling_of_logs
    # 3 ln 8 / ln 2 = 9, and an integer that is no multiple of the scale.
    assert quotient(Fraction(3), Fraction(8), Fraction(2)) == 9
    assert quotient(Fraction(3, 2), Fraction(81, 16), Fraction(27, 8)) == 2
    for tiny in (Fraction(1, 2**90), -Fraction(1, 2**90)):
        found = quotient(Fraction(3), 8 + tiny, Fraction(2))
        assert found == (10 if tiny > 0 else 9)


# --- indices ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [11, 50, 97, 120])
def test_a_net_of_indices_counts_the_heavy_ones(n: int) -> None:
    heavy = n * A.numerator // A.denominator + 1
    pairs = comb(n + 1, 2)
    enough = [pairs * comb(n - heavy, k) <= TENTH * comb(n, k) for k in range(n + 1)]
    assert lemma_sizes._index_net_size(ONE, n, A, TENTH) == enough.index(True)


def test_a_net_of_indices_is_certified(coarsely: Coarsely) -> None:
    n = 10**4
    exact = lemma_sizes._index_net_size(ONE, n, TENTH, TENTH)
    with coarsely("log"):
        assert lemma_sizes._index_net_size(ONE, n, TENTH, TENTH) > exact


def test_what_a_net_of_indices_may_miss_is_rounded_down(
    monkeypatch: pytest.MonkeyPatch, coarsely: Coarsely
) -> None:
    # A stand-in that makes the logarithm of the failure -20 for most sizes.
    n, heavy = 100, 11
    monkeypatch.setattr(
        lemma_sizes, "_log_factorial", lambda m, _: Interval.exactly(-20 if m == n - heavy else 0)
    )
    for k, enough in ((1, True), (-1, False)):
        allowed = Interval.exp(-20 + k * Fraction(1, 2**40), BITS).lower * comb(n + 1, 2)
        assert (lemma_sizes._index_net_size(ONE, n, TENTH, allowed) < n - heavy) is enough
        with coarsely("log"):
            assert lemma_sizes._index_net_size(ONE, n, TENTH, allowed) == n - heavy + 1


# --- votes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sharpness", [6, 20, 48])
def test_the_loss_of_unanimous_votes_is_an_upper_bound(
    sharpness: int, coarsely: Coarsely, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = 1 / (1 + Interval.exp(sharpness / lemma_sizes.ROUNDING / 2, BITS))
    assert exact < lemma_sizes.vote_loss(sharpness).unanimous < exact * (1 + Fraction(1, 2**15))
    monkeypatch.setattr(lemma_sizes, "_BITS", 64)
    with coarsely("exp"):
        assert exact < lemma_sizes.vote_loss(sharpness).unanimous < exact * (1 + Fraction(1, 2**7))


@pytest.mark.parametrize("sharpness", [6, 8, 20])
def test_a_line_that_is_hardly_above_needs_a_narrow_enclosure(
    sharpness: int, coarsely: Coarsely, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = (1 / (1 + Interval.exp(Fraction(sharpness, 2), BITS))).upper
    low, high = Fraction(1, 2), Fraction(2)
    for _ in range(40):
        middle = (low + high) / 2
        above = lemma_sizes._is_above(start, middle, Fraction(sharpness))
        low, high = (low, middle) if above else (middle, high)
    assert start + high / 2 > Fraction(1, 2)
    assert 4 * high < sharpness
    monkeypatch.setattr(lemma_sizes, "_BITS", 64)
    assert lemma_sizes._is_above(start, high * Fraction(1000001, 10**6), Fraction(sharpness))
    for function in ("sqrt", "log"):
        with coarsely(function):
            assert not lemma_sizes._is_above(
                start, high * Fraction(1000001, 10**6), Fraction(sharpness)
            )


def test_realizable_sizes_are_the_least_of_those_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    best = stable_sizes.realizable_private_size(A, TENTH, 1, 1)
    monkeypatch.setattr(asking, "nearly_least", sorted)
    assert stable_sizes.realizable_private_size(A, TENTH, 1, 1) == best


def test_one_hypothesis_needs_one_example() -> None:
    assert lemma_sizes.exponential_mechanism_size(A, 1, 1).sample_size == 1
    assert lemma_sizes.exponential_mechanism_size(A, 1, 1000).sample_size > 1


def test_the_printed_part_of_theorem_3_is_certified(coarsely: Coarsely) -> None:
    for epsilon in (Epsilon(1), Epsilon("1/10"), Epsilon(7)):
        with coarsely("exp"):
            part = private_prediction_sizes._paper_part(epsilon)
        factor = Interval.exp(3 * part, BITS) * (1 + Fraction(16138, 10) * part / (1 - part))
        assert factor < epsilon.ratio < factor * 2


def test_the_printed_parts_of_theorem_3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        lemma_sizes, "paper_net_size", lambda _d, alpha, _b, _c: math.ceil(1 / alpha)
    )
    # The vote decides for few candidates, the selection for many.
    vote, asked = math.ceil(19 * (4 * (1 + 2**-14) * log(5 / a) + 0.5)), set[int]()
    for tau, n in ((ONE, 100), (asking.Growth(10), 10**9)):
        parts = private_prediction_sizes._paper_parts(tau, n, A, TENTH, CERTIFIED)
        assert parts.block == 19
        assert parts.inverse_eta == max(vote, math.ceil(log(tau(n)) / a))
        assert parts.subset == 1 + parts.inverse_eta
        asked.add(parts.inverse_eta)
    assert vote == min(asked) < max(asked)


def test_a_dimension_that_is_not_counted_is_the_integer_below_its_bound() -> None:
    # 9.1 d, for the least d of which it is used.
    assert 91 * 20_001 == 10 * 182_009 + 1
    assert asking.difference_dimension(20_001) == 182_009
