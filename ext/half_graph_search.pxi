# The search: into a state, a pair at a time, and back.

cdef enum:
    HELD = 16  # rows left to others before one is taken, at most


cdef void enter(HalfGraphSearch self, int d, bint bounded) noexcept nogil:
    """Go to depth d, whose state has been written, and bounded already: d pairs are chosen."""
    cdef int i
    self.nodes += 1
    if d > self.best:
        self.best = d
        self.found = d
        for i in range(d):
            self.witness[i] = self.row[i]
            self.witness[self.upper + 1 + i] = self.column[i]
        if d == self.bound:
            return
    if (not bounded and hopeless(self, d)) or remembered(self, d):
        return
    if merge_equal(self, d):
        if hopeless(self, d):
            return
        if remembered(self, d):
            # The next time this is seen before anything is merged.
            remember(self, self.met, known_of(self, rows_left(self, d)), 1)
            return
    self.row[d] = -1
    self.entered[d] = self.nodes
    self.taken[d] = 0
    rows_to_try(
        &self.table, rows_left(self, d), self.best - d + 1,
        self.untried + <size_t> d * self.state_words, &self.spent)
    self.depth = d
    self.first_waiting[d] = -1
    list_pairs(self, d)


cdef void step(HalfGraphSearch self) noexcept nogil:
    """Try one more row, or one more column with the row being tried, or one more pair."""
    cdef int d = self.depth, h = self.row[d], x
    cdef uint64_t* rows = rows_left(self, d)
    cdef uint64_t* untried_rows = self.untried + <size_t> d * self.state_words
    cdef uint64_t* untried_columns = untried_rows + self.column_words
    cdef int ones = 0
    if self.first_waiting[d] >= 0:
        next_listed(self, d)
        return
    if h < 0:
        h = next_row(self, d)
        if h < 0:
            leave(self)
            return
        self.row[d] = h
        columns_to_try(
            &self.table, rows_left(self, d), h, border(self, d), columns_left(self, d + 1),
            untried_columns, &self.spent)
        return
    x = self.kernels.first(
        self.columns, self.column_words, untried_columns, self.row_words, rows, False,
        &ones, &self.spent)
    if x < 0 or d + 1 + self.kernels.count(rows, self.column_words) - ones <= self.best:
        self.row[d] = -1
        return
    untried_columns[x >> 6] &= ~(<uint64_t> 1 << (x & 63))
    self.column[d] = x
    write_next(&self.table, rows_left(self, d), h, x, rows_left(self, d + 1))
    enter(self, d + 1, False)


cdef int next_row(HalfGraphSearch self, int d) noexcept nogil:
    """Take the next row, fullest first; -1 when those that are left are useless."""
    cdef uint64_t* untried = self.untried + <size_t> d * self.state_words
    cdef int left = min(<int> HELD, skipped(self, d)), held = 0, h = -1, next_h, ones = 0, i
    cdef int[HELD] passed
    while True:
        next_h = self.kernels.first(
            self.rows, self.row_words, untried, self.column_words, columns_left(self, d), True,
            &ones, &self.spent)
        if next_h < 0 or d + ones <= self.best:
            break
        if h >= 0:
            passed[held] = h
            held += 1
        h = next_h
        untried[h >> 6] &= ~(<uint64_t> 1 << (h & 63))
        if held == left:
            break
    for i in range(held):
        untried[passed[i] >> 6] |= <uint64_t> 1 << (passed[i] & 63)
    return h


cdef inline int border(HalfGraphSearch self, int d) noexcept nogil:
    """The most ones that the column of a first pair of state d can have."""
    # The pair takes one row, and every row with a 1 in its column with it.
    return self.kernels.count(rows_left(self, d), self.column_words) - self.best + d


cdef inline int skipped(HalfGraphSearch self, int d) noexcept nogil:
    """How many first pairs, or rows, of state d to leave to others before the next is taken."""
    self.taken[d] += 1
    return self.ahead if self.taken[d] % (self.ahead + 1) == 1 else 0


cdef void leave(HalfGraphSearch self) noexcept nogil:
    """Go back: whatever extends this state to more than ``best`` pairs has been tried."""
    cdef int d = self.depth
    remember(self, rows_left(self, d), 1 + self.best - d, self.nodes - self.entered[d])
    self.depth -= 1
