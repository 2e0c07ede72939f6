"""Shared by several chapters: mechanisms with parameters, deviations, moves of searches.

Last stands how the guarantees that the paper defines read, for what follows by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import NamedTuple, TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.claims import consequences
from pac_stability.claims.instances import TabledMechanism, steep, telling
from pac_stability.claims.kit import Climb, Finding, Genes, at_most
from pac_stability.data import FiniteDistribution, Multiset, multiset_distribution
from pac_stability.papers.cummings_et_al import implications

Law: TypeAlias = FiniteDistribution[int]
Types: TypeAlias = FiniteDistribution[Multiset[int]]
FACTORS = tuple(Fraction(t) for t in ("1", "4/3", "2", "5"))
DELTAS = tuple(Fraction(d) for d in ("0", "1/8", "1/3"))


def events(outcomes: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Go through all sets of outcomes."""
    listed = tuple(dict.fromkeys(outcomes))
    for size in range(len(listed) + 1):
        yield from combinations(listed, size)


def probability(law: Law, event: Iterable[int]) -> Fraction:
    """Return the probability of an event."""
    return sum((law.probability(y) for y in event), Fraction(0))


@dataclass(frozen=True, slots=True)
class MechanismSetting:
    """A mechanism, the distribution of an element, and two numbers.

    Attributes
    ----------
    mechanism
        On types of samples.
    source
        D, the law of one element.
    first, second
        Two parameters; each trial says what they mean.
    """

    mechanism: TabledMechanism
    source: FiniteDistribution[int]
    first: Fraction
    second: Fraction

    @property
    def types(self) -> Types:
        """The law of the type of a sample."""
        return multiset_distribution(self.source, self.mechanism.n)

    def sequences(self) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
        """Go through the ordered samples, with their probabilities."""
        for drawn in product(self.source.items(), repeat=self.mechanism.n):
            weight = Fraction(1)
            for _, chance in drawn:
                weight *= chance
            yield weight, tuple(x for x, _ in drawn)

    def __str__(self) -> str:
        return f"{self.mechanism}, D = {self.source}, {self.first}, {self.second}"


def settings(
    mechanisms: Iterable[TabledMechanism],
    firsts: tuple[Fraction, ...],
    seconds: tuple[Fraction, ...] = (Fraction(0),),
) -> Iterator[MechanismSetting]:
    """Give each mechanism a random distribution of its elements and two random parameters."""
    for index, mechanism in enumerate(mechanisms):
        coins = Random(f"setting/{index}")
        weights = [coins.randint(1, 3) for _ in range(mechanism.elements)]
        source = FiniteDistribution({x: Fraction(w, sum(weights)) for x, w in enumerate(weights)})
        yield MechanismSetting(mechanism, source, coins.choice(firsts), coins.choice(seconds))


class KeptSize(NamedTuple):
    """The size of samples, how many examples are kept, and delta."""

    n: int
    k: int
    delta: Fraction


# Deviations


def deviates_seldom(
    failure: Callable[[Fraction], Fraction],
    deviation: Interval | Fraction,
    allowed: Fraction,
    instance: object,
) -> Finding:
    """Decide whether the probability of a larger deviation is at most the allowed one.

    Parameters
    ----------
    failure
        The probability that the deviation exceeds a number; it decreases in the number.
    deviation
        The number, perhaps up to an interval.
    allowed
        The allowed probability.
    instance
        The name of the instance, for the text.
    """
    ends = deviation if isinstance(deviation, Interval) else Interval.exactly(deviation)
    most = failure(max(ends.lower, Fraction(0)))
    # The failure falls in steps, so that a narrow interval seldom makes a difference.
    least = most if ends.width == 0 or most == 0 else failure(max(ends.upper, Fraction(0)))
    return at_most(
        Interval(least, most),
        allowed,
        f"{instance}: by more than {float(ends):.4f} with probability {_short(least)} > "
        f"{_short(allowed)}",
        ceiling=1,
    )


def _short(chance: Fraction) -> str:
    return str(chance) if chance.denominator < 1000 else f"{float(chance):.4f}"


# Searches


def telling_mechanisms(name: str) -> Climb[MechanismSetting]:
    """Describe a mechanism that tells the sample by its sizes, weights of elements and delta."""

    def instance(genes: Genes) -> MechanismSetting | None:
        elements, n, fortieths, twentieths, *weights = genes
        few = weights[:elements]
        if n**elements > 600:
            return None
        source = FiniteDistribution({x: Fraction(w, sum(few)) for x, w in enumerate(few)})
        delta = Fraction(fortieths, 40)
        return MechanismSetting(
            telling(elements, n, delta), source, 1 + Fraction(twentieths, 20), delta
        )

    sizes = range(2, 5), range(3, 17), range(1, 20), range(21)
    return Climb(name, (*sizes, *(range(1, 6) for _ in range(4))), instance)


def steep_mechanisms(name: str) -> Climb[MechanismSetting]:
    """Describe a mechanism with rare outputs by n, its factor, their directions, p and beta."""

    def instance(genes: Genes) -> MechanismSetting:
        n, part, ones, zeros, tenths, power, digit = genes
        source = FiniteDistribution({0: 1 - Fraction(tenths, 10), 1: Fraction(tenths, 10)})
        mechanism = steep(n, 1 + Fraction(1, part), "1" * ones + "0" * zeros)
        return MechanismSetting(mechanism, source, Fraction(digit, 10**power), Fraction(0))

    sizes = range(4, 41), range(1, 33), range(1, 4), range(3)
    return Climb(name, (*sizes, range(1, 10), range(1, 11), range(1, 10)), instance)


Coin = tuple[int, int, Fraction]
"""The size of samples, the number p of tenths, gamma."""


def coins(name: str) -> Climb[Coin]:
    """Describe a coin by the size of samples, p in tenths, and gamma in hundredths."""
    genes = range(1, 41), range(1, 10), range(1, 151)
    return Climb(name, genes, lambda g: (g[0], g[1], Fraction(g[2], 100)))


# What follows by this paper

RULES = implications.RULES


@consequences.reading.register
def _(g: implications.RobustGuarantee) -> consequences.Reading:
    deviation, failure = map(consequences.rounded, (g.epsilon, g.delta))
    words = f"deviation {deviation}, failure {failure} ({g.reading})"
    return consequences.Reading("robust generalization", words, (g.epsilon, g.delta), g.is_vacuous)


@consequences.reading.register
def _(g: implications.PerfectGuarantee) -> consequences.Reading:
    words = f"beta = {consequences.rounded(g.beta)}, {consequences.closeness(g.epsilon, g.delta)}"
    numbers = (g.epsilon.ratio, g.delta, g.beta)
    return consequences.Reading("perfect generalization", words, numbers, g.is_vacuous)


@consequences.reading.register
def _(g: implications.ClosePair) -> consequences.Reading:
    probability = consequences.rounded(g.probability, consequences.DOWN)
    words = f"{consequences.closeness(g.epsilon, g.delta)}, with probability {probability}"
    numbers = (g.epsilon.ratio, g.delta, 1 - g.probability)
    nothing = g.delta >= 1 or g.probability == 0
    return consequences.Reading("close laws on two samples", words, numbers, nothing)


@consequences.reading.register
def _(g: implications.GroupGuarantee) -> consequences.Reading:
    return consequences.of_closeness(f"privacy of groups of {g.size}", g.epsilon, g.delta)


@consequences.reading.register
def _(g: implications.ResampledGuarantee) -> consequences.Reading:
    kind = "differential privacy on a resample"
    return consequences.of_closeness(kind, g.privacy.epsilon, g.privacy.delta)
