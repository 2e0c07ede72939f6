"""Work in a process of its own, and audits by executors whose processes have threads of others."""

from __future__ import annotations

import os
import pickle
import random
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
from pac_stability.audit.apart import Apart, end_idle

from pac_stability.audit import AuditStopped, SubjectFailure, apart
from pac_stability.data import FiniteDistribution
from shared_subjects import Cluster, audited, drawing_cluster


@pytest.fixture(scope="module")
def calls() -> Iterator[Apart]:
    """One process for most of what follows: to start one takes longer than all it does."""
    yield Apart.of(called)
    end_idle()


def called(work: Callable[..., object], *given: object) -> object:
    return work(*given)


def divided(x: int, y: int) -> int:
    return x // y


def unwritable() -> object:
    return lambda: 3


def interrupting() -> NoReturn:
    """As at a terminal, in the middle of a question."""
    os.kill(os.getpid(), signal.SIGINT)  # is for the parent
    os.kill(os.getppid(), signal.SIGINT)
    while True:
        signal.pause()


class Unreadable:
    """What can be written, and is read by nobody."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[int, int]]:
        return divided, (1, 0)

    def __call__(self) -> None:
        """Do nothing."""


def test_what_is_raised_there_is_raised_here(
    calls: Apart, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ZeroDivisionError):
        calls(divided, 1, 0)
    assert calls(divided, 7, 2) == 3
    with pytest.raises(AuditStopped, match="cannot be sent back"):
        calls(unwritable)
    here = Apart.of(called)  # a process that begins here has the output of this test
    here(print, "said")  # on the pipe it would be no answer
    assert capfd.readouterr().err == "said\n"
    with pytest.raises(EOFError):  # nor is there anything to read
        here(input)
    end_idle()


def test_one_process_answers_the_calls_of_a_thread(calls: Apart) -> None:
    first = calls(os.getpid)
    assert first != os.getpid()
    sent = pickle.loads(pickle.dumps(calls))  # noqa: S301  # as to a cluster
    assert sent(os.getpid) == first
    # Of another audit, which may be of code that changed since.
    other = Apart.of(called)
    assert other(os.getpid) not in (first, os.getpid())
    with pytest.raises(KeyboardInterrupt):
        other(interrupting)
    assert list(apart._idle) == [calls.name]
    end_idle(1000.0)
    assert calls(os.getpid) == first
    end_idle()
    assert calls(os.getpid) != first


def test_the_process_of_an_idle_one_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    end_idle()
    monkeypatch.setattr(apart, "_IDLE", 0.01)
    where = Apart.of(os.getpid)
    child = apart._taken(where)
    assert child.answer(()) != (os.getpid(), None)
    apart._put_back(where, child)
    assert child._process.wait(20) == -signal.SIGKILL


def test_what_cannot_be_read_there() -> None:
    with pytest.raises(AuditStopped, match="cannot be read in another process: ZeroDivisionError"):
        Apart.of(Unreadable())()
    end_idle()


def test_a_process_that_ends(monkeypatch: pytest.MonkeyPatch, calls: Apart) -> None:
    with pytest.raises(AuditStopped, match="ended before its work was done"):
        calls(os._exit, 0)
    assert calls(abs, -1) == 1
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(AuditStopped, match="ended before its work was done"):
        Apart.of(abs)(1)


def test_it_ends_with_its_parent_whatever_it_does() -> None:
    child = apart._Child(pickle.dumps(signal.pause))
    child._to.write(pickle.dumps(()))
    child._to.close()
    assert child._process.wait(20) == 1
    child.end()


# Audits


def counted(bits: tuple[int, ...]) -> FiniteDistribution[int]:
    """Uniform on 0, ..., 1 + sum."""
    return FiniteDistribution.uniform(range(2 + sum(bits)))


def drawn(bits: tuple[int, ...]) -> FiniteDistribution[int]:
    random.random()
    return counted(bits)


def late(bits: tuple[int, ...]) -> FiniteDistribution[int]:
    if bits == (1, 1, 0):
        raise ValueError("late")
    return counted(bits)


def leaving(bits: tuple[int, ...]) -> FiniteDistribution[int]:
    if bits == (1, 1, 0):
        os._exit(1)
    return counted(bits)


class Alone:
    """Equals itself, and no copy."""


HERE = Alone()


def stays(bits: tuple[int, ...]) -> FiniteDistribution[object]:
    return FiniteDistribution.uniform([(HERE, 0), (HERE, 1 + (sum(bits) > 2))])


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor gets the third sample and those that follow, each as a piece."""
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)


def test_draws_of_a_cluster_are_none_of_the_algorithm() -> None:
    alone = audited(counted, processes=1)
    with drawing_cluster() as cluster:
        assert audited(counted, executor=cluster) == alone
        assert cluster.pieces == 6
        with pytest.raises(SubjectFailure, match=r"a draw from random at test_apart\.py"):
            audited(drawn, executor=cluster)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """Where nothing else draws; and what is called apart is called here, in a copy of its own."""
    copies: dict[str, Callable[..., object]] = {}

    def call(self: Apart, *given: object) -> object:
        if self.name not in copies:
            copies[self.name] = pickle.loads(self.written)  # noqa: S301  # ours
        return copies[self.name](*pickle.loads(pickle.dumps(given)))  # noqa: S301  # ours

    monkeypatch.setattr(Apart, "__call__", call)
    with ThreadPoolExecutor(1) as work:
        yield Cluster(work)


def test_what_is_kept_where_a_cluster_works(tmp_path: Path, cluster: Cluster) -> None:
    file, alone = tmp_path / "kept", audited(counted)
    with pytest.raises(AuditStopped, match="1 of 8 samples"):
        audited(counted, executor=cluster, checkpoint=file, time_limit=1e-9)
    found = audited(counted, executor=cluster, checkpoint=file)
    assert found.value == alone.value
    assert found.witness == alone.witness
    assert not file.exists()
    with pytest.raises(AuditStopped):
        audited(counted, executor=cluster, checkpoint=file, time_limit=1e-9)
    found = audited(counted, checkpoint=file)
    assert (found.value, found.witness) == (alone.value, alone.witness)


def of_the_day(bits: tuple[int, ...]) -> FiniteDistribution[int]:
    """Something that is not seen in the code, and that a child is told by its parent."""
    return FiniteDistribution.uniform(range(2 + sum(bits) + int(os.environ.get("DAY", "0"))))


def test_kept_answers_that_are_others_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept"
    with drawing_cluster() as cluster:
        with pytest.raises(AuditStopped, match="1 of 8 samples"):
            audited(of_the_day, executor=cluster, checkpoint=file, time_limit=1e-9)
        monkeypatch.setenv("DAY", "1")
        with pytest.raises(SubjectFailure, match="kept"):
            audited(of_the_day, executor=cluster, checkpoint=file)


def test_a_failure_where_a_cluster_works(cluster: Cluster) -> None:
    with pytest.raises(SubjectFailure, match="late") as failed:
        audited(late, executor=cluster, claim=1)
    assert failed.value.partial is not None
    assert failed.value.partial.counts.datasets == 6


def test_a_process_that_ends_where_a_cluster_works() -> None:
    with ThreadPoolExecutor(1) as work:
        with pytest.raises(AuditStopped, match="ended before its work was done") as stopped:
            audited(leaving, executor=Cluster(work), claim=1)
        assert stopped.value.partial is not None
        assert stopped.value.partial.counts.datasets == 6


def test_what_an_executor_says_in_words_of_its_own(cluster: Cluster) -> None:
    def lost(*_: object) -> NoReturn:
        raise RuntimeError("no scheduler any more")

    cluster.submit = lost  # type: ignore[assignment,method-assign]  # as when its connection is lost
    with pytest.raises(AuditStopped, match="said RuntimeError: no scheduler") as stopped:
        audited(counted, executor=cluster)
    assert stopped.value.partial is not None


def test_what_does_not_travel_is_asked_here(cluster: Cluster) -> None:
    def local(bits: tuple[int, ...]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(sum(bits))

    for mechanism in (stays, local):
        assert audited(mechanism, executor=cluster) == audited(mechanism, processes=1)
