/* The longest half graph in a table of bits: the search that half_graph.pyx hands out in pieces.

   The table is kept by rows and by columns, one bit an entry. A state is a mask of rows and a mask
   of columns; there is one for each depth. The search itself is compiled twice on x86-64, for the
   baseline and for processors that count bits in one instruction; both do the same. */
#ifndef PAC_HALF_GRAPH_H
#define PAC_HALF_GRAPH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"

typedef struct {
    int n, m, upper;
    int bound, best, found; /* at least the longest, the longest known, pairs of the witness */
    int depth, row_words, column_words, words;
    long long nodes;
    double spent;
    uint64_t memo_mask;
    uint64_t *rows, *columns; /* row_words words a row, column_words words a column */
    uint64_t *state;          /* rows left, columns left: one for each depth, as the next three */
    uint64_t *untried;        /* rows not yet tried as the next h, columns not yet tried with it */
    long long *entered;       /* how many nodes there were before */
    int *row, *column;        /* the h being tried, or -1; the column with it */
    int *witness;             /* rows, then columns, of the best half graph found */
    uint64_t *met;            /* the state entered, before equal lines were merged */
    uint64_t *memo;           /* pairs of slots: a state, then how much it saves and 1 + its bound */
    uint32_t *list, *degree, *ladder, *order;
} pac_half_search;

static inline void *pac_half_take(char *arena, size_t *at, size_t bytes)
{
    char *given = arena ? arena + *at : NULL;
    *at += (bytes + 63) / 64 * 64;
    return given;
}

/* Give all arrays their places, in an arena of zeros; without one only count the bytes. */
static size_t pac_half_place(pac_half_search *s, size_t slots, char *arena)
{
    const size_t n = (size_t)s->n, m = (size_t)s->m, depths = (size_t)s->upper + 1;
    const size_t most = n > m ? n : m;
    size_t at = 0;
    s->row_words = (s->m + 63) / 64;
    s->column_words = (s->n + 63) / 64;
    s->words = s->row_words + s->column_words;
    s->memo_mask = slots - 1;
    s->memo = pac_half_take(arena, &at, slots * 2 * (size_t)(s->words + 1) * 8);
    s->rows = pac_half_take(arena, &at, n * (size_t)s->row_words * 8);
    s->columns = pac_half_take(arena, &at, m * (size_t)s->column_words * 8);
    s->state = pac_half_take(arena, &at, depths * (size_t)s->words * 8);
    s->untried = pac_half_take(arena, &at, depths * (size_t)s->words * 8);
    s->met = pac_half_take(arena, &at, (size_t)s->words * 8);
    s->entered = pac_half_take(arena, &at, depths * sizeof(long long));
    s->row = pac_half_take(arena, &at, depths * sizeof(int));
    s->column = pac_half_take(arena, &at, depths * sizeof(int));
    s->witness = pac_half_take(arena, &at, 2 * depths * sizeof(int));
    s->list = pac_half_take(arena, &at, most * 4);
    s->degree = pac_half_take(arena, &at, most * 4);
    s->ladder = pac_half_take(arena, &at, (4 * most + 8) * 4); /* also the table of equal lines */
    s->order = pac_half_take(arena, &at, most * 4);
    return at;
}

/* Pack a table by rows and by columns; both are zero before. */
static void pac_half_read(pac_half_search *s, const uint8_t *table)
{
    for (int r = 0; r < s->n; r++)
        for (int c = 0; c < s->m; c++) {
            const uint64_t bit = table[(size_t)r * (size_t)s->m + (size_t)c];
            s->rows[(size_t)r * (size_t)s->row_words + (size_t)(c >> 6)] |= bit << (c & 63);
            s->columns[(size_t)c * (size_t)s->column_words + (size_t)(r >> 6)] |= bit << (r & 63);
        }
}

static inline uint64_t *pac_half_rows_left(const pac_half_search *s, int d)
{
    return s->state + (size_t)d * (size_t)s->words;
}

static inline uint64_t *pac_half_slots(const pac_half_search *s, const uint64_t *state)
{
    uint64_t mixed = 0;
    for (int w = 0; w < s->words; w++) {
        mixed = (mixed ^ state[w]) * UINT64_C(0x9E3779B97F4A7C15);
        mixed ^= mixed >> 32;
    }
    return s->memo + (mixed & s->memo_mask) * 2 * ((size_t)s->words + 1);
}

static inline int pac_half_is(const pac_half_search *s, const uint64_t *slot, const uint64_t *state)
{
    return slot[s->words] && !memcmp(slot, state, (size_t)s->words * sizeof *state);
}

/* 1 + a bound on a state, 0 if none is known. */
static inline int pac_half_known(const pac_half_search *s, const uint64_t *state)
{
    const uint64_t *slot = pac_half_slots(s, state);
    if (pac_half_is(s, slot, state)) return (int)(uint32_t)slot[s->words];
    slot += s->words + 1;
    return pac_half_is(s, slot, state) ? (int)(uint32_t)slot[s->words] : 0;
}

/* Keep 1 + a bound: in the slot of what saves most, or else in that of the newest. */
static inline void pac_half_remember(const pac_half_search *s, const uint64_t *state, int bound,
                                     long long work)
{
    uint64_t *slot = pac_half_slots(s, state);
    const int known = pac_half_known(s, state);
    if (known && known <= bound) return;
    if (known ? !pac_half_is(s, slot, state) : slot[s->words] >> 32 > (uint64_t)work)
        slot += s->words + 1;
    memcpy(slot, state, (size_t)s->words * sizeof *state);
    slot[s->words] = (work < INT32_MAX ? (uint64_t)work : INT32_MAX) << 32 | (uint32_t)bound;
}

#define PAC_HALF(NAME) pac_half_##NAME##_baseline
#define PAC_HARDWARE 0
#include "half_graph_search.h"
#undef PAC_HALF
#undef PAC_HARDWARE

#if defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#define PAC_HALF(NAME) pac_half_##NAME##_counting
#define PAC_HARDWARE 1
#include "half_graph_search.h"
#undef PAC_HALF
#undef PAC_HARDWARE
#pragma GCC pop_options
#endif

static int pac_half_counts(int portable)
{
#if defined(__x86_64__)
    return !portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
#else
    (void)portable;
    return 0;
#endif
}

/* Look anew for a half graph longer than `lower`, from the state of all lines. */
static void pac_half_ask(pac_half_search *s, int lower, int counting)
{
    s->best = lower;
    s->found = 0;
    s->depth = -1;
    (void)counting;
#if defined(__x86_64__)
    if (counting) pac_half_enter_counting(s, 0);
    else
#endif
        pac_half_enter_baseline(s, 0);
}

/* Search on, for about so many word operations. */
static void pac_half_advance(pac_half_search *s, double work, int counting)
{
    s->spent = 0;
    (void)counting;
    while (s->depth >= 0 && s->best < s->bound && s->spent < work)
#if defined(__x86_64__)
        if (counting) pac_half_step_counting(s);
        else
#endif
            pac_half_step_baseline(s);
}

#endif
