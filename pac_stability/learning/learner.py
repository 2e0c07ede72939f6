"""What a learner is: the questions that can be put to it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar

from pac_stability.arithmetic import Interval
from pac_stability.classes import Hypothesis
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.randomness import SYSTEM_COINS, Coins

P_contra = TypeVar("P_contra", contravariant=True)
Number_co = TypeVar("Number_co", covariant=True)

Probability: TypeAlias = Fraction | Interval
"""A probability: exact, or enclosed where it is irrational."""

Promises: TypeAlias = Mapping[Hashable, object]
"""What holds of a learner, by notion: the value of each is what its audit takes as a claim."""


class Predictor(Protocol[P_contra, Number_co]):
    """What labels points, given a sample, and knows with which probabilities."""

    def probabilities(
        self, sample: Sample[P_contra], points: Sequence[P_contra], /
    ) -> Sequence[Number_co]:
        """Return the exact probability of label 1 at each of the points."""
        ...


class Learner(Predictor[P_contra, Probability], Protocol[P_contra]):
    """A randomised map from samples to hypotheses, which answers every question of an audit.

    A class is a learner when it has these members; it need not inherit.
    :class:`~pac_stability.learning.LawfulLearner` and
    :class:`~pac_stability.learning.PointwiseLearner` supply most of them. What cannot be computed
    raises :class:`~pac_stability.errors.Unanswerable`, with the reason.
    """

    @property
    def symmetric(self) -> bool:
        """Whether the order of a sample never matters, so that audits may take them up to order."""
        ...

    def law(self, sample: Sample[P_contra], /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis."""
        ...

    def run(self, sample: Sample[P_contra], /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis, drawn with the coins ``rng`` from that law."""
        ...

    def predict(
        self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point, 1 with the probability of ``probabilities``."""
        ...

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion."""
        ...
