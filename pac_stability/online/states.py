"""The standard optimal algorithm as a machine: what it remembers of a sequence, as one integer."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.arguments import as_label
from pac_stability.classes import FiniteClass, ImplicitClass, VersionSpaces
from pac_stability.dimensions import LittlestoneSearch, version_spaces
from pac_stability.errors import InvalidInput


class SoaStates:
    """The states of the SOA on a class, and its steps from one to the next.

    While some hypothesis agrees with the examples, the SOA knows the *version space* of those that
    do, and its predictor is a function of that set. After a contradiction it knows its predictor
    only, patched at one point by each further example [BLM20, Definition 8]. A state is
    therefore one integer ``s``:

    - ``s > 0`` is a version space: for a table, bit ``i`` is set when row ``i`` is in it;
    - ``s < 0`` is a patched predictor: for a table, ``~s`` has bit ``x`` set when point ``x`` has
      label 1.

    What follows depends on the past through the state only, and equal states are equal integers.
    A class without a table has its own language for both, see
    :class:`~pac_stability.classes.VersionSpaces`; nothing is listed there.

    Parameters
    ----------
    H
        The class, not empty. Points are columns of its table.
    tie
        The label predicted where both sides have the same Littlestone dimension. An empty side has
        dimension -1, so the SOA agrees with every example of a realizable past.
    search
        A search of ``H`` to go on with, where it is a table.

    Raises
    ------
    InvalidInput
        The class is empty, or ``tie`` is no label.

    Notes
    -----
    What a step and a predictor cost is up to the class. An object belongs to one thread.

    Examples
    --------
    >>> soa = SoaStates(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    >>> soa.start, soa.predictor(soa.start)
    (7, 2)
    >>> after_one = soa.step(soa.start, 0, 1)
    >>> after_one, soa.predictor(after_one)
    (4, 3)
    >>> contradicted = soa.step(after_one, 1, 0)
    >>> contradicted, soa.predictor(contradicted)
    (-2, 1)
    """

    def __init__(
        self,
        H: FiniteClass | ImplicitClass,
        tie: int = 1,
        search: LittlestoneSearch | None = None,
    ) -> None:
        self._H = H
        self.spaces: VersionSpaces = version_spaces(H, search)
        self._tie = as_label(tie, "tie")
        self._start, self._points = self.spaces.whole, self.spaces.points

    @property
    def start(self) -> int:
        """The state before the first example: the whole class."""
        return self._start

    @property
    def dimension(self) -> int:
        """The Littlestone dimension of the class."""
        return self.spaces.dimension(self._start)

    def step(self, state: int, point: int, label: int) -> int:
        """Return the state after one more example.

        Parameters
        ----------
        state
            A state of this machine.
        point
            The column of the point.
        label
            0 or 1.

        Raises
        ------
        InvalidInput
            There is no such column or label.
        """
        if not 0 <= point < self._points:
            raise InvalidInput("point", repr(point), f"a column below {self._points}")
        if label not in (0, 1):
            raise InvalidInput("label", repr(label), "0 or 1")
        if state > 0:
            part = self.spaces.part(state, point, label)
            if part:
                return part
        return ~self.spaces.relabelled(self.predictor(state), point, label)

    def predict(self, state: int, column: int) -> int:
        """Return the label that the predictor of a state has at a column."""
        if state < 0:
            return self.spaces.label(~state, column)
        return self.spaces.wins(state, column, self._tie)

    def run(self, state: int, examples: Iterable[tuple[int, int]]) -> int:
        """Return the state after a sequence of pairs (column, label)."""
        for point, label in examples:
            state = self.step(state, point, label)
        return state

    def predictor(self, state: int) -> int:
        """Return the labelling of a state: for a table, bit ``x`` is the label at column ``x``."""
        return ~state if state < 0 else self.spaces.optimal(state, self._tie)

    def __reduce__(self) -> tuple[type[SoaStates], tuple[FiniteClass | ImplicitClass, int]]:
        # What is remembered can be found again, and the search does not travel.
        return SoaStates, (self._H, self._tie)

    def __repr__(self) -> str:
        return f"SoaStates({self._H!r}, tie={self._tie})"
