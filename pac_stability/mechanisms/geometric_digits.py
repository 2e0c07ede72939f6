"""One exact draw of a geometric number by its binary digits, in a time that does not tell it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from pac_stability.mechanisms.exponential_draws import enclosed_powers
from pac_stability.randomness import Coins, WeightedChoice

_SHORT = 1 << 12
"""Weights of a coin of at most so many bits are written out; a tape can follow such a coin."""

_WORD = 64
"""How many bits of the uniform number are drawn at first."""

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
    So which number it is shows in the number of coins with a probability below ``2**-64``.

    O(min(log most, log 1/(1 - r))) coins, each of a few microseconds.
    """
    digits = digits_drawn(decay, most)
    *coins, beyond = _coins(decay, digits)
    number = sum(coin.toss(rng) << place for place, coin in enumerate(coins))
    above = 0
    while above < most and beyond.toss(rng):
        above += 1 << digits
    return number + above


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


class PowerCoin:
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
    Where its weights are short it chooses between them. Otherwise a uniform number U is revealed,
    64 bits at first, and compared with certified bounds of the probability; both are refined until
    U lies on one side, which it does at once but for a probability of about ``2**-64``. Rounding
    affects how many bits are read, never the answer.
    """

    def __init__(self, decay: Fraction, exponent: int, *, odds: bool) -> None:
        self._decay = decay
        self._exponent = exponent
        self._odds = odds
        self._weights: WeightedChoice | None = None
        if exponent * decay.denominator.bit_length() <= _SHORT:
            one, whole = decay.numerator**exponent, decay.denominator**exponent
            self._weights = WeightedChoice([whole if odds else whole - one, one])
        self._first_bounds = self._bounds(_WORD)

    def toss(self, rng: Coins) -> int:
        """Return 1 or 0."""
        if self._weights is not None:
            return rng.choose(self._weights)
        digits, bits, bounds = rng.below(1 << _WORD), _WORD, self._first_bounds
        while (answer := _decided(digits, bits, bounds)) is None:
            digits, bits = digits << bits | rng.below(1 << bits), 2 * bits
            bounds = self._bounds(bits)
        return answer

    def _bounds(self, bits: int) -> tuple[int, int, int, int]:
        """Enclose the probability: first over second, and third over fourth."""
        unit = 1 << bits + _GUARD
        (low,), (high,) = enclosed_powers([self._exponent], self._decay, bits + _GUARD)
        return (low, unit + low, high, unit + high) if self._odds else (low, unit, high, unit)


def _decided(digits: int, bits: int, bounds: tuple[int, int, int, int]) -> int | None:
    """Return whether every U in ``[digits, digits + 1) / 2**bits`` is below the probability.

    1 or 0, or nothing when some are and some may not be.
    """
    low, low_whole, high, high_whole = bounds
    if (digits + 1) * low_whole <= low << bits:
        return 1
    if digits * high_whole >= high << bits:
        return 0
    return None
