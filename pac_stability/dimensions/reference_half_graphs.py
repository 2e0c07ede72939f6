"""Readable twins of the compiled searches for half graphs, in plain Python.

A half graph is a sequence of pairs (row h_i, column x_i) with h_i(x_j) = 1 exactly for i <= j. What
may follow a pair (h, x) lies in the rows with 0 in column x and the columns with 1 in row h, and
what may precede it in the rows with 1 and the columns with 0. Tests compare the compiled searches
with these programs, and benchmarks measure them against the first. A table is an array of shape
(hypotheses, points) of 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]
Lines = Mapping[int, frozenset[int]]


def sides_of(table: Table) -> tuple[Lines, Lines]:
    """Return the points of each hypothesis and the hypotheses of each point."""
    rows = {h: frozenset(np.flatnonzero(line).tolist()) for h, line in enumerate(table)}
    return rows, {x: frozenset(np.flatnonzero(line).tolist()) for x, line in enumerate(table.T)}


def distinct_lines(lines: Lines, left: Iterable[int], across: frozenset[int]) -> frozenset[int]:
    """Keep the first of equal lines, and none that is empty."""
    first: dict[frozenset[int], int] = {}
    for line in sorted(left):
        first.setdefault(lines[line] & across, line)
    return frozenset(line for ones, line in first.items() if ones)


def _by_degrees(lines: Lines, left: frozenset[int], across: frozenset[int]) -> int:
    """Return the largest k such that the i-th fullest line has k - i + 1 ones or more, and so on.

    The i-th emptiest line needs k - i zeros.
    """
    ones = sorted((len(lines[line] & across) for line in left), reverse=True)
    zeros = sorted((len(across) - one for one in ones), reverse=True)
    k = len(left)
    while any(ones[i] < k - i or zeros[i] < k - i - 1 for i in range(k)):
        k -= 1
    return k


def degree_bound(rows: Lines, columns: Lines, left: frozenset[int], across: frozenset[int]) -> int:
    """Bound the half graphs in some rows and columns, of equal ones the first, by degrees.

    Examples
    --------
    >>> rows, columns = sides_of(np.triu(np.ones((3, 3), dtype=np.uint8)))
    >>> degree_bound(rows, columns, frozenset(rows), frozenset(columns))
    3
    """
    left = distinct_lines(rows, left, across)
    across = distinct_lines(columns, across, left)
    return min(_by_degrees(rows, left, across), _by_degrees(columns, across, left))


def first_pair_search(table: Table) -> int:
    """Threshold dimension by branch and bound over first pairs, with a memo.

    Examples
    --------
    >>> first_pair_search(np.array([[1, 1], [0, 1]], dtype=np.uint8))
    2
    """
    rows, columns = sides_of(table)

    @cache
    def longer(left: frozenset[int], across: frozenset[int], k: int) -> bool:
        """Say whether there is a half graph of ``k >= 1`` pairs."""
        left = distinct_lines(rows, left, across)
        across = distinct_lines(columns, across, left)
        if degree_bound(rows, columns, left, across) < k:
            return False
        return k == 1 or any(
            longer(left - columns[x], across & rows[h] - {x}, k - 1)
            for h in sorted(left)
            for x in sorted(rows[h] & across)
        )

    k = 0
    while longer(frozenset(rows), frozenset(columns), k + 1):
        k += 1
    return k
