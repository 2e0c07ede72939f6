"""The law of the stable learner's choice: the compiled walk, all index subsets, all point sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.mechanisms import decay_for, error_counts
from pac_stability.papers.dagan_feldman._walks import prepare
from pac_stability.papers.dagan_feldman.selection import enclosed_selection
from tools.bench.baselines import plain_selection
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
    """Certified bounds of the whole law; the work is the number of sets and their prefixes."""
    return selected(INSTANCES[name])


def selected(instance: Instance) -> Run:
    """The same for any instance."""
    H, sample, decay = instance.setting()
    counted = prepare(H, sample, instance.subset_size, decay, None).walk
    while counted.advance(1e9):
        pass

    def run() -> tuple[int, int]:
        found = enclosed_selection(H, sample, instance.subset_size, decay)
        return round(found.probabilities([0])[0].lower * 10**DIGITS), counted.nodes

    return run


def plain(name: str) -> Run:
    """The definition, in floats."""
    instance = INSTANCES[name]
    H, sample, decay = instance.setting()
    rows = [tuple(row) for row in H.table.tolist()]
    weights = [float(decay) ** errors for errors in error_counts(H, sample).tolist()]

    def run() -> tuple[int, int]:
        law = plain_selection(rows, list(sample.points), weights, instance.subset_size)
        one = sum(p for p, row in zip(law, rows, strict=True) if row[0])
        return round(one * 10**DIGITS), 0

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
