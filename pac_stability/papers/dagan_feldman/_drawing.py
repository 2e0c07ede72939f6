"""What learners of this package share that draw a hypothesis: samples in all forms."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from fractions import Fraction

from pac_stability.arguments import as_points, as_size
from pac_stability.classes import Hypothesis
from pac_stability.data import FiniteDistribution
from pac_stability.learning import AnyData, LawfulLearner, PreparedPredictor, as_sample
from pac_stability.papers.dagan_feldman._answering import DrawnAnswers
from pac_stability.randomness import SYSTEM_COINS, Coins


class DrawingLearner(LawfulLearner[Hashable]):
    """A learner with a law and a run, both on samples of any form."""

    __slots__ = ()

    @abstractmethod
    def law(self, sample: AnyData, /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.
        """

    @abstractmethod
    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        at, law = as_points(points), self.law(sample)
        weights = law.numerators.items()
        return tuple(
            Fraction(sum(weight for h, weight in weights if h(point)), law.denominator)
            for point in at
        )

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, by a hypothesis drawn for it alone.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.run(sample, rng)(point)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points, each by a hypothesis drawn for it alone.

        Parameters
        ----------
        sample
            S.
        """
        given = as_sample(sample, self.least_examples)
        return DrawnAnswers(self, len(given), lambda rng: self.run(given, rng))


class SubsetLearner(DrawingLearner):
    """A learner that looks at the points of a random subset of n' examples."""

    __slots__ = ()

    subset_size: int
    least_sample_size: int

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return max(self.subset_size, self.least_sample_size)

    def _part(self, n: int) -> Fraction:
        """Return q = n'/n.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return Fraction(self.subset_size, as_size(n, "n", least=self.least_examples))
