"""Coins from a finite string of bits."""

from __future__ import annotations

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
