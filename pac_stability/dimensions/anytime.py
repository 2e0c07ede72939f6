"""Searches that run under a budget, can be interrupted at any moment, and go on where they were."""

from __future__ import annotations

from abc import ABC, abstractmethod
from time import perf_counter
from typing import Generic, TypeVar

from pac_stability.dimensions.bounds import Bounds, Progress, ProgressCallback
from pac_stability.errors import InvalidInput

W = TypeVar("W")

_REPORT_EVERY = 0.1  # seconds


class AnytimeSearch(ABC, Generic[W]):
    """A search that proceeds in short pieces and keeps certified bounds between them.

    Attributes
    ----------
    lower, upper
        The bounds certified so far.
    """

    def __init__(self, lower: int, upper: int, max_memory: int | None) -> None:
        if max_memory is not None and max_memory < 1:
            raise InvalidInput("max_memory", repr(max_memory), "a positive number of bytes")
        self.lower = lower
        self.upper = upper
        self._max_memory = max_memory
        self._seconds = 0.0

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Sub-problems visited so far."""

    @property
    @abstractmethod
    def witness(self) -> W | None:
        """An object that attains ``lower``."""

    @abstractmethod
    def _advance(self) -> bool:
        """Do one piece of about 10 ms; return False when memory forbids to go on.

        An exception that strikes between two pieces must leave the search fit to go on.
        """

    def run(
        self, *, time_limit: float | None = None, progress: ProgressCallback | None = None
    ) -> Bounds[W]:
        """Search until the dimension is known or the budget ends; call again to go on.

        Parameters
        ----------
        time_limit
            Seconds for this call, looked at about every 10 ms; preparing the table and writing
            the witness come on top. ``None`` for no limit.
        progress
            Called about ten times a second. What it raises ends the run.

        Returns
        -------
        Bounds
            The bounds so far, with a witness of the lower one.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C; the search can be run again.
        """
        if time_limit is not None and not time_limit > 0:
            raise InvalidInput("time_limit", repr(time_limit), "a positive number of seconds")
        before = self._seconds
        begun = reported = perf_counter()
        try:
            while self.lower < self.upper and self._advance():
                now = perf_counter()
                if progress is not None and (
                    now - reported >= _REPORT_EVERY or self.lower == self.upper
                ):
                    reported = now
                    progress(Progress(self.lower, self.upper, self.nodes, before + now - begun))
                if time_limit is not None and now - begun >= time_limit:
                    break
        finally:
            self._seconds = before + perf_counter() - begun
        return Bounds(self.lower, self.upper, self.witness, self.nodes, self._seconds)
