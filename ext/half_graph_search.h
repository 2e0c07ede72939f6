/* The search of half_graph.h, for one set of instructions: PAC_HALF names its functions.

   Loops over lines take the lines of one side (rows, say), those in play (`left`), and the mask of
   the other side (`across`). */

static int PAC_HALF(count)(const uint64_t *mask, int words)
{
    int total = 0;
    for (int w = 0; w < words; w++) total += (int)pac_bits(mask[w], PAC_HARDWARE);
    return total;
}

/* List the lines in play, with the ones of each under `across`; how many they are. */
static int PAC_HALF(measure)(const pac_half_search *s, const uint64_t *lines, int words,
                             const uint64_t *left, int left_words, const uint64_t *across)
{
    int count = 0;
    for (int w = 0; w < left_words; w++)
        for (uint64_t open = left[w]; open; open &= open - 1)
            s->list[count++] = (uint32_t)(64 * w + __builtin_ctzll(open));
#define PAC_MEASURE(n)                                                                            \
    for (int i = 0; i < count; i++) {                                                             \
        const uint64_t *line = lines + (size_t)s->list[i] * (size_t)words;                        \
        uint32_t total = 0;                                                                       \
        for (int w = 0; w < n; w++) total += pac_bits(line[w] & across[w], PAC_HARDWARE);         \
        s->degree[i] = total;                                                                     \
    }
    switch (words) { /* the usual numbers of words are unrolled */
        case 1: PAC_MEASURE(1) break;
        case 2: PAC_MEASURE(2) break;
        case 3: PAC_MEASURE(3) break;
        default: PAC_MEASURE(words)
    }
#undef PAC_MEASURE
    return count;
}

/* Bound by degrees the longest half graph on the lines in play; those without a one go.  In one of
   size k the i-th fullest line has at least k - i + 1 ones, and the i-th emptiest k - i zeros. */
static int PAC_HALF(bound)(pac_half_search *s, const uint64_t *lines, int words, uint64_t *left,
                           int left_words, const uint64_t *across)
{
    const int count = PAC_HALF(measure)(s, lines, words, left, left_words, across);
    const int width = PAC_HALF(count)(across, words);
    int some = count, fewer = 0, bound;
    memset(s->ladder, 0, ((size_t)width + 1) * sizeof *s->ladder);
    for (int i = 0; i < count; i++) s->ladder[s->degree[i]]++;
    if (s->ladder[0])
        for (int i = 0; i < count; i++)
            if (!s->degree[i]) left[s->list[i] >> 6] &= ~(UINT64_C(1) << (s->list[i] & 63));
    some -= (int)s->ladder[0];
    bound = some < width ? some : width;
    /* With c lines of 1 to d ones: some - c have more, and c at least width - d zeros. */
    for (int d = 1; d <= width; d++) {
        fewer += (int)s->ladder[d];
        bound = some - fewer + d < bound ? some - fewer + d : bound;
        bound = fewer + width - d < bound ? fewer + width - d : bound;
    }
    s->spent += (double)count * words + width;
    return bound;
}

/* Put into `out` the lines that need to begin a half graph: those of at least `border` ones that lie
   in no other (fullest), or of at most so many that contain no other.  Among equals the first
   stays.  A line is compared with the first 512 that were kept: to keep more is no harm. */
static void PAC_HALF(extreme)(pac_half_search *s, const uint64_t *lines, int words,
                              const uint64_t *left, int left_words, const uint64_t *across,
                              int fullest, int border, uint64_t *out)
{
    int count = PAC_HALF(measure)(s, lines, words, left, left_words, across), kept = 0, at = 0;
    const int width = PAC_HALF(count)(across, words);
    border = fullest ? width - border : border;
    memset(s->ladder, 0, ((size_t)width + 2) * sizeof *s->ladder);
    for (int i = 0; i < count; i++) {
        if (fullest) s->degree[i] = (uint32_t)width - s->degree[i];
        if ((int)s->degree[i] <= border) s->ladder[s->degree[i] + 1]++;
    }
    for (int d = 0; d <= width; d++) s->ladder[d + 1] += s->ladder[d];
    for (int i = 0; i < count; i++)
        if ((int)s->degree[i] <= border) {
            s->order[s->ladder[s->degree[i]]++] = s->list[i];
            at++;
        }
    memset(out, 0, (size_t)left_words * sizeof *out);
    for (int i = 0; i < at; i++) {
        const uint64_t *line = lines + (size_t)s->order[i] * (size_t)words;
        int j = 0;
        for (; j < kept && j < 512; j++) {
            const uint64_t *other = lines + (size_t)s->order[j] * (size_t)words;
            uint64_t outside = 0;
            for (int w = 0; w < words && !outside; w++)
                outside = (fullest ? line[w] & ~other[w] : other[w] & ~line[w]) & across[w];
            if (!outside) break;
        }
        s->spent += 2.0 * j;
        if (j < kept && j < 512) continue;
        out[s->order[i] >> 6] |= UINT64_C(1) << (s->order[i] & 63);
        s->order[kept++] = s->order[i];
    }
    s->spent += (double)count * words + width;
}

/* Drop all but the first of lines in play that are equal under `across`; how many went. */
static int PAC_HALF(merge)(pac_half_search *s, const uint64_t *lines, int words, uint64_t *left,
                           int left_words, const uint64_t *across)
{
    uint32_t slots = 4, count = 0, *slot = s->ladder;
    int gone = 0;
    for (int w = 0; w < left_words; w++)
        for (uint64_t open = left[w]; open; open &= open - 1)
            s->list[count++] = (uint32_t)(64 * w + __builtin_ctzll(open));
    while (slots < 2 * count) slots *= 2;
    memset(slot, 0, slots * sizeof *slot);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *line = lines + (size_t)s->list[i] * (size_t)words;
        uint64_t mixed = 0;
        uint32_t at;
        for (int w = 0; w < words; w++) /* products that need not wait for each other */
            mixed += (line[w] & across[w]) *
                     (UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)w * UINT64_C(0xD1B54A32D192ED02));
        mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9E3779B97F4A7C15);
        for (at = (uint32_t)(mixed >> 32) & (slots - 1); slot[at]; at = (at + 1) & (slots - 1)) {
            const uint64_t *other = lines + (size_t)(slot[at] - 1) * (size_t)words;
            uint64_t apart = 0;
            for (int w = 0; w < words; w++) apart |= (line[w] ^ other[w]) & across[w];
            if (!apart) break;
        }
        if (slot[at]) {
            left[s->list[i] >> 6] &= ~(UINT64_C(1) << (s->list[i] & 63));
            gone++;
        } else {
            slot[at] = s->list[i] + 1;
        }
    }
    s->spent += 2.0 * count * words;
    return gone;
}

/* The fullest or the emptiest of some lines, the first of equals; -1 if there is none. */
static int PAC_HALF(first)(pac_half_search *s, const uint64_t *lines, int words,
                           const uint64_t *among, int among_words, const uint64_t *across,
                           int fullest, int *ones)
{
    int best = -1;
    for (int w = 0; w < among_words; w++)
        for (uint64_t open = among[w]; open; open &= open - 1) {
            const int line = 64 * w + __builtin_ctzll(open);
            int degree = 0;
            for (int v = 0; v < words; v++)
                degree += (int)pac_bits(lines[(size_t)line * (size_t)words + (size_t)v] & across[v],
                                        PAC_HARDWARE);
            s->spent += words;
            if (best < 0 || (fullest ? degree > *ones : degree < *ones)) {
                best = line;
                *ones = degree;
            }
        }
    return best;
}

/* Whether state d holds too little by degrees, or is known to; empty lines go. */
static int PAC_HALF(hopeless)(pac_half_search *s, int d)
{
    uint64_t *rows = pac_half_rows_left(s, d), *columns = rows + s->column_words;
    const int need = s->best - d + 1;
    int known = PAC_HALF(bound)(s, s->rows, s->row_words, rows, s->column_words, columns);
    if (d == 0 && known < s->bound) s->bound = known > s->best ? known : s->best;
    if (known < need) return 1;
    known = PAC_HALF(bound)(s, s->columns, s->column_words, columns, s->row_words, rows);
    if (d == 0 && known < s->bound) s->bound = known > s->best ? known : s->best;
    if (known < need) return 1;
    known = pac_half_known(s, rows);
    return known && known <= need;
}

/* Go to depth d, whose state has been written: d pairs are chosen. */
static void PAC_HALF(enter)(pac_half_search *s, int d)
{
    uint64_t *rows = pac_half_rows_left(s, d), *columns = rows + s->column_words;
    s->nodes++;
    if (d > s->best) {
        s->best = s->found = d;
        memcpy(s->witness, s->row, (size_t)d * sizeof *s->row);
        memcpy(s->witness + s->upper + 1, s->column, (size_t)d * sizeof *s->column);
        if (d == s->bound) return;
    }
    if (PAC_HALF(hopeless)(s, d)) return;
    memcpy(s->met, rows, (size_t)s->words * sizeof *rows);
    if (PAC_HALF(merge)(s, s->rows, s->row_words, rows, s->column_words, columns) +
        PAC_HALF(merge)(s, s->columns, s->column_words, columns, s->row_words, rows)) {
        if (PAC_HALF(hopeless)(s, d)) {
            /* The next time this is seen before anything is merged. */
            pac_half_remember(s, s->met, s->best - d + 1, 1);
            return;
        }
    }
    s->row[d] = -1;
    s->entered[d] = s->nodes;
    PAC_HALF(extreme)(s, s->rows, s->row_words, rows, s->column_words, columns, 1, s->best - d + 1,
                      s->untried + (size_t)d * (size_t)s->words);
    s->depth = d;
}

/* Try one more row, or one more column with the row being tried; or go back. */
static void PAC_HALF(step)(pac_half_search *s)
{
    const int d = s->depth, h = s->row[d];
    uint64_t *rows = pac_half_rows_left(s, d), *columns = rows + s->column_words;
    uint64_t *next = rows + s->words, *next_columns = next + s->column_words;
    uint64_t *untried = s->untried + (size_t)d * (size_t)s->words;
    uint64_t *untried_columns = untried + s->column_words;
    int ones = 0, x;
    if (h < 0) {
        x = PAC_HALF(first)(s, s->rows, s->row_words, untried, s->column_words, columns, 1, &ones);
        if (x < 0 || d + ones <= s->best) {
            pac_half_remember(s, rows, 1 + s->best - d, s->nodes - s->entered[d]);
            s->depth--;
            return;
        }
        s->row[d] = x;
        untried[x >> 6] &= ~(UINT64_C(1) << (x & 63));
        for (int w = 0; w < s->row_words; w++)
            next_columns[w] = columns[w] & s->rows[(size_t)x * (size_t)s->row_words + (size_t)w];
        /* The pair takes one row, and every row with a 1 in its column with it. */
        PAC_HALF(extreme)(s, s->columns, s->column_words, next_columns, s->row_words, rows, 0,
                          PAC_HALF(count)(rows, s->column_words) - s->best + d, untried_columns);
        return;
    }
    x = PAC_HALF(first)(s, s->columns, s->column_words, untried_columns, s->row_words, rows, 0,
                        &ones);
    if (x < 0 || d + 1 + PAC_HALF(count)(rows, s->column_words) - ones <= s->best) {
        s->row[d] = -1;
        return;
    }
    untried_columns[x >> 6] &= ~(UINT64_C(1) << (x & 63));
    s->column[d] = x;
    for (int w = 0; w < s->column_words; w++)
        next[w] = rows[w] & ~s->columns[(size_t)x * (size_t)s->column_words + (size_t)w];
    for (int w = 0; w < s->row_words; w++)
        next_columns[w] = columns[w] & s->rows[(size_t)h * (size_t)s->row_words + (size_t)w];
    next_columns[x >> 6] &= ~(UINT64_C(1) << (x & 63));
    PAC_HALF(enter)(s, d + 1);
}
