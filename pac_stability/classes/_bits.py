"""Bit-packed 0/1 tables: 64 columns to a word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.intp]

_WORD = np.dtype("<u8")


def pack(table: Table) -> Words:
    """Pack a 0/1 table: column ``j`` becomes bit ``j % 64`` of word ``j // 64`` of its row."""
    rows, columns = table.shape
    octets = np.zeros((rows, 8 * -(-columns // 64)), dtype=np.uint8)
    octets[:, : -(-columns // 8)] = np.packbits(table, axis=1, bitorder="little")
    return octets.view(_WORD).astype(np.uint64, copy=False)


def unpack(words: Words, columns: int) -> Table:
    """Undo :func:`pack` for a table with that many columns."""
    if not words.size:
        return np.zeros((words.shape[0], columns), dtype=np.uint8)
    octets = np.ascontiguousarray(words.astype(_WORD, copy=False)).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=columns, bitorder="little")


def from_masks(masks: Sequence[int], columns: int) -> Table:
    """Turn integers into rows: bit ``j`` of the ``i``-th integer is the entry ``(i, j)``."""
    width = -(-columns // 8)
    octets = b"".join(mask.to_bytes(width, "little") for mask in masks)
    rows = np.frombuffer(octets, dtype=np.uint8).reshape(len(masks), width)
    return np.unpackbits(rows, axis=1, count=columns, bitorder="little")


def first_occurrences(words: Words) -> Indices:
    """Return the indices, increasing, of the rows that equal no earlier row.

    ``O(w N log N)`` for ``N`` rows of ``w`` words.
    """
    rows, width = words.shape
    if rows <= 1 or width == 0:
        return np.arange(min(rows, 1))
    if width == 1:
        return np.sort(np.unique(words[:, 0], return_index=True)[1])
    # lexsort is stable, so the first row of a run of equal ones is the earliest of them.
    order = np.lexsort(words.T)
    runs = words[order]
    starts = np.concatenate(([True], np.any(runs[1:] != runs[:-1], axis=1)))
    return np.sort(order[starts])
