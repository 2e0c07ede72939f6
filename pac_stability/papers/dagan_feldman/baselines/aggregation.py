"""Aggregation of learners on disjoint parts by a noisy mean, for samples with noise."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from pac_stability.arguments import AnyNumber, as_points, as_size
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.audit import Notion
from pac_stability.learning import (
    AnyData,
    BaseLearner,
    PointwiseLearner,
    PreparedPredictor,
    Promises,
    as_sample,
)
from pac_stability.learning.learner import require_base
from pac_stability.mechanisms import NoisyMeanVote, PrivacyGuarantee
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman._answering import TossedAnswers, votes_at
from pac_stability.papers.dagan_feldman._block_votes import BlockVotes
from pac_stability.papers.dagan_feldman.baselines.laplace_vote import LaplaceMeanVote
from pac_stability.papers.dagan_feldman.erm import block_minimisers
from pac_stability.randomness import SYSTEM_COINS, Coins

_GUARD = 32  # bits beyond those that are compared


@dataclass(frozen=True, slots=True, init=False)
class DworkFeldmanAggregation(BlockVotes[NoisyMeanVote]):
    """Predict by a noisy mean of the empirical risk minimisers of disjoint parts of the sample.

    The minimisers of r parts vote on the label of a point. The number of votes for 1 gets discrete
    Laplace noise, is clamped to 0..r and divided by r: the probability of label 1.

    Parameters
    ----------
    H
        The class, not empty; or any other base learner, a function from samples to hypotheses or a
        classifier with ``fit`` and ``predict``.
    blocks
        r, the number of parts, at least 1. They are consecutive, of floor(n/r) examples each.
    epsilon
        The privacy parameter of a prediction, above 0: a number, or an
        :class:`~pac_stability.arithmetic.Epsilon`.
    least_sample_size
        Refuse samples with fewer examples: set by the sizes that promise an accuracy.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample is too small (r examples at least), or a
        point is outside the domain.

    Notes
    -----
    Privacy. An example is in one part at most and moves the number of votes by at most one: the
    factor of :class:`~pac_stability.mechanisms.NoisyMeanVote`, exactly, for every class of two
    hypotheses or more. Likewise its :meth:`stability`, which is below 1/r.

    Loss. The noise adds :attr:`bias` at most to the mean error of the minimisers, below
    ``1/(2 r epsilon)`` for the epsilon that is spent; so r of order ``1/(alpha epsilon)`` is used.

    Source: Dwork and Feldman, *Privacy-preserving prediction*, 2018, as DF20's introduction cites
    it; their noise is continuous, as in :class:`LaplaceAggregation`.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> learner = DworkFeldmanAggregation(Thresholds(), 2, Epsilon.exactly(2))
    >>> from pac_stability.data import Sample
    >>> sample = Sample([1, 2, 3, 4], [0, 1, 0, 1])
    >>> learner.probabilities(sample, [1, 2, 4])
    (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
    >>> learner.guarantee.factor, learner.bias
    (Fraction(2, 1), Fraction(1, 4))
    """

    def __init__(
        self,
        H: BaseLearner,
        blocks: int,
        epsilon: Epsilon | AnyNumber,
        least_sample_size: int = 0,
    ) -> None:
        BlockVotes.__init__(self, H, blocks, epsilon, least_sample_size, NoisyMeanVote.from_epsilon)

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of one prediction, exact."""
        return self.vote.guarantee

    @property
    def bias(self) -> Fraction:
        """How far, at most and exactly, the noise moves a prediction from the share of votes."""
        return self.vote.law((0,) * self.blocks).probability(1)

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return {
            Notion.PRIVATE_PREDICTION: self.guarantee,
            Notion.UNIFORM_STABILITY: self.stability(n),
        }


@dataclass(frozen=True, slots=True, init=False)
class LaplaceAggregation(PointwiseLearner[Hashable]):
    """:class:`DworkFeldmanAggregation` with the continuous noise of its source, in intervals.

    Parameters
    ----------
    H
        The class, not empty; or any other base learner, a function from samples to hypotheses or a
        classifier with ``fit`` and ``predict``.
    blocks
        r, the number of parts, at least 1.
    epsilon
        The nominal privacy parameter, above 0; see :class:`LaplaceMeanVote` for the exact one.

    Raises
    ------
    InvalidInput
        As for :class:`DworkFeldmanAggregation`.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> learner = LaplaceAggregation(Thresholds(), 2, 1.0)
    >>> from pac_stability.data import Sample
    >>> sample = Sample([1, 2, 3, 4], [0, 1, 0, 1])
    >>> [round(float(p), 3) for p in learner.probabilities(sample, [1, 2, 4])]
    [0.216, 0.5, 0.784]
    """

    H: BaseLearner
    blocks: int
    vote: LaplaceMeanVote

    def __init__(self, H: BaseLearner, blocks: int, epsilon: Epsilon | AnyNumber) -> None:
        require_base(H)
        object.__setattr__(self, "H", H)
        object.__setattr__(self, "blocks", as_size(blocks, "blocks", least=1))
        object.__setattr__(self, "vote", LaplaceMeanVote(epsilon))

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return self.blocks

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        factor = Epsilon.exactly(self.vote.factor(self.blocks).upper)
        return {Notion.PRIVATE_PREDICTION: PrivacyGuarantee(factor)}

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Interval, ...]:
        """Enclose the probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        votes = votes_at(block_minimisers(self.H, sample, self.blocks), as_points(points))
        return tuple(self.vote.probability(k, self.blocks) for k in votes)

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, exactly: as many digits are compared as it takes.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.prepare(sample).answer(point, rng)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points: the minimisers are chosen once.

        Parameters
        ----------
        sample
            S.
        """
        chosen = block_minimisers(self.H, sample, self.blocks)
        return TossedAnswers(self, len(as_sample(sample)), partial(votes_at, chosen), self._coin)

    def _coin(self, votes: int) -> LazyCoin:
        """Return the coin for a point that so many label 1."""

        def bounds(bits: int) -> tuple[int, int]:
            return self.vote.probability(votes, self.blocks, bits + _GUARD).in_units(bits)

        return LazyCoin(bounds)
