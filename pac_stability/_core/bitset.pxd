# Words of bits: the helpers that every kernel shares.  A row or a set of rows is an array of
# 64-bit words, lowest bit first; unused high bits are zero.

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    static inline int pac_popcount(uint64_t word) { return __builtin_popcountll(word); }
    static inline int pac_lowest(uint64_t word) { return __builtin_ctzll(word); }
    """
    int popcount "pac_popcount"(uint64_t word) noexcept nogil
    int lowest "pac_lowest"(uint64_t word) noexcept nogil


cdef inline int count(const uint64_t* mask, int words) noexcept nogil:
    """The set bits of so many words."""
    cdef int total = 0, w
    for w in range(words):
        total += popcount(mask[w])
    return total


cdef inline void fill(uint64_t* mask, long n) noexcept nogil:
    """Set the first n bits, and no other of their words."""
    cdef long w
    for w in range(n >> 6):
        mask[w] = ~<uint64_t> 0
    if n & 63:
        mask[n >> 6] = (<uint64_t> 1 << (n & 63)) - 1


cdef inline int following(const uint64_t* mask, int words, int start) noexcept nogil:
    """The first set bit at or after ``start``, or -1."""
    cdef int w = start >> 6
    cdef uint64_t word
    if w >= words:
        return -1
    word = mask[w] >> (start & 63) << (start & 63)
    while word == 0:
        w += 1
        if w == words:
            return -1
        word = mask[w]
    return 64 * w + lowest(word)
