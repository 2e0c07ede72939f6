"""Targets on points that nobody lists: drawn uniformly, labelled by a hypothesis."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from pac_stability.arguments import described
from pac_stability.classes.implicit.labelling import Labelling
from pac_stability.data import Example
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins

if TYPE_CHECKING:
    from pac_stability.classes.implicit.base import ImplicitClass

P_co = TypeVar("P_co", bound=Hashable, covariant=True)


class ExampleSource(Protocol[P_co]):
    """What examples are drawn from: a finite distribution, or one that is not listed."""

    def sample(self, rng: Coins = SYSTEM_COINS) -> Example[P_co]:
        """Return an example, independent of all others."""
        ...


@dataclass(frozen=True, slots=True)
class UniformTarget:
    """The law of an example whose point is uniform on the whole domain of an implicit class.

    Parameters
    ----------
    of
        The class.
    concept
        A hypothesis of it, which labels the point.

    Raises
    ------
    InvalidInput
        The hypothesis is none of the class.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> from pac_stability.randomness import SeededCoins
    >>> H = implicit.thresholds(2**64)
    >>> UniformTarget(H, H.hypothesis(2**63)).sample(SeededCoins(1)).label
    1
    """

    of: ImplicitClass
    concept: Labelling

    def __post_init__(self) -> None:
        concept = self.concept
        if concept.of != self.of:
            raise InvalidInput("hypothesis", described(concept), f"a hypothesis of {self.of.spec}")
        if not self.of.contains(concept):
            raise InvalidInput("hypothesis", described(concept), f"one that is in {self.of.spec}")

    def labelled(self, column: int) -> Example[Hashable]:
        """Return the example at a column."""
        return Example(self.of.point(column), self.of.label(self.concept, column))

    def sample(self, rng: Coins = SYSTEM_COINS) -> Example[Hashable]:
        """Return an example.

        Parameters
        ----------
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.labelled(rng.below(self.of.points))
