"""Private predictions where some hypothesis makes no error: Lemma 9.

Minimisers of disjoint parts of the sample vote; baselines with noisy votes stand on the same base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Generic, Protocol, TypeVar

from pac_stability import learning
from pac_stability.arguments import AnyNumber, as_points, as_probability, as_size, described, fix
from pac_stability.arithmetic import Epsilon, Interval, least_integer
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import Family, Hypothesis, least_errors
from pac_stability.data import AnySample, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import AnyData, is_family, require_base
from pac_stability.mechanisms import GeometricVote, PrivacyGuarantee, SoftMajorityVote, draws
from pac_stability.mechanisms.draws import as_decay
from pac_stability.papers.dagan_feldman import answers
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
        """Return the change of the outcome's probability by one vote."""
        ...


V = TypeVar("V", bound=ExactVote)


@dataclass(frozen=True, slots=True, init=False)
class BlockVotes(learning.PointwiseLearner[Hashable], Generic[V]):
    """Parameters, voters and predictions; a subclass chooses the vote."""

    H: learning.BaseLearner
    blocks: int
    epsilon: Epsilon
    least_sample_size: int
    vote: V

    def __init__(
        self,
        H: learning.BaseLearner,
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
        return max(self.blocks, self.least_sample_size)

    def stability(self, n: int) -> Fraction:
        """Return the largest change of a prediction by one example, exactly, for n examples.

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
        parts = answers.index_blocks(learning.as_sample(sample, self.least_examples), self.blocks)
        return tuple(self._voter(block) for block in parts)

    def _voter(self, block: AnySample) -> Hypothesis:
        """Choose for a block; for a short one remember it, as many have the same examples."""
        short = isinstance(block, Sample) and len(block) <= _SHORT
        if short and is_family(self.H) and isinstance(self.H, Hashable):
            # Which hypotheses fit a block does not depend on how often it has its examples.
            fitting = _fitting(self.H, frozenset(zip(block.points, block.labels, strict=True)))
            if fitting is not None:
                return fitting
            examples = Counter(zip(block.points, block.labels, strict=True))
            return _remembered(self.H, frozenset(examples.items()))
        return answers.base_hypothesis(self.H, block)

    def probabilities(self, sample: AnyData, points: Iterable[Hashable], /) -> tuple[Fraction, ...]:
        votes = answers.votes_at(self.voters(sample), as_points(points))
        return tuple(self._chance(each) for each in votes)

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        return self.vote.run([h(point) for h in self.voters(sample)], rng)

    def prepare(self, sample: AnyData, /) -> learning.PreparedPredictor[Hashable]:
        voters = self.voters(sample)
        return answers.TossedAnswers(
            self, len(learning.as_sample(sample)), partial(answers.votes_at, voters), self._coin
        )

    def _coin(self, votes: int) -> draws.LazyCoin:
        return draws.LazyCoin.of(self._chance(votes))

    def _chance(self, votes: int) -> Fraction:
        """Return the probability of label 1 at a point that so many label 1."""
        return self.vote.law([1] * votes + [0] * (self.blocks - votes)).probability(1)


@lru_cache(maxsize=4096)
def _fitting(H: Family, examples: frozenset[tuple[Hashable, int]]) -> Hypothesis | None:
    """Choose for a short block one of the hypotheses that make no error, if there are any."""
    sample = Sample([point for point, _ in examples], [label for _, label in examples])
    chosen, errors = least_errors(H, sample)
    return None if errors else chosen


@lru_cache(maxsize=4096)
def _remembered(H: Family, block: frozenset[tuple[tuple[Hashable, int], int]]) -> Hypothesis:
    """Choose for a short block, whose order does not matter: examples, and how often each occurs.

    Many hypotheses label blocks alike, neighbours share them, and on few points most are alike.
    """
    examples = [example for example, count in block for _ in range(count)]
    sample = Sample([point for point, _ in examples], [label for _, label in examples])
    return least_errors(H, sample)[0]


# Private predictions where some hypothesis makes no error: Lemma 9

_LONG = 1 << 16  # bits
_BITS = 128


@dataclass(frozen=True, slots=True, init=False)
class RealizablePrivateLearner(BlockVotes[SoftMajorityVote | GeometricVote]):
    """Vote softly among hypotheses that are consistent with disjoint parts of the sample.

    The sample is cut by index into r blocks of floor(n/r) examples; the remaining examples are not
    used. Each block chooses one hypothesis, consistent with it if there is one, and the label of a
    point is drawn by a :class:`~pac_stability.mechanisms.SoftMajorityVote` of these: it is 1 with
    probability ``1 / (1 + e**(-epsilon (v - r/2)))`` when v of the r hypotheses say 1.

    Parameters
    ----------
    H
        The class, not empty; or any other base learner, a function from samples to hypotheses or a
        classifier with ``fit`` and ``predict``, of which each block gets a copy.
    blocks
        r, the number of blocks and of votes.
    epsilon
        The privacy of each prediction: a number, or an ``Epsilon``.
    least_sample_size
        The least sample size; set by the sizes that promise an accuracy.
    vote
        :class:`~pac_stability.mechanisms.SoftMajorityVote`, which is Lemma 9's, or
        :class:`~pac_stability.mechanisms.GeometricVote`, which is as private and errs less.

    Raises
    ------
    InvalidInput
        The class is empty, there is no block, or epsilon is not a privacy parameter; on use, the
        sample is too small (r examples at least), or a point outside the domain of the class.

    Notes
    -----
    Privacy: an example lies in at most one block, so replacing it changes at most one vote, whose
    choice is a fixed function of the block. That holds for *every* sample, and is what privacy
    means. Therefore a block with which no hypothesis is consistent must have a choice too: it is
    the first representative with the fewest errors. A learner that refused such samples would
    reveal, by refusing, what is in them; and Lemma 18 passes through samples labelled by two
    hypotheses in turn, with which none may be consistent.

    A base learner must be such a function too: one that draws needs a seed chosen beforehand. An
    exception on some samples reveals information about them.

    :attr:`factor` and :meth:`stability` are the exact values for r votes, attained as soon as one
    example can change the vote of a unanimous, respectively balanced, electorate.

    Accuracy: when the sample is labelled by a hypothesis g of the class, and a consistent
    hypothesis of a block is wrong on a mass of at most a of the distribution, for every block, then
    predictions differ from g with probability at most :func:`vote_error`. A block that is an a-net
    guarantees it for all g at once.

    The decay of :attr:`vote`, ``e**(-epsilon/2)``, is rounded up to a rational number, so that the
    guarantee is never weaker than asked. Cost: r times the enumeration of the patterns on a block.

    Source: DF20 Lemma 9, whose learner is that of Dwork and Feldman, *Privacy-preserving
    prediction*, 2018.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.data import Sample
    >>> learner = RealizablePrivateLearner(thresholds(3), 3, Epsilon.exactly(4))
    >>> sample = Sample([0, 2, 1, 2, 0, 1], [0, 1, 0, 1, 0, 0])
    >>> learner.probabilities(sample, [0, 1, 2])
    (Fraction(1, 9), Fraction(1, 3), Fraction(8, 9))
    >>> learner.factor, learner.stability(4)
    (Fraction(3, 1), Fraction(1, 3))
    """

    def __init__(
        self,
        H: learning.BaseLearner,
        blocks: int,
        epsilon: Epsilon | AnyNumber,
        least_sample_size: int = 0,
        *,
        vote: type[SoftMajorityVote | GeometricVote] = SoftMajorityVote,
    ) -> None:
        if vote not in (SoftMajorityVote, GeometricVote):
            raise InvalidInput("vote", described(vote), "SoftMajorityVote or GeometricVote")
        BlockVotes.__init__(self, H, blocks, epsilon, least_sample_size, vote.from_epsilon)

    @property
    def factor(self) -> Fraction:
        """The factor ``e**epsilon`` of private prediction: below the one asked for.

        Exact, or rounded up in its 100th bit where many votes make the exact one long.
        """
        if isinstance(self.vote, GeometricVote):
            return self.vote.factor(self.blocks)
        s, r = 1 / self.vote.decay, self.blocks
        if s.numerator.bit_length() * r <= _LONG:
            return self.vote.factor(r)
        # (1 + s**r) / (1 + s**(r - 2)), in a form that grows as the power in it shrinks.
        logarithm = Interval.log(s, _BITS) * (2 - r)
        against = Interval.exp(logarithm, _BITS).lower if -logarithm.lower < _BITS else 0
        return 1 + (s**2 - 1) / (1 + against)

    def promises(self, n: int, /) -> learning.Promises:
        return {
            Notion.PRIVATE_PREDICTION: PrivacyGuarantee(Epsilon.exactly(self.factor)),
            Notion.UNIFORM_STABILITY: self.stability(n),
        }


def vote_error(blocks: int, decay: AnyNumber, block_error: AnyNumber) -> Fraction:
    """Return the largest error of a soft majority among hypotheses of a given error, exactly.

    Parameters
    ----------
    blocks
        r, the number of hypotheses that vote.
    decay
        sigma, that of the vote: ``e**(-epsilon/2)``.
    block_error
        a, an exact probability: each of the hypotheses differs from the target on a mass of at
        most a.

    Returns
    -------
    Fraction
        The largest probability that the outcome of the vote differs from the target at a random
        point, over all distributions, targets and hypotheses: nothing more can be promised from
        these three numbers.

    Raises
    ------
    InvalidInput
        An argument is out of range.

    Notes
    -----
    A point where w of the votes are wrong has the loss ``l(w) = 1 / (1 + s**(r - 2w))``, with ``s =
    1/sigma``, and w has an expectation of at most a r, without further restrictions; so the answer
    is the concave envelope of l at a r. As l is convex up to r/2 and concave from there, the
    envelope is a chord from 0 to some w, at least r/2, and follows l afterwards. So for small a it
    grows by less than 2 a, where Markov's inequality (:func:`markov_vote_error`) has 4 a.

    The end of the chord is found by bisection: O(log r) powers of sigma.

    Examples
    --------
    >>> vote_error(4, Fraction(1, 2), 0), vote_error(4, Fraction(1, 2), Fraction(1, 100))
    (Fraction(1, 17), Fraction(146, 2125))
    """
    r, sigma = as_size(blocks, "blocks", least=1), as_decay(decay)
    wrong = r * as_probability(block_error, "block_error")

    def odds(w: int) -> tuple[int, int]:
        """Return l(w) as a numerator and a denominator: reducing them would take longest."""
        top, bottom = (power ** abs(2 * w - r) for power in sigma.as_integer_ratio())
        return (bottom if 2 * w > r else top), top + bottom

    def loss(w: int) -> Fraction:
        return Fraction(*odds(w))

    none, whole = odds(0)

    def chord_rises(w: int) -> bool:
        """Whether the chord from 0 to w + 1 is steeper than the one to w."""
        (a, b), (c, d) = odds(w), odds(w + 1)
        # w (l(w + 1) - l(w)) > l(w) - l(0), times the denominators
        return w * (b * c - a * d) * whole > (a * whole - b * none) * d

    low = least_integer(lambda w: not chord_rises(w), 1, r)
    before = 0 if wrong <= low else min(int(wrong), r - 1)
    after = low if wrong <= low else before + 1
    start = loss(before)
    return start + (loss(after) - start) * (wrong - before) / (after - before)


def markov_vote_error(blocks: int, decay: AnyNumber, block_error: AnyNumber) -> Fraction:
    """Return the bound on the same error that Markov's inequality gives.

    Parameters
    ----------
    blocks, decay, block_error
        As for :func:`vote_error`.

    Returns
    -------
    Fraction
        ``4 a + 1 / (1 + s**(r - 2 floor(r/4)))`` with ``s = 1/sigma``: more than a quarter of the
        votes are wrong on a mass of at most 4 a, and elsewhere the vote errs rarely.

    Notes
    -----
    The second term is below ``sigma**(r/2) = e**(-epsilon r/4)``. So it is the accuracy alpha of
    DF20 Lemma 9 that a = alpha/5 and ``r = ceil((4/epsilon) ln(5/alpha))`` give.

    Examples
    --------
    >>> markov_vote_error(4, Fraction(1, 2), Fraction(1, 100))
    Fraction(6, 25)
    """
    r, sigma = as_size(blocks, "blocks", least=1), as_decay(decay)
    a = as_probability(block_error, "block_error")
    return 4 * a + 1 / (1 + sigma ** (2 * (r // 4) - r))
