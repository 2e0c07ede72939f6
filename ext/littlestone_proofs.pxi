# What can be checked without the search: shattered trees, and why a dimension is no larger.

cdef int walk(
    LittlestoneSolver self,
    int depth,
    int k,
    size_t position,
    uint32_t* rows,
    int64_t* points,
    int64_t* leaves,
    size_t internal,
) noexcept nogil:
    """Write the subtree at `position` (heap order) for the rows of the matrix at `depth`."""
    cdef Matrix* node = &self.frames[depth]
    cdef uint32_t* below = rows + self.base.n
    cdef uint32_t column = 0, i, size, taken
    cdef bint label, ones
    cdef int answer
    cdef Entry* entry
    if k == 2 and node.m == 0:
        return -1
    if k == 0:
        leaves[position - internal] = rows[0]
        return 1
    if k == 1:
        while bit(&self.base, rows[0], column) == bit(&self.base, rows[1], column):
            column += 1
            if column == self.base.m:
                return -1
        label = bit(&self.base, rows[0], column)
        points[position] = column
        leaves[2 * position + 1 + label - internal] = rows[0]
        leaves[2 * position + 2 - label - internal] = rows[1]
        return 1
    if k >= 3:
        entry = find(self, node.key)
        if entry == NULL or entry.lo < k:
            answer = at_least(self, depth, k)
            if answer <= 0:
                return -1
            entry = find(self, node.key)
        column = entry.witness
    points[position] = node.ids[column] >> 1
    for ones in range(2):
        size = take_side(node, column, ones)
        label = ones ^ (node.ids[column] & 1)
        taken = 0
        for i in range(node.n):
            below[taken] = rows[i]
            taken += (node.mask[i >> 6] >> (i & 63)) & 1
        if k > 2 and derive(self, node, &self.frames[depth + 1], size, 0) < 0:
            return -1
        answer = walk(
            self, depth + 1, k - 1, 2 * position + 1 + label, below, points, leaves, internal
        )
        if answer < 0:
            return -1
    return 1


cdef int write_tree(
    LittlestoneSolver self, int k, int64_t* points, int64_t* leaves
) noexcept nogil:
    """Write a shattered tree of the whole class, which has Ldim >= k; -1 when stopped."""
    cdef size_t bytes = ((<size_t>k + 1) * self.base.n + 1) * sizeof(uint32_t)
    cdef uint32_t* rows
    cdef uint32_t i
    cdef int answer = -1
    if not reserve(self, bytes):
        self.stop = Stop.OUT_OF_MEMORY
        return -1
    rows = <uint32_t*>malloc(bytes)
    if rows == NULL:
        self.stop = Stop.OUT_OF_MEMORY
    else:
        for i in range(self.base.n):
            rows[i] = i
        if take_whole(self) > 0:
            answer = walk(self, 0, k, 0, rows, points, leaves, (<size_t>1 << k) - 1)
        free(rows)
    self.bytes -= bytes
    return answer


cdef Claim* claim_slot(LittlestoneSolver self, const uint64_t* key, int k) noexcept nogil:
    """The claim "Ldim < k" about a matrix, or the free slot where it belongs."""
    cdef size_t i = key[0]
    cdef Claim* claim
    while True:
        claim = &self.claims[i & (self.claim_slots - 1)]
        if claim.k == 0 or (
            claim.k == <uint32_t>k and claim.key[0] == key[0] and claim.key[1] == key[1]
        ):
            return claim
        i += 1


cdef bint more_claims(LittlestoneSolver self) noexcept nogil:
    cdef size_t i, old_slots = self.claim_slots
    cdef size_t slots = 2 * old_slots if old_slots else 1024
    cdef Claim* old = self.claims
    cdef Claim* larger
    if not reserve(self, slots * sizeof(Claim)):
        return False
    larger = <Claim*>calloc(slots, sizeof(Claim))
    if larger == NULL:
        self.bytes -= slots * sizeof(Claim)
        return False
    self.claims = larger
    self.claim_slots = slots
    for i in range(old_slots):
        if old[i].k:
            claim_slot(self, old[i].key, <int>old[i].k)[0] = old[i]
    free(old)
    self.bytes -= old_slots * sizeof(Claim)
    return True


cdef bint add_reason(
    LittlestoneSolver self, uint32_t step, uint32_t column, uint32_t label, uint32_t child
) noexcept nogil:
    cdef size_t capacity = self.reason_capacity
    cdef Reason* larger
    if self.reason_count == capacity:
        capacity = 2 * capacity if capacity else 1024
        if not reserve(self, (capacity - self.reason_capacity) * sizeof(Reason)):
            return False
        larger = <Reason*>realloc(self.reasons, capacity * sizeof(Reason))
        if larger == NULL:
            self.bytes -= (capacity - self.reason_capacity) * sizeof(Reason)
            return False
        self.reasons = larger
        self.reason_capacity = capacity
    self.reasons[self.reason_count].step = step
    self.reasons[self.reason_count].column = column
    self.reasons[self.reason_count].label = label
    self.reasons[self.reason_count].child = child
    self.reason_count += 1
    return True


cdef int argue(LittlestoneSolver self, int depth, int k, uint32_t* step) noexcept nogil:
    """Write why the matrix at `depth`, which has at least 2**k rows, has Ldim < k."""
    cdef Matrix* node = &self.frames[depth]
    cdef Matrix* child = &self.frames[depth + 1]
    cdef uint32_t failures = 0, column, rows, done, found, below = 0, id
    cdef bint ones, _second
    cdef int answer = 0
    cdef Claim* claim
    if 2 * <size_t>self.steps >= self.claim_slots and not more_claims(self):
        self.stop = Stop.OUT_OF_MEMORY
        return -1
    claim = claim_slot(self, node.key, k)
    if claim.k:
        step[0] = claim.step
        return 1
    if self.steps == self.max_steps:
        self.stop = Stop.OUT_OF_STEPS
        return -1
    claim.key[0] = node.key[0]
    claim.key[1] = node.key[1]
    claim.k = <uint32_t>k
    claim.step = step[0] = self.steps
    self.steps += 1
    found = candidates(node, <uint32_t>1 << (k - 1))
    for done in range(found):
        if self.spend(found - done + <uint64_t>failures * node.width):
            return -1
        column = next_candidate(node, found, done)
        ones = not fewer_ones(node, column)
        if implied(node, column, failures):
            continue
        for _second in range(2):
            ones = not ones
            rows = take_side(node, column, ones)
            if derive(self, node, child, rows, 0) < 0:
                return -1
            answer = at_least(self, depth + 1, k - 1)
            if answer < 0:
                return -1
            if answer == 0:
                break
        if answer or argue(self, depth + 1, k - 1, &below) < 0:
            return -1
        note_failure(node, failures, rows)
        failures += 1
        id = node.ids[column]
        if not add_reason(self, step[0], id >> 1, ones ^ (id & 1), below):
            self.stop = Stop.OUT_OF_MEMORY
            return -1
    return 1


cdef void forget_argument(LittlestoneSolver self) noexcept nogil:
    free(self.claims)
    free(self.reasons)
    self.bytes -= self.claim_slots * sizeof(Claim) + self.reason_capacity * sizeof(Reason)
    self.claims = NULL
    self.reasons = NULL
    self.claim_slots = self.reason_capacity = self.reason_count = 0
    self.steps = 0
