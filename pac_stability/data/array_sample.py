"""Large samples of numbers, held in arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import described
from pac_stability.data.sample import Sample
from pac_stability.errors import InvalidInput

Numbers: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
"""Each entry is one exact number; a float is the dyadic rational that it stores."""

LARGEST_INTEGER = 1 << 62


class ArraySample:
    """An ordered sample of real numbers, or of real vectors, in arrays. Immutable.

    What :class:`Sample` is for a million examples and more: 8 bytes a number and one a label, where
    Python's objects take some 50. It has no examples to iterate over; :meth:`subset` makes a
    :class:`Sample` of a few, and a slice is an array sample.

    Parameters
    ----------
    points
        Shape (n,), numbers, or (n, p), vectors; integers below 2**62 in size, or finite floats of
        at most 64 bits, which are taken at their exact values. Copied.
    labels
        Shape (n,), each 0 or 1, of any integer or truth type. Copied.

    Raises
    ------
    InvalidInput
        A shape or a type is another one, a point is no finite number, or a label not 0 or 1.

    Examples
    --------
    >>> S = ArraySample([[0.5, 2.0], [1.5, 2.0], [0.5, 3.0]], [0, 1, 1])
    >>> len(S), S
    (3, ArraySample(3 points of R^2, float64))
    >>> S.subset([2, 0])
    Sample(points=((0.5, 3.0), (0.5, 2.0)), labels=(1, 0))
    """

    __slots__ = ("_labels", "_points")

    _points: Numbers
    _labels: npt.NDArray[np.uint8]

    def __init__(self, points: npt.ArrayLike, labels: npt.ArrayLike) -> None:
        self._points = _numbers(_array(points, "points"))
        self._labels = _labels(_array(labels, "labels"))
        if len(self._labels) != len(self._points):
            raise InvalidInput(
                "labels",
                f"{len(self._labels)} labels for {len(self._points)} points",
                "one label for each point",
            )

    @property
    def points(self) -> Numbers:
        """The points in order, shape (n,) or (n, p), read-only."""
        return self._points

    @property
    def labels(self) -> npt.NDArray[np.uint8]:
        """The labels in order, shape (n,), read-only."""
        return self._labels

    def subset(self, indices: Iterable[int]) -> Sample[Any]:
        """Return the examples at some positions, in the order given, as a Sample.

        Parameters
        ----------
        indices
            Positions, each at least 0 and below n; repetitions are kept.

        Returns
        -------
        Sample
            Its points are ``int`` or ``float``, or tuples of these.

        Raises
        ------
        InvalidInput
            A position is no integer, or outside the sample.
        """
        places = np.asarray(list(indices))
        wanted = f"positions from 0 to {len(self) - 1}"
        if places.size == 0:
            return Sample((), ())
        if places.dtype.kind not in "iu" or places.ndim != 1:
            raise InvalidInput("indices", described(places.tolist()), wanted)
        if places.min() < 0 or places.max() >= len(self):
            raise InvalidInput("indices", f"{places.min()} to {places.max()}", wanted)
        chosen = self._points[places].tolist()
        points = chosen if self._points.ndim == 1 else map(tuple, chosen)
        return Sample(points, self._labels[places].tolist())

    def __getitem__(self, part: slice) -> ArraySample:
        if not isinstance(part, slice):
            raise InvalidInput("part", described(part), "a slice; subset() takes single positions")
        return ArraySample(self._points[part], self._labels[part])

    def __len__(self) -> int:
        return len(self._labels)

    def __repr__(self) -> str:
        space = "R" if self._points.ndim == 1 else f"R^{self._points.shape[1]}"
        return f"ArraySample({len(self)} points of {space}, {self._points.dtype})"


AnySample: TypeAlias = Sample[Hashable] | ArraySample
"""What algorithms that run on samples of any size take."""


def _array(values: npt.ArrayLike, argument: str) -> npt.NDArray[Any]:
    try:
        return np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(argument, described(values), "an array of numbers") from None


def _numbers(array: npt.NDArray[Any]) -> Numbers:
    """Copy points as int64 or float64, whichever holds them exactly."""
    if array.ndim not in (1, 2) or 0 in array.shape[1:]:
        raise InvalidInput("points", f"an array of shape {array.shape}", "shape (n,) or (n, p)")
    numbers: Numbers
    if array.dtype.kind in "iu":
        if array.size and not -LARGEST_INTEGER < int(array.min()) <= int(array.max()) < (
            LARGEST_INTEGER
        ):
            raise InvalidInput("points", "an integer of 63 bits or more", "integers below 2**62")
        numbers = array.astype(np.int64)
    elif array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        numbers = array.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise InvalidInput("points", "a number that is not finite", "finite numbers")
    else:
        wanted = "integers, or floats of at most 64 bits"
        raise InvalidInput("points", f"an array of type {array.dtype}", wanted)
    numbers.flags.writeable = False
    return numbers


def _labels(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    if array.ndim != 1:
        raise InvalidInput("labels", f"an array of shape {array.shape}", "shape (n,)")
    if array.size and (array.dtype.kind not in "iub" or array.min() < 0 or array.max() > 1):
        raise InvalidInput("labels", described(array.tolist()), "labels 0 and 1, as integers")
    labels = array.astype(np.uint8)
    labels.flags.writeable = False
    return labels
