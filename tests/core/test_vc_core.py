"""The compiled search for shattered sets against its readable twin, in both layouts."""

import threading
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability import classes
from pac_stability._core.vc import ShatteringSearch
from shared_dimensions import patterns, vc_by_definition
from shared_threads import refused_beside_another_thread

Table = npt.NDArray[np.uint8]

LAYOUTS = [1, 2, 3, 32]  # levels from which cells are blocks; 32: never
WHOLE = 1e18


def random_table(seed: int, rows: int, columns: int, density: float) -> Table:
    rng = np.random.default_rng(seed)
    return np.unique((rng.random((rows, columns)) < density).astype(np.uint8), axis=0)


def decide(
    table: Table, k: int, row_level: int, *, portable: bool = False, work: float = WHOLE
) -> ShatteringSearch:
    search = ShatteringSearch(
        np.ascontiguousarray(table), k, row_level=row_level, portable=portable
    )
    while search.advance(work):
        pass
    found = search.witness
    if found is not None:
        assert len(set(found)) == k
        assert list(found) == sorted(found)
        assert len(patterns(table, found)) == 2**k
    return search


@pytest.mark.parametrize("row_level", LAYOUTS)
@pytest.mark.parametrize("portable", [False, True])
def test_decision_equals_definition(row_level: int, portable: bool) -> None:
    positive = negative = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        wide = seed % 5 == 0
        table = random_table(
            seed,
            int(rng.integers(30, 150)) if wide else int(rng.integers(1, 40)),
            int(rng.integers(5, 9)),
            float(rng.choice([0.2, 0.35, 0.5])),
        )
        rng.shuffle(table)
        dimension = vc_by_definition(table)
        for k in range(2, 7):
            found = decide(table, k, row_level, portable=portable).witness
            assert (found is not None) == (k <= dimension)
            positive += found is not None
            negative += found is None
    assert positive > 100
    assert negative > 100


@given(
    rows=st.sets(st.integers(0, 63), min_size=1, max_size=40),
    k=st.integers(2, 5),
    row_level=st.sampled_from(LAYOUTS),
)
def test_decision_on_any_class_of_six_points(rows: set[int], k: int, row_level: int) -> None:
    table = np.array([[row >> i & 1 for i in range(6)] for row in rows], dtype=np.uint8)
    assert (decide(table, k, row_level).witness is not None) == (vc_by_definition(table) >= k)


@pytest.mark.parametrize("row_level", LAYOUTS)
def test_more_columns_than_a_word(row_level: int) -> None:
    # 14 hypotheses shatter no more than floor(log2 14) = 3 of the 70 columns.
    for seed in range(3):
        table = random_table(seed, 14, 70, 0.3)
        dimension = vc_by_definition(table)
        assert dimension in (2, 3)
        assert decide(table, 2, row_level).witness is not None
        assert (decide(table, 3, row_level).witness is not None) == (dimension == 3)


@pytest.mark.parametrize("row_level", LAYOUTS)
@pytest.mark.parametrize("places", [
    (0, 1, 2, 3, 4),
    (10, 63, 64, 65, 129),
    (3, 70, 99, 128, 129),
    # Met in the last rotation only; the first moves columns 30 and 31 into the third word.
    (30, 31, 98, 99, 100),
])  # fmt: skip
def test_one_needle_in_many_columns(row_level: int, places: tuple[int, ...]) -> None:
    # 32 rows carry every pattern on five columns; each other column is 1 in one row only, so
    # no shattered set of two or more uses it: the five columns are the only shattered five.
    table = np.zeros((32, 130), dtype=np.uint8)
    table[:, list(places)] = list(product((0, 1), repeat=5))
    for column in set(range(130)) - set(places):
        table[column % 32, column] = 1
    assert decide(table, 5, row_level).witness == places
    # With one pattern gone it has VC dimension 4: any four of the five see each pattern twice.
    assert decide(table[1:], 5, row_level).witness is None
    assert decide(table[1:], 4, row_level).witness is not None


@pytest.mark.parametrize("row_level", LAYOUTS)
@pytest.mark.parametrize("missing", range(16))
def test_one_missing_pattern_in_many_columns(row_level: int, missing: int) -> None:
    # Three rows for each of 15 patterns on four columns, none for the last; the other columns,
    # 1 in one row only, help nobody.
    table = np.zeros((45, 100), dtype=np.uint8)
    cube = np.array(list(product((0, 1), repeat=4)), dtype=np.uint8)
    table[:, [5, 63, 64, 99]] = np.repeat(np.delete(cube, missing, axis=0), 3, axis=0)
    table[range(6, 45), range(6, 45)] = 1
    assert decide(table, 4, row_level).witness is None
    assert decide(table, 3, row_level).witness is not None


def test_sides_of_a_column_beyond_the_first_word_are_counted() -> None:
    # Entered in the first rotation in this order, two of them in the second word of a row.
    cube = np.array(list(product((0, 1), repeat=4)), dtype=np.uint8)
    for missing in range(16):
        table = np.zeros((45, 300), dtype=np.uint8)
        table[:, [5, 70, 80, 250]] = np.repeat(np.delete(cube, missing, axis=0), 3, axis=0)
        assert decide(table, 4, 1).witness is None


@pytest.mark.parametrize("k", [7, 8])
@pytest.mark.parametrize("seed", [0, 2])
def test_blocks_of_many_columns_are_cut_from_blocks_as_from_lists(k: int, seed: int) -> None:
    # Deep enough that blocks of more than one word of columns are extracted from blocks.
    table = (np.random.default_rng(seed).random((300, 100)) < 0.5).astype(np.uint8)
    lists = decide(table, k, 32)
    for row_level in (1, 2):
        blocks = decide(table, k, row_level)
        assert (blocks.witness, blocks.nodes) == (lists.witness, lists.nodes)


@pytest.mark.parametrize("row_level", LAYOUTS)
@pytest.mark.parametrize("extra", [13, 14, 29, 30, 61, 62, 63, 125, 126, 127])
def test_counts_at_powers_of_two(row_level: int, extra: int) -> None:
    # Every pattern on four columns once, and the empty one often: counts of 2^b and about.
    table = np.zeros((16 + extra, 4), dtype=np.uint8)
    table[:16] = list(product((0, 1), repeat=4))
    assert decide(table, 4, row_level).witness == (0, 1, 2, 3)


@pytest.mark.parametrize("row_level", LAYOUTS)
@pytest.mark.parametrize(("table", "dimension"), [
    pytest.param(classes.subsets(13, 5).table, 5, id="subsets of at most 5 of 13 points"),
    pytest.param(classes.subsets(70, 2).table, 2, id="subsets of at most 2 of 70 points"),
    pytest.param(classes.unions_of_intervals(12, 3).table, 6, id="unions of 3 intervals"),
    pytest.param(classes.parities(7).table, 7, id="parities of 7 bits"),
    pytest.param(classes.cube(11).table, 11, id="cube of 11 points"),
])  # fmt: skip
def test_closed_forms_with_large_cells(table: Table, dimension: int, row_level: int) -> None:
    assert decide(table, dimension, row_level).witness is not None
    if 2 ** (dimension + 1) <= len(table):
        assert decide(table, dimension + 1, row_level).witness is None


@pytest.mark.parametrize("row_level", LAYOUTS)
def test_dense_refutations_agree_in_all_layouts(row_level: int) -> None:
    # 100 x 30 of density 1/2 has VC dimension 5 or 6; the decision for 6 needs every level.
    for seed in range(6):
        table = random_table(seed, 100, 30, 0.5)
        outcome = decide(table, 6, row_level)
        blocks = decide(table, 6, 1)
        assert (outcome.witness is None) == (blocks.witness is None)
        other = decide(table, 6, row_level, portable=True)
        assert (outcome.witness, outcome.nodes) == (other.witness, other.nodes)


@pytest.mark.parametrize("row_level", LAYOUTS)
def test_stopping_and_going_on_changes_nothing(row_level: int) -> None:
    table = random_table(1, 100, 24, 0.5)
    whole = decide(table, 6, row_level)
    pieces = decide(table, 6, row_level, work=1)
    assert (pieces.witness, pieces.nodes) == (whole.witness, whole.nodes)
    assert not pieces.advance(WHOLE)


def test_a_piece_of_work_is_small() -> None:
    search = ShatteringSearch(random_table(1, 600, 64, 0.5), 9, row_level=1)
    seen = [search.nodes]
    for _ in range(20):
        assert search.advance(1e4)
        seen.append(search.nodes)
    assert all(0 <= after - before < 500 for before, after in pairwise(seen))
    assert seen[-1] > 0


@pytest.mark.parametrize("row_level", LAYOUTS)
def test_memory_is_bounded_before_it_is_taken(row_level: int) -> None:
    table = random_table(1, 300, 40, 0.5)
    needed = ShatteringSearch(table, 6, row_level=row_level).memory
    assert needed > 0
    assert ShatteringSearch(table, 6, row_level=row_level, max_memory=needed).memory == needed
    with pytest.raises(MemoryError):
        ShatteringSearch(table, 6, row_level=row_level, max_memory=needed - 1)


def test_too_few_rows_or_columns_need_no_search() -> None:
    for table, k in ((classes.cube(3).table, 4), (classes.cube(3).table[1:], 3)):
        search = ShatteringSearch(table, k, row_level=1)
        assert not search.advance(WHOLE)
        assert search.witness is None
        assert search.nodes == 0


@pytest.mark.parametrize(("k", "row_level"), [(1, 1), (32, 1), (2, 0), (2, 33)])
def test_arguments_out_of_range(k: int, row_level: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        ShatteringSearch(classes.cube(3).table, k, row_level=row_level)


def test_other_threads_run_during_the_search() -> None:
    # Nodes that change while a single call is under way can be seen only without the GIL.
    search = ShatteringSearch(random_table(2, 256, 64, 0.5), 7, row_level=1)
    worker = threading.Thread(target=search.advance, args=(WHOLE,))
    worker.start()
    seen = set()
    while worker.is_alive():
        seen.add(search.nodes)
    worker.join()
    assert len(seen - {0, search.nodes}) > 0


def test_two_threads_cannot_work_on_one_search() -> None:
    whole = decide(random_table(2, 256, 64, 0.5), 7, 1)
    search = ShatteringSearch(random_table(2, 256, 64, 0.5), 7, row_level=1)
    assert refused_beside_another_thread(search, WHOLE)
    assert (search.nodes, search.witness) == (whole.nodes, whole.witness)


@pytest.mark.parametrize("row_level", LAYOUTS)
def test_shares_of_the_columns_make_up_the_search(row_level: int) -> None:
    # Each set has one first column, so shares count what one search counts, and the first of them
    # that finds something finds what it finds.
    table = random_table(4, 110, 20, 0.5)
    columns = table.shape[1]
    for k in (5, 6):
        whole = decide(table, k, row_level)
        found, nodes = [], 0
        for share in range(columns):
            search = ShatteringSearch(table, k, row_level=row_level)
            search.search_roots(share, share + 1)
            while search.advance(1000):
                assert search.root >= share
            found += [] if search.witness is None else [search.witness]
            nodes += search.nodes if whole.witness is None or len(found) <= 1 else 0
        assert found[:1] == ([] if whole.witness is None else [whole.witness])
        if whole.witness is None:
            assert nodes == whole.nodes
    assert whole.witness is None


def test_one_search_takes_shares_one_after_the_other() -> None:
    table = random_table(4, 110, 20, 0.5)
    whole, search = decide(table, 6, 2), ShatteringSearch(table, 6, row_level=2)
    for first, last in ((0, 3), (3, 3), (3, 4), (4, 17), (17, 20)):
        search.search_roots(first, last)
        while search.advance(10):
            assert first <= search.root <= last
    assert search.witness is None
    assert search.nodes == whole.nodes
    with pytest.raises(ValueError, match="out of range"):
        search.search_roots(0, 20)


def test_a_search_is_cut_behind_where_it_is() -> None:
    table = random_table(4, 110, 20, 0.5)
    whole, first = decide(table, 6, 1), ShatteringSearch(table, 6, row_level=1)
    for _ in range(40):
        assert first.advance(1000)
    cut = first.root + 1
    assert 1 < cut < 20
    first.stop_before(cut)
    while first.advance(1000):
        assert first.root <= cut
    rest = ShatteringSearch(table, 6, row_level=1)
    rest.search_roots(cut, 20)
    while rest.advance(WHOLE):
        pass
    assert first.witness is rest.witness is None
    assert first.nodes + rest.nodes == whole.nodes
