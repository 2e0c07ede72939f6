from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

@final
class AdversarySearch:
    def __new__(
        cls,
        counts: npt.NDArray[np.int32],
        low: npt.NDArray[np.int32],
        high: npt.NDArray[np.int32],
        begins: npt.NDArray[np.int64],
        samples: npt.NDArray[np.uint32],
        digits: npt.NDArray[np.uint32],
    ) -> AdversarySearch: ...
    @property
    def tried(self) -> int: ...
    @property
    def found(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]: ...
    def advance(self, work: float) -> bool: ...
    def scores(self, test: int) -> npt.NDArray[np.uint64]: ...
