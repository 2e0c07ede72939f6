"""Samples of vectors of small integers, in arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size
from pac_stability.data import AnySample, ArraySample
from pac_stability.data.sample import require_any_sample
from pac_stability.errors import InvalidInput

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CodedSample:
    """Examples whose points are vectors of integers and whose labels are any of several.

    Parameters
    ----------
    points
        Integers, shape (n, p).
    labels
        n integers from 0 to ``kinds - 1``.
    kinds
        How many labels there are, at least 2.

    Raises
    ------
    InvalidInput
        The points are no table of integers, or there is not one label in range for each.

    Examples
    --------
    >>> len(CodedSample(np.array([[0, 3], [1, 2], [4, 4]]), np.array([0, 2, 1]), kinds=3))
    3
    """

    points: Codes = field(repr=False)
    labels: npt.NDArray[np.int64] = field(repr=False)
    kinds: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", as_size(self.kinds, "kinds", 2))
        points, labels = np.asarray(self.points), np.asarray(self.labels)
        if points.ndim != 2 or points.dtype.kind not in "iub":
            raise InvalidInput("points", f"{points.dtype}, shape {points.shape}", "(n, p) integers")
        if labels.shape != points.shape[:1] or labels.dtype.kind not in "iub":
            given = f"{labels.dtype}, shape {labels.shape}"
            raise InvalidInput("labels", given, f"{len(points)} integers")
        if labels.size and not (labels.min() >= 0 and labels.max() < self.kinds):
            given = f"labels from {labels.min()} to {labels.max()}"
            raise InvalidInput("labels", given, f"labels from 0 to {self.kinds - 1}")
        object.__setattr__(self, "points", points.astype(np.int64))
        object.__setattr__(self, "labels", labels.astype(np.int64))

    def __len__(self) -> int:
        return len(self.labels)


def coded(
    sample: AnySample | CodedSample, dimension: int, largest: int, kinds: int = 2
) -> tuple[Codes, npt.NDArray[np.uint8] | npt.NDArray[np.int64]]:
    """Return points, shape (n, dimension), and labels of a sample of vectors of integers.

    Parameters
    ----------
    sample
        Its points are vectors of integers from 0 to ``largest``.
    dimension
        How many coordinates they have.
    largest
        The largest integer allowed.
    kinds
        How many labels there may be.

    Raises
    ------
    InvalidInput
        A point is something else.
    """
    wanted = f"points of {dimension} integers from 0 to {largest}"
    if isinstance(sample, CodedSample):
        if sample.kinds > kinds:
            raise InvalidInput("sample", f"{sample.kinds} kinds of labels", f"at most {kinds}")
    else:
        require_any_sample(sample)
    if not len(sample):
        return np.zeros((0, dimension), dtype=np.int64), np.zeros(0, dtype=np.uint8)
    arrays = sample if isinstance(sample, ArraySample | CodedSample) else _arrays(sample, wanted)
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
