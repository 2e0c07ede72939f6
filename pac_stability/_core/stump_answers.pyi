from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

@final
class StumpAnswers:
    def __new__(
        cls,
        ranks: npt.NDArray[np.uint32],
        begins: npt.NDArray[np.int64],
        errors: npt.NDArray[np.int64],
        size: int,
        powers: npt.NDArray[np.uint64],
        spread: int,
        max_memory: int,
    ) -> StumpAnswers: ...
    @property
    def memory(self) -> int: ...
    @property
    def digits(self) -> int: ...
    @property
    def answered(self) -> int: ...
    @property
    def used(self) -> int: ...
    @property
    def chosen(self) -> npt.NDArray[np.int64]: ...
    def candidates(
        self, indices: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
    def answers(
        self,
        words: npt.NDArray[np.uint64],
        places: npt.NDArray[np.uint32],
        labels: npt.NDArray[np.uint8],
    ) -> int: ...
