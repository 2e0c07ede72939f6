"""Readable twins of the searches for the other dimensions: the definitions, executed.

Each program enumerates what its definition quantifies over, with nothing clever, and so serves
classes of a dozen hypotheses. Tests compare every search with its twin. A table is an array of
shape (hypotheses, points) of 0 and 1, rows distinct.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]


def patterns(table: Table, columns: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All labellings of some columns.

    Examples
    --------
    >>> sorted(patterns(np.eye(3, dtype=np.uint8), (0, 1)))
    [(0, 0), (0, 1), (1, 0)]
    """
    return {tuple(row) for row in table[:, columns].tolist()}


def vc_by_definition(table: Table) -> int:
    """VC dimension: the most columns with all labellings.

    Subsets of shattered sets are shattered, so no larger size is tried after a failure.

    Examples
    --------
    >>> vc_by_definition(np.eye(3, dtype=np.uint8))
    1
    """
    size = -1
    while 2 ** (size + 1) <= len(table) and any(
        len(patterns(table, columns)) == 2 ** (size + 1)
        for columns in combinations(range(table.shape[1]), size + 1)
    ):
        size += 1
    return size


def growth_by_definition(table: Table, m: int) -> int:
    """Most labellings of at most ``m`` columns.

    Examples
    --------
    >>> growth_by_definition(np.eye(3, dtype=np.uint8), 2)
    3
    """
    return max(
        len(patterns(table, columns))
        for size in range(min(m, table.shape[1]) + 1)
        for columns in combinations(range(table.shape[1]), size)
    )


def threshold_by_definition(table: Table) -> int:
    """Threshold dimension: the longest sequence of columns with rows 0..01..1 of every kind.

    Row h_i of a half graph on k columns reads i - 1 zeros and then k - i + 1 ones.

    Examples
    --------
    >>> threshold_by_definition(np.array([[1, 1], [0, 1]], dtype=np.uint8))
    2
    """
    size = 0
    while any(
        {(0,) * i + (1,) * (size + 1 - i) for i in range(size + 1)} <= patterns(table, columns)
        for columns in permutations(range(table.shape[1]), size + 1)
    ):
        size += 1
    return size


def star_by_definition(table: Table) -> int:
    """Star number: the most columns on which some row and all its one-point changes occur.

    Examples
    --------
    >>> star_by_definition(np.eye(3, dtype=np.uint8))
    2
    """

    def is_star(center: tuple[int, ...], found: set[tuple[int, ...]]) -> bool:
        return all(
            (*center[:i], 1 - center[i], *center[i + 1 :]) in found for i in range(len(center))
        )

    size = -1
    while any(
        is_star(center, found)
        for columns in combinations(range(table.shape[1]), size + 1)
        for found in [patterns(table, columns)]
        for center in found
    ):
        size += 1
    return size


def teaching_by_definition(table: Table, row: int) -> int:
    """Fewest columns on which no other row agrees with one row.

    Examples
    --------
    >>> [teaching_by_definition(np.eye(3, dtype=np.uint8), row) for row in range(3)]
    [1, 1, 1]
    """
    others = np.delete(table, row, axis=0)
    return next(
        size
        for size in range(table.shape[1] + 1)
        for columns in combinations(range(table.shape[1]), size)
        if (others[:, columns] != table[row, columns]).any(axis=1).all()
    )
