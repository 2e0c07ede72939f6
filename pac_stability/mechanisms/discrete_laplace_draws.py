"""Discrete Laplace noise in batches: all coins of many draws are tossed at once, exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pac_stability.mechanisms.exponential_draws import enclosed_powers
from pac_stability.mechanisms.geometric_digits import digits_drawn
from pac_stability.mechanisms.lazy_coins import LazyCoin, toss_all
from pac_stability.randomness import Coins

_BATCH = 1 << 14
"""Draws that are made side by side."""

_GUARD = 16
"""Bits of powers beyond those of what is made of them."""

_SHORT = 1 << 12
"""Powers of so many bits are written out, and a tape can follow."""


def clamped_noises(
    decay: Fraction, low: int, high: int, count: int, rng: Coins
) -> npt.NDArray[np.int64]:
    """Return independent discrete Laplace noise, clamped to ``low <= 0 <= high``.

    Parameters
    ----------
    decay
        r, above 0 and below 1.
    low, high
        Where it is clamped; ``high - low`` is below ``2**62``.
    count
        How many.
    rng
        Where the coins come from.

    Notes
    -----
    For each draw the coins of `clamped_noise`: sign, digits, and whether the size goes beyond them.
    """
    if low == high:
        return np.full(count, low, dtype=np.int64)
    most = high - low - 1
    digits = digits_drawn(decay, most)
    parts = [
        _noises(decay, digits, most, min(_BATCH, count - start), rng)
        for start in range(0, count, _BATCH)
    ]
    drawn = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    return np.asarray(np.clip(drawn, low, high), dtype=np.int64)


def _noises(
    decay: Fraction, digits: int, most: int, count: int, rng: Coins
) -> npt.NDArray[np.int64]:
    coins = _coins(decay, digits)
    kinds = len(coins)
    tossed = toss_all(coins, np.tile(np.arange(kinds), count), rng).reshape(count, kinds)
    noise, negative, beyond = tossed[:, 0], tossed[:, 1], tossed[:, -1]
    numbers = tossed[:, 2:-1].astype(np.int64) @ (1 << np.arange(digits, dtype=np.int64))
    for place in np.flatnonzero(beyond).tolist() if most else []:
        above = 1 << digits
        while above < most and coins[-1].toss(rng):
            above += 1 << digits
        numbers[place] = min(int(numbers[place]) + above, most)
    # What is not 0 has a size of at least 1, and either sign.
    sizes = np.where(noise == 1, numbers + 1, 0)
    return np.where(negative == 1, -sizes, sizes)


@lru_cache(maxsize=256)
def _coins(decay: Fraction, digits: int) -> tuple[LazyCoin, ...]:
    """Return the coins of one draw: whether it is 0, its sign, its digits, what lies beyond."""
    a, b = decay.numerator, decay.denominator
    places = [_power_coin(decay, 1 << place, odds=True) for place in range(digits)]
    return (
        LazyCoin.of(Fraction(2 * a, a + b)),
        LazyCoin.of(Fraction(1, 2)),
        *places,
        _power_coin(decay, 1 << digits, odds=False),
    )


def _power_coin(decay: Fraction, exponent: int, *, odds: bool) -> LazyCoin:
    """Return a coin whose odds, or whose probability, is ``decay ** exponent``."""
    if exponent * decay.denominator.bit_length() <= _SHORT:
        power = decay**exponent
        return LazyCoin.of(power / (1 + power) if odds else power)
    return LazyCoin(_bounds_of(decay, exponent, odds=odds))


def _bounds_of(decay: Fraction, exponent: int, *, odds: bool) -> Callable[[int], tuple[int, int]]:
    def bounds(bits: int) -> tuple[int, int]:
        unit = 1 << bits + _GUARD
        (low,), (high,) = enclosed_powers([exponent], decay, bits + _GUARD)
        least, most = (unit + low, unit + high) if odds else (unit, unit)
        # x / (1 + x) increases with x.
        return (low << bits) // least, -((-high << bits) // most)

    return bounds
