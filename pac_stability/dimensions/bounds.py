"""Anytime searches: how they run, and the bounds that they return.

Witnesses of a dimension, in indices of rows and columns; certified bounds with the witness of the
lower one; and the base of searches that run under a budget, can be interrupted at any moment, and
continue from there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from time import perf_counter
from typing import ClassVar, Generic, Self, TypeVar

from pac_stability._report import Face, Reported, Tabled, aligned, html_table, latex_table
from pac_stability.classes.family import TableLike, as_table
from pac_stability.data.display import shown
from pac_stability.errors import BudgetExhausted, InvalidInput

_NAMES = ("domain", "names")


@dataclass(frozen=True, slots=True, repr=False)
class TableWitness(Tabled):
    """Points and hypotheses of a class, as indices; shown as a table with their names.

    Parameters
    ----------
    domain, names
        The points of its columns and the names of its rows, if it was found in a class. They serve
        the table only: comparisons ignore them.
    """

    domain: tuple[Hashable, ...] | None = field(default=None, compare=False, kw_only=True)
    names: tuple[str, ...] | None = field(default=None, compare=False, kw_only=True)

    def of(self, H: TableLike) -> Self:
        """Return the same with the names of the points and hypotheses of a class."""
        H = as_table(H)
        return replace(self, domain=tuple(H.domain), names=H.names)

    def to_dict(self) -> dict[str, int | list[int]]:
        """Return plain lists, ready for JSON."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self._indices().items()
        }

    def _indices(self) -> dict[str, int | tuple[int, ...]]:
        own = (each.name for each in fields(self) if each.name not in _NAMES)
        return {name: getattr(self, name) for name in own}

    def _rows(self) -> Mapping[str, object]:
        def told(kind: str, index: int) -> str:
            if kind == "points":
                return f"x{index}" if self.domain is None else str(self.domain[index])
            return f"h{index}" if self.names is None else self.names[index]

        return {
            kind: told(kind, found)
            if isinstance(found, int)
            else tuple(told(kind, index) for index in found)
            for kind, found in self._indices().items()
        }


@dataclass(frozen=True, slots=True, repr=False)
class PointsAndHypotheses(TableWitness):
    """A witness that is a list of points and one of hypotheses."""

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Inverse of :meth:`to_dict`; `InvalidInput` names the missing or wrong field."""
        own = (each.name for each in fields(cls) if each.name not in _NAMES)
        return cls(*(_indices_of(data, name) for name in own))


def _indices_of(data: Mapping[str, object], key: str) -> tuple[int, ...]:
    """Read a list of indices from plain data."""
    given = data.get(key)
    if not isinstance(given, list | tuple) or not all(type(item) is int for item in given):
        raise InvalidInput(key, repr(given), "a list of integers")
    return tuple(given)


# Certified bounds

W_co = TypeVar("W_co", covariant=True)


@dataclass(frozen=True, repr=False)  # no slots: Python 3.11 cannot write Bounds[W](...) with them
class Bounds(Reported, Generic[W_co]):
    """Certified bounds ``lower <= dimension <= upper``.

    Attributes
    ----------
    lower, upper
        The certified bounds; equal when the search finished.
    witness
        An object that attains ``lower`` and can be checked by itself (a shattered tree or set, a
        half graph); ``None`` only for the empty class.
    nodes
        Sub-problems visited, a deterministic measure of work.
    seconds
        Wall-clock time spent, for reports only.
    note
        In words, why the bounds are not better, when the budget ended early; for example before the
        search proper had begun. Empty otherwise.
    """

    _face: ClassVar[str] = "pac_stability.dimensions.bounds:bounds_face"

    lower: int
    upper: int
    witness: W_co | None
    nodes: int = 0
    seconds: float = 0.0
    note: str = ""

    def __repr__(self) -> str:
        state = f"{self.lower}" if self.exact else f"{self.lower}..{self.upper}"
        return f"<{type(self).__name__}: {state}{', exact' if self.exact else ''}>"

    @property
    def exact(self) -> bool:
        """Whether the two bounds meet."""
        return self.lower == self.upper

    @property
    def value(self) -> int:
        """The dimension, when it is known exactly.

        Raises
        ------
        BudgetExhausted
            The bounds do not meet; it carries both.
        """
        if not self.exact:
            raise BudgetExhausted(
                f"the search ended with bounds {self.lower}..{self.upper}"
                f"{self.note and f' ({self.note})'}; allow more time or memory",
                self.lower,
                self.upper,
            )
        return self.lower


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """One report of a running search, handed to its ``progress`` callback.

    Attributes
    ----------
    lower, upper
        The bounds certified so far.
    nodes
        Sub-problems visited so far.
    seconds
        Wall-clock time spent so far.
    """

    lower: int
    upper: int
    nodes: int
    seconds: float


ProgressCallback = Callable[[SearchProgress], None]


def bounds_cells(bounds: Bounds[object]) -> tuple[str, str, str, str]:
    """Return the value, whether it is exact, the sub-problems and the time, as ``dims`` has them.

    Examples
    --------
    >>> bounds_cells(Bounds(3, 5, None, 1200, 0.25))
    ('3..5', 'bounds', '1,200', '0.250 s')
    """
    value = str(bounds.lower) if bounds.exact else f"{bounds.lower}..{bounds.upper}"
    state = "exact" if bounds.exact else "bounds"
    return value, state, f"{bounds.nodes:,}", f"{bounds.seconds:.3f} s"


def bounds_face(bounds: Bounds[object]) -> Face:
    """Return certified bounds as a table."""
    value, state, nodes, time = bounds_cells(bounds)
    rows = [("value", f"{value} ({state})")]
    if isinstance(bounds.witness, TableWitness):
        rows += [(kind, shown(found)) for kind, found in bounds.witness._rows().items()]
    rows += [("sub-problems", nodes), ("time", time)]
    if bounds.note:
        rows.append(("note", bounds.note))
    return Face(
        lambda: aligned(rows), html=lambda: html_table(rows), latex=lambda: latex_table(rows)
    )


# Searches under a budget

W = TypeVar("W")

_REPORT_EVERY = 0.1  # seconds

UNPREPARED = "the time was over while the table was being prepared"
"""The note of bounds that follow from the size of the table alone."""


class Pieces:
    """Work that pauses about every 10 ms.

    Parameters
    ----------
    begin
        Starts the work, also after an exception, from which an iterator does not recover.
    """

    def __init__(self, begin: Callable[[], Iterator[None]]) -> None:
        self._begin = begin
        self._running: Iterator[None] | None = None
        self.done = False

    def advance(self) -> None:
        """Do one piece, and note whether it was the last."""
        if self._running is None:
            self._running = self._begin()
        try:
            next(self._running)
        except StopIteration:
            self.done = True
            self._running = None
        except BaseException:
            self._running = None
            raise


class AnytimeSearch(ABC, Generic[W]):
    """A search that proceeds in short pieces and keeps certified bounds between them.

    Attributes
    ----------
    lower, upper
        The bounds certified so far; before the first run, those that the size of the table gives.

    Notes
    -----
    Preparing the table counts towards the time limit and also proceeds in pieces. No work starts
    before the first run.
    """

    def __init__(self, lower: int, upper: int, max_memory: int | None) -> None:
        if max_memory is not None and max_memory < 1:
            raise InvalidInput("max_memory", repr(max_memory), "a positive number of bytes")
        self.lower: int = lower
        self.upper: int = upper
        self._max_memory = max_memory
        self._seconds = 0.0
        self._aim: int | None = None
        self._preparation = Pieces(self._preparing)

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Sub-problems visited so far."""

    @property
    @abstractmethod
    def witness(self) -> W | None:
        """An object that attains ``lower``."""

    @abstractmethod
    def _preparing(self) -> Iterator[None]:
        """Prepare the table, pausing about every 10 ms; from the start if it was left."""

    def _piece(self) -> bool:
        if self._preparation.done:
            return self._advance()
        self._preparation.advance()
        return True

    @abstractmethod
    def _advance(self) -> bool:
        """Do one piece of about 10 ms; return False when memory forbids to go on.

        An exception that strikes between two pieces must leave the search fit to go on.
        """

    def _undecided(self) -> bool:
        """Whether there is more to be found."""
        if self._aim is None:
            return self.lower < self.upper
        return self.lower < self._aim <= self.upper

    def run(
        self,
        *,
        time_limit: float | None = None,
        progress: ProgressCallback | None = None,
        aim: int | None = None,
    ) -> Bounds[W]:
        """Search until the dimension is known or the budget ends; call again to go on.

        Parameters
        ----------
        time_limit
            Seconds for this call, checked about every 10 ms. They include preparing the table, but
            not writing the witness. ``None`` for no limit.
        progress
            Called about ten times a second. An exception from it ends the run.
        aim
            Only decide whether the dimension is at least this; ``None`` to find it.

        Returns
        -------
        Bounds
            The bounds so far, with a witness of the lower one.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C; the search can be run again.
        """
        if time_limit is not None and not time_limit > 0:
            raise InvalidInput("time_limit", repr(time_limit), "a positive number of seconds")
        self._aim = aim
        before = self._seconds
        begun = reported = perf_counter()
        try:
            while self._undecided() and self._piece():
                now = perf_counter()
                if progress is not None and (
                    now - reported >= _REPORT_EVERY or not self._undecided()
                ):
                    reported = now
                    progress(
                        SearchProgress(self.lower, self.upper, self.nodes, before + now - begun)
                    )
                if time_limit is not None and now - begun >= time_limit:
                    break
        finally:
            self._seconds = before + perf_counter() - begun
        note = UNPREPARED if self._undecided() and not self._preparation.done else ""
        return Bounds(self.lower, self.upper, self.witness, self.nodes, self._seconds, note)


N = TypeVar("N")
_MOST_OPEN = 3_000_000


class BestFirst(AnytimeSearch[W], Generic[N, W]):
    """Branch and bound, best node first, so that the upper bound falls.

    A subclass yields the first nodes in ``_roots`` and the successors of a node in ``_children``,
    each with an upper bound. It raises :attr:`lower` when it finds more.
    """

    def __init__(self, lower: int, upper: int, max_nodes: int | None) -> None:
        super().__init__(lower, upper, None)
        self._most_nodes = max_nodes
        self._nodes = 0
        self._waiting: dict[int, list[N]] = {}

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""
        return self._nodes

    @abstractmethod
    def _roots(self) -> Iterator[None]:
        """Open the first nodes, pausing about every 10 ms."""

    @abstractmethod
    def _children(self, node: N, /) -> None:
        """Open what a node leads to."""

    def _open(self, node: N, reach: int) -> None:
        self._waiting.setdefault(min(reach, self.upper), []).append(node)

    def _preparing(self) -> Iterator[None]:
        self._waiting.clear()
        yield from self._roots()

    def _advance(self) -> bool:
        if sum(map(len, self._waiting.values())) > _MOST_OPEN:
            return False
        end = perf_counter() + 0.01
        while self.lower < self.upper and perf_counter() < end:
            waiting = self._waiting.get(self.upper)
            if not waiting:
                self.upper -= 1
                continue
            if self._most_nodes is not None and self._nodes >= self._most_nodes:
                return False
            last = len(waiting) - 1
            self._children(waiting[last])
            self._nodes += 1
            del waiting[last]  # in this order, so that an exception loses nothing
        return True
