"""A learner that draws a hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability import FiniteDistribution, Multiset, Sample
from pac_stability.classes import Hypothesis, Threshold
from pac_stability.learning import LawfulLearner
from pac_stability.testing import Declares


@dataclass(frozen=True)
class RandomThreshold(LawfulLearner[int]):
    """The threshold at a random example."""

    symmetric: ClassVar[bool] = True
    least_examples: ClassVar[int] = 1
    promises: ClassVar[Declares] = Declares(uniform_stability=lambda n: Fraction(1, n))

    def law(self, sample: Sample[int], /) -> FiniteDistribution[Hypothesis]:
        """Return the law of the hypothesis."""
        self.require(sample)
        shares = Multiset.of(sample.points).items()
        return FiniteDistribution({Threshold(x): Fraction(k, len(sample)) for x, k in shares})
