"""Stars of so many points: a search that can be left and resumed.  See README.md."""

from columns cimport ROW_LANES, ROW_STEP, between, tally
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from pac_stability._core.bitset cimport lowest
from pac_stability._core.entry cimport all_below

import numpy as np

cdef extern from "rows.h" nogil:
    int64_t bits_of "pac_bits"(uint64_t word, int hardware) noexcept
    void transpose "pac_transpose"(uint64_t* block) noexcept


ctypedef const uint64_t* Bits
ctypedef uint64_t* Words
ctypedef uint32_t* Rows

cdef struct Search:
    # The last two: sets of points on the way to where it was left, and to where it is
    int64_t n, width, k, shared, cells, size, words, room, visited, spent, work, known, depth
    Bits table, center  # rows of so many words, and one of zeros; the center's
    const uint8_t* centers  # which rows may be
    const int64_t* limit  # by depth: the columns below it may come next
    # By depth: where its loop is, behind the shared ones that of the centers; the column
    int64_t* at
    int64_t* chosen
    # By depth: rows with the same labels on the columns lie cell by cell; where these end, behind
    # a zero.  A list of rows; by depth the columns that may follow around one center
    Rows rows, ends, list, left
    # Of a cell: the columns that centers with label 0 may take, and those with label 1
    Words zero, one, slices
    # Around one center, of rows in its cell and the neighbouring ones, as bits in so many words of
    # the room: labels by column; by depth those that differ from it nowhere so far, those that do
    # not differ twice, and those that differ in the column only
    Words labels, agree, once, own


cdef bint step(Search* s, int64_t work) noexcept nogil:
    """Count a set of points, unless that has to wait."""
    if s.known:
        s.known -= 1
    elif s.spent >= s.work:
        return False
    else:
        s.visited, s.spent = s.visited + 1, s.spent + work
    s.depth += 1
    return True


cdef inline uint64_t differ(const Search* s, int64_t w, int64_t x) noexcept nogil:
    """Of 64 rows, those that differ from the center in a column."""
    return s.labels[w * 64 * s.width + x] ^ -(s.center[x >> 6] >> (x & 63) & 1)


cdef int64_t narrow(Search* s, int64_t depth, const uint32_t* some, int64_t length) noexcept nogil:
    """Keep the columns that leave rows of its own to each column, and enough to further ones."""
    cdef Words agree = s.agree + depth * s.room, once = s.once + depth * s.room
    cdef uint32_t* left = s.left + depth * 64 * s.width
    cdef int64_t i, j, w, ones, fits, rows = 0, kept = 0, more = s.k - depth
    cdef uint64_t any
    for w in range(s.words):
        rows += bits_of(agree[w], 0)
    for j in range(length if rows > more else 0):  # one of the rows is the center
        if kept + length - j < more or kept < more and some[j] >= s.limit[depth + kept]:
            return 0
        ones = 0
        for w in range(s.words):
            ones += bits_of(agree[w] & differ(s, w, some[j]), 0)
        fits = 0 < ones <= rows - more
        for i in range(depth if fits else 0):
            any = 0
            for w in range(s.words):
                any |= once[w] & s.own[i * s.room + w] & ~differ(s, w, some[j])
            fits &= any != 0
        left[kept] = some[j]
        kept += fits
    return kept


cdef int grow(Search* s, int64_t depth, int64_t length) noexcept nogil:
    """Go on around one center: 1 a star, 0 none, -1 stopped."""
    cdef Words agree = s.agree + depth * s.room, once = s.once + depth * s.room
    cdef const uint32_t* some = s.left + depth * 64 * s.width
    cdef int64_t w, kept, found, more = s.k - depth - 1
    cdef int64_t* at = s.at + depth + 1
    cdef uint64_t x
    while at[0] + more < length and some[at[0]] < s.limit[depth]:
        s.chosen[depth] = some[at[0]]
        if not more:
            return 1
        if not step(s, length * s.words):
            return -1
        for w in range(s.words):
            x = differ(s, w, some[at[0]])
            s.own[depth * s.room + w] = agree[w] & x
            agree[s.room + w], once[s.room + w] = agree[w] & ~x, once[w] & ~x | agree[w] & x
        kept = narrow(s, depth + 1, some + at[0] + 1, length - at[0] - 1)
        found = grow(s, depth + 1, kept) if kept >= more else 0
        if found:
            return found
        s.depth, at[0] = s.depth - 1, at[0] + 1
    at[0] = 0
    return 0


cdef void mark(Search* s, const uint32_t* rows, const uint32_t* ends, int64_t cell) noexcept nogil:
    """Mark columns that leave centers of a cell enough rows, and the neighbouring cells some."""
    cdef int64_t a, i, w, next, more = s.k - s.shared, size = ends[cell + 1] - ends[cell]
    cdef uint64_t row, every, any
    for i in range((size + ROW_STEP - 1) & -ROW_STEP):
        s.list[i] = rows[ends[cell] + i] if i < size else <uint32_t> s.n
    memset(s.slices, 0, s.size * s.width * sizeof(uint64_t))
    tally(s.table, s.width, s.list, (size + ROW_STEP - 1) & -ROW_STEP, s.size, s.slices)
    between(s.slices, s.width, s.size, 1, <uint32_t> (size - more), s.zero)
    between(s.slices, s.width, s.size, <uint32_t> more, <uint32_t> size - 1, s.one)
    for i in range(s.shared):
        next = cell ^ <int64_t> 1 << i
        for w in range(s.chosen[s.shared - 1] >> 6, s.width):
            every, any = ~<uint64_t> 0, 0
            for a in range(ends[next], ends[next + 1]):
                row = s.table[rows[a] * s.width + w]
                every, any = every & row, any | row
            s.zero[w], s.one[w] = s.zero[w] & ~every, s.one[w] & any


cdef void gather(Search* s, const uint32_t* rows, uint32_t* ends, int64_t cell) noexcept nogil:
    """Turn the rows of a cell and of its neighbours into bits."""
    cdef int64_t i, w, b, a, next, size = 0
    cdef uint64_t* kind
    memset(s.once + s.shared * s.room, 255, s.room * sizeof(uint64_t))
    for i in range(-1, s.shared):
        next = cell if i < 0 else cell ^ <int64_t> 1 << i
        kind = s.agree + s.shared * s.room if i < 0 else s.own + (s.shared - 1 - i) * s.room
        memset(kind, 0, s.room * sizeof(uint64_t))
        for a in range(ends[next], ends[next + 1]):
            kind[size >> 6] |= <uint64_t> 1 << (size & 63)
            s.list[size], size = rows[a], size + 1
    s.words = (size + 63) >> 6
    for w in range(s.words):
        for b in range(s.chosen[s.shared - 1] >> 6, s.width):
            kind = s.labels + (w * s.width + b) * 64
            for i in range(64):
                a = 64 * w + i
                kind[i] = s.table[s.list[a] * s.width + b] if a < size else 0
            transpose(kind)


cdef int around(Search* s) noexcept nogil:
    """Go on around each center that is left: 1 a star, 0 none, -1 stopped."""
    cdef Rows rows = s.rows + s.shared * s.n, ends = s.ends + s.shared * s.cells
    cdef uint32_t* some = s.left + s.shared * 64 * s.width
    cdef int64_t a, w, cell, length, found, more = s.k - s.shared, last = s.chosen[s.shared - 1]
    cdef uint64_t able
    for cell in range(s.cells - 1):
        s.words = 0
        if ends[cell + 1] - ends[cell] <= more or ends[cell + 1] <= s.at[s.shared]:
            continue
        mark(s, rows, ends, cell)
        for a in range(max(ends[cell], s.at[s.shared]), ends[cell + 1]):
            s.center, length = s.table + rows[a] * s.width, 0
            for w in range(last >> 6, s.width if s.centers[rows[a]] else 0):
                able = s.zero[w] & ~s.center[w] | s.one[w] & s.center[w]
                while able:
                    some[length] = <uint32_t> (64 * w + lowest(able))
                    if length < more and some[length] >= s.limit[s.shared + length]:
                        break
                    length, able = length + (some[length] > last), able & (able - 1)
            if length >= more:
                if not s.words:
                    gather(s, rows, ends, cell)
                s.at[s.shared] = a
                if not step(s, length * s.words):
                    return -1
                found = grow(s, s.shared, length)
                if found:
                    return found
                s.depth -= 1
    s.at[s.shared] = 0
    return 0


cdef int search(Search* s, int64_t depth) noexcept nogil:
    """Choose columns around all centers, and cut the cells by each."""
    cdef Rows old = s.rows + depth * s.n, before = s.ends + depth * s.cells
    cdef Rows rows = s.rows + (depth + 1) * s.n, ends = s.ends + (depth + 1) * s.cells
    cdef int64_t a, cell, found, low, high, one, most
    cdef int64_t* x = s.at + depth
    if depth == s.shared:
        return around(s)
    if depth and not x[0]:
        x[0] = s.chosen[depth - 1] + 1
    while x[0] < s.limit[depth]:
        if not step(s, s.n * s.width):
            return -1
        s.chosen[depth], most = x[0], 0
        for cell in range(<int64_t> 1 << depth):
            low, high = before[cell], before[cell + 1]
            for a in range(before[cell], before[cell + 1]):
                one = s.table[old[a] * s.width + (x[0] >> 6)] >> (x[0] & 63) & 1
                rows[low] = rows[high - 1] = old[a]
                low, high = low + 1 - one, high - one
            ends[2 * cell + 1], ends[2 * cell + 2] = low, before[cell + 1]
            most = max(most, low - before[cell], before[cell + 1] - low)
        found = search(s, depth + 1) if most > s.k - depth - 1 else 0
        if found:
            return found
        s.depth, x[0] = s.depth - 1, x[0] + 1
    x[0] = 0
    return 0


def find_star(
    const uint64_t[:, ::1] table not None, const uint8_t[::1] centers not None,
    const int64_t[::1] limits not None, int64_t[::1] place not None, int64_t shared, int64_t work,
):
    """Look for a star around centers whose columns, in their order, lie below limits, one for each.

    ``place`` says where to begin, zeros behind the first column at first, and where the search was
    left after so much ``work``, in words; a set of points takes one or more.  The first ``shared``
    columns are chosen around all centers at once.  Returns 1 where there is a star, 0 where there
    is none, -1 where it was left; the columns and the center; how many sets of points, and words.

    Raises
    ------
    ValueError
        The table has no row besides the last, the shapes differ, or a number is not below what it
        is compared with.
    """
    cdef Search s
    cdef int64_t n = table.shape[0] - 1, width = table.shape[1], k = limits.shape[0], i
    if not 0 < n < <int64_t> 1 << 31 or not 0 < width < 1 << 24 or width % ROW_LANES:
        raise ValueError("table: want rows, the last without ones, of a multiple of four words")
    if (centers.shape[0] != n or place.shape[0] != k + 2 or not 0 < shared < min(k, <int64_t> 24)
            or not all_below(&limits[0], k, 64 * width + 1)
            or not all_below(&place[0], k + 2, <uint64_t> 1 << 40)):
        raise ValueError("centers, limits, place, shared: want one a row, columns, two more, fewer")
    s.table, s.centers, s.limit, s.n, s.width = &table[0, 0], &centers[0], &limits[0], n, width
    s.k, s.shared, s.work, s.cells, s.room = k, shared, work, (1 << shared) + 1, (n + 63) >> 6
    cdef int64_t[:, ::1] paths = np.zeros((2, k + 2), np.int64)
    cdef uint32_t[:, ::1] rows = np.zeros((shared + 1, n + s.cells), np.uint32)
    cdef uint32_t[::1] lists = np.zeros(n + 8 + (k + 1) * 64 * width, np.uint32)
    cdef uint64_t[:, ::1] marks = np.zeros((34, width), np.uint64)
    cdef uint64_t[:, ::1] words = np.zeros((64 * width + 3 * (k + 1), s.room), np.uint64)
    s.at, s.chosen, s.rows, s.list = &paths[0, 0], &paths[1, 0], &rows[0, 0], &lists[0]
    s.ends, s.left, s.labels = s.rows + (shared + 1) * n, s.list + n + 8, &words[0, 0]
    s.agree, s.zero, s.one = &words[64 * width, 0], &marks[0, 0], &marks[1, 0]
    s.once, s.own = s.agree + (k + 1) * s.room, s.agree + 2 * (k + 1) * s.room
    s.slices, s.size = &marks[2, 0], max(3, (<object> n).bit_length())
    s.known, s.visited, s.spent, s.depth, s.ends[1] = place[k + 1], 0, 0, 0, <uint32_t> n
    paths[0] = place
    np.asarray(rows)[0, :n] = np.arange(n)
    with nogil:
        i = search(&s, 0)
    place[:] = paths[0]
    place[k + 1], center = s.depth, s.rows[shared * n + s.at[shared]] if i > 0 else 0
    return i, [s.chosen[x] for x in range(k)], center, s.visited, s.spent
