"""The VC dimension of a finite class and of its dual, exactly, with witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pac_stability.classes import FiniteClass
from pac_stability.dimensions.bounds import Bounds, ProgressCallback
from pac_stability.dimensions.shattering_levels import ShatteringLevels, Table
from pac_stability.dimensions.witnesses import PointsAndHypotheses


@dataclass(frozen=True, slots=True, repr=False)
class ShatteredSet(PointsAndHypotheses):
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


@dataclass(frozen=True, slots=True, repr=False)
class DualShatteredSet(PointsAndHypotheses):
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


class VCSearch(ShatteringLevels[ShatteredSet]):
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
    threads
        How many threads share a level that takes long; the answer is that of one.

    Notes
    -----
    Exponential in the worst case; each level k is searched exhaustively, from below and, once a
    level takes long, also from the largest k that is left, so that both bounds close. Settled
    levels, and the positions inside those begun, are kept between runs. A random class of density
    1/2 with 1024 hypotheses on 64 points takes seconds, twice that may be out of reach.
    One search serves one thread at a time; two searches in two threads use two cores.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> VCSearch(FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])).run().value
    2
    """

    def __init__(
        self,
        H: FiniteClass,
        max_memory: int | None = None,
        *,
        upper: int | None = None,
        threads: int = 1,
    ) -> None:
        super().__init__(H, upper, max_memory, turned=False, threads=threads)

    @property
    def witness(self) -> ShatteredSet | None:
        """A shattered set of size ``lower``; ``None`` only for the empty class."""
        return (
            None if self.lower < 0 else ShatteredSet(self._found, self._patterns()).of(self._class)
        )


class DualVCSearch(ShatteringLevels[DualShatteredSet]):
    """The same for the dual class, whose hypotheses are the distinct columns of ``H``.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> DualVCSearch(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]])).run().value
    2
    """

    def __init__(
        self,
        H: FiniteClass,
        max_memory: int | None = None,
        *,
        upper: int | None = None,
        threads: int = 1,
    ) -> None:
        super().__init__(H, upper, max_memory, turned=True, threads=threads)

    @property
    def witness(self) -> DualShatteredSet | None:
        """A shattered set of hypotheses of size ``lower``; ``None`` only if there are no points."""
        return (
            None
            if self.lower < 0
            else DualShatteredSet(self._found, self._patterns()).of(self._class)
        )


def vc(
    H: FiniteClass,
    *,
    upper: int | None = None,
    threads: int = 1,
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
    threads
        How many threads share a level that takes long. The bounds and the witness of a search that
        ends are those of one thread; a witness found under a limit is one of its level, too.
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
    return VCSearch(H, max_memory, upper=upper, threads=threads).run(
        time_limit=time_limit, progress=progress
    )


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
    threads: int = 1,
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
    upper, threads, time_limit, max_memory, progress
        As for `vc`.

    Returns
    -------
    Bounds[DualShatteredSet]
        Exact, or certified bounds when the budget ended.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> dual_vc(FiniteClass([[0, 0, 1, 1], [0, 1, 0, 1]])).witness
    <DualShatteredSet: hypotheses h0, h1, points 0, 2, 1, 3>
    """
    return DualVCSearch(H, max_memory, upper=upper, threads=threads).run(
        time_limit=time_limit, progress=progress
    )


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
