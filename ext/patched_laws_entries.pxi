# Labellings with their weights, in the order of their coming, and the table that finds them.

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
