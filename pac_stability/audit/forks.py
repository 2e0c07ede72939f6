"""Copies of this process at work: they have what it has, so that only places of work travel."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar, cast

from pac_stability.audit.failures import ENDED, AuditStopped
from pac_stability.audit.workers import end_with_parent
from pac_stability.randomness.hidden import is_watched

P = TypeVar("P")
T = TypeVar("T")

_AHEAD = 4  # pieces for each process that may be done before an earlier one is
_THREADED = ("libgomp", "libomp", "libiomp", "libtbb", "libcuda", "tensorflow", "xla", "polars")


def can_fork() -> bool:
    """Return whether a copy of this process can go on where it stands.

    A copy has one thread. What another thread holds at that moment, a lock of a library that
    computes with threads of its own, stays held in the copy for ever. So there may be no other
    thread of Python, and no such library.
    """
    return (
        sys.platform == "linux"
        and multiprocessing.parent_process() is None
        and threading.active_count() == 1
        and not is_watched()
        and not any(name in Path("/proc/self/maps").read_text() for name in _THREADED)
    )


def in_forks(
    work: Callable[[P], T], pieces: Iterable[P], processes: int
) -> Generator[T, None, None]:
    """Yield what work makes of each piece, in order; copies of this process do it.

    Parameters
    ----------
    work
        It may be any function, and refer to whatever is here; what it changes, changes there alone.
        What it returns travels back, so it can be pickled.
    pieces
        What it is called with. A piece is taken when a copy is free for it.
    processes
        How many copies.

    Raises
    ------
    AuditStopped
        A copy ended before its work was done.

    Examples
    --------
    >>> list(in_forks(lambda n: n * n, range(5), 2)) if can_fork() else [0, 1, 4, 9, 16]
    [0, 1, 4, 9, 16]
    """
    context = multiprocessing.get_context("fork")
    copies: dict[Connection, BaseProcess] = {}
    finished = False
    try:
        with suppress(OSError), warnings.catch_warnings():  # fewer where the system allows no more
            # Python 3.12 warns of any thread, also of those of NumPy, which is prepared for it.
            warnings.simplefilter("ignore", DeprecationWarning)
            for _ in range(processes):
                ours, theirs = context.Pipe()
                started = context.Process(target=_serve, args=(work, theirs), daemon=True)
                started.start()
                theirs.close()
                copies[ours] = started
        yield from _dealt(pieces, list(copies)) if copies else map(work, pieces)
        finished = True
    finally:
        for pipe, copy in copies.items():
            if finished:
                with suppress(OSError):
                    pipe.send(None)
            else:
                copy.kill()
        for pipe, copy in copies.items():
            copy.join()
            pipe.close()


def _dealt(pieces: Iterable[P], pipes: list[Connection]) -> Iterator[T]:
    left, free = iter(pieces), deque(pipes)
    at_work: dict[Connection, int] = {}
    done: dict[int, T] = {}
    dealt = shown = 0
    while True:
        room = _AHEAD * len(pipes) - (dealt - shown)
        for piece in islice(left, min(len(free), room)):
            pipe = free.popleft()
            pipe.send((piece,))
            at_work[pipe] = dealt
            dealt += 1
        if not at_work:
            return
        for pipe in cast("list[Connection]", wait(list(at_work))):
            try:
                found, error = pipe.recv()
            except (EOFError, ConnectionResetError):
                raise AuditStopped(ENDED) from None
            if error is not None:
                raise error
            done[at_work.pop(pipe)] = found
            free.append(pipe)
        while shown in done:
            yield done.pop(shown)
            shown += 1


def _serve(work: Callable[[P], T], pipe: Connection) -> None:
    """Work on pieces until there is none."""
    # An interrupt is for the one who reads the terminal, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    while (given := pipe.recv()) is not None:
        try:
            answer: tuple[T | None, BaseException | None] = work(*given), None
        except BaseException as error:  # whatever it is, it is raised there
            answer = None, error
        pipe.send(answer)
