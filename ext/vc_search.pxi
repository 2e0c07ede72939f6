# The search: one branch at a time, what it asks of neighbours, and the way down.

cdef void step(ShatteringSearch self) noexcept nogil:
    """Decide one branch: skip it, stop at it, or build it."""
    cdef int s = self.level, i, missing = self.k - s - 1
    cdef uint64_t* near
    if s < 0:
        turn(self)
        return
    i = following(self.candidates[s], self.words, self.cursor[s])
    if i < 0 or i >= self.limit[s]:
        self.level -= 1
        return
    near = adjacent(self, s, i, missing)
    if count(near, self.words) < missing:
        self.cursor[s] = i + 1
        return
    if missing == 1:
        self.chosen[s] = i
        self.chosen[s + 1] = following(near, self.words, 0)
        for s in range(self.k):
            self.found[s] = (self.chosen[s] + boundary(self, self.start)) % self.m
        self.outcome = FOUND
        return
    self.chosen[s] = i
    self.cursor[s] = i + 1
    descend(self, s, i)


cdef uint64_t* adjacent(ShatteringSearch self, int s, int i, int least) noexcept nogil:
    """Later columns j for which S + i + j passes; a superset when fewer than ``least``,
    which do not extend S + i.
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
        filter_lists(self, s, i, least, mask)
    else:
        filter_blocks(self, s, i, least, mask)
    self.known[s][i >> 6] |= <uint64_t> 1 << (i & 63)
    return mask


cdef void descend(ShatteringSearch self, int s, int i) noexcept nogil:
    """Enter S + i, whose neighbours are known, so that all blocks of S have been built."""
    cdef long cells = <long> 1 << s, c
    cdef uint64_t* key = self.origin[s + 1]
    cdef uint64_t* size = self.size[s + 1]  # ones of the cells, scratch, then sizes
    cdef int w
    if s < self.row_level:
        count_in_lists(self, s, i, size)
    else:
        count_in_blocks(self, s, i, size)
    for c in range(cells):
        key[2 * c] = (self.size[s][c] - size[c]) << LEVELS | 2 * c
        key[2 * c + 1] = size[c] << LEVELS | (2 * c + 1)
    sort(key, size, 2 * cells)
    for c in range(2 * cells):
        size[c] = key[c] >> LEVELS
        key[c] &= (<uint64_t> 1 << LEVELS) - 1
    if s + 1 < self.row_level:
        build_lists(self, s + 1, i)
    else:
        plan_blocks(self, s + 1)
    for w in range(self.words):
        self.known[s + 1][w] = 0
        self.candidates[s + 1][w] = self.neighbours[s][<long> i * self.words + w]
    self.cursor[s + 1] = i + 1
    self.level = s + 1
    self.spent += 8 * cells


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
