"""One draw of discrete Laplace noise from the operating system's words, exactly."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from secrets import token_bytes
from struct import Struct

from pac_stability.mechanisms.enclosed_draws import Enclosures, borders, settled_choice
from pac_stability.mechanisms.geometric_digits import digits_drawn, geometric
from pac_stability.mechanisms.noise_digits import digit_groups
from pac_stability.randomness import SYSTEM_COINS

_WORD = 64
"""How many bits of a uniform number are looked at first; as many more are in reserve."""

_TOGETHER = 4
"""So many digits are chosen by a word, at most: the borders of few cases are soon made."""


def system_noise(decay: Fraction, most: int) -> int:
    """Return discrete Laplace noise, but for sizes from ``1 + most`` on some such size.

    Parameters
    ----------
    decay
        r, above 0 and below 1.
    most
        From ``1 + most`` on the sizes need not be told apart, a non-negative integer.

    Notes
    -----
    The system is asked once, for a number of words that is a function of ``decay`` and ``most``
    alone: two for each group of :func:`~pac_stability.mechanisms.noise_digits.digit_groups`. The
    first is compared with certified borders, and the second is read where it lies within one. More
    is asked for where both leave a case open, or where the size has more digits than are drawn at
    first: with a probability below ``2**-64``, for sizes of up to 80 digits.

    Measured: 1.6 to 2.6 microseconds for a decay of ``e**-1`` to ``e**-.0001``, after 25 to 110 for
    the borders, which are kept. Coins for the single digits would take 30 to 190 to be made.
    """
    return _noise(decay.numerator, decay.denominator, most).draw(most)


@lru_cache(maxsize=256)
def _noise(numerator: int, denominator: int, most: int) -> _Noise:
    """Return what draws; asked with integers, as to hash a fraction takes a microsecond."""
    decay = Fraction(numerator, denominator)
    return _noise_of(decay, digits_drawn(decay, most))


@lru_cache(maxsize=256)
def _noise_of(decay: Fraction, digits: int) -> _Noise:
    return _Noise(decay, digits)


class _Noise:
    """Discrete Laplace noise of one decay, so many digits of which are drawn at first."""

    __slots__ = ("_beyond", "_decay", "_first", "_octets", "_others", "_signed", "_words")

    def __init__(self, decay: Fraction, digits: int) -> None:
        groups = digit_groups(decay, digits, _TOGETHER)
        self._decay, self._beyond = decay, groups.beyond
        self._signed = list(zip(groups.signs, groups.sizes, strict=True))
        self._first = _Choice(groups.first)
        self._others = [(_Choice(enclosed), place) for enclosed, place in groups.others]
        self._words = Struct(f"={2 * (1 + len(groups.others))}Q")
        self._octets = self._words.size

    def draw(self, most: int) -> int:
        words = iter(self._words.unpack(token_bytes(self._octets)))
        sign, size = self._signed[self._first.at(next(words), next(words))]
        number = size
        for (choice, place), word, reserve in zip(self._others, words, words, strict=False):
            number += choice.at(word, reserve) << place
        if size > self._beyond:
            # A geometric number forgets what it has passed.
            further = geometric(self._decay, max(most - self._beyond, 0), SYSTEM_COINS)
            number = 1 + min(self._beyond + further, most)
        return sign * number


class _Choice:
    """A choice with weights that are enclosed, made ready for single words."""

    __slots__ = ("_enclosed", "_maybe", "_surely")

    def __init__(self, enclosed: Callable[[int], Enclosures]) -> None:
        self._enclosed = enclosed
        maybe, self._surely = borders(enclosed, _WORD)
        self._maybe = [*maybe, 1 << _WORD]  # no word is in a case after the last

    def at(self, word: int, reserve: int) -> int:
        """Return the index that a uniform number chooses of which two words are known."""
        index = bisect_right(self._surely, word)
        if self._maybe[index] > word:
            return index
        return settled_choice(word << _WORD | reserve, 2 * _WORD, self._enclosed, SYSTEM_COINS)
