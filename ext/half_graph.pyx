"""The longest half graph in a 0/1 table: an exact branch and bound that can be left and resumed.

A half graph of size k is a sequence of pairs (row h_i, column x_i) with h_i(x_j) = 1 exactly for
i <= j.  It is grown from its first pair: once (h, x) is chosen, later rows have 0 in column x and
later columns have 1 in row h, so what is left is a smaller table.  See README.md.
"""

cimport cython
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from pac_stability._core.entry cimport acquire, release, zero_one

cdef extern from "half_graph.h" nogil:
    ctypedef struct Search "pac_half_search":
        int n, m, upper, bound, best, found, depth, words
        long long nodes
        uint64_t* state
        int* witness
    size_t place "pac_half_place"(Search* search, size_t slots, char* arena) noexcept
    void read_table "pac_half_read"(Search* search, const uint8_t* table) noexcept
    bint counts "pac_half_counts"(int portable) noexcept
    void ask "pac_half_ask"(Search* search, int lower, bint counting) noexcept
    void advance "pac_half_advance"(Search* search, double work, bint counting) noexcept


@cython.final
cdef class HalfGraphSearch:
    """Search for a half graph longer than ``lower``; ``upper`` must bound every length.

    Besides its own arrays the search keeps a memo of bounds of at most ``memo`` bytes.
    ``portable`` keeps to the baseline instructions.
    """

    cdef Search search
    cdef readonly size_t memory  # bytes held
    cdef char* arena
    cdef bint counting
    cdef int busy

    def __cinit__(
        self, const uint8_t[:, ::1] table not None, *, int lower, int upper, size_t memo,
        size_t max_memory=<size_t> -1, bint portable=False,
    ):
        cdef Search* search = &self.search
        cdef size_t needed, slots = 1
        cdef int i
        if table.shape[0] >= <Py_ssize_t> 1 << 30 or table.shape[1] >= <Py_ssize_t> 1 << 30:
            raise ValueError("table: want fewer than 2**30 rows and columns")
        search.n = <int> table.shape[0]
        search.m = <int> table.shape[1]
        if search.n and search.m and not zero_one(&table[0, 0], search.n * <size_t> search.m):
            raise ValueError("table: an entry that is not 0 or 1")
        if not 0 <= lower <= upper <= min(search.n, search.m):
            raise ValueError("lower or upper out of range")
        search.upper = upper
        needed = place(search, 1, NULL)
        if needed > max_memory:
            raise MemoryError(f"the search needs {needed} bytes")
        memo = min(memo, max_memory - needed)
        while 2 * slots * 2 * (search.words + 1) * sizeof(uint64_t) <= memo:
            slots *= 2
        self.memory = place(search, slots, NULL)
        self.arena = <char*> calloc(self.memory, 1)
        if self.arena == NULL:
            raise MemoryError(f"the search needs {self.memory} bytes")
        place(search, slots, self.arena)
        self.counting = counts(portable)
        for i in range(search.n):
            search.state[i >> 6] |= <uint64_t> 1 << (i & 63)
        for i in range(search.m):
            search.state[(search.n + 63) // 64 + (i >> 6)] |= <uint64_t> 1 << (i & 63)
        search.bound = upper
        with nogil:
            if search.n and search.m:
                read_table(search, &table[0, 0])
            ask(search, lower, self.counting)

    def __dealloc__(self):
        free(self.arena)

    @property
    def bound(self):
        """At least the longest."""
        return self.search.bound

    @property
    def best(self):
        """The longest known: ``lower`` or what was found since."""
        return self.search.best

    @property
    def nodes(self):
        """States entered."""
        return self.search.nodes

    @property
    def witness_pairs(self):
        """Rows and columns of a half graph of size ``best``; ``None`` if none beat ``lower``."""
        cdef int* rows = self.search.witness
        cdef int* columns = rows + self.search.upper + 1
        if not self.search.found:
            return None
        return (
            tuple([rows[i] for i in range(self.search.found)]),
            tuple([columns[i] for i in range(self.search.found)]),
        )

    cdef void claim(self) except *:
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")

    def raise_to(self, int best):
        """Look for nothing that is no longer than ``best``, which is at most the bound."""
        if not 0 <= best <= self.search.bound:
            raise ValueError("best: want at most the bound")
        self.claim()
        self.search.best = max(self.search.best, best)
        release(&self.busy)

    def ask(self, int lower):
        """Look anew for a half graph longer than ``lower``; what is known of states stays known."""
        if not 0 <= lower <= self.search.bound:
            raise ValueError("lower: want at most the bound")
        self.claim()
        with nogil:  # the whole state is there still, less lines that are empty or repeated
            ask(&self.search, lower, self.counting)
        release(&self.busy)

    def cap(self, int bound):
        """Take over that no half graph is longer than ``bound``, which is at least ``best``."""
        if bound < self.search.best:
            raise ValueError("bound: want at least the best")
        self.claim()
        self.search.bound = min(self.search.bound, bound)
        release(&self.busy)

    def advance(self, double work):
        """Search on, for about ``work`` word operations; return whether more is to be done."""
        if not work > 0:
            raise ValueError("work: want a positive number")
        self.claim()
        with nogil:
            advance(&self.search, work, self.counting)
        going_on = self.search.depth >= 0 and self.search.best < self.search.bound
        release(&self.busy)
        return going_on
