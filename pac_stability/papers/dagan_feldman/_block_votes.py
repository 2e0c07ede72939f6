"""What learners have in common that vote among the minimisers of disjoint parts of the sample."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Generic, Protocol, TypeVar

from pac_stability.arguments import AnyNumber, as_points, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import AnySample, FiniteDistribution, Sample
from pac_stability.learning import (
    AnyData,
    BaseLearner,
    PointwiseLearner,
    PreparedPredictor,
    as_sample,
)
from pac_stability.learning.learner import is_family, require_base
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman._answering import TossedAnswers, votes_at
from pac_stability.papers.dagan_feldman._checks import fix
from pac_stability.papers.dagan_feldman.erm import (
    base_hypothesis,
    empirical_risk_minimiser,
    index_blocks,
)
from pac_stability.randomness import SYSTEM_COINS, Coins

_SHORT = 256


class ExactVote(Protocol):
    """A vote on a label with exact laws."""

    def law(self, x: Sequence[int], /) -> FiniteDistribution[int]:
        """Return the law of the outcome."""
        ...

    def run(self, x: Sequence[int], /, rng: Coins = SYSTEM_COINS) -> int:
        """Return an outcome."""
        ...

    def stability(self, voters: int) -> Fraction:
        """Return how far one vote moves the outcome."""
        ...


V = TypeVar("V", bound=ExactVote)


@dataclass(frozen=True, slots=True, init=False)
class BlockVotes(PointwiseLearner[Hashable], Generic[V]):
    """Parameters, voters and predictions; which vote it is, a subclass says."""

    H: BaseLearner
    blocks: int
    epsilon: Epsilon
    least_sample_size: int
    vote: V

    def __init__(
        self,
        H: BaseLearner,
        blocks: int,
        epsilon: Epsilon | AnyNumber,
        least_sample_size: int,
        vote: Callable[[Epsilon], V],
    ) -> None:
        require_base(H)
        asked = as_epsilon(epsilon)
        fix(
            self,
            H=H,
            blocks=as_size(blocks, "blocks", least=1),
            epsilon=asked,
            least_sample_size=as_size(least_sample_size, "least_sample_size"),
            vote=vote(asked),
        )

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return max(self.blocks, self.least_sample_size)

    def stability(self, n: int) -> Fraction:
        """Return how far one example moves a prediction, at most and exactly, for n examples.

        Parameters
        ----------
        n
            The size of the samples.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.
        """
        as_size(n, "n", least=self.least_examples)
        return self.vote.stability(self.blocks)

    def voters(self, sample: AnyData) -> tuple[Hypothesis, ...]:
        """Return the hypotheses that vote, one for each block.

        Parameters
        ----------
        sample
            S.
        """
        parts = index_blocks(as_sample(sample, self.least_examples), self.blocks)
        return tuple(self._voter(block) for block in parts)

    def _voter(self, block: AnySample) -> Hypothesis:
        """Choose for a block; for a short one remember it, as many hypotheses label it alike."""
        short = isinstance(block, Sample) and len(block) <= _SHORT
        if short and is_family(self.H) and isinstance(self.H, Hashable):
            return _remembered(self.H, block)
        return base_hypothesis(self.H, block)

    def probabilities(self, sample: AnyData, points: Iterable[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each of the points.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        votes = votes_at(self.voters(sample), as_points(points))
        return tuple(self._chance(each) for each in votes)

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.vote.run([h(point) for h in self.voters(sample)], rng)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: the voters are chosen once.

        Parameters
        ----------
        sample
            S.
        """
        voters = self.voters(sample)
        return TossedAnswers(self, len(as_sample(sample)), partial(votes_at, voters), self._coin)

    def _coin(self, votes: int) -> LazyCoin:
        return LazyCoin.of(self._chance(votes))

    def _chance(self, votes: int) -> Fraction:
        """Return the probability of label 1 at a point that so many label 1."""
        outcome = self.vote.law([1] * votes + [0] * (self.blocks - votes))
        return outcome.probability(1)


@lru_cache(maxsize=4096)
def _remembered(H: Family, block: Sample[Hashable]) -> Hypothesis:
    """Choose for a short block: many hypotheses label it alike, and neighbours share blocks."""
    return empirical_risk_minimiser(H, block)
