"""Laws of labellings that examples patch, carried through draws and tournaments.  See README.md."""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from pac_stability._core.bitset cimport lowest, popcount
from pac_stability._core.entry cimport acquire, all_below, release, zero_one

import numpy as np

cdef enum:
    CHUNK = 1 << 10  # entries that are allocated together
    FEWEST_SLOTS = 1 << 6
    MOST_LIMBS = 1 << 20


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

    cdef bint book(self, size_t bytes) noexcept nogil:
        if bytes > self.most - self.memory:
            return False
        self.memory += bytes
        return True

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

    cdef int check_range(self, int64_t begin, int64_t end) except -1:
        if not 0 <= begin <= end <= self.size:
            raise ValueError(f"begin and end: want 0 to {self.size}")
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
                e = found(self, &keys[i, 0])
                if e < 0:
                    break
                add_product(weight_of(self, e), self.limbs, &weights[i, 0], self.limbs, 1)
        release(&self.busy)
        if e < 0:
            raise MemoryError("max_memory is too small for the law")

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
            if self.order == NULL and not sort(self):
                steps = -1
            while steps >= 0 and self.position < self.ordered and spent < work:
                steps = patch(self, self.order[self.position])
                if steps >= 0:
                    self.position += 1
                    spent += <double> steps
            if steps >= 0 and self.position == self.ordered:
                unsort(self)
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
        weights = np.zeros((keys.shape[0], self.limbs), dtype=np.uint64)
        cdef uint64_t[:, ::1] into = weights
        self.begin()
        for i in range(keys.shape[0]):
            at = place(self, &keys[i, 0], hashed(self, &keys[i, 0]))
            if self.slots[at]:
                memcpy(&into[i, 0], weight_of(self, named(self.slots[at])), 8 * self.limbs)
        release(&self.busy)
        return weights

    def entries(self, int64_t begin, int64_t end):
        """Return labellings ``begin`` to ``end``, in the order of their coming, and weights."""
        cdef int64_t e
        self.check_range(begin, end)
        keys = np.empty((end - begin, self.words), dtype=np.uint64)
        weights = np.empty((end - begin, self.limbs), dtype=np.uint64)
        cdef uint64_t[:, ::1] into = keys
        cdef uint64_t[:, ::1] weigh = weights
        self.begin()
        for e in range(begin, end):
            memcpy(&into[e - begin, 0], entry(self, e), 8 * self.words)
            memcpy(&weigh[e - begin, 0], weight_of(self, e), 8 * self.limbs)
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
        cdef int64_t e, limbs = self.limbs, positive = 0, best = -1
        cdef size_t count
        cdef uint64_t* weight
        cdef uint64_t* most = NULL
        self.check_range(begin, end)
        largest = np.zeros(limbs, dtype=np.uint64)
        squares = np.zeros(2 * limbs + 1, dtype=np.uint64)
        cdef uint64_t[::1] into = largest
        cdef uint64_t[::1] sum = squares
        self.begin()
        with nogil:
            for e in range(begin, end):
                weight = weight_of(self, e)
                count = used(weight, limbs)
                if count == 0:
                    continue
                positive += 1
                if best < 0 or more(weight, most, limbs):
                    best, most = e, weight
                add_long_product(&sum[0], 2 * limbs + 1, weight, count, weight, count)
            if best >= 0:
                memcpy(&into[0], most, 8 * limbs)
        release(&self.busy)
        return positive, largest, squares


include "patched_laws_entries.pxi"
include "patched_laws_tournament.pxi"
