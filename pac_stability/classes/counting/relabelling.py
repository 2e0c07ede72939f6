"""A sample labelled by a hypothesis."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pac_stability.classes.counting.points import WeightedPoints
from pac_stability.classes.counting.ranks import at_least, at_most
from pac_stability.classes.families.boxes import Box
from pac_stability.classes.families.intervals import UnionOfIntervals
from pac_stability.classes.families.stumps import Stump
from pac_stability.classes.families.thresholds import Threshold
from pac_stability.classes.hypothesis import Hypothesis
from pac_stability.data import AnySample, ArraySample, Sample

_NO_WEIGHTS = np.zeros((0, 0), dtype=np.int64)


def relabelled(sample: AnySample, h: Hypothesis) -> AnySample:
    """Return the points of a sample with the labels that a hypothesis gives them: S_h in DF20.

    Parameters
    ----------
    sample
        S; its labels do not matter.
    h
        A hypothesis.

    Returns
    -------
    Sample or ArraySample
        As the sample is.

    Raises
    ------
    InvalidInput
        A point is not in the domain of h, or gets a label that is not 0 or 1.

    Notes
    -----
    Thresholds, stumps, unions of intervals and boxes are compared with whole arrays, exactly; other
    hypotheses are evaluated at each point.

    Examples
    --------
    >>> from pac_stability.classes import Threshold
    >>> relabelled(ArraySample([0.5, 0.25, 0.75], [0, 0, 0]), Threshold(0.5)).labels.tolist()
    [1, 0, 1]
    """
    if isinstance(sample, Sample):
        return Sample(sample.points, [h(point) for point in sample.points])
    return ArraySample(sample.points, _labels(WeightedPoints(sample.points, _NO_WEIGHTS), h))


def _labels(points: WeightedPoints, h: Hypothesis) -> npt.NDArray[np.bool_] | list[int]:
    if isinstance(h, Threshold):
        return at_least(points.on_line(), h.cut) ^ (not h.upward)
    if isinstance(h, Stump):
        return at_least(points.in_space(h.dimension)[h.coordinate], h.cut) ^ (not h.upward)
    if isinstance(h, UnionOfIntervals):
        line = points.on_line()
        inside = np.zeros(len(line), dtype=bool)
        for low, high in h.intervals:
            inside |= at_least(line, low) & at_most(line, high)
        return inside
    if isinstance(h, Box):
        coordinates = points.in_space(len(h.low))
        inside = np.ones(len(coordinates[0]), dtype=bool)
        for entries, low, high in zip(coordinates, h.low, h.high, strict=True):
            inside &= at_least(entries, low) & at_most(entries, high)
        return inside
    return [h(point) for point in points.values]
