"""The selection of the stable learner where it is found in polynomial time.

On thresholds by definition and as array operations; on intervals, and on stumps in the plane, by
definition: the sum over all sets of points that can be hit, in fractions.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pac_stability.classes import Family, Intervals, Stumps, Thresholds
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import (
    additive_selection,
    exact_selection,
    interval_predictions,
    stump_selection,
)
from tools.bench.measure import Run

SEED, NOISE = 13, 0.1
STEP, LOWEST, HIGHEST = 0.3, 1e-11, 40.0

# Size of the sample, of the subset, and the decay.
INSTANCES: dict[str, tuple[int, int, Fraction]] = {
    "n=20 n'=5 decay 0.9": (20, 5, Fraction(9, 10)),
    "n=300 n'=40 decay 0.9": (300, 40, Fraction(9, 10)),
    "n=3000 n'=400 decay 0.98": (3000, 400, Fraction(98, 100)),
    "n=3000 n'=400 decay 0.9": (3000, 400, Fraction(9, 10)),
    "n=3000 n'=400 decay 0.6": (3000, 400, Fraction(6, 10)),
    "n=3000 n'=400 epsilon 20": (3000, 400, Fraction(1, 22026)),
    "n=12000 n'=1200 decay 0.95": (12000, 1200, Fraction(95, 100)),
}

# How many points, each ten times, of how many n' are drawn, and the decay.
FAMILIES: dict[str, tuple[Family, int, int, Fraction]] = {
    "intervals, 10 points, n'=80": (Intervals(), 10, 80, Fraction(1, 4)),
    "stumps in the plane, 10 points, n'=80": (Stumps(2), 10, 80, Fraction(1, 4)),
}
NAMES = [*INSTANCES, *FAMILIES]


def _labels(n: int) -> list[int]:
    rng = np.random.default_rng(SEED)
    return [int(label) for label in (np.arange(n) >= 2 * n // 5) ^ (rng.random(n) < NOISE)]


def _few_points(name: str) -> tuple[Family, Sample[Hashable], int, Fraction]:
    H, points, size, decay = FAMILIES[name]
    rng = np.random.default_rng(SEED)
    at = [*range(points)] * 10
    labels = [int(3 * x >= points > 3 * x - points) ^ int(rng.random() < NOISE) for x in at]
    if isinstance(H, Stumps):
        labels = [int(2 * x >= points) ^ int(rng.random() < NOISE) for x in at]
        return H, Sample([(x, 7 * x % points) for x in at], labels), size, decay
    return H, Sample(at, labels), size, decay


def _on_families(name: str) -> Run:
    H, sample, size, decay = _few_points(name)
    predicted = stump_selection if isinstance(H, Stumps) else interval_predictions

    def run() -> tuple[int, int]:
        return round(float(predicted(H, sample, size, decay).loss(sample)) * 1000), len(sample)

    return run


def _over_sets(name: str) -> Run:
    """The expected loss in thousandths, from the law in fractions."""
    H, sample, size, decay = _few_points(name)

    def run() -> tuple[int, int]:
        law = exact_selection(H, sample, size, decay)
        loss = sum(p * sum(h(z.point) != z.label for z in sample) for h, p in law.items())
        return round(float(loss) / len(sample) * 1000), len(sample)

    return run


def library(name: str) -> Run:
    """The expected loss from its enclosure: in millionths, on families in thousandths."""
    if name in FAMILIES:
        return _on_families(name)
    n, size, decay = INSTANCES[name]
    sample: Sample[Hashable] = Sample(range(n), _labels(n))

    def run() -> tuple[int, int]:
        loss = additive_selection(Thresholds(), sample, size, decay).loss(sample)
        return round(float(loss) * 10**6), n

    return run


def arrays(name: str) -> Run:
    """The same sum of exponentials with vectors of states, one for each point, forth and back."""
    n, size, decay = INSTANCES[name]
    labels = np.array(_labels(n))
    wrong = np.append(0, np.cumsum(labels)) + np.append(np.cumsum((1 - labels)[::-1])[::-1], 0)
    weights = float(decay) ** (wrong - wrong.min())

    def run() -> tuple[int, int]:
        loss, nodes = 0.0, 0
        t = LOWEST / weights.sum()
        while True:
            value, mass = _at_node(t, size, weights, wrong)
            loss += STEP * t * value
            nodes += 1
            # The sum over all hypotheses approaches 1.
            if t > 1 and STEP * t * mass < 1e-12:
                break
            t *= math.exp(STEP)
        return round(loss / n * 10**6), n

    return run


def _at_node(
    t: float,
    size: int,
    weights: npt.NDArray[np.float64],
    wrong: npt.NDArray[np.int64],
) -> tuple[float, float]:
    """The expectation of e**(-t Z) times the errors, and times the number, of what is collected."""
    n, states = len(weights) - 1, np.arange(size + 1)
    factors = np.exp(-t * weights)
    forward = np.zeros((n + 1, size + 1))
    forward[0, 0] = 1
    for j in range(n):
        share = np.clip((size - states) / (n - j), 0, 1)
        hits = forward[j] * share
        forward[j + 1] = forward[j] * (1 - share)
        forward[j + 1, 1:] += factors[j] * hits[:-1]
        forward[j + 1, size] += (factors[j + 1] - 1) * factors[j] * hits[size - 1]
    backward = np.zeros(size + 1)
    backward[size] = 1
    value = mass = 0.0
    for j in range(n - 1, -1, -1):
        share = np.clip((size - states) / (n - j), 0, 1)
        after = np.append(backward[1:], 0) * factors[j]
        after[size - 1] *= factors[j + 1]
        used = forward[j] * share * after
        total = used.sum()
        value += weights[j] * wrong[j] * total + weights[j + 1] * wrong[j + 1] * used[size - 1]
        mass += weights[j] * total + weights[j + 1] * used[size - 1]
        backward = (1 - share) * backward + share * after
    return value, mass


def plain(name: str) -> Run:
    """The definition: every index subset, in floats; on families every set of points."""
    if name in FAMILIES:
        return _over_sets(name)
    n, size, decay = INSTANCES[name]
    labels = _labels(n)
    wrong = [sum(y != (x >= cut) for x, y in enumerate(labels)) for cut in range(n + 1)]
    weights = [float(decay) ** errors for errors in wrong]

    def run() -> tuple[int, int]:
        loss = 0.0
        for chosen in combinations(range(n), size):
            # A cut at each example that was chosen, and one after the last of them.
            cuts = (*chosen, chosen[-1] + 1)
            mass = sum(weights[cut] for cut in cuts)
            loss += sum(weights[cut] * wrong[cut] for cut in cuts) / mass
        return round(loss / n / math.comb(n, size) * 10**6), n

    return run
