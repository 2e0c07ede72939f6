"""Exact draws of permute-and-flip: errors are looked at once, coins are refined when asked."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size
from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.enclosed_draws import enclosed_power
from pac_stability.mechanisms.lazy_coins import LazyCoin
from pac_stability.mechanisms.weights import Scores, as_counts, distinct_errors
from pac_stability.randomness import SYSTEM_COINS, Coins

_SHORT = 1 << 12
"""Probabilities of so many bits are written out."""

Indices = npt.NDArray[np.int64]


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
    yes is taken. A draw has O(N/S) turns, S of N candidates being expected to say yes.

    Examples
    --------
    >>> turns = PreparedTurns([3, 5, 4, 3], Fraction(1, 2))
    >>> turns.draw() in range(4), turns.draws(5).shape
    (True, (5,))
    """

    def __init__(self, errors: Scores, decay: Fraction) -> None:
        counts = as_counts(errors)
        self._decay = as_decay(decay)
        values, _ = distinct_errors(counts)
        self._level: Indices = np.searchsorted(values, counts)
        self._excesses: list[int] = [value - int(values[0]) for value in values.tolist()]
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
        return np.array([self.draw(rng) for _ in range(as_size(count, "count"))], dtype=np.int64)

    def _coin(self, level: int) -> LazyCoin:
        """Return the coin of a level, made when it is first asked for."""
        known = self._coins.get(level)
        if known is None:
            excess, decay = self._excesses[level], self._decay
            if excess * decay.denominator.bit_length() <= _SHORT:
                known = LazyCoin.of(decay**excess)
            else:
                known = LazyCoin(lambda bits: enclosed_power(excess, decay, bits))
            self._coins[level] = known
        return known
