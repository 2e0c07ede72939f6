/* In which order lines are looked for to begin a half graph, and which of them need to (see
   half_graph.h). */
#ifndef PAC_HALF_GRAPH_ORDER_H
#define PAC_HALF_GRAPH_ORDER_H

#include "half_graph_degrees.h"

/* Where the order of some lines is left in the scratch. */
static inline uint32_t *pac_half_ordered(uint32_t *scratch, int most)
{
    return scratch + 3 * (size_t)most + 1;
}

PAC_INLINE int pac_half_within(const uint64_t *one, const uint64_t *other, const uint64_t *across,
                               int words)
{
    for (int w = 0; w < words; w++)
        if (one[w] & ~other[w] & across[w]) return 0;
    return 1;
}

/* A line is compared with so many that were kept before it: keeping more than needed is no harm. */
#define PAC_HALF_KEPT 512

/* The lines of at least `border` ones under `across`, fullest first, or of at most so many, emptiest
   first; equals in their order.  How many there are. */
PAC_INLINE int pac_half_order_body(const uint64_t *lines, int words, const uint64_t *left,
                                   int left_words, const uint64_t *across, int fullest, int border,
                                   uint32_t *scratch, int most, double *spent, int hardware)
{
    uint32_t *list = scratch, *degree = scratch + most, *ladder = scratch + 2 * (size_t)most;
    uint32_t *order = pac_half_ordered(scratch, most);
    const int count = pac_half_list(left, left_words, list);
    const int width = pac_half_ones(across, words, hardware);
    int at = 0;
    memset(ladder, 0, (size_t)(width + 1) * sizeof *ladder);
    pac_half_degrees(lines, words, list, count, across, degree, hardware);
    for (int i = 0; i < count; i++) {
        degree[i] = fullest ? (uint32_t)width - degree[i] : degree[i];
        ladder[degree[i]]++;
    }
    border = fullest ? width - border : border;
    /* ladder[d]: from where in the order the lines of degree d lie. */
    for (int d = 0; d <= width; d++) {
        const int many = (int)ladder[d];
        ladder[d] = (uint32_t)at;
        at += many;
    }
    for (int i = 0; i < count; i++) order[ladder[degree[i]]++] = list[i];
    *spent += (double)count * words + width;
    /* ladder[d]: where they end. */
    return border < 0 ? 0 : border < width ? (int)ladder[border] : count;
}

/* Of ordered lines, those among the `members` that need to begin a half graph: that lie in no other
   (fullest), or contain no other.  How many. `kept_lines` may be `order` itself. */
PAC_INLINE int pac_half_keep(const uint64_t *lines, int words, const uint64_t *members,
                             const uint64_t *across, int fullest, const uint32_t *order, int count,
                             uint32_t *kept_lines, double *spent)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t *line = lines + (size_t)order[i] * words;
        const int others = kept < PAC_HALF_KEPT ? kept : PAC_HALF_KEPT;
        int j = 0;
        if (!(members[order[i] >> 6] >> (order[i] & 63) & 1)) continue;
        for (; j < others; j++) {
            const uint64_t *other = lines + (size_t)kept_lines[j] * words;
            if (fullest ? pac_half_within(line, other, across, words)
                        : pac_half_within(other, line, across, words))
                break;
        }
        *spent += (double)j * 2;
        if (j == others) kept_lines[kept++] = order[i];
    }
    return kept;
}

/* Put into `out` the lines that need to begin a half graph: those of at least `border` ones under
   `across` that lie in no other (fullest), or of at most so many that contain no other. Among
   equals the first stays. */
PAC_INLINE void pac_half_extreme_body(const uint64_t *lines, int words, const uint64_t *left,
                                      int left_words, const uint64_t *across, int fullest,
                                      int border, uint64_t *out, uint32_t *scratch, int most,
                                      double *spent, int hardware)
{
    uint32_t *order = pac_half_ordered(scratch, most);
    int count = pac_half_order_body(lines, words, left, left_words, across, fullest, border,
                                    scratch, most, spent, hardware);
    count = pac_half_keep(lines, words, left, across, fullest, order, count, order, spent);
    memset(out, 0, (size_t)left_words * sizeof *out);
    for (int i = 0; i < count; i++) out[order[i] >> 6] |= UINT64_C(1) << (order[i] & 63);
}

#endif
