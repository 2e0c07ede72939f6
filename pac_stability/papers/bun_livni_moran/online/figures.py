"""Figures 1 and 2 of the paper as computed objects, and as text."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np

from pac_stability.arguments import as_size
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import MistakeTree, shattered_tree
from pac_stability.papers.bun_livni_moran.tournaments.distribution import TournamentDistribution
from pac_stability.papers.bun_livni_moran.tournaments.record import TournamentRecord
from pac_stability.randomness import Coins, SeededCoins

_Rows: TypeAlias = frozenset[int]

_SEED = 5
"""The first seed of which the winners are those of the drawing in the paper."""


def figure_1_class() -> FiniteClass:
    """Return the thresholds of Figure 1: t_1, ..., t_8, with ``t_i(j) = 1`` exactly for i <= j.

    Examples
    --------
    >>> H = figure_1_class()
    >>> len(H), H.domain, H(2, 2), H(2, 3)
    (8, (1, 2, 3, 4, 5, 6, 7, 8), 0, 1)
    """
    return FiniteClass(np.triu(np.ones((8, 8), dtype=np.uint8)), domain=range(1, 9))


def figure_1() -> MistakeTree:
    """Return the tree of Figure 1: the only complete tree of depth 3 that these shatter.

    Examples
    --------
    >>> from pac_stability.dimensions.trees import tree_to_text
    >>> print(tree_to_text(figure_1(), figure_1_class().domain), end="")
    4
    ├─0─ 6
    │    ├─0─ 7
    │    │    ├─0─ h7
    │    │    └─1─ h6
    │    └─1─ 5
    │         ├─0─ h5
    │         └─1─ h4
    └─1─ 2
         ├─0─ 3
         │    ├─0─ h3
         │    └─1─ h2
         └─1─ 1
              ├─0─ h1
              └─1─ h0
    >>> count_shattered_trees(figure_1_class(), 3)
    1
    """
    return shattered_tree(figure_1_class())


def count_shattered_trees(H: FiniteClass, depth: int) -> int:
    """Count the complete trees of points of a given depth that a class shatters.

    Parameters
    ----------
    H
        The class.
    depth
        The depth, at least 0.

    Returns
    -------
    int
        The number of ways to write a point at each of the ``2**depth - 1`` questions such that each
        path is realized; hypotheses at the leaves are not told apart.

    Notes
    -----
    One sum over points for each version space that is met. Exponential at worst.

    Examples
    --------
    >>> from pac_stability.classes import cube
    >>> [count_shattered_trees(cube(3), depth) for depth in range(5)]
    [1, 3, 12, 12, 0]
    """
    columns = [frozenset(np.flatnonzero(column).tolist()) for column in H.table.T]

    @cache
    def count(rows: _Rows, left: int) -> int:
        if left == 0:
            return int(bool(rows))
        if len(rows) < 1 << left:
            return 0
        return sum(count(rows & ones, left - 1) * count(rows - ones, left - 1) for ones in columns)

    return count(frozenset(range(len(H))), as_size(depth, "depth"))


def figure_2(rng: Coins | None = None) -> TournamentRecord:
    """Draw a sample from a D_3, with its tournaments: what Figure 2 draws.

    The class is that of Figure 1, the target t_4 under the uniform distribution, n = 2, and the
    frequency threshold 1, so that D_3 is defined.

    Parameters
    ----------
    rng
        Where the coins come from; by default a seed for which the kept sides are those of the
        paper, so that the sample is ``T_010 o (x_01, y_01) o T_01 o (x_0, y_0) o T_0 o (x, y)``.

    Examples
    --------
    >>> record = figure_2()
    >>> record.path, parts_of_sample(record)
    ((0, 1, 0), ('T_010', '(x_01, y_01)', 'T_01', '(x_0, y_0)', 'T_0', '(x, y)'))
    """
    H = figure_1_class()
    target = FiniteDistribution.uniform([Example(x, H(3, x)) for x in H.domain])
    D_3 = TournamentDistribution(H, target, k=3, n=2, threshold=1)
    return D_3.run(SeededCoins(_SEED) if rng is None else rng)


def parts_of_sample(record: TournamentRecord) -> tuple[str, ...]:
    """Name the parts of a sample of D_k in order, after the places where they were drawn.

    Parameters
    ----------
    record
        The record of the sample.

    Returns
    -------
    tuple of str
        A name ``T_b`` for the n examples drawn at place b, then one ``(x_b, y_b)`` for the
        tournament example of the place above, from the first tournament to the last.
    """
    parts: list[str] = []
    path = "".join(map(str, record.path))
    for end in range(len(path), 0, -1):
        below, place = path[:end], path[: end - 1]
        parts += [f"T_{below}", f"(x_{place}, y_{place})" if place else "(x, y)"]
    return tuple(parts)
