"""Examples as integers, in arrays: the form in which many of them are read fast."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_size, described, require_instance
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran.streams.engine import Codes

P = TypeVar("P", bound=Hashable)


def example_codes(H: FiniteClass, sample: Sample[Hashable]) -> Codes:
    """Return examples as integers, for the fast ways to run on them.

    Parameters
    ----------
    H
        The class.
    sample
        Examples on points of its domain.

    Returns
    -------
    array of uint8 or uint16
        Twice the column of the point plus the label, for each example. Classes of more than
        32768 points are refused.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> example_codes(thresholds(3), Sample([2, 0], [1, 0]))
    array([5, 0], dtype=uint8)
    """
    require_instance(H, FiniteClass, "H")
    require_instance(sample, Sample, "sample")
    columns = np.fromiter(map(H.column, sample.points), dtype=np.int64, count=len(sample))
    labels = np.fromiter(sample.labels, dtype=np.int64, count=len(sample))
    return as_codes(2 * columns + labels, H)


def decoded(codes: Codes, domain: Sequence[P]) -> Sample[P]:
    """Return the sample whose :func:`example_codes` are given, on the points of a domain.

    Examples
    --------
    >>> decoded(np.array([5, 0], dtype=np.uint8), "abc") == Sample(["c", "a"], [1, 0])
    True
    """
    pairs = [divmod(code, 2) for code in codes.tolist()]
    return Sample([domain[column] for column, _ in pairs], [label for _, label in pairs])


def as_codes(codes: npt.NDArray[np.integer], H: FiniteClass) -> Codes:
    """Return codes of examples in the smallest type that has room for them, or refuse them."""
    points = len(H.domain)
    if points > 1 << 15:
        raise InvalidInput("H", f"{points} points", "at most 32768")
    array = np.asarray(codes)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidInput("chunks", described(codes), "arrays of integers, one an example")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 2 * points:
        wanted = f"codes from 0 to {2 * points - 1}: twice the column plus the label"
        raise InvalidInput("chunks", f"codes from {array.min()} to {array.max()}", wanted)
    if points <= 128:
        return np.ascontiguousarray(array, dtype=np.uint8)
    return np.ascontiguousarray(array, dtype=np.uint16)


class ExampleStream:
    """Examples as integers, twice the column plus the label, from chunks of any lengths.

    Parameters
    ----------
    chunks
        Arrays of integers: a list of one, or an iterator of a stream too large for memory, which is
        advanced as far as needed only.
    H
        The class, of at most 32768 points.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> import numpy as np
    >>> stream = ExampleStream([np.array([0, 3]), np.array([5, 1])], thresholds(3))
    >>> stream.take(3), stream.take(1)
    (array([0, 3, 5], dtype=uint8), array([1], dtype=uint8))
    """

    def __init__(self, chunks: Iterable[npt.NDArray[np.integer]], H: FiniteClass) -> None:
        require_instance(chunks, Iterable, "chunks")
        require_instance(H, FiniteClass, "H")
        self._chunks = iter(chunks)
        self._H = H
        self._left = as_codes(np.zeros(0, dtype=np.uint8), H)
        self._taken = 0

    def take(self, count: int) -> Codes:
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
