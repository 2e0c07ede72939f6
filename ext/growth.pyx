"""The most patterns on some columns and a few more.  See README.md."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

from pac_stability._core.bitset cimport lowest, popcount
from pac_stability._core.entry cimport all_below

import numpy as np


cdef struct Search:
    const uint64_t* table
    int64_t n, m, width, words  # words: of bits for cells
    int64_t best, visited, taken
    int64_t* chosen  # by depth: the column; then the best columns so far
    int64_t* cells  # by depth: how many
    int32_t* rows  # by depth: all rows, cell by cell, and where cells end
    int32_t* degree  # by depth and column: how many cells it splits
    uint64_t* split  # by depth and column: which; behind them, which cells have three rows


cdef void refine(Search* s, int64_t depth, int64_t x) noexcept nogil:
    """Cut the cells by a column, those of the next depth."""
    cdef const int32_t* old = s.rows + 2 * depth * s.n
    cdef int32_t* new = s.rows + 2 * (depth + 1) * s.n
    cdef int64_t c, i, at, tail, end, begin = 0, cells = 0
    for c in range(s.cells[depth]):
        at, tail = begin, old[s.n + c]
        end = tail
        for i in range(begin, end):
            if s.table[old[i] * s.width + (x >> 6)] >> (x & 63) & 1:
                tail -= 1
                new[tail] = old[i]
            else:
                new[at] = old[i]
                at += 1
        if begin < at < end:
            new[s.n + cells] = <int32_t> at
            cells += 1
        new[s.n + cells] = <int32_t> end
        cells += 1
        begin = end
    s.cells[depth + 1] = cells


cdef void look(Search* s, int64_t depth, int64_t first) noexcept nogil:
    """Note which cells each column splits, from the first on."""
    cdef const int32_t* rows = s.rows + 2 * depth * s.n
    cdef int32_t* degree = s.degree + depth * s.m
    cdef uint64_t* split = s.split + depth * (s.m + 1) * s.words
    cdef int64_t c, i, w, x, end, begin = 0
    cdef uint64_t some, every, bit
    memset(degree, 0, s.m * sizeof(int32_t))
    memset(split, 0, (s.m + 1) * s.words * sizeof(uint64_t))
    for c in range(s.cells[depth]):
        end = rows[s.n + c]
        bit = <uint64_t> 1 << (c & 63)
        if end - begin > 2:
            split[s.m * s.words + (c >> 6)] |= bit
        for w in range(first >> 6 if end - begin > 1 else s.width, (s.m + 63) >> 6):
            some, every = 0, ~<uint64_t> 0
            for i in range(begin, end):
                some |= s.table[rows[i] * s.width + w]
                every &= s.table[rows[i] * s.width + w]
            some &= ~every
            if 64 * (w + 1) > s.m:  # what lies behind the columns is the caller's
                some &= ~<uint64_t> 0 >> (64 * (w + 1) - s.m)
            while some:
                x = 64 * w + lowest(some)
                some &= some - 1
                split[x * s.words + (c >> 6)] |= bit
                degree[x] += 1
        begin = end


cdef int64_t added(const Search* s, int64_t depth, int64_t x, int64_t y) noexcept nogil:
    """Bound what two columns add: three where both split three rows or more."""
    cdef const uint64_t* split = s.split + depth * (s.m + 1) * s.words
    cdef int64_t w, total = 0
    cdef uint64_t one, other
    for w in range((s.cells[depth] + 63) >> 6):
        one, other = split[x * s.words + w], split[y * s.words + w]
        total += popcount(one | other) + 2 * popcount(one & other & split[s.m * s.words + w])
    return total


cdef void grow(Search* s, int64_t depth, int64_t first, int64_t more) noexcept nogil:
    cdef const int32_t* degree = s.degree + depth * s.m
    cdef int64_t x, y, cells = s.cells[depth]
    s.visited += 1
    look(s, depth, first)
    for x in range(first, s.m - more + 1):
        s.chosen[depth] = x
        if (cells + degree[x]) << min(more - 1, <int64_t> 31) <= s.best:
            continue
        if more == 1:
            s.best, s.taken = cells + degree[x], depth + 1
            for y in range(s.taken):
                s.chosen[s.m + y] = s.chosen[y]
            continue
        y = x + 1
        while more == 2 and y < s.m and cells + added(s, depth, x, y) <= s.best:
            y += 1
        if y < s.m:
            refine(s, depth, x)
            grow(s, depth + 1, x + 1, more - 1)


def most_patterns(
    const uint64_t[:, ::1] table not None, int64_t columns, const int64_t[::1] points not None,
    int64_t more, int64_t least,
):
    """Grow some points by so many columns behind the last of them, to more patterns than ``least``.

    Returns the most patterns, the columns (none where there are not more), and the number of sets
    of columns that were visited.

    Raises
    ------
    ValueError
        The table has no row, or does not have so many columns.
    """
    cdef int64_t n = table.shape[0], i, first = 0
    cdef Search s
    if not 0 < n < <int64_t> 1 << 31 or not 0 < columns <= 64 * table.shape[1]:
        raise ValueError("table: want rows, in words for the columns")
    if points.shape[0] and not all_below(&points[0], points.shape[0], columns):
        raise ValueError("points: want columns")
    for i in range(points.shape[0]):
        first = max(first, points[i] + 1)
    if not 1 <= more <= columns - first:
        raise ValueError("more: want columns behind the points")
    s.table, s.n, s.m, s.width = &table[0, 0], n, columns, table.shape[1]
    s.words = (min(n, <int64_t> 1 << min(points.shape[0] + more, 31)) + 63) >> 6
    s.best, s.visited, s.taken = least, 0, 0
    cdef int64_t[:, ::1] chosen = np.zeros((3, columns + 1), dtype=np.int64)
    cdef int32_t[:, :, ::1] rows = np.zeros((more + 1, 2, n), dtype=np.int32)
    cdef int32_t[:, ::1] degree = np.zeros((more, columns), dtype=np.int32)
    cdef uint64_t[:, :, ::1] split = np.zeros((more, columns + 1, s.words), dtype=np.uint64)
    s.chosen, s.cells, s.rows = &chosen[0, 0], &chosen[2, 0], &rows[0, 0, 0]
    s.degree, s.split = &degree[0, 0], &split[0, 0, 0]
    with nogil:
        for i in range(n):
            s.rows[i] = <int32_t> i
        s.rows[n], s.cells[0] = <int32_t> n, 1
        for i in range(points.shape[0]):
            refine(&s, 0, points[i])
            s.cells[0] = s.cells[1]
            memcpy(s.rows, s.rows + 2 * n, 2 * n * sizeof(int32_t))
        grow(&s, 0, first, more)
    return s.best, [s.chosen[columns + i] for i in range(s.taken)], s.visited
