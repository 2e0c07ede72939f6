"""The selection distribution of the stable learner, from below: a walk over sets of points.

A random index subset hits a random set A of distinct points.  The walk takes or leaves one point
after the other, carrying the probability of what has been decided and the partition of the rows by
the points taken.  Every rounding is downward, so that each result is at most the truth; what all of
them lack of one bounds every error from above.  See README.md.
"""

cimport cython
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from pac_stability._core.entry cimport acquire, acquired, all_below_32, release

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    typedef unsigned __int128 pac_wide;
    static inline int pac_leading(uint64_t word) { return __builtin_clzll(word); }
    static inline uint64_t pac_high(uint64_t a, uint64_t b) {
        return (uint64_t) ((pac_wide) a * b >> 64);
    }
    static inline uint64_t pac_share(uint64_t mass, uint64_t divisor) {
        return (uint64_t) (((pac_wide) mass << 62) / divisor);
    }
    static inline int pac_length(pac_wide value) {
        uint64_t high = (uint64_t) (value >> 64);
        return high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t) value);
    }
    """
    # Cython takes it for a shorter integer, whose shifts and sums it writes as they stand; what it
    # would convert, products and quotients, is written in C.
    ctypedef unsigned long long wide "pac_wide"
    uint64_t times "pac_high"(uint64_t a, uint64_t b) noexcept nogil  # a b / 2**64, down
    uint64_t quotient "pac_share"(uint64_t a, uint64_t b) noexcept nogil  # a 2**62 / b, down
    int leading "pac_leading"(uint64_t word) noexcept nogil  # zeros before the first one
    int length "pac_length"(wide value) noexcept nogil  # bits, of a positive value

# A real number at least zero: mantissa * 2**exponent, first bit of the mantissa set, or zero.
ctypedef struct Number:
    uint64_t mantissa
    int64_t exponent

# What is decided about the first points, and what has been found beyond.
ctypedef struct Node:
    int stage  # 0: nothing tried, 1: the next point left, 2: also taken
    int low  # used indices that are possible: from here ...
    int high  # ... to here
    int frame  # which frame holds the partition by the points taken
    uint32_t fresh  # rows that represent since the last point was taken
    int64_t exponent  # of the probabilities in the node's vector
    int64_t best  # the exponent of the largest weight among representatives
    wide normaliser  # at least the sum of their weights, in units of 2**(best - GUARD)
    Number found  # at most the sum of probability / normaliser over the sets below

cdef enum:
    GUARD = 32  # bits of a normaliser below the last bit of its largest weight
    UNIT = 188  # a row's sum has the unit 2**-(UNIT + exponent of its weight)
    MARGIN = 64  # 2**-MARGIN bounds what is cut off


cdef inline Number plus(Number a, Number b) noexcept nogil:
    """The sum, rounded down."""
    cdef Number larger = a, smaller = b
    cdef wide total
    cdef int bits
    if a.mantissa == 0 or b.mantissa == 0:
        return b if a.mantissa == 0 else a
    if b.exponent > a.exponent:
        larger = b
        smaller = a
    if larger.exponent - smaller.exponent >= 64:
        return larger
    total = (<wide> larger.mantissa << 63) + (
        (<wide> smaller.mantissa << 63) >> (larger.exponent - smaller.exponent))
    bits = length(total)
    larger.mantissa = <uint64_t> (total >> (bits - 64))
    larger.exponent += bits - 127
    return larger


cdef int check_shapes(
    const uint32_t[:, ::1] codes, const uint32_t[::1] first, const uint32_t[::1] members,
    const uint32_t[::1] heads, const uint64_t[::1] mantissas, const int64_t[::1] exponents,
    const uint64_t[::1] start, const int64_t[:, ::1] begins, const int64_t[:, ::1] least,
) except -1:
    cdef Py_ssize_t points = codes.shape[0], rows = mantissas.shape[0], width = start.shape[0]
    if not (0 < rows < <Py_ssize_t> 1 << 31 and 0 < width < <Py_ssize_t> 1 << 31):
        raise ValueError("mantissas and start: want 1 to 2**31 - 1 numbers")
    if points >= <Py_ssize_t> 1 << 31:
        raise ValueError("codes: want fewer than 2**31 points")
    if codes.shape[1] != rows or exponents.shape[0] != rows:
        raise ValueError("codes, mantissas and exponents: want the same rows")
    if members.shape[0] != heads.shape[0] or first.shape[0] + members.shape[0] > rows:
        raise ValueError("first, members and heads: want at most all rows")
    if not (begins.shape[0] == least.shape[0] == points):
        raise ValueError("begins and least: want a row for each point")
    if begins.shape[1] != width + 1 or least.shape[1] != width:
        raise ValueError("begins and least: want a place for each number of used indices")
    return 0


cdef int check_rows(
    const uint32_t[::1] first, const uint32_t[::1] members, const uint32_t[::1] heads,
    const uint64_t[::1] mantissas, const int64_t[::1] exponents,
) except -1:
    cdef uint32_t rows = <uint32_t> mantissas.shape[0], i
    if first.shape[0] == 0 or not all_below_32(&first[0], first.shape[0], rows):
        raise ValueError("first: want rows, at least one")
    if members.shape[0] and not (
        all_below_32(&members[0], members.shape[0], rows)
        and all_below_32(&heads[0], heads.shape[0], rows)
    ):
        raise ValueError("members and heads: want rows")
    for i in range(rows):
        if not <uint64_t> 1 << 62 <= mantissas[i] <= <uint64_t> 1 << 63:
            raise ValueError("mantissas: want 2**62 to 2**63")
        # So that neither their sums nor their differences pass 64 bits.
        if not -(<int64_t> 1 << 60) < exponents[i] < <int64_t> 1 << 60:
            raise ValueError("exponents: want numbers between -2**60 and 2**60")
    return 0


cdef int check_chances(
    const uint64_t[::1] start, const uint64_t[::1] steps, const int64_t[:, ::1] begins,
    const int64_t[:, ::1] least,
) except -1:
    cdef Py_ssize_t width = start.shape[0], j, s
    cdef int64_t at, end
    cdef wide total = 0
    for s in range(width):
        total += start[s]
    if total > <wide> 1 << 63:
        raise ValueError("start: want probabilities, of sum at most 2**63")
    for j in range(begins.shape[0]):
        for s in range(width):
            at = begins[j, s]
            end = begins[j, s + 1]
            if not 0 <= at <= end <= steps.shape[0]:
                raise ValueError("begins: want increasing places in steps")
            if at < end and not 0 <= least[j, s] <= width - s - (end - at):
                raise ValueError("least: more indices used than there are")
            total = 0
            while at < end:
                total += steps[at]
                at += 1
            if total > <wide> 1 << 64:
                raise ValueError("steps: want probabilities, of sum at most 2**64")
    return 0


@cython.final
cdef class SelectionWalk:
    """Lower bounds of the probabilities of the rows; their sum lacks little of one at the end.

    ``codes[j, h]`` numbers the patterns of the hypotheses on the points from j on; its last bit is
    the label at j, the others number the patterns on the points after.  When no point is taken,
    the hypotheses ``first`` represent the cells, and the others, ``members``, in increasing order,
    have the representatives ``heads``.  Hypothesis h weighs at most ``mantissas[h]`` times
    2**``exponents[h]``, and at least ``2**62`` times that.  ``start[s]`` times 2**-63 is at most
    the probability that s indices are used before the first point.  From s used ones on,
    ``steps[begins[j, s]:begins[j, s + 1]]`` times 2**-64 is at most the probability that point j
    takes ``least[j, s]``, ``least[j, s] + 1``, ... more.

    The arrays are kept, and not to be changed as long as the walk lives.

    Raises
    ------
    ValueError
        The arrays do not fit each other, or an index or a number is out of range.
    MemoryError
        More than ``max_memory`` bytes would be needed.
    """

    cdef readonly long long nodes
    cdef readonly size_t memory
    cdef int points, width, depth
    cdef uint32_t rows
    cdef int64_t cutoff
    cdef double spent
    cdef int busy
    cdef const uint32_t[:, ::1] codes
    cdef const uint64_t[::1] mantissas
    cdef const int64_t[::1] exponents
    cdef const uint64_t[::1] steps
    cdef const int64_t[:, ::1] begins
    cdef const int64_t[:, ::1] least
    cdef char* arena
    cdef Node* node  # one for each depth, as are the next five
    cdef uint64_t* vector  # probabilities of having used so many indices
    cdef uint32_t* fresh  # rows that represent since the last point was taken
    cdef uint32_t* members  # rows that do not represent but may further on, increasing
    cdef uint32_t* heads  # and the first row of the cell of each
    cdef uint32_t* counts  # how many such rows
    cdef uint32_t* others  # scratch: for each first row, the first that a point tells from it
    cdef wide* total  # for each row, the sum of what was found

    def __cinit__(
        self, const uint32_t[:, ::1] codes not None, const uint32_t[::1] first not None,
        const uint32_t[::1] members not None, const uint32_t[::1] heads not None,
        const uint64_t[::1] mantissas not None, const int64_t[::1] exponents not None,
        const uint64_t[::1] start not None, const uint64_t[::1] steps not None,
        const int64_t[:, ::1] begins not None, const int64_t[:, ::1] least not None,
        size_t max_memory=<size_t> -1,
    ):
        cdef size_t depths, needed
        cdef uint32_t i
        cdef int s
        check_shapes(
            codes, first, members, heads, mantissas, exponents, start, begins, least)
        check_rows(first, members, heads, mantissas, exponents)
        check_chances(start, steps, begins, least)
        self.points = <int> codes.shape[0]
        self.rows = <uint32_t> mantissas.shape[0]
        self.width = <int> start.shape[0]
        self.depth = -1
        self.cutoff = -MARGIN - self.points
        self.codes = codes
        self.mantissas = mantissas
        self.exponents = exponents
        self.steps = steps
        self.begins = begins
        self.least = least
        depths = <size_t> self.points + 1
        needed = (
            self.rows * sizeof(wide) + depths * (sizeof(Node) + self.width * sizeof(uint64_t))
            + (depths * (3 * <size_t> self.rows + 1) + self.rows) * sizeof(uint32_t)
        )
        if needed > max_memory:
            raise MemoryError(f"the walk needs {needed} bytes")
        self.arena = <char*> calloc(needed, 1)
        if self.arena == NULL:
            raise MemoryError(f"the walk needs {needed} bytes")
        self.memory = needed
        self.total = <wide*> self.arena
        self.node = <Node*> (self.total + self.rows)
        self.vector = <uint64_t*> (self.node + depths)
        self.fresh = <uint32_t*> (self.vector + depths * self.width)
        self.members = self.fresh + depths * self.rows
        self.heads = self.members + depths * self.rows
        self.others = self.heads + depths * self.rows
        self.counts = self.others + self.rows
        for i in range(self.rows):
            self.others[i] = self.rows
        self.counts[0] = <uint32_t> members.shape[0]
        for i in range(self.counts[0]):
            self.members[i] = members[i]
            self.heads[i] = heads[i]
        for i in range(<uint32_t> first.shape[0]):
            self.fresh[i] = first[i]
        self.node[0].fresh = <uint32_t> first.shape[0]
        self.node[0].best = exponents[first[0]]
        for s in range(self.width):
            self.vector[s] = start[s]
        self.weigh(&self.node[0], self.fresh)
        self.node[0].exponent = -63
        self.node[0].high = self.width - 1
        if self.normalise(&self.node[0], self.vector):
            self.enter(0)

    def __dealloc__(self):
        free(self.arena)

    def advance(self, double work):
        """Walk on, for about ``work`` row operations; return whether more is to be done."""
        if not work > 0:
            raise ValueError("work: want a positive number")
        if not acquire(&self.busy):
            raise RuntimeError("the walk is already running in another thread")
        with nogil:
            self.spent = 0
            while self.depth >= 0 and self.spent < work:
                self.step()
        going_on = self.depth >= 0
        release(&self.busy)
        return going_on

    def stop(self):
        """Count what has been found so far, and end the walk."""
        if not acquire(&self.busy):
            raise RuntimeError("the walk is already running in another thread")
        while self.depth >= 0:
            self.leave()
        release(&self.busy)

    @property
    def sums(self):
        """For each row the high and the low 64 bits of its sum, in units of its own."""
        high = np.empty(self.rows, dtype=np.uint64)
        low = np.empty(self.rows, dtype=np.uint64)
        cdef uint64_t[::1] high_bits = high
        cdef uint64_t[::1] low_bits = low
        cdef uint32_t r
        if acquired(&self.busy):
            raise RuntimeError("the walk is already running in another thread")
        for r in range(self.rows):
            high_bits[r] = <uint64_t> (self.total[r] >> 64)
            low_bits[r] = <uint64_t> self.total[r]
        return high, low

    cdef void step(self) noexcept nogil:
        cdef Node* node = &self.node[self.depth]
        self.spent += 1
        if node.stage == 2:
            self.leave()
            return
        node.stage += 1
        if node.stage == 1:
            if self.move(False):
                self.enter(self.depth + 1)
        elif self.move(True):
            self.refine()
            self.enter(self.depth + 1)

    cdef void enter(self, int d) noexcept nogil:
        """Go to depth d, whose node has been written; settle it when nothing can change below."""
        cdef Node* node = &self.node[d]
        cdef uint64_t mass = 0
        cdef uint64_t divisor, share
        cdef int s, bits
        self.nodes += 1
        self.depth = d
        node.found.mantissa = 0
        node.stage = 0
        if d < self.points and self.counts[node.frame] and node.low < self.width - 1:
            return
        node.stage = 2
        for s in range(node.low, node.high + 1):
            mass += self.vector[<size_t> d * self.width + s]
        bits = length(node.normaliser)
        divisor = <uint64_t> (node.normaliser >> (bits - 63)) + 1
        share = quotient(mass, divisor)
        node.found.exponent = node.exponent - bits - node.best + GUARD + 1 - leading(share)
        node.found.mantissa = share << leading(share)

    cdef void leave(self) noexcept nogil:
        """Go back: credit what was found to the rows that represent since this node."""
        cdef Node* node = &self.node[self.depth]
        cdef const uint32_t* fresh = self.fresh + <size_t> self.depth * self.rows
        cdef const int64_t* exponents = &self.exponents[0]
        cdef wide* total = self.total
        cdef wide found = <wide> node.found.mantissa << 63
        cdef int64_t largest = 63 - UNIT - node.found.exponent, shift
        cdef uint32_t i
        if found:
            for i in range(node.fresh):
                shift = largest - exponents[fresh[i]]
                if shift < 128:
                    total[fresh[i]] += found >> shift
            self.spent += node.fresh
            if self.depth:
                self.node[self.depth - 1].found = plus(
                    self.node[self.depth - 1].found, node.found)
        self.depth -= 1

    cdef bint move(self, bint taken) noexcept nogil:
        """Write the child without its partition; whether its probability is worth a visit."""
        cdef int d = self.depth, s, more
        cdef Node* node = &self.node[d]
        cdef Node* child = node + 1
        cdef const uint64_t* before = self.vector + <size_t> d * self.width
        cdef uint64_t* after = self.vector + <size_t> (d + 1) * self.width
        cdef int64_t at, end
        memset(after + node.low, 0, (self.width - node.low) * sizeof(uint64_t))
        for s in range(node.low, node.high + 1):
            if before[s] == 0:
                continue
            at = self.begins[d, s]
            end = self.begins[d, s + 1]
            more = <int> self.least[d, s]
            if not taken:
                if more == 0 and at < end:
                    after[s] = times(before[s], self.steps[at])
                continue
            if more == 0:
                at += 1
                more = 1
            while at < end:
                after[s + more] += times(before[s], self.steps[at])
                at += 1
                more += 1
        self.spent += self.begins[d, node.high + 1] - self.begins[d, node.low]
        child.low = node.low
        child.high = self.width - 1 if taken else node.high
        child.exponent = node.exponent
        child.frame = node.frame
        child.fresh = 0
        child.best = node.best
        child.normaliser = node.normaliser
        return self.normalise(child, after)

    cdef bint normalise(self, Node* node, uint64_t* vector) noexcept nogil:
        """Scale probabilities so that their sum has 64 bits; no if they are negligible."""
        cdef uint64_t mass = 0
        cdef int s, shift
        for s in range(node.low, node.high + 1):
            mass += vector[s]
        if mass == 0:
            return False
        shift = leading(mass)
        node.exponent -= shift
        if node.exponent + 64 < self.cutoff:
            return False
        while vector[node.low] == 0:
            node.low += 1
        while vector[node.high] == 0:
            node.high -= 1
        for s in range(node.low, node.high + 1):
            vector[s] <<= shift
        return True

    cdef void refine(self) noexcept nogil:
        """Cut the cells by the next point, into the frame of the child; find new first rows.

        A row that the later points cannot tell from the first of its cell will never be first.
        Without branches: which side a row takes cannot be foreseen.
        """
        cdef Node* child = &self.node[self.depth + 1]
        cdef const uint32_t* code = &self.codes[self.depth, 0]
        cdef const uint32_t* members = self.members + <size_t> child.frame * self.rows
        cdef const uint32_t* heads = self.heads + <size_t> child.frame * self.rows
        cdef uint32_t count = self.counts[child.frame], i, row, head, other, differs, apart
        cdef uint32_t made = 0, news = 0, none = self.rows
        cdef uint32_t* others = self.others
        cdef uint32_t* into
        cdef uint32_t* into_heads
        cdef uint32_t* fresh
        child.frame = self.depth + 1
        into = self.members + <size_t> child.frame * self.rows
        into_heads = self.heads + <size_t> child.frame * self.rows
        fresh = self.fresh + <size_t> child.frame * self.rows
        for i in range(count):
            row = members[i]
            head = heads[i]
            differs = 0 - ((code[row] ^ code[head]) & 1)  # all bits or none
            other = others[head]
            apart = differs & (0 - <uint32_t> (other == none))
            other ^= (other ^ row) & apart
            others[head] = other
            head ^= (head ^ other) & differs
            into[made] = row
            into_heads[made] = head
            made += (code[row] ^ code[head]) > 1
            fresh[news] = row
            news += apart & 1
        for i in range(count):
            others[heads[i]] = none
        self.spent += count
        self.counts[child.frame] = made
        child.fresh = news
        self.weigh(child, fresh)

    cdef void weigh(self, Node* node, const uint32_t* fresh) noexcept nogil:
        """Add the weights of the new representatives to the normaliser, rounding up."""
        cdef const uint64_t* mantissas = &self.mantissas[0]
        cdef const int64_t* exponents = &self.exponents[0]
        cdef int64_t best = node.best, shift
        cdef uint32_t i
        cdef wide sum
        for i in range(node.fresh):
            best = max(best, exponents[fresh[i]])
        if best > node.best:
            shift = best - node.best
            node.normaliser = (node.normaliser >> shift if shift < 128 else 0) + 1
            node.best = best
        sum = node.normaliser
        for i in range(node.fresh):
            shift = best - exponents[fresh[i]]
            if shift <= GUARD:
                sum += <wide> mantissas[fresh[i]] << (GUARD - shift)
            elif shift < 128:
                sum += (<wide> mantissas[fresh[i]] << GUARD >> shift) + 1
            else:
                sum += 1
        node.normaliser = sum
