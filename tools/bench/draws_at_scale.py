"""Draws of the stable learner from a million examples, and the same with an array operation each.

The baseline is what NumPy users write first: the errors of each candidate by one comparison of the
whole array, and ``Generator.choice`` with float weights.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability.classes import (
    Box,
    Boxes,
    Family,
    Halfspace,
    Halfspaces,
    Hypothesis,
    Stump,
    Stumps,
    Threshold,
    Thresholds,
)
from pac_stability.data import ArraySample
from pac_stability.mechanisms import decay_for
from pac_stability.papers.dagan_feldman.draws import stable_draw
from pac_stability.randomness import SeededCoins
from tools.bench.measure import Run

N, SEED = 10**6, 13
DECAY = decay_for(Fraction(1, 100))

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]

# The class, its dimension (none for the line), and the size of a subset.
INSTANCES: dict[str, tuple[Family, int | None, int]] = {
    "thresholds, n' = 400": (Thresholds(), None, 400),
    "stumps of R^10, n' = 40": (Stumps(10), 10, 40),
    "boxes of R^2, n' = 12": (Boxes(2), 2, 12),
    "halfspaces of R^2, n' = 12": (Halfspaces(2), 2, 12),
    "stumps of R^10, n' = 400": (Stumps(10), 10, 400),
    "boxes of R^2, n' = 35": (Boxes(2), 2, 35),
    "halfspaces of R^2, n' = 35": (Halfspaces(2), 2, 35),
}


def _setting(dimension: int | None) -> tuple[Floats, Labels]:
    """Uniform points labelled by the first coordinate, a fifth of them wrong."""
    choice = np.random.default_rng(SEED)
    points = choice.random(N if dimension is None else (N, dimension))
    first = points if dimension is None else points[:, 0]
    return points, (first >= 0.5) ^ (choice.random(N) < 0.2)


def library(name: str) -> Run:
    """One draw from a sample of which nothing was prepared."""
    H, dimension, size = INSTANCES[name]
    sample = ArraySample(*_setting(dimension))

    def run() -> tuple[int, int]:
        rng = SeededCoins(SEED)
        stable_draw(H, sample, size, DECAY, rng)
        return 1, 1

    return run


def array_operations(name: str) -> Run:
    """The same algorithm in floats, one pass over the sample for each candidate."""
    H, dimension, size = INSTANCES[name]
    points, labels = _setting(dimension)

    def run() -> tuple[int, int]:
        choice = np.random.default_rng(SEED)
        chosen = points[choice.choice(N, size, replace=False)]
        rows = chosen.tolist()
        candidates = H.representatives_on(map(tuple, rows) if dimension else rows)
        errors = np.array([np.count_nonzero(_labels(h, points) != labels) for h in candidates])
        weights = np.exp((errors - errors.min()) * math.log(DECAY))
        choice.choice(len(candidates), p=weights / weights.sum())
        return 1, 1

    return run


def _labels(h: Hypothesis, points: Floats) -> Labels:
    """Label all points, by what rounding makes of the hypothesis."""
    if isinstance(h, Threshold):
        return points >= float(h.cut)
    if isinstance(h, Stump):
        return (points[:, h.coordinate] >= float(h.cut)) ^ (not h.upward)
    if isinstance(h, Box):
        low, high = np.array(h.low, dtype=np.float64), np.array(h.high, dtype=np.float64)
        return np.asarray(((low <= points) & (points <= high)).all(axis=1))
    if isinstance(h, Halfspace):
        return np.asarray(points @ np.array(h.weights, dtype=np.float64) >= -float(h.bias))
    raise TypeError(h)
