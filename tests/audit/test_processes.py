"""Audits that several processes share: the same answers, whatever becomes of the processes."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from fractions import Fraction
from functools import partial
from typing import NoReturn

import pytest

from pac_stability import audit, data, errors
from pac_stability.audit.search import asking, parallel
from pac_stability.randomness import watch
from shared_subjects import audited

PARALLEL = "pac_stability.audit.search.parallel"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux copies processes safely")

NUMBERS: data.Mechanism[tuple[int, ...], int] = data.then(
    data.Deterministic(sum),
    data.then(
        data.Deterministic((2).__add__),
        data.then(data.Deterministic(range), data.FromLaw(data.FiniteDistribution.uniform)),
    ),
)
"""Uniform on 0, ..., 1 + sum; made of parts that other processes can import."""


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes begin with the second sample, each with one sample a piece."""
    monkeypatch.setattr(f"{PARALLEL}.PIECE", -1.0)
    monkeypatch.setattr(f"{PARALLEL}._WORTH_FORKING", -1.0)
    monkeypatch.setattr(f"{PARALLEL}._WORTH_STARTING", -1.0)
    monkeypatch.setattr(f"{PARALLEL}.can_fork", lambda: True)
    monkeypatch.setattr(f"{PARALLEL}.Processes.at_once", -1.0)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0, 1})


@LINUX
@pytest.mark.usefixtures("eager")
def test_copies_of_this_process_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = audited(NUMBERS, processes=1)
    assert alone.counts.outcomes == 5
    monkeypatch.setattr(f"{PARALLEL}.worker_pool", refused)
    assert audited(NUMBERS) == audited(NUMBERS, processes=2) == alone
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("eager")
def test_processes_that_start_anew_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{PARALLEL}.can_fork", lambda: False)
    monkeypatch.setattr(f"{PARALLEL}.copies", refused)
    assert audited(NUMBERS, processes=2) == audited(NUMBERS)


def refused(*_: object) -> NoReturn:
    raise AssertionError("started")


@LINUX
@pytest.mark.parametrize(("piece", "forks", "pieces"), [
    (1e9, None, {2e8}), (-1.0, True, {-0.2}), (-1.0, False, {-0.2, -1.0}),
])  # fmt: skip
def test_nobody_waits_for_processes_that_cannot_start(
    monkeypatch: pytest.MonkeyPatch, piece: float, forks: bool | None, pieces: set[float]
) -> None:
    """Pieces are short where others wait for their pace; of the first, none asks who could."""
    seen = set[float]()

    class Questions(asking.Questions):
        def ask(self, answers: asking.Answers, start: int, stop: int, seconds: float) -> None:
            seen.add(seconds)
            super().ask(answers, start, stop, seconds)

    monkeypatch.setattr("pac_stability.audit.search.engine.Questions", Questions)
    monkeypatch.setattr(f"{PARALLEL}.PIECE", piece)
    monkeypatch.setattr(f"{PARALLEL}.can_fork", refused if forks is None else partial(bool, forks))
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    audited(NUMBERS)
    assert seen == pieces


def test_processes_are_not_started_for_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{PARALLEL}.PIECE", -1.0)  # work is left when it is asked what it is worth
    monkeypatch.setattr(f"{PARALLEL}.copies", refused)
    monkeypatch.setattr(f"{PARALLEL}.worker_pool", refused)
    audited(NUMBERS, processes=2)
    several = parallel.Processes(2, anew=True)
    for forks, at_least in ((True, 0.3), (False, 4.0)):
        monkeypatch.setattr(f"{PARALLEL}.can_fork", partial(bool, forks))
        assert not several.worth(at_least)
        assert several.worth(at_least + 1)
    assert not parallel.Processes(2, anew=False).worth(1e9)


@LINUX
@pytest.mark.usefixtures("eager")
def test_what_is_defined_inside_a_function_is_shared_with_copies() -> None:
    ones = Fraction(1, 5)

    def local(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
        return data.FiniteDistribution({0: 1 - ones * sum(bits), 1: ones * sum(bits)})

    result = audited(local)
    assert result == audited(local, processes=1)
    assert result.counts.datasets == 8


class Alone:
    """Equals itself, and no copy."""


HERE = Alone()


@LINUX
@pytest.mark.usefixtures("eager")
def test_outcomes_that_would_not_arrive_as_they_are_stay_here() -> None:
    """In a tuple, what equals only itself is not noticed; a copy of it is another outcome."""

    def publish(bits: tuple[int, ...]) -> data.FiniteDistribution[object]:
        return data.FiniteDistribution.uniform([(HERE, 0), (HERE, 1 + (sum(bits) > 2))])

    result = audited(publish)
    assert result == audited(publish, processes=1)
    assert result.counts.outcomes == 3

    def unwritten(bits: tuple[int, ...]) -> data.FiniteDistribution[object]:
        return data.FiniteDistribution.uniform([(publish, 0), (publish, 1 + sum(bits))])

    assert audited(unwritten) == audited(unwritten, processes=1)


def in_a_copy() -> bool:
    return multiprocessing.parent_process() is not None


@LINUX
@pytest.mark.usefixtures("eager")
def test_a_copy_that_ends_leaves_what_was_found() -> None:
    def leaves(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
        if in_a_copy():
            os._exit(1)
        return data.FiniteDistribution.point_mass(sum(bits))

    with pytest.raises(audit.AuditStopped, match="a process of the executor ended") as caught:
        audited(leaves, claim=1)
    assert caught.value.partial is not None
    assert caught.value.partial.counts.datasets == 2
    assert not multiprocessing.active_children()


@LINUX
@pytest.mark.usefixtures("eager")
def test_what_ends_an_audit_ends_the_copies() -> None:
    def stop(_report: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audited(NUMBERS, progress=stop)
    assert not multiprocessing.active_children()


@LINUX
@pytest.mark.usefixtures("eager")
def test_a_failure_in_a_copy_is_that_of_the_sample() -> None:
    def late(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
        if bits == (1, 1, 0):
            raise ValueError("late")
        return data.FiniteDistribution.point_mass(bits[0])

    with pytest.raises(errors.InvalidInput, match=r"late") as caught:
        audited(late, claim=1)
    found = getattr(caught.value, "partial", None)
    assert isinstance(found, audit.AuditResult)
    assert found.counts.datasets == 6
    assert found.verdict is audit.Verdict.REFUTED


def in_copies(work: Callable[[int], object], pieces: Iterable[int], count: int) -> list[object]:
    with closing(parallel.Processes(count, anew=False).done(work, pieces)) as found:
        return list(found)


@LINUX
@pytest.mark.usefixtures("eager")
def test_pieces_come_in_order_and_are_taken_when_a_copy_is_free() -> None:
    taken: list[int] = []

    def pieces() -> Iterator[int]:
        for number in range(30):
            taken.append(number)
            yield number

    found = parallel.Processes(2, anew=False).done(lambda n: (n, n * n), pieces())
    assert next(found) == (0, 0)
    assert len(taken) < 12
    assert [0, *(n for n, _ in found)] == list(range(30))
    assert in_copies(abs, [-1, -2, -3], 2) == [1, 2, 3]
    assert in_copies(abs, [], 2) == []


@LINUX
@pytest.mark.usefixtures("eager")
def test_an_interrupt_and_an_error_in_a_copy() -> None:
    def interrupted(number: int) -> int:
        os.kill(os.getpid(), signal.SIGINT)  # of the terminal's: for the one who reads it
        return number

    assert in_copies(interrupted, [1, 2, 3], 2) == [1, 2, 3]

    def fails(number: int) -> Fraction:
        return Fraction(1, number)

    with pytest.raises(ZeroDivisionError):
        in_copies(fails, [1, 0], 2)
    assert not multiprocessing.active_children()


@LINUX
def test_a_process_is_copied_only_where_that_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    # An earlier test may have brought a library with threads, and threads of its own.
    monkeypatch.setattr("pac_stability.audit.search.parallel._THREADED", ())
    monkeypatch.setattr("threading.active_count", lambda: 1)
    assert parallel.can_fork()
    with watch.Watch():
        assert not parallel.can_fork()
    assert in_copies(lambda _: parallel.can_fork(), [0], 1) == [False]
    monkeypatch.setattr("pac_stability.audit.search.parallel._THREADED", ("libc.so", "libc-"))
    assert not parallel.can_fork()


@LINUX
def test_a_process_with_another_thread_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel._THREADED", ())
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    assert not parallel.can_fork()
    ended.set()
    other.join()
