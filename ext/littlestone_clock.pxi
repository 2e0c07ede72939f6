# Why a search stops: its work, the clock, signals, and callbacks that say how far it is.

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
