"""The pair of neighbours that a sweep is looking for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class BestPair:
    """The largest value found, and the first pair of samples that attains it.

    Attributes
    ----------
    value
        The parameter that the pair requires, in the worse of its two directions.
    first, second
        The numbers of the two samples, the smaller one first.
    column
        Where the pair attains it: a place among the points or outcomes.
    """

    value: Fraction | float
    first: int
    second: int
    column: int = 0

    @property
    def place(self) -> tuple[int, int, int]:
        """What is smaller for the pair that is to be shown."""
        return self.first, self.second, self.column

    def or_better(self, other: BestPair) -> BestPair:
        """Return the one with the larger value, and of two equal ones that in the first place."""
        if other.value != self.value:
            return max(self, other, key=lambda pair: pair.value)
        return min(self, other, key=lambda pair: pair.place)
