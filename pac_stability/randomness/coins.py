"""What a program may ask of its coins, and the exact answers made from fair bits."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Protocol

from pac_stability.arguments import as_fraction, as_size, in_words
from pac_stability.errors import InvalidInput
from pac_stability.randomness.exact_generator import ExactGenerator
from pac_stability.randomness.weights import WeightedChoice


class Coins(Protocol):
    """A source of independent random choices with exactly rational probabilities."""

    def below(self, n: int, /) -> int:
        """Return one of ``0 .. n - 1``, each with probability ``1/n``."""
        ...

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        """Return an index, each with probability its weight over the sum of the weights."""
        ...

    def bernoulli(self, p: int | Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise."""
        ...


class BitCoins(ExactGenerator):
    """Coins that turn fair bits into exactly weighted choices, in integers throughout.

    A subclass supplies the bits. A choice among ``n`` equal cases reads as many bits as ``n - 1``
    has and starts again when they exceed it, so the law is exact and less than two attempts are
    made on average. Nothing is read where only one case is possible. The methods of
    ``random.Random`` and ``numpy.random.Generator`` that have an exact law are there, too:
    :class:`~pac_stability.randomness.ExactGenerator`.
    """

    __slots__ = ()

    @abstractmethod
    def bits(self, count: int, /) -> int:
        """Return an integer made of ``count >= 1`` independent fair bits."""

    def below(self, n: int, /) -> int:
        """Return one of ``0 .. n - 1``, each with probability ``1/n``.

        Raises
        ------
        InvalidInput
            ``n`` is not a positive integer.
        """
        size = as_size(n, "n", least=1)
        if size == 1:
            return 0
        count = (size - 1).bit_length()
        while True:
            candidate = self.bits(count)
            if candidate < size:
                return candidate

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        """Return an index, each with probability its weight over the sum of the weights.

        Parameters
        ----------
        weights
            Non-negative exact numbers, not all zero. To draw many times from the same ones, make a
            :class:`~pac_stability.randomness.WeightedChoice` of them first.

        Raises
        ------
        InvalidInput
            A weight is negative or not exact, or they sum to zero.
        """
        table = weights if isinstance(weights, WeightedChoice) else WeightedChoice(weights)
        return table.at(self.below(table.total))

    def bernoulli(self, p: int | Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise.

        Raises
        ------
        InvalidInput
            ``p`` is not an exact number between 0 and 1.
        """
        probability = as_fraction(p, "p")
        above, below = probability.as_integer_ratio()  # compared faster than the fraction
        if not 0 <= above <= below:
            raise InvalidInput("p", in_words(probability), "a probability between 0 and 1")
        return 1 if self.below(below) < above else 0


class SystemCoins(BitCoins):
    """Coins from the operating system's entropy, the source for anything private.

    Bits are read from the system at each request and never kept, so a forked process does not
    repeat its parent's choices.

    Examples
    --------
    >>> 0 <= SystemCoins().below(6) < 6
    True
    """

    __slots__ = ()

    def bits(self, count: int, /) -> int:
        """Return an integer made of ``count`` bits of the operating system's entropy."""
        return secrets.randbits(count)


SYSTEM_COINS: Final = SystemCoins()
"""The default coins wherever a method takes some."""
