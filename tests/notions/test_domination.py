"""The relation h <= lambda g + kappa, point by point, and the rules for it."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability import arithmetic, data, errors
from pac_stability.notions import closeness, domination
from pac_stability.testing import strategies
from shared_refusals import refuses

Predictor = dict[str, Fraction]

predictors = strategies.tables("ab", strategies.probabilities(8)).map(lambda table: table.values)
numbers = st.fractions(0, 3, max_denominator=8)
slacks = strategies.probabilities(8)


def dominated(h: Predictor, g: Predictor, factor: Fraction, slack: Fraction) -> bool:
    return all(abs(h[x] - y) <= factor * abs(g[x] - y) + slack for x in h for y in (0, 1))


@given(predictors, predictors, numbers, slacks)
def test_holds_is_the_definition(
    h: Predictor, g: Predictor, factor: Fraction, slack: Fraction
) -> None:
    assert domination.Domination(factor, slack).holds(h, g) == dominated(h, g, factor, slack)


@given(predictors, predictors, numbers)
def test_the_minimal_slack_is_the_least_that_holds(
    h: Predictor, g: Predictor, factor: Fraction
) -> None:
    slack = domination.minimal_slack(h, g, factor)
    assert dominated(h, g, factor, slack)
    assert slack == 0 or not dominated(h, g, factor, slack * Fraction(999, 1000))


@given(predictors, predictors, slacks)
def test_the_minimal_factor_is_the_least_that_holds(
    h: Predictor, g: Predictor, slack: Fraction
) -> None:
    factor = domination.minimal_factor(h, g, slack)
    if isinstance(factor, Fraction):
        assert dominated(h, g, factor, slack)
        assert factor == 0 or not dominated(h, g, factor * Fraction(999, 1000), slack)
    else:
        assert factor == math.inf
        assert not dominated(h, g, Fraction(10**9), slack)


@given(predictors, predictors, predictors, numbers, numbers)
def test_relations_chain(
    h: Predictor, g: Predictor, f: Predictor, one: Fraction, two: Fraction
) -> None:
    first = domination.Domination(one, domination.minimal_slack(h, g, one))
    second = domination.Domination(two, domination.minimal_slack(g, f, two))
    both = first.then(second)
    assert dominated(h, f, both.factor, both.slack)


def test_chains_cannot_be_improved() -> None:
    # f(x) = 0; then |g - 0| = 1/8 uses the slack, and |h - 0| = 2/8 + 1/16 the factor and slack.
    f, g, h = {"x": Fraction(0)}, {"x": Fraction(1, 8)}, {"x": Fraction(5, 16)}
    first, second = (
        domination.Domination(Fraction(2), Fraction(1, 16)),
        domination.Domination(Fraction(2), Fraction(1, 8)),
    )
    assert first.holds(h, g)
    assert second.holds(g, f)
    assert first.then(second) == domination.Domination(Fraction(4), Fraction(5, 16))
    assert domination.minimal_slack(h, f, 4) == Fraction(5, 16)


@given(st.lists(st.tuples(predictors, predictors), min_size=3, max_size=3), numbers)
def test_relations_survive_mixtures(
    pairs: list[tuple[Predictor, Predictor]], factor: Fraction
) -> None:
    slack = max(domination.minimal_slack(h, g, factor) for h, g in pairs)
    weights = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    left = domination.mixture(zip(weights, (h for h, _ in pairs), strict=True))
    right = domination.mixture(zip(weights, (g for _, g in pairs), strict=True))
    assert left == {
        x: sum(w * h[x] for w, (h, _) in zip(weights, pairs, strict=True)) for x in "ab"
    }
    assert dominated(left, right, factor, slack)


@given(predictors, predictors, st.integers(8, 40).map(lambda k: Fraction(k, 8)), slacks)
def test_it_is_closeness_of_the_predicted_labels(
    h: Predictor, g: Predictor, t: Fraction, delta: Fraction
) -> None:
    laws = [
        {x: data.FiniteDistribution({1: value, 0: 1 - value}) for x, value in predictor.items()}
        for predictor in (h, g)
    ]
    epsilon = arithmetic.Epsilon.exactly(t)
    private = all(closeness.are_close(laws[0][x], laws[1][x], epsilon, delta) for x in h)
    relation = domination.Domination.of_privacy(epsilon, delta)
    assert private == (relation.holds(h, g) and relation.holds(g, h))


def test_every_predictor_is_related_to_itself() -> None:
    h = {"x": Fraction(1, 3)}
    assert domination.Domination(Fraction(1), Fraction(0)).holds(h, h)
    assert domination.minimal_factor(h, h) == 1


def test_bad_arguments_are_named() -> None:
    h = {"x": Fraction(1, 3)}
    with pytest.raises(errors.InvalidInput, match="g: got predictors on different points"):
        domination.minimal_slack(h, {"y": Fraction(1, 3)}, 1)
    refuses("h: got a predictor on no point", domination.minimal_slack, {}, {}, 1)
    refuses("h: got 3/2, want probabilities", domination.minimal_slack, {"x": Fraction(3, 2)}, h, 1)
    refuses("g: got -1, want a non-negative", domination.minimal_slack, h, {"x": -1}, 1)
    refuses("factor: got -1", domination.minimal_slack, h, h, -1)
    with pytest.raises(errors.InvalidInput, match="slack: got the float"):
        domination.Domination(Fraction(1), 0.5)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(errors.InvalidInput, match="epsilon: got a value of type float"):
        domination.Domination.of_privacy(1.0)  # type: ignore[arg-type]  # what is tested
    refuses("components: got weights of sum 1/2", domination.mixture, [(Fraction(1, 2), h)])
    with pytest.raises(errors.InvalidInput, match="components: got predictors on different points"):
        domination.mixture([(Fraction(1, 2), h), (Fraction(1, 2), {"y": Fraction(0)})])
