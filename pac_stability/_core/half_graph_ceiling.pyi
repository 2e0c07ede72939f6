from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

@final
class HalfGraphCeiling:
    def __new__(
        cls,
        table: npt.NDArray[np.uint8],
        *,
        floor: int,
        upper: int,
        max_memory: int = ...,
        portable: bool = False,
    ) -> HalfGraphCeiling: ...
    @property
    def bound(self) -> int: ...
    @property
    def floor(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def advance(self, work: float) -> bool: ...
