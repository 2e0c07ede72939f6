"""An upper bound on the longest half graph in a 0/1 table, from where its pairs can stand.

The i-th pair (h, x) of a half graph of k pairs has i - 1 pairs before it, in rows with 1 in column
x and columns with 0 in row h, and k - i after it, in rows with 0 and columns with 1.  A pair whose
two sides are too small for every place i is none of the half graph; lines without a pair go, and
so on, until nothing goes or a place is left without a pair, when there is no such half graph.
See README.md.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from half_graph_lines cimport (
    Kernels, Table, all_lines, bound_state, choose_kernels, merge_state, read_table,
    scratch_words,
)
from pac_stability._core.bitset cimport following
from pac_stability._core.entry cimport acquire, release, zero_one


@cython.final
cdef class HalfGraphCeiling:
    """Lower ``bound``, at first ``upper``, to the least length that this argument cannot refute.

    Lengths up to ``floor`` are not asked about. ``portable`` keeps to the baseline instructions.
    """

    cdef readonly int bound  # at least the longest
    cdef readonly int floor  # lengths up to this one cannot be refuted, or are not of interest
    cdef readonly long long nodes  # pairs whose sides were looked at
    cdef readonly size_t memory  # bytes held
    cdef const Kernels* kernels
    cdef int n, m, row_words, column_words, state_words
    cdef int asked  # the length in question, or 0
    cdef int row, column  # the pair to be looked at next
    cdef int rows_count  # rows of the state
    cdef double spent
    cdef int busy
    cdef char* arena
    cdef uint64_t* rows
    cdef uint64_t* columns
    # Sets of rows and columns: all of them; those left of the length in question; those of them
    # with a pair that can stand somewhere; and the two sides of a pair.
    cdef uint64_t* whole
    cdef uint64_t* state
    cdef uint64_t* viable
    cdef uint64_t* side
    cdef int* after  # for each number of pairs before a pair: the most that can stand after one
    cdef uint32_t* scratch
    cdef Table table

    def __cinit__(
        self, const uint8_t[:, ::1] table not None, *, int floor, int upper,
        size_t max_memory=<size_t> -1, bint portable=False,
    ):
        cdef size_t needed
        if table.shape[0] >= <Py_ssize_t> 1 << 30 or table.shape[1] >= <Py_ssize_t> 1 << 30:
            raise ValueError("table: want fewer than 2**30 rows and columns")
        self.n = <int> table.shape[0]
        self.m = <int> table.shape[1]
        if self.n and self.m and not zero_one(&table[0, 0], self.n * <size_t> self.m):
            raise ValueError("table: an entry that is not 0 or 1")
        if not 0 <= floor <= upper <= min(self.n, self.m):
            raise ValueError("floor or upper out of range")
        self.floor = floor
        self.bound = upper
        self.row_words = (self.m + 63) // 64
        self.column_words = (self.n + 63) // 64
        self.state_words = self.row_words + self.column_words
        needed = (
            (<size_t> self.n * self.row_words + <size_t> self.m * self.column_words
             + 4 * <size_t> self.state_words) * sizeof(uint64_t)
            + (<size_t> upper + 1) * sizeof(int)
            + scratch_words(max(self.n, self.m)) * sizeof(uint32_t)
        )
        if needed > max_memory:
            raise MemoryError(f"the bound needs {needed} bytes")
        self.arena = <char*> calloc(needed, 1)
        if self.arena == NULL:
            raise MemoryError(f"the bound needs {needed} bytes")
        self.memory = needed
        self.rows = <uint64_t*> self.arena
        self.columns = self.rows + <size_t> self.n * self.row_words
        self.whole = self.columns + <size_t> self.m * self.column_words
        self.state = self.whole + self.state_words
        self.viable = self.state + self.state_words
        self.side = self.viable + self.state_words
        self.scratch = <uint32_t*> (self.side + self.state_words)
        self.after = <int*> (self.scratch + scratch_words(max(self.n, self.m)))
        self.kernels = choose_kernels(portable)
        self.table = Table(
            self.kernels, self.rows, self.columns, self.row_words, self.column_words,
            max(self.n, self.m), self.scratch)
        if self.n and self.m:
            with nogil:
                read_table(&table[0, 0], self.n, self.m, self.rows, self.columns)
        all_lines(self.whole, self.n, self.m)

    def __dealloc__(self):
        free(self.arena)

    def advance(self, double work):
        """Go on, for about ``work`` word operations; return whether more is to be done."""
        if not work > 0:
            raise ValueError("work: want a positive number")
        if not acquire(&self.busy):
            raise RuntimeError("the bound is already worked on in another thread")
        with nogil:
            self.spent = 0
            while self.floor < self.bound and self.spent < work:
                self.step()
        going_on = self.floor < self.bound
        release(&self.busy)
        return going_on

    cdef void step(self) noexcept nogil:
        """Look at one pair, or settle what a round over all pairs has shown."""
        cdef uint64_t* state_columns = self.state + self.column_words
        cdef int w
        self.spent += 4
        if self.asked == 0:
            # Whatever refutes a length refutes all that are larger: halve what is open.
            self.asked = (self.floor + self.bound + 2) // 2
            memcpy(self.state, self.whole, self.state_words * sizeof(uint64_t))
            if self.upper_of(self.state, self.asked) < self.asked:
                self.settle(False)
            else:
                self.begin_round()
            return
        if self.row < 0:
            self.end_round()
            return
        # The next 1 of this row, or of a later row.
        while True:
            for w in range(self.row_words):
                self.side[w] = state_columns[w] & self.row_bits(self.row)[w]
            self.column = following(self.side, self.row_words, self.column)
            self.spent += self.row_words
            if self.column >= 0:
                break
            self.row = following(self.state, self.column_words, self.row + 1)
            self.column = 0
            if self.row < 0:
                return
        self.look(self.row, self.column)
        self.column += 1

    cdef void begin_round(self) noexcept nogil:
        cdef int i
        memset(self.viable, 0, self.state_words * sizeof(uint64_t))
        for i in range(self.asked):
            self.after[i] = -1
        self.rows_count = self.kernels.count(self.state, self.column_words)
        self.row = following(self.state, self.column_words, 0)
        self.column = 0

    cdef void end_round(self) noexcept nogil:
        """Refuted, if a place has no pair; not to be refuted, if no line has gone."""
        cdef int i, most = -1
        # The pairs that can have i before them can have fewer.
        for i in range(self.asked - 1, -1, -1):
            most = max(most, self.after[i])
            if i + 1 + most < self.asked:
                self.settle(False)
                return
        if memcmp(self.state, self.viable, self.state_words * sizeof(uint64_t)) == 0:
            self.settle(True)
            return
        memcpy(self.state, self.viable, self.state_words * sizeof(uint64_t))
        if self.upper_of(self.state, self.asked) < self.asked:
            self.settle(False)
        else:
            self.begin_round()

    cdef void settle(self, bint stands) noexcept nogil:
        if stands:
            self.floor = self.asked
        else:
            self.bound = self.asked - 1
        self.asked = 0

    cdef void look(self, int h, int x) noexcept nogil:
        """See how many pairs can stand before (h, x) and after it."""
        cdef uint64_t* rows = self.side
        cdef uint64_t* columns = self.side + self.column_words
        cdef const uint64_t* state_columns = self.state + self.column_words
        cdef int w, before, after, ones_of_row, ones_of_column, zeros_of_row, zeros_of_column
        self.nodes += 1
        for w in range(self.row_words):
            columns[w] = state_columns[w] & self.row_bits(h)[w]
        for w in range(self.column_words):
            rows[w] = self.state[w] & ~self.column_bits(x)[w]
        ones_of_row = self.kernels.count(columns, self.row_words)
        zeros_of_row = self.kernels.count(state_columns, self.row_words) - ones_of_row
        zeros_of_column = self.kernels.count(rows, self.column_words)
        ones_of_column = self.rows_count - zeros_of_column
        self.spent += 2 * self.state_words
        before = min(zeros_of_row, ones_of_column - 1)
        after = min(zeros_of_column, ones_of_row - 1)
        if before + 1 + after < self.asked:
            return
        columns[x >> 6] &= ~(<uint64_t> 1 << (x & 63))
        after = min(after, self.upper_of(self.side, self.asked - 1 - before))
        if before + 1 + after < self.asked:
            return
        for w in range(self.row_words):
            columns[w] = state_columns[w] & ~self.row_bits(h)[w]
        for w in range(self.column_words):
            rows[w] = self.state[w] & self.column_bits(x)[w]
        rows[h >> 6] &= ~(<uint64_t> 1 << (h & 63))
        before = min(before, self.upper_of(self.side, self.asked - 1 - after))
        if before + 1 + after < self.asked:
            return
        self.viable[h >> 6] |= <uint64_t> 1 << (h & 63)
        self.viable[self.column_words + (x >> 6)] |= <uint64_t> 1 << (x & 63)
        before = min(before, self.asked - 1)
        self.after[before] = max(self.after[before], after)

    cdef int upper_of(self, uint64_t* state, int need) noexcept nogil:
        """Bound the longest half graph of a state by degrees, below ``need`` not sharply.

        Empty lines, and all but the first of equal ones, go.
        """
        cdef int bound = bound_state(&self.table, state, need, &self.spent)
        if bound < need or not merge_state(&self.table, state, &self.spent):
            return bound
        return min(bound, bound_state(&self.table, state, need, &self.spent))

    cdef inline uint64_t* row_bits(self, int h) noexcept nogil:
        return self.rows + <size_t> h * self.row_words

    cdef inline uint64_t* column_bits(self, int x) noexcept nogil:
        return self.columns + <size_t> x * self.column_words
