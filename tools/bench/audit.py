"""Private prediction of a tabulated predictor: the library, the definition, and NumPy in floats."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

import numpy as np

from pac_stability.audit import private_prediction
from pac_stability.data import Sample, all_examples, neighbouring_pairs
from tools.bench.job import Job, definition, informed
from tools.bench.measure import Run

SEED = 5
DENOMINATOR = 1000


class TabulatedPredictor:
    """Random probabilities, looked up by the type of the sample.

    Parameters
    ----------
    points
        How many points there are.
    n
        The size of the samples.
    """

    symmetric = True

    def __init__(self, points: int, n: int) -> None:
        choice = random.Random(SEED)  # noqa: S311 - which predictor it is is no secret
        pairs = [(z.point, z.label) for z in all_examples(range(points))]
        self.table = {
            kind: [Fraction(choice.randrange(1, DENOMINATOR), DENOMINATOR) for _ in range(points)]
            for kind in combinations_with_replacement(pairs, n)
        }

    def probabilities(self, sample: Sample[int], _points: Sequence[int], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        return self.table[tuple(sorted(zip(sample.points, sample.labels, strict=True)))]


INSTANCES = {"4 points, n = 5": (4, 5), "4 points, n = 6": (4, 6), "6 points, n = 4": (6, 4)}


def library(name: str) -> Run:
    """The audit: the factor e**epsilon, and how many pairs were examined."""
    points, n = INSTANCES[name]
    predictor = TabulatedPredictor(points, n)

    def run() -> tuple[Fraction, int]:
        result = private_prediction(predictor, points, n)
        if not isinstance(result.value, Fraction):
            raise SystemExit("the value should be a fraction")
        return result.value, result.counts.pairs

    return run


def plain(name: str) -> Run:
    """The definition: pair by pair, point by point."""
    points, n = INSTANCES[name]
    predictor = TabulatedPredictor(points, n)
    domain = range(points)

    def run() -> tuple[Fraction, int]:
        best, pairs = Fraction(1), 0
        for sample, neighbour in neighbouring_pairs(all_examples(domain), n, up_to_order=True):
            ours = predictor.probabilities(sample, domain)
            theirs = predictor.probabilities(neighbour, domain)
            for p, q in zip(ours, theirs, strict=True):
                best = max(best, p / q, (1 - p) / (1 - q))
            pairs += 1
        return best, pairs

    return run


def arrays(name: str) -> Run:
    """The same in floats: types as numbers in base n + 1, all pairs of a replacement at once."""
    points, n = INSTANCES[name]
    predictor = TabulatedPredictor(points, n)
    kinds = 2 * points

    def run() -> tuple[Fraction, int]:
        table = np.array([[float(p) for p in row] for row in predictor.table.values()])
        places = (n + 1) ** np.arange(kinds)
        members = np.array([[2 * x + y for x, y in kind] for kind in predictor.table])
        codes = places[members].sum(axis=1)
        order = np.argsort(codes)
        table, codes = table[order], codes[order]
        best, pairs = 1.0, 0
        for gone, come in permutations(range(kinds), 2):
            ours = np.flatnonzero(codes // places[gone] % (n + 1))
            theirs = np.searchsorted(codes, codes[ours] - places[gone] + places[come])
            p, q = table[ours], table[theirs]
            best = max(best, float((p / q).max()), float(((1 - p) / (1 - q)).max()))
            pairs += len(ours)
        return Fraction(best).limit_denominator(DENOMINATOR**2), pairs

    return run


JOBS = {
    "audit": Job(
        "Private prediction of a predictor that looks its exact probabilities up in a table; "
        "nodes are pairs. Definition: a loop over every ordered pair of neighbours and every "
        "point, with fractions. Informed: NumPy in floats, each kind of replacement at once, "
        "given the table without asking.",
        INSTANCES,
        library,
        (definition(plain), informed(arrays)),
    )
}
