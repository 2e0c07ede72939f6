"""How cost grows: jobs on four doublings of their size or more, beside a peer where one is."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from pac_stability.arithmetic import Epsilon
from pac_stability.audit import private_prediction
from pac_stability.classes import FiniteClass, ImplicitClass, from_spec, implicit, thresholds
from pac_stability.compression import AdaptiveSession, ThresholdScheme
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.dimensions import LittlestoneSearch, VCSearch
from pac_stability.estimators import FeatureBounds, PrunedTreeClassifier, SparseHalfspaceClassifier
from pac_stability.notions.perfect_generalization import minimal_beta
from pac_stability.online.soa import SoaStates
from pac_stability.papers.bun_livni_moran.agnostic_accuracy import AgnosticPromise
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from pac_stability.randomness import ExactGenerator
from tools.bench.job import Baseline, Job, Program, informed
from tools.bench.measure import Run

SEED = 11


def _sized(sizes: dict[str, int], run_of: Callable[[int], Run]) -> Program:
    return lambda name: run_of(sizes[name])


# Audits of what users write, on two points: a law, a draw, a comparison, and scattered answers


def _share(sample: Sample[int]) -> Fraction:
    return Fraction(1 + sum(sample.labels), len(sample) + 2)


def _law(sample: Sample[int], _point: int) -> Fraction:
    return _share(sample)


def _tape(sample: Sample[int], _point: int, rng: ExactGenerator) -> bool:
    return rng.below(len(sample) + 2) < 1 + sum(sample.labels)


def _draft(sample: Sample[int], _point: int, rng: ExactGenerator) -> bool:
    return rng.random() < (1 + sum(sample.labels)) / (len(sample) + 2)


def _scattered(sample: Sample[int], point: int) -> Fraction:
    number = sum((2 * z.point + z.label) * 4**place for place, z in enumerate(sample))
    return Fraction(1 + number * 997 % 4**8 + point, 4**9)


def _audited(program: Callable[..., object], n: int) -> Run:
    def run() -> tuple[None, int]:
        return None, private_prediction(program, 2, n, processes=1).counts.pairs

    return run


def _in_arrays(law: Callable[[Sample[int], int], Fraction], n: int) -> Run:
    """The same in floats: all samples in an array, replacements along its axes."""
    samples = [
        Sample([z >> 1 for z in kind], [z & 1 for z in kind])
        for kind in itertools.product(range(4), repeat=n)
    ]

    def run() -> tuple[None, int]:
        p = np.array([[float(law(S, x)) for x in (0, 1)] for S in samples]).reshape(*[4] * n, 2)
        for axis in range(n):
            for q in (p, 1 - p):
                (q.max(axis) / q.min(axis)).max()
        return None, 0

    return run


SAMPLES = {f"{4**n:,} samples": n for n in (3, 4, 5, 6)}
FEW = {f"{4**n} samples": n for n in (1, 2)}  # what does not grow


def _audit(what: str, program: Callable[..., object], law: Callable[..., Fraction]) -> Job:
    return Job(
        f"Private prediction of {what}, two points; nodes are pairs. Informed: the same program "
        "without coins in floats, and NumPy for the pairs.",
        SAMPLES, _sized(SAMPLES, partial(_audited, program)),
        (informed(_sized(SAMPLES, partial(_in_arrays, law))),),
        sizes={name: 4**n for name, n in SAMPLES.items()},
    )  # fmt: skip


# Sizes of M, whose terms grow with 1/epsilon

EPSILONS = {f"epsilon = 1/{2 * 8**k:,}": 2 * 8**k for k in range(5)}


def _sizes(inverse: int) -> Run:
    tenth, fresh = Fraction(1, 10), itertools.count(1)  # none is remembered

    def run() -> tuple[None, int]:
        epsilon = Epsilon(Fraction(1, inverse) + Fraction(1, inverse * (10**6 + next(fresh))))
        return None, PrivateLearnerSizes(1, 2 * tenth, tenth, epsilon, tenth**6).sample_size

    return run


def _promise(inverse: int) -> Run:
    quarter, fresh = Fraction(1, 4), itertools.count(1)

    def run() -> tuple[None, int]:
        beta = Fraction(1, 10) + Fraction(1, 10**6 + next(fresh))
        asked = AgnosticPromise(1, 1, quarter, beta, Epsilon(Fraction(1, inverse)), quarter**10)
        return None, asked.sample_size

    return run


# Sessions and classifiers on tables of rows

ROWS = {f"{n:,} rows": n for n in (8_000, 16_000, 32_000, 64_000, 128_000)}


def _session(n: int) -> Run:
    choice = random.Random(SEED)  # noqa: S311  # which rows they are is no secret
    rows = Sample(
        [choice.randrange(100) for _ in range(n)], [choice.getrandbits(1) for _ in range(n)]
    )

    def run() -> tuple[None, int]:
        session = AdaptiveSession(rows, Fraction(1, 20))
        session.ask(ThresholdScheme(), relabel=lambda z: Example(z.point, 1 - z.label))
        return None, n

    return run


def _session_in_arrays(n: int) -> Run:
    choice = np.random.default_rng(SEED)
    points, labels = choice.integers(0, 100, n), choice.integers(0, 2, n)

    def run() -> tuple[None, int]:
        order = np.argsort(points)
        np.cumsum(2 * (1 - labels[order]) - 1).argmin()
        return None, 0

    return run


def _fit(model: BaseEstimator, n: int) -> Run:
    choice = np.random.default_rng(SEED)
    X = choice.normal(size=(n, 10)).clip(-3, 3)
    y = X[:, 0] + X[:, 1] * X[:, 2] > 0
    return lambda: (model.fit(X, y) and None, n)


GRID = FeatureBounds([-3] * 10, [3] * 10)
FITS = {
    "trees": (PrunedTreeClassifier(1, grid=GRID), DecisionTreeClassifier(max_depth=3)),
    "sparse": (SparseHalfspaceClassifier(1, grid=GRID), LogisticRegression()),
}

# Perfect generalization of tables of laws: of two outcomes, and of three

FACTOR, DELTA = Fraction(3, 2), Fraction(1, 100)
LAWS = {f"{100 * 4**k:,} laws": 100 * 4**k for k in range(5)}
THREE = {f"{10 * 4**k:,} laws": 10 * 4**k for k in range(6)}


def _laws(outcomes: int, count: int) -> dict[int, FiniteDistribution[int]]:
    choice = random.Random(SEED)  # noqa: S311  # which laws they are is no secret
    drawn = [[choice.randint(1, 5**8) for _ in range(outcomes)] for _ in range(count)]
    return {
        sample: FiniteDistribution({y: Fraction(w, sum(weights)) for y, w in enumerate(weights)})
        for sample, weights in enumerate(drawn)
    }


def _perfect(outcomes: int, count: int) -> Run:
    laws = _laws(outcomes, count)
    samples = FiniteDistribution.uniform(laws)

    def run() -> tuple[Fraction | None, int]:
        found = minimal_beta(laws, samples, Epsilon.exactly(FACTOR), DELTA).upper
        return found if outcomes == 2 and isinstance(found, Fraction) else None, count

    return run


def _perfect_in_arrays(count: int) -> Run:
    """The same in floats: every simulator at an end of what is close to a law."""
    laws = _laws(2, count)

    def run() -> tuple[Fraction, int]:
        p = np.array([float(law.probability(1)) for law in laws.values()])
        factor, delta = float(FACTOR), float(DELTA)
        simulators = np.maximum(np.maximum((p - delta) / factor, 1 - delta - factor * (1 - p)), 0)
        above = delta + 1e-12
        most = 0
        for q in np.array_split(simulators[:, None], max(1, count // 100)):
            close = (p <= factor * q + above) & (q <= factor * p + above)
            close &= (1 - p <= factor * (1 - q) + above) & (1 - q <= factor * (1 - p) + above)
            most = max(most, int(close.sum(axis=1).max()))
        return 1 - Fraction(most, count), 0

    return run


# Searches on random tables, and a class without a table against its table


PRIMES = {f"modulo {p}": p for p in (67, 101, 151, 223)}
GRIDS = {f"{n} x {n}": n for n in (5, 7, 10, 14)}


def _squares(p: int) -> Run:
    known = {x * x % p for x in range(1, p)}
    H = FiniteClass([[int((i - j) % p in known) for j in range(p)] for i in range(p)])

    def run() -> tuple[int, int]:
        found = VCSearch(H).run()
        return found.value, found.nodes

    return run


def _halfspaces(n: int) -> Run:
    return lambda: (None, len(from_spec(f"halfspaces:{n},2")))


def _searched(search: Callable[[FiniteClass], LittlestoneSearch | VCSearch], name: str) -> Run:
    H = from_spec(name)

    def run() -> tuple[int, int]:
        found = search(H).run()
        return found.lower, found.nodes

    return run


TABLES = {f"random:{n}x{n // 16}:0.5": n * n for n in (512, 1024, 2048, 4096, 8192)}
COLUMNS = {f"random:{n}x64:0.5": n for n in (64, 128, 256, 512, 1024)}
LINES = {f"thresholds({n})": n for n in (256, 512, 1024, 2048, 4096)}


def _predictor(made: Callable[[int], FiniteClass | ImplicitClass], n: int) -> Run:
    H = made(n)

    def run() -> tuple[int, int]:
        states = SoaStates(H)
        return states.spaces.label(states.predictor(states.start), 0), states.spaces.points

    return run


JOBS = {
    "laws": _audit("a function that returns the probability", _law, _law),
    "tapes": _audit("a program that draws one of several", _tape, _law),
    "drafts": _audit("a program that compares `rng.random()` with a float", _draft, _law),
    "scattered": _audit("a function whose answers all differ", _scattered, _scattered),
    "sizes": Job(
        "The sample size of M by its formulas, d = 1, at a new epsilon each time; nodes are "
        "examples.",
        EPSILONS, _sized(EPSILONS, _sizes), (), sizes=EPSILONS,
    ),
    "sessions": Job(
        "One question of an adaptive session, on labels that are flipped, 100 points; nodes are "
        "rows. Informed: the threshold of fewest errors in NumPy, without its bound.",
        ROWS, _sized(ROWS, _session), (informed(_sized(ROWS, _session_in_arrays)),), sizes=ROWS,
    ),
    **{
        name: Job(
            f"`{type(ours).__name__}.fit` on ten columns; nodes are rows. scikit-learn: "
            f"`{type(theirs).__name__}`, not private.",
            ROWS, _sized(ROWS, partial(_fit, ours)),
            (Baseline("scikit-learn", _sized(ROWS, partial(_fit, theirs))),), sizes=ROWS,
        )
        for name, (ours, theirs) in FITS.items()
    },
    "perfect": Job(
        "The smallest beta of perfect generalization for laws on two outcomes, each with a "
        "denominator of its own, by one sort; nodes are laws. Informed: "
        "every simulator at an end of what is close to a law, in NumPy's floats.",
        LAWS, _sized(LAWS, partial(_perfect, 2)),
        (informed(_sized(LAWS, _perfect_in_arrays), [*LAWS][:4]),), sizes=LAWS,
    ),
    "three-outcomes": Job(
        "The same for laws on three outcomes, by a sweep over polygons, exact; nodes are laws.",
        THREE, _sized(THREE, partial(_perfect, 3)), (), sizes=THREE,
    ),
    "littlestone-growth": Job(
        "The Littlestone dimension of random tables, of which the size is the square of the rows.",
        TABLES, partial(_searched, LittlestoneSearch), (), sizes=TABLES,
    ),
    "vc-growth": Job(
        "The VC dimension of random tables of 64 columns.",
        COLUMNS, partial(_searched, VCSearch), (), sizes=COLUMNS,
    ),
    "implicit": Job(
        "Classes without a table, against the tables of the same classes: the first predictor of "
        "the standard optimal algorithm. Nothing is remembered from before. Nodes are columns.",
        LINES, _sized(LINES, partial(_predictor, implicit.thresholds)),
        (Baseline("table", _sized(LINES, partial(_predictor, thresholds))),), sizes=LINES,
    ),
    "squares": Job(
        "The VC dimension of the squares modulo a prime, moved by every number: 6 modulo 223.",
        PRIMES, _sized(PRIMES, _squares), (), sizes=PRIMES,
    ),
    "halfspaces": Job(
        "Building the table of all halfspaces on a square grid; nodes are hypotheses.",
        GRIDS, _sized(GRIDS, _halfspaces), (), sizes=GRIDS,
    ),
    "promises": Job(
        "The sample size of the agnostic private learner with a promise, d = 1, at a new beta each "
        "time; nodes are examples.",
        EPSILONS, _sized(EPSILONS, _promise), (), sizes=EPSILONS,
    ),
    "few": Job(
        "The smallest audits of a function: gates, watching, the reading of the program and the "
        "result, which do not grow. Informed: as for laws.",
        FEW, _sized(FEW, partial(_audited, _law)),
        (informed(_sized(FEW, partial(_in_arrays, _law))),),
    ),
}  # fmt: skip
