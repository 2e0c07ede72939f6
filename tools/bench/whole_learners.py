"""Algorithm M and the agnostic learner from end to end: as they are sized now, and as before.

Both draw the outputs of their runs from the law of one; the baseline has the paper's accounting,
with the repaired frequency, as all sizes had it before the sharp ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction

from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution
from pac_stability.learning import Mask
from pac_stability.papers.bun_livni_moran import (
    AgnosticPrivateLearner,
    ByLevelPrivateLearner,
    PrivateLearner,
    train_on_target,
)
from tools.bench.measure import Run

ROW, SEED = 1, 11
_ASKED = "1/4", "1/10", 1, "1/1000000"

INSTANCES: dict[str, tuple[Callable[[], FiniteClass], Fraction]] = {
    "M, singletons(8), d=1": (lambda: singletons(8), Fraction(0)),
    "M, thresholds(4), d=2": (lambda: thresholds(4), Fraction(0)),
    "M, thresholds(7), d=3": (lambda: thresholds(7), Fraction(0)),
    "M, thresholds(15), d=4": (lambda: thresholds(15), Fraction(0)),
    "agnostic, singletons(8), d=1": (lambda: singletons(8), Fraction(1, 5)),
    "agnostic, thresholds(4), d=2": (lambda: thresholds(4), Fraction(1, 5)),
}


# Class, and the points of the target.
BY_LAW: dict[str, tuple[int, tuple[int, ...]]] = {
    "M by law, thresholds(7), d=3": (7, tuple(range(7))),
    "M by law, thresholds(15), d=4": (15, tuple(range(15))),
    "M by law, thresholds(31) on 5 points, d=5": (31, (3, 9, 15, 21, 27)),
    "M by law, thresholds(31) on 10 points, d=5": (31, tuple(range(3, 31, 3))),
    "M by law, thresholds(63) on 3 points, d=6": (63, (15, 31, 47)),
}


def by_law(name: str) -> Run:
    """All runs at once, from the law of one."""
    return _by_level(name, by_law=True)


def run_by_run(name: str) -> Run:
    """The same runs, example by example."""
    return _by_level(name, by_law=False)


def _by_level(name: str, *, by_law: bool) -> Run:
    size, points = BY_LAW[name]
    H = thresholds(size)
    M = ByLevelPrivateLearner.of_class(H, *_ASKED)
    row = size // 2
    target = FiniteDistribution.uniform([Example(x, H(row, x)) for x in points])

    def run() -> tuple[int, int]:
        f = train_on_target(M, target, seed=SEED, by_law=by_law).hypothesis
        return sum(f(x) != H(row, x) for x in points), M.sample_size

    return run


def _target(H: FiniteClass, flipped: Fraction) -> FiniteDistribution[Example[Hashable]]:
    share = Fraction(1, len(H.domain))
    weights: dict[Example[Hashable], Fraction] = {
        Example(x, y): share * (1 - flipped if H(ROW, x) == y else flipped)
        for x in H.domain
        for y in (0, 1)
    }
    return FiniteDistribution({z: p for z, p in weights.items() if p})


def _errors(H: FiniteClass, f: Mask) -> int:
    """On how many points the output is not the hypothesis that the target has."""
    return sum(f(x) != H(ROW, x) for x in H.domain)


def sharp(name: str) -> Run:
    """By level, or with a promise; nodes are examples."""
    make, flipped = INSTANCES[name]
    H = make()
    target = _target(H, flipped)
    if flipped:
        agnostic = AgnosticPrivateLearner.with_promise(H, *_ASKED)
        return lambda: (
            _errors(H, train_on_target(agnostic, target, seed=SEED).hypothesis),
            agnostic.sample_size,
        )
    M = ByLevelPrivateLearner.of_class(H, *_ASKED)
    return lambda: (
        _errors(H, train_on_target(M, target, seed=SEED).hypothesis),
        M.sample_size,
    )


def as_before(name: str) -> Run:
    """With the paper's accounting."""
    make, flipped = INSTANCES[name]
    H = make()
    target = _target(H, flipped)
    if flipped:
        agnostic = AgnosticPrivateLearner.of_class(H, *_ASKED, constants="proved")
        return lambda: (
            _errors(H, train_on_target(agnostic, target, seed=SEED).hypothesis),
            agnostic.sample_size,
        )
    M = PrivateLearner.of_class(H, *_ASKED, constants="proved")
    return lambda: (
        _errors(H, train_on_target(M, target, seed=SEED).hypothesis),
        M.sample_size,
    )
