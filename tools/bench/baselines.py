"""Baselines that the library itself does not need."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pac_stability.dimensions.reference import columns_of


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
