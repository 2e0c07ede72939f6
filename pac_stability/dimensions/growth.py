"""The growth function of a finite class, exactly, and the Sauer-Shelah bound on it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pac_stability.classes import FiniteClass
from pac_stability.errors import BudgetExhausted, InvalidInput


def sauer_shelah_bound(m: int, d: int) -> int:
    """Largest number of patterns on ``m`` points in a class of VC dimension ``d``.

    The sum of C(m, i) over i = 0, ..., d [Sauer 1972; Shelah 1972]; at most
    (em/d)^d for m >= d >= 1.

    Parameters
    ----------
    m
        Number of points, at least 0.
    d
        VC dimension, at least -1 (the empty class, which has no pattern).

    Examples
    --------
    >>> [sauer_shelah_bound(4, d) for d in range(-1, 5)]
    [0, 1, 5, 11, 15, 16]
    """
    if m < 0:
        raise InvalidInput("m", str(m), "a non-negative integer")
    if d < -1:
        raise InvalidInput("d", str(d), "an integer from -1 on")
    total = term = 1 if d >= 0 else 0
    for i in range(min(m, d)):
        term = term * (m - i) // (i + 1)
        total += term
    return total


def growth_function(H: FiniteClass, m: int, *, max_nodes: int = 1_000_000) -> int:
    """Largest number of patterns of the class on a set of at most ``m`` points.

    Written tau_m in [DF20, Lemma 5]. "At most" makes it defined when the domain has fewer
    than ``m`` points; a further point never merges patterns, so sets of exactly ``min(m, |X|)``
    points decide.

    Parameters
    ----------
    H
        The class.
    m
        Number of points, at least 0.
    max_nodes
        Sets of points that may be looked at.

    Raises
    ------
    BudgetExhausted
        More sets were needed; carries the bounds reached.

    Notes
    -----
    Enumerates sets point by point, refining the partition of H, and leaves a set when even doubling
    with every further point could not beat the best: at most C(|X|, m) sets of ``O(|H|)`` each.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> thresholds = FiniteClass([[i < j for i in range(5)] for j in range(6)])
    >>> [growth_function(thresholds, m) for m in range(7)]
    [1, 2, 3, 4, 5, 6, 6]
    """
    if m < 0:
        raise InvalidInput("m", str(m), "a non-negative integer")
    if max_nodes < 1:
        raise InvalidInput("max_nodes", str(max_nodes), "a positive number")
    if len(H) == 0:
        return 0
    columns = H.table.T.astype(np.int64)
    m = min(m, len(columns))
    most = min(len(H), 2**m)
    best = nodes = 1
    # Entries: size of the set, next column, patterns, the pattern of each hypothesis.
    stack: list[tuple[int, int, int, npt.NDArray[np.int64]]] = [
        (0, 0, 1, np.zeros(len(H), dtype=np.int64))
    ]
    while stack and best < most:
        size, column, patterns, labels = stack.pop()
        best = max(best, patterns)
        missing = m - size
        if missing > len(columns) - column or min(len(H), patterns << missing) <= best:
            continue
        if nodes >= max_nodes:
            raise BudgetExhausted(
                f"growth function: more than {max_nodes} sets of points; allow more", best, most
            )
        nodes += 1
        if missing < len(columns) - column:
            stack.append((size, column + 1, patterns, labels))
        split = 2 * labels + columns[column]
        present = np.zeros(2 * patterns, dtype=np.int64)
        present[split] = 1
        new = np.cumsum(present) - 1
        stack.append((size + 1, column + 1, int(new[-1]) + 1, new[split]))
    return best
