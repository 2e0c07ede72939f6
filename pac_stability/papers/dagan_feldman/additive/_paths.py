"""How many examples a random subset has drawn so far, as it passes the stops of a walk.

Of n examples n' are drawn without replacement. Before a stop, s of them lie behind it: a
hypergeometric number, which is near its mean but for events of negligible probability. Paths that
leave a window around it are dropped; that makes sums smaller, and only by their probability.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.additive._floats import Floats, Integers, scaled_factorials

MAX_STEPS = 1 << 27
"""How many steps of paths are held at once, at 8 bytes each."""

_AT_ONCE = 1 << 20
"""So many steps are computed side by side."""

_RARE = -42.0
"""Values of s whose probability has a smaller logarithm are outside the window."""


class Paths(NamedTuple):
    """The windows, and the probabilities of the steps between them.

    Attributes
    ----------
    low, high
        Smallest and largest s before each stop and after the last, shape (m + 1,).
    steps
        For each stop and each s of its window, the probabilities of each s after it, in order, for
        those s in the next window that can be reached.
    roundings
        The relative error of any product of steps is at most that many times ``2**-52``.
    """

    low: Integers
    high: Integers
    steps: Floats
    roundings: int


def paths(copies: Integers, subset_size: int) -> Paths:
    """Return the paths of a random subset along stops with these numbers of examples."""
    need = subset_size
    low, high = windows(copies, need)
    n = int(copies.sum())
    behind = np.concatenate(([0], np.cumsum(copies)))
    widths = high[:-1] - low[:-1] + 1
    if count_steps(copies, low, high) > MAX_STEPS:
        raise InvalidInput(
            "subset_size",
            f"{need} of {n} examples on {len(copies)} points",
            f"a problem with at most {MAX_STEPS} steps",
        )
    reached = np.minimum(copies, high[1:] - low[:-1]) + 1
    before = np.concatenate(([0], np.cumsum(reached * widths)))
    steps = np.empty(before[-1])  # what is left over is never touched
    begin = filled = 0
    while begin < len(copies):
        most = int(before[begin]) + _AT_ONCE
        end = max(begin + 1, int(np.searchsorted(before, most, side="right")) - 1)
        part = _steps(copies, need, (low, high), n - behind, np.arange(begin, end))
        steps[filled : filled + len(part)] = part
        begin, filled = end, filled + len(part)
    roundings = int(np.where(copies == 1, 1, 26).sum())
    return Paths(low, high, steps[:filled], roundings)


def _steps(
    copies: Integers,
    need: int,
    window: tuple[Integers, Integers],
    left_at: Integers,
    stops: Integers,
) -> Floats:
    """Return the probabilities of the steps at some stops, from each of which so many are left."""
    low, high = window
    widths = high[stops] - low[stops] + 1
    stop = np.repeat(stops, widths)
    s = _counted(low[stops], widths)
    first = np.maximum(s, low[1:][stop])
    reached = np.maximum(np.minimum(s + copies[stop], high[1:][stop]) - first + 1, 0)
    stop, s = np.repeat(stop, reached), np.repeat(s, reached)
    drawn = _counted(first, reached) - s
    left = left_at[stop]
    single = copies[stop] == 1
    steps: Floats = np.where(drawn == 1, need - s, left - need + s) / left
    if not single.all():
        several = ~single
        steps[several] = _hypergeometric(
            copies[stop[several]], left[several], need - s[several], drawn[several], int(left_at[0])
        )
    return steps


def windows(copies: Integers, subset_size: int) -> tuple[Integers, Integers]:
    """Return the smallest and the largest s before each stop and after the last."""
    behind = np.concatenate(([0], np.cumsum(copies)))
    return _windows(behind, int(copies.sum()), subset_size)


def count_steps(copies: Integers, low: Integers, high: Integers) -> int:
    """Return an upper bound on the number of steps between windows."""
    reached = np.minimum(copies, high[1:] - low[:-1]) + 1
    return int((reached * (high - low + 1)[:-1]).sum())


def _counted(starts: Integers, lengths: Integers) -> Integers:
    """Return ``start, start + 1, ...`` for each start, so many numbers for each."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    counted: Integers = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return counted


def _windows(behind: Integers, n: int, need: int) -> tuple[Integers, Integers]:
    """Return for each number of examples behind which of them are drawn, but for rare events.

    These are plain floats: nothing that is proved depends on them.
    """
    log_factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))

    def log_choose(total: Integers, chosen: Integers) -> Floats:
        logs: Floats = (
            log_factorials[total] - log_factorials[chosen] - log_factorials[total - chosen]
        )
        return logs

    def rare(s: Integers) -> npt.NDArray[np.bool_]:
        log_probability = log_choose(behind, s) + log_choose(n - behind, need - s)
        return log_probability - log_choose(np.array(n), np.array(need)) < _RARE

    least = np.maximum(0, need - (n - behind))
    most = np.minimum(behind, need)
    mode = np.clip((behind + 1) * (need + 1) // (n + 2), least, most)
    # Bisection: probabilities grow up to the mode and fall after it.
    below, low = least - 1, mode
    above, high = most + 1, mode
    while (low - below).max() > 1 or (above - high).max() > 1:
        middle = np.maximum((below + low) // 2, least)
        outside = rare(middle) & (low - below > 1)
        below = np.where(outside, middle, below)
        low = np.where(outside | (low - below <= 1), low, middle)
        middle = np.minimum((high + above + 1) // 2, most)
        outside = rare(middle) & (above - high > 1)
        above = np.where(outside, middle, above)
        high = np.where(outside | (above - high <= 1), high, middle)
    return low, high


def _hypergeometric(
    copies: Integers, left: Integers, need: Integers, drawn: Integers, n: int
) -> Floats:
    """Return the probability that a stop has so many of the ``need`` yet to draw of ``left``.

    None of these numbers exceeds n.

    Notes
    -----
    ``C(copies, drawn) C(left - copies, need - drawn) / C(left, need)``: nine factorials, each with
    a relative error of ``2**-51``, and eight operations.
    """
    factorials = scaled_factorials(n + 1)
    above = [copies, left - copies, need, left - need]
    below = [drawn, copies - drawn, need - drawn, left - copies - need + drawn, left]
    possible = below[3] >= 0
    below[3] = np.maximum(below[3], 0)
    mantissas = np.ones(len(copies))
    exponents = np.zeros(len(copies), dtype=np.int64)
    for numbers in above:
        mantissas *= factorials.mantissas[numbers]
        exponents += factorials.exponents[numbers]
    for numbers in below:
        mantissas /= factorials.mantissas[numbers]
        exponents -= factorials.exponents[numbers]
    values = np.ldexp(mantissas, np.clip(exponents, -2000, 60).astype(np.int32))
    return np.where(possible, values, 0.0)
