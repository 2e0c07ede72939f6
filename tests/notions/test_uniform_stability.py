"""Uniform stability of tabulated learners, against the inequality with all labels and points."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from hypothesis import given, settings

from pac_stability.data import FiniteDistribution, Sample, all_examples, neighbouring_pairs
from pac_stability.notions import uniform_stability
from pac_stability.testing import strategies
from shared_refusals import refuses

POINTS = "ab"
PAIRS = [*neighbouring_pairs(all_examples(POINTS), 1)]
SAMPLES = sorted({sample for sample, _ in PAIRS}, key=repr)
Laws = Callable[[tuple[Sample[str], str]], FiniteDistribution[int]]


# A learner on samples of size 1: a law on three labels for each sample and point.
learners = strategies.tables(product(SAMPLES, POINTS), strategies.weighted(range(3), min_weight=1))


def stable(laws: Laws, gamma: Fraction) -> bool:
    return all(
        laws((s, x)).probability(y) <= laws((t, x)).probability(y) + gamma
        for s, t in PAIRS
        for x in POINTS
        for y in range(3)
    )


@settings(max_examples=50)
@given(learners, strategies.probabilities(20))
def test_it_is_the_definition(laws: Laws, gamma: Fraction) -> None:
    def law(sample: Sample[str], x: str) -> FiniteDistribution[int]:
        return laws((sample, x))

    least = uniform_stability.minimal_gamma(law, PAIRS, POINTS)
    assert stable(laws, least)
    assert least == 0 or not stable(laws, least * Fraction(999, 1000))
    assert uniform_stability.holds(law, PAIRS, POINTS, gamma) == stable(laws, gamma)
    # Pairs are taken in both orders, and all points count, of any iterable.
    one_order = [(s, t) for s, t in PAIRS if SAMPLES.index(s) < SAMPLES.index(t)]
    assert uniform_stability.minimal_gamma(law, iter(one_order), iter(POINTS)) == least


def test_labels_may_be_missing_from_a_law() -> None:
    def memory(sample: tuple[int], _: object) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(sample[0])

    assert uniform_stability.minimal_gamma(memory, [((0,), (7,))], [None]) == 1


def test_nothing_examined_is_refused() -> None:
    def law(*_: object) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(0)

    refuses("pairs: got none", uniform_stability.minimal_gamma, law, [], POINTS)
    refuses("pairs: got none", uniform_stability.holds, law, [], POINTS, 1)
    refuses("points: got none", uniform_stability.holds, law, PAIRS, [], 1)
    refuses("gamma: got -1", uniform_stability.holds, law, PAIRS, POINTS, -1)
