# A tournament: the players are split until each is told from every other.

cdef struct Group:
    # Places lo to hi of the items: labellings that agree on the first `depth` points of the order.
    int64_t lo
    int64_t hi
    int64_t depth


@cython.final
cdef class PatchedTournament:
    """One tournament between independent players of the same law, most of whom are patched.

    The players have the labellings of ``law`` with its weights, and ``keys`` with ``weights``.
    Two different labellings are told apart at the first point of ``order`` where they differ; both
    are patched there, and get their weight times that of the other.  Those of ``law`` are added to
    ``into``, which is another law; of ``keys``, ``met`` says what it needs.  Neither law may be
    given weights meanwhile.

    Raises
    ------
    ValueError
        The arrays or laws do not fit each other, or the order is not one of all points.
    MemoryError
        More memory would be needed than ``law`` has left.
    """

    cdef PatchedLaw law, into
    cdef const uint64_t[:, ::1] keys, weights
    cdef const int64_t[::1] order
    cdef uint32_t* items  # entries of the law, then places of `keys`
    cdef int64_t own  # how many entries the law has
    cdef int64_t count
    cdef Group* stack
    cdef int64_t height
    cdef int64_t lo, mid, hi, position, depth  # the group that is being split, and how far
    cdef uint64_t* masses  # of its two sides
    cdef uint64_t* key
    cdef int64_t* records  # place of `keys` and point
    cdef uint64_t* record_masses
    cdef int64_t recorded, record_room
    cdef size_t bytes
    cdef int busy

    def __cinit__(
        self, PatchedLaw law not None, PatchedLaw into not None,
        const uint64_t[:, ::1] keys not None, const uint64_t[:, ::1] weights not None,
        const int64_t[::1] order not None,
    ):
        cdef int64_t n = law.points
        law.check_keys(keys)
        if into is law or into.points != n:
            raise ValueError("into: want another law on the same points")
        if weights.shape[0] != keys.shape[0] or weights.shape[1] != law.limbs:
            raise ValueError("weights: want one for each labelling, in limbs")
        if order.shape[0] != n or not all_below(&order[0], n, n) or len(set(order)) != n:
            raise ValueError("order: want all points")
        if keys.shape[0] >= <int64_t> 1 << 31:
            raise ValueError("keys: want fewer than 2**31 players")
        self.law, self.into = law, into
        self.keys, self.weights, self.order = keys, weights, order
        law.begin()
        taken = self.gather()
        release(&law.busy)
        if not taken:
            raise MemoryError("max_memory is too small for a tournament")

    cdef bint gather(self) noexcept:
        """Set the items up, from a law that is claimed."""
        cdef PatchedLaw law = self.law
        cdef int64_t e, i, others = self.keys.shape[0]
        cdef size_t items = 4 * <size_t> (law.size + others) + 1
        cdef size_t stack = (law.points + 2) * sizeof(Group)
        cdef size_t masses = 8 * <size_t> (2 * law.limbs + law.words)
        if law.size + others >= <int64_t> 1 << 32 or not law.book(items + stack + masses):
            return False
        self.bytes = items + stack + masses
        self.items = <uint32_t*> malloc(items)
        self.stack = <Group*> malloc(stack)
        self.masses = <uint64_t*> malloc(masses)
        if self.items == NULL or self.stack == NULL or self.masses == NULL:
            return False
        self.key = self.masses + 2 * law.limbs
        self.own = law.size
        for e in range(self.own):
            if used(weight_of(law, e), law.limbs):
                self.items[self.count] = <uint32_t> e
                self.count += 1
        for i in range(others):
            self.items[self.count] = <uint32_t> (self.own + i)
            self.count += 1
        self.push(0, self.count, 0)
        return True

    def __dealloc__(self):
        if self.law is not None:
            self.law.returned += self.bytes
        free(self.items)
        free(self.stack)
        free(self.masses)
        free(self.records)
        free(self.record_masses)

    cdef inline const uint64_t* labelling(self, uint32_t item) noexcept nogil:
        if item < self.own:
            return entry(self.law, item)
        return &self.keys[item - self.own, 0]

    cdef inline const uint64_t* weight(self, uint32_t item) noexcept nogil:
        if item < self.own:
            return weight_of(self.law, item)
        return &self.weights[item - self.own, 0]

    cdef void push(self, int64_t lo, int64_t hi, int64_t depth) noexcept nogil:
        # One sibling waits for each point of the way, so the stack is high enough.
        if hi - lo >= 2 and depth < self.law.points:
            self.stack[self.height] = Group(lo, hi, depth)
            self.height += 1

    cdef bint label(self, uint32_t item, int64_t x) noexcept nogil:
        return self.labelling(item)[x >> 6] >> (x & 63) & 1

    cdef int64_t split(self) noexcept nogil:
        """Take a group and tell it apart at the next point; the steps that took."""
        cdef Group group
        cdef int64_t left, right, x, i, limbs = self.law.limbs
        self.height -= 1
        group = self.stack[self.height]
        left, right = group.lo, group.hi
        x = self.order[group.depth]
        while left < right:
            if not self.label(self.items[left], x):
                left += 1
            else:
                right -= 1
                self.items[left], self.items[right] = self.items[right], self.items[left]
        if left == group.lo or left == group.hi:
            self.push(group.lo, group.hi, group.depth + 1)
            return group.hi - group.lo
        memset(self.masses, 0, 16 * limbs)
        for i in range(group.lo, group.hi):
            add_product(
                self.masses + limbs * (i >= left), limbs, self.weight(self.items[i]), limbs, 1)
        self.lo, self.mid, self.hi, self.depth = group.lo, left, group.hi, group.depth
        self.position = group.lo
        return (group.hi - group.lo) * (1 + limbs)

    cdef int64_t match(self, int64_t i) noexcept nogil:
        """Patch one item where it is told from the other side; steps, -1 without memory."""
        cdef uint32_t item = self.items[i]
        cdef int64_t x = self.order[self.depth], limbs = self.law.limbs, e
        cdef const uint64_t* mass = self.masses + limbs * (i < self.mid)
        cdef const uint64_t* weight
        cdef size_t count
        if item >= self.own:
            return self.record(item - self.own, x, mass)
        memcpy(self.key, entry(self.law, item), 8 * self.law.words)
        self.key[x >> 6] ^= <uint64_t> 1 << (x & 63)
        e = found(self.into, self.key)
        if e < 0:
            return -1
        weight = weight_of(self.law, item)
        count = used(weight, limbs)
        add_long_product(weight_of(self.into, e), self.into.limbs, weight, count, mass, limbs)
        return 1 + <int64_t> count * limbs

    cdef int64_t record(self, int64_t place, int64_t x, const uint64_t* mass) noexcept nogil:
        cdef int64_t room = 2 * self.record_room + 64
        cdef size_t each = 16 + 8 * self.law.limbs
        cdef size_t more = each * (room - self.record_room)
        cdef void* moved
        if self.recorded == self.record_room:
            if not self.law.book(more):
                return -1
            self.bytes += more
            moved = realloc(self.records, 16 * room)
            if moved == NULL:
                return -1
            self.records = <int64_t*> moved
            moved = realloc(self.record_masses, 8 * self.law.limbs * room)
            if moved == NULL:
                return -1
            self.record_masses = <uint64_t*> moved
            self.record_room = room
        self.records[2 * self.recorded] = place
        self.records[2 * self.recorded + 1] = x
        memcpy(self.record_masses + self.law.limbs * self.recorded, mass, 8 * self.law.limbs)
        self.recorded += 1
        return 1 + self.law.limbs

    cdef int begin(self) except -1:
        if not acquire(&self.busy):
            raise RuntimeError("the tournament is in use by another thread")
        try:
            self.law.begin()
            try:
                self.into.begin()
            except RuntimeError:
                release(&self.law.busy)
                raise
        except RuntimeError:
            release(&self.busy)
            raise
        return 0

    cdef void end(self) noexcept nogil:
        release(&self.into.busy)
        release(&self.law.busy)
        release(&self.busy)

    def advance(self, double work):
        """Let players meet for about ``work`` steps; return whether some are left.

        Raises
        ------
        ValueError
            An example is being drawn for one of the laws.
        MemoryError
            More memory would be needed than a law has left; nothing is lost.
        """
        cdef double spent = 0
        cdef int64_t steps = 0
        if not work > 0:
            raise ValueError("work: want a positive number")
        self.begin()
        if self.law.order != NULL or self.into.order != NULL:
            self.end()
            raise ValueError("an example is being drawn")
        with nogil:
            while steps >= 0 and spent < work:
                if self.position < self.hi:
                    steps = self.match(self.position)
                    if steps >= 0:
                        self.position += 1
                    if self.position == self.hi:
                        self.push(self.lo, self.mid, self.depth + 1)
                        self.push(self.mid, self.hi, self.depth + 1)
                elif self.height:
                    steps = self.split()
                else:
                    break
                spent += <double> steps
        going_on = self.height > 0 or self.position < self.hi
        self.end()
        if steps < 0:
            raise MemoryError("max_memory is too small for the tournament")
        return going_on

    @property
    def met(self):
        """Whom ``keys`` met so far: places, the points, and the weights of the others."""
        cdef int64_t i
        self.begin()
        records = np.empty((self.recorded, 2), dtype=np.int64)
        masses = np.empty((self.recorded, self.law.limbs), dtype=np.uint64)
        cdef int64_t[:, ::1] into = records
        cdef uint64_t[:, ::1] weigh = masses
        for i in range(self.recorded):
            into[i, 0], into[i, 1] = self.records[2 * i], self.records[2 * i + 1]
            memcpy(&weigh[i, 0], self.record_masses + self.law.limbs * i, 8 * self.law.limbs)
        self.end()
        return records[:, 0], records[:, 1], masses
