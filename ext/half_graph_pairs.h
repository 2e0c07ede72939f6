/* The first pairs of a state of a search for half graphs, bounded by degrees (see half_graph.pyx).

   What the pair (h, x) leaves has for rows those with 0 at x, each with as many ones as it has with
   h, and for columns those of h, each with as many as it has in the rows with 0 at x.  So rows are
   measured once for each h, and columns once for each x. */
#ifndef PAC_HALF_GRAPH_PAIRS_H
#define PAC_HALF_GRAPH_PAIRS_H

#include "half_graph.h"

/* Columns of which it is kept how many ones the others have beside them. */
#define PAC_PAIRS_KNOWN 16

typedef struct {
    const pac_half_kernels *kernels;
    int column_words, row_words;
    const uint64_t *rows, *columns;
    pac_half_degree of_rows, of_columns[PAC_PAIRS_KNOWN];
    int at[PAC_PAIRS_KNOWN]; /* 1 + the column, 0 for none */
    uint32_t *row_list, *column_list, *order, *kept, *ladder;
    int ordered, width, most;
} pac_half_pairs;

/* Words of room that these functions need. */
static inline size_t pac_pairs_room(size_t n, size_t m)
{
    return (n + 63) / 64 + PAC_PAIRS_KNOWN * ((m + 63) / 64) +
           (2 * n + (PAC_PAIRS_KNOWN + 2) * m + 1) / 2;
}

static inline void pac_pairs_place(pac_half_pairs *pairs, const pac_half_table *table, int n, int m,
                                   uint64_t *room)
{
    uint32_t *lists;
    pairs->kernels = table->kernels;
    pairs->rows = table->rows;
    pairs->columns = table->columns;
    pairs->column_words = table->column_words;
    pairs->row_words = table->row_words;
    pairs->most = table->most;
    pairs->ladder = table->scratch;
    pairs->order = pac_half_ordered(table->scratch, table->most);
    lists = (uint32_t *)(room + pairs->column_words + PAC_PAIRS_KNOWN * (size_t)pairs->row_words);
    pairs->row_list = lists;
    pairs->column_list = lists + 2 * (size_t)n;
    pairs->kept = pairs->column_list + m;
    pairs->of_rows.line = pairs->row_list;
    pairs->of_rows.ones = lists + n;
    pairs->of_rows.empty = room;
    for (int i = 0; i < PAC_PAIRS_KNOWN; i++) {
        pairs->of_columns[i].line = pairs->column_list;
        pairs->of_columns[i].ones = pairs->kept + (size_t)(i + 1) * m;
        pairs->of_columns[i].empty = room + pairs->column_words + (size_t)i * pairs->row_words;
    }
}

/* Look at a state; columns of more than `border` ones are none of its first pairs. */
static inline void pac_pairs_begin(pac_half_pairs *pairs, const uint64_t *rows_left,
                                   const uint64_t *columns_left, int border, double *spent)
{
    const int columns = pac_half_list(columns_left, pairs->row_words, pairs->column_list);
    pairs->of_rows.count = pac_half_list(rows_left, pairs->column_words, pairs->row_list);
    for (int i = 0; i < PAC_PAIRS_KNOWN; i++) pairs->of_columns[i].count = columns;
    memset(pairs->at, 0, sizeof pairs->at);
    pairs->ordered = pairs->kernels->order(
        pairs->columns, pairs->column_words, columns_left, pairs->row_words, rows_left, 0, border,
        pairs->ladder, pairs->most, spent);
}

/* Look at a row of it, given the columns left with a 1 in the row; how many columns need to be
   tried, which stand in pairs->kept. */
static inline int pac_pairs_row(pac_half_pairs *pairs, const uint64_t *rows_left,
                                const uint64_t *with_row, double *spent)
{
    pairs->width = pairs->kernels->count(with_row, pairs->row_words) - 1;
    pairs->kernels->measure(pairs->rows, pairs->row_words, with_row, &pairs->of_rows,
                            pairs->column_words, spent);
    return pac_half_keep(pairs->columns, pairs->column_words, with_row, rows_left, 0, pairs->order,
                         pairs->ordered, pairs->kept, spent);
}

/* Bound what the pair of that row and column x leaves, in `rows` and `columns`, whose empty lines
   go; below `need` not sharply. */
static inline int pac_pairs_bound(pac_half_pairs *pairs, int x, uint64_t *rows, uint64_t *columns,
                                  int need, double *spent)
{
    pac_half_degree *of_columns = pairs->of_columns + x % PAC_PAIRS_KNOWN;
    const int measured = pairs->at[x % PAC_PAIRS_KNOWN] == x + 1;
    int some, by_rows, by_columns;
    /* Before empty rows go: those of another row's pair with x may stay. */
    if (!measured) {
        pairs->at[x % PAC_PAIRS_KNOWN] = x + 1;
        pairs->kernels->measure(pairs->columns, pairs->column_words, rows, of_columns,
                                pairs->row_words, spent);
    }
    for (int w = 0; w < pairs->column_words; w++) rows[w] &= ~pairs->of_rows.empty[w];
    by_rows = pairs->kernels->known(&pairs->of_rows, rows, pairs->width, pairs->ladder, &some, spent);
    if (by_rows < need) return by_rows;
    for (int w = 0; w < pairs->row_words; w++) columns[w] &= ~of_columns->empty[w];
    by_columns = pairs->kernels->known(of_columns, columns, some, pairs->ladder, &some, spent);
    return by_rows < by_columns ? by_rows : by_columns;
}

#endif
