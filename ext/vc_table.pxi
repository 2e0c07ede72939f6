# The arena with all that a search keeps, and the table in it: by columns and by rows.

cdef void* take(ShatteringSearch self, size_t length, size_t item) noexcept:
    """The next array of the arena (in a first pass, with no arena, only the room for it)."""
    cdef char* given = self.free_space
    self.free_space += (length * item + 63) // 64 * 64
    return given


cdef void lay_out(ShatteringSearch self) noexcept:
    cdef size_t n = self.n, m = self.m, words = self.words, cells, blocks, length
    cdef int s, side
    self.base = <uint64_t*> take(self, 2 * m * self.stride, sizeof(uint64_t))
    self.matrix = <uint64_t*> take(self, n * words, sizeof(uint64_t))
    for side in range(2):
        self.side_place[side] = <uint32_t*> take(self, self.stride, sizeof(uint32_t))
        self.side_word[side] = <uint64_t*> take(self, self.stride, sizeof(uint64_t))
    self.top = 1
    while n >> self.top:
        self.top += 1
    for s in range(self.k - 1):
        cells = <size_t> 1 << s
        self.candidates[s] = <uint64_t*> take(self, words, sizeof(uint64_t))
        self.known[s] = <uint64_t*> take(self, words, sizeof(uint64_t))
        self.neighbours[s] = <uint64_t*> take(self, m * words, sizeof(uint64_t))
        self.size[s] = <uint64_t*> take(self, max(cells, <size_t> LANES), sizeof(uint64_t))
        self.origin[s] = <uint64_t*> take(self, max(cells, <size_t> LANES), sizeof(uint64_t))
        if s < self.row_level:
            length = min(n, cells * self.stride)
            self.begin[s] = <long*> take(self, cells + 1, sizeof(long))
            self.place[s] = <uint32_t*> take(self, length, sizeof(uint32_t))
            self.word[s] = <uint64_t*> take(self, length, sizeof(uint64_t))
            continue
        blocks = blocks_of(s)
        # A block has as many slots as its largest cell; blocks grow, so all but the last
        # together have at most n / LANES.  One slot of a block may be written in vain.
        length = n // LANES + n - (<size_t> 1 << (self.k - 1)) + (SLOTS + 1) * blocks
        self.slots[s] = <long*> take(self, blocks, sizeof(long))
        self.slices[s] = <int*> take(self, blocks, sizeof(int))
        self.block[s] = <uint64_t**> take(self, blocks, sizeof(uint64_t*))
        self.store[s] = <uint64_t*> take(self, length * words * LANES, sizeof(uint64_t))
        self.ones[s] = <uint64_t*> take(self, numbers(self, blocks), sizeof(uint64_t))
        self.zeros[s] = <uint64_t*> take(self, numbers(self, blocks), sizeof(uint64_t))


cdef void read_table(ShatteringSearch self, const uint8_t* table) noexcept nogil:
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
