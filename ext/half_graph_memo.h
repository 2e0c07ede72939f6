/* What is known of states of a search for half graphs: bounds, the whole state being the key (no
   fingerprints).  Several threads may share a memo.

   A slot is a state and a word about it: 1 + the bound, in 32 bits, how much work it saves, in 8,
   and how often the slot has been written.  Slots stand in pairs, one for the state that saves
   most, one for the newest.  Who writes takes the word first, and gives it back changed; who reads
   looks at it before and after, and takes what changed in between for unknown. */
#ifndef PAC_HALF_GRAPH_MEMO_H
#define PAC_HALF_GRAPH_MEMO_H

#include <stddef.h>
#include <stdint.h>

#define PAC_MEMO_TAKEN UINT64_MAX
#define PAC_MEMO_WRITTEN (UINT64_C(1) << 40)

static inline uint64_t *pac_memo_pair(uint64_t *memo, uint64_t mask, const uint64_t *state, int words)
{
    uint64_t mixed = 0;
    for (int w = 0; w < words; w++) {
        mixed = (mixed ^ state[w]) * UINT64_C(0x9E3779B97F4A7C15);
        mixed ^= mixed >> 32;
    }
    return memo + (mixed & mask) * 2 * ((size_t)words + 1);
}

static inline void pac_memo_soon(uint64_t *memo, uint64_t mask, const uint64_t *state, int words)
{
    const uint64_t *pair = pac_memo_pair(memo, mask, state, words);
    __builtin_prefetch(pair);
    __builtin_prefetch(pair + 2 * words + 1);
}

/* 1 + the bound on a state, 0 if none is known. */
static inline uint32_t pac_memo_read(uint64_t *slot, const uint64_t *state, int words)
{
    const uint64_t about = __atomic_load_n(slot + words, __ATOMIC_ACQUIRE);
    uint64_t apart = 0;
    if (about == 0 || about == PAC_MEMO_TAKEN) return 0;
    for (int w = 0; w < words && !apart; w++)
        apart = __atomic_load_n(slot + w, __ATOMIC_RELAXED) ^ state[w];
    if (apart) return 0;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(slot + words, __ATOMIC_RELAXED) == about ? (uint32_t)about : 0;
}

static inline uint32_t pac_memo_bound(uint64_t *memo, uint64_t mask, const uint64_t *state, int words)
{
    uint64_t *pair = pac_memo_pair(memo, mask, state, words);
    const uint32_t known = pac_memo_read(pair, state, words);
    return known ? known : pac_memo_read(pair + words + 1, state, words);
}

/* Keep 1 + a bound on a state, unless another thread is just writing there. */
static inline void pac_memo_keep(uint64_t *memo, uint64_t mask, const uint64_t *state, int words,
                                 uint32_t bound, uint64_t work)
{
    uint64_t *pair = pac_memo_pair(memo, mask, state, words), *slot = pair, about;
    const uint64_t saves = 64 - (uint64_t)__builtin_clzll(work | 1);
    uint32_t known = pac_memo_read(pair, state, words);
    if (!known) {
        about = __atomic_load_n(pair + words, __ATOMIC_RELAXED);
        known = pac_memo_read(pair + words + 1, state, words);
        if (known || (about >> 32 & 255) > saves) slot = pair + words + 1;
    }
    if (known && known <= bound) return;
    about = __atomic_load_n(slot + words, __ATOMIC_RELAXED);
    if (about == PAC_MEMO_TAKEN ||
        !__atomic_compare_exchange_n(slot + words, &about, PAC_MEMO_TAKEN, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int w = 0; w < words; w++) __atomic_store_n(slot + w, state[w], __ATOMIC_RELAXED);
    about = (about & ~(PAC_MEMO_WRITTEN - 1)) + PAC_MEMO_WRITTEN;
    __atomic_store_n(slot + words, about | saves << 32 | bound, __ATOMIC_RELEASE);
}

#endif
