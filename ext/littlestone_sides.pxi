# A matrix of the Littlestone search and the sides of its columns: masks, sizes, candidates.

cdef int log2_floor(uint32_t n) noexcept nogil:
    cdef int k = 0
    while n >> (k + 1):
        k += 1
    return k


cdef uint32_t smaller_side(uint32_t n, uint32_t ones) noexcept nogil:
    return ones if ones <= n - ones else n - ones


cdef bint fewer_ones(Matrix* node, uint32_t column) noexcept nogil:
    return node.counts[column] <= node.n - node.counts[column]


cdef bint bit(Matrix* matrix, uint32_t row, uint32_t column) noexcept nogil:
    return (matrix.words[<size_t>(row >> 6) * matrix.m + column] >> (row & 63)) & 1


cdef uint32_t take_side(Matrix* node, uint32_t column, bint ones) noexcept nogil:
    """Put the rows on one side of a column into the mask of a matrix; how many they are."""
    cdef uint32_t w
    cdef uint64_t* word = node.words + column
    if ones:
        for w in range(node.width):
            node.mask[w] = word[<size_t>w * node.m]
        return node.counts[column]
    fill(node.mask, node.n)
    for w in range(node.width):
        node.mask[w] &= ~word[<size_t>w * node.m]
    return node.n - node.counts[column]


cdef bint refuted_before(Matrix* node, uint32_t failures, uint32_t rows) noexcept nogil:
    """Is the side in the mask part of a side that failed?  Ldim is monotone."""
    cdef uint32_t i
    for i in range(failures):
        if rows <= node.failed_rows[i] and subset(
            node.mask, node.failed + <size_t>i * node.width, node.width
        ):
            return True
    return False


cdef bint implied(Matrix* node, uint32_t column, uint32_t failures) noexcept nogil:
    """Is a side of the column part of a side that failed?"""
    cdef bint ones
    for ones in range(2):
        if refuted_before(node, failures, take_side(node, column, ones)):
            return True
    return False


cdef void note_failure(Matrix* node, uint32_t failures, uint32_t rows) noexcept nogil:
    memcpy(node.failed + <size_t>failures * node.width, node.mask, node.width * sizeof(uint64_t))
    node.failed_rows[failures] = rows


cdef uint32_t candidates(Matrix* node, uint32_t need) noexcept nogil:
    """List in `order` the columns with at least `need` rows on either side."""
    cdef uint32_t j, found = 0
    for j in range(node.m):
        node.order[found] = j
        found += smaller_side(node.n, node.counts[j]) >= need
    return found


cdef uint32_t next_candidate(Matrix* node, uint32_t found, uint32_t done) noexcept nogil:
    """Bring the most balanced of order[done:found] to place `done` and return it."""
    cdef uint32_t i, size, column, best = done, most = 0
    for i in range(done, found):
        size = smaller_side(node.n, node.counts[node.order[i]])
        if size > most:
            most = size
            best = i
    column = node.order[best]
    node.order[best] = node.order[done]
    node.order[done] = column
    return column
