"""Theorem 38: the printed value fails for odd n, and two repairs hold."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st

from pac_stability import arithmetic, data, notions, testing
from pac_stability.papers.cummings_et_al.separations import StrangeNormal, StrangeOrder
from shared_refusals import refuses

POWER = data.FiniteDistribution[int].power


def exact_beta(n: int) -> Fraction:
    """The smallest beta over all p, from the definition, over ordered samples."""
    found = notions.two_point_generalization.beta_over_two_points(
        StrangeNormal(n).mechanism.law, [0, 1], n, arithmetic.Epsilon(0), samples=POWER
    ).value
    assert isinstance(found, Fraction)
    return found


@pytest.mark.parametrize("n", range(2, 8))
def test_the_closed_form_is_the_optimum_over_distributions_and_simulators(n: int) -> None:
    assert StrangeNormal(n).beta == exact_beta(n)


def test_one_draw_needs_the_likelier_output_as_simulator() -> None:
    # p = 1 - Pr[Strange]: saying "Normal" fails always at p = 0, the likelier output half the time.
    assert StrangeNormal(1).strange_mass == 1
    assert StrangeNormal(1).beta == exact_beta(1) == Fraction(1, 2) == StrangeNormal(1).printed


def test_the_printed_value_fails_for_odd_n() -> None:
    # (a/n)^a (b/n)^b: 1 * 4 / 27, 4 * 27 / 3125, 27 * 256 / 823543.
    for n, exact in ((3, Fraction(4, 27)), (5, Fraction(108, 3125)), (7, Fraction(6912, 823543))):
        construction = StrangeNormal(n)
        assert construction.beta == exact > construction.printed == Fraction(1, 2**n)
        samples = construction.worst.power(n)
        for epsilon in (arithmetic.Epsilon(0), arithmetic.Epsilon(20)):
            found = notions.perfect_generalization.minimal_beta(
                construction.mechanism.law, samples, epsilon
            )
            assert found.lower == found.upper == exact


@pytest.mark.parametrize("n", range(2, 41))
def test_the_printed_value_is_right_for_even_n_alone(n: int) -> None:
    construction = StrangeNormal(n)
    assert (construction.beta == construction.printed) == (n % 2 == 0)
    assert construction.beta >= construction.printed


@given(st.integers(1, 9), testing.strategies.probabilities(60))
def test_no_bit_makes_the_strange_sample_likelier(n: int, p: Fraction) -> None:
    strange = StrangeNormal(n)
    a = strange.ones
    assert p**a * (1 - p) ** (n - a) <= strange.strange_mass


@pytest.mark.parametrize("n", range(1, 7))
def test_exactly_one_ordered_sample_is_strange(n: int) -> None:
    mechanism = StrangeNormal(n).mechanism
    strange = [x for x in product([0, 1], repeat=n) if mechanism.run(x) == "Strange"]
    assert strange == [mechanism.sequence] == [(1,) * (n // 2) + (0,) * (n - n // 2)]


@pytest.mark.parametrize("construction", [*map(StrangeNormal, range(1, 8)), StrangeOrder(4)])
def test_it_is_not_private_with_any_parameters(construction: StrangeNormal | StrangeOrder) -> None:
    one, other = construction.mechanism.neighbours
    assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
    law = construction.mechanism.law
    assert notions.closeness.minimal_delta(law(one), law(other), arithmetic.Epsilon(500)) == 1


@given(st.fractions(Fraction(1, 10**6), Fraction(99, 100)))
def test_the_least_size_is_least_and_lasts(beta: Fraction) -> None:
    n = StrangeNormal.least_size(beta)
    assert all(StrangeNormal(k).beta <= beta for k in range(n, n + 6))
    assert n == 1 or StrangeNormal(n - 1).beta > beta


@pytest.mark.parametrize("n", [2, 3, 4])
def test_another_domain_keeps_the_printed_bound(n: int) -> None:
    construction = StrangeOrder(n)
    law, worst = construction.mechanism.law, construction.worst
    found = notions.perfect_generalization.minimal_beta(law, worst.power(n), arithmetic.Epsilon(3))
    assert found.lower == found.upper == construction.beta == Fraction(1, n**n)
    assert construction.beta <= Fraction(1, 2**n)


@given(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any))
def test_no_distribution_makes_that_sequence_likelier(weights: list[int]) -> None:
    total = sum(weights)
    law = data.FiniteDistribution({x + 1: Fraction(w, total) for x, w in enumerate(weights)})
    strange = law.power(3).expectation(lambda x: int(StrangeOrder(3).mechanism.run(x) == "Strange"))
    assert strange <= StrangeOrder(3).beta


def test_bad_input_is_refused() -> None:
    refuses("n: got 0", StrangeNormal, 0)
    refuses("n: got 1", StrangeOrder, 1)
    refuses("beta: got 0", StrangeNormal.least_size, 0)
    refuses(r"x: .*want 2 elements", StrangeNormal(2).mechanism.law, (0, 1, 1))
