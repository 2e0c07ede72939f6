"""The VC dimension of a finite class and of its dual, exactly, with witnesses.

The search decides "are k columns of a table shattered?" for k from below and from above, until the
two sides meet. The searches for both dimensions, and the functions that run them, follow.

One level of a search for shattered sets may run on several threads; the answer is that of one
thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability._alarm import alone
from pac_stability._core.vc import ShatteringSearch
from pac_stability.arguments import as_size
from pac_stability.classes import bits
from pac_stability.classes.family import Family, TableLike, as_table, known_value
from pac_stability.dimensions import bounds, shattering_proofs

S = TypeVar("S", bound=bounds.TableWitness)

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
    """Are k columns shattered? Threads share the sets by their first column.

    Parameters
    ----------
    make
        Begins a search of the level.
    columns
        The number of columns.
    threads
        The most threads that work at once.
    room
        The bytes that are left; the first search must fit.

    Notes
    -----
    Threads take shares in the order in which one thread would reach them, and finish each. Once a
    share has shattered columns, later shares stop and earlier ones finish. So the result is that of
    one thread, whatever the timing. Between two calls of `advance` no thread runs.
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
        """Do some pieces of work, one a thread; return whether work remains."""
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

    def begin_at_first(self) -> None:
        """Leave out all sets but those that begin with column 0."""
        mine, *others = self._workers
        self._threads, self._next = 1, self._columns
        for worker in others:
            worker.root = None
        if mine.search.root:  # these are done
            mine.root = None
        else:
            mine.search.stop_before(1)
            mine.root = 0

    def is_carried(self, k: int) -> bool:
        """Whether the sets that begin with column 0 are enough, on a circle that may be turned.

        The k gaps between the columns of a set, around the circle, are m / k on average. From one
        of its columns on, the first t of them are together at most t m / k, for every t [the cycle
        lemma]. Where that is turned to column 0, the set begins there: of one that does, the
        search has column t below t m / (k - 1).
        """
        m = self._columns
        return all(t * m // k < t * m // (k - 1) for t in range(1, k - 1))

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
        alone(self._lock, lambda: self._keep(root, witness))
        return False

    def _keep(self, root: int, witness: tuple[int, ...]) -> None:
        if self._found is None or root < self._found[0]:
            self._found = root, witness

    def _share(self) -> tuple[int, int]:
        first = self._next
        if first < self._columns and self._found is None:
            self._next = min(self._columns, first + 1 + self._columns // _CHUNKS)
        return first, self._next

    def _take_share(self, worker: _Worker) -> bool:
        first, last = alone(self._lock, self._share)
        if first == last:
            worker.root = None
            return False
        worker.search.search_roots(first, last)
        worker.root = first
        return True


# The VC dimension of a finite class and of its dual, exactly, with witnesses

Table = npt.NDArray[np.uint8]

_PIECE = 4e6  # word operations between two looks at the clock: about 10 ms
_DENSE = 6  # from this k on, cells are kept as blocks of rows once they are small
_SMALL_CELL = 512
_NEVER = 32

_SEARCH_ALONE = 50  # pieces from below before all else: most searches have ended then
_EVENLY = 1000  # pieces from above that may be as many as those from below
_SELDOM = 4  # else they are so many times halved
_NEAR = 3  # bounds so far apart may meet soon; each step between them doubles the work above
_MOST_CELLS = 1 << 24  # of a table whose columns are moved around
_ROOM_FOR_FEW = 1 << 30  # bytes for some of the columns, where all are too many for any memory


class ShatteringLevels(bounds.AnytimeSearch[S]):
    """Decides whether k columns are shattered, for the k that bounds leave open; rows may repeat.

    The table is that of a class, or its transpose, with points as rows. It alternates between the
    next k from below and the largest open k. Large sets are seldom shattered, and the search sees
    this long before the deciding level is done. Before the first k from above it tries to cover the
    rows by few chains, which can bound the dimension where counting rows does not.
    """

    lower: int
    upper: int
    cover: shattering_proofs.ChainCover | None = None
    _turned: ClassVar[bool]  # whether it is the dual class that is searched
    _kind: Callable[[tuple[int, ...], tuple[int, ...]], S]

    def __init__(
        self,
        H: TableLike,
        max_memory: int | None = None,
        *,
        upper: int | None = None,
        threads: int = 1,
    ) -> None:
        H = as_table(H)
        self._threads = as_size(threads, "threads", least=1)
        self._class = H
        rows, columns = len(H), len(H.domain)
        if self._turned:
            rows, columns = columns, rows
        self._found: tuple[int, ...] = ()
        if not self._turned and rows >= 2:
            self._found = (bits.first_difference(H.packed[0], H.packed[1]),)
        lower = min(rows, 1 + len(self._found)) - 1
        most = min(rows.bit_length() - 1, columns)
        super().__init__(lower, most if upper is None else max(lower, min(most, upper)), max_memory)
        self._columns = np.zeros(0, dtype=np.intp)
        self._folded = np.zeros((0, 0), dtype=np.uint8)
        self._minorities = np.zeros(0, dtype=np.intp)  # of each column, the rows of the rarer label
        self._levels: dict[int, SharedLevel] = {}  # those begun, by k
        self._partial: set[int] = set()  # those of them that lack columns
        self._nodes = 0  # of those that ended
        self._climbed = self._descended = 0  # pieces from below and from above
        self._room_above = True
        self._covering = bounds.Pieces(self._cover_rows)
        self._turning = bounds.Pieces(self._turn_columns)
        self._carried = False  # whether the columns may be turned by one place

    def _preparing(self) -> Iterator[None]:
        """Keep distinct rows, and columns no two of which are equal up to complement.

        The best balanced column first. Complementing a column changes no answer. Everything is done
        on 64 entries at a time.
        """
        by_rows = by_columns = self._class.packed
        turned = yield from bits.transposed(by_rows, len(self._class.domain))
        if self._turned:
            by_rows = turned
            rows = bits.first_occurrences(by_rows)
        else:
            by_columns = turned
            rows = np.arange(len(by_rows))
        yield
        folded = by_columns.copy()
        folded[(folded[:, 0] & np.uint64(1)) == 1] ^= bits.mask_of(
            np.arange(len(by_rows)), len(by_rows)
        )
        yield
        columns = bits.first_occurrences(folded)
        folded = folded[columns]
        yield
        counts = bits.ones(folded & bits.mask_of(rows, len(by_rows)) if self._turned else folded)
        yield
        by_balance = np.argsort(np.abs(len(rows) - 2 * counts), kind="stable")
        by_balance = by_balance[counts[by_balance] > 0]
        turned = yield from bits.transposed(folded[by_balance], len(by_rows))
        prepared = yield from bits.unpacked(turned[rows], len(by_balance))
        self._columns, self._folded = columns[by_balance], prepared
        self._minorities = np.minimum(counts, len(rows) - counts)[by_balance]
        self.lower = max(self.lower, min(len(rows), 2) - 1)
        most = min(len(rows).bit_length() - 1, len(by_balance))
        self.upper = max(self.lower, min(self.upper, most))
        self._found = tuple(self._columns[: max(self.lower, 0)].tolist())

    @property
    def nodes(self) -> int:
        """Sets of columns tested so far."""
        return self._nodes + sum(level.nodes for level in self._levels.values())

    def _from_above(self) -> bool:
        """Whether it is the turn of the largest k that is open, and not of the least."""
        late = max(0, self._climbed - _SEARCH_ALONE)
        far = max(0, self.upper - self.lower - _NEAR)
        share = max(late >> _SELDOM, min(late >> far, _EVENLY))
        return self._room_above and self.lower + 1 < self.upper and self._descended < share

    def _cover_rows(self) -> Iterator[None]:
        """Look for few chains, and take over what they bound."""
        rows, distinct = self._class.packed, np.arange(len(self._class))
        if self._turned:
            rows = yield from bits.transposed(rows, len(self._class.domain))
            distinct = bits.first_occurrences(rows)
        most = shattering_proofs.largest_antichain(self.upper) - 1
        cover = yield from shattering_proofs.covering(rows, distinct, most, dual=self._turned)
        if cover is not None:
            self.cover = cover
            self._settle(cover.k, None)

    def _turn_columns(self) -> Iterator[None]:
        """See whether the rows stay what they are when every column moves by one place."""
        if self._class.packed.size * 64 <= _MOST_CELLS:
            table = bits.unpack(self._class.packed, len(self._class.domain))
            table = (table.T if self._turned else table)[:, self._columns]
            yield
            rows = {row.tobytes() for row in table}
            yield
            moved = np.roll(table, 1, axis=1)
            if all(row.tobytes() in rows for row in moved):
                self._carried = True
                for k, level in self._levels.items():
                    self._begin_at_first(k, level)

    def _begin_at_first(self, k: int, level: SharedLevel) -> None:
        if k not in self._partial and level.is_carried(k):
            level.begin_at_first()

    def refutation(
        self, k: int, max_gaps: int
    ) -> shattering_proofs.ChainCover | shattering_proofs.ShatteringRefutation:
        """Prove that fewer than ``k`` columns are shattered, after the search found this.

        Parameters
        ----------
        k
            The bound to prove.
        max_gaps
            The most gaps of a proof by counting; unused if few chains prove it.

        Raises
        ------
        BudgetExhausted
            The proof is longer.
        """
        if self.cover is not None and self.cover.k <= k:
            return self.cover
        return shattering_proofs.refute_shattering(
            self._class, k, dual=self._turned, max_gaps=max_gaps
        )

    def _advance(self) -> bool:
        if self._climbed >= _SEARCH_ALONE and not self._covering.done:
            self._covering.advance()
            return True
        if self._climbed >= _SEARCH_ALONE and not self._turning.done:
            self._turning.advance()
            return True
        above = self._aim is None and self._from_above()
        k = self._aim or (self.upper if above else self.lower + 1)
        level = self._opened(k, partly=not above)
        if level is None:
            self._room_above = False
            return above or self._leave_above()
        going_on = level.advance(_PIECE)
        if above:
            self._descended += 1
        else:
            self._climbed += 1
        # An interrupt from here on costs nothing: the finished level gives the same answer again.
        if not going_on:
            if level.witness is None and k in self._partial:
                self._climbed = max(self._climbed, _SEARCH_ALONE)  # what is left is done beside it
                return not self._covering.done or (self._room_above and self.lower + 1 < self.upper)
            self._settle(k, level.witness)
        return True

    def _leave_above(self) -> bool:
        """Give the memory of what was begun from above to what is below; whether there was any."""
        begun = bool(self._levels)
        self._nodes, self._levels = self.nodes, {}
        return begun

    def _opened(self, k: int, *, partly: bool) -> SharedLevel | None:
        """Return the search of a level, begun now if it is not yet; ``None`` without memory."""
        if k not in self._levels:
            try:
                self._levels[k] = self._begun(k)
                self._partial.discard(k)
                if self._carried:
                    self._begin_at_first(k, self._levels[k])
            except MemoryError:
                if self._max_memory is not None or self._levels or not partly:
                    return None
                self._levels[k] = self._begun_partly(k)
                self._partial.add(k)
        return self._levels[k]

    def _begun(self, k: int) -> SharedLevel:
        """Begin a level on all columns, or on those that are not too rare to be among k."""
        try:
            return self._begun_on(self._folded.shape[1], k)
        except MemoryError:
            return self._begun_on(int((self._minorities >= 1 << k - 1).sum()), k)

    def _begun_partly(self, k: int) -> SharedLevel:
        """Begin a level on the best balanced columns only, where k may be found, not refuted."""
        columns = self._folded.shape[1]
        while True:
            columns //= 2
            try:
                return self._begun_on(columns, k, _ROOM_FOR_FEW)
            except MemoryError:
                if columns < k:
                    raise

    def _begun_on(self, columns: int, k: int, most: int = 2**62) -> SharedLevel:
        table = np.ascontiguousarray(self._folded[:, :columns])
        row_level = _row_level(k, len(table))

        def begun(room: int) -> ShatteringSearch:
            return ShatteringSearch(table, k, row_level=row_level, max_memory=min(room, most))

        return SharedLevel(begun, columns, threads=self._threads, room=self._room)

    def _room(self) -> int:
        """How many bytes may still be allocated."""
        held = sum(level.memory for level in self._levels.values())
        return 2**62 if self._max_memory is None else max(0, self._max_memory - held)

    def _settle(self, k: int, found: tuple[int, ...] | None) -> None:
        """Take over that k columns are shattered, or that none are; what is settled is left."""
        nodes = self.nodes
        if found is None:
            lower, upper = self.lower, k - 1
        else:
            self._found = tuple(self._columns[list(found)].tolist())
            lower, upper = k, self.upper
        open_levels = {j: level for j, level in self._levels.items() if lower < j <= upper}
        self.lower, self.upper = lower, upper
        self._levels = open_levels
        self._nodes = nodes - sum(level.nodes for level in open_levels.values())

    def _labels(self, column: int) -> Table:
        """Return what the rows have in a column."""
        if self._turned:
            return bits.unpack(self._class.packed[[column]], len(self._class.domain)).reshape(-1)
        shifted = self._class.packed[:, column // 64] >> np.uint64(column % 64)
        return (shifted & np.uint64(1)).astype(np.uint8)

    @property
    def witness(self) -> S | None:
        """A shattered set of size ``lower``; ``None`` only where nothing has a row."""
        return None if self.lower < 0 else self._kind(self._found, self._patterns()).of(self._class)

    def _patterns(self) -> tuple[int, ...]:
        """For each labelling of the columns found, the first row that has it."""
        rows = len(self._class.domain) if self._turned else len(self._class)
        codes = np.zeros(rows, dtype=np.int64)
        for place, column in enumerate(self._found):
            codes |= self._labels(column).astype(np.int64) << place
        seen, first = np.unique(codes, return_index=True)
        if len(seen) != 2 ** len(self._found):
            raise RuntimeError("the compiled search returned columns that are not shattered")
        return tuple(first.tolist())


def _row_level(k: int, rows: int) -> int:
    """From which level on the compiled search keeps cells as blocks of rows; measured."""
    if k < _DENSE:
        return _NEVER
    return min(_NEVER, max(1, (rows // _SMALL_CELL).bit_length()))


# The two dimensions


@dataclass(frozen=True, slots=True, repr=False)
class ShatteredSet(bounds.PointsAndHypotheses):
    """A shattered set of points, with a hypothesis for each of its labellings.

    Attributes
    ----------
    points
        Column indices.
    hypotheses
        Row indices, ``2^len(points)`` of them: hypothesis ``b`` gives point ``j`` the bit ``j`` of
        ``b``, the lowest bit being bit 0.
    """

    points: tuple[int, ...]
    hypotheses: tuple[int, ...]

    def is_shattered_by(self, H: TableLike) -> bool:
        """Check every labelling against the table of ``H``."""
        return _is_shattered(as_table(H).table, self.points, self.hypotheses)


@dataclass(frozen=True, slots=True, repr=False)
class DualShatteredSet(bounds.PointsAndHypotheses):
    """A set of hypotheses that the points shatter, with a point for each of its labellings.

    Attributes
    ----------
    hypotheses
        Row indices.
    points
        Column indices, ``2^len(hypotheses)`` of them: at point ``b`` hypothesis ``j`` has the label
        that is bit ``j`` of ``b``.
    """

    hypotheses: tuple[int, ...]
    points: tuple[int, ...]

    def is_shattered_by(self, H: TableLike) -> bool:
        """Check every labelling against the table of ``H``."""
        return _is_shattered(as_table(H).table.T, self.hypotheses, self.points)


def _is_shattered(table: Table, columns: Sequence[int], rows: Sequence[int]) -> bool:
    n, m = table.shape
    return (
        len(rows) == 2 ** len(columns)
        and all(0 <= x < m for x in columns)
        and all(0 <= h < n for h in rows)
        and all(
            table[h, x] == pattern >> j & 1
            for pattern, h in enumerate(rows)
            for j, x in enumerate(columns)
        )
    )


class VCSearch(ShatteringLevels[ShatteredSet]):
    """A search for the VC dimension that can be stopped and resumed.

    Parameters
    ----------
    H
        The class.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. The limit does not count
        copies of the table in Python, nor certificates.
    upper
        An upper bound known beforehand, such as the Littlestone dimension.
    threads
        The number of threads for a level that takes long; the answer is that of one thread.

    Notes
    -----
    Exponential in the worst case; it searches each level k exhaustively, from below and, once a
    level takes long, also from the largest open k, so that both bounds converge. It keeps settled
    levels, and its position in unfinished ones, between runs. A random class of density 1/2 with
    1024 hypotheses on 64 points takes seconds; twice that size may be out of reach. Only one thread
    may use a search at a time; two searches in two threads use two cores.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> VCSearch(FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])).run().value
    2
    """

    _turned, _kind = False, ShatteredSet


class DualVCSearch(ShatteringLevels[DualShatteredSet]):
    """The same for the dual class, whose hypotheses are the distinct columns of ``H``.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> DualVCSearch(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]])).run().value
    2
    """

    _turned, _kind = True, DualShatteredSet


def vc(
    H: TableLike,
    *,
    upper: int | None = None,
    threads: int = 1,
    time_limit: float | None = None,
    max_memory: int | None = None,
    progress: bounds.ProgressCallback | None = None,
) -> bounds.Bounds[ShatteredSet]:
    """VC dimension of a finite class, with a shattered set.

    The largest number of points that receive all their labellings from the class [Vapnik and
    Chervonenkis 1971]. Conventions: -1 for the empty class, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.
    upper
        An upper bound known beforehand, such as the Littlestone dimension.
    threads
        The number of threads for a level that takes long. A finished search has the bounds and the
        witness of one thread; a witness found under a limit also belongs to its level.
    time_limit
        Seconds, checked about every 10 ms. They include preparing the table, but not writing the
        witness. ``None`` for no limit.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. The limit does not count
        copies of the table in Python, nor certificates.
    progress
        Called about ten times a second.

    Returns
    -------
    Bounds[ShatteredSet]
        Exact, or certified bounds when the budget ended.

    Notes
    -----
    Random tables of half ones are the hardest: 512 x 64 takes a fraction of a second, and 512 x 128
    leaves bounds such as [7, 8]. A second thread halves the time, `at_least` decides one value, and
    a table whose rows stay what they are when its columns move around a circle, as the squares
    modulo a prime do, is searched from one column.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> lines = FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]])
    >>> bounds = vc(lines)
    >>> bounds.value, bounds.witness.is_shattered_by(lines)
    (2, True)
    """
    return VCSearch(H, max_memory, upper=upper, threads=threads).run(
        time_limit=time_limit, progress=progress
    )


def vc_dimension(H: TableLike | Family) -> int:
    """VC dimension of a finite class: -1 if empty, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.

    Notes
    -----
    Runs to the end; see `vc` for a budget, a witness, and the conventions.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> vc_dimension(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]]))
    1
    """
    known = known_value(H, "vc")
    return vc(as_table(H)).value if known is None else known


def dual_vc(
    H: TableLike,
    *,
    upper: int | None = None,
    threads: int = 1,
    time_limit: float | None = None,
    max_memory: int | None = None,
    progress: bounds.ProgressCallback | None = None,
) -> bounds.Bounds[DualShatteredSet]:
    """VC dimension of the dual class, in which points label hypotheses.

    The largest number of hypotheses that receive all their labellings from the points [Assouad
    1983]. Conventions: -1 without points, 0 when all columns are equal.

    Parameters
    ----------
    H
        The class.
    upper, threads, time_limit, max_memory, progress
        As for `vc`.

    Returns
    -------
    Bounds[DualShatteredSet]
        Exact, or certified bounds when the budget ended.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> dual_vc(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]])).witness
    <DualShatteredSet: hypotheses h0, h1, points 0, 2, 1, 3>
    """
    return DualVCSearch(H, max_memory, upper=upper, threads=threads).run(
        time_limit=time_limit, progress=progress
    )


def dual_vc_dimension(H: TableLike | Family) -> int:
    """VC dimension of the dual class: -1 without points, 0 when all columns are equal.

    Parameters
    ----------
    H
        The class.

    Notes
    -----
    Runs to the end; see `dual_vc` for a budget and a witness.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> dual_vc_dimension(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]]))
    2
    """
    known = known_value(H, "dual_vc")
    return dual_vc(as_table(H)).value if known is None else known
