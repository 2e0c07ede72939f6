"""Is there a shattered set of k points?  An exact search that can be left and resumed.

The table's columns are the points.  A set S of s columns cuts the rows into 2^s cells, one for
each pattern; S can lie in a shattered set of k columns only if every cell has at least 2^(k-s)
rows.  The search enumerates sets that pass this test, one column at a time; see README.md.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from pac_stability._core.bitset cimport following, lowest, popcount
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
    const Kernels* choose_kernels "pac_choose_shatter_kernels"(int units) noexcept nogil

cdef enum:
    LEVELS = 32  # 2^k rows fit in memory only for k < LEVELS
    LANES = 4  # cells side by side in a block
    SLOTS = 4  # slots of a block are counted four at a time
    SPREAD = 256  # sizes of cells that differ by less are sorted by counting
    CLIQUE = 3  # largest clique looked for before a set is built

cdef enum Outcome:
    RUNNING
    FOUND
    NONE


cdef inline int count(const uint64_t* mask, int words) noexcept nogil:
    cdef int total = 0, w
    for w in range(words):
        total += popcount(mask[w])
    return total


cdef inline void sort(uint64_t* key, uint64_t* spare, long length) noexcept nogil:
    """Sort by the bits from LEVELS on: counted where they are close together, else by a Shell sort.

    Keys that agree there are given in increasing order, and stay in it.
    """
    cdef long gap = length // 2, at, back
    cdef uint64_t held, least = key[0], most = key[0]
    cdef uint32_t place[SPREAD]
    for at in range(1, length):
        least = min(least, key[at])
        most = max(most, key[at])
    least >>= LEVELS
    most = (most >> LEVELS) - least + 1
    if most < SPREAD:
        memset(place, 0, (most + 1) * sizeof(uint32_t))
        for at in range(length):
            place[(key[at] >> LEVELS) - least + 1] += 1
        for at in range(1, <long> most):
            place[at] += place[at - 1]
        memcpy(spare, key, length * sizeof(uint64_t))
        for at in range(length):
            held = (spare[at] >> LEVELS) - least
            key[place[held]] = spare[at]
            place[held] += 1
        return
    while gap > 0:
        for at in range(gap, length):
            held = key[at]
            back = at
            while back >= gap and key[back - gap] > held:
                key[back] = key[back - gap]
                back -= gap
            key[back] = held
        gap //= 2


@cython.final
cdef class ShatteringSearch:
    """Search for a shattered set of ``k >= 2`` columns of a table.

    Columns are tried in the order given: the best balanced first is best.  From level
    ``row_level >= 1`` on, that is for sets of at least so many columns, cells are kept as
    blocks of rows (best for dense tables), before it as lists of words (best for many rows
    and small k).  ``units`` is how many of the
    three sets of instructions may be used (baseline, AVX2, AVX-512).
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
        int units=3,
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
        if not 1 <= units <= 3:
            raise ValueError("units: want 1, 2 or 3")
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
        self.lay_out()
        needed = <size_t> self.free_space
        if needed > max_memory:
            raise MemoryError(f"the search needs {needed} bytes")
        self.arena = <char*> malloc(needed + 64)
        if self.arena == NULL:
            raise MemoryError(f"the search needs {needed} bytes")
        self.memory = needed
        self.free_space = self.arena + (64 - <size_t> self.arena % 64)
        self.lay_out()
        self.kernels = choose_kernels(units)
        with nogil:
            self.read(&table[0, 0])

    def __dealloc__(self):
        free(self.arena)

    @property
    def witness(self):
        """The shattered columns once found, in increasing order; otherwise ``None``."""
        if self.outcome != FOUND:
            return None
        return tuple(sorted([self.found[s] for s in range(self.k)]))

    def advance(self, double work):
        """Search on, for about ``work`` word operations; return whether more is to be done."""
        if not work > 0:
            raise ValueError("work: want a positive number")
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")
        with nogil:
            self.spent = 0
            self.allowed = work
            while self.outcome == RUNNING and self.spent < self.allowed:
                self.step()
        going_on = self.outcome == RUNNING
        release(&self.busy)
        return going_on

    @property
    def root(self):
        """The first column of the sets that are searched now; ``m`` once none are left."""
        if self.outcome != RUNNING:
            return self.m
        if self.level < 0:
            return max(self.first_root, self.boundary(self.start + 1))
        return self.boundary(self.start) + (self.chosen[0] if self.level else self.cursor[0])

    def search_roots(self, int first, int last):
        """Seek only sets whose first column is ``first .. last - 1``, which no call had before.

        Columns never go back from call to call: the rows are turned one way.
        """
        if not self.rotated <= first <= last <= self.m:
            raise ValueError("first or last out of range")
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")
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
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")
        self.last_root = min(self.last_root, last)
        if self.start >= 0:
            self.limit[0] = min(self.limit[0], self.last_root - self.boundary(self.start))
        release(&self.busy)

    cdef void* take(self, size_t length, size_t item) noexcept:
        """The next array of the arena (in a first pass, with no arena, only the room for it)."""
        cdef char* given = self.free_space
        self.free_space += (length * item + 63) // 64 * 64
        return given

    cdef void lay_out(self) noexcept:
        cdef size_t n = self.n, m = self.m, words = self.words, cells, blocks, length
        cdef int s, side
        self.base = <uint64_t*> self.take(2 * m * self.stride, sizeof(uint64_t))
        self.matrix = <uint64_t*> self.take(n * words, sizeof(uint64_t))
        for side in range(2):
            self.side_place[side] = <uint32_t*> self.take(self.stride, sizeof(uint32_t))
            self.side_word[side] = <uint64_t*> self.take(self.stride, sizeof(uint64_t))
        self.top = 1
        while n >> self.top:
            self.top += 1
        for s in range(self.k - 1):
            cells = <size_t> 1 << s
            self.candidates[s] = <uint64_t*> self.take(words, sizeof(uint64_t))
            self.known[s] = <uint64_t*> self.take(words, sizeof(uint64_t))
            self.neighbours[s] = <uint64_t*> self.take(m * words, sizeof(uint64_t))
            self.size[s] = <uint64_t*> self.take(max(cells, <size_t> LANES), sizeof(uint64_t))
            self.origin[s] = <uint64_t*> self.take(max(cells, <size_t> LANES), sizeof(uint64_t))
            if s < self.row_level:
                length = min(n, cells * self.stride)
                self.begin[s] = <long*> self.take(cells + 1, sizeof(long))
                self.place[s] = <uint32_t*> self.take(length, sizeof(uint32_t))
                self.word[s] = <uint64_t*> self.take(length, sizeof(uint64_t))
                continue
            blocks = (cells + LANES - 1) // LANES
            # A block has as many slots as its largest cell; blocks grow, so all but the last
            # together have at most n / LANES.  One slot of a block may be written in vain.
            length = n // LANES + n - (<size_t> 1 << (self.k - 1)) + (SLOTS + 1) * blocks
            self.slots[s] = <long*> self.take(blocks, sizeof(long))
            self.slices[s] = <int*> self.take(blocks, sizeof(int))
            self.block[s] = <uint64_t**> self.take(blocks, sizeof(uint64_t*))
            self.store[s] = <uint64_t*> self.take(length * words * LANES, sizeof(uint64_t))
            self.ones[s] = <uint64_t*> self.take(
                blocks * self.top * words * LANES, sizeof(uint64_t))
            self.zeros[s] = <uint64_t*> self.take(
                blocks * self.top * words * LANES, sizeof(uint64_t))

    cdef void read(self, const uint8_t* table) noexcept nogil:
        """Pack the table by columns, 64 rows at a time, and by rows."""
        cdef long r, t
        cdef int i
        cdef const uint8_t* row = table
        # The neighbours of level 0 have room for a word of each column, and are not yet used.
        cdef uint64_t* word = self.neighbours[0]
        memset(self.matrix, 0, self.n * self.words * sizeof(uint64_t))
        for r in range(self.n):
            for i in range(self.m):
                self.matrix[r * self.words + (i >> 6)] |= <uint64_t> (row[i] & 1) << (i & 63)
            row += self.m
        for t in range(self.stride):
            memset(word, 0, self.m * sizeof(uint64_t))
            for r in range(64 * t, min(64 * t + 64, self.n)):
                row = table + r * self.m
                for i in range(self.m):
                    word[i] |= <uint64_t> (row[i] & 1) << (r & 63)
            for i in range(self.m):
                self.base[i * self.stride + t] = word[i]
        for r in range(self.m * self.stride):
            self.base[self.m * self.stride + r] = self.base[r]

    cdef void rotate(self, int by) noexcept nogil:
        """Turn every row of the matrix so that column ``by`` becomes the first."""
        cdef int words = self.words, w
        cdef int whole = by >> 6, bits = by & 63
        cdef int far = (self.m - by) >> 6, near = (self.m - by) & 63
        cdef long _r
        cdef uint64_t low, high
        cdef uint64_t* row = self.matrix
        cdef uint64_t* turned = self.neighbours[0]  # of the rotation before, and needed no more
        for _r in range(self.n):
            # Columns from `by` on, then those before it, from bit `m - by` on.
            for w in range(words):
                low = row[w + whole] if w + whole < words else 0
                high = row[w + whole + 1] if w + whole + 1 < words else 0
                turned[w] = low >> bits | (high << (64 - bits) if bits else 0)
            for w in range((by + 63) // 64):
                low = row[w]
                if 64 * w + 64 > by:
                    low &= (<uint64_t> 1 << bits) - 1
                turned[w + far] |= low << near
                if near and w + far + 1 < words:
                    turned[w + far + 1] |= low >> (64 - near)
            memcpy(row, turned, words * sizeof(uint64_t))
            row += words

    cdef inline int boundary(self, int part) noexcept nogil:
        """The first column of a part, parts and columns counted on around the circle."""
        if part < self.parts:
            return <int> (<long> part * self.m // self.parts)
        return self.m + <int> (<long> (part - self.parts) * self.m // self.parts)

    cdef void turn(self) noexcept nogil:
        """Begin the next rotation of the columns.

        The columns lie on a circle in k - 1 parts.  By the cycle lemma every set of k columns has
        exactly one part to start from such that the first p parts hold at least p + 1 of them,
        for every p < k.  So in each rotation element t >= 2 is sought in the first t - 1 parts
        only, and no set is missed or met twice.
        """
        cdef int s, i, first
        cdef long t
        self.start += 1
        while self.start < self.parts and self.boundary(self.start + 1) <= self.first_root:
            self.start += 1
        first = self.boundary(self.start)
        if self.start == self.parts or first >= self.last_root:
            self.outcome = NONE
            return
        self.columns = self.base + first * self.stride
        for s in range(self.k - 1):
            self.limit[s] = self.boundary(self.start + max(1, s)) - first
        self.limit[0] = min(self.limit[0], self.last_root - first)
        if first > self.rotated:
            self.rotate(first - self.rotated)
        self.rotated = first
        self.begin[0][0] = 0
        self.begin[0][1] = self.stride
        self.size[0][0] = self.n
        for t in range(self.stride):
            self.place[0][t] = <uint32_t> t
            self.word[0][t] = ~<uint64_t> 0
        if self.n & 63:
            self.word[0][self.stride - 1] >>= 64 - (self.n & 63)
        for i in range(self.words):
            self.known[0][i] = 0
            self.candidates[0][i] = ~<uint64_t> 0
        if self.m & 63:
            self.candidates[0][self.words - 1] >>= 64 - (self.m & 63)
        self.filter_list(
            self.place[0], self.word[0], self.stride, self.n, self.k - 1, self.m, 0,
            self.candidates[0])
        self.level = 0
        self.cursor[0] = max(0, self.first_root - first)
        self.spent += <double> self.n * self.m / 16

    cdef void step(self) noexcept nogil:
        """Decide one branch: skip it, stop at it, or build it."""
        cdef int s = self.level, i, missing = self.k - s - 1, verdict
        cdef uint64_t* near
        if s < 0:
            self.turn()
            return
        i = following(self.candidates[s], self.words, self.cursor[s])
        if i < 0 or i >= self.limit[s]:
            self.level -= 1
            return
        near = self.adjacent(s, i, missing)
        if count(near, self.words) < missing:
            self.cursor[s] = i + 1
            return
        if missing == 1:
            self.chosen[s] = i
            self.chosen[s + 1] = following(near, self.words, 0)
            for s in range(self.k):
                self.found[s] = (self.chosen[s] + self.boundary(self.start)) % self.m
            self.outcome = FOUND
            return
        if missing <= CLIQUE:
            verdict = self.clique(s, near, missing)
            if verdict < 0:
                return  # out of work; what was computed is kept, and the branch is retried
            if not verdict:
                self.cursor[s] = i + 1
                return
        self.chosen[s] = i
        self.cursor[s] = i + 1
        self.descend(s, i)

    cdef int clique(self, int s, const uint64_t* near, int missing) noexcept nogil:
        """Whether ``near`` has ``missing`` columns that pairwise pass with S; -1: out of work.

        A necessary condition for extending S and the column of ``near``, and a cheap one.
        """
        cdef int i, j, w
        cdef const uint64_t* second
        cdef const uint64_t* third
        i = following(near, self.words, 0)
        while i >= 0:
            if self.spent >= self.allowed:
                return -1
            second = self.adjacent(s, i, missing - 1)
            j = following(near, self.words, i + 1)
            while j >= 0:
                if second[j >> 6] >> (j & 63) & 1:
                    if missing == 2:
                        return 1
                    if self.spent >= self.allowed:
                        return -1
                    third = self.adjacent(s, j, 1)
                    for w in range(self.words):
                        if near[w] & second[w] & third[w]:
                            return 1
                j = following(near, self.words, j + 1)
            i = following(near, self.words, i + 1)
        return 0

    cdef uint64_t* adjacent(self, int s, int i, int least) noexcept nogil:
        """Later columns j for which S + i + j passes; a superset when fewer than ``least``.

        Which is what whoever asks first can use: fewer do not extend S + i, or not the clique.
        """
        cdef uint64_t* mask = self.neighbours[s] + <long> i * self.words
        cdef const uint64_t* earlier
        cdef int w
        if self.known[s][i >> 6] >> (i & 63) & 1:
            return mask
        for w in range(self.words):
            mask[w] = self.candidates[s][w] if w >= i >> 6 else 0
        mask[i >> 6] &= ~<uint64_t> 1 << (i & 63)
        if s > 0 and self.known[s - 1][i >> 6] >> (i & 63) & 1:
            earlier = self.neighbours[s - 1] + <long> i * self.words
            for w in range(self.words):
                mask[w] &= earlier[w]
        self.nodes += 1
        self.spent += 64
        if s < self.row_level:
            self.filter_lists(s, i, least, mask)
        else:
            self.filter_blocks(s, i, least, mask)
        self.known[s][i >> 6] |= <uint64_t> 1 << (i & 63)
        return mask

    cdef void filter_blocks(self, int s, int i, int least, uint64_t* mask) noexcept nogil:
        cdef int need = self.k - s - 2
        cdef long cells = <long> 1 << s, q, step, work = 0
        if count(mask, self.words) < least:
            return
        for q in range((cells + LANES - 1) // LANES):
            if q == self.ready[s]:
                self.build(s, q)
            step = q * self.top * self.words * LANES
            work += self.slots[s][q] + 2 * self.slices[s][q]
            if self.kernels.filter_block(
                self.block[s][q], self.ones[s] + step, self.zeros[s] + step, self.slots[s][q],
                self.words, self.slices[s][q], i, need, mask,
            ) < least:
                break
        self.spent += 2 * self.words * work

    cdef void filter_lists(self, int s, int i, int least, uint64_t* mask) noexcept nogil:
        cdef int need = self.k - s - 2
        cdef int left = count(mask, self.words), side
        cdef long c
        cdef long length[2]
        cdef uint64_t size[2]
        for c in range(<long> 1 << s):
            if left < least:
                return
            self.split(s, c, i, self.side_place, self.side_word, length, size)
            for side in range(2):
                if left >= least:
                    left = self.filter_list(
                        self.side_place[side], self.side_word[side], length[side], size[side],
                        need, left, least, mask)

    cdef int filter_list(
        self, const uint32_t* place, const uint64_t* word, long length, uint64_t size,
        int need, int left, int least, uint64_t* mask,
    ) noexcept nogil:
        """Keep the columns that split a cell into sides of ``2^need``; return how many."""
        cdef double by_row = <double> size * self.words * (6 + 3 * need)
        cdef double by_column = <double> left * length * 2
        self.spent += min(by_row, by_column) + length
        if by_row < by_column:
            return self.kernels.filter_by_row(
                place, word, length, self.matrix, self.words, need, left, least, mask)
        return self.kernels.filter_by_column(
            place, word, length, self.columns, self.stride, self.words, need, left, least, mask)

    cdef void split(
        self, int s, long c, int i, uint32_t** place, uint64_t** word, long* length,
        uint64_t* size,
    ) noexcept nogil:
        """Write the two sides of a list cell; drop words with no rows."""
        cdef const uint64_t* column = self.columns + i * self.stride
        cdef uint64_t part
        cdef long t
        cdef int side
        for side in range(2):
            length[side] = 0
            size[side] = 0
        for t in range(self.begin[s][c], self.begin[s][c + 1]):
            for side in range(2):
                part = self.word[s][t] & (column[self.place[s][t]] ^ (<uint64_t> side - 1))
                if part:
                    place[side][length[side]] = self.place[s][t]
                    word[side][length[side]] = part
                    length[side] += 1
                    size[side] += popcount(part)

    cdef void count_ones(self, int s, int i, uint64_t* ones) noexcept nogil:
        """Write the rows of each cell with label 1 in column i; blocks must have been built."""
        cdef const uint64_t* column = self.columns + i * self.stride
        cdef long c, t, q
        if s >= self.row_level:
            for q in range(((<long> 1 << s) + LANES - 1) // LANES):
                self.kernels.ones(
                    self.ones[s] + q * self.top * self.words * LANES, self.words,
                    self.slices[s][q], i, ones + LANES * q)
            return
        for c in range(<long> 1 << s):
            ones[c] = 0
            for t in range(self.begin[s][c], self.begin[s][c + 1]):
                ones[c] += popcount(self.word[s][t] & column[self.place[s][t]])

    cdef void descend(self, int s, int i) noexcept nogil:
        """Enter S + i, whose neighbours are known, so that all blocks of S have been built."""
        cdef long cells = <long> 1 << s, c
        cdef uint64_t* key = self.origin[s + 1]
        cdef uint64_t* size = self.size[s + 1]  # ones of the cells, scratch, then sizes
        cdef int w
        self.count_ones(s, i, size)
        for c in range(cells):
            key[2 * c] = (self.size[s][c] - size[c]) << LEVELS | 2 * c
            key[2 * c + 1] = size[c] << LEVELS | (2 * c + 1)
        sort(key, size, 2 * cells)
        for c in range(2 * cells):
            size[c] = key[c] >> LEVELS
            key[c] &= (<uint64_t> 1 << LEVELS) - 1
        if s + 1 < self.row_level:
            self.build_lists(s + 1, i)
        else:
            self.plan_blocks(s + 1)
        for w in range(self.words):
            self.known[s + 1][w] = 0
            self.candidates[s + 1][w] = self.neighbours[s][<long> i * self.words + w]
        self.cursor[s + 1] = i + 1
        self.level = s + 1
        self.spent += 8 * cells

    cdef void build_lists(self, int s, int i) noexcept nogil:
        """Write the cells of level s as lists, in order of size."""
        cdef const uint64_t* column = self.columns + i * self.stride
        cdef uint64_t part, flip
        cdef long c, t, source, at = 0
        for c in range(<long> 1 << s):
            source = self.origin[s][c] >> 1
            flip = (self.origin[s][c] & 1) - 1
            self.begin[s][c] = at
            for t in range(self.begin[s - 1][source], self.begin[s - 1][source + 1]):
                part = self.word[s - 1][t] & (column[self.place[s - 1][t]] ^ flip)
                if part:
                    self.place[s][at] = self.place[s - 1][t]
                    self.word[s][at] = part
                    at += 1
        self.begin[s][<long> 1 << s] = at
        self.spent += at

    cdef void plan_blocks(self, int s) noexcept nogil:
        """Reserve the blocks of level s; a test that reaches one builds it."""
        cdef long cells = <long> 1 << s, q
        cdef uint64_t largest
        cdef uint64_t* free_rows = self.store[s]
        for q in range((cells + LANES - 1) // LANES):
            largest = self.size[s][min(cells, LANES * (q + 1)) - 1]
            self.slots[s][q] = <long> (largest // SLOTS + 1) * SLOTS
            self.slices[s][q] = 2
            while largest >> self.slices[s][q]:
                self.slices[s][q] += 1
            self.block[s][q] = free_rows
            free_rows += self.slots[s][q] * self.words * LANES
        self.ready[s] = 0

    cdef void build(self, int s, long q) noexcept nogil:
        """Fill block q of level s: four cells side by side, each a part of a cell before."""
        cdef long cells = <long> 1 << s, slots = self.slots[s][q], c
        cdef uint64_t size[LANES]
        cdef uint64_t* rows
        cdef int lane
        for lane in range(LANES):
            c = (LANES * q + lane) & (cells - 1)  # two cells only fill a block by coming twice
            size[lane] = self.size[s][c]
            rows = self.block[s][q] + lane
            if s == self.row_level:
                self.gather(s, c, rows, slots)
            else:
                self.extract(s, c, rows, slots)
        c = q * self.top * self.words * LANES
        self.kernels.count_block(
            self.block[s][q], size, slots, self.words, self.slices[s][q], self.ones[s] + c,
            self.zeros[s] + c)
        self.ready[s] = q + 1
        self.spent += 8 * slots * self.words

    cdef void gather(self, int s, long c, uint64_t* rows, long slots) noexcept nogil:
        """Copy a cell from a list of the level before."""
        cdef const uint64_t* column = self.columns + self.chosen[s - 1] * self.stride
        cdef long source = self.origin[s][c] >> 1, y = 0, t, r
        cdef uint64_t flip = (self.origin[s][c] & 1) - 1, open
        cdef int w
        for t in range(self.begin[s - 1][source], self.begin[s - 1][source + 1]):
            open = self.word[s - 1][t] & (column[self.place[s - 1][t]] ^ flip)
            while open:
                r = 64 * <long> self.place[s - 1][t] + lowest(open)
                for w in range(self.words):
                    rows[(w * slots + y) * LANES] = self.matrix[r * self.words + w]
                y += 1
                open &= open - 1
        for w in range(self.words):
            for t in range(y, slots):
                rows[(w * slots + t) * LANES] = 0

    cdef void extract(self, int s, long c, uint64_t* rows, long slots) noexcept nogil:
        """Copy a cell from a block of the level before, without a branch on the labels."""
        cdef long source = self.origin[s][c] >> 1
        self.kernels.extract(
            self.block[s - 1][source // LANES] + source % LANES, self.slots[s - 1][source // LANES],
            <long> self.size[s - 1][source], self.words, self.chosen[s - 1],
            ~self.origin[s][c] & 1, slots, rows)
