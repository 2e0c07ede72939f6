"""Examples as integers, in arrays: the form in which many of them are read fast."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size, described, require_instance
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.classes.family import require_class
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput

P = TypeVar("P", bound=Hashable)

AnyCodes: TypeAlias = npt.NDArray[Any]
"""Examples as integers, twice the column plus the label, in an array of any integers."""


def example_codes(H: FiniteClass | ImplicitClass, sample: Sample[Hashable]) -> AnyCodes:
    """Return examples as integers, for the fast ways to run on them.

    Parameters
    ----------
    H
        The class.
    sample
        Examples on points of its domain.

    Returns
    -------
    array of integers
        Twice the column of the point plus the label, for each example, in the smallest unsigned
        type that has room for all the points; Python's integers where none has.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> example_codes(thresholds(3), Sample([2, 0], [1, 0]))
    array([5, 0], dtype=uint8)
    """
    require_class(H)
    require_instance(sample, Sample, "sample")
    codes = [2 * H.column(x) + y for x, y in zip(sample.points, sample.labels, strict=True)]
    return np.array(codes, dtype=_type_for(points_of(H)))


def points_of(H: FiniteClass | ImplicitClass) -> int:
    """Return how many points a class is about."""
    return H.points if isinstance(H, ImplicitClass) else len(H.domain)


def as_pairs(codes: AnyCodes) -> list[tuple[int, int]]:
    """Return the column and the label of each example."""
    return [divmod(code, 2) for code in codes.tolist()]


def decoded(codes: AnyCodes, point: Callable[[int], P]) -> Sample[P]:
    """Return the sample whose :func:`example_codes` are given; ``point`` names the columns.

    Examples
    --------
    >>> decoded(np.array([5, 0], dtype=np.uint8), "abc".__getitem__) == Sample("ca", [1, 0])
    True
    """
    pairs = as_pairs(codes)
    return Sample([point(column) for column, _ in pairs], [label for _, label in pairs])


def _type_for(points: int) -> type[np.unsignedinteger[Any]] | type[object]:
    """Return the smallest type for the codes of examples on so many points."""
    for bits, kind in ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64)):
        if 2 * points <= 1 << bits:
            return kind
    return object


def as_codes(codes: AnyCodes, H: FiniteClass | ImplicitClass) -> AnyCodes:
    """Return codes of examples in the smallest type that has room for them, or refuse them."""
    points = points_of(H)
    array = np.asarray(codes)
    if array.ndim != 1 or not _are_integers(array):
        raise InvalidInput("chunks", described(codes), "arrays of integers, one an example")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 2 * points:
        wanted = f"codes from 0 to {2 * points - 1}: twice the column plus the label"
        raise InvalidInput("chunks", f"codes from {array.min()} to {array.max()}", wanted)
    return np.ascontiguousarray(array, dtype=_type_for(points))


def _are_integers(array: AnyCodes) -> bool:
    if array.dtype.kind == "O":
        return all(type(code) is int for code in array.tolist())
    return array.dtype.kind in "iu"


class ExampleStream:
    """Examples as integers, twice the column plus the label, from chunks of any lengths.

    Parameters
    ----------
    chunks
        Arrays of integers: a list of one, or an iterator of a stream too large for memory, which is
        advanced as far as needed only.
    H
        The class.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> import numpy as np
    >>> stream = ExampleStream([np.array([0, 3]), np.array([5, 1])], thresholds(3))
    >>> stream.take(3), stream.take(1)
    (array([0, 3, 5], dtype=uint8), array([1], dtype=uint8))
    """

    def __init__(self, chunks: Iterable[AnyCodes], H: FiniteClass | ImplicitClass) -> None:
        require_instance(chunks, Iterable, "chunks")
        require_class(H)
        self._chunks = iter(chunks)
        self._H = H
        self._left = as_codes(np.zeros(0, dtype=np.uint8), H)
        self._taken = 0

    def take(self, count: int) -> AnyCodes:
        """Return the next examples.

        Raises
        ------
        InvalidInput
            There are fewer, or one is none.

        Notes
        -----
        Without a copy where they lie in one chunk of the right type.
        """
        count = as_size(count, "count")
        parts, missing = [self._left[:count]], count - len(self._left)
        self._left = self._left[count:]
        while missing > 0:
            chunk = next(self._chunks, None)
            if chunk is None:
                given = self._taken + count - missing
                wanted = f"at least {self._taken + count}"
                raise InvalidInput("examples", f"{given} examples", wanted)
            codes = as_codes(chunk, self._H)
            parts.append(codes[:missing])
            self._left = codes[missing:]
            missing -= len(codes)
        self._taken += count
        held = [part for part in parts if len(part)]
        return held[0] if len(held) == 1 else as_codes(np.concatenate(parts), self._H)
