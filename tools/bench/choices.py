"""Exact choices by weight: of one of 1,000 hypotheses, and in batches of many candidates."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability.classes import FiniteClass, Row
from pac_stability.data import Sample
from pac_stability.mechanisms import (
    ExponentialMechanism,
    PermuteAndFlip,
    PreparedChoice,
    decay_for,
    error_counts,
    exponential_learner,
)
from pac_stability.randomness import SeededCoins
from tools.bench.job import Job, informed
from tools.bench.measure import Run

HYPOTHESES, POINTS, SEED = 1000, 64, 11


@dataclass(frozen=True)
class Asked:
    """A mechanism, the size of the sample, and how many draws, each from nothing or prepared."""

    decay: Fraction
    size: int
    draws: int = 20
    flips: bool = False
    prepared: bool = False


INSTANCES = {
    "exponential eps=1 n=100": Asked(decay_for(1), 100),
    "exponential eps=0.1 n=1000": Asked(decay_for("1/10"), 1000),
    "exponential base 2 n=100": Asked(Fraction(1, 2), 100),
    "exponential eps=1 n=10000": Asked(decay_for(1), 10_000),
    "permute-and-flip eps=1 n=100": Asked(decay_for(1), 100, flips=True),
    "permute-and-flip eps=0.1 n=10000": Asked(decay_for("1/10"), 10_000, flips=True),
    "exponential eps=1 n=100, prepared": Asked(decay_for(1), 100, 10_000, prepared=True),
    "exponential eps=0.1 n=1000, prepared": Asked(decay_for("1/10"), 1000, 10_000, prepared=True),
    "permute-and-flip eps=1 n=100, prepared": Asked(
        decay_for(1), 100, 10_000, flips=True, prepared=True
    ),
}


def _setting(asked: Asked) -> tuple[FiniteClass, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    choice = np.random.default_rng(SEED)
    H = FiniteClass(choice.integers(0, 2, (HYPOTHESES, POINTS)))
    return H, choice.integers(0, POINTS, asked.size), choice.integers(0, 2, asked.size)


def library(name: str) -> Run:
    """Draws that are prepared once, or draws that count the errors anew each time."""
    asked = INSTANCES[name]
    H, points, labels = _setting(asked)
    sample: Sample[Hashable] = Sample(points.tolist(), labels.tolist())
    learner: ExponentialMechanism[Sample[Hashable], Row] | PermuteAndFlip[Sample[Hashable], Row] = (
        PermuteAndFlip(tuple(H), lambda sample: error_counts(H, sample), asked.decay)
        if asked.flips
        else exponential_learner(H, asked.decay)
    )
    rng = SeededCoins(SEED)

    def run() -> tuple[int, int]:
        if asked.prepared:
            return len(learner.prepare(sample).draws(asked.draws, rng)), asked.draws
        for _ in range(asked.draws):
            learner.run(sample, rng)
        return asked.draws, asked.draws

    return run


def arrays(name: str) -> Run:
    """Errors by counting points and one product, then floats.

    Permute-and-flip is the noisy maximum with exponential noise [Ding et al. 2021].
    """
    asked = INSTANCES[name]
    H, points, labels = _setting(asked)
    table = H.table.astype(np.float64)
    choice = np.random.default_rng(SEED)

    def errors() -> npt.NDArray[np.float64]:
        ones = np.bincount(points, labels, POINTS)
        difference = np.bincount(points, minlength=POINTS) - 2 * ones
        return np.asarray(ones.sum() + table @ difference)

    def draws(count: int) -> npt.NDArray[np.int64]:
        found = errors()
        scores = (found - found.min()) * math.log(asked.decay)
        if asked.flips:
            noisy = scores + choice.exponential(size=(count, len(scores)))
            return np.asarray(noisy.argmax(axis=1))
        weights = np.exp(scores)
        return choice.choice(len(scores), size=count, p=weights / weights.sum())

    def run() -> tuple[int, int]:
        each = asked.draws if asked.prepared else 1
        for _ in range(asked.draws // each):
            draws(each)
        return asked.draws, asked.draws

    return run


# The number of candidates, the decay, and how many draws.
BATCHES = {
    "1,000 candidates, eps = 1": (1_000, decay_for(1), 10_000),
    "1,000 candidates, eps = 1/100": (1_000, decay_for("1/100"), 10_000),
    "10^6 candidates, eps = 1/10": (10**6, decay_for("1/10"), 10_000),
}


def _errors(candidates: int) -> npt.NDArray[np.int64]:
    return np.random.default_rng(SEED).integers(0, 5_000, candidates)


def exact_batch(name: str) -> Run:
    """Sort the errors, and draw in one batch, exactly, with the coins that are the default."""
    candidates, decay, count = BATCHES[name]
    errors = _errors(candidates)

    def run() -> tuple[int, int]:
        drawn = PreparedChoice(errors, decay).draws(count)
        return len(drawn), count

    return run


def float_batch(name: str) -> Run:
    """The same in floats: softmax, and ``Generator.choice``."""
    candidates, decay, count = BATCHES[name]
    errors = _errors(candidates)

    def run() -> tuple[int, int]:
        weights = np.exp((errors - errors.min()) * math.log(decay))
        drawn = np.random.default_rng(SEED).choice(
            candidates, size=count, p=weights / weights.sum()
        )
        return len(drawn), count

    return run


JOBS = {
    "draws": Job(
        "Draws of one of 1,000 hypotheses on 64 points; nodes are draws, 20 that count the errors "
        "on n examples anew each time, or 10,000 that count them once. Informed: NumPy in "
        "floats: the sample counted by point, one product with the table, `Generator.choice`, or "
        "for permute-and-flip the noisy maximum.",
        INSTANCES,
        library,
        (informed(arrays),),
    ),
    "batches": Job(
        "10,000 draws of the exponential mechanism in a batch, exact, coins of the operating "
        "system, errors sorted and weights rounded once. Informed: `Generator.choice` with float "
        "weights, neither exact nor private.",
        BATCHES,
        exact_batch,
        (informed(float_batch),),
    ),
}
