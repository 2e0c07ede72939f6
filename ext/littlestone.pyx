"""Exact Littlestone dimension: the decision search "Ldim >= k" over compacted bit matrices.

The search works on *reduced* matrices.  For the rows of a version space, in inherited order, a
column is dropped when fewer than two rows lie on its smaller side, and complemented when its
first row is 1.  Neither changes the answer to "Ldim >= k": labels are interchangeable, and
since rows are distinct in the whole class a column with a lone row on one side can only serve
as a last question, which any two distinct rows have anyway.  What is known of a reduced matrix
is kept in a table under a 128-bit fingerprint, so that version spaces that look alike (shifted
intervals, sub-cubes, cosets) share one entry.

Everything below `run`, `dimension_of`, `tree` and `refute` runs without the GIL and reports
through return values: 1 yes, 0 no, -1 stopped (a deadline, a signal, or no memory left).
Those four check what they are given; nothing below them does.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cimport cython

from pac_stability._core.bitset cimport count, fill, lowest, popcount
from pac_stability._core.entry cimport acquire, acquired, all_below, release, zero_one
from columns cimport (
    ROW_LANES,
    ROW_STEP,
    append,
    between,
    columns_init,
    columns_of,
    columns_use,
    count_ones,
    fingerprint,
    flip,
    gather,
    has_avx2,
    move_masks,
    pack,
    rows_of,
    spill,
    splits,
    squeeze,
    subset,
    tally,
    unslice,
)

columns_init()

INSTRUCTIONS = ("baseline", "avx2") if has_avx2() else ("baseline",)
"""What the processor can count columns with, the fastest last; that one is used."""


def use_instructions(str name):
    """Count columns with one of ``INSTRUCTIONS`` from now on, in every thread; for tests."""
    columns_use(INSTRUCTIONS.index(name))


cdef enum:
    DEPTH = 34                # at most one frame a level, and 2**31 rows have 31 levels

cdef str CONTRADICTION = "rows are not distinct, or two matrices have the same fingerprint"

cdef str NO_MEMORY = "max_memory is too small for this class or question"


include "littlestone_budget.pxi"
include "littlestone_children.pxi"
include "littlestone_rows.pxi"
include "littlestone_search.pxi"
include "littlestone_proofs.pxi"


@cython.final
cdef class LittlestoneSolver:
    """Littlestone dimensions of a finite class and of its version spaces.

    Parameters
    ----------
    table
        C-contiguous uint8 array of shape (n, m) with values 0 and 1, rows distinct.
    max_memory
        Bytes that the solver may allocate.
    time_limit
        Seconds that reading the table may take; 0 for no limit.

    Raises
    ------
    ValueError
        An entry is not 0 or 1, or there are several rows and no column to tell them apart.
    MemoryError
        ``max_memory`` cannot even hold the class.
    TimeoutError
        The time was over before the table was read.
    """

    def __cinit__(
        self, const uint8_t[:, ::1] table not None, size_t max_memory, double time_limit=0.0
    ):
        cdef size_t n = <size_t>table.shape[0], m = <size_t>table.shape[1], w
        cdef Matrix* base = &self.base
        if n >= <size_t>1 << 31 or m >= <size_t>1 << 30:
            raise MemoryError("more than 2**31 hypotheses or 2**30 points")
        if n > 1 and m == 0:
            raise ValueError("table: rows that no column tells apart")
        if n and m and not zero_one(&table[0, 0], n * m):
            raise ValueError("table: an entry that is not 0 or 1")
        self.limit = max_memory
        self.frames = <Matrix*>calloc(DEPTH, sizeof(Matrix))
        if self.frames == NULL:
            raise MemoryError("no memory for the solver")
        self.bytes = DEPTH * sizeof(Matrix)
        self.slots = FIRST_SLOTS
        if reserve(self, self.slots * sizeof(Entry)):
            self.entries = <Entry*>calloc(self.slots, sizeof(Entry))
        if self.entries == NULL or shape(self, base, <uint32_t>n, <uint32_t>m) < 0:
            raise MemoryError("max_memory is too small to hold the class")
        if not time_limit >= 0:
            raise ValueError("time_limit: want seconds, at least 0")
        self.begin(time_limit, None)
        with nogil:
            for w in range(base.width):
                pack(
                    &table[0, 0] if m else NULL, m, 64 * w,
                    64 * w + 64 if 64 * w + 64 < n else n, base.words + w * m,
                )
                if self.spend(8 * m):
                    break
            for w in range(m):
                base.ids[w] = <uint32_t>(2 * w)
            # With room for the root, the table can make up for most later shortages.
            take_whole(self)
        late = self.stop == Stop.OUT_OF_TIME
        self.answered(0)
        if late:
            raise TimeoutError("the time was over before the table was read")
        if n == 0:
            self.lower = self.upper = -1
        else:
            self.lower = 1 if n >= 2 else 0
            self.upper = log2_floor(<uint32_t>n)

    def __dealloc__(self):
        cdef int depth
        if self.frames != NULL:
            for depth in range(DEPTH):
                free(self.frames[depth].block)
                free(self.frames[depth].turned)
        free(self.frames)
        free(self.base.block)
        free(self.entries)
        free(self.claims)
        free(self.reasons)

    @property
    def entries_used(self) -> int:
        """Version spaces in the table."""
        return self.used

    @property
    def memory(self) -> int:
        """Bytes allocated now."""
        return self.bytes

    cdef int begin(self, double time_limit, object progress) except -1:
        """Claim the solver; a time limit of 0 means none."""
        if not acquire(&self.busy):
            raise RuntimeError("the solver is already running in another thread or callback")
        self.progress = progress
        self.pending = None
        start_clock(self, time_limit)
        return 0

    cdef int finish(self) except -1:
        """Release the solver and raise what a signal handler or a callback raised."""
        cdef object pending = self.pending, _progress = self.progress
        self.progress = None
        self.pending = None
        # Last: when the callback is dropped, its destructor may run any code, and this solver.
        release(&self.busy)
        _progress = None
        if pending is not None:
            raise pending
        return 0

    cdef int idle(self) except -1:
        """Refuse to be looked at while another thread is at work."""
        if acquired(&self.busy):
            raise RuntimeError("the solver is already running in another thread or callback")
        return 0

    cdef int spend(self, uint64_t words) noexcept nogil:
        """Count work; 0 to go on, -1 to stop."""
        self.work += words
        if self.work >= self.next_poll:
            return poll(self)
        return -1 if self.stop else 0

    # -- for other kernels ----------------------------------------------------------------

    cdef int dimension_in(self, const uint64_t* rows) noexcept nogil:
        """Ldim of some hypotheses: -1 when there are none, -2 when stopped."""
        memcpy(self.base.mask, rows, self.base.width * sizeof(uint64_t))
        return dimension_under_mask(self)

    def run(self, double time_limit, object progress, int aim=0) -> int:
        """Narrow ``lower <= Ldim <= upper`` until they meet or the time is over.

        Parameters
        ----------
        time_limit
            Seconds, or 0 for no limit.
        progress
            Called as ``progress(lower, upper, nodes, seconds)`` after every level and about ten
            times a second, or None.
        aim
            Only decide whether ``Ldim >= aim``; 0 to find the dimension.

        Returns
        -------
        int
            0 when done, 1 when out of time, 2 when out of memory.

        Raises
        ------
        ValueError
            The limit or the aim is negative or no number.
        """
        cdef int answer = 0
        if not time_limit >= 0:
            raise ValueError("time_limit: want seconds, at least 0")
        if aim < 0:
            raise ValueError(f"aim: got {aim}, want 0 or more")
        self.begin(time_limit, progress)
        with nogil:
            answer = poll(self)
            if answer == 0:
                answer = take_whole(self)
            while answer >= 0 and undecided(self, aim):
                if aim:
                    answer = ask(self, aim, NO_END)
                elif due_above(self):
                    answer = ask_above(self)
                else:
                    answer = ask_below(self)
                self.next_signal = self.next_report = 0.0
                if poll(self) < 0:
                    break
        answer = self.stop if undecided(self, aim) else Stop.RUNNING
        self.finish()
        return answer

    def dimension_of(self, const int64_t[::1] rows not None) -> int:
        """Ldim of the version space of these hypotheses (row indices).

        Raises
        ------
        ValueError
            An index is out of range.
        MemoryError
            The memory limit is too small for this question.
        """
        cdef int answer
        self.choose(rows)
        with nogil:
            answer = dimension_under_mask(self)
        return self.answered(answer)

    def reaches(self, const int64_t[::1] rows not None, int k) -> bool:
        """Is Ldim of the version space of these hypotheses, one at least, at least k >= 0?

        Raises
        ------
        ValueError
            An index is out of range, there is none, or k is negative.
        MemoryError
            The memory limit is too small for this question.
        """
        cdef int answer
        if rows.shape[0] == 0 or k < 0:
            raise ValueError("rows or k: want one row, and k = 0, at least")
        self.choose(rows)
        with nogil:
            answer = derive(
                self, &self.base, &self.frames[0],
                <uint32_t>count(self.base.mask, <int>self.base.width), 0)
            if answer >= 0:
                answer = at_least(self, 0, k)
        return self.answered(answer) > 0

    cdef int choose(self, const int64_t[::1] rows) except -1:
        """Claim the solver, and put these rows into the mask of the class."""
        cdef Py_ssize_t i
        if rows.shape[0] and not all_below(&rows[0], rows.shape[0], self.base.n):
            raise ValueError("rows: an index out of range")
        self.begin(0.0, None)
        memset(self.base.mask, 0, self.base.width * sizeof(uint64_t))
        for i in range(rows.shape[0]):
            self.base.mask[rows[i] >> 6] |= <uint64_t>1 << (rows[i] & 63)
        return 0

    cdef int answered(self, int answer) except -2:
        """End a question that has no partial answer."""
        cdef int stop = self.stop
        self.finish()
        if stop == Stop.OUT_OF_MEMORY:
            raise MemoryError(NO_MEMORY)
        return answer

    def tree(self, int k, int64_t[::1] points not None, int64_t[::1] leaves not None) -> None:
        """Write a shattered tree of depth ``k <= lower``.

        Parameters
        ----------
        k
            Depth.
        points
            Receives the ``2**k - 1`` questions (column indices) in heap order: the children of
            ``i`` are ``2 * i + 1`` (label 0) and ``2 * i + 2`` (label 1).
        leaves
            Receives the ``2**k`` hypotheses (row indices), from left to right.

        Raises
        ------
        ValueError
            ``k`` is negative or above ``lower``, or an array has another length.
        """
        cdef int answer
        self.idle()
        if not 0 <= k <= self.lower:
            raise ValueError(f"k: got {k}, want 0 to {self.lower}")
        if points.shape[0] != (<Py_ssize_t>1 << k) - 1 or leaves.shape[0] != <Py_ssize_t>1 << k:
            raise ValueError("points and leaves: want 2**k - 1 and 2**k places")
        self.begin(0.0, None)
        with nogil:
            answer = write_tree(self, k, &points[0] if k else NULL, &leaves[0])
        self.answered(0)
        if answer < 0:
            raise RuntimeError(CONTRADICTION)

    def refute(self, int k, uint32_t max_steps) -> tuple[bytes, bytes]:
        """Say why ``Ldim < k``, for ``k > upper`` and at least ``2**k`` hypotheses.

        Returns
        -------
        tuple
            The levels of the steps (uint32) and the reasons (uint32 quadruples step, column,
            label of the refuted side, step that refutes it), as native arrays of bytes.

        Raises
        ------
        ValueError
            ``k`` is not above ``upper``, or there are fewer than ``2**k`` hypotheses.
        OverflowError
            More than ``max_steps`` steps are needed.
        MemoryError
            The memory limit is too small for the argument.
        """
        cdef uint32_t step = 0
        cdef size_t i
        cdef int answer = 0
        cdef uint32_t[::1] levels
        self.idle()
        if not self.upper < k < 32 or k < 0 or self.base.n >> k == 0:
            raise ValueError("k: want more than upper, and 2**k hypotheses at least")
        self.begin(0.0, None)
        self.max_steps = max_steps
        with nogil:
            answer = take_whole(self)
            if answer > 0:
                answer = argue(self, 0, k, &step)
        try:
            if self.stop == Stop.OUT_OF_STEPS:
                raise OverflowError("more steps are needed")
            if answer < 0:
                if self.stop == Stop.OUT_OF_MEMORY:
                    raise MemoryError(NO_MEMORY)
                if self.pending is None:
                    raise RuntimeError(CONTRADICTION)
                return b"", b""  # `finish` raises instead
            found = bytearray(4 * self.steps)
            levels = memoryview(found).cast("I") if self.steps else None
            for i in range(self.claim_slots):
                if self.claims[i].k:
                    levels[self.claims[i].step] = self.claims[i].k
            return bytes(found), (<char*>self.reasons)[:self.reason_count * sizeof(Reason)]
        finally:
            forget_argument(self)
            self.finish()
