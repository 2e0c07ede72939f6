# What two sides of a matrix have in common, for many pairs at once.
#
# A candidate is refuted when its smaller side V(a) has no column b with enough rows on both sides.
# The rows V(a, b) on the smaller sides of a and b are the same in either order, so that half of the
# pairs answer for all: they are counted together, without building a side, and what is known of
# V(a, b) is kept in a byte, also for the time when it is met as a side of V(b).
#
# `bounds[a * m + b]` is 2 * v + 1 for Ldim V(a, b) < v (V(a) for a = b), and 2 * v when moreover
# Ldim V(a, b, c) < v - 1 for the smaller sides of all columns c: this spares V(a, c, b) in V(c),
# where smaller sides are those of here.  255 says nothing.  What it says is true for ever: it is
# not lost when a level is left and asked again, but given back with the rows.

cdef enum:
    PAIRED = 8                # rows for a column, where bounds of pairs take no more than rows
    NOTHING = 255
    LISTED = 254


cdef int forget_pairs(LittlestoneSolver self, Matrix* node) noexcept nogil:
    """Begin with no bounds; -1 when stopped."""
    cdef uint8_t* bounds = node.beside + node.m
    cdef uint32_t j
    for j in range(node.m):
        memset(bounds + j * <size_t>node.m, NOTHING, node.m)
        if self.spend(node.m >> 3):
            return -1
    node.bounds = bounds
    node.task = 0
    return 0


cdef bint worth_pairing(Matrix* node, uint32_t rows, int k) noexcept nogil:
    """Will most pairs be too small for Ldim >= k - 2, if the largest side has so many rows?"""
    return node.bounds != NULL and <uint64_t>rows * rows < <uint64_t>node.n << (k - 1)


cdef Matrix* asker(Matrix* frames, int depth) noexcept nogil:
    """The matrix that asks about this one, if this is the smaller side of its column `asked`."""
    if frames[depth].asked == 0 or frames[depth - 1].bounds == NULL:
        return NULL
    return &frames[depth - 1]


cdef bint same_side(Matrix* node, Matrix* parent, uint32_t column, bint ones) noexcept nogil:
    """Is this side of a column the part of its smaller side in the parent?"""
    cdef uint32_t there = parent.keep[column]
    cdef bint flipped = (node.ids[column] ^ parent.ids[there]) & 1
    return ones ^ flipped == fewer_ones(parent, there)


cdef bint sides_agree(Matrix* frames, int depth) noexcept nogil:
    """Have all columns of the parent, but the one that asks, the same smaller side here as there?

    A column that was dropped has few rows on one side, which may be the wrong one.
    """
    cdef Matrix* node = &frames[depth]
    cdef Matrix* parent = asker(frames, depth)
    cdef uint32_t j
    if parent == NULL or parent.m != node.m + 1:
        return False
    for j in range(node.m):
        if not same_side(node, parent, j, fewer_ones(node, j)):
            return False
    return True


cdef uint8_t bound_above(Matrix* node, Matrix* parent, uint32_t column) noexcept nogil:
    """What the parent knows of this matrix under the smaller side, there, of a column."""
    return parent.bounds[(node.asked - 1) * <size_t>parent.m + parent.keep[column]]


cdef bint side_is_known(Matrix* frames, int depth, uint32_t column, int k) noexcept nogil:
    """Is Ldim < k known of a side of a column?"""
    cdef Matrix* node = &frames[depth]
    cdef Matrix* parent
    cdef size_t m = node.m
    if node.bounds != NULL and node.bounds[column * m + column] <= 2 * k + 1:
        return True
    parent = asker(frames, depth)
    return parent != NULL and bound_above(node, parent, column) <= 2 * k + 1


cdef void note_side(
    Matrix* frames, int depth, uint32_t column, bint ones, uint8_t known
) noexcept nogil:
    """Remember what is known of a side of a column."""
    cdef Matrix* node = &frames[depth]
    cdef Matrix* parent = asker(frames, depth)
    cdef size_t at
    if node.bounds != NULL and ones == fewer_ones(node, column):
        at = column * <size_t>node.m + column
        if known < node.bounds[at]:
            node.bounds[at] = known
    if parent != NULL and same_side(node, parent, column, ones):
        at = (node.asked - 1) * <size_t>parent.m + parent.keep[column]
        if known < parent.bounds[at]:
            parent.bounds[at] = known
            parent.bounds[parent.keep[column] * <size_t>parent.m + node.asked - 1] = known


cdef uint32_t settled_questions(Matrix* node, int k) noexcept nogil:
    """Candidates for Ldim >= k of which a side is known to have Ldim < k - 1."""
    cdef uint32_t i, settled = 0, column, found = candidates(node, <uint32_t>1 << (k - 1))
    if node.bounds != NULL:
        for i in range(found):
            column = node.order[i]
            settled += node.bounds[column * <size_t>node.m + column] <= 2 * k - 1
    return settled


cdef int pair_up(
    LittlestoneSolver self, int depth, uint32_t done, uint32_t found, int k
) noexcept nogil:
    """Bound V(a, b) for the candidates a in order[done:found] and all columns b.

    What matters is whether Ldim V(a, b) < k - 1; what is known by symmetry is not counted again.
    Pairs are counted by columns or by rows, whichever is estimated to cost less.
    """
    cdef Matrix* node = &self.frames[depth]
    cdef Matrix* parent = asker(self.frames, depth) if sides_agree(self.frames, depth) else NULL
    cdef uint32_t m = node.m, j, column, askers = 0, end
    cdef uint32_t most = smaller_side(node.n, node.counts[node.order[done]])
    cdef int answer = 0
    cdef bint by_columns
    memset(node.beside, NOTHING, m)
    for j in range(done, found):
        column = node.order[j]
        if not side_is_known(self.frames, depth, column, k):
            node.listed[askers] = column
            askers += 1
            node.beside[column] = LISTED
    end = list_others(node, parent, askers, k)
    for j in range(askers):
        lower_all(node.bounds + node.listed[j] * <size_t>m, node.beside, m)
    # Half of the pairs by columns, at so many eighths a word; all by rows, which are listed first.
    by_columns = (
        <uint64_t>end * node.width * common_cost() < 16 * <uint64_t>most * (node.stride + 8)
    )
    if self.insist:
        by_columns = self.insist == Insist.ON_COLUMNS
    if by_columns:
        answer = count_pairs(self, node, askers, end, k)
    return tally_pairs(self, node, askers, k) if answer == 0 else answer


cdef void take_task(Matrix* node, uint32_t listed, int how) noexcept nogil:
    """Go on with these pairs where counting them was left when time was over, or begin."""
    cdef uint64_t task = listed
    cdef uint32_t j
    for j in range(listed):
        task = (task ^ node.listed[j]) * <uint64_t>0x9e3779b97f4a7c15
        task ^= task >> 32
    task = (task ^ <uint64_t>how) * <uint64_t>0x9e3779b97f4a7c15 | 1
    if node.task != task:
        node.task = task
        node.finished = 0


cdef uint32_t list_others(Matrix* node, Matrix* parent, uint32_t askers, int k) noexcept nogil:
    """List the other columns b too, but those with Ldim V(a, b) < k - 1 known for all a.

    These get their bound in `beside`.  Returns the length of the list.
    """
    cdef uint32_t j, end = askers
    cdef uint8_t known
    for j in range(node.m):
        if node.beside[j] == LISTED:
            node.beside[j] = NOTHING
            continue
        if parent != NULL:
            known = bound_above(node, parent, j)
            if known <= 2 * k and known & 1 == 0:
                node.beside[j] = <uint8_t>(2 * k - 1)
                continue
        node.listed[end] = j
        end += 1
    return end


cdef int count_pairs(
    LittlestoneSolver self, Matrix* node, uint32_t askers, uint32_t end, int k
) noexcept nogil:
    """Bound V(a, b) by k - 1 for the first columns a listed and all b, as `tally_pairs` does.

    Returns 0 if there is no room.
    """
    cdef uint32_t m = node.m, j, w, at, some, p, q, panels = (end + PANEL - 1) // PANEL
    cdef size_t stride = <size_t>node.width * PANEL
    cdef size_t bytes = 8 * stride * panels
    cdef uint64_t* panel
    cdef uint32_t* listed = node.listed
    cdef uint64_t turned[PANEL]
    cdef uint32_t common[PANEL * PANEL]
    cdef uint64_t full
    cdef int answer = 1
    if self.bytes > self.limit or bytes > self.limit - self.bytes:
        return 0
    panel = <uint64_t*>malloc(bytes)
    if panel == NULL:
        return 0
    self.bytes += bytes
    for p in range(panels):
        at = p * PANEL
        some = end - at if end - at < PANEL else PANEL
        for j in range(some):
            turned[j] = 0 if fewer_ones(node, listed[at + j]) else ~<uint64_t>0
        for w in range(node.width):
            full = ~<uint64_t>0
            if w == node.width - 1 and node.n & 63:
                full = (<uint64_t>1 << (node.n & 63)) - 1
            lift(
                node.words + <size_t>w * m, listed + at, some, turned, full,
                panel + p * stride + <size_t>w * PANEL,
            )
        if self.spend(stride):
            answer = -1
            break
    take_task(node, end, 2 * k)
    p = node.finished
    while answer > 0 and p * PANEL < askers:
        at = askers - p * PANEL if askers - p * PANEL < PANEL else PANEL
        for q in range(p, panels):
            some = end - q * PANEL if end - q * PANEL < PANEL else PANEL
            common_rows(panel + p * stride, panel + q * stride, node.width, common)
            bound(
                common, listed + p * PANEL, at, listed + q * PANEL, some,
                <uint32_t>1 << (k - 1), <uint8_t>(2 * k - 1), m, node.bounds,
            )
            if self.spend(PANEL * stride // 4):
                answer = -1
                break
        else:
            p += 1
            node.finished = p
    free(panel)
    self.bytes -= bytes
    return answer


cdef int tally_pairs(LittlestoneSolver self, Matrix* node, uint32_t askers, int k) noexcept nogil:
    """Bound V(a, b) by k - 1 for the first columns a listed and all b, where rows are too few."""
    cdef uint32_t j, column, rows, least = <uint32_t>1 << (k - 1)
    cdef int size
    take_task(node, askers, 2 * k + 1)
    for j in range(node.finished, askers):
        column = node.listed[j]
        rows = take_side(node, column, fewer_ones(node, column))
        size = slices_of(rows)
        if tally_rows(
            self, node, node.chosen, list_rows(node, rows, node.chosen), size, node.slices
        ) < 0:
            return -1
        between(node.slices, node.stride, size, least, rows, node.marks)
        between(node.slices, node.stride, size, 0, rows - least, node.back)
        bound_row(
            node.marks, node.back, node.counts, node.n, node.m, <uint8_t>(2 * k - 1),
            node.bounds + column * <size_t>node.m,
        )
        node.finished = j + 1
        if self.spend(node.m):
            return -1
    return 1


cdef int refuted_by_pairs(
    LittlestoneSolver self, Matrix* node, uint32_t column, int k
) noexcept nogil:
    """Is Ldim < k for the smaller side of a column, by what it has in common with sides?

    2 when smaller sides suffice, 1 when larger ones are needed, 0 when they do not say.
    """
    cdef uint8_t* known = node.bounds + column * <size_t>node.m
    cdef uint32_t other = above(known, 0, node.m, <uint8_t>(2 * k - 1)), rows = 0
    cdef int answer, worst = 2
    while other < node.m:
        if other != column:
            if rows == 0:
                rows = take_side(node, column, fewer_ones(node, column))
            answer = refuted_pair(self, node, rows, other, k - 1)
            if answer <= 0:
                return answer
            if answer == 2:
                known[other] = node.bounds[other * <size_t>node.m + column] = <uint8_t>(2 * k - 1)
            else:
                worst = 1
        other = above(known, other + 1, node.m, <uint8_t>(2 * k - 1))
    return worst


cdef int refuted_pair(
    LittlestoneSolver self, Matrix* node, uint32_t rows, uint32_t column, int k
) noexcept nogil:
    """Is Ldim < k for a side of a column, in the rows in the mask?  2 for its smaller side."""
    cdef uint32_t part = list_part(node, column, fewer_ones(node, column), node.side)
    cdef uint32_t least = <uint32_t>1 << (k - 1)
    if self.spend(node.width):
        return -1
    if part < 2 * least:
        return 2
    if rows - part < 2 * least:
        return 1
    if tally_rows(
        self, node, node.side, fill_up(node, part, node.side), slices_of(part), node.ahead
    ) < 0:
        return -1
    if between(node.ahead, node.stride, slices_of(part), least, part - least, node.back):
        return 0
    return 2
