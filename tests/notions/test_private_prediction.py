"""Private prediction of tabulated learners, against the inequality with both labels."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings

from pac_stability import Epsilon, FiniteDistribution, Sample, data, testing
from pac_stability.notions import private_prediction, uniform_stability
from shared_laws import coin
from shared_refusals import refuses

POINTS = "ab"
PAIRS = [*data.neighbouring_pairs(data.all_examples(POINTS), 1)]
SAMPLES = sorted({sample for sample, _ in PAIRS}, key=repr)
Table = Callable[[tuple[Sample[str], str]], Fraction]

tables = testing.strategies.tables(product(SAMPLES, POINTS), testing.strategies.probabilities())
epsilons = testing.strategies.epsilons(5)
deltas = testing.strategies.probabilities()


class Tabulated:
    """The learner whose probability of label 1 is read from a table."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __call__(self, sample: Sample[str], x: str) -> FiniteDistribution[int]:
        return coin(self.table((sample, x)))


def pairs_of_probabilities(table: Table) -> list[tuple[Fraction, Fraction]]:
    """Pr[A^S(x) = y] and Pr[A^S'(x) = y] for all neighbours, points and labels."""
    ones = [(table((s, x)), table((t, x))) for s, t in PAIRS for x in POINTS]
    return [*ones, *((1 - p, 1 - q) for p, q in ones)]


@settings(max_examples=50)
@given(tables, epsilons, deltas)
def test_it_is_the_definition(table: Table, epsilon: Epsilon, delta: Fraction) -> None:
    learner, probabilities = Tabulated(table), pairs_of_probabilities(table)
    private = all(p <= epsilon.ratio * q + delta for p, q in probabilities)
    assert private_prediction.holds(learner, PAIRS, POINTS, epsilon, delta) == private


@settings(max_examples=50)
@given(tables, epsilons, deltas)
def test_minimal_parameters_are_those_of_the_worst_label(
    table: Table, epsilon: Epsilon, delta: Fraction
) -> None:
    learner, probabilities = Tabulated(table), pairs_of_probabilities(table)
    least_delta = max(Fraction(0), *(p - epsilon.ratio * q for p, q in probabilities))
    needed = [(p - delta) / q if q else math.inf for p, q in probabilities if p > delta]
    least_factor = max([Fraction(1), *needed])
    assert private_prediction.minimal_delta(learner, PAIRS, POINTS, epsilon) == least_delta
    assert private_prediction.minimal_epsilon(learner, PAIRS, POINTS, delta) == least_factor
    curve = private_prediction.frontier(learner, PAIRS, POINTS)
    assert curve.minimal_delta(epsilon) == least_delta
    assert curve.minimal_epsilon(delta) == least_factor
    one_order = [(s, t) for s, t in PAIRS if SAMPLES.index(s) < SAMPLES.index(t)]
    assert private_prediction.frontier(learner, iter(one_order), iter(POINTS)) == curve


@settings(max_examples=50)
@given(tables)
def test_private_with_epsilon_zero_is_stable(table: Table) -> None:
    learner = Tabulated(table)
    gamma = uniform_stability.minimal_gamma(learner, PAIRS, POINTS)
    nothing = Epsilon.exactly(1)
    assert private_prediction.minimal_delta(learner, PAIRS, POINTS, nothing) == gamma


@settings(max_examples=50)
@given(tables, deltas)
def test_privacy_implies_stability(table: Table, delta: Fraction) -> None:
    learner = Tabulated(table)
    factor = private_prediction.minimal_epsilon(learner, PAIRS, POINTS, delta)
    if isinstance(factor, Fraction):
        gamma = private_prediction.implied_stability(Epsilon.exactly(factor), delta)
        assert uniform_stability.holds(learner, PAIRS, POINTS, gamma)


@given(epsilons, deltas)
def test_the_implied_stability_is_attained(epsilon: Epsilon, delta: Fraction) -> None:
    # The two laws for which both inequalities are equalities.
    t = epsilon.ratio
    likely = (t + delta) / (t + 1)

    def learner(sample: str, _: str) -> FiniteDistribution[int]:
        return coin(likely if sample == "S" else 1 - likely)

    assert private_prediction.holds(learner, [("S", "T")], "x", epsilon, delta)
    gamma = uniform_stability.minimal_gamma(learner, [("S", "T")], "x")
    assert gamma == private_prediction.implied_stability(epsilon, delta)


def test_pure_privacy_implies_stability_of_a_hyperbolic_tangent() -> None:
    for epsilon in (0.25, 1.0, 3.0):
        gamma = private_prediction.implied_stability(Epsilon(epsilon))
        assert float(gamma) == pytest.approx(math.tanh(epsilon / 2), rel=1e-12)


def test_one_pair_too_far_apart_is_enough() -> None:
    def learner(sample: str, _: str) -> FiniteDistribution[int]:
        return coin(Fraction(sample == "S"))

    pairs = [("S", "S"), ("S", "T")]
    assert not private_prediction.holds(learner, pairs, "x", Epsilon.exactly(3), Fraction(1, 2))


def test_nothing_examined_is_refused() -> None:
    def law(*_: object) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(0)

    epsilon = Epsilon.exactly(1)
    refuses("pairs: got none", private_prediction.minimal_epsilon, law, [], POINTS)
    refuses("pairs: got none", private_prediction.holds, law, [], POINTS, epsilon)
    refuses("points: got none", private_prediction.minimal_delta, law, PAIRS, [], epsilon)
    refuses("pairs: got none", private_prediction.frontier, law, [], POINTS)
