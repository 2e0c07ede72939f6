"""What exact and enclosed distributions have in common: outcomes, and a number for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar

from pac_stability._report import Reported
from pac_stability.arithmetic import Interval

T = TypeVar("T")
O_co = TypeVar("O_co", covariant=True)
N_co = TypeVar("N_co", bound=Fraction | Interval, covariant=True)


class Law(Reported, ABC, Generic[O_co, N_co]):
    """A probability distribution on finitely many outcomes, known as numbers of one kind.

    The numbers are rational in a :class:`~pac_stability.data.FiniteDistribution`, which is a
    ``Law[O, Fraction]``, and intervals in an :class:`~pac_stability.data.EnclosedDistribution`, a
    ``Law[O, Interval]``; there is no third kind. A function of laws is written once for both and
    answers in numbers of the same kind: ``def distance(p: Law[O, N], q: Law[O, N]) -> N``.
    """

    __slots__ = ()

    _face: ClassVar[str] = "pac_stability.data.faces:law_face"

    def __format__(self, spec: str) -> str:
        # A law in a sentence stays in its line.
        return format(repr(self), spec)

    @property
    @abstractmethod
    def support(self) -> tuple[O_co, ...]:
        """The outcomes whose probability is not certain to be zero, in order."""

    @abstractmethod
    def probability(self, outcome: object) -> N_co:
        """Return the probability of an outcome, zero outside the support."""

    @abstractmethod
    def items(self) -> tuple[tuple[O_co, N_co], ...]:
        """Return the pairs (outcome, its probability) of the support, in order."""

    @abstractmethod
    def map(self, function: Callable[[O_co], T]) -> Law[T, N_co]:
        """Return the law of ``function(outcome)``: the image distribution."""

    @staticmethod
    @abstractmethod
    def between(bounds: Sequence[Fraction]) -> N_co:
        """Return what is known of a number, given its value, or its lower and its upper bound.

        Parameters
        ----------
        bounds
            What was computed from this kind of numbers: one value from rational ones, two bounds
            from intervals.
        """

    @abstractmethod
    def __len__(self) -> int:
        """Return the size of the support."""
