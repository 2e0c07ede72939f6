"""Enclosed distributions: what they accept, and that operations keep every law inside."""

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability import Interval, InvalidInput, testing
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from shared_refusals import refuses

HALF = Fraction(1, 2)


laws = testing.strategies.weighted(range(4))
enclosed_laws = testing.strategies.enclosures(range(4), width=Fraction(1, 7))


@given(enclosed_laws)
def test_intervals_are_cut_to_probabilities_and_impossible_outcomes_dropped(
    pair: tuple[FiniteDistribution[int], EnclosedDistribution[int]],
) -> None:
    law, around = pair
    assert around.encloses(law)
    assert set(law.support) <= set(around.support)
    assert len(around) == len(around.support)
    for outcome, weight in around.items():
        assert 0 <= weight.lower <= weight.upper <= 1
        assert weight.upper > 0
        assert around.probability(outcome) == weight
    assert around.probability("elsewhere") == Interval.exactly(0)
    assert pickle.loads(pickle.dumps(around)) == around  # noqa: S301  # our own bytes


@given(enclosed_laws, st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_map_encloses_the_image_of_every_law(
    pair: tuple[FiniteDistribution[int], EnclosedDistribution[int]], image: list[int]
) -> None:
    law, around = pair
    assert around.map(image.__getitem__).encloses(law.map(image.__getitem__))
    exact = EnclosedDistribution.exactly(law)
    assert exact.map(image.__getitem__) == EnclosedDistribution.exactly(law.map(image.__getitem__))


@given(laws, laws)
def test_an_exact_enclosure_encloses_one_law(
    law: FiniteDistribution[int], other: FiniteDistribution[int]
) -> None:
    around = EnclosedDistribution.exactly(law)
    assert around.encloses(other) == (law == other)
    assert (around == EnclosedDistribution.exactly(other)) == (law == other)
    assert hash(around) == hash(EnclosedDistribution(dict(reversed(law.items()))))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=4))
def test_proportions_are_the_extremes_over_the_ends(ends: list[tuple[int, int]]) -> None:
    weights = {k: Interval(Fraction(a), Fraction(a + b)) for k, (a, b) in enumerate(ends)}
    if not any(a for a, _ in ends):
        refuses("weights that may all be zero", EnclosedDistribution.in_proportion, weights)
        return
    law = EnclosedDistribution.in_proportion(weights)
    # A ratio of linear functions is extreme at corners of the box of weights: try them all.
    corners: list[tuple[int, ...]] = [()]
    for a, b in ends:
        corners = [(*rest, end) for rest in corners for end in {a, a + b}]
    for k in range(len(ends)):
        shares = [Fraction(corner[k], sum(corner)) for corner in corners]
        assert law.probability(k) == Interval(min(shares), max(shares))


def test_irrational_laws_are_enclosed_narrowly() -> None:
    law = EnclosedDistribution.in_proportion({0: 1, 1: Interval.exp(1)})
    assert law.probability(1).width < Fraction(1, 2**60)
    # e/(1+e) lies between these: 2.718/3.718 and 2.719/3.719.
    assert Fraction(2718, 3718) < law.probability(1).lower
    assert law.probability(1).upper < Fraction(2719, 3719)


def test_what_encloses_no_distribution_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"weights: got a sum of at most 0.75, want intervals"):
        EnclosedDistribution({0: Interval(Fraction(1, 4), HALF), 1: Fraction(1, 4)})
    with pytest.raises(InvalidInput, match=r"weights: got a sum of at least 1.5"):
        EnclosedDistribution({0: 1, 1: Interval(HALF, Fraction(1))})
    refuses(r"weights: got a sum of at most 0.0", EnclosedDistribution, {})
    with pytest.raises(InvalidInput, match="intervals that contain a probability"):
        EnclosedDistribution({0: 1, 1: Fraction(-1, 10)})
    refuses("intervals that contain a probability", EnclosedDistribution, {0: 2})
    with pytest.raises(InvalidInput, match="weights: got the float"):
        EnclosedDistribution({0: 1.0})  # type: ignore[dict-item]  # what is tested
    refuses("want a mapping", EnclosedDistribution, [1])  # type: ignore[arg-type]  # what is tested
    refuses("equal to themselves", EnclosedDistribution, {float("nan"): 1})
    with pytest.raises(InvalidInput, match="a weight that may be negative"):
        EnclosedDistribution.in_proportion({0: 1, 1: Interval(Fraction(-1), Fraction(1))})
    with pytest.raises(InvalidInput, match="law: got"):
        EnclosedDistribution.exactly({0: 1})  # type: ignore[arg-type]  # what is tested
