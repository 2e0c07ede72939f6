from __future__ import annotations

import numpy as np
import numpy.typing as npt

def sparse_errors(
    codes: npt.NDArray[np.uint32],
    labels: npt.NDArray[np.uint8],
    largest: int,
    choices: npt.NDArray[np.int32],
    cuts: npt.NDArray[np.int32],
) -> npt.NDArray[np.int64]: ...
