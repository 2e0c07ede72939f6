"""Work in pieces of a tenth of a second, here or in other processes, with the same result."""

from __future__ import annotations

import math
import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

import numpy as np

from pac_stability.audit.failures import AuditStopped
from pac_stability.audit.options import Limits
from pac_stability.audit.sameness import Forms
from pac_stability.audit.search.asking import Answers, Questions
from pac_stability.audit.search.best_pair import BestPair
from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.audit.search.sweeps import Sweep
from pac_stability.audit.workers import LateWorkers
from pac_stability.errors import InvalidInput

PIECE = 0.1  # seconds
_WORTH_SENDING = 1.0  # seconds
_WORTH_STARTING = 4.0  # seconds: a process imports the library first, and the algorithm
_NUMBERS = 1 << 20  # numbers in a block of cliques

T = TypeVar("T")


@contextmanager
def executor_of(limits: Limits, questions: Questions) -> Iterator[Executor | None]:
    """Yield the executor to use, and end the processes that were started for it.

    Processes start when what is left to do is worth it, so that they never make an audit slower.

    Raises
    ------
    InvalidInput
        The algorithm cannot travel to other processes.
    """
    if limits.processes is not None or isinstance(limits.executor, ProcessPoolExecutor):
        try:
            pickle.dumps(questions)
        except Exception as error:
            raise InvalidInput(
                "mechanism",
                f"{questions.source.name}, which cannot be sent to other processes: {error}",
                "one that can be pickled: defined in a module, not inside a function",
            ) from error
    if limits.processes is None:
        yield limits.executor
        return
    with LateWorkers(limits.processes) as pool:
        yield pool


def _worth_starting(executor: Executor, seconds: float) -> bool:
    """Return whether work that would take so long here is worth the start of processes."""
    late = isinstance(executor, LateWorkers) and not executor.started
    return not late or seconds > _WORTH_STARTING


def ask_all(
    questions: Questions, answers: Answers, executor: Executor | None, after: Callable[[], None]
) -> None:
    """Complete the answers; ``after`` is called after each piece of work.

    Raises
    ------
    SubjectFailure, AuditStopped
        The algorithm did not answer; the answers before are kept.
    """
    total = questions.neighbourhood.samples

    size = 0
    elsewhere = False
    while answers.count < total and not elsewhere:
        before, begun = answers.count, time.perf_counter()
        questions.ask(answers, before, total, PIECE)
        size = answers.count - before
        _raise_or(after, answers)
        pace = (time.perf_counter() - begun) / max(size, 1)
        left = pace * (total - answers.count)
        elsewhere = executor is not None and _worth_starting(executor, left)
    if executor is not None:
        pieces = (
            executor.submit(_ask, questions, start, min(start + size, total))
            for start in range(answers.count, total, max(size, 1))
        )
        for piece in _in_order(pieces):
            answers.extend(piece)
            _raise_or(after, answers)


def sweep_all(
    sweep: Sweep,
    neighbourhood: Neighbourhood,
    best: BestPair,
    executor: Executor | None,
    after: Callable[[int, BestPair], None],
) -> BestPair:
    """Return the best pair in all cliques.

    ``after`` is called after each piece of work with how many units are done and the best pair.
    """
    total = neighbourhood.units
    step = max(1, _NUMBERS // (neighbourhood.width * sweep.columns))
    done, size = 0, total
    begun = time.perf_counter()
    while done < total:
        stop = min(done + step, total)
        best = _sweep(sweep, neighbourhood, done, stop, best)
        done = stop
        after(done, best)
        pace = (time.perf_counter() - begun) / done
        left = pace * (total - done)
        if (
            executor is not None
            and sweep.divisible
            and left > _WORTH_SENDING
            and _worth_starting(executor, left)
        ):
            # Each piece takes the table along.
            size = max(step, int(_WORTH_SENDING / pace))
            break
    if executor is not None:
        pieces = (
            executor.submit(_sweep, sweep, neighbourhood, start, min(start + size, total), best)
            for start in range(done, total, size)
        )
        for found in _in_order(pieces):
            best = best.or_better(found)
            done = min(done + size, total)
            after(done, best)
    return best


def sweep_known(
    sweep: Sweep, neighbourhood: Neighbourhood, best: BestPair, count: int
) -> tuple[BestPair, int]:
    """Return the best pair among the first samples alone, and how many ordered pairs they form."""
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


def _ask(questions: Questions, start: int, stop: int) -> Answers:
    answers = Answers(questions.source.columns)
    questions.ask(answers, start, stop, math.inf)
    answers.forms = Forms()  # the values say enough, and it need not travel
    return answers


def _sweep(
    sweep: Sweep, neighbourhood: Neighbourhood, start: int, stop: int, best: BestPair
) -> BestPair:
    step = max(1, _NUMBERS // (neighbourhood.width * sweep.columns))
    for first in range(start, stop, step):
        for cliques in neighbourhood.cliques(first, min(first + step, stop)):
            best = sweep.sweep(cliques, best)
    return best


def _in_order(pieces: Iterator[Future[T]]) -> Iterator[T]:
    """Yield the results in order, with a few pieces at work ahead; cancel the others at the end."""
    ahead: deque[Future[T]] = deque()
    try:
        ahead.extend(islice(pieces, 4 * (os.cpu_count() or 1)))
        while ahead:
            yield ahead.popleft().result()
            ahead.extend(islice(pieces, 1))
    except BrokenExecutor as error:
        raise AuditStopped(
            "a process of the executor ended before its work was done: it was killed, ran out of "
            "memory, or the algorithm ended it or cannot be imported there"
        ) from error
    finally:
        for piece in ahead:
            piece.cancel()
