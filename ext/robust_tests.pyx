"""The best test for each output of a mechanism: the inner loop of robust generalization.

Every set of elements is tried as a test, and for each output the probabilities of the samples that
fail the test are added, as integers of any length.  See README.md.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from pac_stability._core.entry cimport acquire, acquired, all_below_32, release

import numpy as np


cdef int check_tests(
    const int32_t[:, ::1] counts, const int32_t[::1] low, const int32_t[::1] high
) except -1:
    cdef Py_ssize_t i, s
    cdef int64_t most = 0, largest
    if low.shape[0] != high.shape[0]:
        raise ValueError("low and high: want a number for each test")
    if counts.shape[0] >= 62 or low.shape[0] > <int64_t> 1 << counts.shape[0]:
        raise ValueError("low: want at most a test for each set of elements")
    if counts.shape[1] >= <Py_ssize_t> 1 << 32:
        raise ValueError("counts: want fewer than 2**32 samples")
    for i in range(counts.shape[0]):
        largest = 0
        for s in range(counts.shape[1]):
            if counts[i, s] < 0:
                raise ValueError("counts: want numbers that are not negative")
            largest = max(largest, counts[i, s])
        most += largest
    if most >= <int64_t> 1 << 31:
        raise ValueError("counts: want fewer than 2**31 elements in a sample")
    return 0


cdef int check_weights(
    const int64_t[::1] begins, const uint32_t[::1] samples, const uint32_t[:, ::1] digits,
    Py_ssize_t count,
) except -1:
    cdef Py_ssize_t y, j
    if digits.shape[0] == 0 or digits.shape[1] != samples.shape[0]:
        raise ValueError("digits: want one for each place and weight")
    if begins.shape[0] == 0 or begins[0] != 0 or begins[begins.shape[0] - 1] != samples.shape[0]:
        raise ValueError("begins: want 0 first, and the number of weights last")
    if samples.shape[0] and not all_below_32(&samples[0], samples.shape[0], <uint32_t> count):
        raise ValueError("samples: want numbers of samples")
    for y in range(begins.shape[0] - 1):
        if not begins[y] < begins[y + 1] <= samples.shape[0]:
            raise ValueError("begins: want a weight for each output")
        for j in range(begins[y] + 1, begins[y + 1]):
            if samples[j - 1] >= samples[j]:
                raise ValueError("samples: want increasing ones for each output")
    return 0


@cython.final
cdef class AdversarySearch:
    """For each output, the test that fails most, and the sum of the weights on which it fails.

    Test number t contains element i when bit i of t is set.  Sample s has ``counts[i, s]`` of
    element i, and fails test t when it has fewer than ``low[t]`` elements of the test or more than
    ``high[t]``; the first test is empty.  Output y has the weights ``begins[y]`` to
    ``begins[y + 1]``, at least one, each for the sample that ``samples`` names, in increasing
    order; weight j is the sum of ``digits[p, j]`` times 2**(32 p).  The arrays are kept, and not to
    be changed as long as the search lives.

    Raises
    ------
    ValueError
        The arrays do not fit each other, or an index or a number is out of range.
    """

    cdef readonly int64_t tried  # tests so far, in the order of their numbers
    cdef const int32_t[:, ::1] counts
    cdef const int32_t[::1] low, high
    cdef const int64_t[::1] begins
    cdef const uint32_t[::1] samples
    cdef const uint32_t[:, ::1] digits
    cdef int64_t outputs, length
    cdef int64_t test  # the one that `hits` is of
    cdef int32_t[::1] hits  # how many elements of the test each sample has
    cdef uint32_t[::1] fails  # all bits or none: whether a sample fails the test
    cdef uint64_t[::1] sum
    cdef int64_t[::1] best
    cdef uint64_t[:, ::1] sums  # of the best tests
    cdef int busy

    def __cinit__(
        self, const int32_t[:, ::1] counts not None, const int32_t[::1] low not None,
        const int32_t[::1] high not None, const int64_t[::1] begins not None,
        const uint32_t[::1] samples not None, const uint32_t[:, ::1] digits not None,
    ):
        check_tests(counts, low, high)
        check_weights(begins, samples, digits, counts.shape[1])
        self.counts = counts
        self.low = low
        self.high = high
        self.begins = begins
        self.samples = samples
        self.digits = digits
        self.outputs = begins.shape[0] - 1
        self.length = digits.shape[0]
        self.hits = np.zeros(counts.shape[1], dtype=np.int32)
        self.fails = np.zeros(counts.shape[1], dtype=np.uint32)
        self.sum = np.zeros(self.length, dtype=np.uint64)
        self.best = np.zeros(self.outputs, dtype=np.int64)
        self.sums = np.zeros((self.outputs, self.length), dtype=np.uint64)

    def advance(self, double work):
        """Try tests for about ``work`` additions; return whether some are left."""
        cdef double spent = 0, each = self.samples.shape[0] * self.length + self.hits.shape[0]
        cdef int64_t y, p
        if not work > 0:
            raise ValueError("work: want a positive number")
        self.begin()
        with nogil:
            while self.tried < self.low.shape[0] and spent < work:
                self.judge(self.tried)
                for y in range(self.outputs):
                    self.add(y)
                    if self.is_more(y):
                        self.best[y] = self.tried
                        for p in range(self.length):
                            self.sums[y, p] = self.sum[p]
                self.tried += 1
                spent += each + self.outputs
        going_on = self.tried < self.low.shape[0]
        release(&self.busy)
        return going_on

    def scores(self, int64_t test):
        """Return for each output the digits of the sum of the weights that fail a test."""
        if not 0 <= test < self.low.shape[0]:
            raise ValueError(f"test: got {test}, want 0 to {self.low.shape[0] - 1}")
        found = np.empty((self.outputs, self.length), dtype=np.uint64)
        cdef uint64_t[:, ::1] into = found
        cdef int64_t y, p
        self.begin()
        with nogil:
            self.judge(test)
            for y in range(self.outputs):
                self.add(y)
                for p in range(self.length):
                    into[y, p] = self.sum[p]
        release(&self.busy)
        return found

    @property
    def found(self):
        """For each output the first of its best tests, and the digits of the sum for it."""
        if acquired(&self.busy):
            raise RuntimeError("the search is already running in another thread")
        return np.array(self.best), np.array(self.sums)

    cdef int begin(self) except -1:
        if not acquire(&self.busy):
            raise RuntimeError("the search is already running in another thread")
        return 0

    cdef void judge(self, int64_t test) noexcept nogil:
        """Find out which samples fail a test, from the hits of the test before."""
        cdef int64_t change = self.test ^ test, count = self.hits.shape[0], i = 0, s
        cdef int32_t* hits = &self.hits[0]
        cdef uint32_t* fails = &self.fails[0]
        cdef const int32_t* counts
        cdef int32_t low = self.low[test], high = self.high[test]
        while change >> i:
            if change >> i & 1:
                counts = &self.counts[i, 0]
                if test >> i & 1:
                    for s in range(count):
                        hits[s] += counts[s]
                else:
                    for s in range(count):
                        hits[s] -= counts[s]
            i += 1
        self.test = test
        for s in range(count):
            fails[s] = -<uint32_t> ((hits[s] < low) | (hits[s] > high))

    cdef void add(self, int64_t y) noexcept nogil:
        """Add the weights of an output that fail; no sum of 2**32 digits overflows."""
        cdef int64_t begin = self.begins[y], count = self.begins[y + 1] - begin, j, p
        cdef const uint32_t* sample = &self.samples[begin]
        cdef const uint32_t* fails = &self.fails[0]
        cdef const uint32_t* digit
        cdef uint64_t total = 0, carry = 0
        # Outputs that are possible everywhere need not look their samples up.
        cdef bint in_order = sample[count - 1] - sample[0] == <uint32_t> (count - 1)
        if in_order:
            fails += sample[0]
        for p in range(self.length):
            digit = &self.digits[p, begin]
            total = 0
            if in_order:
                for j in range(count):
                    total += digit[j] & fails[j]
            else:
                for j in range(count):
                    total += digit[j] & fails[sample[j]]
            total += carry
            carry = total >> 32
            self.sum[p] = <uint32_t> total
        self.sum[self.length - 1] = total

    cdef bint is_more(self, int64_t y) noexcept nogil:
        """Whether the sum exceeds the best one: the highest digit that differs decides."""
        cdef int64_t p = self.length - 1
        while p >= 0:
            if self.sum[p] != self.sums[y, p]:
                return self.sum[p] > self.sums[y, p]
            p -= 1
        return False
