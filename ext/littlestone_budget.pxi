# What a search may take: why it stops (work, the clock, signals, callbacks that say how far it is),
# and memory, which is booked before it is taken, and given to matrices.

cdef enum:
    POLL = 1 << 16            # words of work between two looks at the clock

cdef enum Stop:
    RUNNING = 0
    OUT_OF_TIME = 1
    OUT_OF_MEMORY = 2
    OUT_OF_STEPS = 3
    RAISED = 4
    OUT_OF_SHARE = 5          # of the work that a level may take before another has its turn

cdef double SIGNAL_PERIOD = 0.05
cdef double REPORT_PERIOD = 0.1


cdef double seconds() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <double>now.tv_sec + 1e-9 * <double>now.tv_nsec


cdef void start_clock(LittlestoneSolver self, double time_limit) noexcept nogil:
    """Begin a question; a time limit of 0 means none."""
    self.stop = Stop.RUNNING
    self.started = seconds()
    self.deadline = self.started + time_limit if time_limit > 0 else 0.0
    self.next_signal = 0.0
    self.next_report = self.started + REPORT_PERIOD
    self.next_poll = self.work + POLL
    self.share_end = NO_END


cdef int poll(LittlestoneSolver self) noexcept nogil:
    """Look at all of them; 0 to go on, -1 to stop."""
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


cdef bint reserve(LittlestoneSolver self, size_t bytes) noexcept nogil:
    """Book memory; the table gives way, its entries can be computed again."""
    cdef Entry* smaller
    while bytes > self.limit - self.bytes or self.bytes > self.limit:
        if forget_all_rows(self):
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


cdef int shape(LittlestoneSolver self, Matrix* matrix, uint32_t n, uint32_t m) noexcept nogil:
    """Give a matrix its size, and memory if what it has is too small; contents are lost."""
    cdef size_t width = (<size_t>n + 63) // 64, cells = width * m
    cdef size_t scratch = cells if cells > 2 * <size_t>m else 2 * <size_t>m
    cdef size_t bytes = 8 * (cells + scratch + width + m) + 4 * (6 * <size_t>m + 2)
    cdef char* block
    if matrix == &self.frames[0]:
        self.whole = False
    if bytes > matrix.bytes:
        drop(self, matrix)
        bytes += bytes // 4
        if not reserve(self, bytes):
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


cdef void drop(LittlestoneSolver self, Matrix* matrix) noexcept nogil:
    free(matrix.block)
    self.bytes -= matrix.bytes
    matrix.block = NULL
    matrix.bytes = 0


cdef int take_whole(LittlestoneSolver self) noexcept nogil:
    """Have the whole class at frame 0: as it was left, with all that a search knows of it."""
    if not self.whole:
        fill(self.base.mask, self.base.n)
        self.whole = derive(self, &self.base, &self.frames[0], self.base.n, 0) > 0
    return 1 if self.whole else -1
