"""The longest half graph in a 0/1 table: an exact branch and bound that can be left and resumed.

A half graph of size k is a sequence of pairs (row h_i, column x_i) with h_i(x_j) = 1 exactly for
i <= j.  It is grown from its first pair: once (h, x) is chosen, later rows have 0 in column x and
later columns have 1 in row h, so what is left is a smaller table.  See README.md.
"""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from pac_stability._core.bitset cimport lowest, popcount
from pac_stability._core.entry cimport acquire, release, zero_one


cdef inline int overlap(const uint64_t* one, const uint64_t* other, int words) noexcept nogil:
    cdef int total = 0, w
    for w in range(words):
        total += popcount(one[w] & other[w])
    return total


cdef inline int following(const uint64_t* mask, int words, int start) noexcept nogil:
    """The first set bit at or after ``start``, or -1."""
    cdef int w = start >> 6
    cdef uint64_t word
    if w >= words:
        return -1
    word = mask[w] >> (start & 63) << (start & 63)
    while word == 0:
        w += 1
        if w == words:
            return -1
        word = mask[w]
    return 64 * w + lowest(word)


@cython.final
cdef class HalfGraphSearch:
    """Search for a half graph longer than ``lower``; ``upper`` must bound every length.

    Besides its own arrays the search keeps a memo of bounds of at most ``memo`` bytes.
    """

    cdef readonly int bound  # at least the longest
    cdef readonly int best  # the longest known: ``lower`` or what was found since
    cdef readonly long long nodes  # states entered
    cdef readonly size_t memory  # bytes held
    cdef int n, m, upper, depth, row_words, column_words, state_words
    cdef bint found
    cdef double spent
    cdef int busy
    cdef char* arena
    cdef uint64_t* rows  # row_words words a row
    cdef uint64_t* columns  # column_words words a column
    # A state: rows left, columns left.  One for each depth, as are the next four.
    cdef uint64_t* state
    cdef uint64_t* untried  # rows not yet tried as the next h, columns not yet tried with it
    cdef int* row  # the h being tried, or -1
    cdef int* column
    cdef int* witness  # rows, then columns, of the best half graph found
    cdef uint32_t* ladder  # scratch: how many rows (or columns) have so many ones
    # Memo, one slot for each hash value: the state, then 1 + a bound on its longest half graph.
    cdef uint64_t* memo
    cdef uint64_t memo_mask

    def __cinit__(
        self, const uint8_t[:, ::1] table not None, *, int lower, int upper, size_t memo,
        size_t max_memory=<size_t> -1,
    ):
        cdef size_t needed, slot
        cdef uint64_t slots = 1
        cdef int r, c
        cdef char* at
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
        slot = (self.state_words + 1) * sizeof(uint64_t)
        needed = (
            (<size_t> self.n * self.row_words + <size_t> self.m * self.column_words
             + 2 * (<size_t> upper + 1) * self.state_words) * sizeof(uint64_t)
            + 4 * (<size_t> upper + 1) * sizeof(int)
            + (<size_t> max(self.n, self.m) + 1) * sizeof(uint32_t)
        )
        if needed + slot > max_memory:
            raise MemoryError(f"the search needs {needed + slot} bytes")
        memo = min(memo, max_memory - needed)
        while slots <= memo // slot // 2:
            slots *= 2
        needed += slots * slot
        self.arena = <char*> calloc(needed, 1)
        if self.arena == NULL:
            raise MemoryError(f"the search needs {needed} bytes")
        self.memory = needed
        at = self.arena
        self.rows = <uint64_t*> at
        self.columns = self.rows + <size_t> self.n * self.row_words
        self.state = self.columns + <size_t> self.m * self.column_words
        self.untried = self.state + (<size_t> upper + 1) * self.state_words
        self.memo = self.untried + (<size_t> upper + 1) * self.state_words
        self.memo_mask = slots - 1
        self.row = <int*> (self.memo + slots * (self.state_words + 1))
        self.column = self.row + upper + 1
        self.witness = self.column + upper + 1
        self.ladder = <uint32_t*> (self.witness + 2 * (upper + 1))
        if self.n and self.m:
            with nogil:
                self.read(&table[0, 0])
        for r in range(self.n):
            self.state[r >> 6] |= <uint64_t> 1 << (r & 63)
        for c in range(self.m):
            self.state[self.column_words + (c >> 6)] |= <uint64_t> 1 << (c & 63)
        self.bound = max(lower, min(upper, self.degree_bound(0)))
        self.enter(0)

    def __dealloc__(self):
        free(self.arena)

    cdef void read(self, const uint8_t* table) noexcept nogil:
        """Pack the table by rows, and by columns, 64 rows at a time."""
        cdef int r, c, w
        cdef const uint8_t* row = table
        cdef uint64_t* bits
        for r in range(self.n):
            bits = self.row_bits(r)
            for c in range(self.m):
                bits[c >> 6] |= <uint64_t> (row[c] & 1) << (c & 63)
            row += self.m
        for w in range(self.column_words):
            for r in range(64 * w, min(64 * w + 64, self.n)):
                row = table + <size_t> r * self.m
                for c in range(self.m):
                    self.column_bits(c)[w] |= <uint64_t> (row[c] & 1) << (r & 63)

    @property
    def witness_pairs(self):
        """Rows and columns of a half graph of size ``best``; ``None`` if none beat ``lower``."""
        if not self.found:
            return None
        return (
            tuple([self.witness[i] for i in range(self.best)]),
            tuple([self.witness[self.upper + 1 + i] for i in range(self.best)]),
        )

    def advance(self, double work):
        """Search on, for about ``work`` word operations; return whether more is to be done."""
        if not work > 0:
            raise ValueError("work: want a positive number")
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")
        with nogil:
            self.spent = 0
            while self.unfinished() and self.spent < work:
                self.step()
        going_on = self.unfinished()
        release(&self.busy)
        return going_on

    cdef inline bint unfinished(self) noexcept nogil:
        return self.depth >= 0 and self.best < self.bound

    cdef inline uint64_t* rows_left(self, int d) noexcept nogil:
        return self.state + <size_t> d * self.state_words

    cdef inline uint64_t* columns_left(self, int d) noexcept nogil:
        return self.state + <size_t> d * self.state_words + self.column_words

    cdef inline uint64_t* row_bits(self, int h) noexcept nogil:
        return self.rows + <size_t> h * self.row_words

    cdef inline uint64_t* column_bits(self, int x) noexcept nogil:
        return self.columns + <size_t> x * self.column_words

    cdef void enter(self, int d) noexcept nogil:
        """Go to depth d, whose state has been written: d pairs are chosen."""
        cdef int i
        cdef uint64_t* slot
        self.nodes += 1
        if d > self.best:
            self.best = d
            self.found = True
            for i in range(d):
                self.witness[i] = self.row[i]
                self.witness[self.upper + 1 + i] = self.column[i]
            if d == self.bound:
                return
        if d + self.degree_bound(d) <= self.best:
            return
        slot = self.slot(d)
        if (
            slot[self.state_words] and d + <int> slot[self.state_words] - 1 <= self.best
            and memcmp(slot, self.rows_left(d), self.state_words * sizeof(uint64_t)) == 0
        ):
            return
        self.row[d] = -1
        memcpy(
            self.untried + <size_t> d * self.state_words, self.rows_left(d),
            self.column_words * sizeof(uint64_t))
        self.depth = d

    cdef void leave(self) noexcept nogil:
        """Go back: whatever extends this state to more than ``best`` pairs has been tried."""
        cdef uint64_t* slot = self.slot(self.depth)
        memcpy(slot, self.rows_left(self.depth), self.state_words * sizeof(uint64_t))
        slot[self.state_words] = 1 + self.best - self.depth
        self.depth -= 1

    cdef uint64_t* slot(self, int d) noexcept nogil:
        cdef const uint64_t* state = self.rows_left(d)
        cdef uint64_t mixed = 0
        cdef int w
        for w in range(self.state_words):
            mixed = (mixed ^ state[w]) * <uint64_t> 0x9E3779B97F4A7C15
            mixed ^= mixed >> 32
        return self.memo + (mixed & self.memo_mask) * (self.state_words + 1)

    cdef int degree_bound(self, int d) noexcept nogil:
        """Drop empty rows and columns of state d; bound its longest half graph by degrees."""
        cdef int by_rows = self.degree_bound_of(
            self.rows, self.row_words, self.rows_left(d), self.column_words,
            self.columns_left(d))
        if d + by_rows <= self.best:
            return by_rows
        return min(by_rows, self.degree_bound_of(
            self.columns, self.column_words, self.columns_left(d), self.row_words,
            self.rows_left(d)))

    cdef int degree_bound_of(
        self, const uint64_t* lines, int words, uint64_t* left, int left_words,
        const uint64_t* across,
    ) noexcept nogil:
        """The same for one side: ``lines`` are its rows (or columns), ``left`` those in play.

        The i-th fullest line of a half graph of size k has at least k - i + 1 ones, and the
        i-th emptiest at least k - i zeros.
        """
        cdef int width = 0, line, w, degree, total = 0, k
        for w in range(words):
            width += popcount(across[w])
        memset(self.ladder, 0, (width + 1) * sizeof(uint32_t))
        line = following(left, left_words, 0)
        while line >= 0:
            degree = overlap(lines + <size_t> line * words, across, words)
            self.ladder[degree] += 1
            if degree == 0:
                left[line >> 6] &= ~(<uint64_t> 1 << (line & 63))
            self.spent += words
            line = following(left, left_words, line + 1)
        self.spent += width
        k = width
        for degree in range(width, 0, -1):
            total += <int> self.ladder[degree]
            k = min(k, total + degree - 1)
        total = 0
        for degree in range(1, width + 1):
            total += <int> self.ladder[degree]
            k = min(k, total + width - degree)
        return k

    cdef void step(self) noexcept nogil:
        """Try one more row, or one more column with the row being tried."""
        cdef int d = self.depth, h = self.row[d], x, w
        cdef uint64_t* rows = self.rows_left(d)
        cdef uint64_t* columns = self.columns_left(d)
        cdef uint64_t* untried_rows = self.untried + <size_t> d * self.state_words
        cdef uint64_t* untried_columns = untried_rows + self.column_words
        cdef int ones
        if h < 0:
            h = self.fullest(untried_rows, columns, &ones)
            if h < 0 or d + ones <= self.best:
                self.leave()
                return
            untried_rows[h >> 6] &= ~(<uint64_t> 1 << (h & 63))
            if self.has_fuller(h, rows, columns, untried_rows):
                return
            self.row[d] = h
            for w in range(self.row_words):
                untried_columns[w] = columns[w] & self.row_bits(h)[w]
            return
        x = self.emptiest(untried_columns, rows, &ones)
        # The pair takes one row, and every row with a 1 in its column with it.
        if x < 0 or d + 1 + overlap(rows, rows, self.column_words) - ones <= self.best:
            self.row[d] = -1
            return
        untried_columns[x >> 6] &= ~(<uint64_t> 1 << (x & 63))
        if self.has_emptier(x, h, rows, columns, untried_columns):
            return
        self.column[d] = x
        for w in range(self.column_words):
            self.rows_left(d + 1)[w] = rows[w] & ~self.column_bits(x)[w]
        for w in range(self.row_words):
            self.columns_left(d + 1)[w] = columns[w] & self.row_bits(h)[w]
        self.columns_left(d + 1)[x >> 6] &= ~(<uint64_t> 1 << (x & 63))
        self.enter(d + 1)

    cdef int fullest(
        self, const uint64_t* among, const uint64_t* columns, int* ones
    ) noexcept nogil:
        """The row with most ones in ``columns``, the first of equals; -1 if there is none."""
        cdef int best = -1, h = following(among, self.column_words, 0), degree
        ones[0] = -1
        while h >= 0:
            degree = overlap(self.row_bits(h), columns, self.row_words)
            self.spent += self.row_words
            if degree > ones[0]:
                ones[0] = degree
                best = h
            h = following(among, self.column_words, h + 1)
        return best

    cdef int emptiest(self, const uint64_t* among, const uint64_t* rows, int* ones) noexcept nogil:
        """The column with fewest ones in ``rows``, the first of equals; -1 if there is none."""
        cdef int best = -1, x = following(among, self.row_words, 0), degree
        ones[0] = self.n + 1
        while x >= 0:
            degree = overlap(self.column_bits(x), rows, self.column_words)
            self.spent += self.column_words
            if degree < ones[0]:
                ones[0] = degree
                best = x
            x = following(among, self.row_words, x + 1)
        return best

    cdef bint has_fuller(
        self, int h, const uint64_t* rows, const uint64_t* columns, const uint64_t* untried
    ) noexcept nogil:
        """Whether a row with all the ones of h, and more or tried before, makes h needless.

        Whatever pair h begins, that row begins as well, and leaves the same behind or more.
        """
        cdef int other = following(rows, self.column_words, 0), w
        cdef uint64_t more, lost
        while other >= 0:
            if other != h:
                more = 0
                lost = 0
                for w in range(self.row_words):
                    lost |= self.row_bits(h)[w] & ~self.row_bits(other)[w] & columns[w]
                    more |= self.row_bits(other)[w] & ~self.row_bits(h)[w] & columns[w]
                self.spent += self.row_words
                if not lost and (more or not untried[other >> 6] >> (other & 63) & 1):
                    return True
            other = following(rows, self.column_words, other + 1)
        return False

    cdef bint has_emptier(
        self, int x, int h, const uint64_t* rows, const uint64_t* columns,
        const uint64_t* untried,
    ) noexcept nogil:
        """Whether a column with 1 in row h and only ones of x makes x needless after h."""
        cdef int other = following(columns, self.row_words, 0), w
        cdef uint64_t more, lost
        while other >= 0:
            if other != x and self.row_bits(h)[other >> 6] >> (other & 63) & 1:
                more = 0
                lost = 0
                for w in range(self.column_words):
                    lost |= self.column_bits(other)[w] & ~self.column_bits(x)[w] & rows[w]
                    more |= self.column_bits(x)[w] & ~self.column_bits(other)[w] & rows[w]
                self.spent += self.column_words
                if not lost and (more or not untried[other >> 6] >> (other & 63) & 1):
                    return True
            other = following(columns, self.row_words, other + 1)
        return False
