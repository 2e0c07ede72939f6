"""Work in pieces of a tenth of a second, here or in other processes, with the same result.

Processes are forks of this one where that is safe, and new interpreters elsewhere. None outlives
the process that started it.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from pathlib import Path
from typing import ClassVar, TypeAlias, TypeVar, cast

import numpy as np

from pac_stability.audit.options import Chosen
from pac_stability.audit.results import ENDED, AuditStopped
from pac_stability.audit.search.asking import Answers, Questions
from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.audit.search.sweep import BestPair, Sweep
from pac_stability.errors import InvalidInput, PacStabilityError
from pac_stability.randomness.watch import is_watched

_THREADED = ("libgomp", "libomp", "libiomp", "libtbb", "libcuda", "tensorflow", "xla", "polars")


@contextmanager
def worker_pool(
    processes: int | None, work: Callable[..., object] | None = None
) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes, and end them all.

    They are new interpreters: forking a process with threads, such as one with a progress bar, is
    not safe. They end when this process does, even if it is killed; otherwise such a pool would
    wait for work for ever.

    Parameters
    ----------
    processes
        How many processes; one for each core by default.
    work
        The work of :func:`piece_of_work` there; it is sent once to each process, not with each
        piece.
    """
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    begin: Callable[..., None] = end_with_parent if work is None else _begin
    given = () if work is None else (pickle.dumps(work),)
    with _ended(ProcessPoolExecutor(processes, context, begin, given)) as pool:
        yield pool


@contextmanager
def _ended(pool: ProcessPoolExecutor) -> Iterator[ProcessPoolExecutor]:
    """End a pool: at once, if what it does is of no use any more."""
    try:
        yield pool
    except BaseException:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def can_fork() -> bool:
    """Return whether it is safe to fork this process.

    A fork has one thread. A lock that another thread holds at that moment, such as one in a library
    with its own threads, stays locked in the fork for ever. So there must be no other thread of
    Python and no such library.
    """
    return (
        sys.platform == "linux"
        and multiprocessing.parent_process() is None
        and threading.active_count() == 1
        and not is_watched()
        and not any(map(Path("/proc/self/maps").read_text().__contains__, _THREADED))
    )


@contextmanager
def copies(processes: int, work: Callable[..., object]) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of forks of this process: they share its memory, so only pieces are sent."""
    context = multiprocessing.get_context("fork")
    with _ended(ProcessPoolExecutor(processes, context, _begin_copy, (work,))) as pool:
        yield pool


def _begin_copy(work: Callable[..., object]) -> None:
    # An interrupt is for the one who reads the terminal, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    _work.append(work)


def piece_of_work(piece: object) -> object:
    """Return the result of this process's work on a piece; called in a :func:`worker_pool`."""
    return _work[0](piece)


_work: list[Callable[..., object]] = []  # one, where the process was given some


def _begin(work: bytes) -> None:
    end_with_parent()
    _work.append(pickle.loads(work))  # noqa: S301  # of the process that started this one


def end_with_parent() -> None:
    """Start a thread that ends this process when the process that started it ends.

    The parent holds a pipe open during its life. The pipe closes even after a ``SIGKILL``, on every
    system, and with a fork server in between.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="end with parent", daemon=True).start()


# Work in pieces of a tenth of a second, here or in other processes, with the same result

PIECE = 0.1  # seconds
_WORTH_SENDING = 1.0  # seconds
_WORTH_FORKING = 0.3  # seconds
_WORTH_STARTING = 4.0  # seconds: a process imports the library first, and the algorithm
_AHEAD = 4  # pieces for each core that may be done before an earlier one is
_AHEAD_ANYWHERE = 256
_NUMBERS = 1 << 20  # numbers in a block of cliques

P = TypeVar("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Processes:
    """Processes for this work: forks of this one or, where that is not safe, new interpreters.

    Attributes
    ----------
    count
        How many.
    anew
        Whether new interpreters are allowed: they import the program and must find the algorithm.
    """

    count: int
    anew: bool
    at_once: ClassVar[float] = PIECE
    """The seconds that a piece should take if it carries a table."""

    def worth(self, seconds: float) -> bool:
        """Return whether enough work is left for them to pay."""
        anew = self.anew and seconds > _WORTH_STARTING
        return seconds > _WORTH_FORKING and (can_fork() or anew)

    def done(self, work: Callable[[P], T], pieces: Iterable[P]) -> Generator[T, None, None]:
        """Yield the result of the work on each piece, in order."""
        with (copies if can_fork() else worker_pool)(self.count, work) as pool:
            waiting = (pool.submit(piece_of_work, piece) for piece in pieces)
            found = _in_order(waiting, _AHEAD * self.count)
            yield from cast("Iterator[T]", found)


@dataclass(frozen=True)
class GivenExecutor:
    """The user's executor; the work is sent there with each piece."""

    executor: Executor
    at_once: ClassVar[float] = _WORTH_SENDING

    def worth(self, _seconds: float) -> bool:
        """Return true: they are already running."""
        return True

    def done(self, work: Callable[[P], T], pieces: Iterable[P]) -> Generator[T, None, None]:
        """Yield the result of the work on each piece, in order."""
        # Of an executor of machines it is not known how many there are.
        stock = isinstance(self.executor, ThreadPoolExecutor | ProcessPoolExecutor)
        most = _AHEAD * (os.cpu_count() or 1) if stock else _AHEAD_ANYWHERE
        try:
            yield from _in_order((self.executor.submit(work, piece) for piece in pieces), most)
        except PacStabilityError:
            raise
        except Exception as error:  # in words of its own
            if stock:
                raise
            said = f"{type(error).__name__}: {error}"
            raise AuditStopped(f"{ENDED}; the executor said {said}") from error


Workers: TypeAlias = Processes | GivenExecutor
"""What works on the remaining pieces."""


def workers_of(limits: Chosen, questions: Questions) -> Workers | None:
    """Return the workers besides this process.

    Raises
    ------
    InvalidInput
        The algorithm would have to be sent to other processes, and cannot be.
    """
    executor, processes = limits.executor, limits.processes
    anew = processes is not None and processes > 1 and not can_fork()
    if anew or isinstance(executor, ProcessPoolExecutor):
        try:
            pickle.dumps(questions)
        except Exception as error:  # whatever a stranger's objects raise when they are pickled
            raise InvalidInput(
                "mechanism",
                f"{questions.source.name}, which cannot be sent to other processes: {error}",
                "one that can be pickled: defined in a module, not inside a function",
            ) from error
    if executor is not None:
        return GivenExecutor(executor)
    count = processes or (len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1)
    return Processes(count, anew) if count > 1 else None


def ask_all(
    questions: Questions, answers: Answers, workers: Workers | None, after: Callable[[], None]
) -> None:
    """Complete the answers; ``after`` is called after each piece of work.

    Raises
    ------
    SubjectFailure, AuditStopped
        The algorithm did not answer; earlier answers are kept.
    """
    total = questions.neighbourhood.samples
    warm = False  # the first answers take longer than those that follow
    while answers.count < total:
        before, begun = answers.count, time.perf_counter()
        # Others wait until the pace is known, and the last piece of theirs is waited for.
        questions.ask(answers, before, total, PIECE if workers is None else PIECE / 5)
        size = answers.count - before
        _raise_or(after, answers)
        pace = (time.perf_counter() - begun) / max(size, 1)
        if workers is not None and warm and workers.worth(pace * (total - answers.count)):
            size = max(1, int(PIECE / 2 / pace))
            begins = range(answers.count, total, size)
            pieces = ((start, min(start + size, total)) for start in begins)
            with closing(workers.done(partial(_ask, questions), pieces)) as found:
                for written in found:
                    if not written:
                        break
                    answers.extend(Answers.from_bytes(written))
                    _raise_or(after, answers)
            workers = None  # what is left, if anything, does not travel
        elif workers and not warm and answers.count < total and not workers.worth(math.inf):
            workers = None  # no process can begin: larger pieces, then
        warm = True


def sweep_all(
    sweep: Sweep,
    neighbourhood: Neighbourhood,
    best: BestPair,
    workers: Workers | None,
    after: Callable[[int, BestPair], None],
) -> BestPair:
    """Return the best pair in all cliques.

    ``after`` is called after each piece of work with how many units are done and the best pair.
    """
    total = neighbourhood.units
    step = max(1, _NUMBERS // (neighbourhood.width * sweep.columns))
    done = 0
    begun = time.perf_counter()
    while done < total:
        stop = min(done + step, total)
        best = _sweep(sweep, neighbourhood, (done, stop, best))
        done = stop
        after(done, best)
        pace = (time.perf_counter() - begun) / done
        left = pace * (total - done)
        if workers is not None and left > workers.at_once and workers.worth(left):
            size = max(step, int(workers.at_once / pace))
            # Taken when someone is free for it: the best pair is the best until then.
            pieces = ((start, min(start + size, total), best) for start in range(done, total, size))
            with closing(workers.done(partial(_sweep, sweep, neighbourhood), pieces)) as found:
                for pair in found:
                    best = best.or_better(pair)
                    done = min(done + size, total)
                    after(done, best)
    return best


def sweep_known(
    sweep: Sweep, neighbourhood: Neighbourhood, best: BestPair, count: int
) -> tuple[BestPair, int]:
    """Return the best pair among the first samples alone, and the number of their ordered pairs."""
    step = max(1, _NUMBERS // (neighbourhood.width * sweep.columns))
    pairs = 0
    for start in range(0, neighbourhood.units, step):
        for cliques in neighbourhood.cliques(start, min(start + step, neighbourhood.units)):
            begun = cliques[cliques[:, 0] < count]
            known = begun < count
            # A sample is compared with itself in place of those not known.
            best = sweep.sweep(np.where(known, begun, begun[:, :1]), best)
            members = known.sum(axis=1)
            pairs += int((members * (members - 1)).sum())
    return best, pairs


def _raise_or(after: Callable[[], None], answers: Answers) -> None:
    if answers.failure is not None:
        raise answers.failure
    after()


def _ask(questions: Questions, piece: tuple[int, int]) -> bytes:
    answers = Answers(questions.source.columns)
    questions.ask(answers, *piece, math.inf)
    return answers.to_bytes()


def _sweep(
    sweep: Sweep, neighbourhood: Neighbourhood, piece: tuple[int, int, BestPair]
) -> BestPair:
    start, stop, best = piece
    step = max(1, _NUMBERS // (neighbourhood.width * sweep.columns))
    for first in range(start, stop, step):
        for cliques in neighbourhood.cliques(first, min(first + step, stop)):
            best = sweep.sweep(cliques, best)
    return best


def _in_order(pieces: Iterator[Future[T]], most: int) -> Generator[T, None, None]:
    """Yield the results in order, with some pieces at work ahead; cancel the others at the end."""
    ahead: deque[Future[T]] = deque()
    try:
        ahead.extend(islice(pieces, most))
        while ahead:
            while not ahead[0].done():  # a lock would be deaf to an alarm
                futures.wait([ahead[0]], timeout=PIECE)
            yield ahead.popleft().result()
            ahead.extend(islice(pieces, 1))
    except BrokenExecutor as error:
        raise AuditStopped(ENDED) from error
    finally:
        for piece in ahead:
            piece.cancel()
