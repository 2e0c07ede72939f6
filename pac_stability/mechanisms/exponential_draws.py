"""One exact draw with exponential weights, however long the weights would be in full."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

import numpy as np

from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.weights import Scores, as_counts, levels_of
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

_SHORT = 1 << 16
"""Weights of so many bits in all are written out."""

_WORD = 64
"""How many bits of the uniform number are drawn at first."""

_GUARD = 32
"""Bits of the weights beyond those of the uniform number."""


def exponential_choice(errors: Scores, decay: Fraction, rng: Coins = SYSTEM_COINS) -> int:
    """Return the index of a candidate, drawn with probability in proportion to ``decay**errors``.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.
    rng
        Where the coins come from; the operating system's entropy by default.

    Returns
    -------
    int
        The index i has exactly the probability ``decay**errors[i]`` over the sum of these.

    Raises
    ------
    InvalidInput
        The errors are no integers below 2**63 in size, there are none, or the decay is out of
        range.

    Notes
    -----
    Candidates with equal errors form a level. First a level is drawn, then one of its members. Let
    ``C_1 <= ... <= C_L = Z`` be the sums of the weights of the first levels. Where the weights are
    short, the level is chosen among these integers. Otherwise a uniform number U in [0, 1) is
    revealed bit by bit, and the level is the l with ``C_(l-1) <= U Z < C_l``, whose probability is
    ``(C_l - C_(l-1)) / Z`` exactly. With the bits so far, U is in ``[u, u + 1) / 2**b``, and the
    sums are known up to certified bounds; a level is returned only when every U and all sums within
    these bounds give that level, and otherwise the bits and the precision are doubled. So rounding
    affects how many bits are read, never what is returned. For 10,000 candidates and a range of a
    million errors, 64 bits leave the level open with a probability below ``2**-40``; U is on a
    boundary, and is never decided, with probability 0.

    O(N log N) on machine integers for N candidates; for L levels that are not negligible and a
    range of K errors, O(L log K) products of about 100 bits.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> decay = 1 - Fraction(1, 10**6)
    >>> draws = [exponential_choice([0, 10**6], decay, SeededCoins(seed)) for seed in range(1000)]
    >>> sum(draws)  # 1 has the probability 1 / (1 + e), nearly: 0.269
    269
    """
    counts = as_counts(errors)
    rho = as_decay(decay)
    values, multiplicities = np.unique(counts, return_counts=True)
    excesses = [value - int(values[0]) for value in values.tolist()]
    if excesses[-1] * len(excesses) * rho.denominator.bit_length() <= _SHORT:
        levels = levels_of(counts, rho)
        masses = [n * weight for n, weight in zip(levels.counts, levels.weights, strict=True)]
        level = rng.choose(WeightedChoice(masses))
    else:
        level = _level(excesses, multiplicities.tolist(), rho, rng)
    members = np.flatnonzero(counts == values[level])
    return int(members[rng.below(len(members))])


def enclosed_powers(
    exponents: Sequence[int], decay: Fraction, bits: int
) -> tuple[list[int], list[int]]:
    """Enclose powers of a decay between integers.

    Parameters
    ----------
    exponents
        Non-negative and increasing.
    decay
        rho, above 0 and at most 1.
    bits
        The unit of the results is ``2**-bits``.

    Returns
    -------
    floors, ceilings : list of int
        ``floors[i] <= 2**bits * decay**exponents[i] <= ceilings[i]``, at most ``3 exponents[i]``
        apart, until a floor is 0; what comes after shares its ceiling.

    Examples
    --------
    >>> enclosed_powers([0, 1, 5], Fraction(2, 3), 10)
    ([1024, 682, 133], [1024, 683, 137])
    """
    unit = 1 << bits
    low = decay.numerator * unit // decay.denominator
    squares = [(low, -(-decay.numerator * unit // decay.denominator))]
    for _ in range(1, exponents[-1].bit_length() if exponents else 0):
        low, high = squares[-1]
        squares.append((low * low >> bits, -(-high * high >> bits)))
    floors: list[int] = []
    ceilings: list[int] = []
    for exponent in exponents:
        if floors and floors[-1] == 0:
            # Later powers are smaller still.
            floors.append(0)
            ceilings.append(ceilings[-1])
            continue
        low = high = unit
        for place, (low_square, high_square) in enumerate(squares):
            if exponent >> place & 1:
                low, high = low * low_square >> bits, -(-high * high_square >> bits)
        floors.append(low)
        ceilings.append(high)
    return floors, ceilings


def _level(excesses: Sequence[int], counts: Sequence[int], decay: Fraction, rng: Coins) -> int:
    """Draw a level, revealing as much of a uniform number as it takes."""
    digits, bits = 0, 0
    while True:
        fresh = bits or _WORD
        digits, bits = digits << fresh | rng.below(1 << fresh), bits + fresh
        floors, ceilings = enclosed_powers(excesses, decay, bits + _GUARD)
        low = list(accumulate(n * weight for n, weight in zip(counts, floors, strict=True)))
        high = list(accumulate(n * weight for n, weight in zip(counts, ceilings, strict=True)))
        level = _decided(digits, bits, low, high)
        if level is not None:
            return level


def _decided(digits: int, bits: int, low: Sequence[int], high: Sequence[int]) -> int | None:
    """Return the level that is the only possible one, if there is one.

    Parameters
    ----------
    digits, bits
        U is in ``[digits, digits + 1) / 2**bits``.
    low, high
        Bounds on ``C_1, ..., C_L``.
    """
    # U Z is in [digits low[-1], (digits + 1) high[-1]) / 2**bits, and below Z = C_L in any case.
    ceiling = -(-(digits + 1) * high[-1] >> bits)
    level = min(bisect_left(low, ceiling), len(low) - 1)
    if level and high[level - 1] << bits > digits * low[-1]:
        return None
    return level
