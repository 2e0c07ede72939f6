"""The longest half graph in a 0/1 table: an exact branch and bound that can be left and resumed.

A half graph of size k is a sequence of pairs (row h_i, column x_i) with h_i(x_j) = 1 exactly for
i <= j.  It is grown from its first pair: once (h, x) is chosen, later rows have 0 in column x and
later columns have 1 in row h, so what is left is a smaller table.  See README.md.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from half_graph_lines cimport (
    Kernels, Pair, Pairs, Pool, Table, all_lines, before, begin_pairs, bound_pair, bound_state,
    choose_kernels, columns_of, columns_to_try, memo_bound, memo_keep, memo_soon,
    merge_state, pairs_of_row, pairs_room, place_pairs, pool_after, pool_drop, pool_end,
    pool_move, pool_offer, read_table, rows_to_try, scratch_words, write_next,
)
from pac_stability._core.bitset cimport following
from pac_stability._core.entry cimport acquire, release, zero_one


cdef enum:
    TRIALS = 256  # states in which equal lines are looked for before it is asked whether that pays
    SELDOM = 64  # then one state of so many is looked at, where hardly any had equal lines
    POOL = 1024  # first pairs of all states on the way that may wait
    LINE = 64  # bytes of a line of the cache


@cython.final
cdef class HalfGraphSearch:
    """Search for a half graph longer than ``lower``; ``upper`` must bound every length.

    Besides its own arrays the search keeps a memo of bounds of at most ``memo`` bytes.
    ``portable`` keeps to the baseline instructions.  A search ``beside`` another, which has
    settled, shares its memo, and goes so far ``ahead`` of it: at each state it leaves so many of
    the first pairs, or rows, to others, takes the next, and then turns to those.
    """

    cdef const Kernels* kernels
    cdef readonly int bound  # at least the longest
    cdef readonly int best  # the longest known: ``lower`` or what was found since
    cdef readonly long long nodes  # states entered
    cdef readonly size_t memory  # bytes held
    cdef int n, m, upper, depth, row_words, column_words, state_words
    cdef int found  # pairs of the witness, 0 if there is none
    cdef double spent
    cdef int busy
    cdef char* arena
    cdef uint64_t* rows  # row_words words a row
    cdef uint64_t* columns  # column_words words a column
    # A state: rows left, columns left.  One for each depth, as are the next five.
    cdef uint64_t* state
    cdef uint64_t* untried  # rows not yet tried as the next h, columns not yet tried with it
    cdef long long* entered  # how many nodes there were before
    cdef int* row  # the h being tried, or -1
    cdef int* column
    cdef int* witness  # rows, then columns, of the best half graph found
    cdef uint32_t* scratch
    cdef Table table
    cdef Pairs pairs  # of the state being listed
    cdef long long looked, merged  # states searched for equal lines, and those that had some
    cdef uint64_t* met  # the state entered, before equal lines were merged
    cdef Pool pool  # first pairs not yet entered, those of the deepest state last
    cdef int waiting  # how many there are
    cdef int* first_waiting  # one for each depth: where its pairs begin, -1 if not listed
    cdef Pair* edge  # the last of the pairs that were listed, where others were left out
    cdef long long listings, overflows
    cdef bint settled, listing, merging  # whether that is decided for good, and how
    cdef int ahead  # how many first pairs, or rows, are left to others before one is taken
    cdef int* taken  # one for each depth: pairs or rows that were taken
    cdef readonly object beside  # whose memo it is
    # Memo, one slot for each hash value: the state, then 1 + a bound on its longest half graph.
    cdef uint64_t* memo
    cdef uint64_t memo_mask

    def __cinit__(
        self, const uint8_t[:, ::1] table not None, *, int lower, int upper, size_t memo,
        size_t max_memory=<size_t> -1, bint portable=False, HalfGraphSearch beside=None,
        int ahead=1,
    ):
        cdef size_t needed, slot
        cdef uint64_t slots = 1
        cdef uint64_t* room
        if table.shape[0] >= <Py_ssize_t> 1 << 30 or table.shape[1] >= <Py_ssize_t> 1 << 30:
            raise ValueError("table: want fewer than 2**30 rows and columns")
        self.n = <int> table.shape[0]
        self.m = <int> table.shape[1]
        if self.n and self.m and not zero_one(&table[0, 0], self.n * <size_t> self.m):
            raise ValueError("table: an entry that is not 0 or 1")
        self.best = lower
        self.upper = upper
        self.depth = -1
        if not 0 <= lower <= upper <= min(self.n, self.m):
            raise ValueError("lower or upper out of range")
        self.row_words = (self.m + 63) // 64
        self.column_words = (self.n + 63) // 64
        self.state_words = self.row_words + self.column_words
        slot = 2 * (self.state_words + 1) * sizeof(uint64_t)
        needed = (
            (<size_t> self.n * self.row_words + <size_t> self.m * self.column_words
             + (3 * (<size_t> upper + 1) + POOL + 1) * self.state_words
             + pairs_room(self.n, self.m)) * sizeof(uint64_t)
            + (<size_t> upper + 1) * sizeof(long long)
            + (6 * (<size_t> upper + 1)) * sizeof(int)
            + (2 * (<size_t> upper + 1) + POOL) * sizeof(Pair)
            + scratch_words(max(self.n, self.m)) * sizeof(uint32_t)
        )
        if needed + slot + LINE > max_memory:
            raise MemoryError(f"the search needs {needed + slot + LINE} bytes")
        memo = min(memo, max_memory - needed - LINE)
        while slots <= memo // slot // 2:
            slots *= 2
        needed += slots * slot + LINE
        self.arena = <char*> calloc(needed, 1)
        if self.arena == NULL:
            raise MemoryError(f"the search needs {needed} bytes")
        self.memory = needed
        # The memo stands first, on lines of the cache.
        self.memo = <uint64_t*> (self.arena + (LINE - <size_t> self.arena % LINE))
        self.memo_mask = slots - 1
        self.rows = self.memo + 2 * slots * (self.state_words + 1)
        self.columns = self.rows + <size_t> self.n * self.row_words
        self.state = self.columns + <size_t> self.m * self.column_words
        self.untried = self.state + (<size_t> upper + 1) * self.state_words
        self.met = self.untried + (<size_t> upper + 1) * self.state_words
        self.pool.state = self.met + self.state_words
        self.pool.words = self.state_words
        room = self.pool.state + (POOL + <size_t> upper + 1) * self.state_words
        self.entered = <long long*> (room + pairs_room(self.n, self.m))
        self.scratch = <uint32_t*> (self.entered + upper + 1)
        self.row = <int*> (self.scratch + scratch_words(max(self.n, self.m)))
        self.column = self.row + upper + 1
        self.witness = self.column + upper + 1
        self.first_waiting = self.witness + 2 * (upper + 1)
        self.taken = self.first_waiting + upper + 1
        self.pool.pair = <Pair*> (self.taken + upper + 1)
        self.edge = self.pool.pair + POOL + upper + 1
        self.kernels = choose_kernels(portable)
        self.table = Table(
            self.kernels, self.rows, self.columns, self.row_words, self.column_words,
            max(self.n, self.m), self.scratch)
        place_pairs(&self.pairs, &self.table, self.n, self.m, room)
        if self.n and self.m:
            with nogil:
                read_table(&table[0, 0], self.n, self.m, self.rows, self.columns)
        all_lines(self.state, self.n, self.m)
        if beside is not None:
            self.join(beside, ahead)
        self.bound = bound_state(&self.table, self.state, lower + 1, &self.spent)
        self.bound = max(lower, min(upper, self.bound))
        enter(self, 0, False)

    def __dealloc__(self):
        free(self.arena)

    @property
    def witness_pairs(self):
        """Rows and columns of a half graph of size ``best``; ``None`` if none beat ``lower``."""
        if not self.found:
            return None
        return (
            tuple([self.witness[i] for i in range(self.found)]),
            tuple([self.witness[self.upper + 1 + i] for i in range(self.found)]),
        )

    cdef void join(self, HalfGraphSearch beside, int ahead) except *:
        """Share what is known of states, and what is done at each."""
        if not beside.settled or (beside.n, beside.m) != (self.n, self.m) or memcmp(
            beside.rows, self.rows, <size_t> self.n * self.row_words * sizeof(uint64_t)
        ):
            raise ValueError("beside: want a search of the same table that has settled")
        if not 0 < ahead < 1 << 16:
            raise ValueError("ahead: want 1 to 65535")
        self.beside = beside
        self.memo = beside.memo
        self.memo_mask = beside.memo_mask
        self.settled = True
        self.ahead = ahead
        self.listing, self.merging = beside.listing, beside.merging

    def settle(self):
        """Decide for good whether pairs are listed, and equal lines looked for.

        From then on the order of the search depends on the table alone, so that the first longest
        half graph does, whatever is pruned.
        """
        self.claim()
        self.listing = 4 * self.overflows <= self.listings
        self.merging = 16 * self.merged >= self.looked
        self.settled = True
        release(&self.busy)

    def raise_to(self, int best):
        """Look for nothing that is no longer than ``best``, which is at most the bound."""
        if not 0 <= best <= self.bound:
            raise ValueError("best: want at most the bound")
        self.claim()
        self.best = max(self.best, best)
        release(&self.busy)

    def ask(self, int lower):
        """Look anew for a half graph longer than ``lower``; what is known of states stays known."""
        if not 0 <= lower <= self.bound:
            raise ValueError("lower: want at most the bound")
        self.claim()
        self.best = lower
        self.found = 0
        self.waiting = 0
        self.depth = -1
        with nogil:  # the whole state is there still, less lines that are empty or repeated
            enter(self, 0, False)
        release(&self.busy)

    cdef void claim(self) except *:
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")

    def cap(self, int bound):
        """Take over that no half graph is longer than ``bound``, which is at least ``best``."""
        if bound < self.best:
            raise ValueError("bound: want at least the best")
        self.claim()
        self.bound = min(self.bound, bound)
        release(&self.busy)

    def advance(self, double work):
        """Search on, for about ``work`` word operations; return whether more is to be done."""
        if not work > 0:
            raise ValueError("work: want a positive number")
        self.claim()
        with nogil:
            self.spent = 0
            while self.unfinished() and self.spent < work:
                step(self)
        going_on = self.unfinished()
        release(&self.busy)
        return going_on

    cdef inline bint unfinished(self) noexcept nogil:
        return self.depth >= 0 and self.best < self.bound


include "half_graph_states.pxi"
include "half_graph_listing.pxi"
include "half_graph_search.pxi"
