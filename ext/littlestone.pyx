"""Exact Littlestone dimension: the decision search "Ldim >= k" over compacted bit matrices.

The search works on *reduced* matrices.  For the rows of a version space, in inherited order, a
column is dropped when fewer than two rows lie on its smaller side, and complemented when its
first row is 1.  Neither changes the answer to "Ldim >= k": labels are interchangeable, and
since rows are distinct in the whole class a column with a lone row on one side can only serve
as a last question, which any two distinct rows have anyway.  What is known of a reduced matrix
is kept in a table under a 128-bit fingerprint, so that version spaces that look alike (shifted
intervals, sub-cubes, cosets) share one entry.

Everything below `run`, `dimension_of`, `tree` and `refute` runs without the GIL and reports
through return values: 1 yes, 0 no, -1 stopped (a deadline, a signal, or no memory left).
Those four check what they are given; nothing below them does.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cimport cython

from pac_stability._core.bitset cimport lowest, popcount
from pac_stability._core.entry cimport acquire, acquired, all_below, release, zero_one
from columns cimport (
    append,
    columns_init,
    columns_name,
    columns_units,
    columns_use,
    count_ones,
    fingerprint,
    flip,
    gather,
    move_masks,
    pack,
    spill,
    splits,
    squeeze,
    subset,
)
from rows cimport ROW_LANES, ROW_STEP, between, columns_of, rows_of, tally, unslice

columns_init()

INSTRUCTIONS = tuple([columns_name(unit).decode("ascii") for unit in range(columns_units())])
"""What the processor can count columns with, the fastest last; that one is used."""


def use_instructions(str name):
    """Count columns with one of ``INSTRUCTIONS`` from now on, in every thread; for tests."""
    columns_use(INSTRUCTIONS.index(name))


cdef enum:
    DEPTH = 34                # at most one frame a level, and 2**31 rows have 31 levels
    PROBE = 16                # slots looked at for one fingerprint
    FIRST_SLOTS = 1 << 10
    POLL = 1 << 16            # words of work between two looks at the clock
    TRIED = 8                 # candidates that fail before a matrix is also kept by rows,
    UNTRIED = 32              # if so many are left,
    WIDE = 96                 # it has so many columns
    TALL = 256                # and so many rows,
    SPARSE = 4                # and sides have at most this part of them
    CHUNK = 1 << 12           # rows counted between two looks at the work done
    SLICES = 32               # of counters of fewer than 2**31 rows
    FEW = 16                  # candidates of a side that are looked at before it is built
    ALONE = 1 << 28           # words of work from below before the first from above
    SLICE = 1 << 24           # words of work for each level from above, in the first round
    FAR = 3                   # bounds so far apart share the work evenly,
    SELDOM = 4                # others so many times halved

cdef enum Stop:
    RUNNING = 0
    OUT_OF_TIME = 1
    OUT_OF_MEMORY = 2
    OUT_OF_STEPS = 3
    RAISED = 4
    OUT_OF_SHARE = 5          # of the work that a level may take before another has its turn

cdef str CONTRADICTION = "rows are not distinct, or two matrices have the same fingerprint"

cdef str NO_MEMORY = "max_memory is too small for this class or question"

cdef uint64_t NO_END = ~<uint64_t>0

cdef double SIGNAL_PERIOD = 0.05
cdef double REPORT_PERIOD = 0.1


cdef double seconds() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <double>now.tv_sec + 1e-9 * <double>now.tv_nsec


cdef int log2_floor(uint32_t n) noexcept nogil:
    cdef int k = 0
    while n >> (k + 1):
        k += 1
    return k


cdef uint32_t smaller_side(uint32_t n, uint32_t ones) noexcept nogil:
    return ones if ones <= n - ones else n - ones


cdef void fill(uint64_t* mask, uint32_t n) noexcept nogil:
    """The mask of all n rows."""
    cdef uint32_t w
    for w in range(n >> 6):
        mask[w] = ~<uint64_t>0
    if n & 63:
        mask[n >> 6] = (<uint64_t>1 << (n & 63)) - 1


cdef bint fewer_ones(Matrix* node, uint32_t column) noexcept nogil:
    return node.counts[column] <= node.n - node.counts[column]


cdef uint32_t take_side(Matrix* node, uint32_t column, bint ones) noexcept nogil:
    """Put the rows on one side of a column into the mask of a matrix; how many they are."""
    cdef uint32_t w
    cdef uint64_t* word = node.words + column
    if ones:
        for w in range(node.width):
            node.mask[w] = word[<size_t>w * node.m]
        return node.counts[column]
    fill(node.mask, node.n)
    for w in range(node.width):
        node.mask[w] &= ~word[<size_t>w * node.m]
    return node.n - node.counts[column]


cdef bint refuted_before(Matrix* node, uint32_t failures, uint32_t rows) noexcept nogil:
    """Is the side in the mask part of a side that failed?  Ldim is monotone."""
    cdef uint32_t i
    for i in range(failures):
        if rows <= node.failed_rows[i] and subset(
            node.mask, node.failed + <size_t>i * node.width, node.width
        ):
            return True
    return False


cdef bint implied(Matrix* node, uint32_t column, uint32_t failures) noexcept nogil:
    """Is a side of the column part of a side that failed?"""
    cdef bint ones
    for ones in range(2):
        if refuted_before(node, failures, take_side(node, column, ones)):
            return True
    return False


cdef void note_failure(Matrix* node, uint32_t failures, uint32_t rows) noexcept nogil:
    memcpy(node.failed + <size_t>failures * node.width, node.mask, node.width * sizeof(uint64_t))
    node.failed_rows[failures] = rows


cdef uint32_t candidates(Matrix* node, uint32_t need) noexcept nogil:
    """List in `order` the columns with at least `need` rows on either side."""
    cdef uint32_t j, found = 0
    for j in range(node.m):
        node.order[found] = j
        found += smaller_side(node.n, node.counts[j]) >= need
    return found


cdef uint32_t next_candidate(Matrix* node, uint32_t found, uint32_t done) noexcept nogil:
    """Bring the most balanced of order[done:found] to place `done` and return it."""
    cdef uint32_t i, size, column, best = done, most = 0
    for i in range(done, found):
        size = smaller_side(node.n, node.counts[node.order[i]])
        if size > most:
            most = size
            best = i
    column = node.order[best]
    node.order[best] = node.order[done]
    node.order[done] = column
    return column


cdef uint64_t column_hash(Matrix* node, uint32_t column) noexcept nogil:
    cdef uint32_t w
    cdef uint64_t key = 0
    for w in range(node.width):
        key = (key ^ node.words[<size_t>w * node.m + column]) * <uint64_t>0x9e3779b97f4a7c15
        key ^= key >> 32
    return key


cdef bint equal_columns(Matrix* node, uint32_t a, uint32_t b) noexcept nogil:
    cdef uint32_t w
    for w in range(node.width):
        if node.words[<size_t>w * node.m + a] != node.words[<size_t>w * node.m + b]:
            return False
    return True


cdef void drop_equal_columns(Matrix* node) noexcept nogil:
    """Keep the first of equal columns."""
    cdef uint32_t* seen = <uint32_t*>node.failed
    cdef uint32_t j, w, i, slots = 2, kept = 0, m = node.m
    while slots < 2 * m:
        slots *= 2
    memset(seen, 0, slots * sizeof(uint32_t))
    for j in range(m):
        i = <uint32_t>column_hash(node, j) & (slots - 1)
        while seen[i] and not equal_columns(node, seen[i] - 1, j):
            i = (i + 1) & (slots - 1)
        if seen[i] == 0:
            seen[i] = j + 1
            node.keep[kept] = j
            kept += 1
    for w in range(node.width):
        gather(node.words + <size_t>w * m, node.keep, kept, node.part)
        memcpy(node.words + <size_t>w * kept, node.part, kept * sizeof(uint64_t))
    take(node.ids, node.keep, kept, node.sub)
    take(node.counts, node.keep, kept, node.sub)
    node.m = kept


cdef void take(uint32_t* values, uint32_t* keep, uint32_t kept, uint32_t* scratch) noexcept nogil:
    cdef uint32_t i
    for i in range(kept):
        scratch[i] = values[keep[i]]
    memcpy(values, scratch, kept * sizeof(uint32_t))


cdef int lone_questions(LittlestoneSolver self, Matrix* node, uint32_t* witness) noexcept nogil:
    """The search for k = 3: below a column, any column that leaves two rows on each side."""
    cdef uint32_t i, column, found = candidates(node, 4)
    cdef uint64_t cost = <uint64_t>node.m * node.width
    for i in range(found):
        if self.spend(cost):
            return -1
        column = node.order[i]
        take_side(node, column, True)
        if not splits(node.words, node.m, node.width, node.mask):
            continue
        take_side(node, column, False)
        if splits(node.words, node.m, node.width, node.mask):
            witness[0] = column
            return 1
    return 0


cdef bint worth_turning(Matrix* node, uint32_t rows) noexcept nogil:
    """Do sides of about so many rows cost less where a matrix is kept by rows?"""
    return (
        node.rows == NULL and node.m >= WIDE and node.n >= TALL
        and <uint64_t>rows * SPARSE <= node.n
    )


cdef uint32_t list_rows(Matrix* node, uint32_t rows, uint32_t* chosen) noexcept nogil:
    """List the rows in the mask, filled up with the row of zeros; how long the list is."""
    cdef uint32_t w, at = 0
    cdef uint64_t open
    for w in range(node.width):
        open = node.mask[w]
        while open:
            chosen[at] = 64 * w + <uint32_t>lowest(open)
            at += 1
            open &= open - 1
    return fill_up(node, rows, chosen)


cdef uint32_t fill_up(Matrix* node, uint32_t rows, uint32_t* chosen) noexcept nogil:
    while rows % ROW_STEP:
        chosen[rows] = node.n
        rows += 1
    return rows


cdef uint32_t list_side(
    Matrix* node, const uint32_t* chosen, uint32_t rows, uint32_t column, bint ones, uint32_t* side
) noexcept nogil:
    """List those of the chosen rows that lie on one side of a column; how many they are."""
    cdef const uint64_t* word = node.rows + (column >> 6)
    cdef uint32_t i, at = 0
    for i in range(rows):
        side[at] = chosen[i]
        at += ((word[<size_t>chosen[i] * node.stride] >> (column & 63)) & 1) == <uint64_t>ones
    return at


cdef int slices_of(uint32_t rows) noexcept nogil:
    """Slices of counters up to so many rows; `tally` wants three."""
    cdef int size = log2_floor(rows) + 1
    return size if size > 3 else 3


cdef int split(LittlestoneSolver self, int depth, int k, uint32_t* witness) noexcept nogil:
    """The search for k >= 4: a column both of whose sides have Ldim >= k - 1."""
    cdef Matrix* node = &self.frames[depth]
    cdef uint32_t column, rows, failures = 0, done
    cdef uint32_t found = candidates(node, <uint32_t>1 << (k - 1))
    cdef bint ones, _second
    cdef int answer = 0
    for done in range(found):
        if self.spend(found - done + <uint64_t>failures * node.width):
            return -1
        column = next_candidate(node, found, done)
        ones = not fewer_ones(node, column)
        for _second in range(2):
            ones = not ones
            rows = take_side(node, column, ones)
            if refuted_before(node, failures, rows):
                answer = 0
                break
            if done == TRIED and found >= TRIED + UNTRIED and worth_turning(node, rows):
                if self.turn(node) < 0:
                    return -1
            answer = self.derive(node, &self.frames[depth + 1], rows, 2, <uint32_t>1 << (k - 2))
            if answer > 0:
                answer = self.at_least(depth + 1, k - 1)
            if answer < 0:
                return -1
            if answer == 0:
                # at_least() below used deeper frames only: the mask is still this side.
                note_failure(node, failures, rows)
                failures += 1
                break
        if answer:
            witness[0] = column
            return 1
    return 0


cdef Entry* find(LittlestoneSolver self, const uint64_t* key) noexcept nogil:
    cdef int i
    cdef Entry* entry
    for i in range(PROBE):
        entry = &self.entries[(key[0] + <size_t>i) & (self.slots - 1)]
        if entry.rows == 0:
            return NULL
        if entry.key[0] == key[0] and entry.key[1] == key[1]:
            return entry
    return NULL


cdef Entry* place(LittlestoneSolver self, const uint64_t* key) noexcept nogil:
    """A slot for a new fingerprint: a free one, or else that of the smallest version space."""
    cdef int i
    cdef Entry* entry
    cdef Entry* victim = NULL
    for i in range(PROBE):
        entry = &self.entries[(key[0] + <size_t>i) & (self.slots - 1)]
        if entry.rows == 0:
            self.used += 1
            return entry
        if victim == NULL or entry.rows < victim.rows:
            victim = entry
    return victim


cdef void grow(LittlestoneSolver self) noexcept nogil:
    """Double the table if memory allows; otherwise entries will be replaced."""
    cdef size_t bytes = 2 * self.slots * sizeof(Entry), i, old_slots = self.slots
    cdef Entry* old = self.entries
    cdef Entry* larger
    if bytes > self.limit - self.bytes:
        return
    larger = <Entry*>calloc(2 * old_slots, sizeof(Entry))
    if larger == NULL:
        return
    self.bytes += bytes
    self.entries = larger
    self.slots = 2 * old_slots
    self.used = 0
    for i in range(old_slots):
        if old[i].rows:
            place(self, old[i].key)[0] = old[i]
    free(old)
    self.bytes -= old_slots * sizeof(Entry)
    self.work += old_slots


cdef void remember(
    LittlestoneSolver self, Matrix* node, int k, bint holds, uint32_t witness
) noexcept nogil:
    cdef Entry* entry = find(self, node.key)
    if entry == NULL:
        if 2 * self.used >= self.slots:
            grow(self)
        entry = place(self, node.key)
        entry.key[0] = node.key[0]
        entry.key[1] = node.key[1]
        entry.witness = 0
        entry.lo = 2
        entry.hi = <uint8_t>log2_floor(node.n)
        entry.rows = <uint16_t>(node.n if node.n < 65535 else 65535)
    if holds:
        if k > entry.lo:
            entry.lo = <uint8_t>k
            entry.witness = witness
    elif k <= entry.hi:
        entry.hi = <uint8_t>(k - 1)


cdef bint bit(Matrix* matrix, uint32_t row, uint32_t column) noexcept nogil:
    return (matrix.words[<size_t>(row >> 6) * matrix.m + column] >> (row & 63)) & 1


cdef int walk(
    LittlestoneSolver self,
    int depth,
    int k,
    size_t position,
    uint32_t* rows,
    int64_t* points,
    int64_t* leaves,
    size_t internal,
) noexcept nogil:
    """Write the subtree at `position` (heap order) for the rows of the matrix at `depth`."""
    cdef Matrix* node = &self.frames[depth]
    cdef uint32_t* below = rows + self.base.n
    cdef uint32_t column = 0, i, size, taken
    cdef bint label, ones
    cdef int answer
    cdef Entry* entry
    if k == 2 and node.m == 0:
        return -1
    if k == 0:
        leaves[position - internal] = rows[0]
        return 1
    if k == 1:
        while bit(&self.base, rows[0], column) == bit(&self.base, rows[1], column):
            column += 1
            if column == self.base.m:
                return -1
        label = bit(&self.base, rows[0], column)
        points[position] = column
        leaves[2 * position + 1 + label - internal] = rows[0]
        leaves[2 * position + 2 - label - internal] = rows[1]
        return 1
    if k >= 3:
        entry = find(self, node.key)
        if entry == NULL or entry.lo < k:
            answer = self.at_least(depth, k)
            if answer <= 0:
                return -1
            entry = find(self, node.key)
        column = entry.witness
    points[position] = node.ids[column] >> 1
    for ones in range(2):
        size = take_side(node, column, ones)
        label = ones ^ (node.ids[column] & 1)
        taken = 0
        for i in range(node.n):
            below[taken] = rows[i]
            taken += (node.mask[i >> 6] >> (i & 63)) & 1
        if k > 2 and self.derive(node, &self.frames[depth + 1], size, 2, 0) < 0:
            return -1
        answer = walk(
            self, depth + 1, k - 1, 2 * position + 1 + label, below, points, leaves, internal
        )
        if answer < 0:
            return -1
    return 1


cdef Claim* claim_slot(LittlestoneSolver self, const uint64_t* key, int k) noexcept nogil:
    """The claim "Ldim < k" about a matrix, or the free slot where it belongs."""
    cdef size_t i = key[0]
    cdef Claim* claim
    while True:
        claim = &self.claims[i & (self.claim_slots - 1)]
        if claim.k == 0 or (
            claim.k == <uint32_t>k and claim.key[0] == key[0] and claim.key[1] == key[1]
        ):
            return claim
        i += 1


cdef bint more_claims(LittlestoneSolver self) noexcept nogil:
    cdef size_t i, old_slots = self.claim_slots
    cdef size_t slots = 2 * old_slots if old_slots else 1024
    cdef Claim* old = self.claims
    cdef Claim* larger
    if not self.reserve(slots * sizeof(Claim)):
        return False
    larger = <Claim*>calloc(slots, sizeof(Claim))
    if larger == NULL:
        self.bytes -= slots * sizeof(Claim)
        return False
    self.claims = larger
    self.claim_slots = slots
    for i in range(old_slots):
        if old[i].k:
            claim_slot(self, old[i].key, <int>old[i].k)[0] = old[i]
    free(old)
    self.bytes -= old_slots * sizeof(Claim)
    return True


cdef bint add_reason(
    LittlestoneSolver self, uint32_t step, uint32_t column, uint32_t label, uint32_t child
) noexcept nogil:
    cdef size_t capacity = self.reason_capacity
    cdef Reason* larger
    if self.reason_count == capacity:
        capacity = 2 * capacity if capacity else 1024
        if not self.reserve((capacity - self.reason_capacity) * sizeof(Reason)):
            return False
        larger = <Reason*>realloc(self.reasons, capacity * sizeof(Reason))
        if larger == NULL:
            self.bytes -= (capacity - self.reason_capacity) * sizeof(Reason)
            return False
        self.reasons = larger
        self.reason_capacity = capacity
    self.reasons[self.reason_count].step = step
    self.reasons[self.reason_count].column = column
    self.reasons[self.reason_count].label = label
    self.reasons[self.reason_count].child = child
    self.reason_count += 1
    return True


cdef int argue(LittlestoneSolver self, int depth, int k, uint32_t* step) noexcept nogil:
    """Write why the matrix at `depth`, which has at least 2**k rows, has Ldim < k."""
    cdef Matrix* node = &self.frames[depth]
    cdef Matrix* child = &self.frames[depth + 1]
    cdef uint32_t failures = 0, column, rows, done, found, below = 0, id
    cdef bint ones, _second
    cdef int answer = 0
    cdef Claim* claim
    if 2 * <size_t>self.steps >= self.claim_slots and not more_claims(self):
        self.stop = Stop.OUT_OF_MEMORY
        return -1
    claim = claim_slot(self, node.key, k)
    if claim.k:
        step[0] = claim.step
        return 1
    if self.steps == self.max_steps:
        self.stop = Stop.OUT_OF_STEPS
        return -1
    claim.key[0] = node.key[0]
    claim.key[1] = node.key[1]
    claim.k = <uint32_t>k
    claim.step = step[0] = self.steps
    self.steps += 1
    found = candidates(node, <uint32_t>1 << (k - 1))
    for done in range(found):
        if self.spend(found - done + <uint64_t>failures * node.width):
            return -1
        column = next_candidate(node, found, done)
        ones = not fewer_ones(node, column)
        if implied(node, column, failures):
            continue
        for _second in range(2):
            ones = not ones
            rows = take_side(node, column, ones)
            if self.derive(node, child, rows, 2, 0) < 0:
                return -1
            answer = self.at_least(depth + 1, k - 1)
            if answer < 0:
                return -1
            if answer == 0:
                break
        if answer or argue(self, depth + 1, k - 1, &below) < 0:
            return -1
        note_failure(node, failures, rows)
        failures += 1
        id = node.ids[column]
        if not add_reason(self, step[0], id >> 1, ones ^ (id & 1), below):
            self.stop = Stop.OUT_OF_MEMORY
            return -1
    return 1


@cython.final
cdef class LittlestoneSolver:
    """Littlestone dimensions of a finite class and of its version spaces.

    Parameters
    ----------
    table
        C-contiguous uint8 array of shape (n, m) with values 0 and 1, rows distinct.
    max_memory
        Bytes that the solver may allocate.
    time_limit
        Seconds that reading the table may take; 0 for no limit.

    Raises
    ------
    ValueError
        An entry is not 0 or 1, or there are several rows and no column to tell them apart.
    MemoryError
        ``max_memory`` cannot even hold the class.
    TimeoutError
        The time was over before the table was read.
    """

    def __cinit__(
        self, const uint8_t[:, ::1] table not None, size_t max_memory, double time_limit=0.0
    ):
        cdef size_t n = <size_t>table.shape[0], m = <size_t>table.shape[1], w
        cdef Matrix* base = &self.base
        if n >= <size_t>1 << 31 or m >= <size_t>1 << 30:
            raise MemoryError("more than 2**31 hypotheses or 2**30 points")
        if n > 1 and m == 0:
            raise ValueError("table: rows that no column tells apart")
        if n and m and not zero_one(&table[0, 0], n * m):
            raise ValueError("table: an entry that is not 0 or 1")
        self.limit = max_memory
        self.frames = <Matrix*>calloc(DEPTH, sizeof(Matrix))
        if self.frames == NULL:
            raise MemoryError("no memory for the solver")
        self.bytes = DEPTH * sizeof(Matrix)
        self.slots = FIRST_SLOTS
        if self.reserve(self.slots * sizeof(Entry)):
            self.entries = <Entry*>calloc(self.slots, sizeof(Entry))
        if self.entries == NULL or self.shape(base, <uint32_t>n, <uint32_t>m) < 0:
            raise MemoryError("max_memory is too small to hold the class")
        if not time_limit >= 0:
            raise ValueError("time_limit: want seconds, at least 0")
        self.begin(time_limit, None)
        with nogil:
            for w in range(base.width):
                pack(
                    &table[0, 0] if m else NULL, m, 64 * w,
                    64 * w + 64 if 64 * w + 64 < n else n, base.words + w * m,
                )
                if self.spend(8 * m):
                    break
            for w in range(m):
                base.ids[w] = <uint32_t>(2 * w)
            # With room for the root, the table can make up for most later shortages.
            fill(base.mask, base.n)
            self.derive(base, &self.frames[0], base.n, 2, 0)
        late = self.stop == Stop.OUT_OF_TIME
        self.answered(0)
        if late:
            raise TimeoutError("the time was over before the table was read")
        if n == 0:
            self.lower = self.upper = -1
        else:
            self.lower = 1 if n >= 2 else 0
            self.upper = log2_floor(<uint32_t>n)

    def __dealloc__(self):
        cdef int depth
        if self.frames != NULL:
            for depth in range(DEPTH):
                free(self.frames[depth].block)
                free(self.frames[depth].turned)
        free(self.frames)
        free(self.base.block)
        free(self.entries)
        free(self.claims)
        free(self.reasons)

    @property
    def entries_used(self) -> int:
        """Version spaces in the table."""
        return self.used

    @property
    def memory(self) -> int:
        """Bytes allocated now."""
        return self.bytes - self.returned

    # -- work, time and memory ------------------------------------------------------------

    cdef int begin(self, double time_limit, object progress) except -1:
        """Claim the solver; a time limit of 0 means none."""
        if not acquire(&self.busy):
            raise RuntimeError("the solver is already running in another thread or callback")
        self.bytes -= self.returned
        self.returned = 0
        self.progress = progress
        self.pending = None
        self.stop = Stop.RUNNING
        self.started = seconds()
        self.deadline = self.started + time_limit if time_limit > 0 else 0.0
        self.next_signal = 0.0
        self.next_report = self.started + REPORT_PERIOD
        self.next_poll = self.work + POLL
        self.share_end = NO_END
        return 0

    cdef int finish(self) except -1:
        """Release the solver and raise what a signal handler or a callback raised."""
        cdef object pending = self.pending, _progress = self.progress
        self.progress = None
        self.pending = None
        # Last: when the callback is dropped, its destructor may run any code, and this solver.
        release(&self.busy)
        _progress = None
        if pending is not None:
            raise pending
        return 0

    cdef int idle(self) except -1:
        """Refuse to be looked at while another thread is at work."""
        if acquired(&self.busy):
            raise RuntimeError("the solver is already running in another thread or callback")
        return 0

    cdef int spend(self, uint64_t words) noexcept nogil:
        """Count work; 0 to go on, -1 to stop."""
        self.work += words
        if self.work >= self.next_poll:
            return self.poll()
        return -1 if self.stop else 0

    cdef int poll(self) noexcept nogil:
        cdef double now = seconds()
        self.next_poll = self.work + POLL
        if self.stop:
            return -1
        if self.work >= self.share_end:
            self.stop = Stop.OUT_OF_SHARE
            return -1
        if self.deadline > 0 and now >= self.deadline:
            self.stop = Stop.OUT_OF_TIME
            return -1
        if now >= self.next_signal:
            self.next_signal = now + SIGNAL_PERIOD
            with gil:
                try:
                    PyErr_CheckSignals()
                    if self.progress is not None and now >= self.next_report:
                        self.next_report = now + REPORT_PERIOD
                        self.progress(self.lower, self.upper, self.nodes, now - self.started)
                except BaseException as error:
                    self.pending = error
                    self.stop = Stop.RAISED
        return -1 if self.stop else 0

    cdef bint reserve(self, size_t bytes) noexcept nogil:
        """Book memory; the table gives way, its entries can be computed again."""
        cdef Entry* smaller
        while bytes > self.limit - self.bytes or self.bytes > self.limit:
            if self.forget_all_rows():
                continue
            if self.slots <= FIRST_SLOTS or self.entries == NULL:
                return False
            smaller = <Entry*>realloc(self.entries, self.slots // 2 * sizeof(Entry))
            if smaller == NULL:
                return False
            self.entries = smaller
            self.slots //= 2
            self.bytes -= self.slots * sizeof(Entry)
            memset(self.entries, 0, self.slots * sizeof(Entry))
            self.used = 0
        self.bytes += bytes
        return True

    cdef int shape(self, Matrix* matrix, uint32_t n, uint32_t m) noexcept nogil:
        """Give a matrix its size, and memory if what it has is too small; contents are lost."""
        cdef size_t width = (<size_t>n + 63) // 64, cells = width * m
        cdef size_t scratch = cells if cells > 2 * <size_t>m else 2 * <size_t>m
        cdef size_t bytes = 8 * (cells + scratch + width + m) + 4 * (6 * <size_t>m + 2)
        cdef char* block
        if bytes > matrix.bytes:
            self.drop(matrix)
            bytes += bytes // 4
            if not self.reserve(bytes):
                self.stop = Stop.OUT_OF_MEMORY
                return -1
            matrix.block = malloc(bytes)
            if matrix.block == NULL:
                self.bytes -= bytes
                self.stop = Stop.OUT_OF_MEMORY
                return -1
            matrix.bytes = bytes
        block = <char*>matrix.block
        matrix.rows = NULL
        matrix.n = n
        matrix.m = m
        matrix.width = <uint32_t>width
        matrix.words = <uint64_t*>block
        matrix.failed = matrix.words + cells
        matrix.mask = matrix.failed + scratch
        matrix.part = matrix.mask + width
        matrix.counts = <uint32_t*>(matrix.part + m)
        matrix.ids = matrix.counts + m
        matrix.order = matrix.ids + m
        matrix.sub = matrix.order + m + 1
        matrix.keep = matrix.sub + m
        matrix.failed_rows = matrix.keep + m + 1
        return 0

    cdef void drop(self, Matrix* matrix) noexcept nogil:
        free(matrix.block)
        self.bytes -= matrix.bytes
        matrix.block = NULL
        matrix.bytes = 0

    # -- the search -----------------------------------------------------------------------

    cdef int derive(
        self, Matrix* parent, Matrix* child, uint32_t rows, uint32_t need, uint32_t least
    ) noexcept nogil:
        """Build the reduced matrix of the rows in the parent's mask (`rows` of them).

        Columns with fewer than `need` rows on a side are dropped; 0 keeps all of them, as
        they are.  Returns 0, with nothing built, if no column has `least` rows on both sides.
        """
        cdef uint32_t m = parent.m, j, size, kept = 0, best = 0
        cdef bint by_rows = parent.rows != NULL and <uint64_t>rows * SPARSE <= parent.n
        cdef int answer
        answer = (
            self.count_rows(parent, rows, least) if by_rows else self.count_columns(parent)
        )
        if answer <= 0:
            return answer
        for j in range(m):
            size = smaller_side(rows, parent.sub[j])
            parent.keep[kept] = j
            kept += size >= need
            best = size if size > best else best
        if best < least:
            return 0
        if self.shape(child, rows, kept) < 0:
            return -1
        # Memory for the child may have cost the rows of the parent.
        by_rows = by_rows and parent.rows != NULL
        if (self.take_rows(parent, child) if by_rows else self.take_columns(parent, child)) < 0:
            return -1
        for j in range(kept):
            child.ids[j] = parent.ids[parent.keep[j]]
            child.counts[j] = parent.sub[parent.keep[j]]
        if need == 0:
            return 1
        flip(child.words, kept, child.width, rows, child.counts, child.ids)
        if kept > 3 * <uint64_t>rows:
            drop_equal_columns(child)
        child.key[0] = rows
        child.key[1] = child.m
        fingerprint(child.words, <size_t>child.width * child.m, child.key)
        return 1

    cdef int count_columns(self, Matrix* parent) noexcept nogil:
        """Count in `sub` the ones of every column under the mask."""
        cdef uint32_t m = parent.m, w
        memset(parent.sub, 0, m * sizeof(uint32_t))
        for w in range(parent.width):
            if parent.mask[w]:
                count_ones(parent.words + <size_t>w * m, m, parent.mask[w], parent.sub)
                if self.spend(m):
                    return -1
        return 1

    cdef int take_columns(self, Matrix* parent, Matrix* child) noexcept nogil:
        """Squeeze the rows in the mask together, in the columns to be kept."""
        cdef uint32_t m = parent.m, w, kept = child.m, offset = 0, ones
        cdef uint64_t mask
        cdef uint64_t moves[6]
        cdef uint64_t* target
        memset(child.words, 0, <size_t>child.width * kept * sizeof(uint64_t))
        for w in range(parent.width):
            mask = parent.mask[w]
            if mask == 0:
                continue
            gather(parent.words + <size_t>w * m, parent.keep, kept, child.part)
            if mask != ~<uint64_t>0:
                move_masks(mask, moves)
                squeeze(child.part, kept, mask, moves)
            ones = <uint32_t>popcount(mask)
            target = child.words + <size_t>(offset >> 6) * kept
            append(child.part, kept, offset & 63, target)
            if (offset & 63) + ones > 64:
                spill(child.part, kept, 64 - (offset & 63), target + kept)
            offset += ones
            if self.spend(2 * kept):
                return -1
        return 1

    # -- the same for few rows, from a matrix that is also kept by rows ----------------------

    cdef int turn(self, Matrix* node) noexcept nogil:
        """Keep a matrix by rows too, if there is room; -1 when stopped."""
        cdef size_t stride = (node.m + 63) // 64, words, bytes
        cdef uint32_t w, some
        stride = (stride + ROW_LANES - 1) // ROW_LANES * ROW_LANES
        # Rows and a row of zeros, counters, marks, and columns on their way back.
        words = stride * (<size_t>node.n + 1 + SLICES + 1 + 64)
        bytes = 8 * words + 2 * 4 * (<size_t>node.n + ROW_STEP)
        if bytes > node.turned_bytes:
            self.forget_rows(node)
            if self.bytes > self.limit or bytes > self.limit - self.bytes:
                return 0
            node.turned = malloc(bytes)
            if node.turned == NULL:
                return 0
            node.turned_bytes = bytes
            self.bytes += bytes
        node.stride = <uint32_t>stride
        node.rows = <uint64_t*>node.turned
        node.slices = node.rows + stride * (<size_t>node.n + 1)
        node.marks = node.slices + stride * SLICES
        node.back = node.marks + stride
        node.chosen = <uint32_t*>(node.back + 64 * stride)
        node.side = node.chosen + node.n + ROW_STEP
        for w in range(node.width):
            some = node.n - 64 * w if node.n - 64 * w < 64 else 64
            rows_of(
                node.words + <size_t>w * node.m, node.m, some, stride,
                node.rows + <size_t>w * 64 * stride,
            )
            if self.spend(4 * <uint64_t>node.m):
                node.rows = NULL
                return -1
        memset(node.rows + stride * <size_t>node.n, 0, stride * sizeof(uint64_t))
        return 0

    cdef bint forget_all_rows(self) noexcept nogil:
        """Give back what is kept by rows; whether there was anything."""
        cdef int depth
        cdef size_t before = self.bytes
        for depth in range(DEPTH):
            self.forget_rows(&self.frames[depth])
        return self.bytes < before

    cdef void forget_rows(self, Matrix* matrix) noexcept nogil:
        free(matrix.turned)
        self.bytes -= matrix.turned_bytes
        matrix.turned = NULL
        matrix.turned_bytes = 0
        matrix.rows = NULL

    cdef int tally_rows(
        self, Matrix* node, const uint32_t* chosen, uint32_t length, int size
    ) noexcept nogil:
        """Count every column over a list of rows, in `slices`."""
        cdef uint32_t begin = 0, some
        memset(node.slices, 0, size * <size_t>node.stride * sizeof(uint64_t))
        while begin < length:
            some = length - begin if length - begin < CHUNK else CHUNK
            tally(node.rows, node.stride, chosen + begin, some, size, node.slices)
            if self.spend(<uint64_t>some * node.stride):
                return -1
            begin += some
        return 1

    cdef int count_rows(self, Matrix* parent, uint32_t rows, uint32_t least) noexcept nogil:
        """Count in `sub` the ones of every column under the mask; 0 if that refutes the side.

        It needs a column with `least` rows on both sides, and that column half as many again on
        both of its own: where few columns qualify, their smaller sides are counted too.
        """
        cdef uint32_t length = list_rows(parent, rows, parent.chosen)
        cdef int size = slices_of(rows)
        if self.tally_rows(parent, parent.chosen, length, size) < 0:
            return -1
        if least and not between(
            parent.slices, parent.stride, size, least, rows - least, parent.marks
        ):
            return 0
        unslice(parent.slices, parent.stride, size, parent.m, parent.sub)
        return self.look_ahead(parent, rows, least) if least >= 4 else 1

    cdef int look_ahead(self, Matrix* parent, uint32_t rows, uint32_t least) noexcept nogil:
        """Does some marked column have a smaller side with a column that splits it evenly enough?

        1 also when there are too many to ask.
        """
        cdef uint32_t b, found = 0, column, part
        cdef uint64_t open
        cdef bint ones
        for b in range(parent.stride):
            found += <uint32_t>popcount(parent.marks[b])
        if found > FEW:
            return 1
        for b in range(parent.stride):
            open = parent.marks[b]
            while open:
                column = 64 * b + <uint32_t>lowest(open)
                open &= open - 1
                ones = 2 * <uint64_t>parent.sub[column] <= rows
                part = list_side(parent, parent.chosen, rows, column, ones, parent.side)
                if self.tally_rows(
                    parent, parent.side, fill_up(parent, part, parent.side), slices_of(part)
                ) < 0:
                    return -1
                if between(
                    parent.slices, parent.stride, slices_of(part), least // 2, part - least // 2,
                    parent.back,
                ):
                    return 1
        return 0

    cdef int take_rows(self, Matrix* parent, Matrix* child) noexcept nogil:
        """Turn the chosen rows back into columns, those to be kept."""
        cdef uint32_t w, some, kept = child.m
        for w in range(child.width):
            some = child.n - 64 * w if child.n - 64 * w < 64 else 64
            columns_of(parent.rows, parent.stride, parent.chosen + 64 * w, some, parent.back)
            gather(parent.back, parent.keep, kept, child.words + <size_t>w * kept)
            if self.spend(4 * <uint64_t>parent.m):
                return -1
        return 1

    cdef int dimension(self) noexcept nogil:
        """Ldim of the matrix at frame 0, or -1 when stopped."""
        cdef Matrix* node = &self.frames[0]
        cdef Entry* entry
        cdef int answer, k, most = log2_floor(node.n)
        if node.n < 4:
            return most
        if node.m == 0:
            return 1
        k = 2
        entry = find(self, node.key)
        if entry != NULL:
            k = entry.lo
            most = entry.hi
        while k < most:
            answer = self.at_least(0, k + 1)
            if answer < 0:
                return -1
            if answer == 0:
                break
            k += 1
        return k

    cdef int dimension_in(self, const uint64_t* rows) noexcept nogil:
        """Ldim of some hypotheses: -1 when there are none, -2 when stopped."""
        memcpy(self.base.mask, rows, self.base.width * sizeof(uint64_t))
        return self.dimension_under_mask()

    cdef int dimension_under_mask(self) noexcept nogil:
        cdef uint32_t w, n = 0
        cdef int answer
        for w in range(self.base.width):
            n += <uint32_t>popcount(self.base.mask[w])
        if n == 0:
            return -1
        if self.derive(&self.base, &self.frames[0], n, 2, 0) < 0:
            return -2
        answer = self.dimension()
        return -2 if answer < 0 else answer

    cdef int at_least(self, int depth, int k) noexcept nogil:
        """Is Ldim >= k for the matrix at `depth`?  Deeper frames are overwritten."""
        cdef Matrix* node = &self.frames[depth]
        cdef Entry* entry
        cdef uint32_t witness = 0
        cdef int answer
        if k >= 32 or node.n >> k == 0:
            return 0
        if k <= 1:
            return 1
        if k == 2:
            return node.m > 0
        if node.m < <uint32_t>(k - 1):
            return 0
        entry = find(self, node.key)
        if entry != NULL:
            if entry.lo >= k:
                return 1
            if entry.hi < k:
                return 0
        if self.spend(<uint64_t>node.m * node.width):
            return -1
        self.nodes += 1
        answer = lone_questions(self, node, &witness) if k == 3 else split(self, depth, k, &witness)
        if answer >= 0:
            remember(self, node, k, answer, witness)
        return answer

    # -- whole problems -------------------------------------------------------------------

    def run(self, double time_limit, object progress, int aim=0) -> int:
        """Narrow ``lower <= Ldim <= upper`` until they meet or the time is over.

        Parameters
        ----------
        time_limit
            Seconds, or 0 for no limit.
        progress
            Called as ``progress(lower, upper, nodes, seconds)`` after every level and about ten
            times a second, or None.
        aim
            Only decide whether ``Ldim >= aim``; 0 to find the dimension.

        Returns
        -------
        int
            0 when done, 1 when out of time, 2 when out of memory.

        Raises
        ------
        ValueError
            The limit or the aim is negative or no number.
        """
        cdef int answer = 0
        if not time_limit >= 0:
            raise ValueError("time_limit: want seconds, at least 0")
        if aim < 0:
            raise ValueError(f"aim: got {aim}, want 0 or more")
        self.begin(time_limit, progress)
        with nogil:
            answer = self.poll()
            if answer == 0:
                fill(self.base.mask, self.base.n)
                answer = self.derive(&self.base, &self.frames[0], self.base.n, 2, 0)
            while answer >= 0 and self.undecided(aim):
                if aim:
                    answer = self.ask(aim, NO_END)
                elif self.due_above():
                    answer = self.ask_above()
                else:
                    answer = self.ask_below()
                self.next_signal = self.next_report = 0.0
                if self.poll() < 0:
                    break
        answer = self.stop if self.undecided(aim) else Stop.RUNNING
        self.finish()
        return answer

    cdef bint undecided(self, int aim) noexcept nogil:
        return self.lower < aim <= self.upper if aim else self.lower < self.upper

    cdef int ask(self, int k, uint64_t share) noexcept nogil:
        """Is Ldim >= k, for the class at frame 0?  Takes the answer over; -1 when stopped."""
        cdef int answer
        self.share_end = NO_END if share > NO_END - self.work else self.work + share
        answer = self.at_least(0, k)
        self.share_end = NO_END
        if answer > 0:
            self.lower = k
        elif answer == 0:
            self.upper = k - 1
        return answer

    # From below, Ldim >= lower + 1 is asked until it is known.  From above, the levels between it
    # and the upper bound are halved: those that the work of one round does not refute are left for
    # the next round, which has twice as much.  What a level that was left has learnt is in the
    # table, so that it goes on where it was but for the way there.

    cdef bint due_above(self) noexcept nogil:
        """Whether it is the turn of a level above lower + 1."""
        cdef int apart = self.upper - self.lower
        if apart < 2 or self.no_room_above or self.climbed < ALONE:
            return False
        return self.descended < (self.climbed if apart >= FAR else self.climbed >> SELDOM)

    cdef int ask_below(self) noexcept nogil:
        cdef uint64_t before = self.work
        cdef bint alone = self.upper - self.lower < 2 or self.no_room_above
        cdef uint64_t share = self.climbed if self.climbed > ALONE else ALONE
        cdef int answer
        answer = self.ask(self.lower + 1, NO_END if alone else share)
        self.climbed += self.work - before
        if self.stop == Stop.OUT_OF_SHARE:
            self.stop = Stop.RUNNING
            return 0
        return answer

    cdef int ask_above(self) noexcept nogil:
        cdef uint64_t before = self.work
        cdef int answer, k
        if self.hardest <= self.lower:
            self.hardest = self.lower + 1
        if self.hardest >= self.upper:
            self.hardest = self.lower + 1
            self.round += 1
        k = (self.hardest + self.upper + 1) // 2
        answer = self.ask(k, <uint64_t>SLICE << self.round)
        self.descended += self.work - before
        if self.stop == Stop.OUT_OF_SHARE or self.stop == Stop.OUT_OF_MEMORY:
            self.no_room_above = self.stop == Stop.OUT_OF_MEMORY
            self.stop = Stop.RUNNING
            self.hardest = k
            return 0
        return answer

    def dimension_of(self, const int64_t[::1] rows not None) -> int:
        """Ldim of the version space of these hypotheses (row indices).

        Raises
        ------
        ValueError
            An index is out of range.
        MemoryError
            The memory limit is too small for this question.
        """
        cdef int answer
        cdef Py_ssize_t i
        if rows.shape[0] and not all_below(&rows[0], rows.shape[0], self.base.n):
            raise ValueError("rows: an index out of range")
        self.begin(0.0, None)
        memset(self.base.mask, 0, self.base.width * sizeof(uint64_t))
        for i in range(rows.shape[0]):
            self.base.mask[rows[i] >> 6] |= <uint64_t>1 << (rows[i] & 63)
        with nogil:
            answer = self.dimension_under_mask()
        return self.answered(answer)

    cdef int answered(self, int answer) except -2:
        """End a question that has no partial answer."""
        cdef int stop = self.stop
        self.finish()
        if stop == Stop.OUT_OF_MEMORY:
            raise MemoryError(NO_MEMORY)
        return answer

    def tree(self, int k, int64_t[::1] points not None, int64_t[::1] leaves not None) -> None:
        """Write a shattered tree of depth ``k <= lower``.

        Parameters
        ----------
        k
            Depth.
        points
            Receives the ``2**k - 1`` questions (column indices) in heap order: the children of
            ``i`` are ``2 * i + 1`` (label 0) and ``2 * i + 2`` (label 1).
        leaves
            Receives the ``2**k`` hypotheses (row indices), from left to right.

        Raises
        ------
        ValueError
            ``k`` is negative or above ``lower``, or an array has another length.
        """
        cdef uint32_t* rows
        cdef uint32_t i
        cdef int answer = -1
        cdef size_t bytes
        self.idle()
        if not 0 <= k <= self.lower:
            raise ValueError(f"k: got {k}, want 0 to {self.lower}")
        if points.shape[0] != (<Py_ssize_t>1 << k) - 1 or leaves.shape[0] != <Py_ssize_t>1 << k:
            raise ValueError("points and leaves: want 2**k - 1 and 2**k places")
        bytes = ((<size_t>k + 1) * self.base.n + 1) * sizeof(uint32_t)
        self.begin(0.0, None)
        rows = <uint32_t*>malloc(bytes) if self.reserve(bytes) else NULL
        if rows == NULL:
            self.stop = Stop.OUT_OF_MEMORY
        else:
            with nogil:
                for i in range(self.base.n):
                    rows[i] = i
                fill(self.base.mask, self.base.n)
                if self.derive(&self.base, &self.frames[0], self.base.n, 2, 0) > 0:
                    answer = walk(
                        self, 0, k, 0, rows, &points[0] if k else NULL, &leaves[0],
                        (<size_t>1 << k) - 1,
                    )
            free(rows)
            self.bytes -= bytes
        self.answered(0)
        if answer < 0:
            raise RuntimeError(CONTRADICTION)

    def refute(self, int k, uint32_t max_steps) -> tuple[bytes, bytes]:
        """Say why ``Ldim < k``, for ``k > upper`` and at least ``2**k`` hypotheses.

        Returns
        -------
        tuple
            The levels of the steps (uint32) and the reasons (uint32 quadruples step, column,
            label of the refuted side, step that refutes it), as native arrays of bytes.

        Raises
        ------
        ValueError
            ``k`` is not above ``upper``, or there are fewer than ``2**k`` hypotheses.
        OverflowError
            More than ``max_steps`` steps are needed.
        MemoryError
            The memory limit is too small for the argument.
        """
        cdef uint32_t step = 0
        cdef size_t i
        cdef int answer = 0
        cdef uint32_t[::1] levels
        self.idle()
        if not self.upper < k < 32 or k < 0 or self.base.n >> k == 0:
            raise ValueError("k: want more than upper, and 2**k hypotheses at least")
        self.begin(0.0, None)
        self.steps = 0
        self.max_steps = max_steps
        self.reason_count = 0
        with nogil:
            fill(self.base.mask, self.base.n)
            answer = self.derive(&self.base, &self.frames[0], self.base.n, 2, 0)
            if answer > 0:
                answer = argue(self, 0, k, &step)
        try:
            if self.stop == Stop.OUT_OF_STEPS:
                raise OverflowError("more steps are needed")
            if answer < 0:
                if self.stop == Stop.OUT_OF_MEMORY:
                    raise MemoryError(NO_MEMORY)
                if self.pending is None:
                    raise RuntimeError(CONTRADICTION)
                return b"", b""  # `finish` raises instead
            found = bytearray(4 * self.steps)
            levels = memoryview(found).cast("I") if self.steps else None
            for i in range(self.claim_slots):
                if self.claims[i].k:
                    levels[self.claims[i].step] = self.claims[i].k
            return bytes(found), (<char*>self.reasons)[:self.reason_count * sizeof(Reason)]
        finally:
            free(self.claims)
            free(self.reasons)
            self.bytes -= self.claim_slots * sizeof(Claim)
            self.bytes -= self.reason_capacity * sizeof(Reason)
            self.claims = NULL
            self.reasons = NULL
            self.claim_slots = self.reason_capacity = self.reason_count = 0
            self.finish()
