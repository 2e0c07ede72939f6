/* The inner loops of the search for half graphs (see half_graph.pyx).

   A table is kept by rows and by columns, one bit an entry.  A state is a mask of rows and a mask
   of columns; a function takes the lines of one side (rows, say), those in play (`left`), and the
   mask of the other side (`across`).

   Each is compiled twice, for the baseline of the architecture and for processors that count bits
   in one instruction, and chosen when a search starts; both do the same integer arithmetic. */
#ifndef PAC_HALF_GRAPH_H
#define PAC_HALF_GRAPH_H

#include <stdint.h>
#include <string.h>

#include "bits.h"

PAC_INLINE int pac_half_ones(const uint64_t *mask, int words, int hardware)
{
    int total = 0;
    for (int w = 0; w < words; w++) total += (int)pac_bits(mask[w], hardware);
    return total;
}

PAC_INLINE int pac_half_overlap(const uint64_t *one, const uint64_t *other, int words, int hardware)
{
    int total = 0;
    for (int w = 0; w < words; w++) total += (int)pac_bits(one[w] & other[w], hardware);
    return total;
}

/* The bits of a mask, in order; how many there are. */
PAC_INLINE int pac_half_list(const uint64_t *mask, int words, uint32_t *list)
{
    int count = 0;
    for (int w = 0; w < words; w++)
        for (uint64_t open = mask[w]; open; open &= open - 1)
            list[count++] = (uint32_t)(64 * w + __builtin_ctzll(open));
    return count;
}

/* degree[i]: the ones of line list[i] under `across`. The usual numbers of words are unrolled. */
PAC_INLINE void pac_half_degrees(const uint64_t *lines, int words, const uint32_t *list, int count,
                                 const uint64_t *across, uint32_t *degree, int hardware)
{
#define PAC_DEGREES(n)                                                                            \
    for (int i = 0; i < count; i++)                                                               \
        degree[i] = (uint32_t)pac_half_overlap(lines + (size_t)list[i] * words, across, n, hardware)
    switch (words) {
        case 1: PAC_DEGREES(1); break;
        case 2: PAC_DEGREES(2); break;
        case 3: PAC_DEGREES(3); break;
        case 4: PAC_DEGREES(4); break;
        default: PAC_DEGREES(words);
    }
#undef PAC_DEGREES
}

/* Where in the scratch a mask of lines has room. */
static inline uint64_t *pac_half_empty(uint32_t *scratch, int most)
{
    return (uint64_t *)(scratch + (3 * (size_t)most + 2) / 2 * 2);
}

/* The ones of some lines under `across`. */
typedef struct {
    const uint32_t *line;
    uint32_t *ones;
    uint64_t *empty; /* the mask of those without a one */
    int count, least, greatest; /* of those that have one */
} pac_half_degree;

PAC_INLINE void pac_half_measure(const uint64_t *lines, int words, const uint64_t *across,
                                 pac_half_degree *degree, int empty_words, double *spent,
                                 int hardware)
{
    const int count = degree->count;
    uint32_t least = UINT32_MAX, greatest = 0, without = 0;
    pac_half_degrees(lines, words, degree->line, count, across, degree->ones, hardware);
    for (int i = 0; i < count; i++) {
        const uint32_t ones = degree->ones[i];
        greatest = ones > greatest ? ones : greatest;
        least = ones - 1 < least ? ones - 1 : least;
        without += !ones;
    }
    degree->least = greatest ? (int)least + 1 : 1;
    degree->greatest = (int)greatest;
    memset(degree->empty, 0, (size_t)empty_words * sizeof *degree->empty);
    for (int i = 0; without && i < count; i++) {
        const int bare = !degree->ones[i];
        if (!bare) continue;
        degree->empty[degree->line[i] >> 6] |= UINT64_C(1) << (degree->line[i] & 63);
        without--;
    }
    *spent += (double)count * words;
}

/* Bound by degrees the longest half graph on the lines of `left`, which have ones, `width` at most:
   in one of size k the i-th fullest line has at least k - i + 1 ones, and the i-th emptiest at least
   k - i zeros.  `some`: how many lines there are. */
PAC_INLINE int pac_half_known_body(const pac_half_degree *degree, const uint64_t *left, int width,
                                   uint32_t *ladder, int *some, double *spent)
{
    const int greatest = degree->greatest < width ? degree->greatest : width;
    int lines = 0, sum = 1 - degree->least, highest = 0, lowest = sum, by_ones, by_zeros;
    if (degree->least > greatest) return *some = 0;
    memset(ladder, 0, (size_t)(degree->greatest + 1) * sizeof *ladder);
    for (int i = 0; i < degree->count; i++) {
        const uint32_t line = degree->line[i];
        ladder[degree->ones[i]] += (uint32_t)(left[line >> 6] >> (line & 63)) & 1;
    }
    /* With c lines of at most d ones the size is at most lines - c + d by those with more, and
       c + width - d by these: sum is c - d. */
    for (int d = degree->least; d <= greatest; d++) {
        lines += (int)ladder[d];
        sum += (int)ladder[d] - 1;
        highest = sum > highest ? sum : highest;
        lowest = sum < lowest ? sum : lowest;
    }
    sum -= width - greatest;
    lowest = sum < lowest ? sum : lowest;
    *some = lines;
    *spent += (double)(degree->count + greatest - degree->least);
    by_ones = lines - highest;
    by_zeros = width + lowest;
    return by_ones < by_zeros ? by_ones : by_zeros;
}

/* The same for lines whose ones are to be counted; those without go. */
PAC_INLINE int pac_half_bound_body(const uint64_t *lines, int words, uint64_t *left, int left_words,
                                   const uint64_t *across, uint32_t *scratch, int most,
                                   double *spent, int hardware)
{
    int some;
    uint32_t *ladder = scratch + 2 * (size_t)most;
    pac_half_degree degree = {
        scratch, scratch + most, pac_half_empty(scratch, most),
        pac_half_list(left, left_words, scratch), 1, 0};
    pac_half_measure(lines, words, across, &degree, left_words, spent, hardware);
    for (int w = 0; w < left_words; w++) left[w] &= ~degree.empty[w];
    return pac_half_known_body(&degree, left, pac_half_ones(across, words, hardware), ladder, &some,
                               spent);
}

/* Where the order of some lines is left in the scratch. */
static inline uint32_t *pac_half_ordered(uint32_t *scratch, int most)
{
    return scratch + 3 * (size_t)most + 1;
}

PAC_INLINE int pac_half_within(const uint64_t *one, const uint64_t *other, const uint64_t *across,
                               int words)
{
    for (int w = 0; w < words; w++)
        if (one[w] & ~other[w] & across[w]) return 0;
    return 1;
}

/* A line is compared with so many that were kept before it: keeping more than needed is no harm. */
#define PAC_HALF_KEPT 512

/* The lines of at least `border` ones under `across`, fullest first, or of at most so many, emptiest
   first; equals in their order.  How many there are. */
PAC_INLINE int pac_half_order_body(const uint64_t *lines, int words, const uint64_t *left,
                                   int left_words, const uint64_t *across, int fullest, int border,
                                   uint32_t *scratch, int most, double *spent, int hardware)
{
    uint32_t *list = scratch, *degree = scratch + most, *ladder = scratch + 2 * (size_t)most;
    uint32_t *order = pac_half_ordered(scratch, most);
    const int count = pac_half_list(left, left_words, list);
    const int width = pac_half_ones(across, words, hardware);
    int at = 0;
    memset(ladder, 0, (size_t)(width + 1) * sizeof *ladder);
    pac_half_degrees(lines, words, list, count, across, degree, hardware);
    for (int i = 0; i < count; i++) {
        degree[i] = fullest ? (uint32_t)width - degree[i] : degree[i];
        ladder[degree[i]]++;
    }
    border = fullest ? width - border : border;
    /* ladder[d]: from where in the order the lines of degree d lie. */
    for (int d = 0; d <= width; d++) {
        const int many = (int)ladder[d];
        ladder[d] = (uint32_t)at;
        at += many;
    }
    for (int i = 0; i < count; i++) order[ladder[degree[i]]++] = list[i];
    *spent += (double)count * words + width;
    /* ladder[d]: where they end. */
    return border < 0 ? 0 : border < width ? (int)ladder[border] : count;
}

/* Of ordered lines, those among the `members` that need to begin a half graph: that lie in no other
   (fullest), or contain no other.  How many. `kept_lines` may be `order` itself. */
PAC_INLINE int pac_half_keep(const uint64_t *lines, int words, const uint64_t *members,
                             const uint64_t *across, int fullest, const uint32_t *order, int count,
                             uint32_t *kept_lines, double *spent)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t *line = lines + (size_t)order[i] * words;
        const int others = kept < PAC_HALF_KEPT ? kept : PAC_HALF_KEPT;
        int j = 0;
        if (!(members[order[i] >> 6] >> (order[i] & 63) & 1)) continue;
        for (; j < others; j++) {
            const uint64_t *other = lines + (size_t)kept_lines[j] * words;
            if (fullest ? pac_half_within(line, other, across, words)
                        : pac_half_within(other, line, across, words))
                break;
        }
        *spent += (double)j * 2;
        if (j == others) kept_lines[kept++] = order[i];
    }
    return kept;
}

/* Put into `out` the lines that need to begin a half graph: those of at least `border` ones under
   `across` that lie in no other (fullest), or of at most so many that contain no other. Among
   equals the first stays. */
PAC_INLINE void pac_half_extreme_body(const uint64_t *lines, int words, const uint64_t *left,
                                      int left_words, const uint64_t *across, int fullest,
                                      int border, uint64_t *out, uint32_t *scratch, int most,
                                      double *spent, int hardware)
{
    uint32_t *order = pac_half_ordered(scratch, most);
    int count = pac_half_order_body(lines, words, left, left_words, across, fullest, border,
                                    scratch, most, spent, hardware);
    count = pac_half_keep(lines, words, left, across, fullest, order, count, order, spent);
    memset(out, 0, (size_t)left_words * sizeof *out);
    for (int i = 0; i < count; i++) out[order[i] >> 6] |= UINT64_C(1) << (order[i] & 63);
}

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

PAC_INLINE int pac_half_merge_words(const uint64_t *lines, int words, uint64_t *left,
                                    const uint64_t *across, const uint32_t *list, int count,
                                    uint32_t *slot)
{
    uint32_t slots = 4;
    int gone = 0;
    while (slots < 2 * (uint32_t)count) slots *= 2;
    memset(slot, 0, slots * sizeof *slot);
    for (int i = 0; i < count; i++) {
        const uint64_t *line = lines + (size_t)list[i] * words;
        uint64_t mixed = 0;
        uint32_t at;
        /* Products that need not wait for each other. */
        for (int w = 0; w < words; w++)
            mixed += (line[w] & across[w]) *
                     (UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)w * UINT64_C(0xD1B54A32D192ED02));
        mixed ^= mixed >> 32;
        mixed *= UINT64_C(0x9E3779B97F4A7C15);
        for (at = (uint32_t)(mixed >> 32) & (slots - 1); slot[at]; at = (at + 1) & (slots - 1)) {
            const uint64_t *other = lines + (size_t)(slot[at] - 1) * words;
            uint64_t apart = 0;
            for (int w = 0; w < words; w++) apart |= (line[w] ^ other[w]) & across[w];
            if (!apart) break;
        }
        if (slot[at]) {
            left[list[i] >> 6] &= ~(UINT64_C(1) << (list[i] & 63));
            gone++;
        } else {
            slot[at] = list[i] + 1;
        }
    }
    return gone;
}

/* Drop from `left` all but the first of lines that are equal under `across`; how many went. */
static inline int pac_half_merge(const uint64_t *lines, int words, uint64_t *left, int left_words,
                                 const uint64_t *across, uint32_t *scratch, int most,
                                 double *spent)
{
    uint32_t *list = scratch, *slot = scratch + most;
    const int count = pac_half_list(left, left_words, list);
    *spent += 2.0 * count * words;
    switch (words) {
        case 1: return pac_half_merge_words(lines, 1, left, across, list, count, slot);
        case 2: return pac_half_merge_words(lines, 2, left, across, list, count, slot);
        case 3: return pac_half_merge_words(lines, 3, left, across, list, count, slot);
        case 4: return pac_half_merge_words(lines, 4, left, across, list, count, slot);
        default: return pac_half_merge_words(lines, words, left, across, list, count, slot);
    }
}

#define PAC_HALF_DEFINE(SUFFIX, TARGET, HARDWARE)                                                 \
    TARGET static int pac_half_bound_##SUFFIX(                                                    \
        const uint64_t *lines, int words, uint64_t *left, int left_words, const uint64_t *across, \
        uint32_t *scratch, int most, double *spent)                                               \
    {                                                                                             \
        return pac_half_bound_body(lines, words, left, left_words, across, scratch, most, spent,  \
                                   HARDWARE);                                                     \
    }                                                                                             \
    TARGET static void pac_half_extreme_##SUFFIX(                                                 \
        const uint64_t *lines, int words, const uint64_t *left, int left_words,                   \
        const uint64_t *across, int fullest, int border, uint64_t *out, uint32_t *scratch,        \
        int most, double *spent)                                                                  \
    {                                                                                             \
        pac_half_extreme_body(lines, words, left, left_words, across, fullest, border, out,       \
                              scratch, most, spent, HARDWARE);                                    \
    }                                                                                             \
    TARGET static int pac_half_order_##SUFFIX(                                                    \
        const uint64_t *lines, int words, const uint64_t *left, int left_words,                   \
        const uint64_t *across, int fullest, int border, uint32_t *scratch, int most,             \
        double *spent)                                                                            \
    {                                                                                             \
        return pac_half_order_body(lines, words, left, left_words, across, fullest, border,       \
                                   scratch, most, spent, HARDWARE);                               \
    }                                                                                             \
    TARGET static void pac_half_measure_##SUFFIX(                                                 \
        const uint64_t *lines, int words, const uint64_t *across, pac_half_degree *degree,        \
        int empty_words, double *spent)                                                           \
    {                                                                                             \
        pac_half_measure(lines, words, across, degree, empty_words, spent, HARDWARE);             \
    }                                                                                             \
    TARGET static int pac_half_known_##SUFFIX(const pac_half_degree *degree,                      \
                                              const uint64_t *left, int width, uint32_t *ladder,  \
                                              int *some, double *spent)                           \
    {                                                                                             \
        return pac_half_known_body(degree, left, width, ladder, some, spent);                     \
    }                                                                                             \
    TARGET static int pac_half_first_##SUFFIX(                                                    \
        const uint64_t *lines, int words, const uint64_t *among, int among_words,                 \
        const uint64_t *across, int fullest, int *ones, double *spent)                            \
    {                                                                                             \
        int best = -1;                                                                            \
        for (int w = 0; w < among_words; w++)                                                     \
            for (uint64_t open = among[w]; open; open &= open - 1) {                              \
                const int line = 64 * w + __builtin_ctzll(open);                                  \
                const int degree =                                                                \
                    pac_half_overlap(lines + (size_t)line * words, across, words, HARDWARE);      \
                *spent += words;                                                                  \
                if (best < 0 || (fullest ? degree > *ones : degree < *ones)) {                    \
                    best = line;                                                                  \
                    *ones = degree;                                                               \
                }                                                                                 \
            }                                                                                     \
        return best;                                                                              \
    }                                                                                             \
    TARGET static int pac_half_count_##SUFFIX(const uint64_t *mask, int words)                    \
    {                                                                                             \
        return pac_half_ones(mask, words, HARDWARE);                                              \
    }

typedef struct {
    /* a bound by degrees; empty lines go */
    int (*bound)(const uint64_t *, int, uint64_t *, int, const uint64_t *, uint32_t *, int, double *);
    /* the lines that need to begin */
    void (*extreme)(const uint64_t *, int, const uint64_t *, int, const uint64_t *, int, int,
                    uint64_t *, uint32_t *, int, double *);
    /* the order in which they are looked for; the ones of lines; a bound from these */
    int (*order)(const uint64_t *, int, const uint64_t *, int, const uint64_t *, int, int,
                 uint32_t *, int, double *);
    void (*measure)(const uint64_t *, int, const uint64_t *, pac_half_degree *, int, double *);
    int (*known)(const pac_half_degree *, const uint64_t *, int, uint32_t *, int *, double *);
    /* the fullest or the emptiest of some lines, the first of equals; -1 if there is none */
    int (*first)(const uint64_t *, int, const uint64_t *, int, const uint64_t *, int, int *,
                 double *);
    int (*count)(const uint64_t *, int);
} pac_half_kernels;

#define PAC_HALF_TABLE(SUFFIX) \
    {pac_half_bound_##SUFFIX, pac_half_extreme_##SUFFIX, pac_half_order_##SUFFIX,  \
     pac_half_measure_##SUFFIX, pac_half_known_##SUFFIX, pac_half_first_##SUFFIX,        \
     pac_half_count_##SUFFIX}

PAC_HALF_DEFINE(baseline, , 0)
static const pac_half_kernels pac_half_baseline = PAC_HALF_TABLE(baseline);

#if defined(__x86_64__)
PAC_HALF_DEFINE(counting, __attribute__((target("avx2,popcnt"))), 1)
static const pac_half_kernels pac_half_counting = PAC_HALF_TABLE(counting);
#endif

static const pac_half_kernels *pac_choose_half_kernels(int portable)
{
#if defined(__x86_64__)
    if (!portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        return &pac_half_counting;
#endif
    (void)portable;
    return &pac_half_baseline;
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
