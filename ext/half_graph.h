/* A table in which half graphs are sought, and its states (see half_graph.pyx).

   A table is kept by rows and by columns, one bit an entry.  A state is a mask of rows and a mask
   of columns.  The loops over lines stand in files of their own; each takes the lines of one side
   (rows, say), those in play (`left`), and the mask of the other side (`across`). */
#ifndef PAC_HALF_GRAPH_H
#define PAC_HALF_GRAPH_H

#include <stdint.h>

#include "half_graph_equal.h"
#include "half_graph_kernels.h"
#include "half_graph_order.h"

/* Pack a table by rows, and by columns, 64 rows at a time; both are zero before. */
static inline void pac_half_read(const uint8_t *table, int n, int m, uint64_t *rows,
                                 uint64_t *columns)
{
    const size_t row_words = ((size_t)m + 63) / 64, column_words = ((size_t)n + 63) / 64;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < m; c++)
            rows[r * row_words + (size_t)(c >> 6)] |= (uint64_t)table[(size_t)r * m + c] << (c & 63);
    for (int first = 0; first < n; first += 64)
        for (int r = first; r < n && r < first + 64; r++)
            for (int c = 0; c < m; c++)
                columns[c * column_words + (size_t)(r >> 6)] |= (uint64_t)table[(size_t)r * m + c]
                                                               << (r & 63);
}

/* 32-bit words of scratch that these functions need for at most so many lines on a side. */
static inline size_t pac_half_scratch(int most)
{
    return 5 * (size_t)most + 8;
}

/* The state of all rows and columns. */
static inline void pac_half_all(uint64_t *state, int n, int m)
{
    for (int r = 0; r < n; r++) state[r >> 6] |= UINT64_C(1) << (r & 63);
    state += (n + 63) / 64;
    for (int c = 0; c < m; c++) state[c >> 6] |= UINT64_C(1) << (c & 63);
}

/* A table, and what its states need. */
typedef struct {
    const pac_half_kernels *kernels;
    const uint64_t *rows, *columns;
    int row_words, column_words, most;
    uint32_t *scratch;
} pac_half_table;

/* Bound by degrees the longest half graph of a state, rows and then columns, below `need` not
   sharply; empty lines go. */
static inline int pac_half_bound_state(const pac_half_table *table, uint64_t *state, int need,
                                       double *spent)
{
    uint64_t *columns = state + table->column_words;
    const int by_rows =
        table->kernels->bound(table->rows, table->row_words, state, table->column_words, columns,
                              table->scratch, table->most, spent);
    int by_columns;
    if (by_rows < need) return by_rows;
    by_columns = table->kernels->bound(table->columns, table->column_words, columns,
                                       table->row_words, state, table->scratch, table->most, spent);
    return by_rows < by_columns ? by_rows : by_columns;
}

/* Keep the first of equal rows and columns of a state; how many went. */
static inline int pac_half_merge_state(const pac_half_table *table, uint64_t *state, double *spent)
{
    uint64_t *columns = state + table->column_words;
    const int gone = pac_half_merge(table->rows, table->row_words, state, table->column_words,
                                    columns, table->scratch, table->most, spent);
    return gone + pac_half_merge(table->columns, table->column_words, columns, table->row_words,
                                 state, table->scratch, table->most, spent);
}

/* Write what the pair (h, x), first in a state, leaves of it. */
static inline void pac_half_next(const pac_half_table *table, const uint64_t *state, int h, int x,
                                 uint64_t *next)
{
    const uint64_t *row = table->rows + (size_t)h * table->row_words;
    const uint64_t *column = table->columns + (size_t)x * table->column_words;
    for (int w = 0; w < table->column_words; w++) next[w] = state[w] & ~column[w];
    state += table->column_words;
    next += table->column_words;
    for (int w = 0; w < table->row_words; w++) next[w] = state[w] & row[w];
    next[x >> 6] &= ~(UINT64_C(1) << (x & 63));
}

/* Put into `out` the rows that need to begin a half graph in a state, of `border` ones at least. */
static inline void pac_half_rows_to_try(const pac_half_table *table, const uint64_t *state,
                                        int border, uint64_t *out, double *spent)
{
    table->kernels->extreme(table->rows, table->row_words, state, table->column_words,
                            state + table->column_words, 1, border, out, table->scratch,
                            table->most, spent);
}

/* The columns of a state with a 1 in row h; and `out`, those that need to be tried with it, of
   `border` ones at most. */
static inline void pac_half_columns_of(const pac_half_table *table, const uint64_t *state, int h,
                                       uint64_t *of_row)
{
    for (int w = 0; w < table->row_words; w++)
        of_row[w] = state[table->column_words + w] & table->rows[(size_t)h * table->row_words + w];
}

static inline void pac_half_columns_to_try(const pac_half_table *table, const uint64_t *state, int h,
                                           int border, uint64_t *of_row, uint64_t *out,
                                           double *spent)
{
    pac_half_columns_of(table, state, h, of_row);
    table->kernels->extreme(table->columns, table->column_words, of_row, table->row_words, state, 0,
                            border, out, table->scratch, table->most, spent);
}

#endif
