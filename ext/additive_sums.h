/* Forward and backward passes over a layered graph, for four products of factors side by side.
   README.md says what the graph is.  Every number is non-negative and nothing is subtracted.

   On x86-64 both passes are compiled twice, for the baseline and for AVX2; pac_passes_init() picks
   one.  Both compute the same. */
#ifndef PAC_ADDITIVE_SUMS_H
#define PAC_ADDITIVE_SUMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAC_INLINE static inline __attribute__((always_inline))

/* Four doubles side by side, wherever doubles lie.  No function takes or returns them, so that how
   they are passed does not matter. */
typedef double pac_lanes __attribute__((vector_size(32), aligned(8), may_alias));

#define PAC_AT(at) (*(pac_lanes *)(at))
#define PAC_OF(at) (*(const pac_lanes *)(at))

enum { PAC_HIT, PAC_LAST, PAC_FIRST, PAC_ONLY, PAC_MISS, PAC_ROWS };

typedef struct {
    int layers, need;
    int two_states;    /* paths begin in the first state, not in the second */
    int leave_on_miss; /* what leads from the first state to the second: a miss, or a hit */
    int chain;         /* before this layer all paths leave the first state, if they are in it */
    int block;         /* forward values are kept before every so many layers */
    const int32_t *copies;
    const int32_t *low, *high;             /* window of s before each layer */
    const int32_t *first_low, *first_high; /* inside of it; empty when low is above high */
    const double *steps;                   /* layer by layer, s by s, then the next s */
    const size_t *step_at, *value_at, *first_at; /* where those of a layer begin */
    /* Forward, four numbers for each s of each window: where those before layer 0 would lie, when
       those of one block, up to the one before the next, lie in a buffer. */
    double *values, *first;
    double *buffer, *first_buffer;
    double *kept, *first_kept;             /* those before each block, one block after the other */
    const size_t *kept_at, *first_kept_at; /* where they begin */
    double *back, *next_back, *first_back, *next_first_back; /* four for each s from 0 to need */
} pac_graph;

PAC_INLINE int pac_min(int one, int other) { return one < other ? one : other; }
PAC_INLINE int pac_max(int one, int other) { return one > other ? one : other; }

/* Fill the tables of forward values of a block, from those before it, which were kept. */
PAC_INLINE void pac_forward_body(pac_graph *g, int block, const double *factors, const double *end)
{
    const size_t row = 4 * (size_t)g->layers;
    const int need = g->need, chain = g->chain, leave_on_miss = g->leave_on_miss;
    const int begin = block * g->block, stop_at = pac_min(g->layers, begin + g->block);
    const size_t *at = g->value_at, *first_at = g->first_at;
    const size_t kept = at[begin + 1] - at[begin], first_kept = first_at[begin + 1] - first_at[begin];
    memset(g->buffer, 0, (at[stop_at + 1] - at[begin]) * sizeof(double));
    memset(g->first_buffer, 0, (first_at[stop_at + 1] - first_at[begin]) * sizeof(double));
    memcpy(g->buffer, g->kept + g->kept_at[block], kept * sizeof(double));
    memcpy(g->first_buffer, g->first_kept + g->first_kept_at[block], first_kept * sizeof(double));
    g->values = g->buffer - at[begin];
    g->first = g->first_buffer - first_at[begin];
    for (int j = begin; j <= stop_at; j++) {
        const int low = g->low[j], high = g->high[j];
        const int first_low = g->first_low[j], first_high = g->first_high[j];
        double *before = g->values + g->value_at[j] - 4 * (ptrdiff_t)low;
        const double *first = g->first + g->first_at[j] - 4 * (ptrdiff_t)first_low;
        if (j == stop_at && j < g->layers)
            break; /* what follows is done by the next block */
        if (j == chain)
            for (int s = first_low; s <= first_high; s++)
                PAC_AT(before + 4 * s) += PAC_OF(end) * PAC_OF(first + 4 * s);
        if (j == g->layers)
            break;
        const int next_low = g->low[j + 1], next_high = g->high[j + 1];
        const int next_first_low = g->first_low[j + 1], next_first_high = g->first_high[j + 1];
        double *after = g->values + g->value_at[j + 1] - 4 * (ptrdiff_t)next_low;
        double *next_first = g->first + g->first_at[j + 1] - 4 * (ptrdiff_t)next_first_low;
        const double *f = factors + 4 * (size_t)j, *step = g->steps + g->step_at[j];
        const pac_lanes hit = PAC_OF(f + PAC_HIT * row), last = PAC_OF(f + PAC_LAST * row);
        const int copies = g->copies[j];
        for (int s = low; s <= high; s++) {
            const int from = pac_max(s, next_low), to = pac_min(s + copies, next_high);
            const pac_lanes value = PAC_OF(before + 4 * s), times_hit = value * hit;
            const double *chance = step;
            int t = from;
            if (t == s && t <= to)
                PAC_AT(after + 4 * t++) += *chance++ * value;
            for (const int stop = pac_min(to, need - 1); t <= stop; t++)
                PAC_AT(after + 4 * t) += *chance++ * times_hit;
            if (t == need && t <= to)
                PAC_AT(after + 4 * t) += *chance * (value * last);
            if (first_low <= s && s <= first_high && j < chain) {
                const pac_lanes start = PAC_OF(first + 4 * s);
                for (t = from; t <= to; t++) {
                    const int rule = t == s ? PAC_MISS : t < need ? PAC_FIRST : PAC_ONLY;
                    const pac_lanes moved = step[t - from] * (PAC_OF(f + rule * row) * start);
                    if ((t == s) == leave_on_miss)
                        PAC_AT(after + 4 * t) += moved;
                    else if (next_first_low <= t && t <= next_first_high)
                        PAC_AT(next_first + 4 * t) += moved;
                }
            }
            step += from <= to ? to - from + 1 : 0;
        }
    }
}

/* Keep the forward values before each block, and leave those of the last in the buffer; ``total``
   becomes the expectation of the whole product. */
PAC_INLINE void pac_all_forward_body(
    pac_graph *g, const double *factors, const double *end, double *total)
{
    const size_t *at = g->value_at, *first_at = g->first_at;
    memset(g->kept, 0, (at[1] - at[0]) * sizeof(double));
    memset(g->first_kept, 0, (first_at[1] - first_at[0]) * sizeof(double));
    PAC_AT(g->two_states ? g->first_kept : g->kept) = (pac_lanes){1, 1, 1, 1};
    for (int block = 0;; block++) {
        pac_forward_body(g, block, factors, end);
        const int j = (block + 1) * g->block;
        if (j >= g->layers)
            break;
        memcpy(g->kept + g->kept_at[block + 1], g->values + at[j],
               (at[j + 1] - at[j]) * sizeof(double));
        memcpy(g->first_kept + g->first_kept_at[block + 1], g->first + first_at[j],
               (first_at[j + 1] - first_at[j]) * sizeof(double));
    }
    PAC_AT(total) = PAC_OF(g->values + at[g->layers]);
}

/* After the forward pass: for each factor the expectation of the product along the paths that use
   it, into ``sums`` and, for the end of the chain, into ``end_sum``. */
PAC_INLINE void pac_backward_body(
    pac_graph *g, const double *factors, const double *end, double *sums, double *end_sum)
{
    const size_t row = 4 * (size_t)g->layers;
    const int need = g->need, chain = g->chain, leave_on_miss = g->leave_on_miss;
    double *back = g->back, *next_back = g->next_back;
    double *first_back = g->first_back, *next_first_back = g->next_first_back;
    const pac_lanes zero = {0, 0, 0, 0};
    PAC_AT(back + 4 * need) = (pac_lanes){1, 1, 1, 1};
    PAC_AT(end_sum) = zero;
    for (int j = g->layers; j >= 0; j--) {
        if (j < g->layers - 1 && (j + 1) % g->block == 0)
            pac_forward_body(g, j / g->block, factors, end);
        const int low = g->low[j], high = g->high[j];
        const int first_low = g->first_low[j], first_high = g->first_high[j];
        const double *before = g->values + g->value_at[j] - 4 * (ptrdiff_t)low;
        const double *first = g->first + g->first_at[j] - 4 * (ptrdiff_t)first_low;
        if (j < g->layers) {
            const int next_low = g->low[j + 1], next_high = g->high[j + 1];
            const int next_first_low = g->first_low[j + 1], next_first_high = g->first_high[j + 1];
            const double *f = factors + 4 * (size_t)j, *step = g->steps + g->step_at[j];
            const pac_lanes hit = PAC_OF(f + PAC_HIT * row), last = PAC_OF(f + PAC_LAST * row);
            pac_lanes used[PAC_ROWS] = {zero, zero, zero, zero, zero};
            const int copies = g->copies[j];
            for (int s = low; s <= high; s++) {
                const int from = pac_max(s, next_low), to = pac_min(s + copies, next_high);
                const pac_lanes value = PAC_OF(before + 4 * s);
                const double *chance = step;
                pac_lanes missed = zero, by_hit = zero, by_last = zero;
                int t = from;
                if (t == s && t <= to)
                    missed = *chance++ * PAC_OF(back + 4 * t++);
                for (const int stop = pac_min(to, need - 1); t <= stop; t++)
                    by_hit += *chance++ * PAC_OF(back + 4 * t);
                by_hit *= hit;
                if (t == need && t <= to)
                    by_last = *chance * (last * PAC_OF(back + 4 * t));
                used[PAC_HIT] += value * by_hit;
                used[PAC_LAST] += value * by_last;
                PAC_AT(next_back + 4 * s) = missed + (by_hit + by_last);
                if (first_low <= s && s <= first_high && j < chain) {
                    const pac_lanes start = PAC_OF(first + 4 * s);
                    pac_lanes all = zero;
                    for (t = from; t <= to; t++) {
                        const int rule = t == s ? PAC_MISS : t < need ? PAC_FIRST : PAC_ONLY;
                        const double *goal = back + 4 * t;
                        if ((t == s) != leave_on_miss) {
                            if (t < next_first_low || t > next_first_high)
                                continue;
                            goal = first_back + 4 * t;
                        }
                        const pac_lanes moved =
                            step[t - from] * (PAC_OF(f + rule * row) * PAC_OF(goal));
                        used[rule] += start * moved;
                        all += moved;
                    }
                    PAC_AT(next_first_back + 4 * s) = all;
                }
                step += from <= to ? to - from + 1 : 0;
            }
            for (int rule = 0; rule < PAC_ROWS; rule++)
                PAC_AT(sums + rule * row + 4 * (size_t)j) = used[rule];
            double *swap = back;
            back = next_back;
            next_back = swap;
            swap = first_back;
            first_back = next_first_back;
            next_first_back = swap;
        }
        if (j == chain)
            for (int s = first_low; s <= first_high; s++) {
                const pac_lanes left = PAC_OF(end) * PAC_OF(back + 4 * s);
                PAC_AT(first_back + 4 * s) = left;
                PAC_AT(end_sum) += left * PAC_OF(first + 4 * s);
            }
    }
}

typedef void (*pac_pass)(pac_graph *, const double *, const double *, double *, double *, double *);

static void pac_passes_plain(pac_graph *g, const double *factors, const double *end, double *total,
                             double *sums, double *end_sum)
{
    pac_all_forward_body(g, factors, end, total);
    pac_backward_body(g, factors, end, sums, end_sum);
}

static pac_pass pac_passes = pac_passes_plain;

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void
pac_passes_avx2(pac_graph *g, const double *factors, const double *end, double *total, double *sums,
                double *end_sum)
{
    pac_all_forward_body(g, factors, end, total);
    pac_backward_body(g, factors, end, sums, end_sum);
}
#endif

static void pac_passes_init(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        pac_passes = pac_passes_avx2;
#endif
}

#endif
