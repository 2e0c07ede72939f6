"""Shattered columns found greedily: of any size that rows allow, though not always the largest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pac_stability.classes import bits

Table = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.intp]

_ENTRIES = 1 << 21
"""Entries of the table between two pauses: about 10 ms."""


def greedily_shattered(table: Table, first: int) -> Iterator[tuple[int, ...]]:
    """Take columns one by one, each so that the smallest cell stays as large as it can.

    Parameters
    ----------
    table
        Rows and columns of 0 and 1. Rows that agree on the columns taken are a cell.
    first
        The column to begin with; it has both labels.

    Yields
    ------
    tuple of int
        The columns taken so far, which are shattered; about every 10 ms, and at the end.

    Notes
    -----
    ``O(n m k)`` for ``k`` columns found of ``m``, with ``n`` rows. Of columns that are equally good
    the first is taken.
    """
    n, m = table.shape
    taken: tuple[int, ...] = ()
    best = first
    order, ends = np.arange(n), np.array([n])
    while True:
        taken = (*taken, best)
        cells = 2 * np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0)) + table[order, best]
        order = order[np.argsort(cells, kind="stable")]
        ends = np.cumsum(np.bincount(cells))
        if n < 2 << len(taken):
            break
        smallest = np.full(m, n)
        for ones, sizes in _counted(table, order, ends):
            halves = np.minimum(ones, sizes[:, None] - ones)
            smallest = np.minimum(smallest, halves.min(axis=0, initial=n))
            yield taken
        best = int(smallest.argmax())
        if smallest[best] == 0:
            break
    yield taken


def _counted(table: Table, order: Counts, ends: Counts) -> Iterator[tuple[Counts, Counts]]:
    """Count the ones of each cell by columns, and its rows; some cells at a time.

    Cell ``c`` is the rows ``order[ends[c - 1] : ends[c]]``.
    """
    sizes = np.diff(ends, prepend=0)
    begun = np.zeros(table.shape[1], dtype=np.intp)  # of a cell that goes on in the next block
    done = 0
    for block in bits.row_blocks(len(order), table.shape[1], _ENTRIES):
        whole = slice(done, int(np.searchsorted(ends, block.stop, side="right")))
        cuts = np.append(block.start, ends[whole])
        ones = np.add.reduceat(
            table[order[block]], cuts[cuts < block.stop] - block.start, axis=0, dtype=np.intp
        )
        ones[0] += begun
        begun = ones[-1] * (cuts[-1] < block.stop)
        done = whole.stop
        yield ones[: done - whole.start], sizes[whole]
