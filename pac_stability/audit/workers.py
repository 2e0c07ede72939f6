"""Processes to work in, none of which outlives the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait


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
