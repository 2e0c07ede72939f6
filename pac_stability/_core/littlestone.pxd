# For cimport: the solver, and the matrices it works on.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef struct Matrix:
    # A bit matrix in the layout of ext/columns.h, with what a search at it needs to remember.
    uint32_t n                # rows
    uint32_t m                # columns
    uint32_t width            # words a column: ceil(n / 64)
    uint64_t* words           # words[w * m + j]
    uint64_t* mask            # width words: the side that `derive` is to build
    uint64_t* failed          # sides already refuted, one after the other; also scratch
    uint64_t* part            # m words of scratch
    uint32_t* counts          # ones of every column
    uint32_t* ids             # 2 * original column + (1 if complemented)
    uint32_t* order           # candidate columns
    uint32_t* sub             # ones of every column under `mask`; also sizes of failed sides
    uint32_t* keep            # columns that survive in the child
    uint32_t* failed_rows     # sizes of the failed sides
    uint64_t key[2]           # fingerprint of (n, m, words)
    bint merged               # were columns merged?
    void* block               # the one allocation behind the pointers
    size_t bytes
    # The same by rows, in the layout of ext/rows.h, while `rows` is not NULL:
    uint64_t* rows            # rows[i * stride + b], and a row of zeros at the end
    uint64_t* slices          # counters of all columns
    uint64_t* marks           # a bit a column
    uint64_t* back            # 64 * stride words of scratch
    uint32_t* chosen          # rows of a side
    uint32_t* side            # rows of a side of that
    uint32_t stride
    uint64_t* ahead           # counters of all columns for a side of a side
    void* turned              # the one allocation behind these
    size_t turned_bytes


cdef struct Entry:
    # What is known of one reduced matrix: lo <= Ldim <= hi, and a first question for lo.
    uint64_t key[2]
    uint32_t witness
    uint8_t lo
    uint8_t hi
    uint16_t rows             # min(n, 65535); 0 marks a free slot


cdef struct Claim:
    # One step of a refutation: the matrix with this fingerprint has Ldim < k.
    uint64_t key[2]
    uint32_t k
    uint32_t step


cdef struct Reason:
    # In `step`, the side `label` of `column` is refuted by step `child`.
    uint32_t step
    uint32_t column
    uint32_t label
    uint32_t child


cdef class LittlestoneSolver:
    cdef Matrix base
    cdef Matrix* frames
    cdef Entry* entries
    cdef size_t slots
    cdef size_t used
    cdef size_t bytes
    cdef size_t limit
    cdef readonly int lower
    cdef readonly int upper
    cdef readonly unsigned long long nodes
    cdef uint64_t work
    cdef uint64_t next_poll
    cdef uint64_t share_end   # work at which the level that is asked leaves off
    cdef uint64_t climbed     # work from below and from above
    cdef uint64_t descended
    cdef int hardest          # the largest level that this round from above has left open
    cdef int round
    cdef bint no_room_above
    cdef bint whole           # is the whole class at frame 0?
    cdef double started
    cdef double deadline
    cdef double next_signal
    cdef double next_report
    cdef int stop
    cdef int busy             # 1 while a thread is between `begin` and `finish`
    cdef object pending
    cdef object progress
    cdef Claim* claims
    cdef size_t claim_slots
    cdef uint32_t steps
    cdef uint32_t max_steps
    cdef Reason* reasons
    cdef size_t reason_count
    cdef size_t reason_capacity

    # For other kernels: **none of this checks what it is given**. What `def` methods check is here
    # the caller's to ensure, and a wrong index reads or writes memory that is not the solver's.
    # A thread asks between `begin` and `answered`, both with the GIL:
    #
    #     solver.begin(0.0, None)                  # RuntimeError if another thread has it
    #     with nogil:
    #         d = solver.dimension_in(rows)
    #     solver.answered(0)                       # raises what stopped it: Ctrl-C, no memory
    #
    # `dimension_in` takes base.width words with a bit for every hypothesis in the version space,
    # unused bits zero, and returns its Ldim, -1 for no hypothesis, -2 when stopped. `spend` counts
    # work done elsewhere, so that signals are looked at: 0 to go on, -1 when stopped. `idle` raises
    # RuntimeError while a thread is between the two.
    cdef int choose(self, const int64_t[::1] rows) except -1
    cdef int begin(self, double time_limit, object progress) except -1
    cdef int answered(self, int answer) except -2
    cdef int idle(self) except -1
    cdef int dimension_in(self, const uint64_t* rows) noexcept nogil
    cdef int spend(self, uint64_t words) noexcept nogil

    # Its own.
    cdef int finish(self) except -1
