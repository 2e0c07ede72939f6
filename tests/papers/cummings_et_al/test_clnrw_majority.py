"""Lemma 37: each of its three parts, with the exact numbers."""

import math
from fractions import Fraction
from itertools import product

import pytest

from pac_stability import Epsilon, FiniteDistribution, Interval, Multiset, data
from pac_stability.notions import closeness, perfect_generalization
from pac_stability.notions.two_point_generalization import beta_over_two_points
from pac_stability.papers.cummings_et_al.separations import Majority
from shared_refusals import refuses

FAIR = FiniteDistribution.uniform([0, 1])
HALF = Fraction(1, 2)


@pytest.mark.parametrize("n", range(1, 8))
def test_the_output_is_the_majority_in_either_form_of_a_sample(n: int) -> None:
    mechanism = Majority(n)
    for bits in product([0, 1], repeat=n):
        expected = FiniteDistribution.point_mass(int(2 * sum(bits) > n))
        assert mechanism.law(bits) == mechanism.law(Multiset.of(bits)) == expected
        assert mechanism.run(bits) == int(2 * sum(bits) > n)


@pytest.mark.parametrize("n", range(1, 10))
def test_part_b_neighbours_have_disjoint_laws(n: int) -> None:
    one, other = Majority(n).neighbours
    assert len(one) == len(other) == n
    assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
    laws = Majority(n).law(one), Majority(n).law(other)
    assert closeness.minimal_delta(*laws, Epsilon(100)) == 1


@pytest.mark.parametrize("n", range(1, 12))
def test_part_c_perfect_generalization_starts_at_the_mass_of_the_rarer_output(n: int) -> None:
    mechanism = Majority(n)
    mass = sum(
        (Fraction(1, 2**n) for bits in product([0, 1], repeat=n) if 2 * sum(bits) > n), Fraction()
    )
    assert mechanism.least_mass == mass
    samples = data.multiset_distribution(FAIR, n)
    for delta in ("0", "49/100"):
        for epsilon in (Epsilon(0), Epsilon(50)):
            found = perfect_generalization.minimal_beta(mechanism.law, samples, epsilon, delta)
            assert found.lower == found.upper == mass
    # From delta = 1/2 on, a coin simulates everything.
    assert perfect_generalization.minimal_beta(mechanism.law, samples, Epsilon(0), "1/2").upper == 0
    # The lemma's threshold is true, and below the exact one.
    assert mechanism.stated_beta < mass


def test_part_c_numbers() -> None:
    # n = 6: 1/2 - C(6,3)/2^7 = 1/2 - 20/128. n = 10: 1/2 - 252/2048.
    assert Majority(6).least_mass == Fraction(11, 32)
    assert Majority(10).least_mass == HALF - Fraction(252, 2048)
    assert abs(Majority(100).least_mass - Fraction(46021, 10**5)) < Fraction(1, 10**5)


@pytest.mark.parametrize("n", range(1, 7))
def test_part_c_over_all_distributions_the_threshold_is_one_half(n: int) -> None:
    law = Majority(n).law
    found = beta_over_two_points(law, [0, 1], n, Epsilon(1)).value
    if isinstance(found, Interval):  # at the p that makes both outputs equally likely
        assert HALF in found
    else:
        assert found == HALF


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("gamma", [Fraction(9, 10), HALF, Fraction(1, 10), Fraction(1, 100)])
def test_part_a_the_stated_deviation_fails_at_most_gamma(n: int, gamma: Fraction) -> None:
    deviation = Majority(n).stated_deviation(gamma)
    # Rounded down, it is exceeded more often if anything.
    worst = Majority(n).failure(deviation.lower)
    assert (worst.value.upper if isinstance(worst.value, Interval) else worst.value) <= gamma
    # The failure is really that of the one test there is.
    for k in range(1, 5):
        p = Fraction(k, 5)
        exceeded = sum(
            math.comb(n, j) * p**j * (1 - p) ** (n - j)
            for j in range(n + 1)
            if abs(Fraction(j, n) - p) > deviation.lower
        )
        assert worst.value >= exceeded


def test_bad_input_is_refused() -> None:
    refuses("n: got 0", Majority, 0)
    refuses(r"sample: .*want 3 elements", Majority(3).law, (0, 1))
    refuses("sample: ", Majority(3).law, (0, 1, 2))
    refuses("gamma: got 3", Majority(3).stated_deviation, 3)
    assert Majority(3).stated_deviation(2) == Interval.exactly(0)


@pytest.mark.parametrize("given", [None, 3, "011", {0, 1}, FAIR], ids=repr)
def test_what_is_no_sample_of_bits_is_refused(given: object) -> None:
    refuses("sample: got", Majority(3).law, given)  # type: ignore[arg-type]  # what is tested
    refuses("sample: got", Majority(3).run, given)  # type: ignore[arg-type]  # what is tested
