"""Perfect generalization of tables of laws: the library, the definition, and NumPy in floats."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np

from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.notions.perfect_generalization import minimal_beta
from tools.bench.job import Job, informed
from tools.bench.measure import Run

SEED = 11

PERFECT = {"100 laws": 100, "1,000 laws": 1_000, "10,000 laws": 10_000}
FACTOR, DELTA = Fraction(3, 2), Fraction(1, 100)


def _coins(name: str) -> tuple[dict[int, FiniteDistribution[int]], FiniteDistribution[int]]:
    choice = random.Random(SEED)  # noqa: S311 - which laws they are is no secret
    laws = {}
    for sample in range(PERFECT[name]):
        a, b = choice.randint(1, 5**8), choice.randint(1, 5**8)
        laws[sample] = FiniteDistribution({0: Fraction(a, a + b), 1: Fraction(b, a + b)})
    return laws, FiniteDistribution.uniform(laws)


def perfect(name: str) -> Run:
    """The smallest beta for laws on two outcomes; the work is laws."""
    laws, samples = _coins(name)

    def run() -> tuple[Fraction, int]:
        found = minimal_beta(laws, samples, Epsilon.exactly(FACTOR), DELTA)
        if not isinstance(found.upper, Fraction):
            raise SystemExit("beta should be a fraction")
        return found.upper, len(laws)

    return run


def perfect_arrays(name: str) -> Run:
    """The same in floats, all laws at once for some simulators."""
    laws, _ = _coins(name)

    def run() -> tuple[Fraction, int]:
        p = np.array([float(law.probability(1)) for law in laws.values()])
        factor, delta, slack = float(FACTOR), float(DELTA), 1e-12
        simulators = np.maximum(np.maximum((p - delta) / factor, 1 - delta - factor * (1 - p)), 0)
        most = 0
        for q in np.array_split(simulators, max(1, len(p) // 100)):
            one, other = (
                p <= factor * q[:, None] + delta + slack,
                q[:, None] <= factor * p + delta + slack,
            )
            none, rest = (
                1 - p <= factor * (1 - q[:, None]) + delta + slack,
                1 - q[:, None] <= factor * (1 - p) + delta + slack,
            )
            most = max(most, int((one & other & none & rest).sum(axis=1).max()))
        return 1 - Fraction(most, len(p)), 0

    return run


JOBS = {
    "perfect": Job(
        "The smallest beta of perfect generalization for laws on two outcomes, each with a "
        "denominator of its own, by one sort; nodes are laws. Informed: NumPy in floats, every "
        "simulator at an end of the interval around a law.",
        PERFECT,
        perfect,
        (informed(perfect_arrays),),
    ),
}
