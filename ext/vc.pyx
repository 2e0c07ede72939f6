"""Is there a shattered set of k points?  An exact search that can be left and resumed.

The table's columns are the points.  A set S of s columns cuts the rows into 2^s cells, one for
each pattern; S can lie in a shattered set of k columns only if every cell has at least 2^(k-s)
rows.  The search enumerates sets that pass this test, one column at a time; see README.md.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from pac_stability._core.bitset cimport count, fill, following, lowest, popcount
from pac_stability._core.entry cimport acquire, release, zero_one

cdef extern from "vc.h":
    ctypedef struct Kernels "pac_shatter_kernels":
        int filter_block(
            const uint64_t* rows, const uint64_t* ones, const uint64_t* zeros, long slots,
            int words, int slices, int column, int need, uint64_t* mask,
        ) noexcept nogil
        void count_block(
            const uint64_t* rows, const uint64_t* size, long slots, int words, int slices,
            uint64_t* ones, uint64_t* zeros,
        ) noexcept nogil
        int filter_by_column(
            const uint32_t* place, const uint64_t* word, long length, const uint64_t* columns,
            long stride, int words, int need, int left, int least, uint64_t* mask,
        ) noexcept nogil
        int filter_by_row(
            const uint32_t* place, const uint64_t* word, long length, const uint64_t* rows,
            int words, int need, int left, int least, uint64_t* mask,
        ) noexcept nogil
        void extract(
            const uint64_t* before, long wide, long size, int words, int column, uint64_t flip,
            long slots, uint64_t* rows,
        ) noexcept nogil
        void ones(
            const uint64_t* ones, int words, int slices, int column, uint64_t* total,
        ) noexcept nogil
    const Kernels* choose_kernels "pac_choose_shatter_kernels"(bint portable) noexcept nogil

cdef enum:
    LEVELS = 32  # 2^k rows fit in memory only for k < LEVELS
    LANES = 4  # cells side by side in a block
    SLOTS = 4  # slots of a block are counted four at a time
    SPREAD = 256  # sizes of cells that differ by less are sorted by counting

cdef enum Outcome:
    RUNNING
    FOUND
    NONE


@cython.final
cdef class ShatteringSearch:
    """Search for a shattered set of ``k >= 2`` columns of a table.

    Columns are tried in the order given: the best balanced first is best.  From level
    ``row_level >= 1`` on, that is for sets of at least so many columns, cells are kept as
    blocks of rows (best for dense tables), before it as lists of words (best for many rows
    and small k).  ``portable`` keeps to the baseline instructions.
    """

    cdef readonly int k
    cdef readonly long long nodes  # evaluations of a set of columns
    cdef readonly size_t memory  # bytes held
    cdef const Kernels* kernels
    cdef char* arena
    cdef char* free_space
    cdef long n, stride  # rows; words of a column
    cdef int m, words, parts, start, row_level, level
    cdef int top  # bits of n
    cdef int first_root, last_root  # only sets whose first column is one of these are sought
    cdef int rotated  # columns that the rows of the matrix have been turned by
    cdef Outcome outcome
    cdef double spent, allowed
    cdef int busy
    cdef int found[LEVELS]
    # The table by columns, twice over so that every rotation is a window; and by rows.
    cdef uint64_t* base
    cdef uint64_t* columns
    cdef uint64_t* matrix
    # Per level s, for the set S of the columns chosen so far:
    cdef int chosen[LEVELS]  # the column that extends S to the next level
    cdef int cursor[LEVELS]  # the next column to branch on
    cdef int limit[LEVELS]  # columns from here on are never branched on
    cdef uint64_t* candidates[LEVELS]  # columns i such that S + i passes the test
    cdef uint64_t* known[LEVELS]  # columns i whose neighbours have been computed
    cdef uint64_t* neighbours[LEVELS]  # for i: later columns j such that S + i + j passes
    cdef uint64_t* size[LEVELS]  # rows of each cell, smallest cell first
    cdef uint64_t* origin[LEVELS]  # 2 * (cell of the level before) + label in the new column
    # Cells as lists: cell c is the entries begin[c] .. begin[c + 1].
    cdef long* begin[LEVELS]
    cdef uint32_t* place[LEVELS]
    cdef uint64_t* word[LEVELS]
    # Cells as blocks, built one by one when a test reaches them.
    cdef long ready[LEVELS]  # blocks built
    cdef long* slots[LEVELS]
    cdef int* slices[LEVELS]
    cdef uint64_t** block[LEVELS]  # rows of a block
    cdef uint64_t* store[LEVELS]  # where blocks are put
    cdef uint64_t* ones[LEVELS]
    cdef uint64_t* zeros[LEVELS]
    # Scratch: the two sides of a list.
    cdef uint32_t* side_place[2]
    cdef uint64_t* side_word[2]

    def __cinit__(
        self,
        const uint8_t[:, ::1] table not None,
        int k,
        *,
        int row_level,
        size_t max_memory=<size_t> -1,
        bint portable=False,
    ):
        cdef size_t needed
        if table.shape[0] >= <Py_ssize_t> 1 << 31 or table.shape[1] >= <Py_ssize_t> 1 << 30:
            raise ValueError("table: want fewer than 2**31 rows and 2**30 columns")
        self.n = table.shape[0]
        self.m = <int> table.shape[1]
        if self.n and self.m and not zero_one(&table[0, 0], self.n * <size_t> self.m):
            raise ValueError("table: an entry that is not 0 or 1")
        if not 2 <= k < LEVELS or not 1 <= row_level <= LEVELS:
            raise ValueError("k or row_level out of range")
        self.k = k
        self.row_level = row_level
        self.parts = k - 1
        self.words = (self.m + 63) // 64
        self.stride = (self.n + 63) // 64
        self.start = -1
        self.level = -1
        self.last_root = self.m
        self.outcome = RUNNING
        if self.m < k or self.n < <long> 1 << k:
            self.outcome = NONE
            return
        lay_out(self)
        needed = <size_t> self.free_space
        if needed > max_memory:
            raise MemoryError(f"the search needs {needed} bytes")
        self.arena = <char*> malloc(needed + 64)
        if self.arena == NULL:
            raise MemoryError(f"the search needs {needed} bytes")
        self.memory = needed
        self.free_space = self.arena + (64 - <size_t> self.arena % 64)
        lay_out(self)
        self.kernels = choose_kernels(portable)
        with nogil:
            read_table(self, &table[0, 0])

    def __dealloc__(self):
        free(self.arena)

    @property
    def witness(self):
        """The shattered columns once found, in increasing order; otherwise ``None``."""
        if self.outcome != FOUND:
            return None
        return tuple(sorted([self.found[s] for s in range(self.k)]))

    cdef int claim(self) except -1:
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")
        return 0

    def advance(self, double work):
        """Search on, for about ``work`` word operations; return whether more is to be done."""
        if not work > 0:
            raise ValueError("work: want a positive number")
        self.claim()
        with nogil:
            self.spent = 0
            self.allowed = work
            while self.outcome == RUNNING and self.spent < self.allowed:
                step(self)
        going_on = self.outcome == RUNNING
        release(&self.busy)
        return going_on

    @property
    def root(self):
        """The first column of the sets that are searched now; ``m`` once none are left."""
        if self.outcome != RUNNING:
            return self.m
        if self.level < 0:
            return max(self.first_root, boundary(self, self.start + 1))
        return boundary(self, self.start) + (self.chosen[0] if self.level else self.cursor[0])

    def search_roots(self, int first, int last):
        """Seek only sets whose first column is ``first .. last - 1``, which no call had before.

        Columns never go back from call to call: the rows are turned one way.
        """
        if not self.rotated <= first <= last <= self.m:
            raise ValueError("first or last out of range")
        self.claim()
        if self.outcome == NONE and self.arena != NULL:
            self.outcome = RUNNING
        self.first_root = first
        self.last_root = last
        self.start = -1
        self.level = -1
        release(&self.busy)

    def stop_before(self, int last):
        """Leave out sets whose first column is ``last`` or a later one."""
        if not self.first_root < last <= self.m:
            raise ValueError("last out of range")
        self.claim()
        self.last_root = min(self.last_root, last)
        if self.start >= 0:
            self.limit[0] = min(self.limit[0], self.last_root - boundary(self, self.start))
        release(&self.busy)


include "vc_columns.pxi"
include "vc_cells.pxi"
include "vc_search.pxi"
