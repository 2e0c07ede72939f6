# What an entry point does before it lets go of the GIL: it claims the object, and checks that
# every index it was given lies inside of what it indexes.

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    /* The flag of an object that serves one thread at a time. Atomic, so that two threads cannot
       both find it free where no GIL keeps them apart. */
    static inline int pac_acquire(int *busy) {
        return !__atomic_exchange_n(busy, 1, __ATOMIC_ACQUIRE);
    }
    static inline void pac_release(int *busy) { __atomic_store_n(busy, 0, __ATOMIC_RELEASE); }
    static inline int pac_acquired(const int *busy) {
        return __atomic_load_n(busy, __ATOMIC_ACQUIRE);
    }
    /* Without a branch for each value, so that the compiler vectorises them. */
    static inline int pac_zero_one(const uint8_t *values, size_t count) {
        uint8_t all = 0;
        for (size_t i = 0; i < count; i++) all |= values[i];
        return all <= 1;
    }
    static inline int pac_all_below(const int64_t *values, size_t count, uint64_t bound) {
        int above = 0;
        for (size_t i = 0; i < count; i++) above |= (uint64_t) values[i] >= bound;
        return !above;
    }
    static inline int pac_all_below_32(const uint32_t *values, size_t count, uint32_t bound) {
        int above = 0;
        for (size_t i = 0; i < count; i++) above |= values[i] >= bound;
        return !above;
    }
    """
    bint acquire "pac_acquire"(int* busy) noexcept nogil  # whether it was free, and is now ours
    void release "pac_release"(int* busy) noexcept nogil
    bint acquired "pac_acquired"(const int* busy) noexcept nogil
    bint zero_one "pac_zero_one"(const uint8_t* values, size_t count) noexcept nogil
    # Whether all are at least 0 and below the bound.
    bint all_below "pac_all_below"(
        const int64_t* values, size_t count, uint64_t bound) noexcept nogil
    bint all_below_32 "pac_all_below_32"(
        const uint32_t* values, size_t count, uint32_t bound) noexcept nogil
