/* The inner loops of the search for shattered sets (see vc_search.pxi for the search itself).

   Every function takes a mask of columns and clears those that do not split what it is given
   into sides of at least 2^need rows.  There are two layouts of a set of rows ("cell"):

   - a list of non-zero words: `place[t]` says which word of a column, `word[t]` which of its rows;
   - a block of four cells side by side: lane q of slot y is row y of cell q, a row being a word
     over the columns.  All columns are then counted at once with carry-save adders.

   Each is compiled twice on x86-64, for the baseline of the architecture and for AVX2, and chosen
   when a search starts; both do the same integer arithmetic. */
#ifndef PAC_VC_H
#define PAC_VC_H

#include <stdint.h>

#define PAC_ALWAYS static inline __attribute__((always_inline))

typedef uint64_t pac_lanes __attribute__((vector_size(32), may_alias));
typedef int64_t pac_signed __attribute__((vector_size(32), may_alias));

/* All ones in the lanes whose bit 63 - shift is set. */
#define PAC_SPREAD(lanes, shift) ((pac_lanes)((pac_signed)((lanes) << (shift)) < 0))

/* One more row in a pair of bit-sliced counters: sum <- sum + a + b, carry out. */
#define PAC_ADD(carry, sum, a, b)                    \
    do {                                             \
        pac_lanes half_ = (sum) ^ (a);               \
        (carry) = ((sum) & (a)) | (half_ & (b));     \
        (sum) = half_ ^ (b);                         \
    } while (0)

/* One slice of a bit-sliced subtraction: difference = a - b - borrow, borrow updated. */
#define PAC_SUBTRACT(difference, a, b, borrow)                     \
    do {                                                           \
        pac_lanes apart_ = (a) ^ (b);                              \
        (difference) = apart_ ^ (borrow);                          \
        (borrow) = (~(a) & (b)) | (~apart_ & (borrow));            \
    } while (0)

PAC_ALWAYS void pac_count_slots(pac_lanes *count, const pac_lanes *row, const pac_lanes *chosen,
                                int shift, long slots, int slices)
{
    for (int b = 0; b < slices; b++) count[b] = (pac_lanes){0, 0, 0, 0};
    for (long y = 0; y < slots; y += 4) {
        pac_lanes a = row[y], b = row[y + 1], c = row[y + 2], d = row[y + 3];
        pac_lanes two_a, two_b, carry;
        if (chosen) {
            a &= PAC_SPREAD(chosen[y], shift);
            b &= PAC_SPREAD(chosen[y + 1], shift);
            c &= PAC_SPREAD(chosen[y + 2], shift);
            d &= PAC_SPREAD(chosen[y + 3], shift);
        }
        PAC_ADD(two_a, count[0], a, b);
        PAC_ADD(two_b, count[0], c, d);
        PAC_ADD(carry, count[1], two_a, two_b);
        for (int s = 2; s < slices; s++) {
            pac_lanes next = count[s] & carry;
            count[s] ^= carry;
            carry = next;
        }
    }
}

/* One word of columns of one block. */
PAC_ALWAYS uint64_t pac_filter_word(const pac_lanes *row, const pac_lanes *chosen,
                                    const pac_lanes *ones, const pac_lanes *zeros,
                                    const pac_lanes *sizes, int words, int shift, long slots,
                                    int slices, int need)
{
    pac_lanes count[32];
    pac_lanes lent1 = {0, 0, 0, 0}, lent2 = lent1, lent3 = lent1;
    pac_lanes ok11 = lent1, ok10 = lent1, ok01 = lent1, ok00 = lent1;
    pac_count_slots(count, row, chosen, shift, slots, slices);
    for (int b = 0; b < slices; b++) {
        pac_lanes one1 = count[b], zero1, one0, zero0;
        pac_lanes size1 = PAC_SPREAD(sizes[b * words], shift);
        pac_lanes one = ones[b * words], zero = zeros[b * words];
        PAC_SUBTRACT(zero1, size1, one1, lent1);
        PAC_SUBTRACT(one0, one, one1, lent2);
        PAC_SUBTRACT(zero0, zero, zero1, lent3);
        if (b >= need) {
            ok11 |= one1;
            ok10 |= zero1;
            ok01 |= one0;
            ok00 |= zero0;
        }
    }
    ok11 &= ok10 & ok01 & ok00;
    return ok11[0] & ok11[1] & ok11[2] & ok11[3];
}

/* Columns that, after a split on `column`, split all four cells of a block; returns how many are left.
   rows[w * slots + y]: word w of slot y (slots a multiple of 4, padded with zeros);
   ones, zeros[b * words + w]: bit b of the number of ones and zeros in each column. */
PAC_ALWAYS int pac_filter_block_body(const pac_lanes *rows, const pac_lanes *ones,
                                     const pac_lanes *zeros, long slots, int words, int slices,
                                     int column, int need, uint64_t *mask)
{
    const int home = column >> 6, shift = 63 - (column & 63);
    int left = 0;
    for (int w = 0; w < words; w++) {
        if (!mask[w]) continue;
#define PAC_WORD(n) \
    pac_filter_word(rows + w * slots, rows + home * slots, ones + w, zeros + w, ones + home, \
                    words, shift, slots, n, need)
#define PAC_CASE(n) \
    case n: mask[w] &= PAC_WORD(n); break;
        switch (slices) {
            PAC_CASE(2) PAC_CASE(3) PAC_CASE(4) PAC_CASE(5) PAC_CASE(6) PAC_CASE(7) PAC_CASE(8)
            PAC_CASE(9) PAC_CASE(10)
            default: mask[w] &= PAC_WORD(slices);
        }
#undef PAC_CASE
#undef PAC_WORD
        left += __builtin_popcountll(mask[w]);
    }
    return left;
}

/* Bit-sliced numbers of ones and zeros in every column of a block; size[q] rows in cell q. */
PAC_ALWAYS void pac_count_block_body(const pac_lanes *rows, const uint64_t *size, long slots,
                                     int words, int slices, pac_lanes *ones, pac_lanes *zeros)
{
    const pac_lanes total = {size[0], size[1], size[2], size[3]};
    for (int w = 0; w < words; w++) {
        pac_lanes count[32], lent = {0, 0, 0, 0};
        pac_count_slots(count, rows + w * slots, 0, 0, slots, slices);
        for (int b = 0; b < slices; b++) {
            pac_lanes all = PAC_SPREAD(total, 63 - b), zero;
            PAC_SUBTRACT(zero, all, count[b], lent);
            ones[b * words + w] = count[b];
            zeros[b * words + w] = zero;
        }
    }
}

/* Copy into every fourth word of `rows` the rows of a cell that have a label in a column (`flip`: 0 for
   label 1), without a branch on it: each row is written, and the place moves on by whether it counts.
   A cell of `wide` slots a word of columns goes into one of `slots`, the rest of which becomes zero. */
PAC_ALWAYS void pac_extract_body(const uint64_t *restrict before, long wide, long size, int words,
                                 int column, uint64_t flip, long slots, uint64_t *restrict rows)
{
    const int shift = column & 63;
    long at = 0;
    if (words == 1) {
        /* The label comes down to bit 2, so that it moves the place by four words. */
        const int turn = (shift + 62) & 63;
        uint64_t *to = rows;
        flip = (flip & 1) << 2;
#define PAC_EXTRACT(row)                                                              \
    do {                                                                              \
        *to = (row);                                                                  \
        to += ((((row) >> turn | (row) << (-turn & 63)) & 4) ^ flip);                 \
    } while (0)
        long y = 0;
        for (; y + 1 < size; y += 2) {
            const uint64_t row = before[4 * y], other = before[4 * y + 4];
            PAC_EXTRACT(row);
            PAC_EXTRACT(other);
        }
        if (y < size) PAC_EXTRACT(before[4 * y]);
#undef PAC_EXTRACT
        for (at = (to - rows) / 4; at < slots; at++) rows[4 * at] = 0;
        return;
    }
    for (long y = 0; y < size; y++) {
        const uint64_t label = before[4 * (wide * (column >> 6) + y)];
        for (int w = 0; w < words; w++) rows[4 * (w * slots + at)] = before[4 * (w * wide + y)];
        at += (long)((label >> shift ^ flip) & 1);
    }
    for (int w = 0; w < words; w++)
        for (long y = at; y < slots; y++) rows[4 * (w * slots + y)] = 0;
}

/* How many rows of each of the four cells of a block are one in a column, from its counters. */
PAC_ALWAYS void pac_ones_body(const pac_lanes *ones, int words, int slices, int column,
                              uint64_t *total)
{
    pac_lanes sum = {0, 0, 0, 0};
    for (int b = 0; b < slices; b++)
        sum |= (ones[b * words + (column >> 6)] >> (column & 63) & 1) << b;
    for (int q = 0; q < 4; q++) total[q] = sum[q];
}

/* Columns that split one cell, tried one by one; `columns` holds `stride` words a column.
   Stops when fewer than `least` are left; returns how many are. */
PAC_ALWAYS int pac_filter_by_column_body(const uint32_t *place, const uint64_t *word, long length,
                                         const uint64_t *columns, long stride,
                                         int words, int need, int left, int least, uint64_t *mask)
{
    const uint64_t least_rows = (uint64_t)1 << need;
    for (int w = 0; w < words; w++) {
        uint64_t open = mask[w];
        while (open) {
            const int bit = __builtin_ctzll(open);
            const uint64_t *column = columns + (long)(64 * w + bit) * stride;
            int splits;
            open &= open - 1;
            if (need == 0) {
                uint64_t one = 0, zero = 0;
                for (long t = 0; t < length && !(one && zero); t++) {
                    const uint64_t hit = word[t] & column[place[t]];
                    one |= hit;
                    zero |= hit ^ word[t];
                }
                splits = one && zero;
            } else {
                uint64_t one = 0, zero = 0;
                for (long t = 0; t < length && (one < least_rows || zero < least_rows); t++) {
                    const uint64_t hit = word[t] & column[place[t]];
                    one += (uint64_t)__builtin_popcountll(hit);
                    zero += (uint64_t)__builtin_popcountll(hit ^ word[t]);
                }
                splits = one >= least_rows && zero >= least_rows;
            }
            if (!splits) {
                mask[w] &= ~((uint64_t)1 << bit);
                if (--left < least) return left;
            }
        }
    }
    return left;
}

/* The same, all columns of a word at once, row by row; `rows` holds `words` words a row. */
PAC_ALWAYS int pac_filter_by_row_body(const uint32_t *place, const uint64_t *word, long length,
                                      const uint64_t *rows, int words, int need, int left,
                                      int least, uint64_t *mask)
{
    for (int w = 0; w < words; w++) {
        uint64_t one[33] = {0}, zero[33] = {0}, lost;
        if (!mask[w]) continue;
        for (long t = 0; t < length && (mask[w] & ~(one[need] & zero[need])); t++) {
            for (uint64_t open = word[t]; open; open &= open - 1) {
                const long row = 64L * place[t] + __builtin_ctzll(open);
                uint64_t up = rows[row * words + w], down = ~up;
                /* Counters up to 2^need; the last slice remembers that it was reached. */
                for (int b = 0; b < need; b++) {
                    uint64_t next = one[b] & up;
                    one[b] ^= up;
                    up = next;
                    next = zero[b] & down;
                    zero[b] ^= down;
                    down = next;
                }
                one[need] |= up;
                zero[need] |= down;
            }
        }
        lost = mask[w] & ~(one[need] & zero[need]);
        mask[w] ^= lost;
        left -= __builtin_popcountll(lost);
        if (left < least) return left;
    }
    return left;
}

#define PAC_DEFINE(SUFFIX, TARGET)                                                               \
    TARGET static void pac_extract_##SUFFIX(const uint64_t *before, long wide, long size,        \
                                            int words, int column, uint64_t flip, long slots,    \
                                            uint64_t *rows)                                      \
    {                                                                                            \
        pac_extract_body(before, wide, size, words, column, flip, slots, rows);                  \
    }                                                                                            \
    TARGET static void pac_ones_##SUFFIX(const uint64_t *ones, int words, int slices,            \
                                         int column, uint64_t *total)                            \
    {                                                                                            \
        pac_ones_body((const pac_lanes *)ones, words, slices, column, total);                    \
    }                                                                                            \
    TARGET static int pac_filter_block_##SUFFIX(                                                 \
        const uint64_t *rows, const uint64_t *ones, const uint64_t *zeros, long slots,           \
        int words, int slices, int column, int need, uint64_t *mask)                             \
    {                                                                                            \
        return pac_filter_block_body((const pac_lanes *)rows, (const pac_lanes *)ones,           \
                                     (const pac_lanes *)zeros, slots, words, slices, column,     \
                                     need, mask);                                                \
    }                                                                                            \
    TARGET static void pac_count_block_##SUFFIX(const uint64_t *rows, const uint64_t *size,      \
                                                long slots, int words, int slices,               \
                                                uint64_t *ones, uint64_t *zeros)                 \
    {                                                                                            \
        pac_count_block_body((const pac_lanes *)rows, size, slots, words, slices,                \
                             (pac_lanes *)ones, (pac_lanes *)zeros);                             \
    }                                                                                            \
    TARGET static int pac_filter_by_column_##SUFFIX(                                             \
        const uint32_t *place, const uint64_t *word, long length, const uint64_t *columns,      \
        long stride, int words, int need, int left, int least,          \
        uint64_t *mask)                                                                          \
    {                                                                                            \
        if (need == 0)                                                                           \
            return pac_filter_by_column_body(place, word, length, columns, stride, words,  \
                                             0, left, least, mask);                              \
        return pac_filter_by_column_body(place, word, length, columns, stride, words,      \
                                         need, left, least, mask);                               \
    }                                                                                            \
    TARGET static int pac_filter_by_row_##SUFFIX(                                                \
        const uint32_t *place, const uint64_t *word, long length, const uint64_t *rows,          \
        int words, int need, int left, int least, uint64_t *mask)                                \
    {                                                                                            \
        if (need == 0)                                                                           \
            return pac_filter_by_row_body(place, word, length, rows, words, 0, left, least,      \
                                          mask);                                                 \
        return pac_filter_by_row_body(place, word, length, rows, words, need, left, least,       \
                                      mask);                                                     \
    }

typedef struct {
    int (*filter_block)(const uint64_t *, const uint64_t *, const uint64_t *, long, int, int, int,
                        int, uint64_t *);
    void (*count_block)(const uint64_t *, const uint64_t *, long, int, int, uint64_t *,
                        uint64_t *);
    int (*filter_by_column)(const uint32_t *, const uint64_t *, long, const uint64_t *,
                            long, int, int, int, int, uint64_t *);
    int (*filter_by_row)(const uint32_t *, const uint64_t *, long, const uint64_t *, int, int, int,
                         int, uint64_t *);
    void (*extract)(const uint64_t *, long, long, int, int, uint64_t, long, uint64_t *);
    void (*ones)(const uint64_t *, int, int, int, uint64_t *);
} pac_shatter_kernels;

#define PAC_TABLE(SUFFIX) \
    {pac_filter_block_##SUFFIX, pac_count_block_##SUFFIX, pac_filter_by_column_##SUFFIX, \
     pac_filter_by_row_##SUFFIX, pac_extract_##SUFFIX, pac_ones_##SUFFIX}

PAC_DEFINE(baseline, )
static const pac_shatter_kernels pac_shatter_baseline = PAC_TABLE(baseline);

#if defined(__x86_64__)
PAC_DEFINE(avx2, __attribute__((target("avx2,bmi2,popcnt"))))
static const pac_shatter_kernels pac_shatter_avx2 = PAC_TABLE(avx2);
#endif

/* The best that the processor has, or the baseline. */
static const pac_shatter_kernels *pac_choose_shatter_kernels(int portable)
{
#if defined(__x86_64__)
    if (!portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        return &pac_shatter_avx2;
#endif
    (void)portable;
    return &pac_shatter_baseline;
}

#endif
