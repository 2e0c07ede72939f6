"""What a long audit reports while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

_REPORT_EVERY = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a running audit, handed to its ``progress`` callback.

    Attributes
    ----------
    stage
        ``"asking"`` the algorithm about each sample, or ``"comparing"`` neighbours.
    done, total
        How much of the stage is done, and how much there is: samples, or units of the sweep.
    seconds
        Wall-clock time of this run so far.
    remaining
        Seconds until the stage ends if it goes on at the pace of this run; ``None`` at the start.
    """

    stage: str
    done: int
    total: int
    seconds: float
    remaining: float | None


ProgressCallback = Callable[[Progress], None]


class Clock:
    """The time of a run, and what is reported of it."""

    def __init__(self, progress: ProgressCallback | None) -> None:
        self._begun = time.perf_counter()
        self._progress = progress
        self._reported = self._begun
        self._stage = ""
        self._stage_begun = (self._begun, 0)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._begun

    def report(self, stage: str, done: int, total: int) -> None:
        """Report how far a stage has come, about ten times a second and at its end."""
        now = time.perf_counter()
        if stage != self._stage:
            self._stage, self._stage_begun = stage, (now, done)
        elif now - self._reported < _REPORT_EVERY and done < total:
            return
        if self._progress is None:
            return
        self._reported = now
        begun, before = self._stage_begun
        remaining = (now - begun) / (done - before) * (total - done) if done > before else None
        self._progress(Progress(stage, done, total, now - self._begun, remaining))
