"""Classes from a seed, and their targets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution


def random_class(seed: int, rows: int, columns: int, density: float = 0.5) -> FiniteClass:
    rng = np.random.default_rng(seed)
    return FiniteClass((rng.random((rows, columns)) < density).astype(np.uint8))


def labelled(H: FiniteClass, row: int, weights: Sequence[int]) -> FiniteDistribution[Example[int]]:
    """The points 0, 1, ... with these weights, labelled by a row."""
    total = sum(weights)
    return FiniteDistribution(
        {Example(x, H(row, x)): Fraction(w, total) for x, w in enumerate(weights) if w}
    )
