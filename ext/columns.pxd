# The C loops of columns.h and rows.h, as Cython sees them.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "columns.h" nogil:
    void columns_init "pac_columns_init"() noexcept
    bint has_avx2 "pac_columns_avx2"() noexcept
    void columns_use "pac_columns_use"(bint avx2) noexcept
    void count_ones "pac_count"(
        const uint64_t* words, uint32_t m, uint64_t mask, uint32_t* counts) noexcept
    void squeeze "pac_squeeze"(
        uint64_t* words, uint32_t m, uint64_t mask, const uint64_t* moves) noexcept
    void move_masks "pac_moves"(uint64_t mask, uint64_t* moves) noexcept
    void gather "pac_gather"(
        const uint64_t* words, const uint32_t* keep, uint32_t kept, uint64_t* out) noexcept
    void append "pac_append"(
        const uint64_t* part, uint32_t m, uint32_t offset, uint64_t* low) noexcept
    void spill "pac_spill"(
        const uint64_t* part, uint32_t m, uint32_t shift, uint64_t* high) noexcept
    void flip "pac_flip"(
        uint64_t* words, uint32_t m, uint32_t width, uint32_t n,
        uint32_t* counts, uint32_t* ids) noexcept
    void fingerprint "pac_fingerprint"(
        const uint64_t* words, size_t count, uint64_t* key) noexcept
    bint splits "pac_splits"(
        const uint64_t* words, uint32_t m, uint32_t width, const uint64_t* mask) noexcept
    bint subset "pac_subset"(const uint64_t* a, const uint64_t* b, uint32_t width) noexcept
    void pack "pac_pack"(
        const uint8_t* table, size_t columns, size_t first, size_t last, uint64_t* word) noexcept

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
