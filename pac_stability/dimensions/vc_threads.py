"""One level of a search for shattered sets, on several threads, with the answer of one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from pac_stability._core.vc import ShatteringSearch

Make = Callable[[int], ShatteringSearch]
"""Begins a search of the level, given how many bytes it may allocate."""

_ALONE = 5  # pieces by one thread before others join: a level that ends then costs as with one
_MEGABYTE = 1 << 20  # and a piece for each that its search holds, which others take long to begin
_TOGETHER = 5  # pieces of one thread, while the others go on
_SHORT = 4  # a piece is cut so small for the others, who are waited for
_CHUNKS = 128  # at least so many shares, where there are as many columns


class _Worker:
    """A search, and the first of the columns that it is at; none when there is nothing to do."""

    def __init__(self, search: ShatteringSearch, root: int | None = None) -> None:
        self.search = search
        self.root = root


class SharedLevel:
    """Are k columns shattered? Sets are shared out by the first column that the search gives them.

    Parameters
    ----------
    make
        Begins a search of the level.
    columns
        How many columns there are.
    threads
        How many may work at once.
    room
        How many bytes are left; the first search must fit.

    Notes
    -----
    Shares are taken in the order in which one thread would come to them, each from one search to
    its end. Once columns are found that are shattered, later shares are left and earlier ones are
    finished: so the columns are those that one thread finds, whatever the threads do. Between two
    calls of `advance` no thread runs.
    """

    def __init__(self, make: Make, columns: int, *, threads: int, room: Callable[[], int]) -> None:
        self._make = make
        self._columns = columns
        self._threads = threads
        self._room = room
        self._workers = [_Worker(make(room()), 0)]
        self._alone = _ALONE + self.memory // _MEGABYTE
        self._pieces = 0
        self._next = columns  # the first column that nobody has
        self._found: tuple[int, tuple[int, ...]] | None = None
        self._lock = Lock()
        self._halted = False

    @property
    def nodes(self) -> int:
        """Sets of columns tested so far."""
        return sum(worker.search.nodes for worker in self._workers)

    @property
    def memory(self) -> int:
        """Bytes held."""
        return sum(worker.search.memory for worker in self._workers)

    @property
    def witness(self) -> tuple[int, ...] | None:
        """The shattered columns, once the level is settled."""
        return None if self._found is None else self._found[1]

    def advance(self, work: float) -> bool:
        """Do some pieces of work, a thread each; return whether more is to be done."""
        if self._threads > 1 and self._pieces == self._alone:
            self._share_out()
        self._pieces += 1
        busy = [worker for worker in self._workers if worker.root is not None]
        if not busy:
            return False
        mine, *others = busy
        if not others:
            return self._piece(mine, work) or self._threads > 1
        self._halted = False
        with ThreadPoolExecutor(len(others)) as pool:
            try:
                running = [pool.submit(self._go_on, worker, work / _SHORT) for worker in others]
                for _ in range(_TOGETHER):
                    if not self._piece(mine, work):
                        break
            finally:
                self._halted = True
            for each in running:
                each.result()
        return any(worker.root is not None for worker in self._workers)

    def _share_out(self) -> None:
        """Leave the first search its column, and begin others for what comes after."""
        first = self._workers[0].search
        self._next = min(self._columns, first.root + 1)
        first.stop_before(self._next)
        self._workers[0].root = self._next - 1
        while len(self._workers) < self._threads:
            try:
                search = self._make(self._room())
            except MemoryError:
                return  # with as many as there is room for
            worker = _Worker(search)
            self._workers.append(worker)
            self._take_share(worker)

    def _go_on(self, worker: _Worker, work: float) -> None:
        while not self._halted and self._piece(worker, work):
            pass

    def _piece(self, worker: _Worker, work: float) -> bool:
        """Do a piece of a share, or take the next; return whether there is more for this worker."""
        root, found = worker.root, self._found
        if root is None:
            return False
        if found is not None and found[0] < root:
            worker.root = None
            return False
        if worker.search.advance(work):
            return True
        witness = worker.search.witness
        if witness is None:
            return self._take_share(worker)
        worker.root = None
        with self._lock:
            if self._found is None or root < self._found[0]:
                self._found = root, witness
        return False

    def _take_share(self, worker: _Worker) -> bool:
        with self._lock:
            first = self._next
            none_left = first >= self._columns or self._found is not None
            last = first if none_left else min(self._columns, first + 1 + self._columns // _CHUNKS)
            self._next = last
        if none_left:
            worker.root = None
            return False
        worker.search.search_roots(first, last)
        worker.root = first
        return True
