# For cimport: the state of the standard optimal algorithm.

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from pac_stability._core.littlestone cimport LittlestoneSolver, Matrix


cdef class OptimalPredictor:
    cdef readonly LittlestoneSolver solver
    cdef readonly int tie
    cdef readonly long long mistakes
    cdef readonly bint realizable
    cdef Matrix space         # all columns of the class on the rows below
    cdef Matrix spare
    cdef uint32_t* rows       # original row of every row of `space`
    cdef uint64_t* alive      # version space, as rows of `space`
    cdef uint32_t size        # hypotheses in it
    cdef int known_dimension  # its Ldim, -1 when not yet asked
    cdef int8_t* patched      # labels fixed by Definition 8, -1 elsewhere
    cdef int8_t* cached       # predictions of the current version space, -1 when not yet asked
    cdef void* block
    cdef size_t bytes

    # For other kernels, between `begin` and `answered` of the solver (see littlestone.pxd), and
    # like all of that **unchecked**: x must be below space.m, y be 0 or 1.
    # `foresee` is the prediction at point x, `see` takes the example (x, y) in and returns the
    # prediction before it; both return -1 when stopped, with nothing changed.
    cdef int foresee(self, size_t x) noexcept nogil
    cdef int see(self, size_t x, bint y) noexcept nogil

    # Its own.
    cdef int check(self, Py_ssize_t x) except -1
    cdef uint32_t side(self, size_t x, bint label) noexcept nogil
    cdef int side_dimension(self, size_t x, bint label) noexcept nogil
    cdef int decide(self, size_t x) noexcept nogil
    cdef void change_over(self, uint32_t count) noexcept nogil
