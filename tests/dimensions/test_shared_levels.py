"""A search for shattered sets on several threads answers as on one."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pac_stability import FiniteClass, InvalidInput
from pac_stability._core.vc import ShatteringSearch
from pac_stability.dimensions import DualVCSearch, VCSearch, dual_vc, vc, vc_search
from pac_stability.dimensions.vc_search import SharedLevel


def random_class(seed: int, n: int, m: int) -> FiniteClass:
    """Rows drawn uniformly; duplicates are dropped."""
    return FiniteClass(np.random.default_rng(seed).integers(0, 2, size=(n, m), dtype=np.uint8))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share every level out after its first piece, and make pieces short."""
    monkeypatch.setattr(vc_search, "_ALONE", 1)
    monkeypatch.setattr(vc_search, "_SHORT", 1000)
    monkeypatch.setattr("pac_stability.dimensions.vc_search._PIECE", 1000)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("threads", [2, 3])
def test_bounds_and_witness_are_those_of_one_thread(threads: int) -> None:
    for seed in range(12):
        H = random_class(seed, 60 + 20 * seed, 20)
        for search in (vc, dual_vc):
            alone, together = search(H), search(H, threads=threads)
            assert (together.lower, together.upper) == (alone.lower, alone.upper)
            assert together.witness == alone.witness


@pytest.mark.usefixtures("at_once")
def test_nothing_is_searched_twice_or_left_out() -> None:
    # A level without a shattered set has the same nodes for any number of threads.
    table = np.ascontiguousarray(np.unique(random_class(4, 110, 20).table, axis=0))
    counts, beginnings = set(), []

    def begun(room: int) -> ShatteringSearch:
        beginnings.append(room)
        return ShatteringSearch(table, 6, row_level=2, max_memory=room)

    for threads in (1, 2, 3):
        level = SharedLevel(begun, 20, threads=threads, room=lambda: 1 << 30)
        while level.advance(1000):
            assert level.witness is None
        assert level.witness is None
        counts.add(level.nodes)
    assert len(counts) == 1
    assert len(beginnings) == 1 + 2 + 3


class _Late:
    """A share whose turn the test gives."""

    memory = nodes = root = 0

    def __init__(self, answers: dict[int, tuple[int, ...]]) -> None:
        self.answers = answers
        self.first = 0
        self.witness: tuple[int, ...] | None = None

    def search_roots(self, first: int, _last: int) -> None:
        """Take a share."""
        self.first = first

    def stop_before(self, _last: int) -> None:
        """Keep the first."""

    def advance(self, _work: float) -> bool:
        """Settle a share at once, but the first of all in several pieces."""
        if self.first == 0 and len(self.answers) < 3:
            self.answers[-len(self.answers) - 1] = ()
            return True
        self.witness = self.answers.get(self.first)
        return False


def test_the_first_share_that_finds_something_has_the_last_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The share from column 0 ends last and finds a set; those from 1 on found others before.
    monkeypatch.setattr(vc_search, "_ALONE", 1)
    answers: dict[int, tuple[int, ...]] = {0: (0, 9)}
    later = {1: (1, 2), 2: (2, 3)}
    first: list[bool] = []

    def begun(_room: int) -> ShatteringSearch:
        first.append(True)
        return _Late(answers if len(first) == 1 else later)  # type: ignore[arg-type,return-value]  # a double

    level = SharedLevel(begun, 4, threads=2, room=lambda: 0)
    while level.advance(1):
        pass
    assert level.witness == (0, 9)


def test_others_join_later_where_a_search_is_large() -> None:
    # What another search needs to begin grows with what it holds.
    joined = []
    for memory in (0, (1 << 20) - 1, 1 << 20, (8 << 20) - 1):
        first: list[int] = []

        def begun(_room: int, held: int = memory, first: list[int] = first) -> Any:
            first.append(0)
            search = _Late({})
            search.memory = held
            return search

        level = SharedLevel(begun, 4, threads=2, room=lambda: 0)
        level._workers[0].search.advance = lambda work: work > 0  # type: ignore[method-assign]  # a double
        pieces = 0
        while len(first) < 2:
            level.advance(1)
            pieces += 1
        joined.append(pieces)
    assert joined == [joined[0] + more for more in (0, 0, 1, 7)]


@pytest.mark.usefixtures("at_once")
def test_memory_is_that_of_all_threads_and_one_goes_on_where_two_have_no_room() -> None:
    H = random_class(3, 512, 64)
    alone = VCSearch(H, threads=1)
    alone.run(time_limit=1e-9, aim=8)
    while not alone._levels:
        alone.run(time_limit=1e-9, aim=8)
    one = alone._levels[8].memory
    for room, workers in ((2 * one - 1, 1), (2 * one, 2), (5 * one, 3)):
        search = VCSearch(H, room, threads=3)
        while not search._levels or search._levels[8]._pieces < 3:
            search.run(time_limit=1e-9, aim=8)
        assert len(search._levels[8]._workers) == workers
        assert search._levels[8].memory == workers * one


@pytest.mark.usefixtures("at_once")
def test_an_interrupt_stops_all_threads_and_the_search_goes_on() -> None:
    H = random_class(3, 256, 40)
    expected = vc(H)
    search = VCSearch(H, threads=2)
    calls = 0

    def interrupt(_: object) -> None:
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise KeyboardInterrupt

    before = threading.active_count()
    _until_it_ends(lambda: search.run(progress=interrupt), before)
    found = search.run()
    assert (found.value, found.witness) == (expected.value, expected.witness)


def _until_it_ends(run: Callable[[], object], threads: int) -> None:
    while True:
        try:
            run()
        except KeyboardInterrupt:
            assert threading.active_count() == threads
        else:
            return


@pytest.mark.usefixtures("at_once")
def test_the_others_stop_when_the_first_has_done_its_pieces() -> None:
    asked = 0

    class Long(_Late):
        def advance(self, _work: float) -> bool:
            """The first is always at it; the other would end after many pieces."""
            nonlocal asked
            asked += bool(self.first)
            return asked < 10**6

    level = SharedLevel(
        lambda _: Long({}),  # type: ignore[arg-type,return-value]  # a double
        4,
        threads=2,
        room=lambda: 0,
    )
    for _ in range(3):
        assert level.advance(1)
    assert asked < 10**6


@pytest.mark.usefixtures("at_once")
def test_what_fails_in_a_thread_is_told() -> None:
    class Broken(_Late):
        def advance(self, _work: float) -> bool:
            if self.first:
                raise RuntimeError("broken")
            return True

    level = SharedLevel(
        lambda _: Broken({}),  # type: ignore[arg-type,return-value]  # a double
        4,
        threads=2,
        room=lambda: 0,
    )
    assert level.advance(1)
    with pytest.raises(RuntimeError, match="broken"):
        level.advance(1)


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_are_at_least_one(threads: int) -> None:
    for search in (VCSearch, DualVCSearch):
        with pytest.raises(InvalidInput, match="threads"):
            search(FiniteClass([[0], [1]]), threads=threads)
