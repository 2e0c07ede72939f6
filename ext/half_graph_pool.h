/* First pairs of states of a search for half graphs that wait to be entered (see half_graph.pyx):
   what each leaves, its row, its column and its bound.  Those that leave most come first, then
   those of the first row, and of the first column: an order that says nothing of how they came. */
#ifndef PAC_HALF_GRAPH_POOL_H
#define PAC_HALF_GRAPH_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "half_graph_memo.h"

typedef struct {
    int row, column, bound;
} pac_half_pair;

typedef struct {
    uint64_t *state;
    pac_half_pair *pair;
    int words;
} pac_half_pool;

static inline int pac_pair_before(pac_half_pair one, pac_half_pair other)
{
    if (one.bound != other.bound) return one.bound > other.bound;
    if (one.row != other.row) return one.row < other.row;
    return one.column < other.column;
}

static inline void pac_pool_put(pac_half_pool *pool, int at, const uint64_t *state,
                                pac_half_pair pair)
{
    if (pool->state + (size_t)at * pool->words != state)
        memcpy(pool->state + (size_t)at * pool->words, state, pool->words * sizeof *state);
    pool->pair[at] = pair;
}

static inline void pac_pool_move(pac_half_pool *pool, int to, int from)
{
    pac_pool_put(pool, to, pool->state + (size_t)from * pool->words, pool->pair[from]);
}

/* The first of those from `begin` on, or the last of them. */
static inline int pac_pool_end(const pac_half_pool *pool, int begin, int end, int last)
{
    int at = begin;
    for (int i = begin + 1; i < end; i++)
        if (pac_pair_before(pool->pair[i], pool->pair[at]) != last) at = i;
    return at;
}

/* The one that has so many before it, or the last of all. */
static inline int pac_pool_after(const pac_half_pool *pool, int begin, int end, int before)
{
    int at = pac_pool_end(pool, begin, end, 0);
    for (; before > 0; before--) {
        int next = at;
        for (int i = begin; i < end; i++)
            if (pac_pair_before(pool->pair[at], pool->pair[i]) &&
                (next == at || pac_pair_before(pool->pair[i], pool->pair[next])))
                next = i;
        if (next == at) break;
        at = next;
    }
    return at;
}

/* Drop those that are known to leave at most `most`; where the others end. */
static inline int pac_pool_drop(pac_half_pool *pool, int begin, int end, uint64_t *memo,
                                uint64_t mask, int most)
{
    int at = begin;
    for (int i = begin; i < end; i++) {
        const uint32_t known =
            pac_memo_bound(memo, mask, pool->state + (size_t)i * pool->words, pool->words);
        if (known == 0 || (int)known - 1 > most) pac_pool_move(pool, at++, i);
    }
    return at;
}

/* Take a pair in beside those from `begin` to `end`, for which there is `room`.  If there is none,
   the last of all in the order is left out.  Whether one was. */
static inline int pac_pool_offer(pac_half_pool *pool, int begin, int *end, int room,
                                 const uint64_t *state, pac_half_pair pair)
{
    int last;
    if (*end < begin + room) {
        pac_pool_put(pool, (*end)++, state, pair);
        return 0;
    }
    last = pac_pool_end(pool, begin, *end, 1);
    if (pac_pair_before(pair, pool->pair[last])) pac_pool_put(pool, last, state, pair);
    return 1;
}

#endif
