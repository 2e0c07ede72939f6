"""Discrete Laplace noise as a sign and binary digits, in groups that one word each can choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise

from pac_stability.mechanisms.enclosed_draws import Enclosures
from pac_stability.mechanisms.exponential_draws import enclosed_powers

_GUARD = 32
"""Bits of the weights beyond those of the uniform numbers."""


@dataclass(frozen=True, slots=True)
class DigitGroups:
    """The cases of discrete Laplace noise, group by group.

    Attributes
    ----------
    beyond
        ``2**d`` where d digits of the size are drawn at first.
    signs, sizes
        For each case of the first group its sign, and 1 more than the number with its digits, which
        are the highest: 0, or a sign and a size, the last of which is ``1 + beyond``.
    first
        Encloses the weights of these cases.
    others
        For each other group what encloses the weights of its digits, and the place of the lowest.

    Notes
    -----
    The noise is 0, or a sign and ``1 + G`` for a geometric number G, whose binary digits are
    independent: see :func:`~pac_stability.mechanisms.geometric_digits.geometric`.
    """

    beyond: int
    signs: list[int]
    sizes: list[int]
    first: Callable[[int], Enclosures]
    others: list[tuple[Callable[[int], Enclosures], int]]


def digit_groups(decay: Fraction, digits: int, together: int) -> DigitGroups:
    """Cut the digits of discrete Laplace noise into as few groups as there can be, about as long.

    Parameters
    ----------
    decay
        r, above 0 and below 1.
    digits
        How many are drawn at first.
    together
        So many are in a group, at most.
    """
    parts = max(1, -(-digits // together))
    places = [digits * part // parts for part in range(parts)]
    first = places[-1]
    side = [1 + k for k in range(0, (1 << digits) + 1, 1 << first)]
    return DigitGroups(
        1 << digits,
        [0, *[1] * len(side), *[-1] * len(side)],
        [0, *side, *side],
        partial(first_weights, decay, first, digits),
        [(partial(weights, decay, low, high), low) for low, high in pairwise(places)],
    )


def weights(decay: Fraction, low: int, high: int, bits: int) -> Enclosures:
    """Enclose what the digits at places low, ..., high - 1 weigh: a power of the decay."""
    return enclosed_powers(range(0, 1 << high, 1 << low), decay, bits + _GUARD)


def first_weights(decay: Fraction, low: int, digits: int, bits: int) -> Enclosures:
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
