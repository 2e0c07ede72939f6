"""The compiled searches for half graphs against their readable twins."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from pac_stability import classes
from pac_stability._core.half_graph import HalfGraphSearch
from shared_classes import table_of_stumps
from shared_dimensions import first_pair_search, threshold_by_definition
from shared_threads import refused_beside_another_thread

Table = npt.NDArray[np.uint8]

WHOLE = 1e18


def random_table(seed: int, rows: int, columns: int, density: float) -> Table:
    rng = np.random.default_rng(seed)
    table = np.unique((rng.random((rows, columns)) < density).astype(np.uint8), axis=0)
    rng.shuffle(table)
    return table


def longest(
    table: Table, *, lower: int = 0, memo: int = 2**16, work: float = WHOLE, portable: bool = False
) -> HalfGraphSearch:
    search = HalfGraphSearch(
        np.ascontiguousarray(table),
        lower=lower,
        upper=min(table.shape),
        memo=memo,
        portable=portable,
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


def test_every_question_to_one_search_has_the_answer_of_a_new_one() -> None:
    answers = {True: 0, False: 0}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = random_table(seed, int(rng.integers(2, 40)), int(rng.integers(2, 10)), 0.5)
        size = first_pair_search(table)
        asked = HalfGraphSearch(table, lower=0, upper=min(table.shape), memo=2**12)
        asked.advance(1)  # and left in the middle of the first
        for lower in rng.permutation(min(table.shape) + 1).tolist():
            if lower > asked.bound:
                continue
            asked.ask(lower)
            assert getattr(asked, "witness_pairs") is None  # noqa: B009 - it changes meanwhile
            while asked.advance(1e3):
                assert asked.best <= asked.bound
            assert asked.best == max(lower, size)
            pairs = asked.witness_pairs
            assert (pairs is None) == (lower >= size)
            if pairs is not None:
                assert (table[np.ix_(*pairs)] == np.triu(np.ones((size, size)))).all()
            answers[pairs is None] += 1
    assert min(answers.values()) > 50


def test_what_a_question_has_shown_of_states_shortens_the_next() -> None:
    table = table_of_stumps(0, 30, 3)
    asked = longest(table, memo=2**20)
    before, size = asked.nodes, asked.best
    asked.ask(size - 1)
    while asked.advance(WHOLE):
        pass
    assert asked.best == size
    assert asked.nodes - before < longest(table, lower=size - 1, memo=2**20).nodes


def test_a_question_beyond_the_bound_is_refused_and_changes_nothing() -> None:
    search = longest(classes.cube(3).table)
    with pytest.raises(ValueError, match="at most the bound"):
        search.ask(search.bound + 1)
    assert (search.best, search.witness_pairs) == (3, longest(classes.cube(3).table).witness_pairs)


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


@pytest.mark.parametrize(
    "table",
    [
        random_table(3, 90, 20, 0.5),  # too many first pairs to be listed
        random_table(4, 200, 70, 0.1),
        table_of_stumps(1, 20, 3),
        table_of_stumps(2, 130, 1),
    ],
    ids=["dense", "sparse", "stumps", "chains"],
)
def test_every_set_of_instructions_takes_the_same_way(table: Table) -> None:
    baseline, fastest = longest(table, portable=True), longest(table)
    assert baseline.nodes == fastest.nodes
    assert baseline.witness_pairs == fastest.witness_pairs


def test_more_lines_than_are_compared_with_each_other() -> None:
    # 700 hypotheses none of which lies in another, and one of all points.
    table = np.vstack([np.eye(700, dtype=np.uint8), np.ones((1, 700), dtype=np.uint8)])
    assert longest(table).best == 2


def test_first_pairs_that_are_too_many_to_be_listed() -> None:
    # All pairs off the diagonal may come first, and each leaves a single row.
    table = 1 - np.eye(70, dtype=np.uint8)
    assert longest(table).best == longest(table, lower=1).best == 2


@pytest.mark.parametrize("seed", [42, 73, 104])
def test_what_is_remembered_of_a_state_is_not_too_little(seed: int) -> None:
    # States are met again with more pairs before them, where one pair less makes the difference.
    labels = np.random.default_rng(seed).random((30, 14)) < 0.5
    table = np.unique(labels.astype(np.uint8), axis=0)
    assert longest(table).best == first_pair_search(table) == 8


def test_stumps_against_the_readable_search() -> None:
    for seed in range(6):
        table = table_of_stumps(seed, 7, 2)
        assert longest(table).best == first_pair_search(table)


def test_the_order_of_columns_changes_no_value() -> None:
    # More columns than are kept measured at once.
    for seed in range(8):
        table = table_of_stumps(seed, 40, 3)
        shuffled = table[:, np.random.default_rng(seed).permutation(table.shape[1])]
        assert longest(table).best == longest(shuffled).best


def test_a_bound_from_elsewhere_ends_the_search() -> None:
    table = random_table(3, 128, 28, 0.5)
    search = HalfGraphSearch(table, lower=0, upper=28, memo=2**16)
    assert search.advance(1)
    best = longest(table).best
    search.cap(best)
    search.cap(best + 1)
    assert search.bound == best
    while search.advance(WHOLE):
        pass
    assert search.best == best
    assert search.nodes < longest(table).nodes
    with pytest.raises(ValueError, match="at least the best"):
        search.cap(best - 1)
