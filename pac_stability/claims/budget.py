"""How much work a run may do: which instances it goes through, never a clock."""

from __future__ import annotations

import enum
from typing import TypeVar

T = TypeVar("T")


class Budget(enum.Enum):
    """A minute, some minutes or about two hours for all claims together, on one core."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"

    def pick(self, quick: T, standard: T, deep: T) -> T:
        """Return the one of three sizes that belongs to this budget.

        Examples
        --------
        >>> Budget.STANDARD.pick(3, 4, 5)
        4
        """
        match self:
            case Budget.QUICK:
                return quick
            case Budget.STANDARD:
                return standard
            case Budget.DEEP:
                return deep

    @property
    def chunks(self) -> int:
        """In how many parts the instances of a trial are gone through."""
        return self.pick(1, 4, 8)
