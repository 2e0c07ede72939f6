"""Samples of vectors of small integers, in arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pac_stability.data import AnySample, ArraySample
from pac_stability.data.required import require_any_sample
from pac_stability.errors import InvalidInput

Codes = npt.NDArray[np.int64]


def coded(sample: AnySample, dimension: int, largest: int) -> tuple[Codes, npt.NDArray[np.uint8]]:
    """Return points, shape (n, dimension), and labels of a sample of vectors of integers.

    Parameters
    ----------
    sample
        Its points are vectors of integers from 0 to ``largest``.
    dimension
        How many coordinates they have.
    largest
        The largest integer allowed.

    Raises
    ------
    InvalidInput
        A point is something else.
    """
    require_any_sample(sample)
    wanted = f"points of {dimension} integers from 0 to {largest}"
    if not len(sample):
        return np.zeros((0, dimension), dtype=np.int64), np.zeros(0, dtype=np.uint8)
    arrays = sample if isinstance(sample, ArraySample) else _arrays(sample, wanted)
    points = arrays.points
    if points.ndim != 2 or points.shape[1] != dimension:
        shape = "numbers" if points.ndim == 1 else f"points of {points.shape[1]} numbers"
        raise InvalidInput("sample", shape, wanted)
    if points.min() < 0 or points.max() > largest or np.any(points != points.astype(np.int64)):
        raise InvalidInput("sample", f"numbers from {points.min()} to {points.max()}", wanted)
    return points.astype(np.int64), arrays.labels


def _arrays(sample: AnySample, wanted: str) -> ArraySample:
    try:
        return ArraySample(list(sample.points), list(sample.labels))
    except InvalidInput:
        raise InvalidInput("sample", "other points", wanted) from None
