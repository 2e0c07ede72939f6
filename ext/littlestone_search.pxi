# The decision "Ldim >= k" for a matrix, and the table of what is known of matrices.  Then which
# level is asked next: bounds that close from both sides.
#
# From below, Ldim >= lower + 1 is asked until it is known.  From above, lower + 2 is asked, then
# the levels between it and the upper bound are halved: those that the work of one round does not
# refute are left for the next round, which has twice as much.  When lower + 2 looks like being
# refuted long before lower + 1, by how many of the root's questions either has settled, it has most
# of the time.  What a level that was left has learnt is in the table, so that it goes on where it
# was but for the way there.

cdef enum:
    PROBE = 16                # slots looked at for one fingerprint
    FIRST_SLOTS = 1 << 10


cdef int dimension(LittlestoneSolver self) noexcept nogil:
    """Ldim of the matrix at frame 0, or -1 when stopped."""
    cdef Matrix* node = &self.frames[0]
    cdef Entry* entry
    cdef int answer, k, most = log2_floor(node.n)
    if node.n < 4:
        return most
    if node.m == 0:
        return 1
    k = 2
    entry = find(self, node.key)
    if entry != NULL:
        k = entry.lo
        most = entry.hi
    while k < most:
        answer = at_least(self, 0, k + 1)
        if answer < 0:
            return -1
        if answer == 0:
            break
        k += 1
    return k


cdef int dimension_under_mask(LittlestoneSolver self) noexcept nogil:
    cdef uint32_t n = <uint32_t>count(self.base.mask, <int>self.base.width)
    cdef int answer
    if n == 0:
        return -1
    if derive(self, &self.base, &self.frames[0], n, 0) < 0:
        return -2
    answer = dimension(self)
    return -2 if answer < 0 else answer


cdef int at_least(LittlestoneSolver self, int depth, int k) noexcept nogil:
    """Is Ldim >= k for the matrix at `depth`?  Deeper frames are overwritten."""
    cdef Matrix* node = &self.frames[depth]
    cdef Entry* entry
    cdef uint32_t witness = 0
    cdef int answer
    if k >= 32 or node.n >> k == 0:
        return 0
    if k <= 1:
        return 1
    if k == 2:
        return node.m > 0
    if node.m < <uint32_t>(k - 1):
        return 0
    entry = find(self, node.key)
    if entry != NULL:
        if entry.lo >= k:
            return 1
        if entry.hi < k:
            return 0
    if self.spend(<uint64_t>node.m * node.width):
        return -1
    self.nodes += 1
    answer = lone_questions(self, node, &witness) if k == 3 else split(self, depth, k, &witness)
    if answer >= 0:
        remember(self, node, k, answer, witness)
    return answer


cdef int lone_questions(LittlestoneSolver self, Matrix* node, uint32_t* witness) noexcept nogil:
    """The search for k = 3: below a column, any column that leaves two rows on each side."""
    cdef uint32_t i, column, found = candidates(node, 4)
    cdef uint64_t cost = <uint64_t>node.m * node.width
    for i in range(found):
        if self.spend(cost):
            return -1
        column = node.order[i]
        take_side(node, column, True)
        if not splits(node.words, node.m, node.width, node.mask):
            continue
        take_side(node, column, False)
        if splits(node.words, node.m, node.width, node.mask):
            witness[0] = column
            return 1
    return 0


cdef int split(LittlestoneSolver self, int depth, int k, uint32_t* witness) noexcept nogil:
    """The search for k >= 4: a column both of whose sides have Ldim >= k - 1."""
    cdef Matrix* node = &self.frames[depth]
    cdef Matrix* child = &self.frames[depth + 1]
    cdef uint32_t column, rows, failures = 0, done = 0
    cdef uint32_t found = candidates(node, <uint32_t>1 << (k - 1))
    cdef bint ones, second
    cdef int answer = 0
    while done < found:
        if self.spend(found - done + <uint64_t>failures * node.width):
            return -1
        column = next_candidate(node, found, done)
        if done == TRIED and found - done >= UNTRIED:
            if node.rows == NULL and worth_turning(node, smaller_side(node.n, node.counts[column])):
                if turn(self, node) < 0:
                    return -1
        ones = not fewer_ones(node, column)
        for second in range(2):
            ones = not ones
            rows = take_side(node, column, ones)
            if refuted_before(node, failures, rows):
                answer = 0
                break
            answer = derive(self, node, child, rows, <uint32_t>1 << (k - 2))
            if answer > 0:
                answer = at_least(self, depth + 1, k - 1)
            if answer < 0:
                return -1
            if answer == 0:
                # at_least() below used deeper frames only: the mask is still this side.
                note_failure(node, failures, rows)
                failures += 1
                break
        if answer:
            witness[0] = column
            return 1
        done += 1
    return 0


cdef Entry* find(LittlestoneSolver self, const uint64_t* key) noexcept nogil:
    cdef int i
    cdef Entry* entry
    for i in range(PROBE):
        entry = &self.entries[(key[0] + <size_t>i) & (self.slots - 1)]
        if entry.rows == 0:
            return NULL
        if entry.key[0] == key[0] and entry.key[1] == key[1]:
            return entry
    return NULL


cdef Entry* place(LittlestoneSolver self, const uint64_t* key) noexcept nogil:
    """A slot for a new fingerprint: a free one, or else that of the smallest version space."""
    cdef int i
    cdef Entry* entry
    cdef Entry* victim = NULL
    for i in range(PROBE):
        entry = &self.entries[(key[0] + <size_t>i) & (self.slots - 1)]
        if entry.rows == 0:
            self.used += 1
            return entry
        if victim == NULL or entry.rows < victim.rows:
            victim = entry
    return victim


cdef void grow(LittlestoneSolver self) noexcept nogil:
    """Double the table if memory allows; otherwise entries will be replaced."""
    cdef size_t bytes = 2 * self.slots * sizeof(Entry), i, old_slots = self.slots
    cdef Entry* old = self.entries
    cdef Entry* larger
    if bytes > self.limit - self.bytes:
        return
    larger = <Entry*>calloc(2 * old_slots, sizeof(Entry))
    if larger == NULL:
        return
    self.bytes += bytes
    self.entries = larger
    self.slots = 2 * old_slots
    self.used = 0
    for i in range(old_slots):
        if old[i].rows:
            place(self, old[i].key)[0] = old[i]
    free(old)
    self.bytes -= old_slots * sizeof(Entry)
    self.work += old_slots


cdef void remember(
    LittlestoneSolver self, Matrix* node, int k, bint holds, uint32_t witness
) noexcept nogil:
    cdef Entry* entry = find(self, node.key)
    if entry == NULL:
        if 2 * self.used >= self.slots:
            grow(self)
        entry = place(self, node.key)
        entry.key[0] = node.key[0]
        entry.key[1] = node.key[1]
        entry.witness = 0
        entry.lo = 2
        entry.hi = <uint8_t>log2_floor(node.n)
        entry.rows = <uint16_t>(node.n if node.n < 65535 else 65535)
    if holds:
        if k > entry.lo:
            entry.lo = <uint8_t>k
            entry.witness = witness
    elif k <= entry.hi:
        entry.hi = <uint8_t>(k - 1)


cdef enum:
    ALONE = 1 << 28           # words of work from below before the first from above
    SLICE = 1 << 24           # words of work for each level from above, in the first round
    FAR = 3                   # bounds so far apart share the work evenly,
    SELDOM = 4                # others so many times halved

cdef uint64_t NO_END = ~<uint64_t>0


cdef bint undecided(LittlestoneSolver self, int aim) noexcept nogil:
    return self.lower < aim <= self.upper if aim else self.lower < self.upper


cdef int ask(LittlestoneSolver self, int k, uint64_t share) noexcept nogil:
    """Is Ldim >= k, for the class at frame 0?  Takes the answer over; -1 when stopped."""
    cdef int answer
    self.share_end = NO_END if share > NO_END - self.work else self.work + share
    if self.share_end < self.next_poll:
        self.next_poll = self.share_end
    answer = at_least(self, 0, k)
    self.share_end = NO_END
    if answer > 0:
        self.lower = k
    elif answer == 0:
        self.upper = k - 1
    return answer


cdef bint due_above(LittlestoneSolver self) noexcept nogil:
    """Whether it is the turn of a level above lower + 1."""
    cdef int apart = self.upper - self.lower
    if apart < 2 or self.no_room_above or self.climbed < ALONE:
        return False
    return self.descended < (self.climbed if apart >= FAR else self.climbed >> SELDOM)


cdef int ask_below(LittlestoneSolver self) noexcept nogil:
    cdef uint64_t before = self.work
    cdef bint alone = self.upper - self.lower < 2 or self.no_room_above
    cdef uint64_t share = self.climbed if self.climbed > ALONE else ALONE
    cdef int answer
    answer = ask(self, self.lower + 1, NO_END if alone else share)
    self.climbed += self.work - before
    if self.stop == Stop.OUT_OF_SHARE:
        self.stop = Stop.RUNNING
        return 0
    return answer


cdef int ask_above(LittlestoneSolver self) noexcept nogil:
    cdef uint64_t before = self.work, share = SLICE << self.round
    cdef int answer, k
    if self.hardest <= self.lower:
        self.hardest = self.lower
    if self.hardest >= self.upper:
        self.hardest = self.lower
        self.round += 1
    k = (self.hardest + self.upper + 1) // 2
    if self.hardest == self.lower:
        k = self.lower + 2
    answer = ask(self, k, share)
    self.descended += self.work - before
    if self.stop == Stop.OUT_OF_SHARE or self.stop == Stop.OUT_OF_MEMORY:
        self.no_room_above = self.stop == Stop.OUT_OF_MEMORY
        self.stop = Stop.RUNNING
        self.hardest = k
        return 0
    return answer
