"""Draws of the stable learner from a million examples: the library, and NumPy in floats."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability.classes import (
    Family,
    Stumps,
    Thresholds,
)
from pac_stability.data import ArraySample
from pac_stability.mechanisms import decay_for
from pac_stability.papers.dagan_feldman.draws import stable_draw
from pac_stability.randomness import SeededCoins
from tools.bench.job import Job, informed
from tools.bench.measure import Run

N, SEED = 10**6, 13
DECAY = decay_for(Fraction(1, 100))

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]

# The class, its dimension (none for the line), and the size of a subset.
INSTANCES: dict[str, tuple[Family, int | None, int]] = {
    "thresholds, n' = 400": (Thresholds(), None, 400),
    "stumps of R^10, n' = 40": (Stumps(10), 10, 40),
    "stumps of R^10, n' = 400": (Stumps(10), 10, 400),
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


def sums(name: str) -> Run:
    """The same from sums of the labels between the values of the subset."""
    H, dimension, size = INSTANCES[name]
    points, labels = _setting(dimension)
    signs: Floats = np.where(labels, -1.0, 1.0)
    ones = int(labels.sum())

    def run() -> tuple[int, int]:
        choice = np.random.default_rng(SEED)
        chosen = points[choice.choice(N, size, replace=False)]
        if isinstance(H, Thresholds):
            excess = _above(points, np.unique(chosen), signs)
        else:
            excess = _of_stumps(points, chosen, signs)
        weights = np.exp((excess - excess.min()) * math.log(DECAY))
        choice.choice(len(excess), p=weights / weights.sum())
        # Errors are the ones, and what the labels of the points inside add.
        if excess.min() + ones < 0:
            raise SystemExit(f"{name}: fewer errors than none")
        return 1, 1

    return run


def _above(values: Floats, cuts: Floats, signs: Floats) -> Floats:
    """For each cut, and none: the signs of the examples at or above it."""
    between = np.bincount(np.searchsorted(cuts, values, "right"), signs, len(cuts) + 1)
    return np.append(between[::-1].cumsum()[::-1][1:], 0.0)


def _of_stumps(points: Floats, chosen: Floats, signs: Floats) -> Floats:
    """Both orientations of each cut that gives the subset a pattern of its own."""
    found, patterns = [], []
    total = signs.sum()
    for values, few in zip(points.T, chosen.T, strict=True):
        cuts = np.unique(few)
        above = _above(values, cuts, signs)
        found += [above, total - above]
        pattern = few >= np.append(cuts, np.inf)[:, None]
        patterns += [pattern, ~pattern]
    _, first = np.unique(np.packbits(np.concatenate(patterns), axis=1), axis=0, return_index=True)
    return np.asarray(np.concatenate(found)[first])


JOBS = {
    "draws-at-scale": Job(
        "One draw of the stable learner from 10^6 examples in arrays, nothing prepared: a random "
        "subset of n' examples, one hypothesis for each of its patterns, their errors on all "
        "examples, and an exact choice. Informed: floats, and sums of labels between the values of "
        "the subset, for all candidates at once.",
        INSTANCES,
        library,
        (informed(sums),),
    )
}
