/* The rows that two bit columns have in common, for many pairs of columns at once.

   Columns lie in panels of PAC_PANEL: panel[w * PAC_PANEL + j] holds rows 64 w .. 64 w + 63 of
   column j.  A tile of two panels is counted in one pass over both, each word of one against all
   words of the other, so that counters stay in registers and panels in the nearest cache.

   The loop is compiled for the baseline, AVX2 and AVX-512 on x86-64, and for NEON on 64-bit ARM, as
   those of columns.h are, and all count the same. */
#ifndef PAC_PAIRS_H
#define PAC_PAIRS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"
#include "columns.h"

#define PAC_PANEL 8

/* common[PAC_PANEL * q + j] = rows in column q of one panel and column j of the other */
PAC_INLINE void pac_common_body(const uint64_t *restrict one, const uint64_t *restrict other,
                                size_t width, uint32_t *restrict common, int hardware)
{
    for (int q = 0; q < PAC_PANEL; q++)
        for (int j = 0; j < PAC_PANEL; j += 4) {
            const uint64_t *a = one + q, *b = other + j;
            uint64_t total[4] = {0};
            for (size_t w = 0; w < PAC_PANEL * width; w += PAC_PANEL)
                for (int i = 0; i < 4; i++)
                    total[i] += pac_bits(a[w] & b[w + i], hardware);
            for (int i = 0; i < 4; i++)
                common[PAC_PANEL * q + j + i] = (uint32_t)total[i];
        }
}

static void pac_common_plain(const uint64_t *one, const uint64_t *other, size_t width,
                             uint32_t *common)
{
    pac_common_body(one, other, width, common, 0);
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("avx2,popcnt"))) static void
pac_common_avx2(const uint64_t *one, const uint64_t *other, size_t width, uint32_t *common)
{
    pac_common_body(one, other, width, common, 1);
}

__attribute__((target("avx512f,avx512vpopcntdq"))) static void
pac_common_avx512(const uint64_t *one, const uint64_t *other, size_t width, uint32_t *common)
{
    __m512i total[PAC_PANEL];
    for (int q = 0; q < PAC_PANEL; q++)
        total[q] = _mm512_setzero_si512();
    for (size_t w = 0; w < width; w++) {
        const __m512i row = _mm512_loadu_si512(other + PAC_PANEL * w);
        for (int q = 0; q < PAC_PANEL; q++)
            total[q] = _mm512_add_epi64(
                total[q],
                _mm512_popcnt_epi64(_mm512_and_si512(
                    row, _mm512_set1_epi64((long long)one[PAC_PANEL * w + q]))));
    }
    for (int q = 0; q < PAC_PANEL; q++)
        _mm256_storeu_si256((__m256i *)(common + PAC_PANEL * q), _mm512_cvtepi64_epi32(total[q]));
}
#elif defined(__aarch64__) && defined(__ARM_NEON)
/* Ones are counted in bytes, which overflow after 31 words: until then a sum for each byte of the
   other panel's row of eight columns. */
static void pac_common_neon(const uint64_t *one, const uint64_t *other, size_t width,
                            uint32_t *common)
{
    for (int q = 0; q < PAC_PANEL; q++) {
        uint64x2_t total[PAC_PANEL / 2];
        for (int j = 0; j < PAC_PANEL / 2; j++)
            total[j] = vdupq_n_u64(0);
        for (size_t begin = 0; begin < width; begin += 31) {
            const size_t end = width - begin < 31 ? width : begin + 31;
            uint8x16_t ones[PAC_PANEL / 2];
            for (int j = 0; j < PAC_PANEL / 2; j++)
                ones[j] = vdupq_n_u8(0);
            for (size_t w = begin; w < end; w++) {
                const uint64x2_t word = vdupq_n_u64(one[PAC_PANEL * w + (size_t)q]);
                for (int j = 0; j < PAC_PANEL / 2; j++) {
                    const uint64x2_t row = vld1q_u64(other + PAC_PANEL * w + 2 * j);
                    const uint8x16_t both = vreinterpretq_u8_u64(vandq_u64(row, word));
                    ones[j] = vaddq_u8(ones[j], vcntq_u8(both));
                }
            }
            for (int j = 0; j < PAC_PANEL / 2; j++)
                total[j] = vpadalq_u32(total[j], vpaddlq_u16(vpaddlq_u8(ones[j])));
        }
        for (int j = 0; j < PAC_PANEL / 2; j++)
            vst1_u32(common + PAC_PANEL * q + 2 * j, vmovn_u64(total[j]));
    }
}
#endif

/* Count a tile, with the instructions that columns are counted with. */
static inline void pac_common(const uint64_t *one, const uint64_t *other, size_t width,
                              uint32_t *common)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (pac_count == pac_count_avx512) {
        pac_common_avx512(one, other, width, common);
        return;
    }
    if (pac_count == pac_count_avx2) {
        pac_common_avx2(one, other, width, common);
        return;
    }
#elif defined(__aarch64__) && defined(__ARM_NEON)
    if (pac_count == pac_count_neon) {
        pac_common_neon(one, other, width, common);
        return;
    }
#endif
    pac_common_plain(one, other, width, common);
}

/* What counting a word of a pair costs, in eighths of a word of `pac_tally`; measured, for NEON by
   the number of instructions. */
static inline uint64_t pac_common_cost(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (pac_count == pac_count_avx512)
        return 1;
    if (pac_count == pac_count_avx2)
        return 10;
#elif defined(__aarch64__) && defined(__ARM_NEON)
    if (pac_count == pac_count_neon)
        return 4;
#endif
    return 20;
}

/* One word of the columns of a panel: of those that are listed, complemented as they ask. */
static inline void pac_lift(const uint64_t *restrict words, const uint32_t *restrict listed,
                            uint32_t some, const uint64_t *restrict turned, uint64_t full,
                            uint64_t *restrict panel)
{
    for (uint32_t j = 0; j < some; j++)
        panel[j] = (words[listed[j]] ^ turned[j]) & full;
    for (uint32_t j = some; j < PAC_PANEL; j++)
        panel[j] = 0;
}

/* Take over the bound of those pairs of a tile that have fewer than `least` rows, in both orders. */
static inline void pac_bound(const uint32_t *restrict common, const uint32_t *restrict one,
                             uint32_t ones, const uint32_t *restrict other, uint32_t others,
                             uint32_t least, uint8_t bound, size_t m, uint8_t *restrict bounds)
{
    for (uint32_t q = 0; q < ones; q++)
        for (uint32_t j = 0; j < others; j++)
            if (common[PAC_PANEL * q + j] < least && bound < bounds[one[q] * m + other[j]])
                bounds[one[q] * m + other[j]] = bounds[other[j] * m + one[q]] = bound;
}

/* The same for the pairs of one column, when it is known of which columns many of its rows have a
   one, and of which many have a zero: what counts is the smaller side. */
static inline void pac_bound_row(const uint64_t *restrict ones, const uint64_t *restrict zeros,
                                 const uint32_t *restrict counts, uint32_t n, uint32_t m,
                                 uint8_t bound, uint8_t *restrict bounds)
{
    for (uint32_t j = 0; j < m; j++) {
        const uint64_t *many = counts[j] <= n - counts[j] ? ones : zeros;
        const uint8_t known = many[j >> 6] >> (j & 63) & 1 ? 255 : bound;
        bounds[j] = known < bounds[j] ? known : bounds[j];
    }
}

/* bounds[j] = min(bounds[j], limits[j]) */
static inline void pac_lower_all(uint8_t *restrict bounds, const uint8_t *restrict limits, uint32_t m)
{
    for (uint32_t j = 0; j < m; j++)
        bounds[j] = bounds[j] < limits[j] ? bounds[j] : limits[j];
}

/* The first of bounds[first .. m-1] above a level, or m. */
static inline uint32_t pac_above(const uint8_t *bounds, uint32_t first, uint32_t m, uint8_t level)
{
    while (first + 64 <= m) {
        uint8_t any = 0;
        for (int i = 0; i < 64; i++)
            any |= bounds[first + i] > level;
        if (any)
            break;
        first += 64;
    }
    while (first < m && bounds[first] <= level)
        first++;
    return first;
}

#endif
