"""Monte Carlo averages of the stable learner, and the bound that comes with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pac_stability import classes
from pac_stability.classes import Family
from pac_stability.data import ArraySample, Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.estimate import (
    PredictionEstimate,
    estimated_probabilities,
    hoeffding_radius,
)
from pac_stability.randomness import SeededCoins

RHO = Fraction(4, 5)
SAMPLE: Sample[Hashable] = Sample([0.5, 2.0, 0.25, 3.0, 2.0, 1.5], [1, 0, 0, 1, 1, 1])
POINTS = [0.25, 1.0, 2.0, 7.0]


def given_subset(H: Family, subset: list[Hashable], point: Hashable) -> Fraction:
    """The exact prediction of the exponential mechanism on H_T."""
    candidates = H.representatives_on(subset)
    weights = [RHO ** SAMPLE.count_errors(h) for h in candidates]
    ones = sum(w for h, w in zip(candidates, weights, strict=True) if h(point))
    return Fraction(ones) / sum(weights)


def estimate(H: Family, subset_size: int, draws: int) -> PredictionEstimate:
    rng = SeededCoins(6)
    return estimated_probabilities(H, SAMPLE, POINTS, subset_size, RHO, draws=draws, rng=rng)


FAMILIES = [classes.Thresholds(), classes.Intervals(), classes.Singletons()]


@pytest.mark.parametrize("H", FAMILIES, ids=lambda H: type(H).__name__)
def test_averages_are_within_the_radius_of_the_exact_predictions(H: Family) -> None:
    found = estimate(H, 2, 400)
    subsets = list(combinations(SAMPLE.points, 2))
    for point, value in zip(POINTS, found.values, strict=True):
        exact = sum(given_subset(H, list(T), point) for T in subsets) / Fraction(len(subsets))
        assert abs(value - exact) <= found.radius
    assert (found.draws, found.confidence) == (400, Fraction(99, 100))


@pytest.mark.parametrize("H", FAMILIES, ids=lambda H: type(H).__name__)
def test_the_law_given_the_subset_is_not_drawn(H: Family) -> None:
    # There is one subset of all examples: what is left is the rounding of floats.
    found = estimate(H, 6, 3)
    for point, value in zip(POINTS, found.values, strict=True):
        assert abs(Fraction(value) - given_subset(H, list(SAMPLE.points), point)) < 1e-14


def test_radius_is_that_of_hoeffding_rounded_up() -> None:
    radius = hoeffding_radius(500, 4, Fraction(99, 100))
    # exp(2 M r**2) = 2 k / delta = 800
    assert math.exp(1000 * radius**2) == pytest.approx(800, rel=1e-12)
    assert 0 < estimate(classes.Thresholds(), 2, 500).radius - radius < 1e-10


def test_arrays_and_samples_give_the_same() -> None:
    arrays = ArraySample(np.array(SAMPLE.points), SAMPLE.labels)
    H = classes.Thresholds()
    found = estimated_probabilities(H, arrays, POINTS, 2, RHO, draws=50, rng=SeededCoins(6))
    assert found == estimate(H, 2, 50)


def test_progress_is_reported_and_may_stop() -> None:
    seen: list[tuple[int, int]] = []

    def report(done: int, draws: int) -> None:
        seen.append((done, draws))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        estimated_probabilities(
            classes.Thresholds(), SAMPLE, POINTS, 2, RHO, draws=9, progress=report
        )
    assert seen == [(1, 9), (2, 9), (3, 9)]


def attempt(**changes: object) -> Callable[[], object]:
    arguments: dict[str, object] = {"points": POINTS, "subset_size": 2, "decay": RHO, "draws": 2}
    settings = arguments | changes
    return lambda: estimated_probabilities(classes.Thresholds(), SAMPLE, **settings)  # type: ignore[arg-type]  # what is refused is of any type


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (attempt(points=[]), "points"),
        (attempt(points=["a"]), "point"),
        (attempt(subset_size=7), "sample"),
        (attempt(decay=Fraction(0)), "decay"),
        (attempt(draws=0), "draws"),
        (attempt(confidence=Fraction(1)), "confidence"),
        (attempt(confidence=float("nan")), "confidence"),
    ],
)
def test_bad_input(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        call()
    assert caught.value.argument == argument
