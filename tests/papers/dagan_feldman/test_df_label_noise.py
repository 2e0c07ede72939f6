"""Measured excess errors on thresholds with label noise, against the definitions."""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pac_stability.classes import Threshold, Thresholds
from pac_stability.papers.dagan_feldman.stable import StableLearner
from pac_stability.randomness import SeededCoins

SCRIPT = Path(__file__).parents[3] / "docs" / "examples" / "label_noise.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("label_noise", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_excess_of_a_threshold_by_going_through_a_small_domain(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "DOMAIN", 16)
    for cut in (-3, 0, 5, 8, 13, 16, 40):
        wrong = Fraction(sum((x >= cut) != (x >= 8) for x in range(16)), 16)
        loss = wrong * Fraction(4, 5) + (1 - wrong) * Fraction(1, 5)
        assert script.excess_of(Threshold(cut)) == loss - Fraction(1, 5)


def test_expected_excess_without_a_choice_of_subset_is_that_of_the_law(script: ModuleType) -> None:
    sample = script.noisy_sample(6, np.random.default_rng(1))
    found = script.expected_excess(sample, 6, Fraction(1, 2), 1, SeededCoins(1))
    small = sample.subset(range(6))
    candidates = Thresholds().representatives_on(small.points)
    weights = [Fraction(1, 2) ** small.count_errors(h) for h in candidates]
    expected = sum(w * script.excess_of(h) for w, h in zip(weights, candidates, strict=True))
    assert found == expected / sum(weights)


def test_the_excess_at_the_computed_size_is_far_below_the_one_wanted(script: ModuleType) -> None:
    learner = StableLearner(Thresholds(), script.SUBSET, script.EPSILON)
    assert learner.stability(script.N) <= Fraction(1, 5)
    found = script.excesses(trials=5, draws=2)
    assert max(found) < Fraction(2, 100)
