# Which level is asked next: bounds that close from both sides.
#
# From below, Ldim >= lower + 1 is asked until it is known.  From above, lower + 2 is asked, then
# the levels between it and the upper bound are halved: those that the work of one round does not
# refute are left for the next round, which has twice as much.  When lower + 2 looks like being
# refuted long before lower + 1, by how many of the root's questions either has settled, it has most
# of the time.  What a level that was left has learnt is in the table, so that it goes on where it
# was but for the way there.

cdef enum:
    ALONE = 1 << 28           # words of work from below before the first from above
    SLICE = 1 << 24           # words of work for each level from above, in the first round
    FAR = 3                   # bounds so far apart share the work evenly,
    SELDOM = 4                # others so many times halved

cdef uint64_t NO_END = ~<uint64_t>0


cdef bint undecided(LittlestoneSolver self, int aim) noexcept nogil:
    return self.lower < aim <= self.upper if aim else self.lower < self.upper


cdef int ask(LittlestoneSolver self, int k, uint64_t share) noexcept nogil:
    """Is Ldim >= k, for the class at frame 0?  Takes the answer over; -1 when stopped."""
    cdef int answer
    self.share_end = NO_END if share > NO_END - self.work else self.work + share
    if self.share_end < self.next_poll:
        self.next_poll = self.share_end
    answer = at_least(self, 0, k)
    self.share_end = NO_END
    if answer > 0:
        self.lower = k
    elif answer == 0:
        self.upper = k - 1
    return answer


cdef bint due_above(LittlestoneSolver self) noexcept nogil:
    """Whether it is the turn of a level above lower + 1."""
    cdef int apart = self.upper - self.lower
    if apart < 2 or self.no_room_above or self.climbed < self.alone:
        return False
    return self.descended < (self.climbed if apart >= FAR else self.climbed >> SELDOM)


cdef int ask_below(LittlestoneSolver self) noexcept nogil:
    cdef uint64_t before = self.work
    cdef bint alone = self.upper - self.lower < 2 or self.no_room_above
    cdef uint64_t share = self.climbed if self.climbed > self.alone else self.alone
    cdef int answer
    answer = ask(self, self.lower + 1, NO_END if alone else share)
    self.climbed += self.work - before
    if self.stop == Stop.OUT_OF_SHARE:
        self.stop = Stop.RUNNING
        return 0
    return answer


cdef int ask_above(LittlestoneSolver self) noexcept nogil:
    cdef uint64_t before = self.work, share = self.slice << self.round
    cdef int answer, k
    if self.hardest <= self.lower:
        self.hardest = self.lower
    if self.hardest >= self.upper:
        self.hardest = self.lower
        self.round += 1
    k = (self.hardest + self.upper + 1) // 2
    if self.hardest == self.lower:
        k = self.lower + 2
    answer = ask(self, k, share)
    self.descended += self.work - before
    if self.stop == Stop.OUT_OF_SHARE or self.stop == Stop.OUT_OF_MEMORY:
        self.no_room_above = self.stop == Stop.OUT_OF_MEMORY
        self.stop = Stop.RUNNING
        self.hardest = k
        return 0
    return answer

