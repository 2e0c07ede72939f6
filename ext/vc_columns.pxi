# The arena with all that a search keeps, and the table in it, by columns and by rows.  The columns
# lie on a circle: its parts, and the sets of columns that are sought from each of them.

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


cdef inline int boundary(ShatteringSearch self, int part) noexcept nogil:
    """The first column of a part, parts and columns counted on around the circle."""
    if part < self.parts:
        return <int> (<long> part * self.m // self.parts)
    return self.m + <int> (<long> (part - self.parts) * self.m // self.parts)


cdef void rotate(ShatteringSearch self, int by) noexcept nogil:
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


cdef void turn(ShatteringSearch self) noexcept nogil:
    """Begin the next rotation of the columns.

    The columns lie on a circle in k - 1 parts.  By the cycle lemma every set of k columns has
    exactly one part to start from such that the first p parts hold at least p + 1 of them,
    for every p < k.  So in each rotation element t >= 2 is sought in the first t - 1 parts
    only, and no set is missed or met twice.
    """
    cdef int s, first
    cdef long t
    self.start += 1
    while self.start < self.parts and boundary(self, self.start + 1) <= self.first_root:
        self.start += 1
    first = boundary(self, self.start)
    if self.start == self.parts or first >= self.last_root:
        self.outcome = NONE
        return
    self.columns = self.base + first * self.stride
    for s in range(self.k - 1):
        self.limit[s] = boundary(self, self.start + max(1, s)) - first
    self.limit[0] = min(self.limit[0], self.last_root - first)
    if first > self.rotated:
        rotate(self, first - self.rotated)
    self.rotated = first
    self.begin[0][0] = 0
    self.begin[0][1] = self.stride
    self.size[0][0] = self.n
    for t in range(self.stride):
        self.place[0][t] = <uint32_t> t
    fill(self.word[0], self.n)
    memset(self.known[0], 0, self.words * sizeof(uint64_t))
    fill(self.candidates[0], self.m)
    filter_list(
        self, self.place[0], self.word[0], self.stride, self.n, self.k - 1, self.m, 0,
        self.candidates[0])
    self.level = 0
    self.cursor[0] = max(0, self.first_root - first)
    self.spent += <double> self.n * self.m / 16
