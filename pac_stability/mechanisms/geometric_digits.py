"""Exact geometric numbers and discrete Laplace noise by binary digits, one by one or side by side."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pac_stability.mechanisms.exponential_draws import enclosed_powers
from pac_stability.mechanisms.lazy_coins import LazyCoin, toss_all, toss_each
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

_SHORT = 1 << 12
"""Weights of a coin of at most so many bits are written out; a tape can follow such a coin."""

_GUARD = 32
"""Bits of the weights beyond those of the uniform number."""

_RARE = 64
"""A number with more digits than are drawn at first has a probability below ``2**-_RARE``."""


def geometric(decay: Fraction, most: int, rng: Coins) -> int:
    """Return a geometric number G, or some number from ``most`` on when ``G >= most``.

    Parameters
    ----------
    decay
        r, above 0 and below 1: ``P(G = g) = (1 - r) r**g``.
    most
        From where on the numbers need not be told apart, a non-negative integer.
    rng
        Where the coins come from.

    Notes
    -----
    The binary digits of G are independent, as ``r**g`` is a product over the digits of g: digit i
    is 1 with odds ``r**(2**i)``. And G is at least ``2**d`` with probability ``r**(2**d)``,
    whatever its last d digits are. So d digits and one more coin are drawn, where d is a function
    of ``decay`` and ``most`` alone: enough for ``most``, or for all but a share of ``2**-64`` of
    the numbers. In that share the last coin is tossed again, once for each ``2**d`` that G goes on.
    So which number it is shows in the number of coins with a probability below ``2**-64``. (A coin
    with long weights asks for more bits, whatever it shows then, with about that probability.)

    O(min(log most, log 1/(1 - r))) coins, each of a few microseconds; those of the operating system
    are asked for together, and take some tenths of a microsecond each.
    """
    if most == 0:
        return 0
    digits = digits_drawn(decay, most)
    coins = _coins(decay, digits)
    *tossed, more = toss_each(coins, rng)
    number = sum(digit << place for place, digit in enumerate(tossed))
    above = 0
    while more:
        above += 1 << digits
        more = above < most and coins[-1].toss(rng)
    return number + above


def clamped_noises(
    decay: Fraction, low: int, high: int, count: int, rng: Coins
) -> npt.NDArray[np.int64]:
    """Return independent discrete Laplace noise, clamped to ``low <= 0 <= high``.

    The coins of :func:`geometric` and two for the sign, each tossed for all draws at once.
    ``high - low`` is below ``2**62``.
    """
    if low == high:
        return np.full(count, low, dtype=np.int64)
    most = high - low - 1
    *places, beyond = _coins(decay, digits_drawn(decay, most))
    a, b = decay.numerator, decay.denominator
    same = np.zeros(count, dtype=np.intp)
    size = np.ones(count, dtype=np.int64)
    for place, coin in enumerate(places):
        size += toss_all([coin], same, rng).astype(np.int64) << place
    for draw in np.flatnonzero(toss_all([beyond], same, rng)).tolist():
        # A geometric number forgets what it has passed.
        passed = 1 << len(places)
        size[draw] = 1 + min(passed + geometric(decay, max(most - passed, 0), rng), most)
    some = toss_all([LazyCoin.of(Fraction(2 * a, a + b))], same, rng)
    left = toss_all([LazyCoin.of(Fraction(1, 2))], same, rng).astype(np.int64)
    return np.asarray(np.clip(size * some * (1 - 2 * left), low, high), dtype=np.int64)


def digits_drawn(decay: Fraction, most: int) -> int:
    """Return how many digits are drawn at first of a geometric number that matters up to ``most``.

    Examples
    --------
    >>> digits_drawn(Fraction(1, 2), 5), digits_drawn(Fraction(1, 2), 10**9)
    (3, 8)
    """
    a, b = decay.numerator, decay.denominator
    # r**k <= e**(-(1 - r) k) is below 2**-64 for k >= 64 / (1 - r).
    return min(max(most - 1, 0).bit_length(), (_RARE * b // (b - a)).bit_length())


@lru_cache(maxsize=256)
def _coins(decay: Fraction, digits: int) -> tuple[PowerCoin, ...]:
    """Return the coins of the digits, lowest first, and the one for what lies beyond them."""
    places = tuple(PowerCoin(decay, 1 << place, odds=True) for place in range(digits))
    return (*places, PowerCoin(decay, 1 << digits, odds=False))


class PowerCoin(LazyCoin):
    """A coin whose odds, or whose probability, is a power of a decay, tossed exactly.

    Parameters
    ----------
    decay
        r, above 0 and below 1.
    exponent
        k, positive.
    odds
        Whether ``r**k`` is the odds for 1, whose probability is then ``r**k / (1 + r**k)``, or the
        probability itself.

    Notes
    -----
    Where its weights are short it chooses between them.
    """

    __slots__ = ("_weights",)

    def __init__(self, decay: Fraction, exponent: int, *, odds: bool) -> None:
        def bounds(bits: int) -> tuple[int, int]:
            unit = 1 << bits + _GUARD
            (low,), (high,) = enclosed_powers([exponent], decay, bits + _GUARD)
            least, most = (unit + low, unit + high) if odds else (unit, unit)
            return (low << bits) // least, -((-high << bits) // most)

        super().__init__(bounds)
        self._weights: WeightedChoice | None = None
        if exponent * decay.denominator.bit_length() <= _SHORT:
            one, whole = decay.numerator**exponent, decay.denominator**exponent
            self._weights = WeightedChoice([whole if odds else whole - one, one])

    def toss(self, rng: Coins = SYSTEM_COINS) -> int:
        """Return 1 or 0."""
        return super().toss(rng) if self._weights is None else rng.choose(self._weights)
