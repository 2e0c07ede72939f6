"""Discrete Laplace noise in batches: many draws side by side, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pac_stability.mechanisms.enclosed_draws import BorderedChoice, Enclosures
from pac_stability.mechanisms.exponential_draws import enclosed_powers
from pac_stability.mechanisms.geometric_digits import digits_drawn, geometric
from pac_stability.mechanisms.lazy_coins import words
from pac_stability.randomness import Coins

_BATCH = 1 << 14
"""Draws that are made side by side."""

_TOGETHER = 8
"""So many digits of the size are drawn at once, at most."""

_GUARD = 32
"""Bits of the weights beyond those of the uniform numbers."""


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
    The noise is 0, or a sign and ``1 + G`` for a geometric number G, whose binary digits are
    independent: see :func:`~pac_stability.mechanisms.geometric_digits.geometric`. A word of 64 bits
    for each draw chooses 0, or the sign and the first digits, or that G needs more digits than are
    drawn at first. One more for each eight digits, or fewer, chooses those. So each draw takes as
    many words as any other, unless it needs more digits, and is then drawn again from there on.
    """
    if low == high:
        return np.full(count, low, dtype=np.int64)
    most = high - low - 1
    digits = _digits(decay, digits_drawn(decay, most))
    parts = [
        _noises(digits, most, min(_BATCH, count - start), rng) for start in range(0, count, _BATCH)
    ]
    drawn = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    return np.asarray(np.clip(drawn, low, high), dtype=np.int64)


@dataclass(frozen=True)
class _Digits:
    """What chooses the digits of many draws.

    Attributes
    ----------
    decay, beyond
        r, and ``2**d`` where d digits are drawn at first.
    first
        Chooses 0, or a sign and the first digits, or what lies beyond.
    signs, sizes
        For each of these cases the sign, and 1 more than the number with these digits.
    others
        What chooses the other digits, and the place of the lowest of them.
    """

    decay: Fraction
    beyond: int
    first: BorderedChoice
    signs: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    others: tuple[tuple[BorderedChoice, int], ...]


def _noises(digits: _Digits, most: int, count: int, rng: Coins) -> npt.NDArray[np.int64]:
    drawn = words(count * (1 + len(digits.others)), rng).reshape(-1, count)
    cases = digits.first.at(drawn[0], rng)
    sizes = digits.sizes.take(cases)
    beyond = np.flatnonzero(sizes > digits.beyond).tolist()
    for (choice, place), word in zip(digits.others, drawn[1:], strict=True):
        sizes += choice.at(word, rng) << place
    for place in beyond:
        # A geometric number forgets what it has passed.
        further = geometric(digits.decay, max(most - digits.beyond, 0), rng)
        sizes[place] = 1 + min(digits.beyond + further, most)
    return np.asarray(digits.signs.take(cases) * sizes)


@lru_cache(maxsize=64)
def _digits(decay: Fraction, digits: int) -> _Digits:
    parts = max(1, -(-digits // _TOGETHER))
    places = [digits * part // parts for part in range(parts)]
    first = places[-1]
    side = np.append(np.arange(0, 1 << digits, 1 << first, dtype=np.int64), 1 << digits) + 1
    return _Digits(
        decay,
        1 << digits,
        BorderedChoice(partial(_first_weights, decay, first, digits)),
        np.repeat(np.array([0, 1, -1], dtype=np.int64), [1, len(side), len(side)]),
        np.concatenate([np.zeros(1, dtype=np.int64), side, side]),
        tuple(
            (BorderedChoice(partial(_weights, decay, low, high)), low)
            for low, high in pairwise(places)
        ),
    )


def _weights(decay: Fraction, low: int, high: int, bits: int) -> Enclosures:
    """Enclose what the digits at places low, ..., high - 1 weigh: a power of the decay."""
    return enclosed_powers(range(0, 1 << high, 1 << low), decay, bits + _GUARD)


def _first_weights(decay: Fraction, low: int, digits: int, bits: int) -> Enclosures:
    """Enclose 1 + r times the probabilities of 0, and for each sign of the first digits.

    A size is at least ``1 + k`` with probability ``2 r**(1 + k) / (1 + r)``, and so each case of a
    sign is the difference of two powers, but for what lies beyond.
    """
    exponents = [1 + k for k in range(0, (1 << digits) + 1, 1 << low)]
    floors, ceilings = enclosed_powers(exponents, decay, bits + _GUARD)
    unit = 1 << bits + _GUARD
    least = [max(a - b, 0) for a, b in zip(floors, ceilings[1:], strict=False)]
    most = [b - a for b, a in zip(ceilings, floors[1:], strict=False)]
    side, other = [*least, floors[-1]], [*most, ceilings[-1]]
    return [unit - ceilings[0], *side, *side], [unit - floors[0], *other, *other]
