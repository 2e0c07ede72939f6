"""Bit-packed 0/1 tables: 64 columns to a word."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.intp]

Result = TypeVar("Result")

_WORD = np.dtype("<u8")

_FEW_ROWS = 64
_BLOCK_WORDS = 1 << 17
"""Words that are worked on at a time: a megabyte, which stays near the processor."""

_HALVES = [
    (np.uint64(32), np.uint64(0x00000000FFFFFFFF)),
    (np.uint64(16), np.uint64(0x0000FFFF0000FFFF)),
    (np.uint64(8), np.uint64(0x00FF00FF00FF00FF)),
    (np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
    (np.uint64(2), np.uint64(0x3333333333333333)),
    (np.uint64(1), np.uint64(0x5555555555555555)),
]
_ONES = np.array([value.bit_count() for value in range(1 << 16)], dtype=np.uint8)


def row_blocks(rows: int, width: int, most: int) -> Iterator[slice]:
    """Cut rows into parts of at most that many entries, or of one row if a row has more."""
    step = max(1, most // max(width, 1))
    return (slice(begin, min(begin + step, rows)) for begin in range(0, rows, step))


def pack(table: Table) -> Words:
    """Pack a 0/1 table: column ``j`` becomes bit ``j % 64`` of word ``j // 64`` of its row."""
    rows, columns = table.shape
    octets = np.zeros((rows, 8 * -(-columns // 64)), dtype=np.uint8)
    octets[:, : -(-columns // 8)] = np.packbits(table, axis=1, bitorder="little")
    return octets.view(_WORD).astype(np.uint64, copy=False)


def ones_of_words(words: Words) -> Table:
    """Count the ones in each word, of a table of any shape."""
    if hasattr(np, "bitwise_count"):  # from NumPy 2 on
        return cast("Table", np.bitwise_count(words))
    counts: Table = _ONES[words[..., None].view(np.uint16)].sum(axis=-1, dtype=np.uint8)
    return counts


def unpack(words: Words, columns: int) -> Table:
    """Undo :func:`pack` for a table with that many columns."""
    if not words.size:
        return np.zeros((words.shape[0], columns), dtype=np.uint8)
    octets = np.ascontiguousarray(words.astype(_WORD, copy=False)).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=columns, bitorder="little")


def unpacked(words: Words, columns: int) -> Generator[None, None, Table]:
    """Unpack a table, pausing after each block of rows."""
    table = np.empty((len(words), columns), dtype=np.uint8)
    for some in row_blocks(len(words), words.shape[1], _BLOCK_WORDS):
        table[some] = unpack(words[some], columns)
        yield
    return table


def from_masks(masks: Sequence[int], columns: int) -> Words:
    """Turn integers into rows: bit ``j`` of the ``i``-th integer is the entry ``(i, j)``."""
    width = -(-columns // 64)
    octets = b"".join(mask.to_bytes(8 * width, "little") for mask in masks)
    return np.frombuffer(octets, dtype=_WORD).astype(np.uint64).reshape(len(masks), width)


def row_mask(words: Words, row: int) -> int:
    """Return a row as an integer, whose bit ``j`` is the entry at column ``j``."""
    return int.from_bytes(words[row].astype(_WORD, copy=False).tobytes(), "little")


def with_columns(words: Words, columns: Indices) -> Words:
    """Return a packed table with these columns of it, in this order."""
    table = np.empty((len(words), -(-len(columns) // 64)), dtype=np.uint64)
    before = int(columns.max(initial=-1)) + 1
    for some in row_blocks(len(words), max(words.shape[1], 1), _BLOCK_WORDS):
        table[some] = pack(unpack(words[some], before)[:, columns])
    return table


def prefixes(columns: int) -> Words:
    """Return ``columns + 1`` rows: row ``c`` has ones at the first ``c`` columns."""
    counts = np.arange(columns + 1, dtype=np.int32)
    begins = np.arange(0, columns, 64, dtype=np.int32)
    low = np.array([(1 << count) - 1 for count in range(65)], dtype=np.uint64)
    rows: Words = low[np.clip(counts[:, None] - begins, 0, 64)]
    return rows


def units(columns: int) -> Words:
    """Return a row for each column, with a one there."""
    rows = np.zeros((columns, -(-columns // 64)), dtype=np.uint64)
    places = np.arange(columns)
    rows[places, places // 64] = np.uint64(1) << (places % 64).astype(np.uint64)
    return rows


def combined(words: Words, sizes: Sequence[int]) -> Words:
    """Return the ``xor`` of every set of rows of given sizes, in lexicographic order."""
    rows, width = words.shape
    table = np.empty((sum(math.comb(rows, size) for size in sizes), width), dtype=np.uint64)
    begin = 0
    for size in sizes:
        every = combinations(range(rows), size)
        step = max(1, _BLOCK_WORDS // max(1, size * width))
        left = math.comb(rows, size)
        while left:
            count = min(step, left)
            part = chain.from_iterable(islice(every, count))
            chosen = np.fromiter(part, dtype=np.intp, count=count * size).reshape(count, size)
            table[begin : begin + count] = np.bitwise_xor.reduce(words[chosen], axis=1)
            begin, left = begin + count, left - count
    return table


def first_occurrences(words: Words) -> Indices:
    """Return the indices, increasing, of the rows that equal no earlier row.

    It separates rows by 64-bit hashes and compares rows with equal hashes. ``O(w N)`` for ``N``
    rows of ``w`` words, plus sorting ``N`` hashes; ``O(w N log N)`` if unequal rows have equal
    hashes.
    """
    rows, width = words.shape
    if rows <= 1 or width == 0:
        return np.arange(min(rows, 1))
    if width == 1 and rows <= _FEW_ROWS:  # a dictionary is quicker than sorting
        seen: dict[int, int] = {}
        for row, word in enumerate(words[:, 0].tolist()):
            seen.setdefault(word, row)
        return np.array(list(seen.values()), dtype=np.intp)
    keys = words[:, 0] if width == 1 else _hashes(words)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) == rows:
        return np.arange(rows)
    if width > 1 and not _same(words, first[inverse]):
        return _first_by_sorting(words)
    return np.sort(first)


def _hashes(words: Words) -> Words:
    """Return a hash of each row: a sum over its words, each mixed and multiplied by its place."""
    rows, width = words.shape
    places = np.random.Generator(np.random.Philox(0)).integers(0, 2**64, width, dtype=np.uint64)
    hashes = np.empty(rows, dtype=np.uint64)
    for some in row_blocks(rows, width, _BLOCK_WORDS):
        mixed = words[some] * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        hashes[some] = mixed @ places
    return hashes


def _same(words: Words, partners: Indices) -> bool:
    """Whether each row equals the one named beside it."""
    others = np.flatnonzero(partners != np.arange(len(words)))
    return all(
        np.array_equal(words[others[some]], words[partners[others[some]]])
        for some in row_blocks(len(others), words.shape[1], _BLOCK_WORDS)
    )


def _first_by_sorting(words: Words) -> Indices:
    # lexsort is stable, so the first row of a run of equal ones is the earliest of them.
    order = np.lexsort(words.T)
    runs = words[order]
    starts = np.concatenate(([True], np.any(runs[1:] != runs[:-1], axis=1)))
    return np.sort(order[starts])


def finished(pieces: Generator[None, None, Result]) -> Result:
    """Run a computation that pauses to its end, and return its result."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            return cast("Result", end.value)


def transposed(words: Words, columns: int) -> Generator[None, None, Words]:
    """Transpose a packed table, pausing after each block of rows.

    Parameters
    ----------
    words
        Of shape ``(N, ceil(columns / 64))``; bits beyond the last column are 0.
    columns
        How many there are.

    Returns
    -------
    Words
        Of shape ``(columns, ceil(N / 64))``.

    Notes
    -----
    It transposes 64 x 64 bits at a time, in six steps that exchange halves, quarters, ... of a
    block (*Hacker's Delight*, section 7-3), many blocks side by side.
    """
    rows, width = words.shape
    high = -(-rows // 64)
    result = np.zeros((64 * width, high), dtype=np.uint64)
    for some in row_blocks(high if width else 0, 64 * width, _BLOCK_WORDS):
        count = some.stop - some.start
        block = np.zeros((64 * count, width), dtype=np.uint64)
        part = words[64 * some.start : 64 * some.stop]
        block[: len(part)] = part
        for shift, mask in _HALVES:
            pairs = block.reshape(-1, 2, int(shift), width)
            low, up = pairs[:, 0], pairs[:, 1]
            exchanged = (low >> shift ^ up) & mask
            up ^= exchanged
            low ^= exchanged << shift
        turned = block.reshape(count, 64, width).transpose(2, 1, 0)
        result.reshape(width, 64, high)[:, :, some] = turned
        yield
    return result[:columns]


def mask_of(places: Indices, count: int) -> Words:
    """Return words of ``count`` bits with ones at the given places."""
    flags = np.zeros((1, count), dtype=np.uint8)
    flags[0, places] = 1
    return pack(flags).reshape(-1)


def first_difference(one: Words, other: Words) -> int:
    """Return the first bit in which two rows differ."""
    word = int(np.flatnonzero(one != other)[0])
    different = int(one[word] ^ other[word])
    return 64 * word + (different & -different).bit_length() - 1


def ones(words: Words) -> Indices:
    """Count the bits of each row."""
    counts: Indices = np.zeros(len(words), dtype=np.intp)
    for some in row_blocks(len(words), words.shape[1], _BLOCK_WORDS):
        block = np.ascontiguousarray(words[some])
        counts[some] = _ONES[block.view(np.uint16)].sum(axis=1, dtype=np.intp)
    return counts


def as_mask(bits: Table) -> int:
    """Return the integer whose bit ``i`` is entry ``i`` of an array of 0 and 1.

    Examples
    --------
    >>> as_mask(np.array([1, 0, 1], dtype=np.uint8))
    5
    """
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def ones_of(mask: int) -> tuple[int, ...]:
    """Return the places of the ones of an integer, increasing.

    Examples
    --------
    >>> ones_of(0b1010)
    (1, 3)
    """
    return tuple(places_of(mask).tolist())


def places_of(mask: int) -> Indices:
    """Return the same as an array."""
    held = np.frombuffer(mask.to_bytes(-(-mask.bit_length() // 8), "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(held, bitorder="little"))


def columns_of(table: Table) -> list[int]:
    """Return the columns of a 0/1 table, each as the integer whose bit ``i`` is row ``i``."""
    return [as_mask(column) for column in np.asarray(table).T]
