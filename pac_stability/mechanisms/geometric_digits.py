"""Exact geometric numbers and discrete Laplace noise by their binary digits."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pac_stability.mechanisms.enclosed_draws import BorderedChoice, Enclosures
from pac_stability.mechanisms.exponential_draws import enclosed_powers
from pac_stability.mechanisms.lazy_coins import LazyCoin, toss_each, words
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

_SHORT = 1 << 12
"""Weights of a coin of at most so many bits are written out; a tape can follow such a coin."""

_GUARD = 32
"""Bits of the weights beyond those of the uniform number."""

_RARE = 64
"""A number with more digits than are drawn at first has a probability below ``2**-_RARE``."""

_BATCH = 1 << 14
"""Draws that are made side by side."""

_TOGETHER = 8
"""So many digits of a size are drawn by one word, at most. Ten would spare a word of three at an
epsilon of 1/10000: a quarter of the time of a batch, for four times that of the borders."""


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
    A word of 64 bits for each draw chooses 0, or the sign and the first digits of the size, or that
    it needs more digits than are drawn at first. One more for each eight digits, or fewer, chooses
    those. So each draw takes as many words as any other, unless it needs more digits, and is then
    drawn again from there on, or lies so near a border that its word is refined: with a probability
    below ``2**-50`` for sizes of up to 30 digits, as the ends of longer powers are further apart.
    """
    if low == high:
        return np.full(count, low, dtype=np.int64)
    most = high - low - 1
    groups = _groups(decay, digits_drawn(decay, most))
    drawn = np.empty(count, dtype=np.int64)
    for start in range(0, count, _BATCH):
        drawn[start : start + _BATCH] = groups.noises(most, min(_BATCH, count - start), rng)
    return np.asarray(np.clip(drawn, low, high), dtype=np.int64)


class _Groups:
    """The sign and the binary digits of discrete Laplace noise, in groups of one word each.

    The noise is 0, or a sign and ``1 + G`` for a geometric number G. The groups are as few as there
    can be, and about as long. The first one has the highest digits: its cases are 0, and for each
    sign these digits, or that G is ``2**digits`` or more.
    """

    def __init__(self, decay: Fraction, digits: int) -> None:
        parts = max(1, -(-digits // _TOGETHER))
        places = [digits * part // parts for part in range(parts)]
        side = range(1, (1 << digits) + 2, 1 << places[-1])
        self._decay, self._beyond = decay, 1 << digits
        self._signs = np.array([0, *[1] * len(side), *[-1] * len(side)], dtype=np.int64)
        self._sizes = np.array([0, *side, *side], dtype=np.int64)
        self._first = BorderedChoice(partial(_sides, decay, side))
        self._others = [
            (BorderedChoice(partial(_powers, decay, range(0, 1 << high, 1 << low))), low)
            for low, high in pairwise(places)
        ]

    def noises(self, most: int, count: int, rng: Coins) -> npt.NDArray[np.int64]:
        """Return independent noise; sizes from ``1 + most`` on are some such size."""
        drawn = words(count * (1 + len(self._others)), rng).reshape(-1, count)
        cases = self._first.at(drawn[0], rng)
        sizes = self._sizes.take(cases)
        beyond = np.flatnonzero(sizes > self._beyond).tolist()
        for (choice, place), word in zip(self._others, drawn[1:], strict=True):
            sizes += choice.at(word, rng) << place
        for place in beyond:
            # A geometric number forgets what it has passed.
            further = geometric(self._decay, max(most - self._beyond, 0), rng)
            sizes[place] = 1 + min(self._beyond + further, most)
        return np.asarray(self._signs.take(cases) * sizes)


@lru_cache(maxsize=64)
def _groups(decay: Fraction, digits: int) -> _Groups:
    return _Groups(decay, digits)


def _powers(decay: Fraction, exponents: range, bits: int) -> Enclosures:
    """Enclose what the digits of a group weigh: a power of the decay."""
    return enclosed_powers(exponents, decay, bits + _GUARD)


def _sides(decay: Fraction, exponents: range, bits: int) -> Enclosures:
    """Enclose 1 + r times the probabilities of 0, and for each sign of the first digits.

    A size is at least k with probability ``2 r**k / (1 + r)``, and so each case of a sign is the
    difference of two powers, but for what lies beyond.
    """
    floors, ceilings = enclosed_powers(exponents, decay, bits + _GUARD)
    unit = 1 << bits + _GUARD
    least = [max(a - b, 0) for a, b in zip(floors, ceilings[1:], strict=False)]
    most = [b - a for b, a in zip(ceilings, floors[1:], strict=False)]
    side, other = [*least, floors[-1]], [*most, ceilings[-1]]
    return [unit - ceilings[0], *side, *side], [unit - floors[0], *other, *other]


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
