from __future__ import annotations

import numpy as np
import numpy.typing as npt

def find_star(
    table: npt.NDArray[np.uint64],
    centers: npt.NDArray[np.uint8],
    limits: npt.NDArray[np.int64],
    place: npt.NDArray[np.int64],
    shared: int,
    work: int,
) -> tuple[int, list[int], int, int, int]: ...
