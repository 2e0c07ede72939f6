# The C loops of pairs.h, as Cython sees them.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "pairs.h" nogil:
    enum:
        PANEL "PAC_PANEL"
    void common_rows "pac_common"(
        const uint64_t* one, const uint64_t* other, size_t width, uint32_t* common) noexcept
    void lift "pac_lift"(
        const uint64_t* words, const uint32_t* listed, uint32_t some, const uint64_t* turned,
        uint64_t full, uint64_t* panel) noexcept
    uint32_t above "pac_above"(
        const uint8_t* bounds, uint32_t first, uint32_t m, uint8_t level) noexcept
    void bound "pac_bound"(
        const uint32_t* common, const uint32_t* one, uint32_t ones, const uint32_t* other,
        uint32_t others, uint32_t least, uint8_t bound, size_t m, uint8_t* bounds) noexcept
    void lower_all "pac_lower_all"(
        uint8_t* bounds, const uint8_t* limits, uint32_t m) noexcept
    void bound_row "pac_bound_row"(
        const uint64_t* ones, const uint64_t* zeros, const uint32_t* counts, uint32_t n,
        uint32_t m, uint8_t bound, uint8_t* bounds) noexcept
    uint64_t common_cost "pac_common_cost"() noexcept
