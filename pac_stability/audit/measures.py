"""How far apart two laws are, in the units of a notion: exactly, in one direction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from pac_stability.data import FiniteDistribution

ONE = Fraction(1)


class Measure(Protocol):
    """A parameter that one law needs against another."""

    @property
    def floor(self) -> Fraction:
        """The value for two equal laws, the least there is."""
        ...

    def directed(
        self, law: FiniteDistribution[object], other: FiniteDistribution[object]
    ) -> Fraction | float:
        """Return what the events of ``law`` against ``other`` require."""
        ...

    def event(
        self, law: FiniteDistribution[object], other: FiniteDistribution[object]
    ) -> tuple[object, ...]:
        """Return an event that attains :meth:`directed`."""
        ...


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference of probabilities: the gamma of uniform stability."""

    @property
    def floor(self) -> Fraction:
        return Fraction(0)

    def directed(
        self, law: FiniteDistribution[object], other: FiniteDistribution[object]
    ) -> Fraction:
        return max(a - other.probability(y) for y, a in law.items())

    def event(
        self, law: FiniteDistribution[object], other: FiniteDistribution[object]
    ) -> tuple[object, ...]:
        gap = self.directed(law, other)
        return tuple(y for y, a in law.items() if a - other.probability(y) == gap)[:1]


@dataclass(frozen=True, slots=True)
class Factor:
    """The least t = e**epsilon >= 1 with P(E) <= t Q(E) + delta for all events E."""

    delta: Fraction = Fraction(0)

    @property
    def floor(self) -> Fraction:
        return ONE

    def directed(
        self, law: FiniteDistribution[object], other: FiniteDistribution[object]
    ) -> Fraction | float:
        pairs = [(a, other.probability(y)) for y, a in law.items()]
        p, q = sum((a for a, b in pairs if not b), Fraction()), Fraction()
        if p > self.delta:
            return math.inf
        finite = sorted(((a, b) for a, b in pairs if b), key=lambda pair: -pair[0] / pair[1])
        best = ONE
        for a, b in finite:
            p, q = p + a, q + b
            best = max(best, (p - self.delta) / q)
        return best

    def event(
        self, law: FiniteDistribution[object], other: FiniteDistribution[object]
    ) -> tuple[object, ...]:
        t = self.directed(law, other)
        if t == math.inf:
            return tuple(y for y in law.support if not other.probability(y))
        above = [(y, a - Fraction(t) * other.probability(y)) for y, a in law.items()]
        return tuple(y for y, gap in above if gap > 0) or tuple(y for y, gap in above if gap == 0)
