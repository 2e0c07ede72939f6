"""Theorem 40: the exact law, privacy and optimum, between the bounds."""

from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, FiniteDistribution, Interval, Multiset, data
from pac_stability.notions import perfect_generalization
from pac_stability.papers.cummings_et_al.separations import NoisyMajority, tail_inequality
from shared_refusals import refuses

FAIR = FiniteDistribution.uniform([0, 1])
ROOTS = st.sampled_from([Fraction(21, 20), Fraction(3, 2), Fraction(4)])


def on_types(mechanism: NoisyMajority) -> Callable[[Multiset[int]], FiniteDistribution[int]]:
    return mechanism.law


@given(st.integers(1, 30), ROOTS)
def test_the_law_is_the_tail_of_laplace_noise(n: int, root: Fraction) -> None:
    mechanism = NoisyMajority(n, Epsilon.exactly(root))
    epsilon = mechanism.epsilon.interval(128)
    for j in range(n + 1):
        # A Laplace variable of scale 1/(n epsilon) exceeds x with probability e^(-n epsilon x)/2
        # for x >= 0, and otherwise with 1 - e^(n epsilon x)/2.
        x = Fraction(1, 2) - Fraction(j, n)
        tail = Interval.exp(-n * epsilon * abs(x), 128) / 2
        one = mechanism.law((1,) * j + (0,) * (n - j)).probability(1)
        assert one in (tail if x >= 0 else 1 - tail)
        assert (tail if x >= 0 else 1 - tail).width < Fraction(1, 2**60)


@pytest.mark.parametrize("n", range(1, 10))
@pytest.mark.parametrize("root", ["21/20", "3/2", "4"])
def test_the_factor_of_privacy_is_exact(n: int, root: str) -> None:
    mechanism = NoisyMajority(n, Epsilon.exactly(root))
    ratios = []
    for j in range(n):
        p, q = mechanism.probability_of_one(j), mechanism.probability_of_one(j + 1)
        ratios += [q / p, p / q, (1 - p) / (1 - q), (1 - q) / (1 - p)]
    assert max(ratios) == mechanism.private_factor <= mechanism.epsilon.ratio
    assert n == 1 or mechanism.private_factor == mechanism.epsilon.ratio


@given(
    st.integers(1, 24),
    ROOTS,
    st.one_of(st.sampled_from([Fraction(0), Fraction(1, 1000)]), st.fractions(0, "49/100")),
)
def test_the_optimum_is_that_of_the_sweep_over_all_laws(
    n: int, root: Fraction, beta: Fraction
) -> None:
    mechanism = NoisyMajority(n, Epsilon.exactly(root))
    best = mechanism.optimum(beta)
    found = perfect_generalization.minimal_epsilon(
        on_types(mechanism), data.multiset_distribution(FAIR, n), beta
    )
    assert found.lower**2 <= best.squared_factor <= found.upper**2
    assert found.upper - found.lower < Fraction(1, 2**90)
    covered = Fraction(sum(comb(n, j) for j in range(best.first, best.last + 1)), 2**n)
    assert covered >= 1 - beta


def test_the_optimum_with_300_draws() -> None:
    mechanism = NoisyMajority(300, Epsilon.exactly("21/20"))
    found = perfect_generalization.minimal_epsilon(
        on_types(mechanism), data.multiset_distribution(FAIR, 300), "1/1000"
    )
    assert found.lower**2 <= mechanism.optimum("1/1000").squared_factor <= found.upper**2


@pytest.mark.parametrize("n", [5, 8, 30])
def test_a_symmetric_window_costs_epsilon_for_each_step_from_the_centre(n: int) -> None:
    mechanism = NoisyMajority(n, Epsilon.exactly("3/2"))
    whole = mechanism.optimum(0)
    assert (whole.first, whole.last) == (0, n)
    assert whole.squared_factor == Fraction(3, 2) ** (2 * n)


@pytest.mark.parametrize("n", [50, 400, 2000])
@pytest.mark.parametrize("beta", [Fraction(1, 20), Fraction(1, 1000), Fraction(1, 10**6)])
def test_the_bounds_are_in_order(n: int, beta: Fraction) -> None:
    row = NoisyMajority(n, Epsilon.exactly("26/25")).tightness(beta)
    assert row.exact < row.theorem_39
    # Theorem 39 is off by a factor between 2 and 4 here.
    assert row.theorem_39 < row.exact * 4
    assert row.theorem_39 > row.exact * 2
    assert (row.repaired is None) == (beta >= Fraction(1, 900))
    assert row.direct is not None
    assert row.direct <= row.exact
    if row.repaired is not None and row.printed is not None:
        assert row.printed < row.repaired
        assert row.repaired * 2 < row.direct


def test_where_the_printed_proof_does_not_apply() -> None:
    # ln(1/(30 sqrt(beta))) is not positive from beta = 1/900 on.
    mechanism = NoisyMajority(1000, Epsilon.exactly("26/25"))
    assert mechanism.tightness("1/900").printed is None
    assert mechanism.tightness("1/901").printed is not None
    # K <= 1/8 needs n >= 4 ln(1/(30 sqrt(beta))): 4 ln(1000/30) = 14.03 for beta = 10^-6.
    beta = Fraction(1, 10**6)
    assert NoisyMajority(14, Epsilon.exactly(2)).tightness(beta).repaired is None
    assert NoisyMajority(15, Epsilon.exactly(2)).tightness(beta).repaired is not None
    # Even where it applies it can be negative, and so say nothing.
    printed = mechanism.tightness("1/2000").printed
    assert printed is not None
    assert printed < 0


def test_the_repaired_bounds_by_their_formula() -> None:
    # n = 100, beta = 10^-4: ln(1/(30/100)) = ln(10/3); K n = sqrt(100 ln(10/3)) / 4.
    row = NoisyMajority(100, Epsilon.exactly("11/10")).tightness("1/10000")
    epsilon = 2 * Interval.log(Fraction(11, 10))
    spread = Interval.sqrt(100 * Interval.log(Fraction(10, 3))) / 4 * epsilon
    assert row.repaired is not None
    assert abs(float(row.repaired) - float(spread) / 2) < 1e-12
    assert row.printed is not None
    assert abs(float(row.printed) - (float(spread) - 1) / 2) < 1e-12
    # ln(1/(15/10^4)) = ln(2000/3) without the half.
    direct = Interval.sqrt(100 * Interval.log(Fraction(2000, 3))) / 4 * epsilon
    assert row.direct is not None
    assert abs(float(row.direct) - float(direct)) < 1e-12


def test_the_tail_inequality_holds() -> None:
    assert all(tail_inequality(n) for n in range(1, 200))


@pytest.mark.parametrize("n", [1, 7, 16, 50])
def test_the_tail_inequality_on_a_fine_grid(n: int) -> None:
    for quarter in range(n // 2 + 1):
        s = Fraction(quarter, 4)
        if 8 * s <= n:
            tail = Fraction(sum(comb(n, j) for j in range(n + 1) if 2 * j >= n + 2 * s), 2**n)
            assert tail >= Interval.exp(-16 * s * s / n) / 15


def test_bad_input_is_refused() -> None:
    mechanism = NoisyMajority(3, Epsilon.exactly(2))
    refuses("root: got a factor of 1", NoisyMajority, 3, Epsilon(0))
    refuses("want an Epsilon", NoisyMajority, 3, 2)  # type: ignore[arg-type]  # on purpose
    refuses("n: got 0", NoisyMajority, 0, Epsilon(1))
    refuses("ones: got 4", mechanism.probability_of_one, 4)
    refuses("sample: ", mechanism.law, (0, 1))
    refuses("beta: got 1/2", mechanism.optimum, "1/2")
    refuses("beta: got 0", mechanism.tightness, 0)
    refuses("n: got 0", tail_inequality, 0)
