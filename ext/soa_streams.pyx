"""Tournaments of the SOA, run on examples that come one by one: the inner loop of algorithm G.

States of the SOA are numbers that Python hands out, and all that is known of them lies in tables
that Python fills.  A run stops wherever something is not known, says what, and goes on from there.
`pac_stability.papers.bun_livni_moran.streams.rules` says in Python what is computed; README.md has
the rest.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from pac_stability._core.entry cimport acquire, release

cdef enum:
    # Why a run returned.
    FINISHED = 0  # `state` is where SOA(S o T) stands
    FAILED = 1  # more examples would be needed than the budget allows
    WORDS = 2  # the random words are used up
    EXAMPLES = 3  # the given examples are used up
    STEP = 4  # unknown: where `code` leads from `state`
    MOVES = 5  # unknown: the chances of `state`
    PREDICTOR = 6  # unknown: the predictor of `asked`
    POINT = 7  # unknown: where predictors `asked` and `other` are told apart
    BORDER = 8  # `word` fell on a border of the cells that begin at `asked`
    SUCCESSOR = 9  # unknown: the number of the successor at `asked`
    PAUSED = 10  # much work was done: a time to look at signals
    BROKEN = 11  # a number leads out of a table; becomes a ValueError

cdef enum:
    # What a run is about to do.
    SAMPLE
    DRAW
    MATCH
    APPEND

cdef enum:
    LEVELS = 64
    PAIRS = 1 << 14  # slots for points where two predictors are told apart
    WORK = 1 << 22

ctypedef fused Code:
    uint8_t
    uint16_t


@cython.final
cdef class SoaStream:
    """One run after the other of tournaments between players who draw `block` examples each.

    Who has won them all draws `fresh` examples more: a block, if nothing else is said.

    The tables belong to the caller, who writes into them and replaces them by `know`.  So whatever
    is read from them is checked where it is used.
    """

    cdef readonly int64_t state, asked, other, code
    cdef readonly uint64_t word
    cdef readonly int64_t read  # examples read of those given, words read of those given
    cdef readonly int64_t used
    cdef readonly int64_t players  # blocks of examples that count against the budget
    cdef int64_t level, top, remaining, budget, block, fresh, settled
    cdef int phase
    cdef bint moving, opens, known, started
    cdef int busy
    cdef int64_t waiting[LEVELS]
    cdef int64_t pair[PAIRS]
    cdef int32_t met[PAIRS]
    # Tables: one row a state.
    cdef const int32_t[:, ::1] steps
    cdef const int32_t[::1] predictors
    cdef const int64_t[:, ::1] chances  # begin and borders of waiting; of moves; their successors
    cdef const uint64_t[::1] first, last
    cdef const int32_t[::1] successors
    # How a first tournament ends: begin and borders of ties; of states; their successors.
    cdef int64_t opening[5]

    def __cinit__(self, int64_t block, int64_t budget, int64_t fresh=-1):
        if not 1 <= block < <int64_t>1 << 62 or budget < 0:
            raise ValueError("a block has an example at least, and a budget is not negative")
        if not -1 <= fresh < <int64_t>1 << 62:
            raise ValueError("the fresh examples are a number, or -1 for a block")
        self.block = block
        self.fresh = block if fresh < 0 else fresh
        self.budget = budget
        self.settled = -1
        memset(self.pair, 0xff, sizeof(self.pair))

    def know(
        self,
        const int32_t[:, ::1] steps not None,
        const int32_t[::1] predictors not None,
        const int64_t[:, ::1] chances not None,
        const uint64_t[::1] first not None,
        const uint64_t[::1] last not None,
        const int32_t[::1] successors not None,
    ) -> None:
        """Look things up in these tables from now on."""
        cdef int level
        cdef int64_t most
        self.rest()
        most = self.state
        for level in range(LEVELS):
            most = max(most, self.waiting[level])
        if (
            most >= steps.shape[0]
            or predictors.shape[0] != steps.shape[0]
            or chances.shape[0] != steps.shape[0]
            or chances.shape[1] != 5
            or last.shape[0] != first.shape[0]
            or steps.shape[0] == 0
            or steps.shape[1] == 0
        ):
            raise ValueError("the tables have other shapes")
        # An array that is let go may run any code when it ends.
        self.claim()
        self.known = True
        self.steps = steps
        self.predictors = predictors
        self.chances = chances
        self.first = first
        self.last = last
        self.successors = successors
        release(&self.busy)

    def open_with(self, const int64_t[::1] opening not None) -> None:
        """Draw the outcome of whole first tournaments."""
        cdef int i
        self.rest()
        if opening.shape[0] != 5:
            raise ValueError("want five numbers")
        for i in range(5):
            self.opening[i] = opening[i]
        self.opens = True

    def start(self, int64_t top) -> None:
        """Begin a run with `top` tournaments, in state 0."""
        self.rest()
        if top < 0 or top >= LEVELS:
            raise ValueError("the number of tournaments is out of range")
        self.top = top
        self.level = 0
        self.state = 0
        self.players = 0
        self.phase = SAMPLE
        self.moving = False
        self.settled = -1
        memset(self.waiting, 0xff, sizeof(self.waiting))
        self.started = True

    def settle(self, int64_t cell) -> None:
        """Answer BORDER: the number fell into this cell."""
        self.rest()
        self.settled = cell

    def meet(self, int64_t one, int64_t other, int32_t place) -> None:
        """Answer POINT: twice the column plus the label there of the first predictor."""
        cdef size_t slot
        self.rest()
        if not (0 <= one < <int64_t>1 << 31 and 0 <= other < <int64_t>1 << 31 and place >= 0):
            raise ValueError("one, other and place: want numbers of 31 bits")
        slot = pair_slot(one, other)
        self.pair[slot] = one << 32 | other
        self.met[slot] = place

    def sampled(self, const uint64_t[::1] words not None) -> int:
        """Go on, drawing examples from the chances; why it stopped."""
        cdef int why
        self.begin()
        with nogil:
            why = run[uint8_t](self, words, NULL, -1)
        return self.end(why)

    def given(self, const uint64_t[::1] words not None, const Code[::1] codes not None) -> int:
        """Go on, reading examples: a code is twice the column plus the label; why it stopped."""
        cdef int why
        self.begin()
        with nogil:
            why = run(self, words, &codes[0] if codes.shape[0] else NULL, codes.shape[0])
        return self.end(why)

    cdef int rest(self) except -1:
        """Refuse to be changed while a thread is at work; what follows holds the GIL throughout."""
        self.claim()
        release(&self.busy)
        return 0

    cdef int claim(self) except -1:
        if not acquire(&self.busy):
            raise RuntimeError("the stream is running in another thread")
        return 0

    cdef int begin(self) except -1:
        self.claim()
        if not (self.known and self.started):
            release(&self.busy)
            raise RuntimeError("the stream has no tables, or has not been started")
        self.used = self.read = 0
        return 0

    cdef int end(self, int why) except -1:
        if why == BROKEN:
            self.started = False
        release(&self.busy)
        if why == BROKEN:
            raise ValueError("a number leads out of a table; the run has to be started again")
        return why


cdef inline size_t pair_slot(int64_t one, int64_t other) noexcept nogil:
    return (<uint64_t>(one << 32 | other) * <uint64_t>0x9E3779B97F4A7C15) >> 50


cdef inline int64_t cell(
    SoaStream self, const uint64_t[::1] words, int64_t begin, int64_t borders, int* why
) noexcept nogil:
    """Draw one of `borders + 1` cells; -1 and the reason when that is not possible now."""
    cdef int64_t low = begin, high = begin + borders, middle
    cdef int64_t known = self.first.shape[0]
    cdef uint64_t word
    if borders == 0:
        return 0
    if not (0 <= begin <= known and 0 < borders <= known - begin and self.settled <= borders):
        why[0] = BROKEN
        return -1
    if self.settled >= 0:
        low = self.settled
        self.settled = -1
        return low
    if self.used == words.shape[0]:
        why[0] = WORDS
        return -1
    word = words[self.used]
    self.used += 1
    while low < high:  # the number of first words that are at most the word
        middle = (low + high) >> 1
        if self.first[middle] <= word:
            low = middle + 1
        else:
            high = middle
    if low > begin and self.last[low - 1] >= word:
        self.word = word
        self.asked = begin
        why[0] = BORDER
        return -1
    return low - begin


cdef inline int follow(
    SoaStream self, int64_t begin, bint by_chance, int64_t drawn
) noexcept nogil:
    """Move to a successor (-1); if it has no number yet, the draw is kept for later."""
    cdef int32_t after
    if not (0 <= begin < self.successors.shape[0] - drawn):
        return BROKEN
    after = self.successors[begin + drawn]
    if after < 0:
        self.asked = begin + drawn
        if by_chance:
            self.settled = drawn
        return SUCCESSOR
    if after >= self.steps.shape[0]:
        return BROKEN
    self.state = after
    self.moving = False
    return -1


cdef inline int sampled_block(SoaStream self, const uint64_t[::1] words) noexcept nogil:
    """Take the rest of a block in, from one change of the state to the next; -1 when done."""
    cdef const int64_t* chance
    cdef int64_t drawn
    cdef int why = -1
    while self.moving or self.remaining:
        chance = &self.chances[self.state, 0]
        if chance[0] < 0:
            return MOVES
        if not self.moving:
            if chance[4] < 0:  # no example changes the state any more
                self.remaining = 0
                break
            drawn = cell(self, words, chance[0], chance[1], &why)
            if drawn < 0:
                return why
            if drawn >= self.remaining:
                self.remaining = 0
                break
            if drawn and drawn == chance[1]:  # "that often at least"
                self.remaining -= drawn
                continue
            self.remaining -= drawn + 1
            self.moving = True
        drawn = cell(self, words, chance[2], chance[3], &why)
        if drawn < 0:
            return why
        why = follow(self, chance[4], chance[3] > 0, drawn)
        if why >= 0:
            return why
    return -1


cdef inline int given_block(SoaStream self, const Code* codes, int64_t length) noexcept nogil:
    """Take the rest of a block in, example by example; -1 when done."""
    cdef const int32_t* steps = &self.steps[0, 0]
    cdef int64_t width = self.steps.shape[1], state = self.state, at = self.read, after, code
    cdef uint64_t rows = self.steps.shape[0]
    cdef int64_t end = at + self.remaining
    cdef int why = -1
    if end > at + WORK:
        end = at + WORK
        why = PAUSED
    if end > length:
        end = length
        why = EXAMPLES
    while at < end:
        code = codes[at]
        if code >= width:
            why = BROKEN
            break
        after = steps[state * width + code]
        if <uint64_t>after >= rows:
            self.code = code
            why = STEP if after < 0 else BROKEN
            break
        state = after
        at += 1
    self.remaining -= at - self.read
    self.read = at
    self.state = state
    return why


cdef inline int first_tournament(SoaStream self, const uint64_t[::1] words) noexcept nogil:
    """Draw how many ties there are, then the state after the first match that is decided."""
    cdef int64_t drawn
    cdef int why = -1
    if self.opening[0] < 0:  # every match is a tie
        return FAILED
    while not self.moving:
        drawn = cell(self, words, self.opening[0], self.opening[1], &why)
        if drawn < 0:
            return why
        self.moving = drawn < self.opening[1] or drawn == 0
        self.players += 2 * (drawn + self.moving)
        if self.players > self.budget:
            return FAILED
    drawn = cell(self, words, self.opening[2], self.opening[3], &why)
    if drawn < 0:
        return why
    return follow(self, self.opening[4], self.opening[3] > 0, drawn)


cdef inline int match(SoaStream self, const uint64_t[::1] words) noexcept nogil:
    """Let the player in `state` meet the one who waits; -1 when a sample has come of it or not."""
    cdef int64_t rival = self.waiting[self.level], one, other
    cdef size_t slot
    cdef int32_t place
    cdef uint64_t label
    one = self.predictors[rival]
    other = self.predictors[self.state]
    if one < 0 or other < 0:
        self.asked = rival if one < 0 else self.state
        return PREDICTOR
    if one == other:
        self.waiting[self.level] = -1
        self.level = 0
        self.state = 0
        self.phase = SAMPLE
        return -1
    slot = pair_slot(one, other)
    if self.pair[slot] != (one << 32 | other):
        self.asked = one
        self.other = other
        return POINT
    if self.used == words.shape[0]:
        return WORDS
    label = words[self.used] & 1
    self.used += 1
    place = self.met[slot]
    if (<uint64_t>place & 1) != label:
        self.state = rival
    self.code = (place & ~1) | <int64_t>label
    self.waiting[self.level] = -1
    self.phase = APPEND
    return -1


cdef int run(
    SoaStream self, const uint64_t[::1] words, const Code* codes, int64_t length
) noexcept nogil:
    """Go on until there is something to say."""
    cdef int64_t work = 0, after
    cdef int why
    while work < WORK:
        if self.phase == SAMPLE:  # `state` is that of a sample which has won `level` tournaments
            if self.opens and self.level == 0 and self.top > 0:
                why = first_tournament(self, words)
                if why >= 0:
                    return why
                self.level = 1
            if self.level < self.top:
                if self.players == self.budget:
                    return FAILED
                self.players += 1
                self.remaining = self.block
            else:
                self.remaining = self.fresh
            self.phase = DRAW
        elif self.phase == DRAW:
            if length < 0:
                work += 16
                why = sampled_block(self, words)
            else:
                work += self.block
                why = given_block(self, codes, length)
            if why >= 0:
                return why
            if self.level == self.top:
                return FINISHED
            if self.waiting[self.level] < 0:
                self.waiting[self.level] = self.state
                self.level = 0
                self.state = 0
                self.phase = SAMPLE
            else:
                self.phase = MATCH
        elif self.phase == MATCH:
            why = match(self, words)
            if why >= 0:
                return why
        else:
            if self.code >= self.steps.shape[1]:
                return BROKEN
            after = self.steps[self.state, self.code]
            if after < 0:
                return STEP
            if after >= self.steps.shape[0]:
                return BROKEN
            self.state = after
            self.level += 1
            self.phase = SAMPLE
        work += 1
    return PAUSED
