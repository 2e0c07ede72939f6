"""Packed tables: rows told apart by hashes, also where hashes collide, and transposition."""

import operator
import tracemalloc
from functools import reduce
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability import classes
from pac_stability.classes import FiniteClass, bits

Words = npt.NDArray[np.uint64]


def first_of_each(rows: list[tuple[int, ...]]) -> list[int]:
    """The definition."""
    return [index for index, row in enumerate(rows) if row not in rows[:index]]


@given(st.integers(1, 4), st.lists(st.integers(0, 5), max_size=90), st.integers(0, 2**32))
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


WIDTHS = st.sampled_from([0, 1, 5, 63, 64, 65, 130])


@given(WIDTHS, st.data())
def test_integers_and_rows_say_the_same(columns: int, data: st.DataObject) -> None:
    masks = data.draw(st.lists(st.integers(0, 2**columns - 1), max_size=5))
    words = bits.from_masks(masks, columns)
    assert words.shape == (len(masks), -(-columns // 64))
    assert [bits.row_mask(words, row) for row in range(len(masks))] == masks
    table = [[mask >> x & 1 for x in range(columns)] for mask in masks]
    assert bits.unpack(words, columns).tolist() == table
    some = st.permutations(range(columns)).flatmap(
        lambda order: st.sampled_from([order, order[:3]])
    )
    order = data.draw(some)
    turned = bits.with_columns(words, np.array(order, dtype=np.intp))
    assert bits.unpack(turned, len(order)).tolist() == [[row[x] for x in order] for row in table]


@given(WIDTHS)
def test_prefixes_and_units_are_what_they_are_called(columns: int) -> None:
    assert [bits.row_mask(bits.prefixes(columns), c) for c in range(columns + 1)] == [
        (1 << c) - 1 for c in range(columns + 1)
    ]
    units = bits.units(columns)
    assert [bits.row_mask(units, x) for x in range(columns)] == [1 << x for x in range(columns)]


@given(
    st.lists(st.integers(0, 2**70 - 1), max_size=6),
    st.sets(st.integers(0, 6)).map(sorted),
    st.sampled_from([1, 5, 1 << 17]),
)
def test_combinations_of_rows_come_in_order(rows: list[int], sizes: list[int], block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bits, "_BLOCK_WORDS", block)
        words = bits.combined(bits.from_masks(rows, 70), sizes)
    chosen = [some for size in sizes for some in combinations(rows, size)]
    expected = [reduce(operator.xor, some, 0) for some in chosen]
    assert [bits.row_mask(words, row) for row in range(len(words))] == expected


def test_many_intervals_are_built_in_little_memory() -> None:
    # A byte for each entry would be 45 million; the packed table has a sixth of that.
    tracemalloc.start()
    try:
        H = classes.intervals(448)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(H) == 1 + 449 * 448 // 2
    assert peak < 2.5 * len(H) * 7 * 8
