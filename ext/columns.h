/* The inner loops on bit columns.

   A matrix of n rows and m columns is stored word by word: words[w * m + j] holds rows
   64 w .. 64 w + 63 of column j, lowest bit first, unused high bits zero.  Neighbouring
   columns lie side by side, so every loop below runs over columns with the same mask and
   the compiler turns it into vector code.

   On x86-64 the loops that matter are compiled twice, for the baseline and for AVX2 with a popcount
   instruction; pac_columns_init() picks what the processor has.  Both compute the same. */
#ifndef PAC_COLUMNS_H
#define PAC_COLUMNS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"

/* counts[j] += ones of words[j] under mask */
PAC_INLINE void pac_count_body(const uint64_t *restrict words, uint32_t m, uint64_t mask,
                               uint32_t *restrict counts, int hardware)
{
    for (uint32_t j = 0; j < m; j++)
        counts[j] += pac_bits(words[j] & mask, hardware);
}

/* Push the bits of words[j] under mask together at the low end; moves[i] marks the bits
   that travel by 2^i (Hacker's Delight, section 7-4). */
PAC_INLINE void pac_squeeze_body(uint64_t *restrict words, uint32_t m, uint64_t mask,
                                 const uint64_t *restrict moves)
{
    const uint64_t m0 = moves[0], m1 = moves[1], m2 = moves[2];
    const uint64_t m3 = moves[3], m4 = moves[4], m5 = moves[5];
    for (uint32_t j = 0; j < m; j++) {
        uint64_t x = words[j] & mask, t;
        t = x & m0; x = (x ^ t) | (t >> 1);
        t = x & m1; x = (x ^ t) | (t >> 2);
        t = x & m2; x = (x ^ t) | (t >> 4);
        t = x & m3; x = (x ^ t) | (t >> 8);
        t = x & m4; x = (x ^ t) | (t >> 16);
        t = x & m5; x = (x ^ t) | (t >> 32);
        words[j] = x;
    }
}

static void pac_count_plain(const uint64_t *words, uint32_t m, uint64_t mask, uint32_t *counts)
{
    pac_count_body(words, m, mask, counts, 0);
}

static void pac_squeeze_plain(uint64_t *words, uint32_t m, uint64_t mask, const uint64_t *moves)
{
    pac_squeeze_body(words, m, mask, moves);
}

static void (*pac_count)(const uint64_t *, uint32_t, uint64_t, uint32_t *) = pac_count_plain;
static void (*pac_squeeze)(uint64_t *, uint32_t, uint64_t, const uint64_t *) = pac_squeeze_plain;

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,popcnt"))) static void pac_count_avx2(
    const uint64_t *words, uint32_t m, uint64_t mask, uint32_t *counts)
{
    pac_count_body(words, m, mask, counts, 1);
}

__attribute__((target("avx2,popcnt"))) static void pac_squeeze_avx2(
    uint64_t *words, uint32_t m, uint64_t mask, const uint64_t *moves)
{
    pac_squeeze_body(words, m, mask, moves);
}

/* Does the processor have more than the baseline? */
static inline int pac_columns_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

/* Use it from now on, or the baseline. */
static inline void pac_columns_use(int avx2)
{
    pac_count = avx2 ? pac_count_avx2 : pac_count_plain;
    pac_squeeze = avx2 ? pac_squeeze_avx2 : pac_squeeze_plain;
}
#else
static inline int pac_columns_avx2(void) { return 0; }
static inline void pac_columns_use(int avx2) { (void)avx2; }
#endif

static inline void pac_columns_init(void)
{
    pac_columns_use(pac_columns_avx2());
}

/* The six move masks of a squeeze. */
static inline void pac_moves(uint64_t mask, uint64_t *restrict moves)
{
    uint64_t gaps = ~mask << 1;
    for (int i = 0; i < 6; i++) {
        uint64_t parity = gaps;
        for (int s = 1; s < 64; s <<= 1)
            parity ^= parity << s;
        uint64_t move = parity & mask;
        moves[i] = move;
        mask = (mask ^ move) | (move >> (1 << i));
        gaps &= ~parity;
    }
}

/* out[s] = words[keep[s]] */
static inline void pac_gather(const uint64_t *restrict words, const uint32_t *restrict keep,
                              uint32_t kept, uint64_t *restrict out)
{
    for (uint32_t s = 0; s < kept; s++)
        out[s] = words[keep[s]];
}

/* Append to every column the low bits in part: low |= part << offset, high = the rest. */
static inline void pac_append(const uint64_t *restrict part, uint32_t m, uint32_t offset,
                              uint64_t *restrict low)
{
    for (uint32_t j = 0; j < m; j++)
        low[j] |= part[j] << offset;
}

static inline void pac_spill(const uint64_t *restrict part, uint32_t m, uint32_t shift,
                             uint64_t *restrict high)
{
    for (uint32_t j = 0; j < m; j++)
        high[j] = part[j] >> shift;
}

/* Complement the columns whose row 0 is 1 and toggle the low bit of their ids; the highest
   word goes first because word 0 says which. */
static inline void pac_flip(uint64_t *words, uint32_t m, uint32_t width, uint32_t n,
                            uint32_t *restrict counts, uint32_t *restrict ids)
{
    for (uint32_t j = 0; j < m; j++) {
        counts[j] = (words[j] & 1) ? n - counts[j] : counts[j];
        ids[j] ^= (uint32_t)(words[j] & 1);
    }
    for (uint32_t w = width; w-- > 0;) {
        const uint64_t full =
            (w + 1 == width && (n & 63)) ? (UINT64_C(1) << (n & 63)) - 1 : ~UINT64_C(0);
        uint64_t *word = words + (size_t)w * m;
        for (uint32_t j = 0; j < m; j++)
            word[j] ^= full & (UINT64_C(0) - (words[j] & 1));
    }
}

/* The two halves of the 128-bit product, folded together. */
static inline uint64_t pac_fold(uint64_t x, uint64_t y)
{
#ifdef __SIZEOF_INT128__
    const unsigned __int128 product = (unsigned __int128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    const uint64_t a = x >> 32, b = x & 0xffffffffu, c = y >> 32, d = y & 0xffffffffu;
    const uint64_t low = b * d, left = a * d + (low >> 32), right = b * c + (left & 0xffffffffu);
    return ((right << 32) | (low & 0xffffffffu)) ^ (a * c + (left >> 32) + (right >> 32));
#endif
}

/* A 128-bit fingerprint of count words, chained from one call to the next. */
static inline void pac_fingerprint(const uint64_t *restrict words, size_t count,
                                   uint64_t *restrict key)
{
    uint64_t a = key[0], b = key[1];
    for (size_t i = 0; i < count; i++) {
        a = pac_fold(a ^ words[i], UINT64_C(0x9e3779b97f4a7c15));
        b = pac_fold(b + words[i], UINT64_C(0xd6e8feb86659fd93));
    }
    key[0] = a;
    key[1] = b;
}

/* Does some column split the rows under mask into two parts of at least two rows? */
static inline int pac_splits(const uint64_t *restrict words, uint32_t m, uint32_t width,
                             const uint64_t *restrict mask)
{
    if (width == 1) {
        const uint64_t rows = mask[0];
        for (uint32_t j = 0; j < m; j++) {
            const uint64_t ones = words[j] & rows, zeros = rows & ~words[j];
            if ((ones & (ones - 1)) && (zeros & (zeros - 1)))
                return 1;
        }
        return 0;
    }
    for (uint32_t j = 0; j < m; j++) {
        uint32_t ones = 0, zeros = 0;
        for (uint32_t w = 0; w < width; w++) {
            const uint64_t word = words[(size_t)w * m + j];
            const uint64_t one = word & mask[w], zero = mask[w] & ~word;
            ones += (one != 0) + ((one & (one - 1)) != 0);
            zeros += (zero != 0) + ((zero & (zero - 1)) != 0);
            if (ones >= 2 && zeros >= 2)
                return 1;
        }
    }
    return 0;
}

/* Are all rows of a also in b? */
static inline int pac_subset(const uint64_t *restrict a, const uint64_t *restrict b,
                             uint32_t width)
{
    for (uint32_t w = 0; w < width; w++)
        if (a[w] & ~b[w])
            return 0;
    return 1;
}

/* Pack rows first .. last-1 (at most 64) of a byte table into one word of every column. */
static inline void pac_pack(const uint8_t *restrict table, size_t columns, size_t first,
                            size_t last, uint64_t *restrict word)
{
    memset(word, 0, columns * sizeof *word);
    for (size_t i = first; i < last; i++) {
        const uint8_t *row = table + i * columns;
        const unsigned shift = (unsigned)(i - first);
        for (size_t j = 0; j < columns; j++)
            word[j] |= (uint64_t)row[j] << shift;
    }
}

#endif
