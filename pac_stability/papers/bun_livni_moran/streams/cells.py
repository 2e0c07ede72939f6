"""Exact draws from fair bits: a uniform number is compared with borders, 64 bits at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from pac_stability.randomness import WeightedChoice

WORD_BITS = 64
_GUARD = 64
"""More bits of the powers than of the borders, beyond those that as many roundings use up."""


class Cells(ABC):
    """A distribution on ``0 .. size - 1``, as cells into which the unit interval is cut.

    A uniform number falls into a cell. Its first 64 bits leave open which one only if they are the
    first bits of a border as well; then further bits are asked for. So draws are exact, and nearly
    all of them need one word.
    """

    size: int

    @property
    @abstractmethod
    def weights(self) -> WeightedChoice:
        """The exact probabilities of the cells, up to a factor."""

    @abstractmethod
    def borders(self, bits: int) -> list[tuple[int, int]]:
        """Enclose the ``size - 1`` borders inside the unit interval, times ``2**bits``."""

    def words(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Return, for each border, the first and the last word that could be on either side.

        The last is below the first where a border is a multiple of 2^-64.
        """
        enclosed = self.borders(WORD_BITS)
        first = np.array([low for low, _ in enclosed], dtype=np.uint64)
        last = np.array([high - 1 for _, high in enclosed], dtype=np.uint64)
        return first, last

    def settle(self, word: int, more: Callable[[], int]) -> int:
        """Return the cell of the number that begins with a word, and goes on as needed.

        Parameters
        ----------
        word
            The first 64 bits.
        more
            Returns the next 64 bits, each time it is called.
        """
        bits = WORD_BITS
        while True:
            enclosed = self.borders(bits)
            cell = sum(low <= word for low, _ in enclosed)
            if cell == sum(high <= word for _, high in enclosed):
                return cell
            word = word << WORD_BITS | more()
            bits += WORD_BITS


class WeightedCells(Cells):
    """Cells in proportion to positive integers.

    Parameters
    ----------
    weights
        The integers, at least one.

    Examples
    --------
    >>> WeightedCells([1, 3]).settle(2**63, more=lambda: 0)
    1
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self._weights = tuple(weights)
        self.size: int = len(self._weights)

    @property
    def weights(self) -> WeightedChoice:
        """The exact probabilities of the cells, up to a factor."""
        return WeightedChoice(self._weights)

    def borders(self, bits: int) -> list[tuple[int, int]]:
        """Enclose the ``size - 1`` borders inside the unit interval, times ``2**bits``."""
        sums = list(accumulate(self._weights))
        total = sums.pop()
        return [((below << bits) // total, -((-below << bits) // total)) for below in sums]


class WaitingCells(Cells):
    """How often an event of constant probability fails to happen before it does.

    Cell ``i`` is "i times", for i below ``limit``; the last cell is "``limit`` times at least".
    The process has no memory, so that one more draw then says how often beyond.

    Parameters
    ----------
    stay
        The probability that the event does not happen, above 0 and below 1.
    limit
        The number of the last cell, at least 1.

    Examples
    --------
    >>> list(WaitingCells(Fraction(1, 3), 2).weights)
    [6, 2, 1]
    """

    def __init__(self, stay: Fraction, limit: int) -> None:
        self._stay = stay
        self.limit = limit
        self.size: int = limit + 1

    @property
    def weights(self) -> WeightedChoice:
        """The exact probabilities of the cells, up to a factor."""
        times = [self._stay**i * (1 - self._stay) for i in range(self.limit)]
        return WeightedChoice([*times, self._stay**self.limit])

    def borders(self, bits: int) -> list[tuple[int, int]]:
        """Enclose the borders ``1 - stay**i``, times ``2**bits``, by powers in fixed point."""
        guard = _GUARD + self.limit.bit_length()
        one = 1 << (bits + guard)
        low = one * self._stay.numerator // self._stay.denominator
        high = -(-one * self._stay.numerator // self._stay.denominator)
        enclosed = []
        power_low = power_high = one
        for _ in range(self.limit):
            power_low = power_low * low // one
            power_high = -(-power_high * high // one)
            # The border is below 1, whatever its enclosure.
            most = min(-(-(one - power_low) >> guard), 1 << bits)
            enclosed.append(((one - power_high) >> guard, most))
        return enclosed
