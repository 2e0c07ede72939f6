"""What is measured on a pair of laws, by the definitions in ``notions``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.notions import closeness

Law: TypeAlias = FiniteDistribution[object]
EnclosedLaw: TypeAlias = EnclosedDistribution[object]

_EPSILON_ZERO = Epsilon.exactly(1)


@dataclass(frozen=True, slots=True)
class Gap:
    """The largest difference of probabilities: the gamma of uniform stability.

    Attributes
    ----------
    floor
        What equal laws require.
    """

    floor: Fraction = Fraction(0)

    def directed(self, law: Law, other: Law) -> Fraction:
        """Return what the events of ``law`` against those of ``other`` require."""
        return closeness.total_variation(law, other)

    def event(self, law: Law, other: Law) -> tuple[object, ...]:
        """Return an event that requires it, or none if nothing is required."""
        return closeness.best_event(law, other, _EPSILON_ZERO)

    def enclosed(self, law: EnclosedLaw, other: EnclosedLaw) -> Interval | float:
        """Enclose what two laws require, in the worse direction."""
        return closeness.total_variation(law, other)


@dataclass(frozen=True, slots=True)
class Factor:
    """The least t = e**epsilon >= 1 with P(E) <= t Q(E) + delta for all events E."""

    delta: Fraction = Fraction(0)
    floor: Fraction = Fraction(1)

    def directed(self, law: Law, other: Law) -> Fraction | float:
        """Return what the events of ``law`` against those of ``other`` require."""
        return closeness.one_sided_epsilon(law, other, self.delta)

    def event(self, law: Law, other: Law) -> tuple[object, ...]:
        """Return an event that requires it, or none if nothing is required."""
        return closeness.best_event_for_delta(law, other, self.delta)

    def enclosed(self, law: EnclosedLaw, other: EnclosedLaw) -> Interval | float:
        """Enclose what two laws require, in the worse direction."""
        return closeness.minimal_epsilon(law, other, self.delta)


Measure = Gap | Factor
