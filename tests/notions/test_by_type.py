"""Laws by type against the sum over all sequences."""

from fractions import Fraction
from itertools import product
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.data import Example, FiniteDistribution, Multiset, Sample, all_examples
from pac_stability.errors import InvalidInput
from pac_stability.notions.by_type import laws_by_type, learner_laws_by_type
from pac_stability.testing import strategies
from shared_refusals import refuses


@settings(max_examples=40)
@given(st.data(), st.sampled_from(["a", "ab", "abc"]))
def test_output_law_is_the_sum_over_all_sequences(data: st.DataObject, universe: str) -> None:
    n, mechanism = data.draw(
        strategies.mechanisms_on_datasets(
            universe, strategies.weighted("xy", 4), min_size=0, max_size=3
        )
    )
    source = data.draw(strategies.weighted(universe, 4))
    expected = {"x": Fraction(0), "y": Fraction(0)}
    for sequence in product(universe, repeat=n):
        probability = Fraction(1)
        for element in sequence:
            probability *= source.probability(element)
        for output in expected:
            expected[output] += probability * mechanism.law(sequence).probability(output)

    laws = laws_by_type(mechanism.law, universe, n)

    assert laws.output_law(source) == FiniteDistribution(expected)
    assert sum(weight for weight, _, _ in laws.weighted(source)) == 1
    assert all(kind.probability(source) == weight for weight, kind, _ in laws.weighted(source))


def test_a_symmetric_mechanism_is_asked_once_for_each_type() -> None:
    asked: list[tuple[int, ...]] = []

    def total(sample: tuple[int, ...]) -> FiniteDistribution[int]:
        asked.append(sample)
        return FiniteDistribution.point_mass(sum(sample))

    symmetric = laws_by_type(total, range(3), 2, symmetric=True)
    assert asked == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    assert symmetric == laws_by_type(total, range(3), 2)


def test_learners_are_given_samples() -> None:
    def learner(sample: Sample[str]) -> FiniteDistribution[tuple[str, int]]:
        return FiniteDistribution.point_mass((sample.points[0], sample.labels[1]))

    laws = learner_laws_by_type(learner, all_examples("ab"), 2).laws
    mixed: Multiset[Example[str]] = Multiset.of([Example("a", 0), Example("b", 1)])
    assert laws[mixed] == FiniteDistribution.uniform([("a", 1), ("b", 0)])


def test_bad_input_is_refused() -> None:
    laws = laws_by_type(FiniteDistribution.point_mass, "ab", 1)
    with pytest.raises(InvalidInput, match="distribution: got a positive probability for 'c'"):
        laws.output_law(FiniteDistribution.uniform("abc"))
    with pytest.raises(InvalidInput, match=r"distribution: got {'a': 1}"):
        laws.output_law(cast("FiniteDistribution[str]", {"a": 1}))
    with pytest.raises(InvalidInput, match=r"law: got 'a' for the sample \('a', 'a'\)"):
        laws_by_type(lambda z: cast("FiniteDistribution[str]", z[0]), "ab", 2)
    refuses("universe: got 'a' twice", laws_by_type, FiniteDistribution.point_mass, "aa", 1)
    refuses("n: got -1", laws_by_type, FiniteDistribution.point_mass, "ab", -1)
