"""Processes to work in, none of which outlives the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import wait
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def worker_pool(processes: int | None) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes, and end them all.

    They start afresh: a process with threads, such as one with a progress bar, is not safely
    forked. And they end when this process does, however that comes about: a pool whose owner was
    killed would wait for work for ever.

    Parameters
    ----------
    processes
        How many; one for each core by default.
    """
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=end_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class LateWorkers(Executor):
    """A pool of processes that is started with the first piece of work that it is given.

    Starting takes a second or so, in which short work is done.

    Parameters
    ----------
    processes
        How many.

    Attributes
    ----------
    started
        Whether it was.
    """

    def __init__(self, processes: int) -> None:
        self.started: bool = False
        self._processes = processes
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Give work to a process."""
        if self._pool is None:
            self._pool = self._stack.enter_context(worker_pool(self._processes))
            self.started = True
        return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """End the processes, if there are any."""
        self._stack.close()


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
