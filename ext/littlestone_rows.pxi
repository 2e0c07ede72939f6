# A matrix that is also kept by rows, for sides of few rows: these are counted row by row, with all
# columns at once.

cdef enum:
    TRIED = 8                 # candidates that fail before a matrix is also kept by rows,
    UNTRIED = 32              # if so many are left,
    WIDE = 96                 # it has so many columns
    TALL = 256                # and so many rows,
    SPARSE = 4                # and sides have at most this part of them
    CHUNK = 1 << 12           # rows counted between two looks at the work done
    SLICES = 32               # of counters of fewer than 2**31 rows
    FEW = 64                  # candidates of a side that are looked at before it is built


cdef bint worth_turning(Matrix* node, uint32_t rows) noexcept nogil:
    """Do sides of about so many rows cost less where a matrix is kept by rows?"""
    return node.m >= WIDE and node.n >= TALL and <uint64_t>rows * SPARSE <= node.n


cdef int turn(LittlestoneSolver self, Matrix* node) noexcept nogil:
    """Keep a matrix by rows too, if there is room; -1 when stopped."""
    cdef size_t stride = (node.m + 63) // 64, words, bytes
    cdef uint32_t w, some
    stride = (stride + ROW_LANES - 1) // ROW_LANES * ROW_LANES
    # Rows and a row of zeros, counters, marks, and columns on their way back.
    words = stride * (<size_t>node.n + 1 + 2 * SLICES + 1 + 64)
    bytes = 8 * words + 2 * 4 * (<size_t>node.n + ROW_STEP)
    if bytes > node.turned_bytes:
        forget_rows(self, node)
        if self.bytes > self.limit or bytes > self.limit - self.bytes:
            return 0
        node.turned = malloc(bytes)
        if node.turned == NULL:
            return 0
        node.turned_bytes = bytes
        self.bytes += bytes
    node.stride = <uint32_t>stride
    node.rows = <uint64_t*>node.turned
    node.slices = node.rows + stride * (<size_t>node.n + 1)
    node.ahead = node.slices + stride * SLICES
    node.marks = node.ahead + stride * SLICES
    node.back = node.marks + stride
    node.chosen = <uint32_t*>(node.back + 64 * stride)
    node.side = node.chosen + node.n + ROW_STEP
    for w in range(node.width):
        some = node.n - 64 * w if node.n - 64 * w < 64 else 64
        rows_of(
            node.words + <size_t>w * node.m, node.m, some, stride,
            node.rows + <size_t>w * 64 * stride,
        )
        if self.spend(4 * <uint64_t>node.m):
            node.rows = NULL
            return -1
    memset(node.rows + stride * <size_t>node.n, 0, stride * sizeof(uint64_t))
    return 0


cdef bint forget_all_rows(LittlestoneSolver self) noexcept nogil:
    """Give back what is kept by rows; whether there was anything."""
    cdef int depth
    cdef size_t before = self.bytes
    for depth in range(DEPTH):
        forget_rows(self, &self.frames[depth])
    return self.bytes < before


cdef void forget_rows(LittlestoneSolver self, Matrix* matrix) noexcept nogil:
    free(matrix.turned)
    self.bytes -= matrix.turned_bytes
    matrix.turned = NULL
    matrix.turned_bytes = 0
    matrix.rows = NULL


cdef int slices_of(uint32_t rows) noexcept nogil:
    """Slices of counters up to so many rows; `tally` wants three."""
    cdef int size = log2_floor(rows) + 1
    return size if size > 3 else 3


cdef uint32_t list_rows(Matrix* node, uint32_t rows, uint32_t* chosen) noexcept nogil:
    """List the rows in the mask, filled up with the row of zeros; how long the list is."""
    cdef uint32_t w, at = 0
    cdef uint64_t open
    for w in range(node.width):
        open = node.mask[w]
        while open:
            chosen[at] = 64 * w + <uint32_t>lowest(open)
            at += 1
            open &= open - 1
    return fill_up(node, rows, chosen)


cdef uint32_t fill_up(Matrix* node, uint32_t rows, uint32_t* chosen) noexcept nogil:
    while rows % ROW_STEP:
        chosen[rows] = node.n
        rows += 1
    return rows


cdef uint32_t list_part(
    Matrix* node, uint32_t column, bint ones, uint32_t* side
) noexcept nogil:
    """List those rows in the mask that lie on one side of a column; how many they are."""
    cdef const uint64_t* word = node.words + column
    cdef uint64_t other = 0 if ones else ~<uint64_t>0, open
    cdef uint32_t w, at = 0
    for w in range(node.width):
        open = node.mask[w]
        if open == 0:
            continue
        open &= word[<size_t>w * node.m] ^ other
        while open:
            side[at] = 64 * w + <uint32_t>lowest(open)
            at += 1
            open &= open - 1
    return at


cdef int tally_rows(
    LittlestoneSolver self, Matrix* node, const uint32_t* chosen, uint32_t length, int size,
    uint64_t* slices,
) noexcept nogil:
    """Count every column over a list of rows, in these slices."""
    cdef uint32_t begin = 0, some
    memset(slices, 0, size * <size_t>node.stride * sizeof(uint64_t))
    while begin < length:
        some = length - begin if length - begin < CHUNK else CHUNK
        tally(node.rows, node.stride, chosen + begin, some, size, slices)
        if self.spend(<uint64_t>some * node.stride):
            return -1
        begin += some
    return 1


cdef uint32_t counted(Matrix* node, int size, uint32_t column) noexcept nogil:
    """The number in the counter of a column."""
    cdef const uint64_t* slice = node.slices + (column >> 6)
    cdef uint32_t count = 0
    cdef int s
    for s in range(size):
        count |= <uint32_t>((slice[s * <size_t>node.stride] >> (column & 63)) & 1) << s
    return count


cdef int count_rows(
    LittlestoneSolver self, Matrix* parent, uint32_t rows, uint32_t least
) noexcept nogil:
    """Count in `sub` the ones of every column under the mask; 0 if that refutes the side.

    It needs a column with `least` rows on both sides, and that column half as many again on
    both of its own: where few columns qualify, their smaller sides are counted too.
    """
    cdef uint32_t length = list_rows(parent, rows, parent.chosen)
    cdef int size = slices_of(rows), ahead
    if tally_rows(self, parent, parent.chosen, length, size, parent.slices) < 0:
        return -1
    if least and not between(
        parent.slices, parent.stride, size, least, rows - least, parent.marks
    ):
        return 0
    if least >= 4:
        ahead = look_ahead(self, parent, rows, size, least)
        if ahead <= 0:
            return ahead
    unslice(parent.slices, parent.stride, size, parent.m, parent.sub)
    return 1


cdef int look_ahead(
    LittlestoneSolver self, Matrix* parent, uint32_t rows, int size, uint32_t least
) noexcept nogil:
    """Does some marked column have a smaller side with a column that splits it evenly enough?

    1 also when there are too many to ask.
    """
    cdef uint32_t b, found = 0, column, part
    cdef uint64_t open
    cdef bint ones
    for b in range(parent.stride):
        found += <uint32_t>popcount(parent.marks[b])
    if found > FEW:
        return 1
    for b in range(parent.stride):
        open = parent.marks[b]
        while open:
            column = 64 * b + <uint32_t>lowest(open)
            open &= open - 1
            ones = 2 * <uint64_t>counted(parent, size, column) <= rows
            part = list_part(parent, column, ones, parent.side)
            if tally_rows(
                self, parent, parent.side, fill_up(parent, part, parent.side), slices_of(part),
                parent.ahead,
            ) < 0:
                return -1
            if between(
                parent.ahead, parent.stride, slices_of(part), least // 2, part - least // 2,
                parent.back,
            ):
                return 1
    return 0


cdef int take_rows(LittlestoneSolver self, Matrix* parent, Matrix* child) noexcept nogil:
    """Turn the chosen rows back into columns, those to be kept."""
    cdef uint32_t w, some, kept = child.m
    for w in range(child.width):
        some = child.n - 64 * w if child.n - 64 * w < 64 else 64
        columns_of(parent.rows, parent.stride, parent.chosen + 64 * w, some, parent.back)
        gather(parent.back, parent.keep, kept, child.words + <size_t>w * kept)
        if self.spend(4 * <uint64_t>parent.m):
            return -1
    return 1
