"""Searches on two threads and on one, by the clock on the wall: long work and short work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pac_stability.classes import FiniteClass, from_spec, read_points
from pac_stability.dimensions import DualVCSearch, ThresholdSearch, VCSearch
from tools.bench import instances
from tools.bench.measure import Run

_IRIS = Path(__file__).parents[2] / "docs" / "tables" / "iris.csv"

_SEARCHES = {"vc": VCSearch, "dual vc": DualVCSearch, "threshold": ThresholdSearch}

LONG = [
    "vc, random:1024x64:0.5",
    "vc, random:1280x64:0.5",
    "dual vc, dual of random:1024x64:0.5",
    "dual vc, dual of random:1280x64:0.5",
    "threshold, stumps on iris",
    "threshold, random:128x44:0.5",
]
SHORT = [
    "vc, random:256x64:0.5",
    "dual vc, dual of random:256x64:0.5",
    "threshold, random:128x32:0.5",
    "threshold, halfspaces:3,2",
]


def on(threads: int) -> Callable[[str], Run]:
    """The searches with so many threads."""

    def program(name: str) -> Run:
        dimension, _, spec = name.partition(", ")
        hypotheses = built(spec)

        def run() -> tuple[int, int]:
            # Nodes depend on the threads.
            return _SEARCHES[dimension](hypotheses, threads=threads).run().value, 0

        return run

    return program


def built(spec: str) -> FiniteClass:
    """A class by the name that the tables print."""
    if spec == "stumps on iris":
        return from_spec("stumps", read_points(_IRIS))
    if spec.startswith("dual of "):
        return instances.named(spec.removeprefix("dual of ")).dual()
    return instances.named(spec)
