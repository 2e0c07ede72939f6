"""Coins from a finite string of bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.randomness import BitCoins


class OutOfBits(Exception):
    """The finite string of bits is used up."""


class FixedBits(BitCoins):
    """Coins fed from one string of bits."""

    def __init__(self, value: int, length: int) -> None:
        self.value, self.left = value, length

    def bits(self, count: int, /) -> int:
        if count > self.left:
            raise OutOfBits
        self.left -= count
        result = self.value & ((1 << count) - 1)
        self.value >>= count
        return result


@dataclass
class Words:
    """Coins that answer from a list of words of 64 bits, in order, and then with zeros."""

    words: list[int]

    def below(self, n: int, /) -> int:
        count, rest = divmod(n.bit_length() - 1, 64)
        assert rest == 0
        assert n == 1 << 64 * count
        taken, self.words = self.words[:count], self.words[count:]
        return sum(word << 64 * place for place, word in enumerate(taken))

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        raise AssertionError(f"{len(weights)} weights are written out")

    def bernoulli(self, p: int | Fraction, /) -> int:
        raise AssertionError(f"{p} is written out")
