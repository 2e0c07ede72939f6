# Weights, numbers of several limbs of 64 bits, the lowest first; labellings with their weights, in
# the order of their coming, and the table that finds them; and an example of the target, which
# comes to all labellings at once.

cdef extern from *:
    """
    typedef unsigned __int128 pac_two_limbs;
    /* The number of limbs up to the last one that is not 0. */
    static inline size_t pac_used(const uint64_t *number, size_t width) {
        while (width && !number[width - 1]) width--;
        return width;
    }
    /* into += number * factor.  What does not fit into `width` limbs is lost. */
    static inline void pac_add_product(
        uint64_t *into, size_t width, const uint64_t *number, size_t count, uint64_t factor
    ) {
        uint64_t carry = 0;
        size_t i = 0;
        if (count > width) count = width;
        for (; i < count; i++) {
            const pac_two_limbs sum = (pac_two_limbs)number[i] * factor + into[i] + carry;
            into[i] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        for (; carry && i < width; i++) {
            into[i] += carry;
            carry = into[i] < carry;
        }
    }
    /* number *= factor, likewise. */
    static inline void pac_scale(uint64_t *number, size_t width, uint64_t factor) {
        const size_t count = pac_used(number, width);
        uint64_t carry = 0;
        size_t i = 0;
        for (; i < count; i++) {
            const pac_two_limbs product = (pac_two_limbs)number[i] * factor + carry;
            number[i] = (uint64_t)product;
            carry = (uint64_t)(product >> 64);
        }
        if (carry && i < width) number[i] = carry;
    }
    """
    size_t used "pac_used"(const uint64_t* number, size_t width) noexcept nogil
    void add_product "pac_add_product"(
        uint64_t* into, size_t width, const uint64_t* number, size_t count, uint64_t factor
    ) noexcept nogil
    void scale "pac_scale"(uint64_t* number, size_t width, uint64_t factor) noexcept nogil


cdef inline void add_long_product(
    uint64_t* into, size_t width, const uint64_t* one, size_t count, const uint64_t* other,
    size_t other_count,
) noexcept nogil:
    """into += one * other, likewise."""
    cdef size_t i
    for i in range(min(other_count, width)):
        add_product(into + i, width - i, one, count, other[i])


cdef bint more(const uint64_t* one, const uint64_t* other, int64_t limbs) noexcept nogil:
    cdef int64_t i
    for i in range(limbs - 1, -1, -1):
        if one[i] != other[i]:
            return one[i] > other[i]
    return False


cdef inline uint64_t* entry(PatchedLaw self, int64_t i) noexcept nogil:
    return self.chunks[i // CHUNK] + (i % CHUNK) * (self.words + self.limbs)


cdef inline uint64_t* weight_of(PatchedLaw self, int64_t i) noexcept nogil:
    return entry(self, i) + self.words


cdef inline uint64_t hashed(PatchedLaw self, const uint64_t* key) noexcept nogil:
    cdef int64_t w
    cdef uint64_t mixed = 0
    for w in range(self.words):
        mixed = (mixed ^ key[w]) * <uint64_t> 0x9e3779b97f4a7c15
        mixed ^= mixed >> 32
    return mixed * <uint64_t> 0xd6e8feb86659fd93


cdef inline size_t first_slot(PatchedLaw self, uint64_t mixed) noexcept nogil:
    return <size_t> (mixed >> 32) & (self.slot_count - 1)


cdef inline uint64_t slot_of(uint64_t mixed, int64_t e) noexcept nogil:
    return mixed << 32 | <uint64_t> (e + 1)


cdef inline int64_t named(uint64_t slot) noexcept nogil:
    """The number of the entry in a slot that is not free."""
    return <int64_t> (<uint32_t> slot) - 1


cdef inline size_t place(PatchedLaw self, const uint64_t* key, uint64_t mixed) noexcept nogil:
    """The slot that names a labelling, or the free one where it belongs."""
    cdef size_t i = first_slot(self, mixed)
    cdef uint64_t slot = self.slots[i]
    while slot and (
        <uint32_t> (slot >> 32) != <uint32_t> mixed
        or memcmp(entry(self, named(slot)), key, 8 * self.words)
    ):
        i = (i + 1) & (self.slot_count - 1)
        slot = self.slots[i]
    return i


cdef bint widen(PatchedLaw self) noexcept nogil:
    """Take twice as many slots."""
    cdef size_t i, before = self.slot_count
    cdef uint64_t* old = self.slots
    cdef uint64_t mixed
    cdef uint64_t* wider
    cdef int64_t e
    if before >= <size_t> 1 << 32 or not self.book(16 * before):
        return False
    wider = <uint64_t*> calloc(2 * before, 8)
    if wider == NULL:
        self.memory -= 16 * before
        return False
    self.slots = wider
    self.slot_count = 2 * before
    for e in range(self.size):
        mixed = hashed(self, entry(self, e))
        i = first_slot(self, mixed)
        while wider[i]:
            i = (i + 1) & (self.slot_count - 1)
        wider[i] = slot_of(mixed, e)
    free(old)
    self.memory -= 8 * before
    return True


cdef bint another_chunk(PatchedLaw self) noexcept nogil:
    cdef size_t bytes = 8 * CHUNK * <size_t> (self.words + self.limbs)
    cdef int64_t room = 2 * self.chunk_room + 16
    cdef uint64_t** moved
    if self.chunk_count == self.chunk_room:
        if not self.book(sizeof(void*) * (room - self.chunk_room)):
            return False
        moved = <uint64_t**> realloc(self.chunks, sizeof(void*) * room)
        if moved == NULL:
            self.memory -= sizeof(void*) * (room - self.chunk_room)
            return False
        self.chunks = moved
        self.chunk_room = room
    if not self.book(bytes):
        return False
    self.chunks[self.chunk_count] = <uint64_t*> malloc(bytes)
    if self.chunks[self.chunk_count] == NULL:
        self.memory -= bytes
        return False
    self.chunk_count += 1
    return True


cdef int64_t found(PatchedLaw self, const uint64_t* key) noexcept nogil:
    """The number of a labelling, which gets weight 0 if it is new; -1 without memory."""
    cdef uint64_t mixed = hashed(self, key)
    cdef size_t i = place(self, key, mixed)
    cdef uint64_t* made
    if self.slots[i]:
        return named(self.slots[i])
    if 3 * <size_t> (self.size + 1) > 2 * self.slot_count:
        if not widen(self):
            return -1
        i = place(self, key, mixed)
    if self.size == CHUNK * self.chunk_count and not another_chunk(self):
        return -1
    made = entry(self, self.size)
    memcpy(made, key, 8 * self.words)
    memset(made + self.words, 0, 8 * self.limbs)
    self.slots[i] = slot_of(mixed, self.size)
    self.size += 1
    return self.size - 1


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
