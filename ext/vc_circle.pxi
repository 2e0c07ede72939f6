# The columns on a circle: its parts, and the sets of columns that are sought from each of them.

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
