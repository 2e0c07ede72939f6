/* Equal lines of a state, of which one is enough (see half_graph.h). */
#ifndef PAC_HALF_GRAPH_EQUAL_H
#define PAC_HALF_GRAPH_EQUAL_H

#include "half_graph_degrees.h"

PAC_INLINE int pac_half_merge_words(const uint64_t *lines, int words, uint64_t *left,
                                    const uint64_t *across, const uint32_t *list, int count,
                                    uint32_t *slot)
{
    uint32_t slots = 4;
    int gone = 0;
    while (slots < 2 * (uint32_t)count) slots *= 2;
    memset(slot, 0, slots * sizeof *slot);
    for (int i = 0; i < count; i++) {
        const uint64_t *line = lines + (size_t)list[i] * words;
        uint64_t mixed = 0;
        uint32_t at;
        /* Products that need not wait for each other. */
        for (int w = 0; w < words; w++)
            mixed += (line[w] & across[w]) *
                     (UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)w * UINT64_C(0xD1B54A32D192ED02));
        mixed ^= mixed >> 32;
        mixed *= UINT64_C(0x9E3779B97F4A7C15);
        for (at = (uint32_t)(mixed >> 32) & (slots - 1); slot[at]; at = (at + 1) & (slots - 1)) {
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
    return gone;
}

/* Drop from `left` all but the first of lines that are equal under `across`; how many went. */
static inline int pac_half_merge(const uint64_t *lines, int words, uint64_t *left, int left_words,
                                 const uint64_t *across, uint32_t *scratch, int most,
                                 double *spent)
{
    uint32_t *list = scratch, *slot = scratch + most;
    const int count = pac_half_list(left, left_words, list);
    *spent += 2.0 * count * words;
    switch (words) {
        case 1: return pac_half_merge_words(lines, 1, left, across, list, count, slot);
        case 2: return pac_half_merge_words(lines, 2, left, across, list, count, slot);
        case 3: return pac_half_merge_words(lines, 3, left, across, list, count, slot);
        case 4: return pac_half_merge_words(lines, 4, left, across, list, count, slot);
        default: return pac_half_merge_words(lines, words, left, across, list, count, slot);
    }
}

#endif
