"""Coins from the operating system or from a seed."""

from __future__ import annotations

from pac_stability.randomness.coins import (
    SYSTEM_COINS as SYSTEM_COINS,
    BitCoins as BitCoins,
    Coins as Coins,
    SeededCoins as SeededCoins,
    SystemCoins as SystemCoins,
)
from pac_stability.randomness.exact_generator import ExactGenerator as ExactGenerator
from pac_stability.randomness.lazy_uniform import LazyUniform as LazyUniform
from pac_stability.randomness.undecided import InexactDraw as InexactDraw
from pac_stability.randomness.weights import WeightedChoice as WeightedChoice
