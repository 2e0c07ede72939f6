# The first pairs of a state, listed so that those that leave most are entered first.

cdef enum:
    LIST = 64  # so many first pairs of a state are bounded before one is entered
    LISTING = 1 << 19  # words of work that listing the pairs of a state may take
    CELLS = 1 << 19  # of larger states pairs are not listed, once the search has settled


cdef void list_pairs(HalfGraphSearch self, int d) noexcept nogil:
    """Bound all first pairs of state d, so that those that leave most can be entered first.

    If they are too many, they will be entered as they come; and where that is the rule,
    listing is seldom tried.
    """
    cdef const uint64_t* untried = self.untried + <size_t> d * self.state_words
    cdef uint64_t* with_row = columns_left(self, d + 1)
    cdef int h = following(untried, self.column_words, 0), i, x
    cdef int begin = self.waiting, end = self.waiting, room = min(LIST, POOL - begin)
    cdef bint again = self.first_waiting[d] >= 0, full = False, useless
    cdef Pair pair
    cdef double begun
    self.first_waiting[d] = -1
    if self.settled:
        if not self.listing or CELLS < (
            self.kernels.count(rows_left(self, d), self.column_words)
            * <long long> self.kernels.count(columns_left(self, d), self.row_words)
        ):
            return
        room = max(1, min(LIST, (POOL - begin) // 2))
    elif self.listings >= TRIALS and 4 * self.overflows > self.listings and self.nodes % SELDOM:
        return
    self.listings += 1
    begun = self.spent
    begin_pairs(
        &self.pairs, rows_left(self, d), columns_left(self, d), border(self, d), &self.spent)
    while h >= 0:
        columns_of(&self.table, rows_left(self, d), h, with_row)
        for i in range(pairs_of_row(&self.pairs, rows_left(self, d), with_row, &self.spent)):
            x = self.pairs.kept[i]
            write_next(&self.table, rows_left(self, d), h, x, rows_left(self, d + 1))
            pair.row, pair.column = h, x
            pair.bound = bound_pair(
                &self.pairs, x, rows_left(self, d + 1), columns_left(self, d + 1),
                self.best - d, &self.spent)
            if self.spent - begun > LISTING and not self.settled:
                self.overflows += 1
                return
            useless = d + 1 + pair.bound <= self.best
            if useless or again and not before(self.edge[d], pair):
                continue
            if end == begin + room and not full:
                end = drop_remembered(self, d + 1, begin, end)
            if end == begin + room and not self.settled:
                self.overflows += 1
                return
            # The first in the order are kept, the others listed when these are done.
            full |= pool_offer(&self.pool, begin, &end, room, rows_left(self, d + 1), pair)
            memo_soon(self.memo, self.memo_mask, rows_left(self, d + 1), self.state_words)
        h = following(untried, self.column_words, h + 1)
    self.edge[d].row = -1
    if full:
        self.edge[d] = self.pool.pair[pool_end(&self.pool, begin, end, True)]
    self.first_waiting[d] = begin
    self.waiting = drop_remembered(self, d + 1, begin, end)


cdef inline int drop_remembered(HalfGraphSearch self, int d, int begin, int end) noexcept nogil:
    return pool_drop(&self.pool, begin, end, self.memo, self.memo_mask, self.best - d)


cdef void next_listed(HalfGraphSearch self, int d) noexcept nogil:
    """Enter the next of the listed pairs; list others, if there are; or go back."""
    cdef int begin = self.first_waiting[d]
    cdef int at
    cdef Pair pair
    self.spent += self.waiting - begin
    if begin == self.waiting:
        if self.edge[d].row >= 0:
            list_pairs(self, d)
        else:
            leave(self)
        return
    at = pool_after(&self.pool, begin, self.waiting, skipped(self, d))
    pair = self.pool.pair[at]
    memcpy(
        rows_left(self, d + 1), self.pool.state + <size_t> at * self.state_words,
        self.state_words * sizeof(uint64_t))
    self.waiting -= 1
    pool_move(&self.pool, at, self.waiting)
    if d + 1 + pair.bound <= self.best:
        return
    self.row[d], self.column[d] = pair.row, pair.column
    enter(self, d + 1, True)
