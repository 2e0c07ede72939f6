"""Baselines that the library itself does not need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pac_stability.classes.bits import columns_of


def plain_vc(table: npt.NDArray[np.uint8]) -> int:
    """VC dimension: extend shattered sets point by point, pruning by the size of the cells."""
    columns = columns_of(table)

    def extends(cells: list[int], start: int, missing: int) -> bool:
        if missing == 0:
            return True
        need = 1 << (missing - 1)
        for i in range(start, len(columns) - missing + 1):
            halves = [part for cell in cells for part in (cell & columns[i], cell & ~columns[i])]
            if min(half.bit_count() for half in halves) >= need and extends(
                halves, i + 1, missing - 1
            ):
                return True
        return False

    k = 0
    while 1 << (k + 1) <= len(table) and extends([(1 << len(table)) - 1], 0, k + 1):
        k += 1
    return k


def plain_selection(
    rows: Sequence[tuple[int, ...]], points: Sequence[int], weights: Sequence[float], size: int
) -> list[float]:
    """The chance of each row: the first of its pattern on a random index subset, by weight."""
    law = [0.0] * len(rows)
    share = 1 / math.comb(len(points), size)
    for chosen in combinations(points, size):
        first: dict[tuple[int, ...], int] = {}
        for index, row in enumerate(rows):
            first.setdefault(tuple([row[x] for x in chosen]), index)
        whole = sum(weights[index] for index in first.values())
        for index in first.values():
            law[index] += share * weights[index] / whole
    return law
