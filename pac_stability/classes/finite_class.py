"""A finite hypothesis class as a 0/1 table: one row a hypothesis, one column a point."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt


class FiniteClass:
    """A finite hypothesis class over finitely many points."""

    def __init__(self, table: npt.ArrayLike, domain: Sequence[Hashable] | None = None) -> None:
        full = np.ascontiguousarray(np.asarray(table), dtype=np.uint8)
        _, first = np.unique(full, axis=0, return_index=True)
        self._table = full[np.sort(first)]
        self._table.setflags(write=False)
        self._domain: tuple[Hashable, ...] = tuple(
            range(self._table.shape[1]) if domain is None else domain
        )

    @property
    def table(self) -> npt.NDArray[np.uint8]:
        """Read-only C-contiguous array of shape (|H|, |X|), rows distinct."""
        return self._table

    @property
    def domain(self) -> tuple[Hashable, ...]:
        """The points, one for each column."""
        return self._domain

    def __len__(self) -> int:
        return int(self._table.shape[0])
