"""What of a walk matters at some nodes t: the layers that the kernel passes.

Let t be given. A hypothesis of weight w with ``t w`` near 0 hardly changes ``e**(-t Z)``, and
hardly any of ``t w e**(-t Z)`` is its own; one with ``t w`` above 40 leaves nothing of either.
Where a hit brings the same hypotheses in whatever order points are passed, they may be passed in
another order. So all stops of the first kind become one stop that brings nothing and is hit
*freely*, and all those of the second kind one stop that is *forbidden*; the others remain. As
weights fall by a factor for each error, few stops remain at strong decays, and not many on large
samples.

Order matters where a walk may still be in its first state, and where all may be drawn already, so
that a hit could be the last. Both are short: these ends are passed as they are.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability.papers.dagan_feldman.additive._floats import Floats, Integers
from pac_stability.papers.dagan_feldman.additive._paths import Paths, count_steps, paths, windows
from pac_stability.papers.dagan_feldman.additive.walks import Brought, Route

FREELY = 1 - 2.0**-52
"""A lower bound on the product of the factors of all free stops that are hit."""

_FORBIDDEN = 40.0
"""What ``t w`` leaves nothing: ``e**-40`` is below the smallest slack."""

_WORTH = 1 << 15
"""Walks of fewer steps are passed as they are."""

_GAIN = 2
"""By what factor there must be fewer steps for other layers to be passed."""

_HELD = 1 << 16
"""So many values of the state, at 32 bytes each, are held at once for all stops."""

_RULES = ("hit", "last", "first", "only", "missed")


class Passed(NamedTuple):
    """Layers as the kernel takes them.

    Attributes
    ----------
    copies
        How many examples lie at each stop, shape (stops,).
    windows
        Of both states: shape (4, stops + 1).
    paths
        The probabilities of steps between them.
    chain
        After how many stops the first state is left at the latest.
    slots, brought
        Levels, and indices, of the hypotheses that each rule brings, one of each at a time: shape
        (k, rules, stops).
    """

    copies: Integers
    windows: npt.NDArray[np.int32]
    paths: Paths
    chain: int
    slots: Integers
    brought: Integers

    @property
    def block(self) -> int:
        """Before every so many stops the kernel keeps what it needs to go on from there.

        All of them, where that is little; else about as many as there are blocks.
        """
        stops = len(self.copies)
        held = int((self.windows[1] - self.windows[0] + 1).sum())
        return stops if held <= _HELD else math.isqrt(stops) + 1

    def roundings(self, together: int) -> int:
        """Count the roundings of a product along a path, and of the sums over paths.

        Parameters
        ----------
        together
            How many hypotheses are brought at once.

        Notes
        -----
        A pass forwards and one backwards meet at a stop. At each stop a value is a sum of at most
        ``copies + 2`` numbers, each multiplied at most four times; what hypotheses are brought
        together is multiplied too. Then follows a sum over a window.
        """
        reached = np.minimum(self.copies, self.windows[1].max())
        window = int((self.windows[1] - self.windows[0]).max()) + 1
        return (
            self.paths.roundings
            + int(reached.sum())
            + len(self.copies) * (6 + together)
            + 2 * window
        )


class Layers:
    """All layers of a walk, and which of them matter at some nodes.

    Parameters
    ----------
    route
        In what order points are passed.
    hypotheses
        How many can be collected.
    level_of
        The level of the weight of each, and of none.
    subset_size
        n'.
    """

    def __init__(self, route: Route, hypotheses: int, level_of: Integers, subset_size: int) -> None:
        self._route = route
        self._subset_size = subset_size
        self._nothing = hypotheses
        self._levels = int(level_of[-1])
        self._others = route.always or route.beyond
        self._copies = np.array([stop.copies for stop in route.stops], dtype=np.int64)
        brought = [[getattr(stop, rule) for stop in route.stops] for rule in _RULES]
        self._brought = _padded(brought, hypotheses)
        self.slots = level_of[self._brought]
        self._windows = self._all_windows(self._copies, len(self._copies) + 1)
        low, high, first_low, first_high = self._windows
        self.work = count_steps(self._copies, low, high)
        self._begin = int(np.argmax(np.append(first_low > first_high, True)))
        self._end = len(self._copies)
        if not np.array_equal(self.slots[:, 0], self.slots[:, 1]):
            self._end = int(np.argmax(high == subset_size)) - 1
        used = np.bincount(self._brought.ravel(), minlength=hypotheses + 1)
        self.most_slots = int(used[:-1].max(initial=0))

    def _all_windows(self, copies: Integers, begin: int) -> tuple[Integers, ...]:
        """Return the windows of both states; those of the first are empty where it cannot be.

        Parameters
        ----------
        copies
            How many examples lie at each stop.
        begin
            After how many stops it is certain not to be.
        """
        low, high = windows(copies, self._subset_size)
        stops = np.arange(len(low))
        route = self._route
        if route.leaves_on is None:
            return low, high, np.ones_like(low), np.zeros_like(low)
        first_low = stops if route.leaves_on == "miss" else np.zeros_like(low)
        first_high = high if route.leaves_on == "miss" else np.zeros_like(low)
        first_low = np.maximum(first_low, low)
        gone = (stops > route.chain) | (stops >= begin) | (first_low > first_high)
        gone = np.logical_or.accumulate(gone)
        return low, high, np.where(gone, 1, first_low), np.where(gone, 0, first_high)

    @cached_property
    def _whole(self) -> Passed:
        return Passed(
            self._copies,
            np.stack(self._windows).astype(np.int32),
            paths(self._copies, self._subset_size),
            self._route.chain,
            self.slots,
            self._brought,
        )

    def at(self, smallest: Floats, largest: Floats) -> Passed | None:
        """Return the layers that matter at some nodes t; None if nothing does, nor at larger t.

        Parameters
        ----------
        smallest, largest
            For each level of weights w, bounds on all ``t w``, from below and above.

        Notes
        -----
        A path hits at most n' stops. Where none brings more than ``2**-54 / n'`` in all, the
        product of their factors is at least :data:`FREELY`. What forbidden stops would have added
        is left out. Both make sums smaller.
        """
        begin, end = self._begin, self._end
        if self.work < _WORTH or end - begin < 3:
            return self._whole
        most = np.append(largest, 0.0)[self.slots[:, 0, begin:end]].sum(axis=0)
        least = np.append(smallest, 0.0)[self.slots[:, 0, begin:end]].max(axis=0)
        free = most * self._subset_size <= 2.0**-54
        forbidden = least >= _FORBIDDEN
        remain = begin + np.flatnonzero(~(free | forbidden))
        stops = [np.arange(begin), remain, np.arange(end, len(self._copies))]
        between = self._copies[begin:end]
        lumps = between[forbidden].sum(), between[free].sum()
        parts = [self._copies[chosen] for chosen in stops]
        # An empty lump is no stop.
        kept = [np.array([lump][: int(lump > 0)], dtype=np.int64) for lump in lumps]
        copies = np.concatenate((parts[0], kept[0], parts[1], kept[1], parts[2]))
        found = self._all_windows(copies, begin)
        low, high = found[:2]
        if forbidden.any() and low[begin + 1] > high[begin]:
            return None  # hardly any path misses all that are forbidden
        if not (
            self._others or parts[0].size or parts[1].size or parts[2].size or most[free].any()
        ):
            return None
        if _GAIN * count_steps(copies, low, high) > self.work:
            return self._whole
        levels = self._levels
        lumped = [[levels + 2] * len(kept[0]), [levels + 1] * len(kept[1])]
        unnamed = [[self._nothing] * len(lump) for lump in kept]
        return Passed(
            copies,
            np.stack(found).astype(np.int32),
            paths(copies, self._subset_size),
            min(self._route.chain, len(copies)),
            _with_lumps(self.slots, stops, levels, lumped),
            _with_lumps(self._brought, stops, self._nothing, unnamed),
        )


def _with_lumps(
    table: Integers, stops: list[Integers], nothing: int, lumps: list[list[int]]
) -> Integers:
    """Return some columns, and those of the lumps, where the first of k stands for all."""
    parts = []
    for chosen, lump in zip(stops, [*lumps, []], strict=True):
        column = np.full((len(table), len(_RULES), len(lump)), nothing, dtype=np.int64)
        column[0, :-1] = lump
        parts += [table[:, :, chosen], column]
    return np.concatenate(parts, axis=2)


def _padded(brought: list[list[Brought]], nothing: int) -> Integers:
    """Return what the slots bring, one hypothesis of each at a time: shape (k, rules, stops)."""
    most = max((len(own) for row in brought for own in row), default=0)
    table = np.full((max(most, 1), len(brought), len(brought[0])), nothing, dtype=np.int64)
    for rule, row in enumerate(brought):
        for stop, own in enumerate(row):
            table[: len(own), rule, stop] = own
    return table
