"""Laws of labellings that examples patch, carried through draws and tournaments.  See README.md."""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from pac_stability._core.bitset cimport lowest, popcount
from pac_stability._core.entry cimport acquire, all_below, release, zero_one

import numpy as np

cdef extern from *:
    """
    typedef unsigned __int128 pac_two_limbs;
    static inline void pac_prefetch(const void *address) { __builtin_prefetch(address); }
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
    void prefetch "pac_prefetch"(const void* address) noexcept nogil
    size_t used "pac_used"(const uint64_t* number, size_t width) noexcept nogil
    void add_product "pac_add_product"(
        uint64_t* into, size_t width, const uint64_t* number, size_t count, uint64_t factor
    ) noexcept nogil
    void scale "pac_scale"(uint64_t* number, size_t width, uint64_t factor) noexcept nogil


cdef enum:
    CHUNK = 1 << 10  # entries that are allocated together
    FEWEST_SLOTS = 1 << 6
    MOST_LIMBS = 1 << 20


cdef struct Group:
    # Places lo to hi of the items: labellings that agree on the first `depth` points of the order.
    int64_t lo
    int64_t hi
    int64_t depth


@cython.final
cdef class PatchedLaw:
    """Weights of labellings of points, and what an example of a target does to them.

    A labelling is ``words`` words, bit x its label at point x.  A weight is a number of ``limbs``
    limbs of 64 bits; whoever adds weights up vouches that sums stay below that.  Example i of the
    target is the point ``columns[i]`` with the label ``labels[i]``, and counts ``factors[i]``.

    Raises
    ------
    ValueError
        The arrays do not fit each other, an index or a number is out of range, a point is named
        twice, or the factors add up to 2**64 or more.
    MemoryError
        More than ``max_memory`` bytes would be needed.
    """

    cdef readonly int64_t points, words, limbs
    cdef readonly int64_t size  # how many labellings were seen, with weight 0 too
    cdef readonly size_t memory
    cdef size_t most, returned
    cdef uint64_t** chunks  # of entries: a labelling, and its weight
    cdef int64_t chunk_count, chunk_room
    cdef uint64_t* slots  # half a hash, and the number of an entry plus one; 0 where it is free
    cdef size_t slot_count  # a power of two
    cdef uint64_t* support  # the points of the target, as a labelling
    cdef uint64_t* truth  # and its labels
    cdef uint64_t* factors  # by point
    cdef uint64_t total
    cdef uint64_t* key  # scratch: one labelling
    cdef uint32_t* targets  # scratch: one entry a point
    cdef int64_t* begins  # in `order`, by errors
    cdef uint32_t* order  # of entries, while an example is drawn: those that err least first
    cdef size_t order_bytes
    cdef int64_t ordered, position
    cdef int busy

    def __cinit__(
        self, int64_t points, int64_t limbs, const int64_t[::1] columns not None,
        const uint8_t[::1] labels not None, const uint64_t[::1] factors not None,
        size_t max_memory,
    ):
        cdef Py_ssize_t i, x
        cdef size_t words
        if not 1 <= points < <int64_t> 1 << 31 or not 1 <= limbs <= MOST_LIMBS:
            raise ValueError(f"want 1 to {(1 << 31) - 1} points and 1 to {MOST_LIMBS} limbs")
        if not columns.shape[0] == labels.shape[0] == factors.shape[0]:
            raise ValueError("columns, labels and factors: want the same length")
        if columns.shape[0] and not all_below(&columns[0], columns.shape[0], points):
            raise ValueError("columns: want points")
        if columns.shape[0] and not zero_one(&labels[0], labels.shape[0]):
            raise ValueError("labels: want 0 or 1")
        words = (points + 63) // 64
        self.points, self.words, self.limbs, self.most = points, words, limbs, max_memory
        self.slot_count = FEWEST_SLOTS
        if not self.book(8 * (3 * words + points + FEWEST_SLOTS) + 4 * points):
            raise MemoryError("max_memory is too small for a law")
        self.slots = <uint64_t*> calloc(self.slot_count, 8)
        self.support = <uint64_t*> calloc(3 * words + points, 8)
        self.targets = <uint32_t*> malloc(4 * points)
        if self.slots == NULL or self.support == NULL or self.targets == NULL:
            raise MemoryError("no memory for a law")
        self.truth = self.support + words
        self.key = self.truth + words
        self.factors = self.key + words
        for i in range(columns.shape[0]):
            x = columns[i]
            if self.factors[x]:
                raise ValueError("columns: want each point once")
            if factors[i] == 0 or self.total + factors[i] < self.total:
                raise ValueError("factors: want numbers from 1, of sum below 2**64")
            self.total += factors[i]
            self.factors[x] = factors[i]
            self.support[x >> 6] |= <uint64_t> 1 << (x & 63)
            self.truth[x >> 6] |= <uint64_t> labels[i] << (x & 63)

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.chunk_count):
            free(self.chunks[i])
        free(self.chunks)
        free(self.slots)
        free(self.support)
        free(self.targets)
        free(self.begins)

    # -- entries ----------------------------------------------------------------------------

    cdef bint book(self, size_t bytes) noexcept nogil:
        if bytes > self.most - self.memory:
            return False
        self.memory += bytes
        return True

    cdef inline uint64_t* entry(self, int64_t i) noexcept nogil:
        return self.chunks[i // CHUNK] + (i % CHUNK) * (self.words + self.limbs)

    cdef inline uint64_t hash(self, const uint64_t* key) noexcept nogil:
        cdef int64_t w
        cdef uint64_t mixed = 0
        for w in range(self.words):
            mixed = (mixed ^ key[w]) * <uint64_t> 0x9e3779b97f4a7c15
            mixed ^= mixed >> 32
        return mixed * <uint64_t> 0xd6e8feb86659fd93

    cdef inline size_t place(self, const uint64_t* key, uint64_t mixed) noexcept nogil:
        """The slot that names a labelling, or the free one where it belongs."""
        cdef size_t i = <size_t> (mixed >> 32) & (self.slot_count - 1)
        cdef uint64_t slot = self.slots[i]
        while slot and (
            <uint32_t> (slot >> 32) != <uint32_t> mixed
            or memcmp(self.entry(<int64_t> (<uint32_t> slot) - 1), key, 8 * self.words)
        ):
            i = (i + 1) & (self.slot_count - 1)
            slot = self.slots[i]
        return i

    cdef bint widen(self) noexcept nogil:
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
            mixed = self.hash(self.entry(e))
            i = <size_t> (mixed >> 32) & (self.slot_count - 1)
            while wider[i]:
                i = (i + 1) & (self.slot_count - 1)
            wider[i] = mixed << 32 | <uint64_t> (e + 1)
        free(old)
        self.memory -= 8 * before
        return True

    cdef bint another_chunk(self) noexcept nogil:
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

    cdef int64_t found(self, const uint64_t* key) noexcept nogil:
        """The number of a labelling, which gets weight 0 if it is new; -1 without memory."""
        cdef uint64_t mixed = self.hash(key)
        cdef size_t i = self.place(key, mixed)
        cdef uint64_t* made
        if self.slots[i]:
            return <int64_t> (<uint32_t> self.slots[i]) - 1
        if 3 * <size_t> (self.size + 1) > 2 * self.slot_count:
            if not self.widen():
                return -1
            i = self.place(key, mixed)
        if self.size == CHUNK * self.chunk_count and not self.another_chunk():
            return -1
        made = self.entry(self.size)
        memcpy(made, key, 8 * self.words)
        memset(made + self.words, 0, 8 * self.limbs)
        self.size += 1
        self.slots[i] = mixed << 32 | <uint64_t> self.size
        return self.size - 1

    # -- whole laws ---------------------------------------------------------------------------

    cdef int begin(self) except -1:
        if not acquire(&self.busy):
            raise RuntimeError("the law is in use by another thread")
        # What tournaments gave back, perhaps while the law was at work.
        self.memory -= self.returned
        self.returned = 0
        return 0

    cdef int check_keys(self, const uint64_t[:, ::1] keys) except -1:
        cdef Py_ssize_t i
        if keys.shape[1] != self.words:
            raise ValueError("keys: want as many words as the labellings have")
        for i in range(keys.shape[0] if self.points & 63 else 0):
            if keys[i, self.words - 1] >> (self.points & 63):
                raise ValueError("keys: want labels of points only")
        return 0

    def add(self, const uint64_t[:, ::1] keys not None, const uint64_t[:, ::1] weights not None):
        """Add weights to labellings.

        Raises
        ------
        ValueError
            The arrays do not fit, or an example is being drawn.
        MemoryError
            More than ``max_memory`` bytes would be needed; the first rows may have been added.
        """
        cdef Py_ssize_t i
        cdef int64_t e = 0
        self.check_keys(keys)
        if weights.shape[0] != keys.shape[0] or weights.shape[1] != self.limbs:
            raise ValueError("weights: want one for each labelling, in limbs")
        self.begin()
        if self.order != NULL:
            release(&self.busy)
            raise ValueError("an example is being drawn")
        with nogil:
            for i in range(keys.shape[0]):
                e = self.found(&keys[i, 0])
                if e < 0:
                    break
                add_product(
                    self.entry(e) + self.words, self.limbs, &weights[i, 0], self.limbs, 1)
        release(&self.busy)
        if e < 0:
            raise MemoryError("max_memory is too small for the law")

    cdef int64_t errors(self, const uint64_t* key) noexcept nogil:
        cdef int64_t w, count = 0
        for w in range(self.words):
            count += popcount((key[w] ^ self.truth[w]) & self.support[w])
        return count

    cdef bint sort(self) noexcept nogil:
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
            begins[self.errors(self.entry(e))] += 1
        before = 0
        for i in range(most):
            here = begins[i]
            begins[i] = before
            before += here
        for e in range(self.size):
            i = self.errors(self.entry(e))
            self.order[begins[i]] = <uint32_t> e
            begins[i] += 1
        return True

    cdef void unsort(self) noexcept nogil:
        free(self.begins)
        self.begins = NULL
        self.order = NULL
        self.memory -= self.order_bytes

    cdef int64_t patch(self, int64_t e) noexcept nogil:
        """Let one example come to a labelling; the steps that took, -1 without memory."""
        cdef uint64_t* moved = self.entry(e)
        cdef uint64_t* weight = moved + self.words
        cdef size_t count = used(weight, self.limbs)
        cdef uint64_t wrong, bit, stays = self.total
        cdef int64_t w, target, seen = 0
        cdef int x
        if count == 0:
            return 1
        memcpy(self.key, moved, 8 * self.words)
        for w in range(self.words):
            wrong = (moved[w] ^ self.truth[w]) & self.support[w]
            while wrong:
                self.key[w] ^= wrong & -wrong
                prefetch(self.slots + (
                    <size_t> (self.hash(self.key) >> 32) & (self.slot_count - 1)))
                self.key[w] = moved[w]
                wrong &= wrong - 1
        for w in range(self.words):
            wrong = (moved[w] ^ self.truth[w]) & self.support[w]
            while wrong:
                bit = wrong & -wrong
                self.key[w] ^= bit
                target = self.found(self.key)
                self.key[w] ^= bit
                if target < 0:
                    return -1
                self.targets[seen] = <uint32_t> target
                prefetch(self.entry(target))
                seen += 1
                wrong ^= bit
        seen = 0
        for w in range(self.words):
            wrong = (moved[w] ^ self.truth[w]) & self.support[w]
            while wrong:
                x = lowest(wrong)
                wrong &= wrong - 1
                stays -= self.factors[64 * w + x]
                add_product(
                    self.entry(self.targets[seen]) + self.words, self.limbs,
                    weight, count, self.factors[64 * w + x])
                seen += 1
        scale(weight, self.limbs, stays)
        return 1 + (seen + 1) * <int64_t> count

    def draw(self, double work):
        """Let one example of the target come, for ``work`` steps; return whether some are left.

        What the example says of its point is what labellings say from then on; each gets its
        weight times the factors of the examples that lead to it.

        Raises
        ------
        MemoryError
            More than ``max_memory`` bytes would be needed; the law is as after another call.
        """
        cdef double spent = 0
        cdef int64_t steps = 0
        if not work > 0:
            raise ValueError("work: want a positive number")
        self.begin()
        with nogil:
            if self.order == NULL and not self.sort():
                steps = -1
            while steps >= 0 and self.position < self.ordered and spent < work:
                steps = self.patch(self.order[self.position])
                if steps >= 0:
                    self.position += 1
                    spent += <double> steps
            if steps >= 0 and self.position == self.ordered:
                self.unsort()
        going_on = self.order != NULL
        release(&self.busy)
        if steps < 0:
            raise MemoryError("max_memory is too small for the law")
        return going_on

    def weights(self, const uint64_t[:, ::1] keys not None):
        """Return the weights of some labellings, in limbs."""
        cdef Py_ssize_t i
        cdef size_t at
        self.check_keys(keys)
        found = np.zeros((keys.shape[0], self.limbs), dtype=np.uint64)
        cdef uint64_t[:, ::1] into = found
        self.begin()
        for i in range(keys.shape[0]):
            at = self.place(&keys[i, 0], self.hash(&keys[i, 0]))
            if self.slots[at]:
                memcpy(
                    &into[i, 0],
                    self.entry(<int64_t> (<uint32_t> self.slots[at]) - 1) + self.words,
                    8 * self.limbs)
        release(&self.busy)
        return found

    def entries(self, int64_t begin, int64_t end):
        """Return labellings ``begin`` to ``end``, in the order of their coming, and weights."""
        cdef int64_t e
        if not 0 <= begin <= end <= self.size:
            raise ValueError(f"begin and end: want 0 to {self.size}")
        keys = np.empty((end - begin, self.words), dtype=np.uint64)
        weights = np.empty((end - begin, self.limbs), dtype=np.uint64)
        cdef uint64_t[:, ::1] into = keys
        cdef uint64_t[:, ::1] weigh = weights
        self.begin()
        for e in range(begin, end):
            memcpy(&into[e - begin, 0], self.entry(e), 8 * self.words)
            memcpy(&weigh[e - begin, 0], self.entry(e) + self.words, 8 * self.limbs)
        release(&self.busy)
        return keys, weights

    def summary(self, int64_t begin, int64_t end):
        """Sum up what labellings ``begin`` to ``end`` weigh.

        Returns
        -------
        tuple
            How many have a weight above 0, the largest weight, and the sum of the squares in twice
            as many limbs and one.
        """
        cdef int64_t e, i, limbs = self.limbs, positive = 0, best = -1
        cdef size_t count
        cdef uint64_t* weight
        cdef uint64_t* most = NULL
        if not 0 <= begin <= end <= self.size:
            raise ValueError(f"begin and end: want 0 to {self.size}")
        largest = np.zeros(limbs, dtype=np.uint64)
        squares = np.zeros(2 * limbs + 1, dtype=np.uint64)
        cdef uint64_t[::1] into = largest
        cdef uint64_t[::1] sum = squares
        self.begin()
        with nogil:
            for e in range(begin, end):
                weight = self.entry(e) + self.words
                count = used(weight, limbs)
                if count == 0:
                    continue
                positive += 1
                if best < 0 or more(weight, most, limbs):
                    best, most = e, weight
                for i in range(<int64_t> count):
                    add_product(&sum[i], 2 * limbs + 1 - i, weight, count, weight[i])
            if best >= 0:
                memcpy(&into[0], most, 8 * limbs)
        release(&self.busy)
        return positive, largest, squares


cdef bint more(const uint64_t* one, const uint64_t* other, int64_t limbs) noexcept nogil:
    cdef int64_t i
    for i in range(limbs - 1, -1, -1):
        if one[i] != other[i]:
            return one[i] > other[i]
    return False


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
            if used(law.entry(e) + law.words, law.limbs):
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
            return self.law.entry(item)
        return &self.keys[item - self.own, 0]

    cdef inline const uint64_t* weight(self, uint32_t item) noexcept nogil:
        if item < self.own:
            return self.law.entry(item) + self.law.words
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
        cdef int64_t x = self.order[self.depth], limbs = self.law.limbs, e, j
        cdef const uint64_t* mass = self.masses + limbs * (i < self.mid)
        cdef const uint64_t* weight
        cdef size_t count
        if item >= self.own:
            return self.record(item - self.own, x, mass)
        memcpy(self.key, self.law.entry(item), 8 * self.law.words)
        self.key[x >> 6] ^= <uint64_t> 1 << (x & 63)
        e = self.into.found(self.key)
        if e < 0:
            return -1
        weight = self.law.entry(item) + self.law.words
        count = used(weight, limbs)
        for j in range(min(limbs, self.into.limbs)):
            add_product(
                self.into.entry(e) + self.into.words + j, self.into.limbs - j,
                weight, count, mass[j])
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
