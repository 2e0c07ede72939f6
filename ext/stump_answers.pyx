"""Answers of the stable learner on stumps, from bits that are given.  See README.md."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from pac_stability._core.entry cimport acquire, all_below, all_below_32, release

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    typedef unsigned __int128 pac_double_word;
    /* Whether all numbers in [u, u + 1) / 2**64 are below one / (one + zero), or none is: 1 or 0;
       -1 when that differs, for numbers or for weights up to `..._more`. All sums are below
       2**63. */
    static inline int pac_below_share(
        uint64_t u, uint64_t one, uint64_t zero, uint64_t one_more, uint64_t zero_more
    ) {
        if (((pac_double_word) u + 1) * (one + zero_more) <= (pac_double_word) one << 64) return 1;
        if ((pac_double_word) u * (one_more + zero) >= (pac_double_word) one_more << 64) return 0;
        return -1;
    }
    """
    int below_share "pac_below_share"(
        uint64_t u, uint64_t one, uint64_t zero, uint64_t one_more, uint64_t zero_more,
    ) noexcept nogil

cdef enum:
    # Why a run returned.
    FINISHED = 0
    WORDS = 1  # the words are used up
    DOUBT = 2  # weights are not known well enough to tell the label


@cython.final
cdef class StumpAnswers:
    """A sample, by ranks along each coordinate, and the weights of the numbers of errors."""

    cdef readonly int64_t memory
    cdef readonly uint64_t digits  # what was drawn where the last run had a doubt
    cdef readonly int64_t answered, used
    cdef const uint32_t[:, ::1] ranks
    cdef const int64_t[::1] begins, errors
    cdef const uint64_t[::1] powers
    cdef uint64_t spread
    cdef int64_t n, p, size, limbs, slots, count
    cdef uint32_t stamp
    cdef int busy
    cdef uint8_t[::1] drawn
    cdef int64_t[::1] subset, wrong
    cdef uint64_t[::1] keys, sorted_keys, patterns, current
    cdef int32_t[::1] coordinate, table
    cdef uint32_t[::1] stamps, rank

    def __cinit__(
        self,
        const uint32_t[:, ::1] ranks not None,
        const int64_t[::1] begins not None,
        const int64_t[::1] errors not None,
        int64_t size,
        const uint64_t[::1] powers not None,
        uint64_t spread,
        int64_t max_memory,
    ):
        cdef int64_t p = ranks.shape[0], n = ranks.shape[1], j, distinct, most, slots
        cdef uint64_t largest = 0
        if not 1 <= n < <int64_t> 1 << 31 or p < 1 or p >= <int64_t> 1 << 24:
            raise ValueError("ranks: want a row for each coordinate, and at least one example")
        if not 1 <= size <= n:
            raise ValueError("size: want a number from 1 to that of the examples")
        if begins.shape[0] != p + 1 or begins[0] != 0 or begins[p] != errors.shape[0]:
            raise ValueError("begins: want where the errors of each coordinate begin, and all end")
        for j in range(p):
            distinct = begins[j + 1] - begins[j]
            if begins[j] < 0 or not 1 <= distinct <= n or begins[j + 1] > errors.shape[0]:
                raise ValueError("begins: want from 1 to n errors for each coordinate")
            if not all_below_32(&ranks[j, 0], n, <uint32_t> distinct):
                raise ValueError("ranks: want numbers below those of the distinct values")
        if not all_below(&errors[0], errors.shape[0], <uint64_t> n + 1):
            raise ValueError("errors: want numbers from 0 to n")
        most = p * (size - 1) + 1
        if most >= <int64_t> 1 << 30:
            raise MemoryError("too many candidates")
        if powers.shape[0] < 1 or spread > <uint64_t> 1 << 32:
            raise ValueError("powers: want one at least, and a spread of at most 2**32")
        for j in range(powers.shape[0]):
            largest = max(largest, powers[j])
        if largest >= <uint64_t> 1 << 62 or powers[0] == 0:
            raise ValueError("powers: want numbers below 2**62, the first positive")
        if largest + spread > ((<uint64_t> 1 << 63) - 1) // <uint64_t> (2 * most):
            raise ValueError("powers: want sums below 2**63")
        slots = 16
        while slots < 2 * most:
            slots *= 2
        self.limbs = (size + 63) // 64
        self.memory = (
            n + 8 * (size + 2 * size) + 8 * self.limbs * (most + 1) + most * (8 + 4 + 4) + 8 * slots
        )
        if self.memory > max_memory:
            raise MemoryError(f"{self.memory} bytes are needed")
        self.ranks, self.begins, self.errors, self.powers = ranks, begins, errors, powers
        self.n, self.p, self.size, self.slots, self.spread = n, p, size, slots, spread
        self.drawn = np.zeros(n, dtype=np.uint8)
        self.subset = np.zeros(size, dtype=np.int64)
        self.keys = np.zeros(size, dtype=np.uint64)
        self.sorted_keys = np.zeros(size, dtype=np.uint64)
        self.patterns = np.zeros(most * self.limbs, dtype=np.uint64)
        self.current = np.zeros(self.limbs, dtype=np.uint64)
        self.wrong = np.zeros(most, dtype=np.int64)
        self.coordinate = np.zeros(most, dtype=np.int32)
        self.rank = np.zeros(most, dtype=np.uint32)
        self.table = np.zeros(slots, dtype=np.int32)
        self.stamps = np.zeros(slots, dtype=np.uint32)

    @property
    def chosen(self):
        """The indices that were drawn last, in no order."""
        return np.array(self.subset, dtype=np.int64)

    def candidates(self, const int64_t[::1] indices not None):
        """Return the coordinate and the rank of each stump that cuts a subset in another way.

        Each stands for two stumps, one of each orientation.  The first has the least rank of the
        subset along coordinate 0.

        Raises
        ------
        ValueError
            There are not as many indices as the object was made for, or one is out of range.
        """
        cdef int64_t i
        if indices.shape[0] != self.size:
            raise ValueError("indices: want as many as a subset has")
        if not all_below(&indices[0], self.size, self.n):
            raise ValueError("indices: want those of examples")
        self.claim()
        try:
            for i in range(self.size):
                self.subset[i] = indices[i]
            with nogil:
                cut(self)
            return (
                np.array(self.coordinate[:self.count], dtype=np.int32),
                np.array(self.rank[:self.count], dtype=np.int64),
            )
        finally:
            release(&self.busy)

    def answers(
        self,
        const uint64_t[::1] words not None,
        const uint32_t[:, ::1] places not None,
        uint8_t[::1] labels not None,
    ):
        """Label points, as far as the words go; return why it stopped.

        `places` has, for each point and coordinate, how many of the distinct values are at most the
        point's.  `answered` points have a label then, by the first `used` words.  After DOUBT the
        next point would have one if the weights were known better: `chosen` and `digits` are what
        was drawn for it, and its words are among those used.

        Raises
        ------
        ValueError
            The arrays do not fit.
        """
        cdef int64_t k = places.shape[0], j, q
        cdef int why = FINISHED
        if labels.shape[0] != k:
            raise ValueError("labels: want one for each point")
        if places.shape[1] != self.p:
            raise ValueError("places: want one for each coordinate")
        for q in range(k):
            for j in range(self.p):
                if places[q, j] > self.begins[j + 1] - self.begins[j]:
                    raise ValueError("places: want at most the number of distinct values")
        self.claim()
        self.answered = self.used = 0
        with nogil:
            while self.answered < k:
                why = answer(self, words, &places[self.answered, 0], &labels[self.answered])
                if why != FINISHED:
                    break
                self.answered += 1
        release(&self.busy)
        return why

    cdef int claim(self) except -1:
        if not acquire(&self.busy):
            raise RuntimeError("the object is at work in another thread")
        return 0


cdef inline int answer(
    StumpAnswers self, const uint64_t[::1] words, const uint32_t* places, uint8_t* label
) noexcept nogil:
    """Draw a subset, and the label of one of its candidates."""
    cdef int64_t i, errors, n = self.n, excess, known = self.powers.shape[0]
    cdef int64_t read = 2 * self.used, length = 2 * words.shape[0], least
    cdef uint64_t sums[2]
    cdef uint64_t ends[2]
    cdef int64_t last, index
    cdef uint64_t product
    cdef int above, decided
    # Floyd: each of the last `size` numbers below n, or the index drawn below it if that is new.
    for i in range(self.size):
        last = n - self.size + i
        while True:
            if read == length:
                forget(self, i)
                return WORDS
            product = <uint64_t> <uint32_t> (words[read >> 1] >> (32 * (read & 1)))
            product *= <uint64_t> (last + 1)
            read += 1
            if <uint32_t> product >= (<uint64_t> 1 << 32) % <uint64_t> (last + 1):
                break
        index = product >> 32
        if self.drawn[index]:
            index = last
        self.drawn[index] = 1
        self.subset[i] = index
    forget(self, self.size)
    read = (read + 1) >> 1
    if read == words.shape[0]:
        return WORDS
    self.digits = words[read]
    self.used = read + 1
    cut(self)
    least = n
    for i in range(self.count):
        errors = self.wrong[i]
        least = min(least, min(errors, n - errors))
    sums[0] = sums[1] = ends[0] = ends[1] = 0
    for i in range(self.count):
        # The upward stump labels the point 1 if its cut is one of the values up to the point.
        above = self.rank[i] < places[self.coordinate[i]]
        excess = self.wrong[i] - least
        if excess < known:
            sums[above] += self.powers[excess]
        excess = n - self.wrong[i] - least
        if excess < known:
            sums[1 - above] += self.powers[excess]
        ends[0] += self.spread
        ends[1] += self.spread
    decided = below_share(self.digits, sums[1], sums[0], sums[1] + ends[1], sums[0] + ends[0])
    if decided < 0:
        return DOUBT
    label[0] = <uint8_t> decided
    return FINISHED


cdef inline void forget(StumpAnswers self, int64_t count) noexcept nogil:
    cdef int64_t i
    for i in range(count):
        self.drawn[self.subset[i]] = 0


cdef void cut(StumpAnswers self) noexcept nogil:
    """List the candidates of the subset: a cut for each pattern, up to complements."""
    cdef int64_t j, i, place, size = self.size
    cdef uint64_t* keys = &self.keys[0]
    cdef const uint32_t* row
    cdef uint32_t rank
    self.count = 0
    self.stamp += 1
    if self.stamp == 0:
        memset(&self.stamps[0], 0, self.slots * sizeof(uint32_t))
        self.stamp = 1
    for j in range(self.p):
        row = &self.ranks[j, 0]
        for i in range(size):
            keys[i] = <uint64_t> row[self.subset[i]] << 32 | <uint64_t> i
        sort(keys, &self.sorted_keys[0], size)
        if j == 0:
            take(self, 0, <uint32_t> (keys[0] >> 32))
        memset(&self.current[0], 0, self.limbs * sizeof(uint64_t))
        i = size
        while True:
            rank = <uint32_t> (keys[i - 1] >> 32)
            while i > 0 and <uint32_t> (keys[i - 1] >> 32) == rank:
                i -= 1
                place = <uint32_t> keys[i]
                self.current[place >> 6] |= <uint64_t> 1 << (place & 63)
            if i == 0:
                break
            offer(self, <int32_t> j, rank)


cdef inline void take(StumpAnswers self, int32_t coordinate, uint32_t rank) noexcept nogil:
    self.coordinate[self.count] = coordinate
    self.rank[self.count] = rank
    self.wrong[self.count] = self.errors[self.begins[coordinate] + rank]
    self.count += 1


cdef inline void offer(StumpAnswers self, int32_t coordinate, uint32_t rank) noexcept nogil:
    """Take a cut unless its pattern, or the complement of it, is there already."""
    cdef int64_t limbs = self.limbs, i
    cdef uint64_t flip = 0 - (self.current[0] & 1), mixed = 0x9E3779B97F4A7C15
    cdef uint64_t* pattern = &self.patterns[self.count * limbs]
    cdef uint64_t last = 63 & <uint64_t> self.size
    cdef size_t slot
    cdef int64_t other
    # Of a pattern and its complement the one without the first element is kept.
    for i in range(limbs):
        pattern[i] = self.current[i] ^ flip
    if last:
        pattern[limbs - 1] &= (<uint64_t> 1 << last) - 1
    for i in range(limbs):
        mixed = (mixed ^ pattern[i]) * <uint64_t> 0xD6E8FEB86659FD93
        mixed ^= mixed >> 32
    slot = mixed & <uint64_t> (self.slots - 1)
    while self.stamps[slot] == self.stamp:
        other = self.table[slot]
        if memcmp(&self.patterns[other * limbs], pattern, limbs * sizeof(uint64_t)) == 0:
            return
        slot = (slot + 1) & <size_t> (self.slots - 1)
    self.stamps[slot] = self.stamp
    self.table[slot] = <int32_t> self.count
    take(self, coordinate, rank)


cdef void sort(uint64_t* keys, uint64_t* spare, int64_t count) noexcept nogil:
    """Sort by merging runs of 16."""
    cdef int64_t begin, middle, end, i, j, at, width = 16
    cdef uint64_t key
    for i in range(1, count):
        key = keys[i]
        begin = i & ~15
        j = i
        while j > begin and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key
    while width < count:
        begin = 0
        while begin < count:
            middle, end = min(begin + width, count), min(begin + 2 * width, count)
            i, j = begin, middle
            for at in range(begin, end):
                if j == end or (i < middle and keys[i] <= keys[j]):
                    spare[at] = keys[i]
                    i += 1
                else:
                    spare[at] = keys[j]
                    j += 1
            begin = end
        memcpy(keys, spare, count * sizeof(uint64_t))
        width *= 2
