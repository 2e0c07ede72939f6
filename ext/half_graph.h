/* The inner loops of the searches for half graphs (see half_graph.pyx and half_graph_ceiling.pyx).

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

/* Drop the lines without a one from `left`, and bound by degrees the longest half graph: in one of
   size k the i-th fullest line has at least k - i + 1 ones, and the i-th emptiest at least k - i
   zeros. */
PAC_INLINE int pac_half_bound_body(const uint64_t *lines, int words, uint64_t *left, int left_words,
                                   const uint64_t *across, uint32_t *scratch, int most,
                                   double *spent, int hardware)
{
    uint32_t *list = scratch, *degree = scratch + most, *ladder = scratch + 2 * (size_t)most;
    const int width = pac_half_ones(across, words, hardware);
    const int count = pac_half_list(left, left_words, list);
    int some = count, least = width + 1, greatest = 0, below = 0, above = 0, k = width;
    memset(ladder, 0, (size_t)(width + 1) * sizeof *ladder);
    pac_half_degrees(lines, words, list, count, across, degree, hardware);
    for (int i = 0; i < count; i++) {
        const int ones = (int)degree[i];
        ladder[ones]++;
        greatest = ones > greatest ? ones : greatest;
        if (!ones) left[list[i] >> 6] &= ~(UINT64_C(1) << (list[i] & 63));
        some -= !ones;
        least = ones && ones < least ? ones : least;
    }
    *spent += (double)count * words + width;
    /* Beyond the degrees that occur both bounds are best next to them, or at 1 and at the width. */
    k = some < greatest ? some : greatest;
    k = width - least + 1 < k ? width - least + 1 : k;
    for (int d = least; d <= greatest; d++) {
        above = some - below + d - 1;
        below += (int)ladder[d];
        k = above < k ? above : k;
        k = below + width - d < k ? below + width - d : k;
    }
    return k;
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

/* Put into `out` the lines that need to begin a half graph: those of at least `least` ones under
   `across` that lie in no other (fullest), or of at most `most_ones` that contain no other. Among
   equals the first stays. */
PAC_INLINE void pac_half_extreme_body(const uint64_t *lines, int words, const uint64_t *left,
                                      int left_words, const uint64_t *across, int fullest,
                                      int border, uint64_t *out, uint32_t *scratch, int most,
                                      double *spent, int hardware)
{
    uint32_t *list = scratch, *degree = scratch + most, *ladder = scratch + 2 * (size_t)most;
    uint32_t *order = scratch + 3 * (size_t)most + 1;
    const int count = pac_half_list(left, left_words, list);
    const int width = pac_half_ones(across, words, hardware);
    int kept = 0, at = 0;
    memset(out, 0, (size_t)left_words * sizeof *out);
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
    /* ladder[d]: where they end. */
    at = border < 0 ? 0 : border < width ? (int)ladder[border] : count;
    for (int i = 0; i < at; i++) {
        const uint64_t *line = lines + (size_t)order[i] * words;
        const int others = kept < PAC_HALF_KEPT ? kept : PAC_HALF_KEPT;
        int j = 0;
        for (; j < others; j++) {
            const uint64_t *other = lines + (size_t)order[j] * words;
            if (fullest ? pac_half_within(line, other, across, words)
                        : pac_half_within(other, line, across, words))
                break;
        }
        *spent += (double)j * 2;
        if (j == others) {
            out[order[i] >> 6] |= UINT64_C(1) << (order[i] & 63);
            order[kept++] = order[i];
        }
    }
    *spent += (double)count * words + width;
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

/* Drop from `left` all but the first of lines that are equal under `across`; how many went. */
static inline int pac_half_merge(const uint64_t *lines, int words, uint64_t *left, int left_words,
                                 const uint64_t *across, uint32_t *scratch, int most,
                                 double *spent)
{
    uint32_t *list = scratch, *slot = scratch + most;
    const int count = pac_half_list(left, left_words, list);
    uint32_t slots = 4;
    int gone = 0;
    while (slots < 2 * (uint32_t)count) slots *= 2;
    memset(slot, 0, slots * sizeof *slot);
    for (int i = 0; i < count; i++) {
        const uint64_t *line = lines + (size_t)list[i] * words;
        uint64_t mixed = 0;
        uint32_t at;
        for (int w = 0; w < words; w++) {
            mixed = (mixed ^ (line[w] & across[w])) * UINT64_C(0x9E3779B97F4A7C15);
            mixed ^= mixed >> 32;
        }
        for (at = (uint32_t)mixed & (slots - 1); slot[at]; at = (at + 1) & (slots - 1)) {
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
    *spent += 2.0 * count * words;
    return gone;
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
    /* the fullest or the emptiest of some lines, the first of equals; -1 if there is none */
    int (*first)(const uint64_t *, int, const uint64_t *, int, const uint64_t *, int, int *,
                 double *);
    int (*count)(const uint64_t *, int);
} pac_half_kernels;

#define PAC_HALF_TABLE(SUFFIX) \
    {pac_half_bound_##SUFFIX, pac_half_extreme_##SUFFIX, pac_half_first_##SUFFIX, \
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

#endif
