"""Grids of distributions: the mesh and the bounds against exhaustive search."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteDistribution, InvalidInput
from pac_stability.notions import covering
from pac_stability.notions.two_point import Polynomial, supremum, whole
from pac_stability.testing import strategies
from shared_refusals import refuses

Law = FiniteDistribution[int]


def distance(p: FiniteDistribution[object], q: FiniteDistribution[object]) -> Fraction:
    """Total variation, as the largest gain in probability of an event."""
    gains = (p.probability(o) - q.probability(o) for o in {*p.support, *q.support})
    return sum((gain for gain in gains if gain > 0), Fraction(0))


@pytest.mark.parametrize(("m", "q"), [(1, 3), (2, 4), (3, 3), (4, 2), (3, 1)])
def test_the_grid_has_every_distribution_of_that_denominator_once(m: int, q: int) -> None:
    wanted = {
        FiniteDistribution({k: Fraction(part, q) for k, part in enumerate(parts)})
        for parts in product(range(q + 1), repeat=m)
        if sum(parts) == q
    }
    found = list(covering.grid(range(m), q))
    assert set(found) == wanted
    assert len(found) == len(wanted) == covering.count_grid(m, q)


@pytest.mark.parametrize(
    ("m", "q"), [(1, 2), (2, 1), (2, 3), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2)]
)
def test_the_mesh_is_attained_and_not_exceeded(m: int, q: int) -> None:
    # Among the distributions of denominator m q is one that is farthest from the grid.
    points = list(covering.grid(range(m), q))
    farthest = max(
        min(distance(law, point) for point in points) for law in covering.grid(range(m), m * q)
    )
    assert covering.mesh(m, q) == farthest


@given(st.integers(1, 9), st.fractions(Fraction(1, 40), 2))
def test_the_denominator_is_the_smallest_one_that_suffices(m: int, bound: Fraction) -> None:
    q = covering.denominator_for(m, bound)
    assert covering.mesh(m, q) <= bound
    assert all(covering.mesh(m, smaller) > bound for smaller in range(1, q))


@given(st.integers(1, 4).flatmap(lambda m: strategies.weighted(range(m), 7)), st.integers(1, 5))
def test_nearest_is_nearest(law: Law, q: int) -> None:
    point = covering.nearest(law, q)
    assert all(q % weight.denominator == 0 for _, weight in point.items())
    closest = min(distance(law, other) for other in covering.grid(law.support, q))
    assert distance(law, point) == closest <= covering.mesh(len(law), q)


@given(strategies.weighted(range(3), 7), strategies.weighted(range(3), 7), st.integers(0, 4))
def test_independent_draws_are_no_further_apart_than_the_bound(p: Law, q: Law, n: int) -> None:
    assert distance(p.power(n), q.power(n)) <= covering.power_distance(distance(p, q), n)


@given(strategies.probabilities(9), st.integers(0, 5))
def test_the_bound_on_independent_draws_is_attained(eta: Fraction, n: int) -> None:
    certain, other = FiniteDistribution.point_mass(0), FiniteDistribution({0: 1 - eta, 1: eta})
    assert distance(certain.power(n), other.power(n)) == covering.power_distance(eta, n)


@given(st.lists(strategies.probabilities(5), min_size=1, max_size=5), st.integers(1, 12))
def test_certified_bounds_enclose_the_exact_supremum_and_infimum(
    chances: list[Fraction], q: int
) -> None:
    # The probability of an event decided by the number of ones among n draws, and by a coin.
    n = len(chances) - 1
    polynomial = Polynomial.of_counts(chances)

    def value(law: Law) -> Fraction:
        return sum(
            (
                prod((law.probability(bit) for bit in bits), start=Fraction(1)) * chances[sum(bits)]
                for bits in product((0, 1), repeat=n)
            ),
            Fraction(0),
        )

    def modulus(eta: Fraction) -> Fraction:
        return covering.power_distance(eta, n)

    high = covering.certify_supremum(value, (0, 1), q, modulus)
    low = covering.certify_infimum(value, (0, 1), q, modulus)
    exact_high = supremum(whole([polynomial])).value
    exact_low = supremum(whole([-polynomial])).value
    assert exact_high >= high.lower
    assert exact_high <= high.upper
    assert exact_low >= -low.upper
    assert exact_low <= -low.lower
    assert value(high.attained_by) == high.lower
    assert value(low.attained_by) == low.upper
    slack = 1 - (1 - Fraction(1, 2 * q)) ** n
    assert high.upper - high.lower == low.upper - low.lower == slack
    assert high.grid_points == low.grid_points == q + 1
    assert high.mesh == low.mesh == Fraction(1, 2 * q)


def test_a_relaxed_value_counts_for_the_upper_bound_only() -> None:
    def certain_beyond(limit: Fraction, law: Law) -> Fraction:
        return Fraction(int(law.probability(1) > limit))

    # No probability is larger than 1; but one multiple of 1/2, the last, is larger than 1 - 1/4.
    bounds = covering.certify_supremum(
        lambda law: certain_beyond(Fraction(1), law),
        (0, 1),
        2,
        lambda eta: eta / 2,
        relaxed=lambda law, eta: certain_beyond(1 - eta, law),
    )
    assert (bounds.lower, bounds.upper) == (Fraction(0), 1 + Fraction(1, 8))


def test_a_grid_too_large_says_how_large_and_what_would_do() -> None:
    # C(20 + 7, 7) = 888,030; with at most 1,000 points q = 5: C(12, 7) = 792, C(13, 7) = 1,716.
    def bounds(q: int, limit: int) -> covering.CertifiedBounds[int]:
        return covering.certify_supremum(
            lambda _: Fraction(0), range(8), q, lambda eta: eta, max_grid=limit
        )

    refuses("888030 distributions on 8 elements, want at most 5", bounds, 20, 1000)
    # Eight elements have eight distributions already for q = 1.
    refuses("want max_grid of at least 888030", bounds, 20, 7)
    assert bounds(5, 792).grid_points == 792


def test_bad_input_is_refused() -> None:
    refuses("universe: got no element", covering.grid, "", 2)
    refuses("denominator: got 0", covering.grid, "ab", 0)
    refuses("m: got 0", covering.mesh, 0, 2)
    refuses("distance: got 3/2", covering.power_distance, Fraction(3, 2), 2)
    refuses("distance: got 0", covering.denominator_for, 3, Fraction(0))
    with pytest.raises(InvalidInput, match="value: got the float"):
        covering.certify_supremum(
            lambda law: float(law.probability("a")),  # type: ignore[arg-type,return-value]  # refused
            "ab",
            2,
            lambda eta: eta,
        )
