"""Draws of the stable learner from a million examples: the library, and two ways of NumPy.

One compares the whole array with each candidate in turn; the other looks at each example once, sums
up what lies between the values of the subset, and reads the errors of all candidates off these
sums. Both draw by ``Generator.choice`` with float weights.
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
        elif isinstance(H, Stumps):
            excess = _of_stumps(points, chosen, signs)
        elif isinstance(H, Boxes):
            excess = _of_boxes(points, chosen, signs)
        else:
            excess = _of_halfspaces(H, points, chosen, signs)
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


def _of_boxes(points: Floats, chosen: Floats, signs: Floats) -> Floats:
    """Sums over all rectangles of a grid, one for each pattern."""
    sides, places = [], []
    for values, few in zip(points.T, chosen.T, strict=True):
        cuts = np.unique(few)
        # Even: between two values; odd: at one.
        places.append(
            np.searchsorted(cuts, values, "left") + np.searchsorted(cuts, values, "right")
        )
        low, high = np.triu_indices(len(cuts))
        inside = (cuts[low][:, None] <= few) & (few <= cuts[high][:, None])
        sides.append((2 * low + 1, 2 * high + 2, inside @ (1 << np.arange(len(few)))))
    width = 2 * len(chosen) + 1
    cells = np.bincount(places[0] * width + places[1], signs, width * width)
    before = np.zeros((width + 1, width + 1))
    before[1:, 1:] = cells.reshape(width, width).cumsum(axis=0).cumsum(axis=1)
    (left, right, across), (bottom, top, along) = sides
    found = (
        before[right][:, top] - before[left][:, top]
        - before[right][:, bottom] + before[left][:, bottom]
    )  # fmt: skip
    pattern = across[:, None] & along
    _, first = np.unique(pattern[pattern != 0], return_index=True)
    return np.append(found[pattern != 0][first], 0.0)


def _of_halfspaces(H: Family, points: Floats, chosen: Floats, signs: Floats) -> Floats:
    """One product for all candidates, block by block."""
    candidates = list(H.representatives_on(map(tuple, chosen.tolist())))
    weights = np.array([h.weights for h in candidates if isinstance(h, Halfspace)], dtype=float)
    least = np.array([-float(h.bias) for h in candidates if isinstance(h, Halfspace)])
    found = np.zeros(len(least))
    for start in range(0, N, 1 << 14):
        block = slice(start, start + (1 << 14))
        found += signs[block] @ (points[block] @ weights.T >= least)
    return found
