"""What is measured on a pair of laws, by the definitions in ``notions``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.audit.reports.wording import exact
from pac_stability.audit.results import PairWitness
from pac_stability.audit.search.number_sweep import ExcessOf, FactorOf, NumberMeasure
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.notions import closeness

Law: TypeAlias = FiniteDistribution[object]
EnclosedLaw: TypeAlias = EnclosedDistribution[object]


@dataclass(frozen=True, slots=True)
class Excess:
    """The largest P(E) - t Q(E) of an event E: the least delta at a factor t = e**epsilon >= 1.

    At t = 1 it is the total variation distance, and the gamma of uniform stability.

    Attributes
    ----------
    factor
        t.
    floor
        What equal laws require.
    """

    factor: Fraction = Fraction(1)
    floor: Fraction = Fraction(0)

    def directed(self, law: Law, other: Law) -> Fraction:
        """Return what the events of ``law`` against those of ``other`` require."""
        return closeness.hockey_stick_at(law, other, self.factor)

    def event(self, law: Law, other: Law) -> tuple[object, ...]:
        """Return an event that requires it, or none if nothing is required."""
        return closeness.best_event(law, other, Epsilon.exactly(self.factor))

    def enclosed(self, law: EnclosedLaw, other: EnclosedLaw) -> Interval | float:
        """Enclose what two laws require, in the worse direction."""
        return closeness.minimal_delta(law, other, Epsilon.exactly(self.factor))

    @property
    def of_labels(self) -> NumberMeasure:
        """The same for laws of a label, which are given by the probability of label 1."""
        return ExcessOf(self.factor)

    @property
    def of_outcomes(self) -> NumberMeasure | None:
        """The same outcome by outcome; ``None`` since the worst event may have several."""
        return None

    def sieve(self, known: Fraction | float) -> tuple[Fraction | float, Fraction | float] | None:
        """Return a factor, and what the divergence there is of pairs that require so much."""
        return self.factor, known

    def at(self, value: Fraction) -> tuple[Fraction, Fraction]:
        """Return a value as a factor and a delta."""
        return self.factor, value

    def told(self, witness: PairWitness, value: str) -> str:
        """Return how the probabilities of the event lead to the value."""
        here, there = witness.probabilities
        more = exact(here - self.factor * there)
        if self.factor == 1:
            return f"They differ by {more}, so the least that is possible is {value}."
        return (
            f"The first exceeds {exact(self.factor)} times the second by {more}, so the least that "
            f"is possible is {value}."
        )


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

    @property
    def of_labels(self) -> NumberMeasure:
        """The same for laws of a label, which are given by the probability of label 1."""
        return FactorOf(self.delta, both_labels=True)

    @property
    def of_outcomes(self) -> NumberMeasure | None:
        """The same outcome by outcome; ``None`` unless the worst event is one outcome."""
        return None if self.delta else FactorOf()

    def sieve(self, known: Fraction | float) -> tuple[Fraction | float, Fraction | float] | None:
        """Return a factor, and what the divergence there is of pairs that require so much."""
        # At delta = 0 nearly every pair would pass.
        return (known, self.delta) if self.delta else None

    def at(self, value: Fraction) -> tuple[Fraction, Fraction]:
        """Return a value as a factor and a delta."""
        return value, self.delta

    def told(self, witness: PairWitness, value: str) -> str:
        """Return how the probabilities of the event lead to the value."""
        here, there = witness.probabilities
        over = here - self.delta
        less = " less delta" if self.delta else ""
        if over <= there:
            return (
                f"The first{less} is no more than the second, so the least that is possible is "
                f"{value}."
            )
        if not there:
            return f"The first{less} is {exact(over)}, of which nothing is no fraction: {value}."
        return (
            f"The first{less} is {exact(over / there)} times the second, so the least that is "
            f"possible is {value}."
        )


Measure = Excess | Factor
