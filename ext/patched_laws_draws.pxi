# An example of the target comes to all labellings at once.

cdef extern from *:
    """
    static inline void pac_prefetch(const void *address) { __builtin_prefetch(address); }
    """
    void prefetch "pac_prefetch"(const void* address) noexcept nogil


cdef inline uint64_t wrong_at(PatchedLaw self, const uint64_t* key, int64_t w) noexcept nogil:
    """The points of one word where a labelling errs."""
    return (key[w] ^ self.truth[w]) & self.support[w]


cdef int64_t errors(PatchedLaw self, const uint64_t* key) noexcept nogil:
    cdef int64_t w, count = 0
    for w in range(self.words):
        count += popcount(wrong_at(self, key, w))
    return count


cdef bint sort(PatchedLaw self) noexcept nogil:
    """Set `order` up.  What an example patches errs less, so it has had its turn by then."""
    cdef int64_t e, i, before, here, most = self.points + 1
    cdef int64_t* begins
    cdef size_t bytes = 8 * <size_t> most + 4 * <size_t> self.size
    if not self.book(bytes):
        return False
    self.order_bytes = bytes
    begins = <int64_t*> malloc(bytes)
    if begins == NULL:
        self.memory -= bytes
        return False
    memset(begins, 0, 8 * most)
    self.begins = begins
    self.order = <uint32_t*> (begins + most)
    self.ordered, self.position = self.size, 0
    for e in range(self.size):
        begins[errors(self, entry(self, e))] += 1
    before = 0
    for i in range(most):
        here = begins[i]
        begins[i] = before
        before += here
    for e in range(self.size):
        i = errors(self, entry(self, e))
        self.order[begins[i]] = <uint32_t> e
        begins[i] += 1
    return True


cdef void unsort(PatchedLaw self) noexcept nogil:
    free(self.begins)
    self.begins = NULL
    self.order = NULL
    self.memory -= self.order_bytes


cdef int64_t patch(PatchedLaw self, int64_t e) noexcept nogil:
    """Let one example come to a labelling; the steps that took, -1 without memory."""
    cdef uint64_t* moved = entry(self, e)
    cdef uint64_t* weight = moved + self.words
    cdef size_t count = used(weight, self.limbs)
    cdef uint64_t wrong, bit, stays = self.total
    cdef int64_t w, target, seen = 0
    cdef int x
    if count == 0:
        return 1
    memcpy(self.key, moved, 8 * self.words)
    for w in range(self.words):
        wrong = wrong_at(self, moved, w)
        while wrong:
            self.key[w] ^= wrong & -wrong
            prefetch(self.slots + first_slot(self, hashed(self, self.key)))
            self.key[w] = moved[w]
            wrong &= wrong - 1
    for w in range(self.words):
        wrong = wrong_at(self, moved, w)
        while wrong:
            bit = wrong & -wrong
            self.key[w] ^= bit
            target = found(self, self.key)
            self.key[w] ^= bit
            if target < 0:
                return -1
            self.targets[seen] = <uint32_t> target
            prefetch(entry(self, target))
            seen += 1
            wrong ^= bit
    seen = 0
    for w in range(self.words):
        wrong = wrong_at(self, moved, w)
        while wrong:
            x = lowest(wrong)
            wrong &= wrong - 1
            stays -= self.factors[64 * w + x]
            add_product(
                weight_of(self, self.targets[seen]), self.limbs,
                weight, count, self.factors[64 * w + x])
            seen += 1
    scale(weight, self.limbs, stays)
    return 1 + (seen + 1) * <int64_t> count
