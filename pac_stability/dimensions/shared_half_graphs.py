"""One search for a longest half graph, helped by others in threads, with the answer of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from pac_stability._core.half_graph import HalfGraphSearch

Make = Callable[[HalfGraphSearch, int], HalfGraphSearch]
"""Begins a search beside another one, and so far ahead of it."""

ALONE = 20
"""Pieces before the order is settled and others join: a search that ends then costs as with one."""

_TURNS = 5  # of the first search, while the others go on
_SHORT = 4  # a piece is cut so small for the others, who are waited for


class SharedSearch:
    """A search for half graphs, and others that refute for it what it would turn to next.

    Parameters
    ----------
    first
        The search whose witness counts.
    make
        Begins another one beside it, given how far ahead of it; a `MemoryError` says that there is
        no room.
    threads
        How many may work at once.

    Notes
    -----
    All share one memo of refuted states, and go through states in nearly the same order: where the
    first takes a pair, the second takes the one after it, and then that one. So they are seldom at
    the same state, and what one has refuted is what another would meet soon. After as many pieces
    for any number of threads the first search settles its order, in which it finds the first
    longest half graph whatever is pruned: so lengths that others find only tell it what is too
    short, one less than they found.
    Between two turns of `together` no thread runs.
    """

    def __init__(self, first: HalfGraphSearch, make: Make, *, threads: int) -> None:
        self.first = first
        self._make = make
        self._threads = threads
        self._others: list[HalfGraphSearch] = []
        self._gone = 0  # states entered by others that have ended
        self._pieces = 0
        self._halted = False

    @property
    def nodes(self) -> int:
        """States entered so far, by all."""
        return self.first.nodes + self._gone + sum(other.nodes for other in self._others)

    @property
    def memory(self) -> int:
        """Bytes held."""
        return self.first.memory + sum(other.memory for other in self._others)

    def advance(self, work: float) -> bool:
        """Do a piece of the first search; return whether more is to be done."""
        if self._pieces == ALONE:
            self.first.settle()
            self._begin_others()
        self._pieces += 1
        return self.first.advance(work)

    @contextmanager
    def together(self, work: float) -> Iterator[int]:
        """Let the others go on meanwhile; how many pieces to do until then."""
        if not self._others:
            yield 1
            return
        self._halted = False
        with ThreadPoolExecutor(len(self._others)) as pool:
            running = [pool.submit(self._go_on, other, work / _SHORT) for other in self._others]
            try:
                yield _TURNS
            finally:
                self._halted = True
        self._exchange(running)

    def _begin_others(self) -> None:
        while len(self._others) < self._threads - 1:
            try:
                self._others.append(self._make(self.first, len(self._others) + 1))
            except MemoryError:
                return  # with as many as there is room for

    def _go_on(self, other: HalfGraphSearch, work: float) -> bool:
        """Search on until the first has done its pieces; return whether more is to be done."""
        going = other.advance(work)
        while going and not self._halted:
            going = other.advance(work)
        return going

    def _exchange(self, running: list[Future[bool]]) -> None:
        """Tell all what is too short, and the first what is too long."""
        first, others = self.first, list(zip(self._others, running, strict=True))
        for other, _ in others:
            first.raise_to(max(first.best, other.best - 1))
        for other, run in others:
            other.raise_to(first.best)
            if not run.result():
                first.cap(max(first.best, other.best))
                self._others.remove(other)
                self._gone += other.nodes
