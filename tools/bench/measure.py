"""Time one function on one instance, in a process of its own that can be stopped."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection

Run = Callable[[], tuple[int | Fraction, int]]
"""What is timed: it returns a value and the work it took."""

Task = Callable[[], Run]
"""Builds an instance, which is not timed, and returns what is."""


@dataclass(frozen=True)
class Measurement:
    """Best of several runs of one function; ``seconds is None`` when none finished in time."""

    seconds: float | None
    value: int | Fraction | None = None
    work: int | None = None


def _child(task: Task, repeats: int, results: Connection) -> None:
    function = task()
    results.send(None)  # ready: the clock of the parent starts here
    for _ in range(repeats):
        start = time.perf_counter()
        value, work = function()
        results.send((time.perf_counter() - start, value, work))


def measure(task: Task, *, limit: float, repeats: int = 1) -> Measurement:
    """Run ``task`` up to ``repeats`` times within ``limit`` seconds and keep the fastest run."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=_child, args=(task, repeats, sender)
    )
    process.start()
    sender.close()
    best: tuple[float, int | Fraction, int] | None = None
    try:
        receiver.recv()
        end = time.perf_counter() + limit
        for _ in range(repeats):
            if not receiver.poll(max(0.0, end - time.perf_counter())):
                break
            run: tuple[float, int | Fraction, int] = receiver.recv()
            best = run if best is None else min(best, run)
    except EOFError:
        # The child died (most likely out of memory); what was measured before stands.
        pass
    finally:
        process.kill()
        process.join()
    return Measurement(*best) if best else Measurement(None)
