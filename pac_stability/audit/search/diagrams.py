"""The answers on all samples as a diagram that shares what is equal, for a certificate to hold.

A node of depth r lists, for each element of the universe, the node of depth r - 1 with which it
goes on; a node of depth 0 is a row of answers. Where the order of a sample makes no difference, or
most elements make none, there are few nodes, however many samples.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from pac_stability.audit.results import AllAnswers
from pac_stability.audit.search.asking import Answers
from pac_stability.audit.search.neighbour_ranks import Neighbourhood, Ranks
from pac_stability.audit.search.sweep import in_order
from pac_stability.data import FiniteDistribution

MOST_ANSWERS = 1 << 22
"""Answers, or places in the diagram's widest level before sharing, at most."""

MOST_PLACES = 1 << 20
"""Entries of the finished diagram, at most: some five megabytes of a certificate."""


def diagram_of(answers: Answers, neighbourhood: Neighbourhood) -> AllAnswers | None:
    """Return the diagram of all answers, or nothing if it would be too large.

    Parameters
    ----------
    answers
        The exact answers on all samples.
    neighbourhood
        The samples, as numbers.

    Notes
    -----
    The same answers have the same diagram: probabilities increase, laws come in the order of the
    samples, and nodes in lexicographic order. Time and memory are those of sorting the answers once
    for each element of a sample.
    """
    k, largest = neighbourhood.k, neighbourhood.rankings[-1].size
    if max(answers.count * answers.columns, largest * k) > MOST_ANSWERS:
        return None
    values, cells = _in_order(answers)
    sizes = dict(zip(neighbourhood.sizes, neighbourhood.rankings, strict=True))
    nodes, numbers = distinct_rows(cells)
    levels = [nodes]
    ends = np.cumsum([ranking.size for ranking in sizes.values()])
    # For each size, the nodes that the samples lead to, all but the last r elements of them read.
    below = dict(zip(sizes, np.split(numbers, ends[:-1]), strict=True))
    roots = {size: below.pop(size) for size in sizes if size == 0}
    for depth in range(1, max(sizes) + 1):
        rows = {
            size: places[_longer(neighbourhood, size - depth)] for size, places in below.items()
        }
        nodes, numbers = distinct_rows(np.concatenate(list(rows.values())))
        levels.append(nodes)
        ends = np.cumsum([len(places) for places in rows.values()])
        below = dict(zip(rows, np.split(numbers, ends[:-1]), strict=True))
        if depth in below:
            roots[depth] = below.pop(depth)
    if sum(level.size for level in levels) > MOST_PLACES:
        return None
    tables = [tuple(map(tuple, level.tolist())) for level in levels]
    return AllAnswers(values, tables[0], tuple(tables[1:]), tuple(int(roots[s][0]) for s in sizes))


def _in_order(answers: Answers) -> tuple[tuple[Fraction | FiniteDistribution[object], ...], Ranks]:
    """Return the distinct answers, probabilities in order, and where each answer is among them."""
    values: list[Hashable] = answers.values
    fractions = [value for value in values if isinstance(value, Fraction)]
    if len(fractions) < len(values):
        return tuple(values), answers.cells.astype(np.int64)  # type: ignore[arg-type]  # exact answers
    ordered, places = in_order(fractions)
    return ordered, places.astype(np.int64)[answers.cells]


def distinct_rows(table: Ranks) -> tuple[Ranks, Ranks]:
    """Return the distinct rows in lexicographic order, and for each row which of them it is.

    ``numpy.unique`` does the same along an axis, with a slower comparison of whole rows.
    """
    order = np.lexsort(table.T[::-1])
    ordered = table[order]
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(ordered), dtype=np.int64)
    numbers[order] = np.cumsum(new) - 1
    return ordered[new], numbers


def _longer(neighbourhood: Neighbourhood, size: int) -> Ranks:
    """Return the numbers of the samples that go on from each of one size with each element."""
    ranking = neighbourhood.ranking(size)
    if neighbourhood.up_to_order:
        return ranking.inserted(0, ranking.size, 1)[1]
    return np.arange(ranking.size * neighbourhood.k, dtype=np.int64).reshape(-1, neighbourhood.k)
