from __future__ import annotations

import numpy as np
import numpy.typing as npt

def most_patterns(
    table: npt.NDArray[np.uint64],
    columns: int,
    points: npt.NDArray[np.int64],
    more: int,
    least: int,
) -> tuple[int, list[int], int]: ...
