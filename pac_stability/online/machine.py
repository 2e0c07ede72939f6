"""A state of the standard optimal algorithm (SOA) that goes from one example to the next."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.dimensions import LittlestoneSearch
from pac_stability.online.states import SoaStates


class SoaMachine:
    """A state of the SOA, with a count of its mistakes.

    Parameters
    ----------
    H
        The class.
    tie
        The label predicted where both sides have the same dimension.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> soa = SoaMachine(implicit.thresholds(2**64), tie=1)
    >>> soa.predict(2**63), soa.dimension()
    (1, 64)
    >>> soa.update(2**63, label=0)
    1
    >>> soa.mistakes, soa.dimension()
    (1, 63)
    """

    def __init__(
        self,
        H: FiniteClass | ImplicitClass,
        tie: int,
        search: LittlestoneSearch | None = None,
    ) -> None:
        self._states = SoaStates(H, tie, search)
        self._state = self._states.start
        self._known: dict[int, int] = {}  # predictions at this state, by column
        self.tie = tie
        self.mistakes = 0

    @property
    def realizable(self) -> bool:
        """Whether some hypothesis agrees with every example so far."""
        return self._state > 0

    @property
    def space(self) -> int:
        """The version space; 0 when it is empty."""
        return max(self._state, 0)

    @property
    def size(self) -> int:
        """How many hypotheses are in the version space."""
        return self._states.spaces.size(self.space)

    @property
    def predictor(self) -> int:
        """The labelling that the algorithm predicts by."""
        return self._states.predictor(self._state)

    def dimension(self) -> int:
        """Return the Littlestone dimension of the version space."""
        return self._states.spaces.dimension(self.space)

    def side_dimensions(self, column: int) -> tuple[int, int]:
        """Return the dimensions of both sides of the version space."""
        return self._states.spaces.sides(self.space, column)

    def predict(self, column: int) -> int:
        """Return the label at a column."""
        label = self._known.get(column)
        if label is None:
            label = self._known[column] = self._states.predict(self._state, column)
        return label

    def update(self, column: int, label: int) -> int:
        """Take in an example; return the prediction before it."""
        predicted = self.predict(column)
        after = self._states.step(self._state, column, label)
        if after != self._state:
            self._state, self._known = after, {}
        self.mistakes += predicted != label
        return predicted

    def run(self, pairs: Iterable[tuple[int, int]]) -> list[int]:
        """Predict and take in a sequence; return the predictions."""
        return [self.update(column, label) for column, label in pairs]

    def copy(self) -> SoaMachine:
        """Return an independent one in the same state."""
        twin = object.__new__(SoaMachine)
        twin._states, twin._state, twin._known = self._states, self._state, dict(self._known)
        twin.tie, twin.mistakes = self.tie, self.mistakes
        return twin
