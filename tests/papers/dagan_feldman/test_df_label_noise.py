"""Thresholds with label noise, and the measured loss of the stable learner, by definition."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import prod

import pytest
from hypothesis import given, strategies as st

from pac_stability import classes
from pac_stability.classes import Threshold
from pac_stability.data import enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.label_noise import NoisyThreshold
from pac_stability.papers.dagan_feldman.stable import StableLearner
from pac_stability.randomness import SeededCoins


def probability(problem: NoisyThreshold, point: Hashable, label: int) -> Fraction:
    right = int(problem.points > int(str(point)) >= problem.cut)
    return (problem.noise if label != right else 1 - problem.noise) / problem.points


def loss(problem: NoisyThreshold, h: Threshold) -> Fraction:
    return sum(
        (probability(problem, x, 1 - h(x)) for x in range(problem.points)), start=Fraction(0)
    )


def test_examples_are_independent_with_the_stated_law() -> None:
    problem = NoisyThreshold(3, 2, Fraction(1, 4))
    law = enumerate_law(lambda rng: problem.sample(2, rng))
    assert len(law) == 6 * 6
    for sample, found in law.items():
        assert found == prod(probability(problem, e.point, e.label) for e in sample)


@given(
    points=st.integers(1, 9),
    cut=st.integers(0, 9),
    noise=st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(49, 100)]),
    at=st.fractions(-3, 12, max_denominator=3),
    upward=st.booleans(),
)
def test_excess_by_going_through_the_domain(
    *, points: int, cut: int, noise: Fraction, at: Fraction, upward: bool
) -> None:
    problem = NoisyThreshold(points, min(cut, points), noise)
    h = Threshold(at, upward)
    assert problem.excess(h) == loss(problem, h) - noise
    assert loss(problem, Threshold(problem.cut)) == noise


@given(
    n=st.integers(1, 7),
    subset_size=st.integers(1, 7),
    seed=st.integers(0, 99),
    signed=st.booleans(),
)
def test_measured_excess_is_the_exact_expectation_on_the_sample(
    *, n: int, subset_size: int, seed: int, signed: bool
) -> None:
    problem = NoisyThreshold(6, 4, Fraction(1, 5))
    family = classes.SignedThresholds() if signed else classes.Thresholds()
    learner = StableLearner(family, min(n, subset_size), Fraction(3, 2))
    law = learner.law(problem.sample(n, SeededCoins(seed)))
    found = problem.measured_excess(learner, n, SeededCoins(seed))
    assert law.expectation(problem.excess) in found
    assert found.width < Fraction(1, 10**11)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NoisyThreshold(0, 0, 0), "points: got 0, want"),
        (lambda: NoisyThreshold(5, 6, 0), "cut: got 6, want at most 5"),
        (lambda: NoisyThreshold(5, 2, Fraction(1, 2)), "noise: got 1/2, want a probability below"),
        (lambda: NoisyThreshold(5, 2, -1), "noise: got -1"),
        (
            lambda: NoisyThreshold(5, 2, 0).excess(classes.thresholds(5)[0]),
            "h: got .*, want a Threshold",
        ),
        (
            lambda: NoisyThreshold(5, 2, 0).measured_excess(
                StableLearner(classes.Thresholds(), 1, 1, 4), 3, SeededCoins(1)
            ),
            "n: got 3, want at least 4 examples",
        ),
    ],
)
def test_bad_input(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        make()
