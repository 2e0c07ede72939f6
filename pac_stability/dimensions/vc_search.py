"""The VC dimension of a finite class and of its dual, exactly, with witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from pac_stability._core.vc import ShatteringSearch
from pac_stability.classes import FiniteClass, bits
from pac_stability.dimensions.anytime import AnytimeSearch, W
from pac_stability.dimensions.bounds import Bounds, ProgressCallback
from pac_stability.errors import InvalidInput

Table = npt.NDArray[np.uint8]

_PIECE = 4e6  # word operations between two looks at the clock: about 10 ms
_DENSE = 6  # from this k on, cells are kept as blocks of rows once they are small
_SMALL_CELL = 512
_NEVER = 32


@dataclass(frozen=True, slots=True)
class ShatteredSet:
    """A shattered set of points, with a hypothesis for each of its labellings.

    Attributes
    ----------
    points
        Column indices.
    hypotheses
        Row indices, ``2^len(points)`` of them: hypothesis ``b`` gives point ``j`` the bit ``j`` of
        ``b``, the lowest bit being bit 0.
    """

    points: tuple[int, ...]
    hypotheses: tuple[int, ...]

    def is_shattered_by(self, H: FiniteClass) -> bool:
        """Check every labelling against the table of ``H``."""
        return _is_shattered(H.table, self.points, self.hypotheses)

    def to_dict(self) -> dict[str, list[int]]:
        """Return plain lists, ready for JSON."""
        return {"points": list(self.points), "hypotheses": list(self.hypotheses)}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Inverse of :meth:`to_dict`; `InvalidInput` names what is missing or not an integer."""
        return cls(indices_of(data, "points"), indices_of(data, "hypotheses"))


@dataclass(frozen=True, slots=True)
class DualShatteredSet:
    """A set of hypotheses that the points shatter, with a point for each of its labellings.

    Attributes
    ----------
    hypotheses
        Row indices.
    points
        Column indices, ``2^len(hypotheses)`` of them: at point ``b`` hypothesis ``j`` has the label
        that is bit ``j`` of ``b``.
    """

    hypotheses: tuple[int, ...]
    points: tuple[int, ...]

    def is_shattered_by(self, H: FiniteClass) -> bool:
        """Check every labelling against the table of ``H``."""
        return _is_shattered(H.table.T, self.hypotheses, self.points)

    def to_dict(self) -> dict[str, list[int]]:
        """Return plain lists, ready for JSON."""
        return {"hypotheses": list(self.hypotheses), "points": list(self.points)}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Inverse of :meth:`to_dict`; `InvalidInput` names what is missing or not an integer."""
        return cls(indices_of(data, "hypotheses"), indices_of(data, "points"))


def indices_of(data: Mapping[str, object], key: str) -> tuple[int, ...]:
    """Read a list of indices from plain data."""
    given = data.get(key)
    if not isinstance(given, list | tuple) or not all(type(item) is int for item in given):
        raise InvalidInput(key, repr(given), "a list of integers")
    return tuple(given)


def _is_shattered(table: Table, columns: Sequence[int], rows: Sequence[int]) -> bool:
    n, m = table.shape
    return (
        len(rows) == 2 ** len(columns)
        and all(0 <= x < m for x in columns)
        and all(0 <= h < n for h in rows)
        and all(
            table[h, x] == pattern >> j & 1
            for pattern, h in enumerate(rows)
            for j, x in enumerate(columns)
        )
    )


class _ShatteringLevels(AnytimeSearch[W]):
    """Decides whether k columns are shattered, for k = 1, 2, ...; rows may repeat.

    The table is that of a class, or turned, when its points are the rows.
    """

    lower: int
    upper: int

    def __init__(
        self, H: FiniteClass, upper: int | None, max_memory: int | None, *, turned: bool
    ) -> None:
        self._class = H
        self._turned = turned
        rows, columns = len(H), len(H.domain)
        if turned:
            rows, columns = columns, rows
        self._found: tuple[int, ...] = ()
        if not turned and rows >= 2:
            self._found = (bits.first_difference(H.packed[0], H.packed[1]),)
        lower = min(rows, 1 + len(self._found)) - 1
        most = min(rows.bit_length() - 1, columns)
        super().__init__(lower, most if upper is None else max(lower, min(most, upper)), max_memory)
        self._columns = np.zeros(0, dtype=np.intp)
        self._folded = np.zeros((0, 0), dtype=np.uint8)
        self._level: ShatteringSearch | None = None
        self._nodes = 0

    def _preparing(self) -> Iterator[None]:
        """Keep distinct rows, and columns no two of which are equal up to complement.

        The best balanced column first. Complementing a column changes no answer. Everything is done
        on 64 entries at a time.
        """
        by_rows = by_columns = self._class.packed
        turned = yield from bits.transposed(by_rows, len(self._class.domain))
        if self._turned:
            by_rows = turned
            rows = bits.first_occurrences(by_rows)
        else:
            by_columns = turned
            rows = np.arange(len(by_rows))
        yield
        folded = by_columns.copy()
        folded[(folded[:, 0] & np.uint64(1)) == 1] ^= bits.mask_of(
            np.arange(len(by_rows)), len(by_rows)
        )
        yield
        columns = bits.first_occurrences(folded)
        folded = folded[columns]
        yield
        counts = bits.ones(folded & bits.mask_of(rows, len(by_rows)) if self._turned else folded)
        yield
        by_balance = np.argsort(np.abs(len(rows) - 2 * counts), kind="stable")
        by_balance = by_balance[counts[by_balance] > 0]
        turned = yield from bits.transposed(folded[by_balance], len(by_rows))
        prepared = yield from bits.unpacked(turned[rows], len(by_balance))
        self._columns, self._folded = columns[by_balance], prepared
        self.lower = max(self.lower, min(len(rows), 2) - 1)
        most = min(len(rows).bit_length() - 1, len(by_balance))
        self.upper = max(self.lower, min(self.upper, most))
        self._found = tuple(self._columns[: max(self.lower, 0)].tolist())

    @property
    def nodes(self) -> int:
        """Sets of columns tested so far."""
        return self._nodes + (0 if self._level is None else self._level.nodes)

    def _advance(self) -> bool:
        if self._level is None:
            k = self.lower + 1
            try:
                self._level = ShatteringSearch(
                    self._folded,
                    k,
                    row_level=_row_level(k, len(self._folded)),
                    max_memory=2**62 if self._max_memory is None else self._max_memory,
                )
            except MemoryError:
                if self._max_memory is None:
                    raise
                return False
        if self._level.advance(_PIECE):
            return True
        # An interrupt from here on costs nothing: the finished level gives the same answer again.
        found = self._level.witness
        nodes = self.nodes
        if found is None:
            self.upper = self.lower
        else:
            self._found = tuple(self._columns[list(found)].tolist())
            self.lower = len(found)
        self._level, self._nodes = None, nodes
        return True

    def _labels(self, column: int) -> Table:
        """Return what the rows have in a column."""
        if self._turned:
            return bits.unpack(self._class.packed[[column]], len(self._class.domain)).reshape(-1)
        shifted = self._class.packed[:, column // 64] >> np.uint64(column % 64)
        return (shifted & np.uint64(1)).astype(np.uint8)

    def _patterns(self) -> tuple[int, ...]:
        """For each labelling of the columns found, the first row that has it."""
        rows = len(self._class.domain) if self._turned else len(self._class)
        codes = np.zeros(rows, dtype=np.int64)
        for place, column in enumerate(self._found):
            codes |= self._labels(column).astype(np.int64) << place
        seen, first = np.unique(codes, return_index=True)
        if len(seen) != 2 ** len(self._found):
            raise RuntimeError("the compiled search returned columns that are not shattered")
        return tuple(first.tolist())


def _row_level(k: int, rows: int) -> int:
    """From which level on the compiled search keeps cells as blocks of rows; measured."""
    if k < _DENSE:
        return _NEVER
    return min(_NEVER, max(1, (rows // _SMALL_CELL).bit_length()))


class VCSearch(_ShatteringLevels[ShatteredSet]):
    """A search for the VC dimension that can be stopped and taken up again.

    Parameters
    ----------
    H
        The class.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. Not counted: copies of
        the table made in Python, and certificates.
    upper
        An upper bound known beforehand, such as the Littlestone dimension.

    Notes
    -----
    Exponential in the worst case; each level k is searched exhaustively. Settled levels, and the
    position inside the current one, are kept between runs. A random class of density 1/2 with 1024
    hypotheses on 64 points takes seconds, twice that may be out of reach.
    One search serves one thread at a time; two searches in two threads use two cores.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> VCSearch(FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])).run().value
    2
    """

    def __init__(
        self, H: FiniteClass, max_memory: int | None = None, *, upper: int | None = None
    ) -> None:
        super().__init__(H, upper, max_memory, turned=False)

    @property
    def witness(self) -> ShatteredSet | None:
        """A shattered set of size ``lower``; ``None`` only for the empty class."""
        return None if self.lower < 0 else ShatteredSet(self._found, self._patterns())


class DualVCSearch(_ShatteringLevels[DualShatteredSet]):
    """The same for the dual class, whose hypotheses are the distinct columns of ``H``.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> DualVCSearch(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]])).run().value
    2
    """

    def __init__(
        self, H: FiniteClass, max_memory: int | None = None, *, upper: int | None = None
    ) -> None:
        super().__init__(H, upper, max_memory, turned=True)

    @property
    def witness(self) -> DualShatteredSet | None:
        """A shattered set of hypotheses of size ``lower``; ``None`` only if there are no points."""
        return None if self.lower < 0 else DualShatteredSet(self._found, self._patterns())


def vc(
    H: FiniteClass,
    *,
    upper: int | None = None,
    time_limit: float | None = None,
    max_memory: int | None = None,
    progress: ProgressCallback | None = None,
) -> Bounds[ShatteredSet]:
    """VC dimension of a finite class, with a shattered set.

    The largest number of points that receive all their labellings from the class [Vapnik and
    Chervonenkis 1971]. Conventions: -1 for the empty class, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.
    upper
        An upper bound known beforehand, such as the Littlestone dimension.
    time_limit
        Seconds, looked at about every 10 ms; preparing the table is charged, writing the witness
        comes on top. ``None`` for no limit.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit. Not counted: copies of
        the table made in Python, and certificates.
    progress
        Called about ten times a second.

    Returns
    -------
    Bounds[ShatteredSet]
        Exact, or certified bounds when the budget ended.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> lines = FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]])
    >>> bounds = vc(lines)
    >>> bounds.value, bounds.witness.is_shattered_by(lines)
    (2, True)
    """
    return VCSearch(H, max_memory, upper=upper).run(time_limit=time_limit, progress=progress)


def vc_dimension(H: FiniteClass) -> int:
    """VC dimension of a finite class: -1 if empty, 0 for one hypothesis.

    Parameters
    ----------
    H
        The class.

    Notes
    -----
    Runs to the end; see `vc` for a budget, a witness, and the conventions.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> vc_dimension(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]]))
    1
    """
    return vc(H).value


def dual_vc(
    H: FiniteClass,
    *,
    upper: int | None = None,
    time_limit: float | None = None,
    max_memory: int | None = None,
    progress: ProgressCallback | None = None,
) -> Bounds[DualShatteredSet]:
    """VC dimension of the dual class, in which points label hypotheses.

    The largest number of hypotheses that receive all their labellings from the points [Assouad
    1983]. Conventions: -1 without points, 0 when all columns are equal.

    Parameters
    ----------
    H
        The class.
    upper, time_limit, max_memory, progress
        As for `vc`.

    Returns
    -------
    Bounds[DualShatteredSet]
        Exact, or certified bounds when the budget ended.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> dual_vc(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]])).witness
    DualShatteredSet(hypotheses=(0, 1), points=(0, 2, 1, 3))
    """
    return DualVCSearch(H, max_memory, upper=upper).run(time_limit=time_limit, progress=progress)


def dual_vc_dimension(H: FiniteClass) -> int:
    """VC dimension of the dual class: -1 without points, 0 when all columns are equal.

    Parameters
    ----------
    H
        The class.

    Notes
    -----
    Runs to the end; see `dual_vc` for a budget and a witness.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> dual_vc_dimension(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]]))
    2
    """
    return dual_vc(H).value
