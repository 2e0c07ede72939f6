"""Classes without a table, against the tables of the same classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pac_stability.classes import (
    FiniteClass,
    ImplicitClass,
    implicit,
    intervals,
    singletons,
    thresholds,
)
from pac_stability.online.states import SoaStates
from tools.bench.measure import Run

KINDS: dict[str, tuple[Callable[[int], FiniteClass], Callable[[int], ImplicitClass]]] = {
    "thresholds": (thresholds, implicit.thresholds),
    "singletons": (singletons, implicit.singletons),
    "intervals": (intervals, implicit.intervals),
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
]


def _predictor(H: FiniteClass | ImplicitClass) -> tuple[int, int]:
    states = SoaStates(H)
    f = states.predictor(states.start)
    return states.spaces.label(f, 0), states.spaces.points


def library(name: str) -> Run:
    """The closed form, from nothing remembered; the work is columns."""
    return partial(_predictor, _pair(name)[1])


def table(name: str) -> Run:
    """The table, from nothing remembered."""
    return partial(_predictor, _pair(name)[0])
