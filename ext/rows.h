/* A bit matrix by rows, to count and to restrict it to a few of its rows.

   The layout is rows[i * stride + b]: bits 64 b .. 64 b + 63 of row i are its columns, lowest
   first.  The stride is a multiple of PAC_ROW_LANES words, unused bits are zero, and one row more
   than there are is all zeros: lists of rows are filled up with it to a multiple of PAC_ROW_STEP.

   Columns are counted all at once, in bit-sliced counters: slices[s * stride + b] has bit s of
   the number of ones of 64 columns.  The loop that matters is compiled for the baseline and
   for AVX2, as those of columns.h are, and both do the same integer operations. */
#ifndef PAC_ROWS_H
#define PAC_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"
#include "columns.h"

#define PAC_ROW_LANES 4
#define PAC_ROW_STEP 8

typedef uint64_t pac_row __attribute__((vector_size(32), may_alias, aligned(8)));

/* sum + a + b = 2 carry + sum, in every bit */
#define PAC_ROW_ADD(carry, sum, a, b)                    \
    do {                                                 \
        const pac_row half_ = (sum) ^ (a);               \
        (carry) = ((sum) & (a)) | (half_ & (b));         \
        (sum) = half_ ^ (b);                             \
    } while (0)

/* Add `length` rows (a multiple of PAC_ROW_STEP) to counters of `size` slices, 3 or more, in four
   words.  Rows lie far apart: they are asked for before they are needed. */
PAC_INLINE void pac_tally_four(const uint64_t *column, size_t stride, const uint32_t *chosen,
                               size_t length, int size, uint64_t *slices)
{
    pac_row one = *(const pac_row *)slices, two = *(const pac_row *)(slices + stride);
    pac_row four = *(const pac_row *)(slices + 2 * stride);
    for (size_t i = 0; i < length; i += PAC_ROW_STEP) {
        const uint32_t *next = chosen + i;
        pac_row two_a, two_b, two_c, two_d, four_a, four_b, carry;
        if (i + 3 * PAC_ROW_STEP <= length)
            for (int q = 0; q < PAC_ROW_STEP; q++)
                __builtin_prefetch(column + next[2 * PAC_ROW_STEP + q] * stride);
#define PAC_ROW(q) (*(const pac_row *)(column + next[q] * stride))
        PAC_ROW_ADD(two_a, one, PAC_ROW(0), PAC_ROW(1));
        PAC_ROW_ADD(two_b, one, PAC_ROW(2), PAC_ROW(3));
        PAC_ROW_ADD(two_c, one, PAC_ROW(4), PAC_ROW(5));
        PAC_ROW_ADD(two_d, one, PAC_ROW(6), PAC_ROW(7));
#undef PAC_ROW
        PAC_ROW_ADD(four_a, two, two_a, two_b);
        PAC_ROW_ADD(four_b, two, two_c, two_d);
        PAC_ROW_ADD(carry, four, four_a, four_b);
        for (int s = 3; s < size; s++) {
            pac_row *slice = (pac_row *)(slices + s * stride);
            const pac_row over = *slice & carry;
            *slice ^= carry;
            carry = over;
        }
    }
    *(pac_row *)slices = one;
    *(pac_row *)(slices + stride) = two;
    *(pac_row *)(slices + 2 * stride) = four;
}

PAC_INLINE void pac_tally_body(const uint64_t *rows, size_t stride, const uint32_t *chosen,
                               size_t length, int size, uint64_t *slices)
{
    for (size_t b = 0; b < stride; b += PAC_ROW_LANES)
        pac_tally_four(rows + b, stride, chosen, length, size, slices + b);
}

static void pac_tally_plain(const uint64_t *rows, size_t stride, const uint32_t *chosen,
                            size_t length, int size, uint64_t *slices)
{
    pac_tally_body(rows, stride, chosen, length, size, slices);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void pac_tally_avx2(
    const uint64_t *rows, size_t stride, const uint32_t *chosen, size_t length, int size,
    uint64_t *slices)
{
    pac_tally_body(rows, stride, chosen, length, size, slices);
}
#endif

/* Add rows to counters, with the instructions that columns are counted with. */
static inline void pac_tally(const uint64_t *rows, size_t stride, const uint32_t *chosen,
                             size_t length, int size, uint64_t *slices)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (pac_count == pac_count_avx2) {
        pac_tally_avx2(rows, stride, chosen, length, size, slices);
        return;
    }
#endif
    pac_tally_plain(rows, stride, chosen, length, size, slices);
}

/* Mark the columns with `least` to `most` ones; return whether there are any.  least > 0. */
static inline int pac_between(const uint64_t *restrict slices, size_t stride, int size,
                              uint32_t least, uint32_t most, uint64_t *restrict marks)
{
    uint64_t any = 0;
    for (size_t b = 0; b < stride; b++) {
        uint64_t fewer = 0, more = 0;
        for (int s = 0; s < size; s++) {
            const uint64_t bit = slices[s * stride + b];
            fewer = least >> s & 1 ? ~bit | fewer : ~bit & fewer;
            more = most >> s & 1 ? bit & more : bit | more;
        }
        marks[b] = ~(fewer | more);
        any |= marks[b];
    }
    return any != 0;
}

/* counts[j] = the number in the counter of column j */
static inline void pac_unslice(const uint64_t *restrict slices, size_t stride, int size,
                               uint32_t m, uint32_t *restrict counts)
{
    memset(counts, 0, m * sizeof *counts);
    for (uint32_t j = 0; j < m; j += 64) {
        const uint32_t some = m - j < 64 ? m - j : 64;
        for (int s = 0; s < size; s++) {
            const uint64_t bit = slices[s * stride + (j >> 6)];
            for (uint32_t i = 0; i < some; i++)
                counts[j + i] |= (uint32_t)(bit >> i & 1) << s;
        }
    }
}

/* Bit i of word j becomes bit j of word i. */
static inline void pac_transpose(uint64_t *word)
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (int apart = 32; apart; apart >>= 1, mask ^= mask << apart)
        for (int first = 0; first < 64; first += 2 * apart)
            for (int i = first; i < first + apart; i++) {
                const uint64_t moved = ((word[i] >> apart) ^ word[i + apart]) & mask;
                word[i + apart] ^= moved;
                word[i] ^= moved << apart;
            }
}

/* Rows 64 w .. 64 w + 63, `some` of them, from one word of each of m columns. */
static inline void pac_rows_of(const uint64_t *restrict words, uint32_t m, uint32_t some,
                               size_t stride, uint64_t *restrict rows)
{
    for (size_t b = 0; b < stride; b++) {
        uint64_t block[64] = {0};
        if (64 * b < m)
            memcpy(block, words + 64 * b, (m - 64 * b < 64 ? m - 64 * b : 64) * sizeof *block);
        pac_transpose(block);
        for (uint32_t i = 0; i < some; i++)
            rows[i * stride + b] = block[i];
    }
}

/* One word of each of 64 * stride columns, from at most 64 rows. */
static inline void pac_columns_of(const uint64_t *restrict rows, size_t stride,
                                  const uint32_t *restrict chosen, uint32_t some,
                                  uint64_t *restrict words)
{
    for (size_t b = 0; b < stride; b++) {
        uint64_t *block = words + 64 * b;
        memset(block, 0, 64 * sizeof *block);
        for (uint32_t i = 0; i < some; i++)
            block[i] = rows[chosen[i] * stride + b];
        pac_transpose(block);
    }
}

#endif
