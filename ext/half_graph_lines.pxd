# The C loops of half_graph.h and the files beside it, as Cython sees them.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "half_graph.h" nogil:
    ctypedef struct Kernels "pac_half_kernels":
        int first(
            const uint64_t* lines, int words, const uint64_t* among, int among_words,
            const uint64_t* across, int fullest, int* ones, double* spent,
        ) noexcept nogil
        int count(const uint64_t* mask, int words) noexcept nogil
    const Kernels* choose_kernels "pac_choose_half_kernels"(int portable) noexcept
    size_t scratch_words "pac_half_scratch"(int most) noexcept
    void read_table "pac_half_read"(
        const uint8_t* table, int n, int m, uint64_t* rows, uint64_t* columns) noexcept

    void all_lines "pac_half_all"(uint64_t* state, int n, int m) noexcept
    ctypedef struct Table "pac_half_table":
        const Kernels* kernels
        const uint64_t* rows
        const uint64_t* columns
        int row_words
        int column_words
        int most
        uint32_t* scratch
    int bound_state "pac_half_bound_state"(
        const Table* table, uint64_t* state, int need, double* spent) noexcept
    int merge_state "pac_half_merge_state"(
        const Table* table, uint64_t* state, double* spent) noexcept
    void rows_to_try "pac_half_rows_to_try"(
        const Table* table, const uint64_t* state, int border, uint64_t* out,
        double* spent) noexcept
    void columns_of "pac_half_columns_of"(
        const Table* table, const uint64_t* state, int h, uint64_t* of_row) noexcept
    void columns_to_try "pac_half_columns_to_try"(
        const Table* table, const uint64_t* state, int h, int border, uint64_t* of_row,
        uint64_t* out, double* spent) noexcept
    void write_next "pac_half_next"(
        const Table* table, const uint64_t* state, int h, int x, uint64_t* next_state) noexcept

cdef extern from "half_graph_pairs.h" nogil:
    ctypedef struct Pairs "pac_half_pairs":
        const uint32_t* kept
    size_t pairs_room "pac_pairs_room"(size_t n, size_t m) noexcept
    void place_pairs "pac_pairs_place"(
        Pairs* pairs, const Table* table, int n, int m, uint64_t* room) noexcept
    void begin_pairs "pac_pairs_begin"(
        Pairs* pairs, const uint64_t* rows_left, const uint64_t* columns_left, int border,
        double* spent) noexcept
    int pairs_of_row "pac_pairs_row"(
        Pairs* pairs, const uint64_t* rows_left, const uint64_t* with_row, double* spent) noexcept
    int bound_pair "pac_pairs_bound"(
        Pairs* pairs, int x, uint64_t* rows, uint64_t* columns, int need, double* spent) noexcept

cdef extern from "half_graph_pool.h" nogil:
    ctypedef struct Pair "pac_half_pair":
        int row
        int column
        int bound
    ctypedef struct Pool "pac_half_pool":
        uint64_t* state
        Pair* pair
        int words
    bint before "pac_pair_before"(Pair one, Pair other) noexcept
    bint pool_offer "pac_pool_offer"(
        Pool* pool, int begin, int* end, int room, const uint64_t* state, Pair pair) noexcept
    void pool_move "pac_pool_move"(Pool* pool, int to, int start) noexcept
    int pool_end "pac_pool_end"(const Pool* pool, int begin, int end, int last) noexcept
    int pool_after "pac_pool_after"(const Pool* pool, int begin, int end, int before) noexcept
    int pool_drop "pac_pool_drop"(
        Pool* pool, int begin, int end, uint64_t* memo, uint64_t mask, int most) noexcept

cdef extern from "half_graph_memo.h" nogil:
    uint32_t memo_bound "pac_memo_bound"(
        uint64_t* memo, uint64_t mask, const uint64_t* state, int words) noexcept
    void memo_soon "pac_memo_soon"(
        uint64_t* memo, uint64_t mask, const uint64_t* state, int words) noexcept
    void memo_keep "pac_memo_keep"(
        uint64_t* memo, uint64_t mask, const uint64_t* state, int words, uint32_t bound,
        uint64_t work) noexcept
