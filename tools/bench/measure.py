"""Time several programs on one instance, in turns, by the processor time that each takes.

Each program has a process of its own, which builds its instance before the clock runs.  One turn of
each is a round, so that what else the machine does meets all of them alike.  A turn is one run, or
from the second on as many as take a hundredth of a second: a single short run finds the caches full
of what others left there.  A run that takes more processor time than the limit is ended from
outside: an alarm inside the process would make the clock of Linux count in ticks.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import resource
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path

Value = int | Fraction | None
"""What two programs must agree on; None where they need not."""

Run = Callable[[], tuple[Value, int]]
"""What is timed: it returns a value and the work it took."""

Task = Callable[[], Run]
"""Builds an instance, which is not timed, and returns what is."""

_LOOK = 0.1
"""Seconds between two looks at what a run has taken."""

_TURN = 0.01
"""Seconds that a turn takes at least, of processor: so often is what is shorter run in it."""

_MOST_RUNS = 1000
"""In one turn."""


@dataclass(frozen=True)
class Measurement:
    """The turns of one program on one instance, in seconds for a run.

    Attributes
    ----------
    seconds
        Of processor time, all threads together, for each turn; empty where none ended in time.
    """

    seconds: tuple[float, ...] = ()
    value: Value = None
    work: int = 0
    memory: int = 0
    """Megabytes that its process held at most, the interpreter and the libraries with it."""

    @property
    def median(self) -> float | None:
        """The middle run."""
        return statistics.median(self.seconds) if self.seconds else None


class _Program:
    """A process that runs one program each time it is told to."""

    def __init__(self, task: Task, limit: float, clock: Callable[[], float]) -> None:
        context = multiprocessing.get_context("fork")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(task, there, clock))
        self._process.start()
        there.close()
        self._limit = limit
        self.runs: list[float] = []
        self.value: Value = None
        self.work = self.memory = 0
        # What it builds has a limit of its own, not that of a run.
        self.goes_on = self._answer(None) is not None

    def run(self) -> None:
        """Run once more, unless an earlier run was stopped."""
        if not self.goes_on:
            return
        self._here.send(None)
        answer = self._answer(self._limit)
        if answer is None:
            self.goes_on = False
            return
        processor, self.value, self.work, self.memory = answer
        self.runs.append(processor)

    def _answer(self, seconds: float | None) -> tuple[float, Value, int, int] | None:
        try:
            begun, taken = time.perf_counter(), self._taken()
            while seconds is not None and not self._here.poll(min(_LOOK, seconds)):
                now = self._taken()
                # Where the system does not say, the clock on the wall decides.
                spent = time.perf_counter() - begun if now is None else now - (taken or 0.0)
                if spent > seconds:
                    return None
            answer: tuple[float, Value, int, int] = self._here.recv()
        except (EOFError, ConnectionResetError):  # stopped by the system: time, or memory
            return None
        return answer

    def _taken(self) -> float | None:
        """The processor time of the process so far, if the system says, in ticks."""
        stat = Path(f"/proc/{self._process.pid}/stat")
        if not stat.exists():
            return None
        fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Stop the process."""
        self._process.kill()
        self._process.join()
        self._here.close()


def _serve(task: Task, orders: Connection, clock: Callable[[], float]) -> None:
    function = task()
    orders.send((0.0, None, 0, 0))
    runs = 1
    while True:
        try:
            orders.recv()
        except EOFError:
            return
        begun = clock()
        for _ in range(runs):
            value, work = function()
        each = (clock() - begun) / runs
        runs = _runs_in_a_turn(each)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        orders.send((each, value, work, most))


def processor() -> float:
    """The processor time of this process, and of what it has started and seen end."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + spent.ru_utime + spent.ru_stime


def _runs_in_a_turn(seconds: float) -> int:
    """Return how many runs of so many seconds make a turn."""
    return max(1, min(math.ceil(_TURN / max(seconds, _TURN / _MOST_RUNS)), _MOST_RUNS))


def measure(
    tasks: Mapping[str, Task],
    *,
    limit: float,
    rounds: int,
    clock: Callable[[], float] = processor,
) -> dict[str, Measurement]:
    """Run every task up to ``rounds`` times, in turns.

    Parameters
    ----------
    tasks
        By name.
    limit
        Seconds of processor for a run.
    rounds
        Turns of each that count; a run before them fills caches.  Runs that have taken ``limit``
        seconds together are enough: then what was the first run counts, if it is the only one.
    clock
        What is read before and after a turn.
    """
    programs = {}
    try:
        for name, task in tasks.items():
            programs[name] = _Program(task, limit, clock)
        for _ in range(1 + rounds):
            for program in programs.values():
                if sum(program.runs) < limit / 2:
                    program.run()
        return {name: _measurement(program) for name, program in programs.items()}
    finally:
        for program in programs.values():
            program.end()


def _measurement(program: _Program) -> Measurement:
    if not program.runs:
        return Measurement()
    counted = program.runs[1:] or program.runs
    return Measurement(tuple(counted), program.value, program.work, program.memory)
