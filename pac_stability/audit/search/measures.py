"""What is measured on a pair of laws, by the definitions in ``notions``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from pac_stability.arguments import described
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.words import exact
from pac_stability.audit.results import PairWitness
from pac_stability.audit.search.number_sweep import ExcessOf, FactorOf, NumberMeasure
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import closeness, zero_concentrated

Law: TypeAlias = FiniteDistribution[object]
EnclosedLaw: TypeAlias = EnclosedDistribution[object]


def _starred(witness: PairWitness) -> str:
    here, there = map(exact, witness.probabilities)
    return (
        f"The outcomes marked with a star have together probability {here} on S and {there} on S'. "
    )


class _OfEvents:
    """What measures of events have in common: exact laws require an exact number."""

    __slots__ = ()
    exactly = True

    def order(self, law: Law, other: Law) -> Fraction | None:  # noqa: ARG002  # as in Divergence
        """Return no order of a divergence: an event requires the number."""
        return None


@dataclass(frozen=True, slots=True)
class Excess(_OfEvents):
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
        return _starred(witness) + self._arithmetic(*witness.probabilities, value)

    def _arithmetic(self, here: Fraction, there: Fraction, value: str) -> str:
        more = exact(here - self.factor * there)
        if self.factor == 1:
            return f"They differ by {more}, so the least that is possible is {value}."
        return (
            f"The first exceeds {exact(self.factor)} times the second by {more}, so the least that "
            f"is possible is {value}."
        )


@dataclass(frozen=True, slots=True)
class Factor(_OfEvents):
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
        return _starred(witness) + self._arithmetic(*witness.probabilities, value)

    def _arithmetic(self, here: Fraction, there: Fraction, value: str) -> str:
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


@dataclass(frozen=True, slots=True)
class Divergence:
    """The least rho with D_a(P || Q) <= rho a for all orders a > 1: enclosed, pair by pair."""

    floor: Fraction = Fraction(0)
    exactly = False

    def directed(self, law: Law, other: Law) -> Fraction | float:
        """Return a lower bound on what ``law`` against ``other`` requires."""
        return zero_concentrated.one_sided_rho(law, other).lower

    def event(self, law: Law, other: Law) -> tuple[object, ...]:
        """Return what has no probability under ``other`` alone, if anything has none."""
        return tuple(y for y in law.support if not other.probability(y))

    def order(self, law: Law, other: Law) -> Fraction | None:
        """Return an order whose divergence requires the lower bound."""
        return zero_concentrated.one_sided_rho(law, other).order

    def enclosed(self, law: EnclosedLaw | Law, other: EnclosedLaw | Law) -> Interval | float:
        """Enclose what two laws require, in the worse direction; refuse those not exact."""
        for one in (law, other):
            if not isinstance(one, FiniteDistribution):
                raise InvalidInput("mechanism", described(one), "exact laws for this notion")
        return zero_concentrated.minimal_rho(cast("Law", law), cast("Law", other))

    @property
    def of_labels(self) -> NumberMeasure:
        """Refuse predictions, which nothing asks for."""
        raise NotImplementedError

    @property
    def of_outcomes(self) -> NumberMeasure | None:
        """No number outcome by outcome adds up to a divergence."""
        return None

    def sieve(self, _: Fraction | float) -> tuple[Fraction | float, Fraction | float] | None:
        """Return nothing: no probability of an event says how large a divergence is."""
        return None

    def at(self, _: Fraction) -> tuple[Fraction, Fraction] | None:
        """Return nothing: rho is no point of the curve of epsilon and delta."""
        return None

    def told(self, witness: PairWitness, value: str) -> str:
        """Return how the two laws lead to the value."""
        if witness.order is None:
            return f"What has a star is possible on S alone: {value}."
        return (
            f"The Renyi divergence of order {exact(witness.order)} of the first law from the "
            f"second is at least {exact(witness.order)} times {exact(witness.value)}: {value}."
        )


Measure = Excess | Factor | Divergence
