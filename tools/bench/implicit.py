"""Classes without a table, against the tables of the same classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pac_stability.classes import (
    FiniteClass,
    ImplicitClass,
    implicit,
    intervals,
    thresholds,
)
from pac_stability.online.soa import SoaStates
from tools.bench.job import Baseline, Job
from tools.bench.measure import Run

Pair = tuple[Callable[[int], FiniteClass], Callable[[int], ImplicitClass], int]
INSTANCES: dict[str, Pair] = {
    "thresholds(1024)": (thresholds, implicit.thresholds, 1024),
    "thresholds(4096)": (thresholds, implicit.thresholds, 4096),
    "intervals(64)": (intervals, implicit.intervals, 64),
}


def _predictor(H: FiniteClass | ImplicitClass) -> tuple[int, int]:
    states = SoaStates(H)
    f = states.predictor(states.start)
    return states.spaces.label(f, 0), states.spaces.points


def library(name: str) -> Run:
    """The closed form; nodes are columns."""
    _, closed_form, n = INSTANCES[name]
    return partial(_predictor, closed_form(n))


def table(name: str) -> Run:
    """The table."""
    tabled, _, n = INSTANCES[name]
    return partial(_predictor, tabled(n))


JOBS = {
    "implicit": Job(
        "Classes without a table, against the tables of the same classes: the first predictor of "
        "the standard optimal algorithm. Caches are empty. Nodes are columns.",
        INSTANCES,
        library,
        (Baseline("table", table),),
    )
}
