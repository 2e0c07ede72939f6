"""Readable twins of the searches for dimensions, in plain Python.

`plain_recursion` and the programs `..._by_definition` enumerate what a definition quantifies over,
with nothing clever, and so serve classes of a dozen hypotheses. `informed_search` is what an
experienced Python programmer would write, `bitset_search` the compiled search for the Littlestone
dimension without its compaction, and `first_pair_search` that for half graphs. Tests compare the
compiled searches with all of them, and benchmarks measure them against some. A table is an array of
shape (hypotheses, points) of 0 and 1, rows distinct.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from pac_stability.classes.bits import columns_of
from pac_stability.dimensions.threshold_search import degree_bound, distinct_lines, sides_of

Table = npt.NDArray[np.uint8]


# The Littlestone dimension


def littlestone_by_definition(rows: Iterable[Iterable[int]]) -> int:
    """The Littlestone dimension of rows of labels, by trying every first question."""

    @cache
    def dimension(space: frozenset[tuple[int, ...]]) -> int:
        if len(space) < 2:
            return len(space) - 1
        deeper = 0
        for column in range(len(next(iter(space)))):
            ones = frozenset(row for row in space if row[column])
            if ones and ones != space:
                deeper = max(deeper, 1 + min(dimension(ones), dimension(space - ones)))
        return deeper

    return dimension(frozenset(tuple(map(int, row)) for row in rows))


def plain_recursion(table: Table) -> int:
    """Littlestone dimension by the definition, memoised by version space.

    Ldim of nothing is -1, of one hypothesis 0, and otherwise the maximum over the points that
    split V of 1 + min(Ldim(V_x^0), Ldim(V_x^1)).

    Parameters
    ----------
    table
        Array of shape (hypotheses, points) of 0 and 1, rows distinct.

    Examples
    --------
    >>> plain_recursion(np.eye(4, dtype=np.uint8))
    1
    """
    columns = columns_of(table)

    @cache
    def dimension(space: int) -> int:
        best = 0 if space else -1
        for column in columns:
            one = space & column
            zero = space & ~column
            if one and zero:
                best = max(best, 1 + min(dimension(zero), dimension(one)))
        return best

    return dimension((1 << len(table)) - 1)


def informed_search(table: Table) -> int:
    """Littlestone dimension by deciding "Ldim >= k" for k = 1, 2, ...

    Version spaces with fewer than 2^k rows are refused, balanced columns come first, equal
    columns are merged, and what is known of a version space is kept as a pair of bounds.

    Parameters
    ----------
    table
        Array of shape (hypotheses, points) of 0 and 1, rows distinct.

    Examples
    --------
    >>> informed_search(np.eye(4, dtype=np.uint8))
    1
    """
    columns = columns_of(table)
    known: dict[int, tuple[int, int]] = {}

    def at_least(space: int, k: int) -> bool:
        size = space.bit_count()
        if size >> k == 0:
            return False
        if k == 0:
            return True
        lower, upper = known.get(space, (0, size.bit_length() - 1))
        if lower >= k or upper < k:
            return lower >= k
        need = 1 << (k - 1)
        sides = {space & column for column in columns}
        ranked = sorted(
            (min(ones, size - ones), one)
            for one in sides
            if min(ones := one.bit_count(), size - ones) >= need
        )
        holds = any(
            at_least(one, k - 1) and at_least(space ^ one, k - 1) for _, one in reversed(ranked)
        )
        known[space] = (k, upper) if holds else (lower, k - 1)
        return holds

    return _deepen(at_least, len(table))


def bitset_search(table: Table) -> int:
    """Littlestone dimension by the search of the compiled core, on sets of rows.

    Beyond `informed_search`: a column that cannot split a version space into two parts of two
    rows is not handed down to its sides; Ldim >= 1 and >= 2 are read off; a side inside a side
    that failed fails too, because Ldim is monotone.

    Parameters
    ----------
    table
        Array of shape (hypotheses, points) of 0 and 1, rows distinct.

    Examples
    --------
    >>> bitset_search(np.eye(4, dtype=np.uint8))
    1
    """
    known: dict[int, tuple[int, int]] = {}

    def useful(space: int, columns: list[int]) -> list[int]:
        first = space & -space
        size = space.bit_count()
        parts: dict[int, None] = {}
        for column in columns:
            part = space & column
            if part & first:
                part ^= space
            if 2 <= part.bit_count() <= size - 2:
                parts[part] = None
        return list(parts)

    def at_least(space: int, k: int, inherited: list[int]) -> bool:
        size = space.bit_count()
        if size >> k == 0:
            return False
        if k <= 1:
            return True
        lower, upper = known.get(space, (1, size.bit_length() - 1))
        if lower >= k or upper < k:
            return lower >= k
        columns = useful(space, inherited)
        holds = bool(columns) if k == 2 else split(space, size, k, columns)
        known[space] = (k, upper) if holds else (lower, k - 1)
        return holds

    def split(space: int, size: int, k: int, columns: list[int]) -> bool:
        need = 1 << (k - 1)
        sizes = {column: min(column.bit_count(), size - column.bit_count()) for column in columns}
        failed: list[int] = []
        for column in sorted(columns, key=sizes.__getitem__, reverse=True):
            if sizes[column] < need:
                return False
            sides = sorted((column, space ^ column), key=int.bit_count)
            if any(side & bad == side for side in sides for bad in failed):
                continue
            for side in sides:
                if not at_least(side, k - 1, columns):
                    failed.append(side)
                    break
            else:
                return True
        return False

    everything = columns_of(table)
    return _deepen(lambda space, k: at_least(space, k, everything), len(table))


def _deepen(at_least: Callable[[int, int], bool], rows: int) -> int:
    """Find the largest k with Ldim >= k, asking upwards."""
    k = -1
    while at_least((1 << rows) - 1, k + 1):
        k += 1
    return k


# Other dimensions, by their definitions


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


# Half graphs


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
