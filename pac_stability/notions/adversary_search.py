"""For each output, the test that fails most: all tests are tried, some at a time, exactly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_AT_ONCE = 1 << 20
"""Weights that are looked at together, about."""


class AdversarySearch:
    """For each output, the test that fails most, and the sum of the weights on which it fails.

    Test number t contains element i when bit i of t is set. Sample s has ``counts[i, s]`` of
    element i, and fails test t when it has fewer than ``low[t]`` elements of the test or more than
    ``high[t]``. Output y has the weights ``begins[y]`` to ``begins[y + 1]``, at least one, each for
    the sample that ``samples`` names; weight j is the sum of ``digits[p, j]`` times 2**(32 p).
    """

    def __init__(
        self,
        counts: npt.NDArray[np.int32],
        low: npt.NDArray[np.int32],
        high: npt.NDArray[np.int32],
        begins: npt.NDArray[np.int64],
        samples: npt.NDArray[np.uint32],
        digits: npt.NDArray[np.uint32],
    ) -> None:
        self._counts, self._low, self._high = counts, low, high
        self._begins, self._samples, self._digits = begins[:-1], samples.astype(np.intp), digits
        self._tests = np.zeros(len(self._begins), dtype=np.int64)
        self._sums = np.zeros((len(self._begins), len(digits)), dtype=np.uint64)
        step = max(1, _AT_ONCE // max(1, len(samples)))
        for first in range(0, len(low), step):
            for test, sums in enumerate(self._of(first, min(first + step, len(low))), first):
                more = np.zeros(len(sums), dtype=bool)
                for one, best in zip(
                    sums.T, self._sums.T, strict=True
                ):  # the highest digit decides
                    more = (one > best) | (more & (one == best))
                self._tests[more], self._sums[more] = test, sums[more]

    @property
    def found(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """For each output the first of its best tests, and the digits of the sum for it."""
        return self._tests.copy(), self._sums.copy()

    def scores(self, test: int) -> npt.NDArray[np.uint64]:
        """Return for each output the digits of the sum of the weights that fail a test."""
        return np.asarray(self._of(test, test + 1)[0])

    def _of(self, first: int, last: int) -> npt.NDArray[np.uint64]:
        """Return such digits for some tests, shape (tests, outputs, places)."""
        tests = np.arange(first, last)
        chosen = (tests[:, None] >> np.arange(len(self._counts)) & 1).astype(np.int32)
        hits = chosen @ self._counts
        fails = (hits < self._low[first:last, None]) | (hits > self._high[first:last, None])
        outputs, samples = len(self._begins), hits.shape[1]
        everywhere = len(self._samples) == outputs * samples and samples < 1 << 20
        failed = fails.astype(np.float64) if everywhere else fails[:, self._samples]
        sums = np.empty((last - first, outputs, len(self._digits)), dtype=np.uint64)
        carry = np.zeros(sums.shape[:2], dtype=np.uint64)
        for place, digit in enumerate(self._digits):
            if everywhere:  # floats hold sums of a million digits exactly
                total = (failed @ digit.astype(np.float64).reshape(outputs, -1).T).astype(np.uint64)
            else:  # no sum of 2**32 digits overflows
                total = np.add.reduceat(failed * digit.astype(np.uint64), self._begins, axis=1)
            total += carry
            carry = total >> np.uint64(32)
            sums[:, :, place] = total & np.uint64(0xFFFFFFFF)
        sums[:, :, -1] = total
        return sums
