from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

@final
class SelectionWalk:
    def __new__(
        cls,
        codes: npt.NDArray[np.uint32],
        first: npt.NDArray[np.uint32],
        members: npt.NDArray[np.uint32],
        heads: npt.NDArray[np.uint32],
        mantissas: npt.NDArray[np.uint64],
        exponents: npt.NDArray[np.int64],
        start: npt.NDArray[np.uint64],
        steps: npt.NDArray[np.uint64],
        begins: npt.NDArray[np.int64],
        least: npt.NDArray[np.int64],
        max_memory: int = ...,
    ) -> SelectionWalk: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def sums(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...
    def advance(self, work: float) -> bool: ...
    def stop(self) -> None: ...
