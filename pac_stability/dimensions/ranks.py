"""The rank of a 0/1 table over a finite field: an upper bound on its threshold dimension."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from pac_stability.classes import bits
from pac_stability.classes.bits import Words

Table = npt.NDArray[np.uint8]


def rank_gf2(table: Table) -> int:
    """Rank over the field with two elements.

    Parameters
    ----------
    table
        Array of shape ``(n, m)`` of 0/1.

    Notes
    -----
    Elimination on rows as integers, ``O(n r m)`` bit operations for rank ``r``.

    Examples
    --------
    >>> rank_gf2(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.uint8))
    2
    """
    return bits.finished(rank_gf2_in_pieces(bits.pack(table)))


def rank_gf2_in_pieces(words: Words) -> Generator[None, None, int]:
    """Compute the same for a packed table, pausing after each row."""
    pivots: dict[int, int] = {}
    for packed in words:
        row = int.from_bytes(packed.astype("<u8").tobytes(), "little")
        while row:
            pivot = pivots.get(row.bit_length())
            if pivot is None:
                pivots[row.bit_length()] = row
                break
            row ^= pivot
        if len(pivots) == 64 * words.shape[1]:
            break
        yield
    return len(pivots)


def rank_gf3(table: Table) -> int:
    """Rank over the field with three elements.

    Parameters
    ----------
    table
        Array of shape ``(n, m)`` of 0/1.

    Notes
    -----
    Elimination on the whole table, ``O(n m r)`` operations for rank ``r``.

    Examples
    --------
    >>> rank_gf3(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.uint8))
    3
    """
    rest = table.astype(np.int8)
    rank = 0
    while True:
        rows, columns = np.nonzero(rest)
        if not len(rows):
            return rank
        pivot = rest[rows[0]] * rest[rows[0], columns[0]]  # 1 and 2 are their own inverses
        rest = (rest - np.outer(rest[:, columns[0]], pivot)) % 3
        rank += 1
