"""Where coins come from: the operating system, or a seed."""

from __future__ import annotations

from pac_stability.randomness.coins import SYSTEM_COINS as SYSTEM_COINS
from pac_stability.randomness.coins import BitCoins as BitCoins
from pac_stability.randomness.coins import Coins as Coins
from pac_stability.randomness.coins import SystemCoins as SystemCoins
from pac_stability.randomness.seeded import SeededCoins as SeededCoins
from pac_stability.randomness.weights import WeightedChoice as WeightedChoice
