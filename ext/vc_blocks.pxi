# Cells as blocks of rows: which columns split them all, and blocks that a test reaches are built.

cdef inline long blocks_of(int s) noexcept nogil:
    """How many blocks the cells of level s fill."""
    return ((<long> 1 << s) + LANES - 1) // LANES


cdef inline long numbers(ShatteringSearch self, long blocks) noexcept nogil:
    """The words that so many blocks have in ``ones``, and in ``zeros``."""
    return blocks * self.top * self.words * LANES


cdef void filter_blocks(
    ShatteringSearch self, int s, int i, int least, uint64_t* mask
) noexcept nogil:
    """What `filter_lists` does, on blocks."""
    cdef int need = self.k - s - 2
    cdef long q, at, work = 0
    if count(mask, self.words) < least:
        return
    for q in range(blocks_of(s)):
        if q == self.ready[s]:
            build_block(self, s, q)
        at = numbers(self, q)
        work += self.slots[s][q] + 2 * self.slices[s][q]
        if self.kernels.filter_block(
            self.block[s][q], self.ones[s] + at, self.zeros[s] + at, self.slots[s][q],
            self.words, self.slices[s][q], i, need, mask,
        ) < least:
            break
    self.spent += 2 * self.words * work


cdef void count_in_blocks(ShatteringSearch self, int s, int i, uint64_t* ones) noexcept nogil:
    """Write the rows of each cell with label 1 in column i; blocks must have been built."""
    cdef long q
    for q in range(blocks_of(s)):
        self.kernels.ones(
            self.ones[s] + numbers(self, q), self.words, self.slices[s][q], i, ones + LANES * q)


cdef void plan_blocks(ShatteringSearch self, int s) noexcept nogil:
    """Reserve the blocks of level s; a test that reaches one builds it."""
    cdef long cells = <long> 1 << s, q
    cdef uint64_t largest
    cdef uint64_t* free_rows = self.store[s]
    for q in range(blocks_of(s)):
        largest = self.size[s][min(cells, LANES * (q + 1)) - 1]
        self.slots[s][q] = <long> (largest // SLOTS + 1) * SLOTS
        self.slices[s][q] = 2
        while largest >> self.slices[s][q]:
            self.slices[s][q] += 1
        self.block[s][q] = free_rows
        free_rows += self.slots[s][q] * self.words * LANES
    self.ready[s] = 0


cdef void build_block(ShatteringSearch self, int s, long q) noexcept nogil:
    """Fill block q of level s: four cells side by side, each a part of a cell before."""
    cdef long cells = <long> 1 << s, slots = self.slots[s][q], c, at
    cdef uint64_t size[LANES]
    cdef uint64_t* rows
    cdef int lane
    for lane in range(LANES):
        c = (LANES * q + lane) & (cells - 1)  # two cells only fill a block by coming twice
        size[lane] = self.size[s][c]
        rows = self.block[s][q] + lane
        if s == self.row_level:
            gather(self, s, c, rows, slots)
        else:
            extract(self, s, c, rows, slots)
    at = numbers(self, q)
    self.kernels.count_block(
        self.block[s][q], size, slots, self.words, self.slices[s][q], self.ones[s] + at,
        self.zeros[s] + at)
    self.ready[s] = q + 1
    self.spent += 8 * slots * self.words


cdef void gather(ShatteringSearch self, int s, long c, uint64_t* rows, long slots) noexcept nogil:
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


cdef void extract(ShatteringSearch self, int s, long c, uint64_t* rows, long slots) noexcept nogil:
    """Copy a cell from a block of the level before, without a branch on the labels."""
    cdef long source = self.origin[s][c] >> 1
    self.kernels.extract(
        self.block[s - 1][source // LANES] + source % LANES, self.slots[s - 1][source // LANES],
        <long> self.size[s - 1][source], self.words, self.chosen[s - 1],
        ~self.origin[s][c] & 1, slots, rows)
