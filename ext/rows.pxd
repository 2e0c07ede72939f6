# The C loops of rows.h, as Cython sees them.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from "rows.h" nogil:
    enum:
        ROW_LANES "PAC_ROW_LANES"
        ROW_STEP "PAC_ROW_STEP"
    void tally "pac_tally"(
        const uint64_t* rows, size_t stride, const uint32_t* chosen, size_t length, int size,
        uint64_t* slices) noexcept
    bint between "pac_between"(
        const uint64_t* slices, size_t stride, int size, uint32_t least, uint32_t most,
        uint64_t* marks) noexcept
    void unslice "pac_unslice"(
        const uint64_t* slices, size_t stride, int size, uint32_t m, uint32_t* counts) noexcept
    void rows_of "pac_rows_of"(
        const uint64_t* words, uint32_t m, uint32_t some, size_t stride, uint64_t* rows) noexcept
    void columns_of "pac_columns_of"(
        const uint64_t* rows, size_t stride, const uint32_t* chosen, uint32_t some,
        uint64_t* words) noexcept
