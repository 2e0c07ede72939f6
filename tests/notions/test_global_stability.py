"""The most frequent output, against sums over all sequences and over many distributions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import FiniteDistribution, Interval, InvalidInput, Sample, testing
from pac_stability.notions import by_type, covering, global_stability, losses

HALF = Fraction(1, 2)


def mechanisms(universe: str) -> st.SearchStrategy[by_type.LawsByType[str, int]]:
    drawn = testing.strategies.mechanisms_on_datasets(
        universe, testing.strategies.weighted(range(3), 3), max_size=3
    )
    return drawn.map(lambda pair: by_type.laws_by_type(pair[1].law, universe, pair[0]))


def eta(laws: by_type.LawsByType[str, int], source: FiniteDistribution[str]) -> Fraction:
    """The largest probability of an output, output by output."""
    return max(
        sum((w * law.probability(output) for w, _, law in laws.weighted(source)), Fraction(0))
        for output in range(3)
    )


@settings(max_examples=40)
@given(mechanisms("abc"))
def test_the_most_frequent_output_is_the_most_frequent(laws: by_type.LawsByType[str, int]) -> None:
    source = FiniteDistribution({"a": HALF, "b": Fraction(1, 3), "c": Fraction(1, 6)})
    found = global_stability.most_frequent_output(laws, source)
    assert found.probability == eta(laws, source)
    assert laws.output_law(source).probability(found.output) == found.probability


@settings(max_examples=40)
@given(mechanisms("ab"), st.integers(1, 8))
def test_the_least_over_two_points_is_below_all_and_within_the_grid_bounds(
    laws: by_type.LawsByType[str, int], q: int
) -> None:
    exact = global_stability.least_over_two_points(laws).value
    seen = [eta(laws, source) for source in covering.grid("ab", 24)]
    low, high = (exact.lower, exact.upper) if isinstance(exact, Interval) else (exact, exact)
    assert low <= min(seen)
    # Each probability moves by at most n |p - p'|, and some grid point is within 1/48.
    assert min(seen) - Fraction(laws.n, 48) <= high
    bounds = global_stability.least_over_grid(laws, q)
    assert bounds.lower <= high
    assert low <= bounds.upper
    assert eta(laws, bounds.attained_by) == bounds.upper
    assert bounds.lower >= bounds.upper - covering.power_distance(Fraction(1, 2 * q), laws.n)


def test_a_learner_in_the_realizable_case() -> None:
    # Outputs the largest positive point seen, 0 if none; points 1 and 2 are positive, 0 is not.
    def largest(sample: Sample[int]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(max([z.point for z in sample if z.label], default=0))

    examples = losses.labelled(range(3), lambda x: int(x > 0))
    laws = by_type.learner_laws_by_type(largest, examples, 2, symmetric=True)
    # No 2 among two draws: (2/3)^2; only 0s: 1/9. So 2 has 5/9 and 1 has 3/9.
    found = global_stability.most_frequent_output(laws, FiniteDistribution.uniform(examples))
    assert (found.output, found.probability) == (2, Fraction(5, 9))


def test_the_least_is_never_below_one_over_the_number_of_outputs() -> None:
    # The number of heads in two tosses: (1-p)^2, 2p(1-p), p^2. The largest is least where two of
    # them meet: (1-p)^2 = 2p(1-p) at p = 1/3, with value 4/9.
    heads = by_type.laws_by_type(lambda z: FiniteDistribution.point_mass(sum(z)), (0, 1), 2)
    exact = global_stability.least_over_two_points(heads)
    assert exact.value == Fraction(4, 9)
    assert exact.p in (Fraction(1, 3), Fraction(2, 3))
    coarse = global_stability.least_over_grid(heads, 1)
    # The grid has only the two point masses, of value 1, with slack 1 - (1/2)^2 = 3/4.
    assert (coarse.lower, coarse.upper) == (Fraction(1, 3), Fraction(1))


def test_bad_input_is_refused() -> None:
    laws = by_type.laws_by_type(FiniteDistribution.point_mass, "abc", 1)
    with pytest.raises(InvalidInput, match="distribution: got a positive probability for 'd'"):
        global_stability.most_frequent_output(laws, FiniteDistribution.uniform("ad"))
    with pytest.raises(InvalidInput, match="laws: got a universe of 3 elements"):
        global_stability.least_over_two_points(laws)
    with pytest.raises(InvalidInput, match="5151 distributions on 3 elements, want at most 12"):
        global_stability.least_over_grid(laws, 100, max_grid=100)
