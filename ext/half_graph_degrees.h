/* The ones of the lines of a state of a search for half graphs, and the bounds that follow from them
   (see half_graph.h). */
#ifndef PAC_HALF_GRAPH_DEGREES_H
#define PAC_HALF_GRAPH_DEGREES_H

#include <stdint.h>
#include <string.h>

#include "bits.h"

PAC_INLINE int pac_half_ones(const uint64_t *mask, int words, int hardware)
{
    int total = 0;
    for (int w = 0; w < words; w++) total += (int)pac_bits(mask[w], hardware);
    return total;
}

PAC_INLINE int pac_half_overlap(const uint64_t *one, const uint64_t *other, int words, int hardware)
{
    int total = 0;
    for (int w = 0; w < words; w++) total += (int)pac_bits(one[w] & other[w], hardware);
    return total;
}

/* The bits of a mask, in order; how many there are. */
PAC_INLINE int pac_half_list(const uint64_t *mask, int words, uint32_t *list)
{
    int count = 0;
    for (int w = 0; w < words; w++)
        for (uint64_t open = mask[w]; open; open &= open - 1)
            list[count++] = (uint32_t)(64 * w + __builtin_ctzll(open));
    return count;
}

/* degree[i]: the ones of line list[i] under `across`. The usual numbers of words are unrolled. */
PAC_INLINE void pac_half_degrees(const uint64_t *lines, int words, const uint32_t *list, int count,
                                 const uint64_t *across, uint32_t *degree, int hardware)
{
#define PAC_DEGREES(n)                                                                            \
    for (int i = 0; i < count; i++)                                                               \
        degree[i] = (uint32_t)pac_half_overlap(lines + (size_t)list[i] * words, across, n, hardware)
    switch (words) {
        case 1: PAC_DEGREES(1); break;
        case 2: PAC_DEGREES(2); break;
        case 3: PAC_DEGREES(3); break;
        case 4: PAC_DEGREES(4); break;
        default: PAC_DEGREES(words);
    }
#undef PAC_DEGREES
}

/* Where in the scratch a mask of lines has room. */
static inline uint64_t *pac_half_empty(uint32_t *scratch, int most)
{
    return (uint64_t *)(scratch + (3 * (size_t)most + 2) / 2 * 2);
}

/* The ones of some lines under `across`. */
typedef struct {
    const uint32_t *line;
    uint32_t *ones;
    uint64_t *empty; /* the mask of those without a one */
    int count, least, greatest; /* of those that have one */
} pac_half_degree;

PAC_INLINE void pac_half_measure(const uint64_t *lines, int words, const uint64_t *across,
                                 pac_half_degree *degree, int empty_words, double *spent,
                                 int hardware)
{
    const int count = degree->count;
    uint32_t least = UINT32_MAX, greatest = 0, without = 0;
    pac_half_degrees(lines, words, degree->line, count, across, degree->ones, hardware);
    for (int i = 0; i < count; i++) {
        const uint32_t ones = degree->ones[i];
        greatest = ones > greatest ? ones : greatest;
        least = ones - 1 < least ? ones - 1 : least;
        without += !ones;
    }
    degree->least = greatest ? (int)least + 1 : 1;
    degree->greatest = (int)greatest;
    memset(degree->empty, 0, (size_t)empty_words * sizeof *degree->empty);
    for (int i = 0; without && i < count; i++) {
        const int bare = !degree->ones[i];
        if (!bare) continue;
        degree->empty[degree->line[i] >> 6] |= UINT64_C(1) << (degree->line[i] & 63);
        without--;
    }
    *spent += (double)count * words;
}

/* Bound by degrees the longest half graph on the lines of `left`, which have ones, `width` at most:
   in one of size k the i-th fullest line has at least k - i + 1 ones, and the i-th emptiest at least
   k - i zeros.  `some`: how many lines there are. */
PAC_INLINE int pac_half_known_body(const pac_half_degree *degree, const uint64_t *left, int width,
                                   uint32_t *ladder, int *some, double *spent)
{
    const int greatest = degree->greatest < width ? degree->greatest : width;
    int lines = 0, sum = 1 - degree->least, highest = 0, lowest = sum, by_ones, by_zeros;
    if (degree->least > greatest) return *some = 0;
    memset(ladder, 0, (size_t)(degree->greatest + 1) * sizeof *ladder);
    for (int i = 0; i < degree->count; i++) {
        const uint32_t line = degree->line[i];
        ladder[degree->ones[i]] += (uint32_t)(left[line >> 6] >> (line & 63)) & 1;
    }
    /* With c lines of at most d ones the size is at most lines - c + d by those with more, and
       c + width - d by these: sum is c - d. */
    for (int d = degree->least; d <= greatest; d++) {
        lines += (int)ladder[d];
        sum += (int)ladder[d] - 1;
        highest = sum > highest ? sum : highest;
        lowest = sum < lowest ? sum : lowest;
    }
    sum -= width - greatest;
    lowest = sum < lowest ? sum : lowest;
    *some = lines;
    *spent += (double)(degree->count + greatest - degree->least);
    by_ones = lines - highest;
    by_zeros = width + lowest;
    return by_ones < by_zeros ? by_ones : by_zeros;
}

/* The same for lines whose ones are to be counted; those without go. */
PAC_INLINE int pac_half_bound_body(const uint64_t *lines, int words, uint64_t *left, int left_words,
                                   const uint64_t *across, uint32_t *scratch, int most,
                                   double *spent, int hardware)
{
    int some;
    uint32_t *ladder = scratch + 2 * (size_t)most;
    pac_half_degree degree = {
        scratch, scratch + most, pac_half_empty(scratch, most),
        pac_half_list(left, left_words, scratch), 1, 0};
    pac_half_measure(lines, words, across, &degree, left_words, spent, hardware);
    for (int w = 0; w < left_words; w++) left[w] &= ~degree.empty[w];
    return pac_half_known_body(&degree, left, pac_half_ones(across, words, hardware), ladder, &some,
                               spent);
}

#endif
