"""Coins made ready to be tossed many times, of whose bias no more is computed than is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from secrets import token_bytes
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.randomness import SYSTEM_COINS, Coins

_WORD = 64
"""How many bits of the uniform number are drawn at first."""

_SHORT = 1 << 12
"""Probabilities of so many bits are given to the coins as they are; a tape can follow these."""

_FEW = 16
"""So many tosses of short probabilities are single questions, for the same reason."""


class LazyCoin:
    """A coin of which enclosures of the probability are known, tossed exactly.

    Parameters
    ----------
    bounds
        Given a number of bits b, it returns integers ``low <= 2**b p <= high``, which come closer,
        in units of ``2**b``, to any distance asked for.
    exact
        The probability p of 1, if it is known and short.

    Notes
    -----
    A uniform number U is revealed, 64 bits at first, and compared with the bounds; both are refined
    until U lies on one side, which it does at once but for a probability of ``2**-64`` times their
    distance. Rounding affects how many bits are read, never the answer.

    Examples
    --------
    >>> import math
    >>> root = LazyCoin(lambda b: (math.isqrt(1 << 2 * b - 1), math.isqrt(1 << 2 * b - 1) + 1))
    >>> from pac_stability.randomness import SeededCoins
    >>> rng = SeededCoins(1)
    >>> sum(root.toss(rng) for _ in range(1000))  # 1 has the probability sqrt(1/2)
    690
    """

    __slots__ = ("_bounds", "_exact", "_first")

    def __init__(
        self, bounds: Callable[[int], tuple[int, int]], exact: Fraction | None = None
    ) -> None:
        self._bounds = bounds
        short = exact is not None and exact.denominator.bit_length() <= _SHORT
        self._exact = exact if short else None
        self._first: tuple[int, int] | None = None

    @property
    def low(self) -> int:
        """The floor of ``2**64 p``, or an integer below."""
        return self._enclosed()[0]

    @property
    def high(self) -> int:
        """An integer that is not below ``2**64 p``."""
        return self._enclosed()[1]

    def _enclosed(self) -> tuple[int, int]:
        """Return the bounds of a word, made when they are first asked for."""
        if self._first is None:
            self._first = self._bounds(_WORD)
        return self._first

    @staticmethod
    def of(p: Fraction) -> LazyCoin:
        """Return the coin of a rational probability.

        Examples
        --------
        >>> coin = LazyCoin.of(Fraction(1, 3))
        >>> coin.low, coin.high - coin.low
        (6148914691236517205, 1)
        """

        def bounds(bits: int) -> tuple[int, int]:
            whole, rest = divmod(p.numerator << bits, p.denominator)
            return whole, whole + bool(rest)

        return LazyCoin(bounds, p)

    @property
    def short(self) -> bool:
        """Whether the probability is written out for the coins."""
        return self._exact is not None

    def toss(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return 1 or 0.

        Parameters
        ----------
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        if self._exact is not None:
            return rng.bernoulli(self._exact)
        return self.settled(rng.below(1 << _WORD), rng)

    def settled(self, digits: int, rng: Coins) -> int:
        """Return 1 or 0 for a uniform number of which 64 bits are known.

        Parameters
        ----------
        digits
            These bits.
        rng
            Where more come from.
        """
        bits, (low, high) = _WORD, self._enclosed()
        while low <= digits < high:
            digits, bits = digits << bits | rng.below(1 << bits), 2 * bits
            low, high = self._bounds(bits)
        return int(digits < low)


def toss_each(coins: Sequence[LazyCoin], rng: Coins = SYSTEM_COINS) -> list[int]:
    """Toss each of some coins once.

    Parameters
    ----------
    coins
        Which.
    rng
        Where the coins come from; the operating system's entropy by default, which is then asked
        once for all of them.

    Examples
    --------
    >>> toss_each([LazyCoin.of(Fraction(0)), LazyCoin.of(Fraction(1))])
    [0, 1]
    """
    if rng is not SYSTEM_COINS:
        return [coin.toss(rng) for coin in coins]
    digits = memoryview(token_bytes(8 * len(coins))).cast("Q")
    return [coin.settled(word, rng) for coin, word in zip(coins, digits, strict=True)]


def toss_all(
    coins: Sequence[LazyCoin], which: npt.NDArray[Any], rng: Coins = SYSTEM_COINS
) -> npt.NDArray[np.uint8]:
    """Toss many coins of few kinds, each toss independent.

    Parameters
    ----------
    coins
        The kinds.
    which
        For each toss the number of the coin, shape (k,).
    rng
        Where the coins come from; the operating system's entropy by default.

    Returns
    -------
    array of uint8, shape (k,)

    Notes
    -----
    All first words are drawn at once, and compared in two array operations. What they leave open is
    settled one by one.

    Examples
    --------
    >>> fair = [LazyCoin.of(Fraction(0)), LazyCoin.of(Fraction(1))]
    >>> toss_all(fair, np.array([0, 1, 1])).tolist()
    [0, 1, 1]
    """
    if len(which) <= _FEW and all(coin.short for coin in coins):
        return np.array(toss_each([coins[i] for i in which.tolist()], rng), dtype=np.uint8)
    digits = words(len(which), rng)
    # A word is below low if it is at most low - 1, which fits in a word; low = 0 is below no word.
    last = np.array([max(coin.low - 1, 0) for coin in coins], dtype=np.uint64)[which]
    some = np.array([coin.low > 0 for coin in coins])[which]
    most = np.array([max(coin.high - 1, 0) for coin in coins], dtype=np.uint64)[which]
    tossed: npt.NDArray[np.uint8] = ((digits <= last) & some).astype(np.uint8)
    for place in np.flatnonzero((tossed == 0) & (digits <= most)).tolist():
        tossed[place] = coins[which[place]].settled(int(digits[place]), rng)
    return tossed


def words(count: int, rng: Coins = SYSTEM_COINS) -> npt.NDArray[np.uint64]:
    """Return independent uniform words of 64 bits.

    Parameters
    ----------
    count
        How many.
    rng
        Where the coins come from; the operating system's entropy by default.

    Returns
    -------
    array of uint64, shape (count,)

    Examples
    --------
    >>> words(3).shape
    (3,)
    """
    if rng is SYSTEM_COINS:  # no integer is made of what comes as bytes
        octets = token_bytes(8 * count)
    else:
        octets = rng.below(1 << _WORD * count).to_bytes(8 * count, "little")
    return np.frombuffer(octets, dtype="<u8").astype(np.uint64)


def below_each(sizes: npt.NDArray[Any], rng: Coins = SYSTEM_COINS) -> npt.NDArray[np.int64]:
    """Return for each of some sizes n a number from 0 to n - 1, all equally likely.

    Parameters
    ----------
    sizes
        Positive integers, shape (k,).
    rng
        Where the coins come from; the operating system's entropy by default.

    Returns
    -------
    array of int64, shape (k,)

    Notes
    -----
    A word x of 32 bits gives the upper half of ``n x``, unless the lower half is below ``2**32 mod
    n``: of the words that are left equally many give each number. The others are drawn again.
    Source: Lemire, *Fast random integer generation in an interval*, 2019.

    Examples
    --------
    >>> below_each(np.array([1, 1, 1])).tolist()
    [0, 0, 0]
    """
    if len(sizes) and int(sizes.max()) >> 32:
        return np.array([rng.below(n) for n in sizes.tolist()], dtype=np.int64)
    wanted = sizes.astype(np.uint64)
    found = np.zeros(len(wanted), dtype=np.uint64)
    half, mask = np.uint64(32), np.uint64((1 << 32) - 1)
    left = np.flatnonzero(wanted > 1)
    while len(left):
        drawn = (words(-(-len(left) // 2), rng)[:, None] >> np.array([0, 32], np.uint64)) & mask
        product = drawn.ravel()[: len(left)] * wanted[left]
        found[left] = product >> half
        left = left[(product & mask) < np.uint64(1 << 32) % wanted[left]]
    return found.astype(np.int64)
