"""Random subsets along a walk: their steps, and the stops that matter.

**Doubles that are proved to lie on one side.** Only additions, subtractions, multiplications and
divisions of doubles are used, whose relative error is at most ``2**-52`` whatever the rounding
mode, and the exact operations floor and scaling by a power of two. It never uses the mathematical
library of the machine.

**Steps.** Of n examples n' are drawn without replacement. Before a stop, s of them lie behind it: a
hypergeometric number, which is near its mean but for events of negligible probability. It drops
paths that leave a window around it, which lowers sums only by their probability.

**Layers.** Let t be given. A hypothesis of weight w with ``t w`` near 0 hardly changes
``e**(-t Z)``, and hardly any of ``t w e**(-t Z)`` is its own; one with ``t w`` above 40 leaves
nothing of either. Where a hit brings the same hypotheses in whatever order points are passed, they
may be passed in another order. So all stops of the first kind become one stop that brings nothing
and is hit *freely*, and all those of the second kind one stop that is *forbidden*; the others
remain. As weights fall by a factor for each error, few stops remain at strong decays, and not many
on large samples. Order matters where a walk may still be in its first state, and where all may be
drawn already, so that a hit could be the last. Both are short: these ends are passed as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import repeat
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.additive_walks import Brought, Route

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

_BITS = 128
_VANISHES = 700
_PARTS = 64


class Scaled(NamedTuple):
    """Positive numbers ``mantissa * 2**exponent``, of any size.

    The number lies between this and ``1 + 2**-51`` times this.
    """

    mantissas: Floats
    exponents: Integers

    def take(self, indices: Integers) -> Scaled:
        """Return some of the numbers."""
        return Scaled(self.mantissas[indices], self.exponents[indices])

    def products(self, other: Scaled) -> tuple[Floats, Floats]:
        """Return lower and upper bounds on all products, of shape ``(len(self), len(other))``.

        Products that no double can hold are bounded by ones that it can: lower bounds by 0 and
        ``2**60``, upper bounds by ``2**-1000`` from below and by infinity.
        """
        mantissas = self.mantissas[:, None] * other.mantissas
        exponents = self.exponents[:, None] + other.exponents
        held = np.ldexp(mantissas, np.clip(exponents, -1000, 60).astype(np.int32))
        lower = np.where(exponents < -1000, 0.0, held * (1 - 2**-50))
        upper = np.where(exponents > 60, math.inf, held * (1 + 2**-48))
        return lower, upper


def scaled_powers(base: Fraction, count: int, start: Fraction = Fraction(1)) -> Scaled:
    """Return ``start * base**k`` for k from 0 to ``count - 1``; both numbers are positive."""
    factor, shift = _leading_bits(base)
    return _running_products(*_leading_bits(start), repeat(factor, count), shift)


@lru_cache(maxsize=4)  # asked for again and again at the size of a sample
def scaled_factorials(count: int) -> Scaled:
    """Return the factorials of the numbers below ``count``."""
    return _running_products(1, 0, range(1, count + 1), 0)


def _leading_bits(number: Fraction) -> tuple[int, int]:
    """Return the first bits of a number, and by how many places they are shifted up."""
    shift = _BITS + number.denominator.bit_length() - number.numerator.bit_length()
    return math.floor(number * Fraction(2) ** shift), shift


def _running_products(value: int, shift: int, factors: Iterable[int], step: int) -> Scaled:
    """Return ``value``, then each product with one more factor; ``step`` shifts at a time."""
    heads = []
    shifts = []
    for factor in factors:
        # Rounded down by less than 2**-126: far less than 2**-53 in a million steps.
        excess = max(value.bit_length() - _BITS, 0)
        value >>= excess
        shift -= excess
        places = value.bit_length() - 53
        heads.append(value >> places if places >= 0 else value << -places)
        shifts.append(shift - places)
        value *= factor
        shift += step
    return Scaled(np.ldexp(np.array(heads, dtype=np.float64), -53), 53 - np.array(shifts))


def float_below(number: Fraction) -> float:
    """Return the largest double that is not above a number."""
    nearest = float(number)
    return nearest if Fraction(nearest) <= number else math.nextafter(nearest, -math.inf)


@cache
def _exponential_tables() -> tuple[Floats, Floats]:
    """Return ``e**-k`` for integers and for multiples of ``1 / _PARTS``, rounded down."""
    whole = scaled_powers(Interval.exp(-1, 2 * _BITS).lower, _VANISHES + 1)
    parts = scaled_powers(Interval.exp(Fraction(-1, _PARTS), 2 * _BITS).lower, _PARTS)
    return np.ldexp(*whole), np.ldexp(*parts)


def exponentials_below(x: Floats) -> Floats:
    """Return lower bounds for ``e**-x``, entry by entry, for non-negative x.

    Notes
    -----
    x is split exactly into an integer, a multiple of 1/64 and a rest r below 1/64. The factors of
    the first two are tabulated, rounded down; that of r is bounded from below by the Taylor
    polynomial of degree 7, which is too small by less than ``r**8 / 8! < 2**-63``. Horner's scheme
    ``1 - r (1 - r/2 (1 - r/3 ...))`` has partial results between 63/64 and 1, and each error is
    divided by 64 before it is passed on: all in all less than ``2 * 2**-52``. With the two
    products, the result is at most ``1 + 5 * 2**-52`` times too large before it is scaled down. It
    is too small by a factor of ``1 - 2**-48`` at most, and 0 beyond 700.
    """
    whole, parts = _exponential_tables()
    inside = np.minimum(x, float(_VANISHES))
    step = np.floor(inside * _PARTS)
    rest = inside - step / _PARTS
    polynomial = 1 - rest / 7
    for k in range(6, 0, -1):
        polynomial = 1 - rest / k * polynomial
    index = step.astype(np.int64)
    value = whole[index // _PARTS] * parts[index % _PARTS] * polynomial * (1 - 2**-49)
    return np.where(x > _VANISHES, 0.0, value)


# How many examples a random subset has drawn so far, as it passes the stops of a walk

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
        wanted = f"a problem with at most {MAX_STEPS} steps"
        raise InvalidInput("subset_size", f"{need} of {n} examples on {len(copies)} points", wanted)
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


# What of a walk matters at some nodes t: the layers that the kernel passes

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
    """Layers in the form of the kernel.

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
        """The kernel keeps its state at every so many stops, from which it can continue.

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
    """All layers of a walk, and those that matter at some nodes.

    Parameters
    ----------
    route
        The order of the points.
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
        product of their factors is at least :data:`FREELY`. It omits the contribution of forbidden
        stops. Both make sums smaller.
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
