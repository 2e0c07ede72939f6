"""The walk over sets of points as an object: pieces, an early end, memory and threads."""

import threading
from fractions import Fraction

import numpy as np
import pytest

from pac_stability import BudgetExhausted, FiniteClass, Sample
from pac_stability.papers.dagan_feldman.selection import PreparedWalk, prepare

WHOLE = 1e18


def prepared(
    rows: int = 60, width: int = 10, size: int = 5, *, max_memory: int | None = None
) -> PreparedWalk:
    choice = np.random.default_rng(3)
    H = FiniteClass(choice.integers(0, 2, (rows, width)))
    points = [point for point in range(width) for _ in range(1 + point % 2)]
    sample = Sample(points, choice.integers(0, 2, len(points)))
    return prepare(H, sample, size, Fraction(2, 3), max_memory)


def finished(**arguments: int) -> PreparedWalk:
    whole = prepared(**arguments)
    while whole.walk.advance(WHOLE):
        pass
    return whole


def test_pieces_give_the_same_bounds() -> None:
    whole = finished()
    for work in (1.0, 7.0, 1000.0):
        other = prepared()
        pieces = 1
        while other.walk.advance(work):
            pieces += 1
        assert pieces > 10
        assert other.lower_bounds() == whole.lower_bounds()
        assert other.walk.nodes == whole.walk.nodes


def test_bounds_grow_until_the_end() -> None:
    whole = finished()
    before = 0
    for pieces in (100, 300, 900):
        other = prepared()
        for _ in range(pieces):
            assert other.walk.advance(1)
        other.walk.stop()
        assert not other.walk.advance(WHOLE)
        lowers = other.lower_bounds()
        assert before < sum(lowers) < sum(whole.lower_bounds())
        assert all(a <= b for a, b in zip(lowers, whole.lower_bounds(), strict=True))
        before = sum(lowers)


def test_an_end_before_the_beginning_finds_nothing() -> None:
    other = prepared()
    other.walk.stop()
    assert set(other.lower_bounds()) == {0}
    # Ending twice, or going on, changes nothing.
    other.walk.stop()
    assert not other.walk.advance(WHOLE)
    assert set(other.lower_bounds()) == {0}


def test_memory_is_bounded_before_it_is_taken() -> None:
    needed = prepared().walk.memory
    # One number of 16 bytes a row, and three lists of rows a depth.
    assert needed > 60 * 16 + 11 * 3 * 60 * 4
    assert prepared(max_memory=needed).walk.memory == needed
    with pytest.raises(BudgetExhausted, match=f"needs {needed} bytes"):
        prepared(max_memory=needed - 1)


def test_other_threads_run_during_the_walk() -> None:
    # Nodes that change while a single call is under way can be seen only without the GIL.
    other = prepared(300, 16, 8)
    worker = threading.Thread(target=other.walk.advance, args=(WHOLE,))
    worker.start()
    seen = set()
    while worker.is_alive():
        seen.add(other.walk.nodes)
    worker.join()
    assert len(seen - {1, other.walk.nodes}) > 0


def test_two_threads_cannot_work_on_one_walk() -> None:
    other = prepared(300, 16, 8)
    worker = threading.Thread(target=other.walk.advance, args=(WHOLE,))
    worker.start()
    while other.walk.nodes == 1 and worker.is_alive():
        pass
    refused = set()
    while worker.is_alive():
        for call in (lambda: other.walk.advance(1), other.walk.stop):
            try:
                call()
            except RuntimeError as error:
                refused.add((call == other.walk.stop, "another thread" in str(error)))
    worker.join()
    assert refused == {(False, True), (True, True)}
    while other.walk.advance(WHOLE):
        pass
    assert other.lower_bounds() == finished(rows=300, width=16, size=8).lower_bounds()
