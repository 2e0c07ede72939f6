"""Walks of the standard optimal algorithm (SOA) from one version space to the next.

Version spaces have numbers, which Python hands out. A memo holds what Python has taught: for a
version space and a column, which version spaces the two labels lead to, and which label is
predicted. A learner walks along; it stops where something has not been taught, and goes on from
there once it has been. So every question about dimensions is asked once, and from then on an
example costs a look into a table.

`pac_stability.online.soa` says in Python what is computed; README.md has the rest.
"""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from pac_stability._core.entry cimport acquire, all_below_32, release

cdef enum:
    UNKNOWN = -1

cdef struct Step:
    uint64_t key  # 1 + (space << 32 | column); 0 while the slot is free
    int32_t sides[2]  # where the labels lead; no hypothesis is left where that is UNKNOWN
    int32_t label  # what is predicted, or UNKNOWN

cdef object ZERO = 0, ONE = 1  # as they come in examples; others are for Python to judge


cdef inline uint64_t key_of(int32_t space, int64_t column) noexcept nogil:
    return 1 + (<uint64_t>space << 32 | <uint64_t>column)


@cython.final
cdef class SoaMemo:
    """What has been taught of the version spaces of a class with so many ``points``."""

    cdef readonly uint32_t points
    cdef readonly size_t memory  # bytes held
    cdef Step* steps
    cdef size_t slots, used
    cdef int busy

    def __cinit__(self, uint32_t points):
        if not 1 <= points <= <uint32_t>1 << 30:
            raise ValueError("points: want 1 to 2**30")
        self.points = points
        self.grow()

    def __dealloc__(self):
        free(self.steps)

    cdef int claim(self) except -1:
        if not acquire(&self.busy):
            raise RuntimeError("the memo is in use by another thread")
        return 0

    cdef int grow(self) except -1:
        cdef Step* old = self.steps
        cdef size_t before = self.slots, slots = max(2 * before, <size_t>64), i
        cdef Step* steps = <Step*>calloc(slots, sizeof(Step))
        if steps == NULL:
            raise MemoryError("no memory for what is known of version spaces")
        self.steps = steps
        self.slots = slots
        self.memory = slots * sizeof(Step)
        for i in range(before):
            if old[i].key:
                self.place(old[i].key)[0] = old[i]
        free(old)
        return 0

    cdef inline Step* place(self, uint64_t key) noexcept nogil:
        """The slot of a key, or the free one where it would be put."""
        cdef size_t i = (key * <uint64_t>0x9E3779B97F4A7C15) >> 32 & (self.slots - 1)
        while self.steps[i].key and self.steps[i].key != key:
            i = (i + 1) & (self.slots - 1)
        return &self.steps[i]

    cdef int check(self, int64_t column) except -1:
        if not 0 <= column < self.points:
            raise ValueError("column: out of range")
        return 0

    def teach(self, int32_t space, int64_t column, int32_t zero, int32_t one, int label) -> None:
        """Say where both labels lead, -1 for the empty side, and the prediction, -1 for not yet."""
        cdef Step* step
        self.check(column)
        if space < 0 or zero < UNKNOWN or one < UNKNOWN or not UNKNOWN <= label <= 1:
            raise ValueError("space, zero, one or label out of range")
        self.claim()
        try:
            if 2 * self.used >= self.slots:
                self.grow()
            step = self.place(key_of(space, column))
            self.used += step.key == 0
            step.key = key_of(space, column)
            step.sides[0] = zero
            step.sides[1] = one
            step.label = label
        finally:
            release(&self.busy)

    def read(self, list examples not None, dict columns not None, uint32_t[::1] codes not None):
        """Write twice the column plus the label for each pair of a point and 0 or 1; how many.

        It stops at the first that is no such pair: what that is, the caller has to find out.
        """
        cdef Py_ssize_t i = 0
        cdef object pair, label, column
        if codes.shape[0] != len(examples):
            raise ValueError("codes: want a place for each example")
        for pair in examples:
            if type(pair) is not tuple or len(<tuple>pair) != 2:
                break
            label = (<tuple>pair)[1]
            column = columns.get((<tuple>pair)[0])
            if column is None or (label is not ONE and label is not ZERO):
                break
            if i == codes.shape[0]:
                raise ValueError("examples: the list grew while it was read")  # by a point's hash
            codes[i] = 2 * <uint32_t>column + <uint32_t>(label is ONE)
            i += 1
        return i


@cython.final
cdef class SoaWalk:
    """A learner: at a version space, or once none is left, with a predictor that is patched.

    Parameters
    ----------
    memo
        What is known; several learners may share it.
    space
        The number of the version space to begin at.
    """

    cdef readonly SoaMemo memo
    cdef readonly int32_t space  # of the last version space, where none is left
    cdef readonly bint realizable  # whether one is left
    cdef readonly int64_t mistakes
    cdef int8_t* patches  # once none is: labels that differ from the predictor's, else UNKNOWN

    def __cinit__(self, SoaMemo memo not None, int32_t space):
        if space < 0:
            raise ValueError("space: want a number of a version space")
        self.patches = <int8_t*>malloc(memo.points)
        if self.patches == NULL:
            raise MemoryError("no memory for a predictor")
        memset(self.patches, UNKNOWN, memo.points)
        self.memo = memo
        self.space = space
        self.realizable = True

    def __dealloc__(self):
        free(self.patches)

    def copy(self) -> SoaWalk:
        """An independent learner at the same place."""
        cdef SoaWalk twin = SoaWalk(self.memo, self.space)
        self.memo.claim()
        twin.realizable = self.realizable
        twin.mistakes = self.mistakes
        memcpy(twin.patches, self.patches, self.memo.points)
        release(&self.memo.busy)
        return twin

    def patched(self) -> bytes:
        """The labels that examples have overwritten, 255 elsewhere."""
        return (<char*>self.patches)[:self.memo.points]

    def predict(self, int64_t column) -> int:
        """The label that is predicted; -1 where that is not known."""
        cdef int label
        self.memo.check(column)
        self.memo.claim()
        label = self.patches[column]
        if label < 0:
            label = foreseen(self, <uint32_t>column)
        release(&self.memo.busy)
        return label

    def update(self, int64_t column, bint label) -> int:
        """Take in one example; the prediction before it, or -1 where that was not known."""
        cdef uint32_t code
        cdef uint8_t prediction = 0
        self.memo.check(column)
        code = 2 * <uint32_t>column + label
        self.memo.claim()
        column = follow(self, &code, 0, 1, &prediction)
        release(&self.memo.busy)
        return prediction if column else UNKNOWN

    def walk(
        self,
        const uint32_t[::1] codes not None,
        uint8_t[::1] predictions=None,
        Py_ssize_t begin=0,
    ) -> int:
        """Take in the examples from ``begin`` on; up to where something was not known.

        A code is twice the column plus the label. Predictions are written and mistakes counted
        where there is room for them; without it they need not be known.

        Raises
        ------
        ValueError
            A code is out of range, or the lengths differ; nothing was read.
        """
        cdef Py_ssize_t end = codes.shape[0]
        if not 0 <= begin <= end:
            raise ValueError("begin: out of range")
        if predictions is not None and predictions.shape[0] != end:
            raise ValueError("predictions: want a place for each example")
        if begin == end:
            return end
        if not all_below_32(&codes[begin], end - begin, 2 * self.memo.points):
            raise ValueError("codes: a code out of range")
        self.memo.claim()
        with nogil:
            begin = follow(
                self, &codes[0], begin, end, NULL if predictions is None else &predictions[0])
        release(&self.memo.busy)
        return begin


cdef inline int foreseen(SoaWalk self, uint32_t column) noexcept nogil:
    """What is predicted from the version space."""
    cdef Step* step = self.memo.place(key_of(self.space, column))
    return step.label if step.key else UNKNOWN


cdef Py_ssize_t follow(
    SoaWalk self, const uint32_t* codes, Py_ssize_t begin, Py_ssize_t end, uint8_t* predictions
) noexcept nogil:
    cdef Py_ssize_t t
    cdef uint32_t column, label
    cdef int predicted
    cdef Step* step
    for t in range(begin, end):
        column = codes[t] >> 1
        label = codes[t] & 1
        if self.realizable:
            step = self.memo.place(key_of(self.space, column))
            predicted = step.label
            if step.key == 0 or (predicted < 0 and predictions != NULL):
                return t
            if step.sides[label] >= 0:
                self.space = step.sides[label]
            else:
                self.realizable = False
        else:
            predicted = self.patches[column]
            if predicted < 0 and predictions != NULL:
                predicted = foreseen(self, column)
                if predicted < 0:
                    return t
        if not self.realizable:
            self.patches[column] = <int8_t>label
        if predictions != NULL:
            predictions[t] = <uint8_t>predicted
            self.mistakes += predicted != <int>label
    return end
