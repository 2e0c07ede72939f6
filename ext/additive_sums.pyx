"""Expectations of products of factors along a random subset of points.  See README.md."""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

cdef extern from "additive_sums.h" nogil:
    ctypedef struct pac_graph:
        int layers, need, two_states, leave_on_miss, chain, block
        const int32_t* copies
        const int32_t* low
        const int32_t* high
        const int32_t* first_low
        const int32_t* first_high
        const double* steps
        const size_t* step_at
        const size_t* value_at
        const size_t* first_at
        double* buffer
        double* first_buffer
        double* kept
        double* first_kept
        const size_t* kept_at
        const size_t* first_kept_at
        double* back
        double* next_back
        double* first_back
        double* next_first_back
    void passes "pac_passes"(
        pac_graph* g, const double* factors, const double* end, double* total, double* sums,
        double* end_sum) noexcept
    void passes_init "pac_passes_init"() noexcept

passes_init()

cdef enum:
    MOST = 1 << 30  # layers, examples, copies: sums of two of them are integers of 32 bits


def path_sums(
    const int32_t[::1] copies not None,
    const int32_t[:, ::1] windows not None,
    const double[::1] steps not None,
    *,
    bint two_states,
    bint leave_on_miss,
    int chain,
    int block,
    const double[:, :, :, ::1] factors not None,
    const double[:, ::1] ends not None,
    double[:, :, :, ::1] sums not None,
    double[:, ::1] end_sums not None,
    double[:, ::1] totals not None,
):
    """Fill ``sums``, ``end_sums`` and ``totals``; return how many values were multiplied through.

    Shapes, for m layers and 4 b products: ``copies`` (m,), ``windows`` (4, m + 1), ``factors`` and
    ``sums`` (b, 5, m, 4), the others (b, 4). Forward values are kept before every ``block`` layers;
    where that is less than m, the others are computed a second time.

    Raises
    ------
    ValueError
        The arrays do not fit each other, or a number is out of range.
    """
    cdef pac_graph g
    cdef int m = <int> copies.shape[0], j, s, start, stop, blocks
    cdef Py_ssize_t batch
    cdef size_t value = 0, first = 0, step = 0, line
    cdef size_t room = 0, first_room = 0, kept = 0, first_kept = 0
    cdef size_t* at = NULL
    cdef double* numbers = NULL
    if not 0 < copies.shape[0] < MOST or not 0 <= chain <= m:
        raise ValueError("the chain ends beyond the layers, or there are none")
    if windows.shape[0] != 4 or windows.shape[1] != m + 1:
        raise ValueError("windows do not fit the layers")
    if block < 1:
        raise ValueError("a block has a layer")
    g.layers = m
    g.block = min(block, m)
    blocks = (m - 1) // g.block + 1
    g.need = windows[0, m]
    g.two_states = two_states
    g.leave_on_miss = leave_on_miss
    g.chain = chain
    if g.need >= MOST:
        raise ValueError("a window is out of range")
    if not (
        windows[1, m] == g.need >= 1
        and windows[0, 0] == windows[1, 0] == 0
        and (not two_states or windows[2, 0] == windows[3, 0] == 0)
    ):
        raise ValueError("a path starts at 0 and ends with all drawn")
    for j in range(m):
        if not 0 <= copies[j] < MOST:
            raise ValueError("a number of copies is out of range")
    for j in range(m + 1):
        if not 0 <= windows[0, j] <= windows[1, j] <= g.need:
            raise ValueError("a window is out of range")
        if windows[2, j] <= windows[3, j] and not (
            windows[0, j] <= windows[2, j] and windows[3, j] <= windows[1, j]
        ):
            raise ValueError("a window of the first state is out of range")
    for j in range(3):
        if factors.shape[j] != sums.shape[j]:
            raise ValueError("factors and sums differ in shape")
    if not (
        factors.shape[1] == 5 and factors.shape[2] == m
        and factors.shape[3] == sums.shape[3] == ends.shape[1] == end_sums.shape[1] == 4
        and totals.shape[1] == 4
        and factors.shape[0] == ends.shape[0] == end_sums.shape[0] == totals.shape[0]
    ):
        raise ValueError("arrays differ in shape")
    line = 4 * (<size_t> g.need + 1)
    at = <size_t*> calloc(3 * (<size_t> m + 2) + 2 * <size_t> blocks, sizeof(size_t))
    if at == NULL:
        raise MemoryError("no memory for the layers")
    try:
        for j in range(m + 1):
            at[j] = step
            at[m + 2 + j] = value
            at[2 * (m + 2) + j] = first
            value += 4 * (<size_t> (windows[1, j] - windows[0, j]) + 1)
            if windows[2, j] <= windows[3, j]:
                first += 4 * (<size_t> (windows[3, j] - windows[2, j]) + 1)
            if j < m:
                for s in range(windows[0, j], windows[1, j] + 1):
                    start = max(s, windows[0, j + 1])
                    stop = min(s + copies[j], windows[1, j + 1])
                    if start <= stop:
                        step += stop - start + 1
                        if step > <size_t> steps.shape[0]:
                            raise ValueError("steps do not fit the windows")
        at[m + 1] = step
        at[2 * m + 3] = value
        at[3 * m + 5] = first
        if step != <size_t> steps.shape[0]:
            raise ValueError("steps do not fit the windows")
        g.step_at = at
        g.value_at = at + m + 2
        g.first_at = at + 2 * (m + 2)
        g.kept_at = at + 3 * (m + 2)
        g.first_kept_at = g.kept_at + blocks
        for j in range(blocks):
            at[3 * (m + 2) + j] = kept
            at[3 * (m + 2) + blocks + j] = first_kept
            start = j * g.block
            stop = min(start + g.block, m)
            kept += g.value_at[start + 1] - g.value_at[start]
            first_kept += g.first_at[start + 1] - g.first_at[start]
            room = max(room, g.value_at[stop + 1] - g.value_at[start])
            first_room = max(first_room, g.first_at[stop + 1] - g.first_at[start])
        value = room + first_room + kept + first_kept
        numbers = <double*> calloc(value + 4 * line + 12, sizeof(double))
        if numbers == NULL:
            raise MemoryError(f"the sums need {(value + 4 * line) * sizeof(double)} bytes")
        g.copies = &copies[0]
        g.low = &windows[0, 0]
        g.high = &windows[1, 0]
        g.first_low = &windows[2, 0]
        g.first_high = &windows[3, 0]
        g.steps = &steps[0]
        # Four doubles do not cross a line of the cache when they start at a multiple of 32 bytes.
        g.buffer = numbers + (-(<size_t> numbers // sizeof(double)) & 7)
        g.first_buffer = g.buffer + room
        g.kept = g.first_buffer + first_room
        g.first_kept = g.kept + kept
        g.back = g.first_kept + first_kept + 4
        g.next_back = g.back + line
        g.first_back = g.next_back + line
        g.next_first_back = g.first_back + line
        with nogil:
            for batch in range(factors.shape[0]):
                passes(
                    &g, &factors[batch, 0, 0, 0], &ends[batch, 0], &totals[batch, 0],
                    &sums[batch, 0, 0, 0], &end_sums[batch, 0])
    finally:
        free(numbers)
        free(at)
    return step * factors.shape[0]
