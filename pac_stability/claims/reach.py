"""How a trial is asked of one finite class, such as a user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pac_stability.classes import FiniteClass
from pac_stability.dimensions import littlestone_dimension

I = TypeVar("I")  # noqa: E741  # an instance


@dataclass(frozen=True, slots=True)
class OnClass(Generic[I]):
    """What a trial declares that takes a finite class.

    Attributes
    ----------
    instances
        The instances for a class, whose points are 0, 1, ...: always the same ones, finitely many.
    universe
        What they are, in words.
    points, hypotheses, dimension
        The most points, hypotheses and Littlestone dimension for which they can be gone through in
        seconds; ``None`` for any dimension.
    """

    instances: Callable[[FiniteClass], Iterable[I]]
    universe: str
    points: int
    hypotheses: int
    dimension: int | None = None

    def refusal(self, H: FiniteClass) -> str | None:
        """Return why a class is too large, or ``None``.

        Examples
        --------
        >>> small = OnClass(lambda H: [H], "the class", points=3, hypotheses=8)
        >>> small.refusal(FiniteClass([[0, 0, 0, 1]]))
        '4 points, at most 3'
        """
        if len(H.domain) > self.points:
            return f"{len(H.domain):,} points, at most {self.points:,}"
        if len(H) > self.hypotheses:
            return f"{len(H):,} hypotheses, at most {self.hypotheses:,}"
        if self.dimension is not None and (d := littlestone_dimension(H)) > self.dimension:
            return f"Littlestone dimension {d}, at most {self.dimension}"
        return None
