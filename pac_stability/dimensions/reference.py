"""Readable twins of the compiled Littlestone search, in plain Python.

Three programs for one number. `plain_recursion` is the definition. `informed_search` is what an
experienced Python programmer would write. `bitset_search` is the compiled search without its
compaction: version spaces are sets of rows of the whole class, held as the bits of an integer.
Tests compare all of them with the compiled core, and benchmarks measure it against them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]


def columns_of(table: Table) -> list[int]:
    """Return the columns of a 0/1 table, each as the integer whose bit ``i`` is row ``i``."""
    return [
        int.from_bytes(np.packbits(column, bitorder="little").tobytes(), "little")
        for column in np.asarray(table).T
    ]


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
