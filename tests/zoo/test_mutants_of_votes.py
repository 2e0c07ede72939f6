"""Mutants of predictions: the audits verify each vote at its exact value, and refute the slips.

There is one voter an example, who says its label everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import pytest

from pac_stability import Epsilon, FiniteClass, FiniteDistribution, Verdict, audit
from pac_stability.mechanisms import Flip, SoftMajorityVote, exponential_learner

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


@dataclass(frozen=True)
class Votes:
    """A predictor that answers by the number of votes for label 1 among n."""

    one: Callable[[int, int], Fraction]

    def probabilities(self, sample: object, points: object, /) -> list[Fraction]:
        labels: tuple[int, ...] = sample.labels  # type: ignore[attr-defined]  # a Sample
        assert isinstance(points, tuple)
        return [self.one(sum(labels), len(labels)) for _ in points]


def soft(decay: Fraction) -> Callable[[int, int], Fraction]:
    return lambda v, n: SoftMajorityVote(decay).law((1,) * v + (0,) * (n - v)).probability(1)


def mean(v: int, n: int) -> Fraction:
    return Fraction(v, n)


def flipped(z: Fraction) -> Callable[[int, int], Fraction]:
    return lambda v, n: (
        FiniteDistribution({1: mean(v, n), 0: 1 - mean(v, n)}).bind(Flip(z).law).probability(1)
    )


# Three votes. Stability: the largest step. Privacy: the largest ratio of neighbouring values.
STABLE = [
    pytest.param(Votes(mean), Fraction(1, 3), Verdict.VERIFIED, id="average"),
    pytest.param(
        Votes(lambda v, n: mean(min(v, 2), n - 1)), Fraction(1, 3), Verdict.REFUTED,
        id="average over one voter too few",
    ),
    pytest.param(
        Votes(lambda v, n: Fraction(int(2 * v > n))), Fraction(1, 3), Verdict.REFUTED,
        id="hard majority",
    ),
    # (1 - rho)/(1 + rho) for rho = 1/2.
    pytest.param(Votes(soft(HALF)), Fraction(1, 3), Verdict.VERIFIED, id="soft majority"),
    pytest.param(
        Votes(soft(QUARTER)), Fraction(1, 3), Verdict.REFUTED, id="soft majority, wrong exponent"
    ),
]  # fmt: skip

PRIVATE = [
    # (1 + 2^3)/(1 + 2).
    pytest.param(Votes(soft(HALF)), Fraction(3), Verdict.VERIFIED, id="soft majority"),
    pytest.param(
        Votes(soft(QUARTER)), Fraction(3), Verdict.REFUTED, id="soft majority, wrong exponent"
    ),
    pytest.param(Votes(mean), Fraction(3), Verdict.REFUTED, id="average for soft majority"),
    # 1 + (1 - 2z) gamma/z for z = 1/4 and gamma = 1/3.
    pytest.param(Votes(flipped(QUARTER)), Fraction(5, 3), Verdict.VERIFIED, id="flip"),
    pytest.param(
        Votes(flipped(Fraction(1, 5))), Fraction(5, 3), Verdict.REFUTED, id="flip too rarely"
    ),
    pytest.param(
        Votes(lambda v, n: mean(v, n) * Fraction(3, 4)), Fraction(5, 3), Verdict.REFUTED,
        id="flip of label 1 only",
    ),
    pytest.param(
        Votes(lambda v, n: mean(v, n) if v in (0, n) else flipped(QUARTER)(v, n)),
        Fraction(5, 3), Verdict.REFUTED, id="no flip of unanimous votes",
    ),
    # 1/3 and 2/3 are left alone, and 2/3 is twice 1/3.
    pytest.param(
        Votes(lambda v, n: min(max(mean(v, n), QUARTER), 1 - QUARTER)), Fraction(5, 3),
        Verdict.REFUTED, id="clipped for flipped",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("predictor", "gamma", "verdict"), STABLE)
def test_stability_of_votes(predictor: Votes, gamma: Fraction, verdict: Verdict) -> None:
    result = audit.uniform_stability(predictor, 1, 3, claim=gamma)
    assert result.verdict is verdict
    assert (result.value == gamma) is (verdict is Verdict.VERIFIED)


@pytest.mark.parametrize(("predictor", "factor", "verdict"), PRIVATE)
def test_privacy_of_votes(predictor: Votes, factor: Fraction, verdict: Verdict) -> None:
    result = audit.private_prediction(predictor, 1, 3, claim=Epsilon.exactly(factor))
    assert result.verdict is verdict
    assert (result.value == factor) is (verdict is Verdict.VERIFIED)


@pytest.mark.parametrize(
    ("decay", "verdict"), [(HALF, Verdict.VERIFIED), (QUARTER, Verdict.REFUTED)]
)
def test_stability_of_the_exponential_learner(decay: Fraction, verdict: Verdict) -> None:
    # Two constants, one example: (1 - rho)/(1 + rho) is attained from one label to the other.
    learner = exponential_learner(FiniteClass([[0], [1]]), decay)
    assert audit.uniform_stability(learner, 1, 1, claim=Fraction(1, 3)).verdict is verdict
