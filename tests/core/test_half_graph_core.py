"""The compiled search for half graphs against its readable twin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability import classes
from pac_stability._core.half_graph import HalfGraphSearch
from pac_stability.dimensions.reference_definitions import threshold_by_definition
from shared_threads import refused_beside_another_thread

Table = npt.NDArray[np.uint8]

WHOLE = 1e18


def random_table(seed: int, rows: int, columns: int, density: float) -> Table:
    rng = np.random.default_rng(seed)
    table = np.unique((rng.random((rows, columns)) < density).astype(np.uint8), axis=0)
    rng.shuffle(table)
    return table


def longest(
    table: Table, *, lower: int = 0, memo: int = 2**16, work: float = WHOLE
) -> HalfGraphSearch:
    search = HalfGraphSearch(
        np.ascontiguousarray(table), lower=lower, upper=min(table.shape), memo=memo
    )
    while search.advance(work):
        pass
    assert lower <= search.best <= search.bound <= min(table.shape)
    pairs = search.witness_pairs
    if search.best == lower:
        assert pairs is None
    else:
        assert pairs is not None
        assert (table[np.ix_(*pairs)] == np.triu(np.ones((search.best,) * 2))).all()
    return search


@pytest.mark.parametrize("memo", [0, 2**16])
def test_random_tables(memo: int) -> None:
    for seed in range(400):
        rng = np.random.default_rng(seed)
        table = random_table(
            seed, int(rng.integers(1, 14)), int(rng.integers(1, 7)), rng.choice([0.3, 0.5, 0.7])
        )
        size = threshold_by_definition(table)
        assert longest(table, memo=memo).best == size
        # The graph is symmetric: read backwards, columns are hypotheses.
        assert longest(table.T, memo=memo).best == size


@given(rows=st.sets(st.integers(0, 31), min_size=1), lower=st.integers(0, 5))
def test_any_class_of_five_points(rows: set[int], lower: int) -> None:
    table = np.array([[row >> i & 1 for i in range(5)] for row in rows], dtype=np.uint8)
    lower = min(lower, *table.shape)
    assert longest(table, lower=lower).best == max(lower, threshold_by_definition(table))


@pytest.mark.parametrize(
    ("table", "size"),
    [
        # A chain of n sets and its n cuts.
        (classes.thresholds(100).table, 100),
        # A half graph is triangular with ones on the diagonal: no larger than the rank.
        (classes.parities(4).table, 4),
        # Its first hypothesis contains all its points.
        (classes.subsets(9, 3).table, 3),
        (classes.singletons(70).table, 1),
    ],
    ids=["thresholds", "parities", "subsets", "singletons"],
)
def test_closed_forms(table: Table, size: int) -> None:
    assert longest(table).best == size


def test_a_half_graph_hidden_across_words() -> None:
    # Columns 60..69 and rows 60..69 hold a half graph; all else is a matching or empty, and no
    # pair of the matching can be joined to anything.
    table = np.zeros((140, 140), dtype=np.uint8)
    table[60:70, 60:70] = np.triu(np.ones((10, 10), dtype=np.uint8))
    for i in [*range(60), *range(70, 140)]:
        table[i, i] = 1
    search = longest(table)
    assert search.best == 10
    assert search.witness_pairs == (tuple(range(60, 70)), tuple(range(60, 70)))


def test_stopping_and_going_on_changes_nothing() -> None:
    table = random_table(3, 60, 20, 0.5)
    whole = longest(table)
    pieces = longest(table, work=1)
    assert (pieces.best, pieces.witness_pairs, pieces.nodes) == (
        whole.best,
        whole.witness_pairs,
        whole.nodes,
    )


def test_two_threads_cannot_work_on_one_search() -> None:
    table = random_table(3, 128, 28, 0.5)
    whole = longest(table)
    search = HalfGraphSearch(table, lower=0, upper=28, memo=2**16)
    assert refused_beside_another_thread(search, WHOLE)
    assert (search.nodes, search.witness_pairs) == (whole.nodes, whole.witness_pairs)


def test_a_memo_saves_nodes_and_changes_no_answer() -> None:
    table = classes.parities(5).table
    none, large = longest(table, memo=0), longest(table, memo=2**20)
    assert none.best == large.best
    assert large.nodes < none.nodes


def test_memory_is_bounded_before_it_is_taken() -> None:
    table = random_table(1, 100, 40, 0.5)
    least = HalfGraphSearch(table, lower=0, upper=40, memo=0).memory
    small = HalfGraphSearch(table, lower=0, upper=40, memo=2**30, max_memory=least + 1000)
    assert least <= small.memory <= least + 1000
    with pytest.raises(MemoryError):
        HalfGraphSearch(table, lower=0, upper=40, memo=0, max_memory=least - 1)


@pytest.mark.parametrize(("lower", "upper"), [(-1, 2), (3, 2), (0, 4)])
def test_bounds_out_of_range(lower: int, upper: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        HalfGraphSearch(classes.cube(3).table, lower=lower, upper=upper, memo=0)
