"""Tournaments run on streams of examples: the inner loop of the private learner's batches.

`pac_stability.papers.bun_livni_moran.streams` says what is computed, in Python.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

cdef enum:
    FINISHED = 0      # the run has an output: `state`
    FAILED = 1        # the budget does not suffice
    WANTS_WORDS = 2   # the random words are used up
    WANTS_STATE = 3   # (sampled) the moves from `state` are not in the tables
    WANTS_STEP = 4    # the step from `state` by the example `code` is not in the table
    WANTS_MATCH = 5   # two predictors differ: `state` and `other`; choose a point
    UNSETTLED = 6     # the last word fell on a border of a table: decide `cells` exactly
    PAUSED = 7        # so much work was done that signals should be looked at
    WANTS_DATA = 8    # (given) the examples are used up

cdef int64_t UNKNOWN = -1
