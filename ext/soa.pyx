"""The standard optimal algorithm (SOA) on a finite class, whole streams at a time.

The version space is a set of rows of `space`, a bit matrix that keeps every column so that a
point is its own index.  Whenever the version space falls to half of its rows the matrix is
compacted, so a step costs what the version space has left, not what the class once had.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cimport cython

from pac_stability._core.bitset cimport popcount
from pac_stability._core.entry cimport all_below, zero_one
from pac_stability._core.littlestone cimport LittlestoneSolver, Matrix


cdef bint equal_on(OptimalPredictor self, size_t x, size_t z) noexcept nogil:
    """Do two points carry the same labels on the version space?"""
    cdef uint32_t w
    cdef uint64_t* word = self.space.words
    for w in range(self.space.width):
        if (word[x] ^ word[z]) & self.alive[w]:
            return False
        word += self.space.m
    return True


cdef uint64_t labels_hash(OptimalPredictor self, size_t x) noexcept nogil:
    cdef uint32_t w
    cdef uint64_t key = 0
    for w in range(self.space.width):
        key ^= self.space.words[<size_t>w * self.space.m + x] & self.alive[w]
        key *= <uint64_t>0x9e3779b97f4a7c15
        key ^= key >> 32
    return key


@cython.final
cdef class OptimalPredictor:
    """State of the standard optimal algorithm: a version space, then patches.

    Parameters
    ----------
    solver
        Answers the questions about dimensions; copies share it and its table.
    tie
        The label predicted when both sides have the same Littlestone dimension.
    parent
        A state of the same solver to copy; by default the state before the first example.

    Raises
    ------
    ValueError
        ``tie`` is not 0 or 1, or ``parent`` has another solver.
    MemoryError
        The memory limit of the solver is too small.
    """

    def __cinit__(
        self, LittlestoneSolver solver not None, int tie, OptimalPredictor parent=None
    ):
        if not 0 <= tie <= 1:
            raise ValueError(f"tie: got {tie}, want 0 or 1")
        if parent is not None and parent.solver is not solver:
            raise ValueError("parent: a state of another solver")
        cdef Matrix* source = &solver.base if parent is None else &parent.space
        cdef uint32_t n = source.n if parent is None else parent.size
        cdef uint32_t m = source.m, w, i, kept = 0
        cdef size_t width = (<size_t>n + 63) // 64
        cdef size_t bytes = 8 * width + 4 * <size_t>n + 2 * <size_t>m + 1
        cdef uint64_t rest
        self.solver = solver
        self.tie = tie
        self.realizable = True
        self.known_dimension = -1
        solver.begin(0.0, None)
        if solver.reserve(bytes):
            self.bytes = bytes
            self.block = malloc(bytes)
        if self.block == NULL:
            solver.finish()
            raise MemoryError("max_memory is too small for a version space")
        self.alive = <uint64_t*>self.block
        self.rows = <uint32_t*>(self.alive + width)
        self.patched = <int8_t*>(self.rows + n)
        self.cached = self.patched + m
        self.size = n
        if parent is None:
            for i in range(n):
                self.rows[i] = i
            memset(source.mask, 0xff, source.width * sizeof(uint64_t))
            if n & 63:
                source.mask[source.width - 1] = (<uint64_t>1 << (n & 63)) - 1
            memset(self.patched, -1, 2 * <size_t>m)
        else:
            self.mistakes = parent.mistakes
            self.realizable = parent.realizable
            self.known_dimension = parent.known_dimension
            memcpy(self.patched, parent.patched, 2 * <size_t>m)
            for w in range(source.width):
                rest = source.mask[w] = parent.alive[w]
                for i in range(64):
                    if (rest >> i) & 1:
                        self.rows[kept] = parent.rows[64 * w + i]
                        kept += 1
        memset(self.alive, 0xff, width * sizeof(uint64_t))
        if n & 63:
            self.alive[width - 1] = (<uint64_t>1 << (n & 63)) - 1
        with nogil:
            solver.derive(source, &self.space, n, 0, 0)
        solver.answered(0)

    def __dealloc__(self):
        if self.solver is not None:
            # Another thread may be at work with the solver; the next question books this.
            self.solver.returned += self.space.bytes + self.spare.bytes + self.bytes
        free(self.space.block)
        free(self.spare.block)
        free(self.block)

    # -- the rule ---------------------------------------------------------------------------

    cdef uint32_t side(self, size_t x, bint label) noexcept nogil:
        """Put V_x^label into the mask of `space`; its size."""
        cdef uint32_t w, count = 0
        cdef uint64_t flip = 0 if label else ~<uint64_t>0
        cdef uint64_t* word = self.space.words + x
        for w in range(self.space.width):
            self.space.mask[w] = self.alive[w] & (word[0] ^ flip)
            count += <uint32_t>popcount(self.space.mask[w])
            word += self.space.m
        return count

    cdef int side_dimension(self, size_t x, bint label) noexcept nogil:
        """Ldim(V_x^label); -1 when empty, -2 when stopped."""
        cdef uint32_t count = self.side(x, label)
        cdef int answer
        if count == 0:
            return -1
        if self.solver.derive(&self.space, &self.solver.frames[0], count, 2, 0) < 0:
            return -2
        answer = self.solver.dimension()
        return -2 if answer < 0 else answer

    cdef int decide(self, size_t x) noexcept nogil:
        """argmax_b Ldim(V_x^b) for a point that splits V or not; -1 when stopped."""
        cdef uint32_t ones = self.side(x, True), count
        cdef bint larger
        cdef int level, answer
        if ones == 0:
            return 0
        if ones == self.size:
            return 1
        larger = 2 * <uint64_t>ones >= self.size
        level = self.side_dimension(x, not larger)
        if level < 0:
            return -1
        # One decision settles it: the larger side wins at `level`, above it if ties go against it.
        if self.tie != larger:
            level += 1
        count = self.side(x, larger)
        if level >= 32 or count >> level == 0:
            return not larger
        answer = self.solver.derive(&self.space, &self.solver.frames[0], count, 2, 0)
        if answer > 0:
            answer = self.solver.at_least(0, level)
        if answer < 0:
            return -1
        return larger if answer else not larger

    cdef int foresee(self, size_t x) noexcept nogil:
        """The prediction at x, remembered until the version space changes; -1 when stopped."""
        if self.patched[x] >= 0:
            return self.patched[x]
        if self.cached[x] < 0:
            self.cached[x] = <int8_t>self.decide(x)
        return self.cached[x]

    cdef int see(self, size_t x, bint y) noexcept nogil:
        """Take the example (x, y) in and return the prediction before it; -1 when stopped.

        A step that is stopped changes nothing.  Once the version space is half of the rows of
        `space` or less, `space` is rebuilt on it.
        """
        cdef uint32_t count
        cdef int before = self.foresee(x)
        if before < 0:
            return -1
        count = self.side(x, y) if self.realizable else 0
        if count == 0:
            # Definition 8: from here on the hypothesis is only patched, point by point.
            self.realizable = False
            self.patched[x] = y
        elif count < self.size:
            if 2 * <uint64_t>count > self.space.n:
                memcpy(self.alive, self.space.mask, self.space.width * sizeof(uint64_t))
            elif self.solver.derive(&self.space, &self.spare, count, 0, 0) < 0:
                return -1
            else:
                self.change_over(count)
            self.size = count
            self.known_dimension = -1
            memset(self.cached, -1, self.space.m)
        self.mistakes += before != y
        return before

    cdef void change_over(self, uint32_t count) noexcept nogil:
        """Make `spare` the space: it holds the `count` rows under the mask of the old one."""
        cdef uint32_t i, kept = 0
        cdef Matrix old = self.space
        for i in range(old.n):
            self.rows[kept] = self.rows[i]
            kept += (old.mask[i >> 6] >> (i & 63)) & 1
        self.space = self.spare
        self.spare = old
        memset(self.alive, 0xff, self.space.width * sizeof(uint64_t))
        if count & 63:
            self.alive[self.space.width - 1] = (<uint64_t>1 << (count & 63)) - 1

    # -- whole problems ---------------------------------------------------------------------

    cdef int check(self, Py_ssize_t x) except -1:
        if not 0 <= x < <Py_ssize_t>self.space.m:
            raise ValueError(f"x: got {x}, want 0 to {<Py_ssize_t>self.space.m - 1}")
        return 0

    def run(
        self,
        const int64_t[::1] points not None,
        const uint8_t[::1] labels not None,
        uint8_t[::1] predictions not None,
    ) -> None:
        """Predict and take in one example after the other; predictions are written.

        An exception leaves the state after the last whole step.

        Raises
        ------
        ValueError
            A point is out of range, a label is not 0 or 1, or the lengths differ; nothing was read.
        """
        cdef Py_ssize_t t
        cdef int label
        if not points.shape[0] == labels.shape[0] == predictions.shape[0]:
            raise ValueError("points, labels and predictions: want the same length")
        if points.shape[0] == 0:
            return
        if not all_below(&points[0], points.shape[0], self.space.m):
            raise ValueError("points: an index out of range")
        if not zero_one(&labels[0], labels.shape[0]):
            raise ValueError("labels: a value that is not 0 or 1")
        self.solver.begin(0.0, None)
        with nogil:
            for t in range(points.shape[0]):
                label = self.see(<size_t>points[t], labels[t])
                if label < 0:
                    break
                predictions[t] = <uint8_t>label
                if self.solver.spend(self.space.width):
                    break
        self.solver.answered(0)

    def predict(self, Py_ssize_t x) -> int:
        """The label that the current hypothesis gives to a point."""
        cdef int label
        self.check(x)
        self.solver.idle()
        label = self.patched[x] if self.patched[x] >= 0 else self.cached[x]
        if label >= 0:
            return label
        self.solver.begin(0.0, None)
        with nogil:
            label = self.foresee(x)
        return self.solver.answered(label)

    def update(self, Py_ssize_t x, bint y) -> None:
        """Take one example in.  An exception means that it was not."""
        self.check(x)
        self.solver.begin(0.0, None)
        with nogil:
            self.see(x, y)
        self.solver.answered(0)

    def hypothesis(self, uint8_t[::1] labels not None) -> None:
        """Write the current hypothesis on all points; equal columns are asked about once."""
        cdef size_t m = self.space.m, x, i, slots = 16
        cdef uint32_t* seen
        cdef int label = 0
        if <size_t>labels.shape[0] != m:
            raise ValueError("labels: want a place for each point")
        while slots < 2 * m:
            slots *= 2
        self.solver.begin(0.0, None)
        seen = <uint32_t*>calloc(slots, sizeof(uint32_t))
        if seen == NULL:
            self.solver.finish()
            raise MemoryError("no memory for the hypothesis")
        with nogil:
            for x in range(m):
                i = labels_hash(self, x) & (slots - 1)
                while seen[i] and not equal_on(self, x, seen[i] - 1):
                    i = (i + 1) & (slots - 1)
                if seen[i] == 0:
                    seen[i] = <uint32_t>(x + 1)
                elif self.cached[x] < 0:
                    self.cached[x] = self.cached[seen[i] - 1]
                label = self.foresee(x)
                if label < 0:
                    break
                labels[x] = <uint8_t>label
        free(seen)
        self.solver.answered(0)

    def dimension(self) -> int:
        """Littlestone dimension of the version space."""
        self.solver.begin(0.0, None)
        if self.known_dimension < 0:
            with nogil:
                memcpy(self.space.mask, self.alive, self.space.width * sizeof(uint64_t))
                if self.size and self.solver.derive(
                    &self.space, &self.solver.frames[0], self.size, 2, 0
                ) > 0:
                    self.known_dimension = self.solver.dimension()
        return self.solver.answered(self.known_dimension)

    def side_dimensions(self, Py_ssize_t x) -> tuple[int, int]:
        """Littlestone dimensions of the hypotheses with label 0 and with label 1 at a point."""
        cdef int zero = -2, one = -2
        self.check(x)
        self.solver.begin(0.0, None)
        with nogil:
            zero = self.side_dimension(x, False)
            if zero > -2:
                one = self.side_dimension(x, True)
        self.solver.answered(0)
        return zero, one

    def version_space(self) -> tuple[int, ...]:
        """Row indices of the hypotheses that agree with the examples so far."""
        cdef uint32_t i
        self.solver.idle()
        return tuple([
            self.rows[i] for i in range(self.space.n) if (self.alive[i >> 6] >> (i & 63)) & 1
        ])
