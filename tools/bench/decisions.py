"""Is a dimension less than k? Decided from above, and by finding the dimension."""

from __future__ import annotations

from collections.abc import Callable

from pac_stability.classes import FiniteClass
from pac_stability.dimensions import Bounds, less_than, littlestone, threshold, vc
from pac_stability.dimensions.decisions import DimensionName
from tools.bench import cores
from tools.bench.measure import Run

_FOUND: dict[DimensionName, Callable[[FiniteClass], Bounds[object]]] = {
    "littlestone": littlestone,
    "vc": vc,
    "threshold": threshold,
}

INSTANCES: dict[str, tuple[DimensionName, int, str]] = {
    "vc < 9, random:4096x256:0.25": ("vc", 9, "random:4096x256:0.25"),
    "vc < 10, random:1500x64:0.5": ("vc", 10, "random:1500x64:0.5"),
    "threshold < 91, stumps on iris": ("threshold", 91, "stumps on iris"),
    "threshold < 27, random:256x64:0.5": ("threshold", 27, "random:256x64:0.5"),
    "Littlestone < 9, random:20000x500:0.1": ("littlestone", 9, "random:20000x500:0.1"),
    "Littlestone < 10, random:100000x1000:0.1": ("littlestone", 10, "random:100000x1000:0.1"),
}


def decided(name: str) -> Run:
    """By one question, without writing the proof."""
    dimension, k, spec = INSTANCES[name]
    hypotheses = cores.built(spec)

    def run() -> tuple[int, int]:
        decision = less_than(hypotheses, k, dimension, max_steps=0)
        return int(bool(decision)), decision.bounds.nodes

    return run


def found(name: str) -> Run:
    """By the dimension."""
    dimension, k, spec = INSTANCES[name]
    hypotheses = cores.built(spec)

    def run() -> tuple[int, int]:
        bounds = _FOUND[dimension](hypotheses)
        return int(bounds.value < k), bounds.nodes

    return run
