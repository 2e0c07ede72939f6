"""How often each point of a sample has each label: counted once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability.data.sample import Sample


class LabelCounts(NamedTuple):
    """The points of a sample, without repetitions, and how often each has each label.

    Attributes
    ----------
    points
        In order of first appearance.
    zeros, ones
        How many examples of the point have the label 0, and 1; arrays of int64, read-only.
    """

    points: tuple[Hashable, ...]
    zeros: npt.NDArray[np.int64]
    ones: npt.NDArray[np.int64]


class _Numbers(dict[Hashable, int]):
    """Points, numbered as they are met."""

    def __missing__(self, point: Hashable) -> int:
        number = self[point] = len(self)
        return number


def label_counts_of(sample: Sample[Hashable]) -> LabelCounts:
    """Return the label counts of a sample, which keeps them: O(n) the first time.

    Examples
    --------
    >>> label_counts_of(Sample("abaa", [0, 1, 1, 0]))
    LabelCounts(points=('a', 'b'), zeros=array([2, 0]), ones=array([1, 1]))
    """
    known: LabelCounts | None = getattr(sample, "_counted", None)
    if known is not None:
        return known
    labels = np.frombuffer(bytes(sample.labels), dtype=np.uint8)
    numbers = _Numbers()
    # No step of Python's for each example, but for a point that is new.
    places = np.fromiter(map(numbers.__getitem__, sample.points), dtype=np.int64, count=len(labels))
    counts = np.bincount(2 * places + labels, minlength=2 * len(numbers)).astype(np.int64)
    counts.setflags(write=False)
    known = LabelCounts(tuple(numbers), counts[::2], counts[1::2])
    sample._counted = known
    return known
