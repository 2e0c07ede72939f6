"""Classes from a seed, and their targets."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability import Example, FiniteClass, FiniteDistribution


def random_class(seed: int, rows: int, columns: int, density: float = 0.5) -> FiniteClass:
    rng = np.random.default_rng(seed)
    return FiniteClass((rng.random((rows, columns)) < density).astype(np.uint8))


def table_of_stumps(seed: int, points: int, features: int) -> npt.NDArray[np.uint8]:
    """All cuts of random points at a feature, on either side: many equal lines in every state."""
    values = np.random.default_rng(seed).integers(0, 9, size=(points, features))
    above = values.T[:, :, None] <= values.T[:, None, :]
    return np.unique(np.concatenate([*above, *~above]).astype(np.uint8), axis=0)


def labelled(H: FiniteClass, row: int, weights: Sequence[int]) -> FiniteDistribution[Example[int]]:
    """The points 0, 1, ... with these weights, labelled by a row."""
    total = sum(weights)
    return FiniteDistribution(
        {Example(x, H(row, x)): Fraction(w, total) for x, w in enumerate(weights) if w}
    )
