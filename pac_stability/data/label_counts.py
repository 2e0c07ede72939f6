"""How often each point of a sample has each label: counted once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pac_stability.data.sample import Sample

_FEW = 64
"""So many examples are counted one by one, each time: arrays would take longer."""


class LabelCounts(NamedTuple):
    """The points of a sample, without repetitions, and which label each has how much more often.

    Attributes
    ----------
    points
        In order of first appearance.
    surplus
        By how many more examples of the point have the label 0 than 1; int64, may be read-only.
    ones
        How many examples have the label 1.
    """

    points: tuple[Hashable, ...]
    surplus: npt.NDArray[np.int64]
    ones: int


class _Numbers(dict[Hashable, int]):
    """Points, numbered as they are met."""

    def __missing__(self, point: Hashable) -> int:
        number = self[point] = len(self)
        return number


def label_counts_of(sample: Sample[Hashable]) -> LabelCounts:
    """Return the label counts of a sample, which keeps them if it is long: O(n) the first time.

    Examples
    --------
    >>> label_counts_of(Sample("abaa", [0, 1, 1, 0]))
    LabelCounts(points=('a', 'b'), surplus=array([ 1, -1]), ones=2)
    """
    if len(sample.labels) <= _FEW:
        return _one_by_one(sample)
    known: LabelCounts | None = getattr(sample, "_counted", None)
    if known is None:
        known = _all_at_once(sample)
        sample._counted = known
    return known


def _one_by_one(sample: Sample[Hashable]) -> LabelCounts:
    ones = sum(sample.labels)
    surplus = dict.fromkeys(sample.points, 0)
    for point, label in zip(sample.points, sample.labels, strict=True):
        surplus[point] += 1 - 2 * label
    values = np.fromiter(surplus.values(), dtype=np.int64, count=len(surplus))
    return LabelCounts(tuple(surplus), values, ones)


def _all_at_once(sample: Sample[Hashable]) -> LabelCounts:
    labels = np.frombuffer(bytes(sample.labels), dtype=np.uint8)
    numbers = _Numbers()
    # No step of Python's for each example, but for a point that is new.
    places = np.fromiter(map(numbers.__getitem__, sample.points), dtype=np.int64, count=len(labels))
    counts = np.bincount(2 * places + labels, minlength=2 * len(numbers)).astype(np.int64)
    surplus = counts[::2] - counts[1::2]
    surplus.setflags(write=False)
    return LabelCounts(tuple(numbers), surplus, int(counts[1::2].sum()))
