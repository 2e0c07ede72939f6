# Which columns split all cells, and the cells of the next level: as lists of words, and as blocks
# of rows, which are built when a test reaches them.

cdef void filter_lists(
    ShatteringSearch self, int s, int i, int least, uint64_t* mask
) noexcept nogil:
    """Clear the columns j for which S + i + j does not pass, or until fewer than ``least`` stay."""
    cdef int need = self.k - s - 2
    cdef int left = count(mask, self.words), side
    cdef long c
    cdef long length[2]
    cdef uint64_t size[2]
    for c in range(<long> 1 << s):
        if left < least:
            return
        split(self, s, c, i, self.side_place, self.side_word, length, size)
        for side in range(2):
            if left >= least:
                left = filter_list(
                    self, self.side_place[side], self.side_word[side], length[side], size[side],
                    need, left, least, mask)


cdef int filter_list(
    ShatteringSearch self, const uint32_t* place, const uint64_t* word, long length, uint64_t size,
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
    ShatteringSearch self, int s, long c, int i, uint32_t** place, uint64_t** word, long* length,
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


cdef void count_in_lists(ShatteringSearch self, int s, int i, uint64_t* ones) noexcept nogil:
    """Write the rows of each cell with label 1 in column i."""
    cdef const uint64_t* column = self.columns + i * self.stride
    cdef long c, t
    for c in range(<long> 1 << s):
        ones[c] = 0
        for t in range(self.begin[s][c], self.begin[s][c + 1]):
            ones[c] += popcount(self.word[s][t] & column[self.place[s][t]])


cdef void build_lists(ShatteringSearch self, int s, int i) noexcept nogil:
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
