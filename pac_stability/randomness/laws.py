"""Laws of draws as tables of weights: on the grid of noise, and of counts."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput
from pac_stability.randomness.weights import WeightedChoice


class Tosses(Protocol):
    """Coins that are even, or not."""

    def below(self, n: int, /) -> int:
        """Return one of ``0 .. n - 1``, each with probability ``1/n``."""
        ...

    def bernoulli(self, p: int | Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise."""
        ...


_BELL = 1 << 13


@lru_cache(maxsize=256)
def steps(scale: Fraction, grid: int) -> tuple[Fraction, Fraction]:
    """Return the decay of a step of a grid, for noise of a scale, and the step."""
    return grid_decay(1 / (scale * grid)), Fraction(1, grid)


@lru_cache(maxsize=256)
def grid_decay(x: Fraction) -> Fraction:
    """Return a short rational number from ``e**-x`` up to ``e**-x (1 + x / 2**20)``."""
    low = Interval.exp(-x).upper
    return _shortest(low, low * (1 + x / 2**20))


def _shortest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator between two positive ones."""
    whole = math.floor(low)
    if whole == low or whole + 1 <= high:
        return Fraction(whole if whole == low else whole + 1)
    return whole + 1 / _shortest(1 / (high - whole), 1 / (low - whole))


@lru_cache(maxsize=64)
def bell(variance: Fraction) -> tuple[int, WeightedChoice]:
    """Return an integer and the weights from there on of ``e**(-z**2 / 2 variance)``.

    The weights are probabilities, rounded down; the last one is the remainder.
    """
    last = 1 + math.isqrt(math.ceil(100 * variance) - 1)  # ten standard deviations
    if last > _BELL:
        raise InvalidInput("scale", f"more than {_BELL // 10} steps", "a smaller one")
    bell = [Interval.exp(-Fraction(z * z) / (2 * variance)) for z in range(last + 1)]
    # Beyond, each weighs e**(-last / variance) times the one before, or less.
    rest = bell[-1].upper / (1 - Interval.exp(-Fraction(last) / variance).upper)
    whole = 2 * (sum(each.upper for each in bell) + rest) - 1
    side = [_floor(each.lower / whole) for each in bell]
    return -last, _with_rest([*side[:0:-1], *side])


def gaussian_integer(variance: Fraction, coins: Tosses) -> int:
    """Return an integer z, with weight ``e**(-z**2 / (2 variance))``.

    Discrete Laplace noise of scale t is accepted with the ratio of the weights (Canonne, Kamath and
    Steinke, *The discrete Gaussian for differential privacy*, 2020, Algorithm 3).
    """
    t = 1 + math.isqrt(math.floor(variance))
    while True:
        size, negative = coins.below(t), coins.below(2)
        if not _decayed(Fraction(size, t), coins):
            continue
        while _decayed(Fraction(1), coins):
            size += t
        if negative and not size:  # else 0 would be met twice
            continue
        if _decayed((size - variance / t) ** 2 / (2 * variance), coins):
            return -size if negative else size


def _decayed(x: Fraction, coins: Tosses) -> bool:
    """Return true with probability ``e**-x``: one minus x, plus x**2/2, and so on, coin by coin."""
    for _ in range(math.ceil(x) - 1):
        if not _decayed(Fraction(1), coins):
            return False
    rest, terms = x - max(math.ceil(x) - 1, 0), 1
    while coins.bernoulli(rest / terms):
        terms += 1
    return terms % 2 == 1


def bell_of(scale: Fraction, grid: int) -> tuple[int, WeightedChoice]:
    """Return :func:`bell` of normal noise of a scale, on a grid."""
    return bell((scale * grid) ** 2)


@lru_cache(maxsize=64)
def even(width: Fraction, grid: int) -> tuple[int, WeightedChoice]:
    """Return the same of a uniform number from 0 to a width, in the midst of cells of two steps."""
    steps = width * grid
    cells = [min(steps - k, Fraction(2)) for k in range(0, math.ceil(steps), 2)]
    return 1, WeightedChoice([share for each in cells for share in (each, 0)])


@lru_cache(maxsize=64)
def rare(rate: Fraction) -> tuple[WeightedChoice]:
    """Return the probabilities of 0, 1, ..., from below, and all that is missing."""
    weights: list[Fraction] = []
    term = Interval.exp(-rate).lower
    while len(weights) < 4 * rate + 30 or term > Fraction(1, 2**70):
        weights.append(_floor(term))
        term *= rate / len(weights)
    return (_with_rest(weights),)


def _floor(p: Fraction) -> Fraction:
    return Fraction(math.floor(p * 2**90), 2**90)


def _with_rest(weights: list[Fraction]) -> WeightedChoice:
    return WeightedChoice([*weights, 1 - sum(weights)])


@lru_cache(maxsize=256)
def binomial(n: int, p: Fraction) -> WeightedChoice:
    """Return the weights of so many successes in n trials."""
    yes, no = p.numerator, p.denominator - p.numerator
    return WeightedChoice([math.comb(n, k) * yes**k * no ** (n - k) for k in range(n + 1)])
