# Cells as lists of words: which columns split them all, and the lists of the next level.

cdef void filter_lists(
    ShatteringSearch self, int s, int i, int least, uint64_t* mask
) noexcept nogil:
    """Clear the columns j for which S + i + j does not pass, or until fewer than ``least`` stay."""
    cdef int need = self.k - s - 2
    cdef int left = count(mask, self.words), side
    cdef long c
    cdef long length[2]
    cdef uint64_t size[2]
    for c in range(<long> 1 << s):
        if left < least:
            return
        split(self, s, c, i, self.side_place, self.side_word, length, size)
        for side in range(2):
            if left >= least:
                left = filter_list(
                    self, self.side_place[side], self.side_word[side], length[side], size[side],
                    need, left, least, mask)


cdef int filter_list(
    ShatteringSearch self, const uint32_t* place, const uint64_t* word, long length, uint64_t size,
    int need, int left, int least, uint64_t* mask,
) noexcept nogil:
    """Keep the columns that split a cell into sides of ``2^need``; return how many."""
    cdef double by_row = <double> size * self.words * (6 + 3 * need)
    cdef double by_column = <double> left * length * 2
    self.spent += min(by_row, by_column) + length
    if by_row < by_column:
        return self.kernels.filter_by_row(
            place, word, length, self.matrix, self.words, need, left, least, mask)
    return self.kernels.filter_by_column(
        place, word, length, self.columns, self.stride, self.words, need, left, least, mask)


cdef void split(
    ShatteringSearch self, int s, long c, int i, uint32_t** place, uint64_t** word, long* length,
    uint64_t* size,
) noexcept nogil:
    """Write the two sides of a list cell; drop words with no rows."""
    cdef const uint64_t* column = self.columns + i * self.stride
    cdef uint64_t part
    cdef long t
    cdef int side
    for side in range(2):
        length[side] = 0
        size[side] = 0
    for t in range(self.begin[s][c], self.begin[s][c + 1]):
        for side in range(2):
            part = self.word[s][t] & (column[self.place[s][t]] ^ (<uint64_t> side - 1))
            if part:
                place[side][length[side]] = self.place[s][t]
                word[side][length[side]] = part
                length[side] += 1
                size[side] += popcount(part)


cdef void count_in_lists(ShatteringSearch self, int s, int i, uint64_t* ones) noexcept nogil:
    """Write the rows of each cell with label 1 in column i."""
    cdef const uint64_t* column = self.columns + i * self.stride
    cdef long c, t
    for c in range(<long> 1 << s):
        ones[c] = 0
        for t in range(self.begin[s][c], self.begin[s][c + 1]):
            ones[c] += popcount(self.word[s][t] & column[self.place[s][t]])


cdef void build_lists(ShatteringSearch self, int s, int i) noexcept nogil:
    """Write the cells of level s as lists, in order of size."""
    cdef const uint64_t* column = self.columns + i * self.stride
    cdef uint64_t part, flip
    cdef long c, t, source, at = 0
    for c in range(<long> 1 << s):
        source = self.origin[s][c] >> 1
        flip = (self.origin[s][c] & 1) - 1
        self.begin[s][c] = at
        for t in range(self.begin[s - 1][source], self.begin[s - 1][source + 1]):
            part = self.word[s - 1][t] & (column[self.place[s - 1][t]] ^ flip)
            if part:
                self.place[s][at] = self.place[s - 1][t]
                self.word[s][at] = part
                at += 1
    self.begin[s][<long> 1 << s] = at
    self.spent += at
