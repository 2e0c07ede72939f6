"""What can be put back to where it was."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Rewindable(ABC):
    """A stream of coins with a state, as a watch over a program sees it: told, and put back."""

    __slots__ = ()

    @abstractmethod
    def state(self) -> object:
        """Return where the stream stands."""

    @abstractmethod
    def rewind(self, state: object, /) -> None:
        """Put the stream where it stood."""
