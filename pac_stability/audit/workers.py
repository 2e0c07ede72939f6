"""Processes to work in, none of which outlives the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path

from pac_stability.randomness.watch import is_watched

_THREADED = ("libgomp", "libomp", "libiomp", "libtbb", "libcuda", "tensorflow", "xla", "polars")


@contextmanager
def worker_pool(
    processes: int | None, work: Callable[..., object] | None = None
) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes, and end them all.

    They start afresh: a process with threads, such as one with a progress bar, is not safely
    forked. And they end when this process does, however that comes about: a pool whose owner was
    killed would wait for work for ever.

    Parameters
    ----------
    processes
        How many; one for each core by default.
    work
        What :func:`piece_of_work` does there: it travels once to each process, and not with each
        piece.
    """
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    begin: Callable[..., None] = end_with_parent if work is None else _begin
    given = () if work is None else (pickle.dumps(work),)
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=begin, initargs=given)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


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


@contextmanager
def copies(processes: int, work: Callable[..., object]) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of copies of this process: they have what it has, and only pieces travel."""
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(processes, context, _begin_copy, (work,))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_copy(work: Callable[..., object]) -> None:
    # An interrupt is for the one who reads the terminal, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _work.append(work)


def piece_of_work(piece: object) -> object:
    """Return what the work of this process makes of a piece; called in a :func:`worker_pool`."""
    return _work[0](piece)


_work: list[Callable[..., object]] = []  # one, where the process was given some


def _begin(work: bytes) -> None:
    end_with_parent()
    _work.append(pickle.loads(work))  # noqa: S301  # of the process that started this one


def end_with_parent() -> None:
    """Have a thread wait for the end of the process that started this one, and end this one.

    The parent holds a pipe open for its life. That it closes tells even of a ``SIGKILL``, on every
    system, and when a server of forks stands between the two.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="end with parent", daemon=True).start()
