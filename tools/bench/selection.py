"""The law of the stable learner's choice: over all sets, and for thresholds much faster."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability.classes import FiniteClass, Thresholds
from pac_stability.data import Sample
from pac_stability.mechanisms import decay_for, error_counts
from pac_stability.papers.dagan_feldman import additive_selection
from pac_stability.papers.dagan_feldman.selection import enclosed_selection
from tools.bench.job import Job, informed
from tools.bench.measure import Run

SEED = 13
DIGITS = 9  # after the point: what both must agree on


@dataclass(frozen=True)
class Instance:
    """A random class, and a sample of its points with these multiplicities in turn."""

    hypotheses: int
    points: int
    multiplicities: tuple[int, ...]
    subset_size: int

    def setting(self) -> tuple[FiniteClass, Sample[int], Fraction]:
        """The class, the sample, and the decay."""
        choice = np.random.default_rng(SEED)
        H = FiniteClass(choice.integers(0, 2, (self.hypotheses, self.points)))
        times = self.multiplicities * self.points
        points = [x for x in range(self.points) for _ in range(times[x])]
        return H, Sample(points, choice.integers(0, 2, len(points))), decay_for(1.0)


INSTANCES = {
    "|H|=200 m=8 n=16 n'=8": Instance(200, 8, (2,), 8),
    "|H|=300 m=8 n=20 n'=8": Instance(300, 8, (2, 3), 8),
    "|H|=500 m=20 n=20 n'=10": Instance(500, 20, (1,), 10),
    "|H|=500 m=20 n=39 n'=10": Instance(500, 20, (1, 2, 3), 10),
    "|H|=500 m=20 n=39 n'=20": Instance(500, 20, (1, 2, 3), 20),
}


def library(name: str) -> Run:
    """Certified bounds of the whole law."""
    instance = INSTANCES[name]
    H, sample, decay = instance.setting()

    def run() -> tuple[int, int]:
        found = enclosed_selection(H, sample, instance.subset_size, decay)
        return round(found.probabilities([0])[0].lower * 10**DIGITS), 0

    return run


def point_sets(name: str) -> Run:
    """Once for each set of distinct points, with the number of index subsets that hit just it."""
    instance = INSTANCES[name]
    H, sample, decay = instance.setting()
    multiplicities = [sample.points.count(x) for x in range(instance.points)]
    codes = H.table @ (1 << np.arange(instance.points))
    weights = float(decay) ** np.asarray(error_counts(H, sample), dtype=np.float64)
    ones = weights * H.table[:, 0]

    def run() -> tuple[int, int]:
        size = instance.subset_size
        ways = np.zeros((1, size + 1))
        ways[0, 0] = 1
        for copies in multiplicities:
            hit = np.zeros_like(ways)
            for taken in range(1, min(copies, size) + 1):
                hit[:, taken:] += math.comb(copies, taken) * ways[:, : size + 1 - taken]
            ways = np.concatenate([ways, hit])
        shares = ways[:, size] / math.comb(len(sample), size)
        one = 0.0
        for points in np.flatnonzero(shares):
            _, first = np.unique(codes & points, return_index=True)
            one += shares[points] * ones[first].sum() / weights[first].sum()
        return round(one * 10**DIGITS), 0

    return run


# Size of the sample, of the subset, and the decay.
LINES: dict[str, tuple[int, int, Fraction]] = {
    "n=20 n'=5 decay 0.9": (20, 5, Fraction(9, 10)),
    "n=300 n'=40 decay 0.9": (300, 40, Fraction(9, 10)),
    "n=3000 n'=400 decay 0.98": (3000, 400, Fraction(98, 100)),
    "n=3000 n'=400 decay 0.9": (3000, 400, Fraction(9, 10)),
    "n=3000 n'=400 decay 0.6": (3000, 400, Fraction(6, 10)),
    "n=3000 n'=400 epsilon 20": (3000, 400, Fraction(1, 22026)),
    "n=12000 n'=1200 decay 0.95": (12000, 1200, Fraction(95, 100)),
}


def _labels(n: int) -> list[int]:
    rng = np.random.default_rng(SEED)
    return [int(label) for label in (np.arange(n) >= 2 * n // 5) ^ (rng.random(n) < 0.1)]


def enclosed(name: str) -> Run:
    """The expected loss from its enclosure, in millionths."""
    n, size, decay = LINES[name]
    sample: Sample[int] = Sample(range(n), _labels(n))

    def run() -> tuple[int, int]:
        loss = additive_selection(Thresholds(), sample, size, decay).loss(sample)
        return round(float(loss) * 10**6), n

    return run


def arrays(name: str) -> Run:
    """The same sum of exponentials with vectors of states, one for each point, forth and back."""
    n, size, decay = LINES[name]
    labels = np.array(_labels(n))
    wrong = np.append(0, np.cumsum(labels)) + np.append(np.cumsum((1 - labels)[::-1])[::-1], 0)
    weights = float(decay) ** (wrong - wrong.min())

    def run() -> tuple[int, int]:
        loss, t = 0.0, 1e-11 / weights.sum()
        while True:
            value, mass = _at_node(t, size, weights, wrong)
            loss += 0.3 * t * value
            # The sum over all hypotheses approaches 1.
            if t > 1 and 0.3 * t * mass < 1e-12:
                break
            t *= math.exp(0.3)
        return round(loss / n * 10**6), 0

    return run


def _at_node(
    t: float, size: int, weights: npt.NDArray[np.float64], wrong: npt.NDArray[np.int64]
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


JOBS = {
    "selection": Job(
        "The law of the hypothesis that the stable learner draws, in certified bounds; the value "
        "is a probability, in billionths. Informed: NumPy, once for each set of distinct points.",
        INSTANCES,
        library,
        (informed(point_sets),),
    ),
    "additive": Job(
        "The same law for thresholds in polynomial time, certified, with labels wrong one time in "
        "ten; the value is the loss on the sample in millionths, nodes are examples. "
        "Informed: the same sum of exponentials, states in vectors "
        "of NumPy.",
        LINES,
        enclosed,
        (informed(arrays),),
    ),
}
