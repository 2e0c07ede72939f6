"""How time grows: sizes double until a run takes longer than the limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from pac_stability import audit, dimensions
from pac_stability.classes import FiniteClass, Thresholds, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.dimensions import Bounds
from pac_stability.papers.bun_livni_moran import TournamentDistribution
from pac_stability.papers.dagan_feldman.additive import additive_selection
from tools.bench import selections
from tools.bench.audits import TabulatedPredictor
from tools.bench.measure import Run

SEED = 13


@dataclass(frozen=True)
class Series:
    """One job at many sizes, up to where it ends."""

    axis: str
    sizes: tuple[int, ...]
    job: Callable[[int], Run]


def _dimension(
    search: Callable[[FiniteClass], Bounds[object]], rows: int, columns: int, density: float
) -> Run:
    choice = np.random.default_rng(SEED)
    H = FiniteClass((choice.random((rows, columns)) < density).astype(np.uint8))

    def run() -> tuple[int, int]:
        found = search(H)
        return found.value, found.nodes

    return run


def _square(density: float, n: int) -> Run:
    return _dimension(dimensions.littlestone, n, n // 16, density)


def _audit(n: int) -> Run:
    predictor = TabulatedPredictor(4, n)
    return lambda: (0, audit.private_prediction(predictor, 4, n).counts.pairs)


def _additive(n: int) -> Run:
    choice = np.random.default_rng(SEED)
    labels = (np.arange(n) >= 2 * n // 5) ^ (choice.random(n) < 0.1)
    sample: Sample[int] = Sample(range(n), labels.astype(int).tolist())

    def run() -> tuple[int, int]:
        loss = additive_selection(Thresholds(), sample, n // 10, Fraction(9, 10)).loss(sample)
        return round(float(loss) * 10**6), n

    return run


def _selection(points: int) -> Run:
    instance = selections.Instance(500, points, (1,), points // 2)
    return selections.selected(instance)


def _law(size: int) -> Run:
    H = thresholds(size)
    target = FiniteDistribution.uniform([Example(x, H(size // 2, x)) for x in range(size)])

    def run() -> tuple[Fraction, int]:
        D = TournamentDistribution(H, target, k=2, n=2, threshold=1)
        return D.highest_frequency, D.state_count

    return run


_DOUBLING = tuple(1 << i for i in range(7, 17))

SERIES = {
    **{
        f"Littlestone, n x n/16, density {density}": Series(
            "n", _DOUBLING, partial(_square, density)
        )
        for density in (0.5, 0.25, 0.1)
    },
    "VC, 512 x m, density 0.5": Series(
        "m", (16, 32, 64, 128, 256), lambda m: _dimension(dimensions.vc, 512, m, 0.5)
    ),
    "VC, n x 64, density 0.5": Series(
        "n", _DOUBLING, lambda n: _dimension(dimensions.vc, n, 64, 0.5)
    ),
    "threshold dimension, n x n, density 0.5": Series(
        "n", (16, 32, 64, 128, 256), lambda n: _dimension(dimensions.threshold, n, n, 0.5)
    ),
    "audit, 4 points, n examples": Series("n", (2, 4, 8, 16), _audit),
    "exact law of A^sta, m points, n' = m/2": Series("m", (6, 12, 18, 24), _selection),
    "A^sta on thresholds, n examples, n' = n/10": Series(
        "n", (500, 1000, 2000, 4000, 8000, 16000, 32000), _additive
    ),
    "law of two tournaments, thresholds(n)": Series("n", (8, 16, 32, 64, 128), _law),
}

NAMES = [
    f"{name}: {series.axis} = {size}" for name, series in SERIES.items() for size in series.sizes
]


def series_of(name: str) -> str:
    """The series of an instance."""
    return name.rpartition(": ")[0]


def size_of(name: str) -> int:
    """Its size."""
    return int(name.rpartition(" = ")[2])


def library(name: str) -> Run:
    """The job at one size."""
    return SERIES[series_of(name)].job(size_of(name))
