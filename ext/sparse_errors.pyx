"""How often sums of few signed features, against cuts, disagree with labels.  See README.md."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset

from pac_stability._core.entry cimport all_below_32, zero_one

import numpy as np


cdef enum:
    MOST_SUMS = 1 << 24


cdef int check(
    const uint32_t[:, ::1] codes, const uint8_t[::1] labels, int64_t largest,
    const int32_t[:, ::1] choices, const int32_t[::1] cuts,
) except -1:
    cdef int64_t i, j, k = choices.shape[1], p = codes.shape[0], n = codes.shape[1]
    if not 1 <= k <= 8:
        raise ValueError("choices: want 1 to 8 features in each")
    if not 1 <= largest < MOST_SUMS or largest * k >= MOST_SUMS:
        raise ValueError(f"largest: want a number from 1, such that sums are below {MOST_SUMS}")
    if labels.shape[0] != n or n >= <int64_t> 1 << 31:
        raise ValueError("labels: want one for each of fewer than 2**31 examples")
    if n and not zero_one(&labels[0], n):
        raise ValueError("labels: want 0 or 1")
    if p and n and not all_below_32(&codes[0, 0], p * n, <uint32_t> (largest + 1)):
        raise ValueError("codes: want numbers from 0 to the largest")
    for i in range(choices.shape[0]):
        for j in range(k):
            if not 0 <= choices[i, j] < p:
                raise ValueError("choices: want numbers of features")
    for i in range(cuts.shape[0]):
        if not 1 <= cuts[i] <= largest * k or (i and cuts[i - 1] >= cuts[i]):
            raise ValueError("cuts: want increasing numbers from 1 to the largest sum")
    return 0


def sparse_errors(
    const uint32_t[:, ::1] codes not None, const uint8_t[::1] labels not None, int64_t largest,
    const int32_t[:, ::1] choices not None, const int32_t[::1] cuts not None,
):
    """Return the errors of all signs, orientations and cuts of some choices of features.

    Codes have one row a feature.  A sum takes the code x of a feature with the sign +, and
    ``largest - x`` of one with the sign -.  Bit j - 1 of the number of a sign pattern says that
    feature j of the choice has the sign -; the first one has +.  The result has the indices choice,
    sign pattern, orientation (0: label 1 from the cut on; 1: label 1 below it) and cut.

    Raises
    ------
    ValueError
        The arrays do not fit each other, or an index or a number is out of range.
    """
    check(codes, labels, largest, choices, cuts)
    cdef int64_t n = codes.shape[1], k = choices.shape[1], count = cuts.shape[0]
    cdef int64_t patterns = <int64_t> 1 << (k - 1)
    cdef int64_t c, s, i, j, t, above, ones = 0, sums = k * largest + 1
    cdef int32_t offset
    found = np.empty((choices.shape[0], patterns, 2, count), dtype=np.int64)
    cdef int64_t[:, :, :, ::1] errors = found
    # Which cuts a sum reaches; how many more zeros than ones reach just these; 1 - 2 label.
    cdef int32_t[::1] reached = np.zeros(sums, dtype=np.int32)
    cdef int64_t[::1] surplus = np.zeros(count + 1, dtype=np.int64)
    cdef int32_t[::1] signs = np.zeros(n + 1, dtype=np.int32)
    cdef int32_t[::1] totals = np.zeros(n + 1, dtype=np.int32)
    cdef const uint32_t* column
    cdef int32_t* total = &totals[0]
    with nogil:
        t = 0
        for i in range(sums):
            while t < count and cuts[t] <= i:
                t += 1
            reached[i] = <int32_t> t
        for i in range(n):
            signs[i] = 1 - 2 * <int32_t> labels[i]
            ones += labels[i]
        for c in range(choices.shape[0] if n else 0):
            for s in range(patterns):
                offset = 0
                for j in range(k):
                    column = &codes[choices[c, j], 0]
                    if j and s >> (j - 1) & 1:
                        offset += <int32_t> largest
                        for i in range(n):
                            total[i] = (total[i] if j else 0) - <int32_t> column[i]
                    else:
                        for i in range(n):
                            total[i] = (total[i] if j else 0) + <int32_t> column[i]
                memset(&surplus[0], 0, (count + 1) * sizeof(int64_t))
                for i in range(n):
                    surplus[reached[total[i] + offset]] += signs[i]
                above = 0
                for t in range(count - 1, -1, -1):
                    above += surplus[t + 1]
                    errors[c, s, 0, t] = ones + above
                    errors[c, s, 1, t] = n - ones - above
    if n == 0:
        found[:] = 0
    return found
