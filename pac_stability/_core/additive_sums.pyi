from __future__ import annotations

import numpy as np
import numpy.typing as npt

def path_sums(
    copies: npt.NDArray[np.int32],
    windows: npt.NDArray[np.int32],
    steps: npt.NDArray[np.float64],
    *,
    two_states: bool,
    leave_on_miss: bool,
    chain: int,
    block: int,
    factors: npt.NDArray[np.float64],
    ends: npt.NDArray[np.float64],
    sums: npt.NDArray[np.float64],
    end_sums: npt.NDArray[np.float64],
    totals: npt.NDArray[np.float64],
) -> int: ...
