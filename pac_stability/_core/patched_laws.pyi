from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

@final
class PatchedLaw:
    def __new__(
        cls,
        points: int,
        limbs: int,
        columns: npt.NDArray[np.int64],
        labels: npt.NDArray[np.uint8],
        factors: npt.NDArray[np.uint64],
        max_memory: int,
    ) -> PatchedLaw: ...
    @property
    def points(self) -> int: ...
    @property
    def words(self) -> int: ...
    @property
    def limbs(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def add(self, keys: npt.NDArray[np.uint64], weights: npt.NDArray[np.uint64]) -> None: ...
    def draw(self, work: float) -> bool: ...
    def weights(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]: ...
    def entries(
        self, begin: int, end: int
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...
    def summary(
        self, begin: int, end: int
    ) -> tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...

@final
class PatchedTournament:
    def __new__(
        cls,
        law: PatchedLaw,
        into: PatchedLaw,
        keys: npt.NDArray[np.uint64],
        weights: npt.NDArray[np.uint64],
        order: npt.NDArray[np.int64],
    ) -> PatchedTournament: ...
    @property
    def met(
        self,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint64]]: ...
    def advance(self, work: float) -> bool: ...
