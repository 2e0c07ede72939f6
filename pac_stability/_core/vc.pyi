from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

@final
class ShatteringSearch:
    def __new__(
        cls,
        table: npt.NDArray[np.uint8],
        k: int,
        *,
        row_level: int,
        max_memory: int = ...,
        portable: bool = False,
    ) -> ShatteringSearch: ...
    @property
    def k(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def witness(self) -> tuple[int, ...] | None: ...
    @property
    def root(self) -> int: ...
    def advance(self, work: float) -> bool: ...
    def search_roots(self, first: int, last: int) -> None: ...
    def stop_before(self, last: int) -> None: ...
