/* The loops that count bits, compiled twice (see half_graph.h): for the baseline of the architecture
   and for processors that count bits in one instruction. Which are used is chosen when a search
   starts; both do the same integer arithmetic. */
#ifndef PAC_HALF_GRAPH_KERNELS_H
#define PAC_HALF_GRAPH_KERNELS_H

#include "half_graph_degrees.h"
#include "half_graph_order.h"

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

#endif
