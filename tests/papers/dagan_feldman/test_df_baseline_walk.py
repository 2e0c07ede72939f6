"""The walk for thresholds: its probabilities, its exact privacy and stability, its error."""

from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from pac_stability import arithmetic, audit, data, testing
from pac_stability.papers.dagan_feldman import baselines
from shared_refusals import refuses

FOUR = arithmetic.Epsilon.exactly(4)


@given(testing.strategies.samples(range(4), max_size=9), st.integers(1, 4))
def test_the_log_odds_walk(sample: data.Sample[Hashable], limit: int) -> None:
    """Odds are doubled and halved, epsilon/2 being ln 2, between 2^-B and 2^B."""
    pairs = [(x, y) for x, y in sample]
    learner = baselines.ThresholdWalk(FOUR, limit)
    top, bottom = Fraction(2**limit), Fraction(1, 2**limit)
    for x, p in enumerate(learner.probabilities(sample, range(4))):
        odds = bottom
        for place in range(x + 1):
            for _ in range(pairs.count((place, 0))):
                odds = max(odds / 2, bottom)
            for _ in range(pairs.count((place, 1))):
                odds = min(odds * 2, top)
        assert p == odds / (1 + odds)
    backwards = sample[::-1]
    assert learner.probabilities(sample, range(4)) == learner.probabilities(backwards, range(4))


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_walk_is_as_private_and_stable_as_it_says(limit: int, n: int) -> None:
    learner = baselines.ThresholdWalk(FOUR, limit)
    factor = audit.private_prediction(learner, 2, n).value
    assert (factor == learner.factor) is (n >= 2)
    assert factor <= learner.factor < learner.guarantee.factor == 4
    moved = audit.uniform_stability(learner, 2, n).value
    assert (moved == learner.stability(n) == Fraction(1, 3)) is (n > limit)


def test_a_consistent_sample_is_learned_but_for_the_limit() -> None:
    """B = 6 with epsilon/2 = ln 2: 2B = 12 labels 1 turn the odds from 2^-6 to 2^6."""
    learner = baselines.ThresholdWalk(FOUR, 6)
    sample: data.Sample[Hashable] = data.Sample(range(40), [int(x >= 20) for x in range(40)])
    p = learner.probabilities(sample, range(40))
    assert set(p[:20]) == {Fraction(1, 65)}
    assert p[25] == Fraction(1, 2)
    assert set(p[31:]) == {Fraction(64, 65)}


def test_runs_and_points_of_any_exact_kind() -> None:
    learner = baselines.ThresholdWalk(1.0, 3)
    sample: data.Sample[Hashable] = data.Sample([Fraction(1, 3), 0.5, 2], [1, 0, 1])
    for p, at in zip(learner.probabilities(sample, [Fraction(2, 5), 7]), (0.4, 7), strict=True):
        assert p == learner.probabilities(sample, [at])[0]
    labels = data.enumerate_law(lambda rng: learner.predict(sample, 7, rng))
    assert (labels.probability(1),) == learner.probabilities(sample, [7])


def test_bad_input() -> None:
    for limit in (0, -1):
        refuses("limit", baselines.ThresholdWalk, 1.0, limit)
    refuses("epsilon", baselines.ThresholdWalk, -1.0, 1)
    refuses("point", baselines.ThresholdWalk(1.0, 1).probabilities, data.Sample(["a"], [1]), [0])
