# The sides of a matrix: which columns are candidates, and which sides have failed.  Then from a
# matrix to that of one side: only counted when that refutes it, else squeezed together by columns,
# reduced, and given its fingerprint.

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


cdef int derive(
    LittlestoneSolver self, Matrix* parent, Matrix* child, uint32_t rows, uint32_t least
) noexcept nogil:
    """Build the reduced matrix of the rows in the parent's mask (`rows` of them).

    Columns with fewer than two rows on a side are dropped.  Returns 0, with nothing built, if no
    column has `least` rows on both sides.
    """
    cdef uint32_t m = parent.m, j, size, kept = 0, best = 0
    cdef bint by_rows = parent.rows != NULL and <uint64_t>rows * SPARSE <= parent.n
    cdef int answer
    answer = count_rows(self, parent, rows, least) if by_rows else count_columns(self, parent)
    if answer <= 0:
        return answer
    for j in range(m):
        size = smaller_side(rows, parent.sub[j])
        parent.keep[kept] = j
        kept += size >= 2
        best = size if size > best else best
    if best < least:
        return 0
    if shape(self, child, rows, kept) < 0:
        return -1
    # Memory for the child may have cost the rows of the parent.
    by_rows = by_rows and parent.rows != NULL
    if (take_rows(self, parent, child) if by_rows else take_columns(self, parent, child)) < 0:
        return -1
    for j in range(kept):
        child.ids[j] = parent.ids[parent.keep[j]]
        child.counts[j] = parent.sub[parent.keep[j]]
    flip(child.words, kept, child.width, rows, child.counts, child.ids)
    child.merged = kept > 3 * <uint64_t>rows
    if child.merged:
        drop_equal_columns(child)
    child.key[0] = rows
    child.key[1] = child.m
    fingerprint(child.words, <size_t>child.width * child.m, child.key)
    return 1


cdef int count_columns(LittlestoneSolver self, Matrix* parent) noexcept nogil:
    """Count in `sub` the ones of every column under the mask."""
    cdef uint32_t m = parent.m, w
    memset(parent.sub, 0, m * sizeof(uint32_t))
    for w in range(parent.width):
        if parent.mask[w]:
            count_ones(parent.words + <size_t>w * m, m, parent.mask[w], parent.sub)
            if self.spend(m):
                return -1
    return 1


cdef int take_columns(LittlestoneSolver self, Matrix* parent, Matrix* child) noexcept nogil:
    """Squeeze the rows in the mask together, in the columns to be kept."""
    cdef uint32_t m = parent.m, w, kept = child.m, offset = 0, ones
    cdef uint64_t mask
    cdef uint64_t moves[6]
    cdef uint64_t* target
    memset(child.words, 0, <size_t>child.width * kept * sizeof(uint64_t))
    for w in range(parent.width):
        mask = parent.mask[w]
        if mask == 0:
            continue
        gather(parent.words + <size_t>w * m, parent.keep, kept, child.part)
        if mask != ~<uint64_t>0:
            move_masks(mask, moves)
            squeeze(child.part, kept, mask, moves)
        ones = <uint32_t>popcount(mask)
        target = child.words + <size_t>(offset >> 6) * kept
        append(child.part, kept, offset & 63, target)
        if (offset & 63) + ones > 64:
            spill(child.part, kept, 64 - (offset & 63), target + kept)
        offset += ones
        if self.spend(2 * kept):
            return -1
    return 1


cdef uint64_t column_hash(Matrix* node, uint32_t column) noexcept nogil:
    cdef uint32_t w
    cdef uint64_t key = 0
    for w in range(node.width):
        key = (key ^ node.words[<size_t>w * node.m + column]) * <uint64_t>0x9e3779b97f4a7c15
        key ^= key >> 32
    return key


cdef bint equal_columns(Matrix* node, uint32_t a, uint32_t b) noexcept nogil:
    cdef uint32_t w
    for w in range(node.width):
        if node.words[<size_t>w * node.m + a] != node.words[<size_t>w * node.m + b]:
            return False
    return True


cdef void drop_equal_columns(Matrix* node) noexcept nogil:
    """Keep the first of equal columns."""
    cdef uint32_t* seen = <uint32_t*>node.failed
    cdef uint32_t j, w, i, slots = 2, kept = 0, m = node.m
    while slots < 2 * m:
        slots *= 2
    memset(seen, 0, slots * sizeof(uint32_t))
    for j in range(m):
        i = <uint32_t>column_hash(node, j) & (slots - 1)
        while seen[i] and not equal_columns(node, seen[i] - 1, j):
            i = (i + 1) & (slots - 1)
        if seen[i] == 0:
            seen[i] = j + 1
            node.keep[kept] = j
            kept += 1
    for w in range(node.width):
        gather(node.words + <size_t>w * m, node.keep, kept, node.part)
        memcpy(node.words + <size_t>w * kept, node.part, kept * sizeof(uint64_t))
    take(node.ids, node.keep, kept, node.sub)
    take(node.counts, node.keep, kept, node.sub)
    node.m = kept


cdef void take(uint32_t* values, uint32_t* keep, uint32_t kept, uint32_t* scratch) noexcept nogil:
    cdef uint32_t i
    for i in range(kept):
        scratch[i] = values[keep[i]]
    memcpy(values, scratch, kept * sizeof(uint32_t))
