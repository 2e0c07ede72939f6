"""Dimensions of classes, and decisions about them: the searches, and what others would write."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pac_stability import classes
from pac_stability.classes import FiniteClass, from_spec, read_points
from pac_stability.classes.bits import columns_of
from pac_stability.dimensions import Bounds, less_than, littlestone, threshold, vc
from pac_stability.dimensions.decisions import DimensionName
from tools.bench.job import Baseline, Job, Program, definition, informed
from tools.bench.measure import Run
from tools.bench.twins import (
    first_pair_search,
    informed_search,
    plain_recursion,
    threshold_by_definition,
    vc_by_definition,
)

_SEARCHES: dict[DimensionName, Callable[[FiniteClass], Bounds[object]]] = {
    "littlestone": littlestone,
    "vc": vc,
    "threshold": threshold,
}


def named(spec: str) -> FiniteClass:
    """A class by the name that the tables print.

    Besides the families of ``classes.from_spec``: ``balls:BITS,RADIUS`` (Hamming balls around every
    vertex of a cube), ``dnf:BITS`` (at most two monotone terms), ``square:SPEC`` (the product of a
    class with itself), and the stumps of the iris table.
    """
    kind, _, rest = spec.partition(":")
    if spec == "stumps on iris":
        return from_spec("stumps", read_points("iris"))
    if kind == "balls":
        bits, radius = map(int, rest.split(","))
        words = np.arange(1 << bits)
        return FiniteClass((np.bitwise_count(words[:, None] ^ words) <= radius).astype(np.uint8))
    if kind == "dnf":
        words = np.arange(1 << int(rest))
        terms = [(words & term) == term for term in words]
        pairs = itertools.combinations_with_replacement(terms, 2)
        return FiniteClass(np.array([0 * words, *(a | b for a, b in pairs)], dtype=np.uint8))
    if kind == "square":
        return classes.product(named(rest), named(rest))
    return from_spec(spec)


def search(dimension: DimensionName) -> Program:
    """A compiled search: dimension and nodes."""

    def program(name: str) -> Run:
        hypotheses = named(name)

        def run() -> tuple[int, int]:
            found = _SEARCHES[dimension](hypotheses)
            return found.value, found.nodes

        return run

    return program


def plain(function: Callable[[NDArray[np.uint8]], int]) -> Program:
    """A baseline on tables, which counts no nodes."""

    def program(name: str) -> Run:
        table = named(name).table
        return lambda: (function(table), 0)

    return program


def vc_by_cells(table: NDArray[np.uint8]) -> int:
    """VC dimension: extend shattered sets point by point, pruning by the size of the cells."""
    columns = columns_of(table)

    def extends(cells: list[int], start: int, missing: int) -> bool:
        if missing == 0:
            return True
        need = 1 << (missing - 1)
        for i in range(start, len(columns) - missing + 1):
            halves = [part for cell in cells for part in (cell & columns[i], cell & ~columns[i])]
            if min(half.bit_count() for half in halves) >= need and extends(
                halves, i + 1, missing - 1
            ):
                return True
        return False

    k = 0
    while 1 << (k + 1) <= len(table) and extends([(1 << len(table)) - 1], 0, k + 1):
        k += 1
    return k


def _asked(name: str) -> tuple[DimensionName, int, str]:
    question, _, spec = name.partition(", ")
    dimension, _, k = question.partition(" < ")
    return next(each for each in _SEARCHES if each == dimension.lower()), int(k), spec


def decided(name: str) -> Run:
    """By one question, without writing the proof."""
    dimension, k, spec = _asked(name)
    hypotheses = named(spec)

    def run() -> tuple[int, int]:
        decision = less_than(hypotheses, k, dimension, max_steps=0)
        return int(bool(decision)), decision.bounds.nodes

    return run


def by_the_dimension(name: str) -> Run:
    """By a whole search."""
    dimension, k, spec = _asked(name)
    hypotheses = named(spec)
    return lambda: (int(_SEARCHES[dimension](hypotheses).value < k), 0)


# Up to the largest sizes at which the plain recursion finishes in seconds.
SMALL = [
    *("cube:7", "thresholds:64", "thresholds:256", "intervals:20", "affine_lines:5"),
    *("subsets:16,2", "parities:6", "random:48x24:0.25", "random:64x32:0.5"),
]
# Sizes at which only a search with a table and compaction stays interactive.
HARD = [
    *("random:2000x128:0.25", "random:4096x128:0.1", "random:4096x128:0.5"),
    *("random:4096x256:0.25", "affine_planes:7", "square:affine_lines:7"),
    *("unions_of_intervals:20,2", "unions_of_intervals:14,3", "unions_of_intervals:24,2"),
    *("balls:10,2", "dnf:7", "thresholds:4096", "random:32768x512:0.5"),
]
VC = [
    *("random:64x12:0.5", "random:128x24:0.5", "random:256x64:0.5", "random:512x64:0.5"),
    *("random:700x64:0.5", "random:1024x64:0.5", "halfspaces:12,2"),
    *("unions_of_intervals:20,2", "thresholds:4096"),
]
THRESHOLD = [
    *("random:12x6:0.5", "random:24x12:0.5", "random:40x14:0.5", "random:14x40:0.5"),
    *("random:40x20:0.25", "halfspaces:3,2"),
]
DECISIONS = [
    *("threshold < 91, stumps on iris", "threshold < 27, random:256x64:0.5"),
    *("vc < 9, random:4096x256:0.25", "vc < 10, random:1500x64:0.5"),
    *("Littlestone < 9, random:20000x500:0.1", "Littlestone < 10, random:100000x1000:0.1"),
]
JOBS = {
    "littlestone-small": Job(
        "Definition: max over points of 1 + min over labels, memoised by version space. "
        'Informed: decide "Ldim >= k" with size pruning, balanced columns first, equal columns '
        "merged, bounds in a memo.",
        SMALL,
        search("littlestone"),
        (definition(plain(plain_recursion)), informed(plain(informed_search))),
    ),
    "littlestone-hard": Job(
        "The hard set. The definition would take years; informed as above.",
        HARD,
        search("littlestone"),
        (informed(plain(informed_search)),),
    ),
    "vc": Job(
        "Definition: all sets of points, size by size, and the labellings of each. Informed: sets "
        "in increasing order, pruned by the size of their cells, rows as bits of Python integers.",
        VC,
        search("vc"),
        (definition(plain(vc_by_definition), VC[:2]), informed(plain(vc_by_cells))),
    ),
    "threshold": Job(
        "Definition: every sequence of points. Informed: branch and bound over first pairs, "
        "bounded by degrees, with a memo.",
        THRESHOLD,
        search("threshold"),
        (
            definition(plain(threshold_by_definition), THRESHOLD[:2]),
            informed(plain(first_pair_search)),
        ),
    ),
    "decisions": Job(
        "Is a dimension less than k? Decided by one question from above, against finding the "
        "dimension; the value is 1 for yes.",
        DECISIONS,
        decided,
        (Baseline("whole search", by_the_dimension),),
    ),
}
