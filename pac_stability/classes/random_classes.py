"""Random tables, as instances to measure and to test with."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.limits import check_cells
from pac_stability.errors import InvalidInput


def random_class(
    hypotheses: int, points: int, density: Fraction | float = Fraction(1, 2), seed: int = 0
) -> FiniteClass:
    """Random table with independent entries, repeated rows dropped.

    Parameters
    ----------
    hypotheses, points
        Shape of the table before repeated rows are dropped.
    density
        Probability of a 1, from 0 to 1.
    seed
        A non-negative integer; equal seeds give equal tables.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the table would be too large.

    Examples
    --------
    >>> random_class(4, 3, seed=1) == random_class(4, 3, seed=1)
    True
    """
    rows, columns = as_size(hypotheses, "hypotheses"), as_size(points, "points")
    check_cells("random", rows, columns)
    if not 0 <= density <= 1:
        raise InvalidInput("density", str(density), "a probability")
    # The raw words of PCG64 are the same in every version of NumPy; its floats need not be.
    words = np.random.PCG64(as_size(seed, "seed")).random_raw(rows * columns)
    cut = int(Fraction(density) * 2**64)
    ones = words < np.uint64(cut) if cut < 2**64 else np.ones(rows * columns, dtype=np.bool_)
    return FiniteClass(ones.reshape(rows, columns))
