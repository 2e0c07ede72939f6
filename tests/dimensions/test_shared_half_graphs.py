"""A search for the threshold dimension on several threads answers as on one."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability._core.half_graph import HalfGraphSearch
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import (
    ThresholdSearch,
    anytime,
    shared_half_graphs,
    threshold,
    threshold_search,
)
from pac_stability.dimensions.bounds import SearchProgress
from pac_stability.dimensions.reference_half_graphs import first_pair_search
from pac_stability.dimensions.shared_half_graphs import SharedSearch
from pac_stability.errors import InvalidInput
from shared_classes import table_of_stumps

Table = npt.NDArray[np.uint8]

WHOLE = 1e18


def random_table(seed: int, rows: int, columns: int, density: float) -> Table:
    labels = np.random.default_rng(seed).random((rows, columns)) < density
    return np.unique(labels.astype(np.uint8), axis=0)


TABLES = [
    *[random_table(seed, 40 + 5 * seed, 14, 0.5) for seed in range(4)],
    *[random_table(seed, 90, 30, 0.2) for seed in range(3)],
    *[table_of_stumps(seed, 24, 3) for seed in range(3)],
    1 - np.eye(40, dtype=np.uint8),
]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let others join after one short piece."""
    monkeypatch.setattr(shared_half_graphs, "ALONE", 1)
    monkeypatch.setattr(threshold_search, "_PIECE", 2e4)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("threads", [2, 3])
def test_bounds_and_witness_are_those_of_one_thread(threads: int) -> None:
    for table in TABLES:
        H = FiniteClass(table)
        alone, together = threshold(H), threshold(H, threads=threads)
        assert (together.lower, together.upper) == (alone.lower, alone.upper)
        assert together.witness == alone.witness
        assert together.witness is not None
        assert together.witness.is_realized_by(H)


def settled(table: Table, *, memo: int = 2**16, warm: int = 0, best: int = 0) -> HalfGraphSearch:
    """Search a table, in an order that is settled after so many short pieces."""
    search = HalfGraphSearch(
        np.ascontiguousarray(table), lower=0, upper=min(table.shape), memo=memo
    )
    for _ in range(warm):
        search.advance(1e4)
    search.settle()
    search.raise_to(max(search.best, best))
    while search.advance(1e5):
        pass
    return search


@pytest.mark.parametrize("warm", [0, 3], ids=["listed", "as they come"])
def test_a_settled_search_finds_the_first_whatever_is_pruned(warm: int) -> None:
    for table in TABLES:
        search = settled(table, warm=warm)
        value = search.best
        # Neither what is remembered of states nor what is known to be too short moves it.
        if warm == 0:
            assert settled(table, memo=0).witness_pairs == search.witness_pairs
        raised = settled(table, warm=warm, best=value - 1)
        assert raised.best == value
        assert raised.witness_pairs == search.witness_pairs
        assert raised.nodes <= search.nodes


@pytest.mark.parametrize("table", [random_table(5, 18, 9, 0.5), table_of_stumps(2, 8, 2)])
def test_a_settled_search_against_the_readable_one(table: Table) -> None:
    assert settled(table).best == first_pair_search(table)


@pytest.mark.parametrize("more", [1, 2, 3])
def test_more_first_pairs_than_fit_into_a_list_are_all_tried(more: int) -> None:
    # Hundreds of pairs of one block leave as much by degrees as those of a longer half graph do.
    block = random_table(1, 60, 32, 0.5)
    size = settled(block).best + more
    # The first pair of all leaves the two blocks, and is entered before the search settles.
    table = np.zeros((1 + size + len(block), 1 + size + 32), dtype=np.uint8)
    table[0] = 1
    table[1 : size + 1, 1 : size + 1] = np.triu(np.ones((size, size), dtype=np.uint8))
    table[size + 1 :, size + 1 :] = block
    for ahead in (1, 2, 100):
        first = HalfGraphSearch(table, lower=0, upper=size + 33, memo=2**16)
        first.settle()
        other = HalfGraphSearch(table, lower=0, upper=size + 33, memo=0, beside=first, ahead=ahead)
        while other.advance(WHOLE):
            pass
        assert other.best == size + 1
    search = settled(table)
    assert search.best == size + 1
    assert search.witness_pairs == (tuple(range(size + 1)), tuple(range(size + 1)))


@pytest.mark.parametrize("ahead", [1, 2, 3, 65535])
@pytest.mark.parametrize("warm", [0, 3], ids=["listed", "as they come"])
def test_one_ahead_of_another_refutes_what_that_need_not_enter(ahead: int, warm: int) -> None:
    for table in (table_of_stumps(1, 30, 3), random_table(7, 80, 20, 0.5)):
        upper = min(table.shape)
        alone = settled(table, memo=2**20, warm=warm)
        first = HalfGraphSearch(table, lower=0, upper=upper, memo=2**20)
        for _ in range(warm):
            first.advance(1e4)
        first.settle()
        before = first.nodes
        other = HalfGraphSearch(table, lower=0, upper=upper, memo=0, beside=first, ahead=ahead)
        assert other.beside is first
        assert other.memory < first.memory
        while other.advance(WHOLE):
            pass
        assert other.best == alone.best
        assert other.nodes != alone.nodes - before  # another order
        first.raise_to(max(first.best, other.best - 1))
        while first.advance(WHOLE):
            pass
        assert first.best == alone.best
        assert first.witness_pairs == alone.witness_pairs
        assert first.nodes < alone.nodes


@pytest.mark.parametrize("ahead", [1, 2, 3])
def test_what_is_passed_over_for_a_later_one_is_tried_afterwards(ahead: int) -> None:
    for seed in range(10):
        table = random_table(seed, 24, 16, 0.6)
        first = HalfGraphSearch(table, lower=0, upper=16, memo=2**10)
        first.settle()
        other = HalfGraphSearch(table, lower=0, upper=16, memo=0, beside=first, ahead=ahead)
        while other.advance(WHOLE):
            pass
        assert other.best == settled(table).best


def test_one_ahead_takes_the_second_pair_first() -> None:
    # Blocks of 6, 5 and 4 pairs that nothing joins: a pair of the largest leaves most.
    sizes = (6, 5, 4)
    table = np.zeros((15, 15), dtype=np.uint8)
    for size, at in zip(sizes, (0, 6, 11), strict=True):
        table[at : at + size, at : at + size] = np.triu(np.ones((size, size), dtype=np.uint8))
    first = HalfGraphSearch(table, lower=0, upper=15, memo=2**10)
    first.settle()
    found = []
    for ahead in (1, 2):
        other = HalfGraphSearch(table, lower=0, upper=15, memo=0, beside=first, ahead=ahead)
        while other.best < 3:
            assert other.advance(1e-9)
        assert other.witness_pairs is not None
        found.append(other.witness_pairs)
    assert found == [((6, 7, 8), (6, 7, 8)), ((11, 12, 13), (11, 12, 13))]


@pytest.mark.usefixtures("at_once")
def test_who_has_refuted_the_whole_says_so_to_the_first() -> None:
    table = table_of_stumps(1, 30, 3)

    def beside(first: HalfGraphSearch, ahead: int) -> HalfGraphSearch:
        return HalfGraphSearch(table, lower=0, upper=30, memo=0, beside=first, ahead=ahead)

    first = HalfGraphSearch(table, lower=0, upper=30, memo=2**20)
    shared = SharedSearch(first, beside, threads=2)
    assert shared.advance(1)
    assert shared.advance(1)
    assert len(shared._others) == 1
    while shared._others:
        with shared.together(1e6):
            assert first.bound > settled(table).best
    assert first.bound == settled(table).best
    assert first.best == first.bound - 1


def test_beside_is_a_search_of_the_same_table_that_has_settled() -> None:
    table = table_of_stumps(1, 12, 2)
    first = HalfGraphSearch(table, lower=0, upper=12, memo=2**10)
    with pytest.raises(ValueError, match="settled"):
        HalfGraphSearch(table, lower=0, upper=12, memo=0, beside=first)
    first.settle()
    for ahead in (0, -1, 65536):
        with pytest.raises(ValueError, match="ahead"):
            HalfGraphSearch(table, lower=0, upper=12, memo=0, beside=first, ahead=ahead)
    with pytest.raises(ValueError, match="same table"):
        HalfGraphSearch(1 - table, lower=0, upper=12, memo=0, beside=first)
    with pytest.raises(ValueError, match="same table"):
        HalfGraphSearch(table[:-1].copy(), lower=0, upper=12, memo=0, beside=first)


def test_what_is_too_short_is_no_witness() -> None:
    table = table_of_stumps(1, 24, 3)
    search = HalfGraphSearch(table, lower=0, upper=24, memo=2**10)
    search.settle()
    search.raise_to(5)
    assert search.best == 5
    assert search.witness_pairs is None
    search.raise_to(3)
    assert search.best == 5
    with pytest.raises(ValueError, match="at most the bound"):
        search.raise_to(25)


@pytest.mark.usefixtures("at_once")
def test_each_is_further_ahead_than_the_one_before() -> None:
    table, asked = table_of_stumps(1, 30, 3), []

    def beside(first: HalfGraphSearch, ahead: int) -> HalfGraphSearch:
        asked.append(ahead)
        return HalfGraphSearch(table, lower=0, upper=30, memo=0, beside=first, ahead=ahead)

    shared = SharedSearch(HalfGraphSearch(table, lower=0, upper=30, memo=2**20), beside, threads=4)
    while not asked:
        assert shared.advance(1)
    assert asked == [1, 2, 3]


@pytest.mark.usefixtures("at_once")
def test_memory_is_that_of_all_and_one_goes_on_where_two_have_no_room() -> None:
    H = FiniteClass(random_table(3, 128, 28, 0.5))
    whole = threshold(H)
    for room, others in (
        (None, 2),
        (10**9, 2),
        (HalfGraphSearch(H.table, lower=0, upper=28, memo=0).memory + 10**4, 0),
    ):
        search = ThresholdSearch(H, room, threads=3)
        most = 0
        while search.lower < search.upper:
            search.run(time_limit=1e-9)
            if search._search is not None:
                most = max(most, len(search._search._others))
                assert room is None or search._search.memory <= room
        assert most == others
        assert search.run().witness == whole.witness


@pytest.mark.usefixtures("at_once")
def test_an_interrupt_stops_all_threads_and_the_search_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    H = FiniteClass(random_table(3, 128, 28, 0.5))
    whole = threshold(H)
    search = ThresholdSearch(H, threads=2)
    before, calls = threading.active_count(), 0
    monkeypatch.setattr(anytime, "_REPORT_EVERY", 0.0)

    def interrupt(report: SearchProgress) -> None:
        nonlocal calls
        if report.nodes:
            calls += 1
            raise KeyboardInterrupt

    while calls < 20:
        with pytest.raises(KeyboardInterrupt):
            search.run(progress=interrupt)
        assert threading.active_count() == before
    assert search.lower < search.upper
    assert search._search is not None
    assert search._search._others
    found = search.run()
    assert (found.value, found.witness) == (whole.value, whole.witness)


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_are_at_least_one(threads: int) -> None:
    with pytest.raises(InvalidInput, match="threads"):
        ThresholdSearch(FiniteClass([[0], [1]]), threads=threads)
