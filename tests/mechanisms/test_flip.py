"""Flips: the exact privacy that label noise makes of stability, over all pairs of predictions."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import cast

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, FiniteDistribution, Mechanism
from pac_stability.mechanisms import ClippedLabel, Flip
from shared_laws import coin
from shared_refusals import refuses

Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Delta = Callable[[Law, Law, Fraction], Fraction]
Runs = Callable[[Mechanism[object, object], object], bool]

TENTHS = [Fraction(k, 10) for k in range(11)]


@pytest.mark.parametrize("z", [Fraction(0), Fraction(1, 10), Fraction(1, 2)])
@pytest.mark.parametrize("label", [0, 1])
def test_what_runs_has_the_law(runs_as_stated: Runs, z: Fraction, label: int) -> None:
    flip = cast("Mechanism[object, object]", Flip(z))
    assert runs_as_stated(flip, label)
    assert Flip(z).law(label).probability(1 - label) == z
    clipped = cast("Mechanism[object, object]", ClippedLabel(z))
    for p in TENTHS:
        assert runs_as_stated(clipped, p)
        assert ClippedLabel(z).law(p).probability(1) == sorted([z, p, 1 - z])[1]


@pytest.mark.parametrize("z", [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2)])
@pytest.mark.parametrize("t", [Fraction(1), Fraction(3, 2), Fraction(4)])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(1)])
def test_factor_after_private_predictions_is_exact(
    least_factor: Factor, least_delta: Delta, z: Fraction, t: Fraction, delta: Fraction
) -> None:
    # A grid of predictions, and the ones where both labels are as far apart as may be.
    u = (1 - delta) / (1 + t)
    grid = [*TENTHS, u, 1 - u, delta]
    worst = max(
        least_factor(coin(p).bind(Flip(z).law), coin(q).bind(Flip(z).law))
        for p, q in product(grid, grid)
        if max(least_delta(coin(p), coin(q), t), least_delta(coin(q), coin(p), t)) <= delta
    )
    assert worst == Flip(z).factor_after(delta, Epsilon.exactly(t))


@pytest.mark.parametrize("z", [Fraction(1, 10), Fraction(2, 5)])
@pytest.mark.parametrize("gamma", TENTHS)
def test_factor_after_stable_predictions_is_exact(
    least_factor: Factor, z: Fraction, gamma: Fraction
) -> None:
    close = [(p, q) for p, q in product(TENTHS, TENTHS) if abs(p - q) <= gamma]
    for noise in (Flip(z), ClippedLabel(z)):

        def output(p: Fraction, noise: Flip | ClippedLabel = noise) -> FiniteDistribution[int]:
            return coin(p).bind(noise.law) if isinstance(noise, Flip) else noise.law(p)

        worst = max(least_factor(output(p), output(q)) for p, q in close)
        assert worst == noise.factor_after(gamma)
    assert Flip(z).factor_after(gamma) == 1 + (1 - 2 * z) * gamma / z


def test_no_flip_makes_no_privacy_of_stability() -> None:
    for noise in (Flip(Fraction(0)), ClippedLabel(Fraction(0))):
        assert noise.factor_after(Fraction(1, 10)) == math.inf
        assert noise.factor_after(Fraction(0)) == 1
    assert Flip(Fraction(0)).factor_after(Fraction(0), Epsilon.exactly(3)) == 3


@given(st.fractions(0, Fraction(1, 2)), st.fractions(1, 3))
def test_largest_stability_just_suffices(z: Fraction, t: Fraction) -> None:
    gamma = Flip(z).largest_stability(Epsilon.exactly(t))
    assert Flip(z).factor_after(gamma) <= t
    if gamma < 1:
        assert Flip(z).factor_after((1 + gamma) / 2) > t


def test_flip_beyond_one_half_is_refused() -> None:
    for kind in (Flip, ClippedLabel):
        for wrong in (Fraction(4, 5), Fraction(-1, 5), float("nan"), "x", None):
            refuses(r"probability|margin", kind, cast("Fraction", wrong))


def test_labels_of_any_integer_type_are_flipped() -> None:
    flip = Flip(Fraction(1, 4))
    for label in cast("tuple[int, ...]", (1, True, np.int64(1), np.uint8(1))):
        assert flip.law(label).probability(1) == Fraction(3, 4)
        assert type(flip.run(label)) is int


@pytest.mark.parametrize("wrong", [2, -1, 0.0, "1", None])
def test_only_labels_are_flipped(wrong: object) -> None:
    for use in (Flip(Fraction(1, 4)).law, Flip(Fraction(1, 4)).run):
        refuses("a label", use, cast("int", wrong))


@pytest.mark.parametrize("wrong", [2, Fraction(-1, 2), float("nan"), None])
def test_only_probabilities_are_clipped(wrong: object) -> None:
    for use in (ClippedLabel(Fraction(1, 4)).law, ClippedLabel(Fraction(1, 4)).run):
        refuses("", use, cast("Fraction", wrong))
    refuses("delta", Flip(Fraction(1, 4)).factor_after, cast("Fraction", wrong))
