"""Exact draws of permute-and-flip: errors are looked at once, coins are refined when asked."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size
from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.exponential_draws import enclosed_powers
from pac_stability.mechanisms.lazy_coins import LazyCoin, below_each, toss_all, words
from pac_stability.mechanisms.weights import Scores, as_counts, distinct_errors
from pac_stability.randomness import SYSTEM_COINS, Coins

_FEW = 4
"""So many draws are made one question after the other, which a tape can follow."""

_TURNS = 8
"""Where one of so many candidates is taken, turns are quicker than a search for those."""

_SHORT = 1 << 12
"""Probabilities of so many bits are written out."""

_GUARD = 32
"""Bits of powers beyond those of what is made of them."""

_UNIT = 31
"""A probability is a number of units of ``2**-31``, so that products with half a word fit one."""

_LEAST = 8
"""A block ends where nobody is taken with less than a probability of ``2**-8``."""

_BATCH = 1 << 12
"""Draws that are made side by side."""

Indices = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]


class PreparedTurns:
    """A list of candidates, of which permute-and-flip takes one, over and over.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.

    Raises
    ------
    InvalidInput
        The errors are no integers below 2**63 in size, there are none, or the decay is out of
        range.

    Notes
    -----
    Every candidate has a coin of its own; whoever has the first turn among those whose coins say
    yes is taken. So a draw is a uniform choice among these, and turns need not be drawn: the best
    always say yes, and from one to the next of the others who does, candidates are leapt over by a
    single uniform number, compared with certified bounds on the probability that nobody in between
    says yes. Where many say yes, turns are drawn instead. Numbers that 32 bits leave undecided are
    read on, so that rounding never affects an answer.

    O(N log N) once, then O(min(S log N, N/S)) words for a draw of a batch, S of N candidates being
    expected to say yes: at most about ``sqrt(N)``. A single draw has O(N/S) turns.

    Examples
    --------
    >>> turns = PreparedTurns([3, 5, 4, 3], Fraction(1, 2))
    >>> turns.draw() in range(4), turns.draws(5).shape
    (True, (5,))
    """

    def __init__(self, errors: Scores, decay: Fraction) -> None:
        counts = as_counts(errors)
        self._decay = as_decay(decay)
        values, multiplicities = distinct_errors(counts)
        self._level: Indices = np.searchsorted(values, counts)
        self._excesses: list[int] = [value - int(values[0]) for value in values.tolist()]
        self._best = int(multiplicities[0])
        self._coins: dict[int, LazyCoin] = {}

    def draw(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return the index of a candidate, turn by turn.

        Parameters
        ----------
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        left = list(range(len(self._level)))
        while True:
            place = rng.below(len(left))
            left[place], left[-1] = left[-1], left[place]
            candidate = left.pop()
            if self._coin(int(self._level[candidate])).toss(rng):
                return candidate

    def draws(self, count: int, rng: Coins = SYSTEM_COINS) -> Indices:
        """Return the indices of independent draws.

        Parameters
        ----------
        count
            How many.
        rng
            Where the coins come from; the operating system's entropy by default.

        Returns
        -------
        array of int64, shape (count,)
        """
        size = as_size(count, "count")
        if size <= _FEW:
            return np.array([self.draw(rng) for _ in range(size)], dtype=np.int64)
        made = self._leaps if self._expected * _TURNS < len(self._level) else self._turns
        parts = [made(min(_BATCH, size - begin), rng) for begin in range(0, size, _BATCH)]
        return np.concatenate(parts)

    @cached_property
    def _order(self) -> Indices:
        """The candidates by their errors."""
        return np.argsort(self._level, kind="stable").astype(np.int64)

    def _coin(self, level: int) -> LazyCoin:
        """Return the coin of a level, made when it is first asked for."""
        known = self._coins.get(level)
        if known is None:
            excess, decay = self._excesses[level], self._decay
            if excess * decay.denominator.bit_length() <= _SHORT:
                known = LazyCoin.of(decay**excess)
            else:
                known = LazyCoin(lambda bits: _power(excess, decay, bits))
            self._coins[level] = known
        return known

    @cached_property
    def _expected(self) -> float:
        """About how many coins say yes; it decides how draws are made, not what they are."""
        sizes: list[int] = np.bincount(self._level).tolist()
        _, ceilings = enclosed_powers(self._excesses, self._decay, 64)
        return sum(size * power for size, power in zip(sizes, ceilings, strict=True)) / 2.0**64

    def _turns(self, count: int, rng: Coins) -> Indices:
        """Draw by turns, side by side."""
        taken = np.full(count, -1, dtype=np.int64)
        waiting = np.arange(count)
        passed = np.empty((count, 0), dtype=np.int64)
        total = len(self._level)
        coins = [self._coin(level) for level in range(len(self._excesses))]
        while len(waiting):
            # Whoever had a turn has none again: that one is drawn anew.
            turn = np.full(len(waiting), -1, dtype=np.int64)
            open_ = np.arange(len(waiting))
            while len(open_):
                turn[open_] = below_each(np.full(len(open_), total), rng)
                open_ = open_[(passed[open_] == turn[open_, None]).any(axis=1)]
            yes = toss_all(coins, self._level[turn], rng).astype(bool)
            taken[waiting[yes]] = turn[yes]
            passed = np.concatenate((passed[~yes], turn[~yes, None]), axis=1)
            waiting = waiting[~yes]
        return taken

    def _leaps(self, count: int, rng: Coins) -> Indices:
        """Draw by leaps from one yes to the next; then one of these, all equally likely."""
        total = len(self._level)
        found: list[Indices] = []  # for each round the draws that had a yes, and whose it was
        who: list[Indices] = []
        at = np.full(count, self._best, dtype=np.int64)
        going = np.arange(count) if self._best < total else np.arange(0)
        while len(going):
            place, said = self._next(at[going], rng)
            found.append(going[said])
            who.append(place[said])
            at[going] = place + said
            going = going[at[going] < total]
        draws = np.concatenate([*found, np.arange(0)])
        places = np.concatenate([*who, np.arange(0)])
        order = np.argsort(draws, kind="stable")
        draws, places = draws[order], places[order]
        sizes = np.bincount(draws, minlength=count)
        chosen = below_each(sizes + self._best, rng)
        starts = np.cumsum(sizes) - sizes
        place = chosen.copy()
        others = chosen >= self._best
        place[others] = places[starts[others] + chosen[others] - self._best]
        return self._order[place]

    def _next(self, at: Indices, rng: Coins) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """Leap from some places, in the order of errors, to the next yes or the end of the block.

        U being uniform, the next is the first c where ``P(nobody from here to c) <= U``.
        """
        blocks, before, after = self._bounds
        here = at - self._best
        half, one = np.uint64(32), np.uint64(1)
        digits = words(len(at), rng) >> half
        low, high = before[0][here], before[1][here]
        surely = digits * low >> half
        maybe = ((digits + one) * high + np.uint64((1 << 32) - 1)) >> half
        unit, block = np.uint64(1 << _UNIT), blocks[here].astype(np.uint64) << half
        first = after[1].searchsorted(block | unit - surely, side="left")
        other = after[0].searchsorted(block | unit - maybe, side="right")
        for place in np.flatnonzero(first != other).tolist():
            end = int(np.searchsorted(blocks, blocks[here[place]], side="right"))
            first[place] = self._settled(int(here[place]), end, int(digits[place]), rng)
        ends = np.append(blocks, -1)[first] != blocks[here]
        return first.astype(np.int64) + self._best, ~ends

    def _settled(self, here: int, end: int, digits: int, rng: Coins) -> int:
        """Return the same for one place and a number of which half a word is known."""
        bits = 32
        levels = self._level[self._order[self._best :]][here:end].tolist()
        while True:
            powers = {level: _power(self._excesses[level], self._decay, bits) for level in levels}
            low = high = 1 << bits
            for place, level in enumerate(levels, here):
                floor, ceiling = powers[level]
                low = low * ((1 << bits) - ceiling) >> bits
                high = -(-high * ((1 << bits) - floor) >> bits)
                if high <= digits:
                    return place
                if low <= digits:
                    break
            else:
                return end
            digits, bits = digits << bits | rng.below(1 << bits), 2 * bits

    @cached_property
    def _bounds(
        self,
    ) -> tuple[Indices, tuple[_Words, _Words], tuple[_Words, _Words]]:
        """For each candidate but the best, by errors: its block, and what bounds the leaps.

        These are floors and ceilings, in units of ``2**-31``, of the probability that nobody from
        the first of the block says yes: before it has its turn, and after it. The latter are taken
        off 1, with the block in front, so that they increase.
        """
        bits, drop = 2 * _UNIT + _GUARD, _UNIT + _GUARD
        one = 1 << bits
        floors, ceilings = enclosed_powers(self._excesses, self._decay, bits)
        blocks: list[int] = []
        before: list[tuple[int, int]] = []
        after: list[tuple[int, int]] = []
        block, low, high = 0, one, one
        for level in self._level[self._order[self._best :]].tolist():
            if high >> bits - _LEAST == 0:
                block, low, high = block + 1, one, one
            blocks.append(block)
            before.append((low >> drop, -(-high >> drop)))
            low = low * (one - ceilings[level]) >> bits
            high = -(-high * (one - floors[level]) >> bits)
            after.append((low >> drop, -(-high >> drop)))
        unit = 1 << _UNIT
        places = np.array(blocks, dtype=np.int64)
        ranks = [
            np.array([b << 32 | unit - pair[i] for b, pair in zip(blocks, after, strict=True)])
            for i in (0, 1)
        ]
        kept = [np.array([pair[i] for pair in before], dtype=np.uint64) for i in (0, 1)]
        return (
            places,
            (kept[0], kept[1]),
            (ranks[0].astype(np.uint64), ranks[1].astype(np.uint64)),
        )


def _power(excess: int, decay: Fraction, bits: int) -> tuple[int, int]:
    """Enclose a power of the decay between integers, in units of ``2**-bits``."""
    floors, ceilings = enclosed_powers([excess], decay, bits + _GUARD)
    return floors[0] >> _GUARD, -(-ceilings[0] >> _GUARD)
