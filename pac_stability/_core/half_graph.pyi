from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

@final
class HalfGraphSearch:
    def __new__(
        cls,
        table: npt.NDArray[np.uint8],
        *,
        lower: int,
        upper: int,
        memo: int,
        max_memory: int = ...,
        portable: bool = False,
        beside: HalfGraphSearch | None = None,
        ahead: int = 1,
    ) -> HalfGraphSearch: ...
    @property
    def bound(self) -> int: ...
    @property
    def best(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def witness_pairs(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None: ...
    @property
    def beside(self) -> HalfGraphSearch | None: ...
    def settle(self) -> None: ...
    def raise_to(self, best: int) -> None: ...
    def cap(self, bound: int) -> None: ...
    def advance(self, work: float) -> bool: ...
