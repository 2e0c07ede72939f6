"""What an anytime search returns: certified bounds, and the witness of the lower one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from pac_stability._report import Face, Reported, aligned, html_table, latex_table
from pac_stability.data.display import shown
from pac_stability.dimensions.witnesses import TableWitness
from pac_stability.errors import BudgetExhausted

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
        In words, why the bounds are no better than they are, when the budget ended early: before
        the search proper had begun, say. Empty otherwise.
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
    """Return what certified bounds say."""
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
