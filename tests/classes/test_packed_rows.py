"""Packed tables: rows told apart by hashes, also where hashes collide, and transposition."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability.classes import FiniteClass, bits

Words = npt.NDArray[np.uint64]


def first_of_each(rows: list[tuple[int, ...]]) -> list[int]:
    """The definition."""
    return [index for index, row in enumerate(rows) if row not in rows[:index]]


@given(st.integers(1, 4), st.lists(st.integers(0, 5), max_size=30), st.integers(0, 2**32))
def test_first_occurrences_are_those_of_the_definition(
    width: int, drawn: list[int], seed: int
) -> None:
    some = np.random.default_rng(seed).integers(0, 2**64, (6, width), dtype=np.uint64)
    words = some[np.array(drawn, dtype=np.intp)]
    rows = [tuple(row) for row in words.tolist()]
    assert bits.first_occurrences(words).tolist() == first_of_each(rows)


@pytest.mark.parametrize("hashed", [0, 1, 3])
def test_rows_whose_hashes_collide_are_told_apart(
    hashed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poor(words: Words) -> Words:
        return words[:, 0] % np.uint64(hashed + 1)

    monkeypatch.setattr(bits, "_hashes", poor)
    words = np.random.default_rng(hashed).integers(0, 3, (200, 3), dtype=np.uint64)
    rows = [tuple(row) for row in words.tolist()]
    assert bits.first_occurrences(words).tolist() == first_of_each(rows)


def test_hashes_of_rows_with_single_and_paired_bits_differ() -> None:
    """The class of all sets of at most two points is not to be sorted because of its hashes."""
    width = 3
    points = 64 * width
    table = np.zeros((1 + points + points * (points - 1) // 2, points), dtype=np.uint8)
    row = 1
    for x in range(points):
        for z in range(x + 1):
            table[row, [x, z]] = 1
            row += 1
    words = bits.pack(table)
    assert len(np.unique(bits._hashes(words))) == len(words)


@given(st.integers(0, 40), st.integers(0, 9), st.integers(0, 20))
def test_rows_are_cut_into_the_largest_blocks_that_are_not_too_large(
    rows: int, width: int, most: int
) -> None:
    blocks = [range(rows)[some] for some in bits.row_blocks(rows, width, most)]
    assert [row for block in blocks for row in block] == list(range(rows))
    sizes = [len(block) for block in blocks]
    assert all(size == 1 or size * max(width, 1) <= most for size in sizes)
    assert all((size + 1) * max(width, 1) > most for size in sizes[:-1])


def test_equal_rows_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "_BLOCK_WORDS", 8)
    table = np.random.default_rng(0).integers(0, 2, (60, 130))
    H = FiniteClass(np.vstack([table, table[::-1], table[:7]]))
    assert H.table.tolist() == table.tolist()
    assert H.duplicates == 67


@given(st.integers(0, 150), st.integers(0, 150), st.integers(0, 2**32))
def test_transposition_counts_and_masks(rows: int, columns: int, seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, 2, (rows, columns), dtype=np.uint8)
    words = bits.pack(table)
    turned = bits.finished(bits.transposed(words, columns))
    assert bits.unpack(turned, rows).tolist() == table.T.tolist()
    assert bits.ones(words).tolist() == table.sum(axis=1).tolist()
    assert bits.finished(bits.unpacked(words, columns)).tolist() == table.tolist()
    if rows:
        places = np.flatnonzero(table[0])
        assert bits.mask_of(places, columns).tolist() == words[0].tolist()
