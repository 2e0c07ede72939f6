"""Tables of classes: the library, loops, and NumPy."""

from __future__ import annotations

import numpy as np

from pac_stability import classes
from tools.bench.job import Job, definition, informed
from tools.bench.measure import Run

INSTANCES = {f"intervals({n})": n for n in (30, 100, 300, 1000)}


def library(name: str) -> Run:
    """A class with distinct rows, packed; the value is how many."""
    n = INSTANCES[name]

    def run() -> tuple[int, int]:
        H = classes.intervals(n)
        return len(H), len(H)

    return run


def loops(name: str) -> Run:
    """A list of rows, entry by entry."""
    n = INSTANCES[name]

    def run() -> tuple[int, int]:
        rows = {tuple([int(a <= x < b) for x in range(n)]) for b in range(n + 1) for a in range(b)}
        rows.add((0,) * n)
        return len(rows), len(rows)

    return run


def arrays(name: str) -> Run:
    """One comparison for all ends, in bytes."""
    n = INSTANCES[name]

    def run() -> tuple[int, int]:
        low, high = np.triu_indices(n)
        x = np.arange(n)
        table = np.zeros((len(low) + 1, n), dtype=np.uint8)
        table[1:] = (low[:, None] <= x) & (x <= high[:, None])
        return len(table), len(table)

    return run


JOBS = {
    "building": Job(
        "A class with distinct rows, packed. Definition: a set of tuples, entry by entry. "
        "Informed: one comparison in NumPy, bytes, nothing packed and nothing checked.",
        INSTANCES,
        library,
        (definition(loops, list(INSTANCES)[:3]), informed(arrays)),
    )
}
