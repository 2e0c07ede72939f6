"""A state of the standard optimal algorithm (SOA) that goes from one example to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable

import numpy as np

from pac_stability.arguments import as_label
from pac_stability.data import Example
from pac_stability.online.required import as_pairs
from pac_stability.online.states import SoaStates


class SoaMachine(ABC):
    """A state of the SOA, with a count of its mistakes.

    Attributes
    ----------
    states
        What it goes through.
    """

    states: SoaStates

    @property
    @abstractmethod
    def mistakes(self) -> int:
        """How many labels were not those predicted."""

    @property
    @abstractmethod
    def state(self) -> int:
        """The state, as :class:`SoaStates` has it."""

    @property
    @abstractmethod
    def realizable(self) -> bool:
        """Whether some hypothesis agrees with every example so far."""

    @abstractmethod
    def predict(self, column: int) -> int:
        """Return the label at a column."""

    @abstractmethod
    def update(self, column: int, label: int) -> None:
        """Take in an example."""

    @abstractmethod
    def replay(self, examples: list[tuple[Hashable, int] | Example[Hashable]]) -> list[int]:
        """Predict and take in a sequence; return the predictions."""

    @abstractmethod
    def copy(self) -> SoaMachine:
        """Return an independent one in the same state."""


class PlainMachine(SoaMachine):
    """The machine in Python, on any class: what :class:`CompiledMachine` does on tables.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> soa = PlainMachine(SoaStates(implicit.thresholds(2**64)))
    >>> soa.predict(2**63)
    1
    >>> soa.update(2**63, 0)
    >>> soa.mistakes, soa.predict(2**63)
    (1, 0)
    """

    def __init__(self, states: SoaStates) -> None:
        self.states = states
        self._state = states.start
        self._mistakes = 0

    @property
    def mistakes(self) -> int:  # noqa: D102  # as the base says
        return self._mistakes

    @property
    def state(self) -> int:  # noqa: D102  # as the base says
        return self._state

    @property
    def realizable(self) -> bool:  # noqa: D102  # as the base says
        return self._state > 0

    def predict(self, column: int) -> int:  # noqa: D102  # as the base says
        return self.states.predict(self._state, column)

    def update(self, column: int, label: int) -> None:  # noqa: D102  # as the base says
        wrong = self.predict(column) != label
        self._state = self.states.step(self._state, column, label)
        self._mistakes += wrong

    def replay(  # noqa: D102  # as the base says
        self, examples: list[tuple[Hashable, int] | Example[Hashable]]
    ) -> list[int]:
        column = self.states.spaces.column
        predictions = []
        for x, y in [(column(x), as_label(y, "y")) for x, y in as_pairs(examples)]:
            predictions.append(self.predict(x))
            self.update(x, y)
        return predictions

    def copy(self) -> PlainMachine:  # noqa: D102  # as the base says
        twin = PlainMachine(self.states)
        twin._state, twin._mistakes = self._state, self._mistakes
        return twin


class CompiledMachine(SoaMachine):
    """The same on a table, where the core looks up what was asked before."""

    def __init__(self, states: SoaStates) -> None:
        self.states = states
        self._walks = states.walks
        self._walk = self._walks.at(states.start)

    @property
    def mistakes(self) -> int:  # noqa: D102  # as the base says
        return self._walk.mistakes

    @property
    def state(self) -> int:  # noqa: D102  # as the base says
        return self._walks.state(self._walk)

    @property
    def realizable(self) -> bool:  # noqa: D102  # as the base says
        return self._walk.realizable

    def predict(self, column: int) -> int:  # noqa: D102  # as the base says
        label = self._walk.predict(column)
        if label < 0:
            self._walks.teach(self._walk, column)
            label = self._walk.predict(column)
        return label

    def update(self, column: int, label: int) -> None:  # noqa: D102  # as the base says
        if self._walk.update(column, label == 1) < 0:
            self._walks.teach(self._walk, column)
            self._walk.update(column, label == 1)

    def replay(  # noqa: D102  # as the base says
        self, examples: list[tuple[Hashable, int] | Example[Hashable]]
    ) -> list[int]:
        codes = self._walks.codes(examples)
        predictions = np.empty(len(codes), dtype=np.uint8)
        self._walks.follow(self._walk, codes, predictions)
        return predictions.tolist()

    def copy(self) -> CompiledMachine:  # noqa: D102  # as the base says
        twin = CompiledMachine.__new__(CompiledMachine)
        twin.states, twin._walks, twin._walk = self.states, self._walks, self._walk.copy()
        return twin
