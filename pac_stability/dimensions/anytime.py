"""Searches that run under a budget, can be interrupted at any moment, and go on where they were."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Generic, TypeVar

from pac_stability.dimensions.bounds import Bounds, ProgressCallback, SearchProgress
from pac_stability.errors import InvalidInput

W = TypeVar("W")

_REPORT_EVERY = 0.1  # seconds

UNPREPARED = "the time was over while the table was being prepared"
"""The note of bounds that follow from the size of the table alone."""


class Pieces:
    """Work that pauses about every 10 ms.

    Parameters
    ----------
    begin
        Begins it; anew if an exception left it, of which an iterator does not recover.
    """

    def __init__(self, begin: Callable[[], Iterator[None]]) -> None:
        self._begin = begin
        self._running: Iterator[None] | None = None
        self.done = False

    def advance(self) -> None:
        """Do one piece, and note whether it was the last."""
        if self._running is None:
            self._running = self._begin()
        try:
            next(self._running)
        except StopIteration:
            self.done = True
            self._running = None
        except BaseException:
            self._running = None
            raise


class AnytimeSearch(ABC, Generic[W]):
    """A search that proceeds in short pieces and keeps certified bounds between them.

    Attributes
    ----------
    lower, upper
        The bounds certified so far; before the first run, those that the size of the table gives.

    Notes
    -----
    What is done to the table before the search proper is charged to the time limit like all else,
    in pieces. Nothing is done before the first run.
    """

    def __init__(self, lower: int, upper: int, max_memory: int | None) -> None:
        if max_memory is not None and max_memory < 1:
            raise InvalidInput("max_memory", repr(max_memory), "a positive number of bytes")
        self.lower: int = lower
        self.upper: int = upper
        self._max_memory = max_memory
        self._seconds = 0.0
        self._aim: int | None = None
        self._preparation = Pieces(self._preparing)

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Sub-problems visited so far."""

    @property
    @abstractmethod
    def witness(self) -> W | None:
        """An object that attains ``lower``."""

    @abstractmethod
    def _preparing(self) -> Iterator[None]:
        """Prepare the table, pausing about every 10 ms; from the start if it was left."""

    def _piece(self) -> bool:
        if self._preparation.done:
            return self._advance()
        self._preparation.advance()
        return True

    @abstractmethod
    def _advance(self) -> bool:
        """Do one piece of about 10 ms; return False when memory forbids to go on.

        An exception that strikes between two pieces must leave the search fit to go on.
        """

    def _undecided(self) -> bool:
        """Whether there is more to be found."""
        if self._aim is None:
            return self.lower < self.upper
        return self.lower < self._aim <= self.upper

    def run(
        self,
        *,
        time_limit: float | None = None,
        progress: ProgressCallback | None = None,
        aim: int | None = None,
    ) -> Bounds[W]:
        """Search until the dimension is known or the budget ends; call again to go on.

        Parameters
        ----------
        time_limit
            Seconds for this call, looked at about every 10 ms; preparing the table is charged,
            writing the witness comes on top. ``None`` for no limit.
        progress
            Called about ten times a second. What it raises ends the run.
        aim
            Only decide whether the dimension is at least this; ``None`` to find it.

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
        self._aim = aim
        before = self._seconds
        begun = reported = perf_counter()
        try:
            while self._undecided() and self._piece():
                now = perf_counter()
                if progress is not None and (
                    now - reported >= _REPORT_EVERY or not self._undecided()
                ):
                    reported = now
                    progress(
                        SearchProgress(self.lower, self.upper, self.nodes, before + now - begun)
                    )
                if time_limit is not None and now - begun >= time_limit:
                    break
        finally:
            self._seconds = before + perf_counter() - begun
        note = UNPREPARED if self._undecided() and not self._preparation.done else ""
        return Bounds(self.lower, self.upper, self.witness, self.nodes, self._seconds, note)
