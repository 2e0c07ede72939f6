"""Robust and perfect generalization of tables of laws: the library, and the definitions."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import chain, combinations

import numpy as np

from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution, Multiset, multiset_distribution
from pac_stability.notions.closeness import are_close
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.notions.robust_generalization import optimal_adversary
from tools.bench.measure import Run

SEED = 11
EPSILON = Fraction(1, 4)
DIGITS = 9  # after the point: what both must agree on

Type = Multiset[int]
Law = FiniteDistribution[object]


def reveal(sample: Type) -> Law:
    """The sample itself."""
    return FiniteDistribution.point_mass(sample)


def largest(sample: Type) -> Law:
    """The largest element: a deterministic learner."""
    return FiniteDistribution.point_mass(max(sample.support))


@cache
def _response(votes: int) -> Law:
    weights = [1 + votes * y % 7 for y in range(10)]
    return FiniteDistribution({y: Fraction(w, sum(weights)) for y, w in enumerate(weights)})


def respond(sample: Type) -> Law:
    """One of ten outputs, all possible on every sample."""
    return _response(7 * sample.count(0) + 3 * sample.count(1) + sample.count(2))


def choose(sample: Type) -> Law:
    """An exponential mechanism with ten outputs: each sample has a denominator of its own."""
    weights = {}
    for y in range(10):
        errors = sum(count for z, count in sample.items() if (37 * y + 11) >> z & 1)
        weights[y] = 5 ** (len(sample) - errors) * 6**errors
    return FiniteDistribution({y: Fraction(w, sum(weights.values())) for y, w in weights.items()})


ROBUST: dict[str, tuple[Callable[[Type], Law], int, int]] = {
    "identity, m=4 n=6": (reveal, 4, 6),
    "ten outputs, m=4 n=6": (respond, 4, 6),
    "identity, m=8 n=10": (reveal, 8, 10),
    "deterministic, m=8 n=10": (largest, 8, 10),
    "ten outputs, m=8 n=10": (respond, 8, 10),
    "exponential, m=8 n=10": (choose, 8, 10),
}


def _setting(
    name: str,
) -> tuple[FiniteDistribution[int], FiniteDistribution[Type], dict[Type, Law]]:
    """One draw, the types of samples, and the laws on them: what both sides are given."""
    mechanism, elements, n = ROBUST[name]
    total = elements * (elements + 1) // 2
    distribution = FiniteDistribution({z: Fraction(z + 1, total) for z in range(elements)})
    types = multiset_distribution(distribution, n)
    return distribution, types, {sample: mechanism(sample) for sample in types.support}


def robust(name: str) -> Run:
    """The best adversary, exactly; the work is pairs of a type and a test."""
    distribution, types, laws = _setting(name)

    def run() -> tuple[int, int]:
        best = optimal_adversary(laws, types, EPSILON)
        return round(best.failure * 10**DIGITS), len(laws) << (len(distribution) - 1)

    return run


def robust_arrays(name: str) -> Run:
    """The definition as matrix products in floats, for each output on the types it can follow."""
    distribution, types, laws = _setting(name)
    elements, n = distribution.support, ROBUST[name][2]

    def run() -> tuple[int, int]:
        counts = np.array([[sample.count(z) for z in elements] for sample in laws])
        tests = np.arange(1 << (len(elements) - 1))[:, None] >> np.arange(len(elements)) & 1
        masses = tests @ np.array([float(p) for _, p in distribution.items()])
        gaps = abs(counts @ tests.T / n - masses)
        fails = (gaps > float(EPSILON) + 1e-12).astype(float)
        joint: dict[object, tuple[list[int], list[float]]] = {}
        for row, (sample, law) in enumerate(laws.items()):
            weight = float(types.probability(sample))
            for output, p in law.items():
                rows, weights = joint.setdefault(output, ([], []))
                rows.append(row)
                weights.append(weight * float(p))
        best = sum((np.array(w) @ fails[rows]).max() for rows, w in joint.values())
        return round(float(best) * 10**DIGITS), 0

    return run


def robust_plain(name: str) -> Run:
    """The definition in fractions: for each output every test, and every type that fails it."""
    distribution, types, laws = _setting(name)
    elements, n = distribution.support, ROBUST[name][2]

    def run() -> tuple[int, int]:
        tests = chain.from_iterable(combinations(elements, k) for k in range(len(elements) + 1))
        best: dict[object, Fraction] = {}
        for test in tests:
            mass = sum(distribution.probability(z) for z in test)
            failures: dict[object, Fraction] = {}
            for sample, weight in types.items():
                if abs(Fraction(sum(sample.count(z) for z in test), n) - mass) > EPSILON:
                    for y, p in laws[sample].items():
                        failures[y] = failures.get(y, Fraction(0)) + weight * p
            for y, failure in failures.items():
                best[y] = max(best.get(y, Fraction(0)), failure)
        return round(sum(best.values()) * 10**DIGITS), 0

    return run


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


def perfect_plain(name: str) -> Run:
    """Every simulator at an end of what is close to a law, and every law close to it."""
    laws, samples = _coins(name)
    epsilon = Epsilon.exactly(FACTOR)

    def run() -> tuple[Fraction, int]:
        most = Fraction(0)
        for law in laws.values():
            p = law.probability(1)
            q = max((p - DELTA) / FACTOR, 1 - DELTA - FACTOR * (1 - p), Fraction(0))
            simulator = FiniteDistribution({0: 1 - q, 1: q})
            covered = (z for z, law in laws.items() if are_close(law, simulator, epsilon, DELTA))
            most = max(most, sum((samples.probability(z) for z in covered), Fraction(0)))
        return 1 - most, 0

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
