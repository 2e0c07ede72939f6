"""The instances that the benchmarks run on, by name, each built from its definition."""

from __future__ import annotations

import itertools

import numpy as np

from pac_stability import classes
from pac_stability.classes import FiniteClass


def cube_balls(bits: int, radius: int) -> FiniteClass:
    """Hamming balls of one radius around every vertex of a cube, on its vertices."""
    words = np.arange(1 << bits)
    distance = np.bitwise_count(words[:, None] ^ words[None, :])
    return FiniteClass((distance <= radius).astype(np.uint8))


def monotone_dnf(bits: int) -> FiniteClass:
    """Disjunctions of at most two monotone terms, on the vertices of a cube."""
    words = np.arange(1 << bits)
    terms = [(words & term) == term for term in range(1 << bits)]
    rows = [np.zeros(1 << bits, dtype=bool)]
    rows += [a | b for a, b in itertools.combinations_with_replacement(terms, 2)]
    return FiniteClass(np.array(rows, dtype=np.uint8))


def named(spec: str) -> FiniteClass:
    """An instance by the name that the tables print.

    Besides the families of ``classes.from_spec``: ``balls:BITS,RADIUS``, ``dnf:BITS`` and
    ``square:SPEC`` (the product of a class with itself).
    """
    kind, _, rest = spec.partition(":")
    if kind == "balls":
        bits, radius = map(int, rest.split(","))
        return cube_balls(bits, radius)
    if kind == "dnf":
        return monotone_dnf(int(rest))
    if kind == "square":
        factor = named(rest)
        return classes.product(factor, factor)
    return classes.from_spec(spec)


# Up to the largest sizes at which the plain recursion finishes in seconds.
SMALL = [
    "cube:7",
    "thresholds:64",
    "thresholds:256",
    "intervals:20",
    "affine_lines:5",
    "subsets:16,2",
    "parities:6",
    "random:48x24:0.25",
    "random:64x32:0.5",
]

# The hard set: sizes at which only a search with a table and compaction stays interactive.
HARD = [
    "random:2000x128:0.25",
    "random:4096x128:0.1",
    "random:4096x128:0.5",
    "random:4096x256:0.25",
    "affine_planes:7",
    "square:affine_lines:7",
    "unions_of_intervals:20,2",
    "unions_of_intervals:14,3",
    "unions_of_intervals:24,2",
    "balls:10,2",
    "dnf:7",
    "thresholds:4096",
    "random:32768x512:0.5",
]

# Where counting columns takes most of the time, and one where it does not.

VC = [
    "random:64x12:0.5",
    "random:128x24:0.5",
    "random:256x64:0.5",
    "random:512x64:0.5",
    "random:700x64:0.5",
    "random:1024x64:0.5",
    "halfspaces:12,2",
    "unions_of_intervals:20,2",
    "thresholds:4096",
]

THRESHOLD = [
    "random:12x6:0.5",
    "random:24x12:0.5",
    "random:40x14:0.5",
    "random:14x40:0.5",
    "random:40x20:0.25",
    "halfspaces:3,2",
]

ONLINE = [
    "thresholds:256",
    "random:512x64:0.5",
    "random:1024x64:0.5",
    "random:2048x128:0.25",
    "unions_of_intervals:12,2",
]
