"""How often each outcome occurs among independent draws, without making the draws one by one."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from pac_stability.arguments import as_size
from pac_stability.arithmetic import Interval, fair_binomial
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.lazy_coins import LazyCoin
from pac_stability.randomness import SYSTEM_COINS, Coins

FLIPS = 1 << 17
"""So many fair coins are flipped; of more it is only drawn how many show 1."""


def occurrences(weights: Sequence[int], size: int, rng: Coins = SYSTEM_COINS) -> list[int]:
    """Draw how often each of some outcomes occurs among independent draws: a multinomial law.

    Parameters
    ----------
    weights
        The probabilities of the outcomes, up to a factor: integers, none negative, not all 0.
    size
        How many draws there are.
    rng
        Where the coins come from; the operating system's entropy by default.

    Returns
    -------
    list of int
        One number for each weight; their sum is ``size``.

    Raises
    ------
    InvalidInput
        A weight is negative, or none is positive; ``size`` is negative.

    Notes
    -----
    Uniform numbers fall into cells of the unit interval. Of those in a dyadic interval half go to
    the left on average, independently: as many as there are ones in so many fair bits
    (:func:`ones_among`). Intervals are halved until they lie in one cell. Exact; for L outcomes
    some ``L log2(size)`` halvings, whatever the size.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> occurrences([1, 3], 10**5, SeededCoins(1))
    [25202, 74798]
    >>> sum(occurrences([2, 1, 4], 10**30))
    1000000000000000000000000000000
    """
    sums = list(accumulate(as_size(weight, "weights") for weight in weights))
    if not sums or not sums[-1]:
        raise InvalidInput("weights", "no positive number", "one at least")
    total, counts = sums[-1], [0] * len(sums)
    waiting = [(0, 0, as_size(size, "size"))]  # numbers in [place, place + 1) / 2**depth
    while waiting:
        depth, place, count = waiting.pop()
        if not count:
            continue
        first = bisect_right(sums, place * total >> depth)
        last = bisect_left(sums, -(-(place + 1) * total >> depth))
        if first == last:
            counts[first] += count
            continue
        left = ones_among(count, rng)
        waiting.append((depth + 1, 2 * place, left))
        waiting.append((depth + 1, 2 * place + 1, count - left))
    return counts


def successes(
    bounds: Callable[[int], tuple[int, int]], size: int, rng: Coins = SYSTEM_COINS
) -> int:
    """Draw how many of some tosses of a coin show 1, where its probability is enclosed.

    Parameters
    ----------
    bounds
        As for :class:`~pac_stability.mechanisms.lazy_coins.LazyCoin`: given b, integers ``low <=
        2**b p <= high``, which come closer, in units of ``2**b``, to any distance asked for.
    size
        How many tosses there are.
    rng
        Where the coins come from; the operating system's entropy by default.

    Notes
    -----
    Uniform numbers are counted below ``low``, above ``high`` and between; there is hardly ever one
    between, and then the bounds are refined. So the law is exact.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> thirds = lambda bits: ((1 << bits) // 3, (1 << bits) // 3 + 1)
    >>> successes(thirds, 3 * 10**12, SeededCoins(1))
    1000000087225
    """
    bits, below, between = as_size(size, "size").bit_length() + 64, 0, size
    start, end = 0, 1 << bits  # the undecided numbers are in [start, end) / 2**bits
    while between:
        low, high = bounds(bits)
        low, high = max(low, start), min(high, end)
        if low > high:
            raise InvalidInput("bounds", "intervals that are apart", "enclosures of one number")
        surely, between, _ = occurrences((low - start, high - low, end - high), between, rng)
        below += surely
        start, end, bits = low << bits, high << bits, 2 * bits
    return below


def ones_among(flips: int, rng: Coins = SYSTEM_COINS) -> int:
    """Draw how many of some fair coins show 1, in a time that hardly depends on their number.

    Parameters
    ----------
    flips
        How many coins there are.
    rng
        Where they come from; the operating system's entropy by default.

    Notes
    -----
    Up to :data:`FLIPS` coins are flipped. More are an even number 2n, and possibly one more. Let
    ``m > sqrt(2n)`` be an integer, and draw a sign, k with probability ``2**-(k + 1)``, and j below
    m uniformly; with ``e = k m + j``, x is n + e or n - 1 - e. Every x is proposed with probability
    ``2**-(k + 2) / m``, so that it has the binomial law if it is kept with probability
    ``3/4 m 2**k p(x)``, p(x) being ``C(2n, x) / 4**n``. This is a probability: for x at a distance
    ``a >= k m`` from n, p(x) is at most ``p(n) e**-(a**2 / (n + a))``, the second factor is at most
    ``e**-(k**2) <= 2**-k``, and ``m p(n) <= (sqrt(2n) + 1) / sqrt(3n + 1) < 5/4``. Enclosures of
    factorials decide what is kept, with more bits where they do not settle it; of 16 proposals 3
    are, on average. The proposals are those of K. Bringmann, F. Kuhn, K. Panagiotou, U. Peter and
    H. Thomas, *Internal DLA: efficient simulation of a physical growth model*, ICALP 2014.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> ones_among(10, SeededCoins(1)), ones_among(10**12, SeededCoins(1))
    (7, 500000626639)
    """
    if flips <= FLIPS:
        return rng.below(1 << flips).bit_count()
    half, odd = divmod(flips, 2)
    width, p = math.isqrt(2 * half) + 1, fair_binomial(half)
    while True:
        negative, k = rng.below(2), 0
        while rng.below(2):
            k += 1
        distance = k * width + rng.below(width)
        distance = -1 - distance if negative else distance
        if abs(distance) <= half and keeping_coin(p, width, k, distance).toss(rng):
            return half + distance + (rng.below(2) if odd else 0)


def keeping_coin(
    p: Callable[[int, int, int], Interval], width: int, k: int, distance: int
) -> LazyCoin:
    """Return the coin that decides whether a proposal of :func:`ones_among` is kept."""

    def bounds(bits: int) -> tuple[int, int]:
        # LazyCoin asks for 64 at least.
        return p(distance, 3 * width << bits + k - 2, bits + 16).in_units(0)

    return LazyCoin(bounds)
