"""The stricter reading of robust generalization, and the two witnesses that tell them apart."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from hypothesis import given, settings, strategies as st

from pac_stability import FiniteDistribution, testing
from pac_stability.notions.robust_generalization import conditional_failures, optimal_adversary
from pac_stability.notions.split_reading import split_bounds, split_failure
from shared_laws import silent
from shared_refusals import refuses

probabilities = testing.strategies.probabilities()


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 5), probabilities), min_size=1, max_size=6))
def test_the_split_failure_is_a_minimum_over_all_gammas(pairs: list[tuple[int, Fraction]]) -> None:
    total = sum(w for w, _ in pairs)
    failures = [(Fraction(w, total), p) for w, p in pairs]

    def at(gamma: Fraction) -> Fraction:
        return gamma + sum((w for w, p in failures if p > gamma), Fraction())

    found = split_failure(failures)
    assert found in [at(gamma) for gamma in {Fraction(0), *(p for _, p in failures)}]
    assert all(at(Fraction(k, 60)) >= found for k in range(61))
    mean = sum((w * p for w, p in failures), Fraction())
    assert mean <= found
    assert found * found <= 2 * mean


def test_picking_one_of_two_bits_at_random() -> None:
    """p_S is half the number of bits on which both points agree: 0, 1/2, 1 w.p. 1/4, 1/2, 1/4.

    So gamma = 1/2 leaves 1/4: delta = 3/4 against a mean of 1/2. (gamma = 0 leaves 3/4.)
    """
    points = FiniteDistribution.uniform(list(product([0, 1], repeat=2)))
    found = split_bounds(silent, points.power(2), "1/4", mixed=2)
    assert (found.joint, found.lower) == (Fraction(1, 2), Fraction(3, 4))
    shown = conditional_failures(silent, points.power(2), dict(found.adversary), "1/4")
    assert split_failure(shown) == found.lower


def test_picking_one_of_three_bits_at_random() -> None:
    """p_S ~ Bin(3, 1/2) / 3: gamma = 2/3 leaves 1/8, that is 19/24."""
    bits = list(product([0, 1], repeat=3))
    tests = [tuple(b for b in bits if b[i]) for i in range(3)]
    adversary = {"nothing": FiniteDistribution.uniform(tests)}
    samples = FiniteDistribution.uniform(bits).power(2)
    shown = conditional_failures(silent, samples, adversary, "1/4")
    assert split_failure(shown) == Fraction(19, 24)
    assert sum(w * p for w, p in shown) == Fraction(1, 2)


@settings(max_examples=20)
@given(testing.strategies.tables(product([0, 1], repeat=3), range(3)))
def test_deterministic_on_both_sides_is_the_joint_reading(
    output: Callable[[tuple[int, ...]], int],
) -> None:
    samples = FiniteDistribution({0: Fraction(1, 3), 1: Fraction(2, 3)}).power(3)
    table = {s: FiniteDistribution.point_mass(output(s)) for s in samples.support}
    joint = optimal_adversary(table, samples, "1/4").failure
    fixed = split_bounds(table, samples, "1/4", randomised=False)
    assert fixed.lower == fixed.upper == fixed.joint == joint
    free = split_bounds(table, samples, "1/4")
    assert joint <= free.lower <= free.upper <= 1
    assert free.upper == 1 or free.upper**2 >= 2 * joint


def test_bad_input_is_refused_by_name() -> None:
    refuses("failures: got weights of sum 1/2", split_failure, [(Fraction(1, 2), Fraction(1))])
    refuses("weights of sum none", split_failure, [])
    samples = FiniteDistribution.uniform([0, 1]).power(2)
    refuses("mixed: got 0", split_bounds, silent, samples, "1/4", mixed=0)
