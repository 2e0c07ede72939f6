"""Classes without a table, against the tables of the same classes.

The runs of algorithm G on a table look at the whole support of the target for each state that comes
up, as they do where it is small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from pac_stability.papers.bun_livni_moran.streams.engine import StreamEngine, Words

from pac_stability.classes import (
    FiniteClass,
    ImplicitClass,
    affine_lines,
    implicit,
    intervals,
    parities,
    singletons,
    thresholds,
)
from pac_stability.data import Example, FiniteDistribution
from pac_stability.online.states import SoaStates
from pac_stability.papers.bun_livni_moran import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.rules import LARGE_SUPPORT, Chain
from pac_stability.papers.bun_livni_moran.tournaments.target import require_realizable
from pac_stability.randomness import SeededCoins
from tools.bench.measure import Run

SEED, RUNS, CONCEPT = 5, 200, 2


KINDS: dict[str, tuple[Callable[[int], FiniteClass], Callable[[int], ImplicitClass]]] = {
    "thresholds": (thresholds, implicit.thresholds),
    "singletons": (singletons, implicit.singletons),
    "intervals": (intervals, implicit.intervals),
    "parities": (parities, implicit.parities),
    "affine lines": (affine_lines, implicit.affine_lines),
}


def _pair(name: str) -> tuple[FiniteClass, ImplicitClass]:
    kind, size = name.split(", ")[1].split("(")
    table, closed_form = KINDS[kind]
    n = int(size.rstrip(")"))
    return table(n), closed_form(n)


NAMES = [
    "first predictor, thresholds(1024)",
    "first predictor, thresholds(4096)",
    "first predictor, intervals(64)",
    "first predictor, parities(10)",
    "first predictor, affine lines(11)",
    "G, singletons(32)",
    "G, singletons(64)",
    "G, singletons(256)",
]


def _predictor(H: FiniteClass | ImplicitClass) -> tuple[int, int]:
    states = SoaStates(H)
    f = states.predictor(states.start)
    return states.spaces.label(f, 0), states.spaces.points


def _learner(H: FiniteClass | ImplicitClass) -> GloballyStableLearner:
    # The proved sizes, where each player draws hundreds of examples.
    return GloballyStableLearner(H, "1/8", constants="proved")


def _target(n: int) -> FiniteDistribution[Example[int]]:
    return FiniteDistribution.uniform([Example(x, int(x == CONCEPT)) for x in range(n)])


def _runs(H: FiniteClass | ImplicitClass, n: int, large: int) -> tuple[int, int]:
    learner = _learner(H)
    rules = learner.rules()
    chain = Chain(rules, require_realizable(H, _target(n)), large=large)
    engine, coins = StreamEngine(rules, chain), SeededCoins(SEED)
    words = Words(coins)
    ends = Counter(engine.sampled(coins.below(learner.dimension + 1), words) for _ in range(RUNS))
    return ends.total(), RUNS


def library(name: str) -> Run:
    """The closed form, from nothing remembered; the work is columns, or runs."""
    _, H = _pair(name)
    if name.startswith("first"):
        return partial(_predictor, H)
    return partial(_runs, H, H.points, LARGE_SUPPORT)


def table(name: str) -> Run:
    """The table, from nothing remembered."""
    H, _ = _pair(name)
    if name.startswith("first"):
        return partial(_predictor, H)
    return partial(_runs, H, len(H.domain), 1 << 62)
