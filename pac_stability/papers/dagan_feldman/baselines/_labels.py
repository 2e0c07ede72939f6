"""From the law of a hypothesis to the probability of a label."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from pac_stability.classes import Hypothesis
from pac_stability.data import FiniteDistribution


def label_probabilities(
    law: FiniteDistribution[Hypothesis], points: Iterable[Hashable]
) -> tuple[Fraction, ...]:
    """Return the probability of label 1 at each point, by a hypothesis of the given law."""
    weights = law.numerators.items()
    return tuple(
        Fraction(sum(weight for h, weight in weights if h(point)), law.denominator)
        for point in points
    )
