"""Independent oracles, straight from the definitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest


@pytest.fixture(scope="session")
def ldim() -> Callable[[npt.NDArray[np.uint8]], int]:
    """Littlestone dimension of a table by its recursion over sets of rows."""

    def of(table: npt.NDArray[np.uint8]) -> int:
        rows = [tuple(int(bit) for bit in row) for row in table]

        @cache
        def dimension(space: frozenset[tuple[int, ...]]) -> int:
            if len(space) <= 1:
                return len(space) - 1
            best = 0
            for x in range(table.shape[1]):
                one = frozenset(row for row in space if row[x])
                if one and one != space:
                    best = max(best, 1 + min(dimension(one), dimension(space - one)))
            return best

        return dimension(frozenset(rows))

    return of
