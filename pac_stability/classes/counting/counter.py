"""Error counts of many hypotheses on a large sample, without evaluating each at each example."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described
from pac_stability.classes.bits import Table
from pac_stability.classes.counting.points import WeightedPoints, Weights
from pac_stability.classes.counting.sums import LabelledSums
from pac_stability.classes.hypothesis import Hypothesis
from pac_stability.data import AnySample, ArraySample, Sample
from pac_stability.errors import InvalidInput


class ErrorCounter:
    """A sample made ready to count the errors of any hypotheses on it.

    What depends on the sample alone, such as its order along a coordinate, is computed when it is
    first needed and kept, so that to count again is cheap.

    Parameters
    ----------
    sample
        S, a :class:`~pac_stability.data.Sample` or :class:`~pac_stability.data.ArraySample`.

    Raises
    ------
    InvalidInput
        It is neither.

    Notes
    -----
    The errors of h are the number of examples labelled 1, plus the sum of ``1 - 2y`` over the
    examples (x, y) with h(x) = 1. That sum is found, for n examples and N hypotheses, by

    ========================  ====================================================================
    thresholds, stumps        sorting along each coordinate used, once; then ``O(N log n)``
    unions of intervals       the same
    boxes in R^p              a histogram on the grid of their sides: ``O(n p)``, and m^p cells for
                              m sides along each coordinate, and 2^p of them for each box
    halfspaces of R^p         neighbouring points are settled in blocks, the blocks that a
                              hyperplane meets point by point: in floats with a proven bound on
                              their error; what they leave open is decided in integers
    finite sets of points     a dictionary of the sample's points, once; then their members
    rows of a finite class    ``O(N m)`` for m distinct points
    others                    evaluation at every distinct point
    ========================  ====================================================================

    All comparisons are exact: a float, of the sample or of a hypothesis, is the number it stores.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> counter = ErrorCounter(ArraySample([0.25, 0.5, 0.75, 1.0], [0, 1, 0, 1]))
    >>> counter.count(Thresholds().representatives_on([0.5, 1])).tolist()
    [1, 1, 2]
    """

    def __init__(self, sample: AnySample) -> None:
        if isinstance(sample, ArraySample):
            labels = sample.labels
            points = WeightedPoints(sample.points, _surplus(labels))
        elif isinstance(sample, Sample):
            labels = np.fromiter(sample.labels, dtype=np.uint8, count=len(sample))
            positions = {point: i for i, point in enumerate(dict.fromkeys(sample.points))}
            surplus = np.zeros((len(positions), 1), dtype=np.int64)
            np.add.at(surplus, [positions[point] for point in sample.points], _surplus(labels))
            points = WeightedPoints(positions, surplus)
        else:
            raise InvalidInput("sample", described(sample), "a Sample or an ArraySample")
        self.sample = sample
        self.ones: int = int(labels.sum(dtype=np.int64))
        self.sums: LabelledSums = LabelledSums(points)

    @staticmethod
    def of(sample: AnySample | ErrorCounter) -> ErrorCounter:
        """Return the counter of a sample, or the one that was given."""
        return sample if isinstance(sample, ErrorCounter) else ErrorCounter(sample)

    def count(self, hypotheses: Iterable[Hypothesis]) -> npt.NDArray[np.int64]:
        """Return the number of errors of each hypothesis.

        Parameters
        ----------
        hypotheses
            Any hypotheses, of one family or of several.

        Returns
        -------
        array of int64, shape (len(hypotheses),)
            For each h the number of examples (x, y) with h(x) != y, repetitions counted.

        Raises
        ------
        InvalidInput
            A point of the sample is not in the domain of a hypothesis, or gets a label that is not
            0 or 1.
        """
        return self.ones + self.sums.of(list(hypotheses))[:, 0]


class Labeller:
    """Points made ready to be labelled by any hypotheses, by the methods of :class:`ErrorCounter`.

    Parameters
    ----------
    points
        Points of the domain; they may be repeated.

    Examples
    --------
    >>> from pac_stability.classes import Intervals
    >>> Labeller([0, 1, 2, 1]).labels(Intervals().representatives_on([1, 2])).tolist()
    [[0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 0]]
    """

    def __init__(self, points: Iterable[Hashable]) -> None:
        given = list(points)
        positions = {point: index for index, point in enumerate(dict.fromkeys(given))}
        self._columns = [positions[point] for point in given]
        # The sum of these weights over the points labelled 1 is the row of labels.
        indicators = np.eye(len(positions), dtype=np.int64)
        self._sums = LabelledSums(WeightedPoints(positions, indicators))

    def labels(self, hypotheses: Iterable[Hypothesis]) -> Table:
        """Return the labels of the points.

        Parameters
        ----------
        hypotheses
            Any hypotheses, of one family or of several.

        Returns
        -------
        array of uint8, shape (len(hypotheses), len(points))

        Raises
        ------
        InvalidInput
            As for :meth:`ErrorCounter.count`.
        """
        return self._sums.of(list(hypotheses))[:, self._columns].astype(np.uint8)


def _surplus(labels: npt.NDArray[np.uint8]) -> Weights:
    """What h adds to the errors when it labels an example 1, as a column."""
    return 1 - 2 * labels.astype(np.int64)[:, None]
