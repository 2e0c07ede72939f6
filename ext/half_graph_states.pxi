# The state at a depth of the search, and what is known of it before it is searched.

cdef inline uint64_t* rows_left(HalfGraphSearch self, int d) noexcept nogil:
    return self.state + <size_t> d * self.state_words


cdef inline uint64_t* columns_left(HalfGraphSearch self, int d) noexcept nogil:
    return self.state + <size_t> d * self.state_words + self.column_words


cdef inline bint hopeless(HalfGraphSearch self, int d) noexcept nogil:
    """Whether state d holds too little by degrees; empty rows and columns go."""
    cdef int need = self.best - d + 1
    return bound_state(&self.table, rows_left(self, d), need, &self.spent) < need


cdef bint merge_equal(HalfGraphSearch self, int d) noexcept nogil:
    """Keep the first of equal rows and columns of state d; whether any went.

    Where that hardly ever happens, it is seldom tried.
    """
    if self.settled:
        if not self.merging:
            return False
    elif self.looked >= TRIALS and 16 * self.merged < self.looked and self.nodes % SELDOM:
        return False
    memcpy(self.met, rows_left(self, d), self.state_words * sizeof(uint64_t))
    self.looked += 1
    if merge_state(&self.table, rows_left(self, d), &self.spent) == 0:
        return False
    self.merged += 1
    return True


cdef inline bint remembered(HalfGraphSearch self, int d) noexcept nogil:
    """Whether state d is known to hold nothing longer than ``best``."""
    return 0 < known_of(self, rows_left(self, d)) <= <uint32_t> (self.best - d + 1)


cdef inline uint32_t known_of(HalfGraphSearch self, const uint64_t* state) noexcept nogil:
    """1 + a bound on a state, or 0."""
    return memo_bound(self.memo, self.memo_mask, state, self.state_words)


cdef inline void remember(
    HalfGraphSearch self, uint64_t* state, uint32_t bound, uint64_t work,
) noexcept nogil:
    memo_keep(self.memo, self.memo_mask, state, self.state_words, bound, work)
