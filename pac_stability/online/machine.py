"""The standard optimal algorithm (SOA) without a table: what the compiled one is for tables."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.classes import ImplicitClass
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
    >>> soa.mistakes, soa.dimension()
    (1, 63)
    """

    def __init__(self, H: ImplicitClass, tie: int) -> None:
        self._states = SoaStates(H, tie)
        self._state = self._states.start
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
        return self._states.spaces.label(self.predictor, column)

    def update(self, column: int, label: int) -> None:
        """Take in an example."""
        self.mistakes += self.predict(column) != label
        self._state = self._states.step(self._state, column, label)

    def run(self, pairs: Iterable[tuple[int, int]]) -> list[int]:
        """Predict and take in a sequence; return the predictions."""
        predictions = []
        for column, label in pairs:
            predictions.append(self.predict(column))
            self.update(column, label)
        return predictions

    def copy(self) -> SoaMachine:
        """Return an independent one in the same state."""
        twin = object.__new__(SoaMachine)
        twin._states, twin._state = self._states, self._state
        twin.tie, twin.mistakes = self.tie, self.mistakes
        return twin
