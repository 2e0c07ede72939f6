"""Draws of one of 1,000 hypotheses, by the library's samplers and from a list of fractions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction

import numpy as np

from pac_stability.classes import FiniteClass, Row
from pac_stability.data import Mechanism, Sample
from pac_stability.mechanisms import (
    PermuteAndFlip,
    decay_for,
    error_counts,
    exponential_learner,
)
from pac_stability.randomness import SeededCoins
from tools.bench.measure import Run

HYPOTHESES, POINTS, DRAWS, SEED = 1000, 64, 20, 11

Learner = Mechanism[Sample[Hashable], Row]


def _permute_and_flip(H: FiniteClass, decay: Fraction) -> Learner:
    return PermuteAndFlip(tuple(H), lambda sample: error_counts(H, sample), decay)


# Which learner, its decay, and the size of the sample.
Recipe = tuple[Callable[[FiniteClass, Fraction], Learner], Fraction, int]
INSTANCES: dict[str, Recipe] = {
    "exponential eps=1 n=100": (exponential_learner, decay_for(1.0), 100),
    "exponential eps=0.1 n=1000": (exponential_learner, decay_for(0.1), 1000),
    "exponential base 2 n=100": (exponential_learner, Fraction(1, 2), 100),
    "permute-and-flip eps=1 n=100": (_permute_and_flip, decay_for(1.0), 100),
}


def _setting(size: int) -> tuple[FiniteClass, Sample[Hashable]]:
    choice = np.random.default_rng(SEED)
    H = FiniteClass(choice.integers(0, 2, (HYPOTHESES, POINTS)))
    return H, Sample(choice.integers(0, POINTS, size).tolist(), choice.integers(0, 2, size))


def library(name: str) -> Run:
    """Draws by the mechanism, which counts the errors of all hypotheses each time."""
    make, decay, size = INSTANCES[name]
    H, sample = _setting(size)
    learner = make(H, decay)
    rng = SeededCoins(SEED)

    def run() -> tuple[int, int]:
        for _ in range(DRAWS):
            learner.run(sample, rng)
        return DRAWS, DRAWS

    return run


def literal(name: str) -> Run:
    """Draws from the weights of the exponential mechanism as a list of fractions."""
    _, decay, size = INSTANCES[name]
    H, sample = _setting(size)
    rng = SeededCoins(SEED)

    def run() -> tuple[int, int]:
        for _ in range(DRAWS):
            errors = [sum(h(z.point) != z.label for z in sample) for h in H]
            H[rng.choose([decay**count for count in errors])]
        return DRAWS, DRAWS

    return run
