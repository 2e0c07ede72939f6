"""Learners that split the sample, and others that the paper compares with.

Minimisers of disjoint parts vote: the private predictions of Lemma 9, where some hypothesis makes
no error, and baselines with noisy votes on the same base. Then averages, the exponential learner
of a finite class, and a walk.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import islice
from operator import itemgetter
from typing import ClassVar, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from pac_stability import learning, mechanisms
from pac_stability.arguments import (
    AnyNumber,
    as_points,
    as_probability,
    as_size,
    described,
    fix,
    in_words,
)
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval, least_integer
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import (
    Family,
    FiniteClass,
    Hypothesis,
    Row,
    family,
    least_errors,
    validation,
)
from pac_stability.data import AnySample, FiniteDistribution, Sample, enumerate_law
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import InvalidInput
from pac_stability.learning import AnyData, is_family, require_base
from pac_stability.mechanisms import GeometricVote, PrivacyGuarantee, SoftMajorityVote, draws
from pac_stability.mechanisms.draws import Counts, as_decay
from pac_stability.papers.dagan_feldman import answers, selection
from pac_stability.papers.guarantees import by_choice
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
        epsilon: EpsilonLike,
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
        epsilon: EpsilonLike,
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


@dataclass(frozen=True, slots=True)
class DisjointAverage(answers.DrawingLearner):
    """Predict by the empirical risk minimiser of a random one of k disjoint parts of the sample.

    The probability of label 1 at a point is the mean of the labels that the k minimisers give it.

    Parameters
    ----------
    H
        The class, not empty; or any other base learner, a function from samples to hypotheses or a
        classifier with ``fit`` and ``predict``.
    blocks
        k, the number of parts, at least 1. They are consecutive, of floor(n/k) examples each.
    least_sample_size
        The least sample size; set by the sizes that promise an accuracy.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample is too small (k examples at least), or a
        point is outside the domain.

    Notes
    -----
    Stability. An example is in one part at most, so replacing it changes one of k labels: exactly
    1/k, for every class of two hypotheses or more and every n from k on. To see that it is
    attained, take a point x to which the class gives both labels, and a part of copies of x. As
    their labels turn from 0 to 1 one by one, the label of the minimiser at x turns as well, at one
    of the steps.

    The predictions are not private: a label has probability 0 until the first of the k minimisers
    gives it.

    Loss. The expected error, on any distribution, is the mean of the errors of the k minimisers,
    each learned from floor(n/k) examples: k times the data.

    Source: Shalev-Shwartz, Shamir, Srebro and Sridharan, *Learnability, stability and uniform
    convergence*, 2010, with which DF20 Theorem 1 is compared.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> learner = DisjointAverage(Thresholds(), 2)
    >>> from pac_stability.data import Sample
    >>> sample = Sample([1, 2, 3, 4], [0, 1, 0, 1])
    >>> learner.probabilities(sample, [1, 2, 3, 4])
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 1))
    >>> learner.stability(4), learner.predict(sample, 4)
    (Fraction(1, 2), 1)
    """

    H: learning.BaseLearner
    blocks: int
    least_sample_size: int = 0

    def __post_init__(self) -> None:
        require_base(self.H)
        for name, least in (("blocks", 1), ("least_sample_size", 0)):
            object.__setattr__(self, name, as_size(getattr(self, name), name, least=least))

    @property
    def least_examples(self) -> int:
        return max(self.blocks, self.least_sample_size)

    def stability(self, n: int) -> Fraction:
        """Return the largest change of a prediction by one example, exactly, for n examples.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            1/k.
        """
        as_size(n, "n", least=self.least_examples)
        return Fraction(1, self.blocks)

    def promises(self, n: int, /) -> learning.Promises:
        gamma = self.stability(n)
        return {Notion.UNIFORM_STABILITY: gamma, Notion.TOTAL_VARIATION_STABILITY: gamma}

    def law(self, sample: AnyData, /) -> FiniteDistribution[Hypothesis]:
        return reduced_law(dict(Counter(self.minimisers(sample))))

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        given = learning.as_sample(sample, self.least_examples)
        chosen = answers.index_blocks(given, self.blocks)[rng.below(self.blocks)]
        return answers.base_hypothesis(self.H, chosen)

    def minimisers(self, sample: AnyData) -> tuple[Hypothesis, ...]:
        """Return the minimisers of the parts.

        Parameters
        ----------
        sample
            S.
        """
        return answers.block_minimisers(
            self.H, learning.as_sample(sample, self.least_examples), self.blocks
        )

    def prepare(self, sample: AnyData, /) -> learning.PreparedPredictor[Hashable]:
        chosen = self.minimisers(sample)

        def coin(votes: int) -> draws.LazyCoin:
            return draws.LazyCoin.of(Fraction(votes, self.blocks))

        return answers.TossedAnswers(
            self, len(learning.as_sample(sample)), partial(answers.votes_at, chosen), coin
        )


# Averaging over the random subsets of a sample

T = TypeVar("T")

Draw: TypeAlias = tuple[tuple[int, ...], int]
"""How often each of some examples is drawn, and how many index sets draw so."""


@dataclass(frozen=True, slots=True)
class SubsetAverage(answers.SubsetLearner):
    """Predict by the empirical risk minimiser of a random subset of the sample.

    Parameters
    ----------
    H
        The class, not empty; or any other base learner, a function from samples to hypotheses or a
        classifier with ``fit`` and ``predict``.
    subset_size
        m, the number of indices drawn, uniformly without replacement; at least 1.
    least_sample_size
        The least sample size; set by the sizes that promise an accuracy.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample is too small (m examples at least), or a
        point is outside the domain.

    Notes
    -----
    Stability. An example is drawn with probability m/n, and where it is not, replacing it changes
    nothing: m/n. Any class with two hypotheses that agree at one point and differ at another
    attains it, as the other examples can be copies of the first point and the one that is replaced
    a lone example at the second.

    Bagging draws with replacement; this is its form without, which DF20's introduction mentions
    beside averaging on disjoint parts.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> learner = SubsetAverage(Thresholds(), 2)
    >>> from pac_stability.data import Sample
    >>> sample = Sample([1, 2, 3], [0, 1, 1])
    >>> learner.law(sample).map(lambda h: h.cut)
    FiniteDistribution({2: 2/3, 3: 1/3})
    >>> learner.stability(3)
    Fraction(2, 3)
    """

    H: learning.BaseLearner
    subset_size: int
    least_sample_size: int = 0

    def __post_init__(self) -> None:
        require_base(self.H)
        for name, least in (("subset_size", 1), ("least_sample_size", 0)):
            object.__setattr__(self, name, as_size(getattr(self, name), name, least=least))

    @property
    def symmetric(self) -> bool:
        """Whether only the multiset of examples matters, which is always true for a class."""
        return is_family(self.H)

    def stability(self, n: int) -> Fraction:
        """Return a bound on the change of a prediction by one example, for n examples.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            m/n.
        """
        return self._part(n)

    def promises(self, n: int, /) -> learning.Promises:
        gamma = self.stability(n)
        return {Notion.UNIFORM_STABILITY: gamma, Notion.TOTAL_VARIATION_STABILITY: gamma}

    def law(self, sample: AnyData, /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.

        Notes
        -----
        The sum is over the sets of distinct examples, at most 2 to the power of their number, each
        with the number of index sets that draw just these. Where some hypothesis is consistent with
        all of them, the first such is the minimiser. Where none is, the minimiser depends on how
        often each of them is drawn, and these counts are gone through, weighted by products of
        binomials.

        Of another base learner than a class all index sets are gone through.
        """
        if not is_family(self.H):
            return learning.LawfulLearner.law(self, learning.as_listed(sample, self.least_examples))
        times = Counter(learning.as_listed(sample, self.least_examples))
        examples, counts = tuple(times), tuple(times.values())
        patterns_on = cache(self.H.restrict)
        weights: dict[Hypothesis, int] = {}
        for drawn, ways in selection.hit_sets(counts, self.subset_size):
            patterns = patterns_on(frozenset(examples[i].point for i in drawn))
            columns = [patterns.column(examples[i].point) for i in drawn]
            labels = np.array([examples[i].label for i in drawn])
            wrong = (patterns.table[:, columns] != labels).astype(np.int64)
            parts: Iterable[list[Draw]] = [[((1,) * len(drawn), ways)]]
            if wrong.sum(axis=1).all():
                parts = _batches(_multiplicities([counts[i] for i in drawn], self.subset_size))
            for part in parts:
                errors = wrong @ np.array([often for often, _ in part]).T
                for best, (_, ways_of_part) in zip(errors.argmin(axis=0), part, strict=True):
                    h = patterns.representatives[best]
                    weights[h] = weights.get(h, 0) + ways_of_part
        return reduced_law(weights)

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        if is_family(self.H):
            return answers.SubsetLearner.probabilities(self, sample, points)
        # What a classifier becomes has no name by which two of them are equal; its labels have.
        given, at = learning.as_listed(sample, self.least_examples), as_points(points)

        def labels(rng: Coins) -> tuple[int, ...]:
            h = self.run(given, rng)
            return tuple(h(x) for x in at)

        law = enumerate_law(labels)
        return tuple(law.expectation(itemgetter(place)) for place in range(len(at)))

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        given = learning.as_sample(sample, self.least_examples)
        return answers.base_hypothesis(self.H, answers.random_subset(given, self.subset_size, rng))


def _multiplicities(counts: Sequence[int], size: int) -> Iterator[Draw]:
    """Yield how often each example is drawn, at least once, and how many index sets draw so."""
    if not counts:
        yield (), 1
        return
    *others, last = counts
    for times in range(max(1, size - sum(others)), min(last, size - len(others)) + 1):
        ways = math.comb(last, times)
        for often, rest in _multiplicities(others, size - times):
            yield (*often, times), rest * ways


def _batches(items: Iterator[T]) -> Iterator[list[T]]:
    """Yield the items in lists of a few thousand: one matrix product each."""
    while batch := list(islice(items, 4096)):
        yield batch


# The mean of votes with continuous Laplace noise, in certified intervals


@dataclass(frozen=True, slots=True, init=False)
class LaplaceMeanVote:
    """Output label 1 with the probability that a noisy, clamped share of the votes gives.

    The share v of the votes for label 1 among r gets Laplace noise of scale ``b = 1/(r epsilon)``
    and is clamped to the interval from 0 to 1: that is the probability of label 1.

    Parameters
    ----------
    epsilon
        The nominal privacy parameter, above 0: a number, or an
        :class:`~pac_stability.arithmetic.Epsilon`.

    Raises
    ------
    InvalidInput
        Epsilon is not a privacy parameter, or is 0.

    Notes
    -----
    The probability of label 1 is ``p(v) = v + (b/2) (e**(-v/b) - e**(-(1-v)/b))``. With ``t =
    e**epsilon`` and k votes of r the powers are ``t**-k`` and ``t**-(r-k)``, rational numbers; only
    b, for the logarithm of t in it, has to be enclosed. Nothing here is drawn:
    :class:`~pac_stability.mechanisms.NoisyMeanVote` is the discrete form, exact in everything, with
    less bias.

    ``p(v)`` is the integral of ``F(v - s)`` over s in [0, 1], F the distribution function of the
    noise. F is log-concave, so p is (Prékopa); hence ``p(v + 1/r) / p(v)`` is largest at v = 0. By
    the symmetry ``p(1 - v) = 1 - p(v)`` the same holds for label 0. So :meth:`factor` is exact. It
    is below the nominal one, as the clamped noise hides more: nearly ``2 epsilon + e**-epsilon``
    for many voters, whose logarithm is .862 for epsilon = 1.

    Source: the agnostic aggregation of Dwork and Feldman, *Privacy-preserving prediction*, 2018,
    that DF20 cites.

    Examples
    --------
    >>> vote = LaplaceMeanVote(1.0)
    >>> round(float(vote.probability(1, 5)), 4), vote.factor(5) < Epsilon(1.0).ratio
    (0.235, True)
    """

    epsilon: Epsilon

    def __init__(self, epsilon: EpsilonLike) -> None:
        asked = as_epsilon(epsilon)
        if asked.ratio == 1:
            raise InvalidInput("epsilon", str(epsilon), "a number above 0")
        object.__setattr__(self, "epsilon", asked)

    def probability(self, votes: int, voters: int, bits: int = 64) -> Interval:
        """Enclose the probability of label 1.

        Parameters
        ----------
        votes
            k, the number of votes for label 1.
        voters
            r, their number.
        bits
            Working precision.
        """
        k, r = _votes(votes, voters)
        t = self.epsilon.ratio
        return Fraction(k, r) + (t**-k - t ** (k - r)) / (2 * r * self.epsilon.interval(bits))

    def bias(self, voters: int, bits: int = 64) -> Interval:
        """Enclose the largest distance between the probability of label 1 and the share of votes.

        Parameters
        ----------
        voters
            r, their number.
        bits
            Working precision.

        Returns
        -------
        Interval
            ``(b/2) (1 - e**(-1/b))``, which is below b/2; attained at unanimity.
        """
        return self.probability(0, voters, bits)

    def factor(self, voters: int, bits: int = 64) -> Interval:
        """Enclose the exact factor ``e**epsilon`` for one vote replaced.

        Parameters
        ----------
        voters
            r, their number.
        bits
            Working precision.

        Returns
        -------
        Interval
            ``p(1/r) / p(0) = (2 ln t + t**-1 - t**(1-r)) / (1 - t**-r)``.
        """
        r = as_size(voters, "voters", least=1)
        t = self.epsilon.ratio
        return (2 * self.epsilon.interval(bits) + (1 / t - t ** (1 - r))) / (1 - t**-r)


def _votes(votes: int, voters: int) -> tuple[int, int]:
    r = as_size(voters, "voters", least=1)
    k = as_size(votes, "votes")
    if k > r:
        raise InvalidInput("votes", in_words(k), f"at most {in_words(r)}, the number of voters")
    return k, r


# Aggregation of learners on disjoint parts by a noisy mean, for samples with noise

_GUARD = 32  # bits beyond those that are compared


@dataclass(frozen=True, slots=True, init=False)
class DworkFeldmanAggregation(BlockVotes[mechanisms.NoisyMeanVote]):
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
        The least sample size; set by the sizes that promise an accuracy.

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
        self, H: learning.BaseLearner, blocks: int, epsilon: EpsilonLike, least_sample_size: int = 0
    ) -> None:
        BlockVotes.__init__(
            self, H, blocks, epsilon, least_sample_size, mechanisms.NoisyMeanVote.from_epsilon
        )

    @property
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        """The privacy of one prediction, exact."""
        return self.vote.guarantee

    @property
    def bias(self) -> Fraction:
        """The largest distance, exactly, between a prediction and the share of votes."""
        return self.vote.law((0,) * self.blocks).probability(1)

    def promises(self, n: int, /) -> learning.Promises:
        return {
            Notion.PRIVATE_PREDICTION: self.guarantee,
            Notion.UNIFORM_STABILITY: self.stability(n),
        }


@dataclass(frozen=True, slots=True, init=False)
class LaplaceAggregation(learning.PointwiseLearner[Hashable]):
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

    H: learning.BaseLearner
    blocks: int
    vote: LaplaceMeanVote

    def __init__(self, H: learning.BaseLearner, blocks: int, epsilon: EpsilonLike) -> None:
        require_base(H)
        fix(self, H=H, blocks=as_size(blocks, "blocks", least=1), vote=LaplaceMeanVote(epsilon))

    @property
    def least_examples(self) -> int:
        return self.blocks

    def promises(self, n: int, /) -> learning.Promises:  # noqa: ARG002  # the same for every n
        factor = Epsilon.exactly(self.vote.factor(self.blocks).upper)
        return {Notion.PRIVATE_PREDICTION: mechanisms.PrivacyGuarantee(factor)}

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Interval, ...]:
        votes = answers.votes_at(
            answers.block_minimisers(self.H, sample, self.blocks), as_points(points)
        )
        return tuple(self.vote.probability(k, self.blocks) for k in votes)

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        return self.prepare(sample).answer(point, rng)

    def prepare(self, sample: AnyData, /) -> learning.PreparedPredictor[Hashable]:
        chosen = answers.block_minimisers(self.H, sample, self.blocks)
        return answers.TossedAnswers(
            self, len(learning.as_sample(sample)), partial(answers.votes_at, chosen), self._coin
        )

    def _coin(self, votes: int) -> draws.LazyCoin:
        """Return the coin for a point that so many label 1."""

        def bounds(bits: int) -> tuple[int, int]:
            return self.vote.probability(votes, self.blocks, bits + _GUARD).in_units(bits)

        return draws.LazyCoin(bounds)


# The exponential mechanism on a whole finite class


@dataclass(frozen=True, slots=True, init=False)
class ExponentialLearner(answers.DrawingLearner):
    """Draw a hypothesis of a finite class by the exponential mechanism: the whole model is private.

    Parameters
    ----------
    H
        The class: finite, not empty. Another family is restricted to a finite domain first:
        ``Thresholds().restrict(points)`` is a finite class.
    epsilon
        The privacy parameter: a number, or an :class:`~pac_stability.arithmetic.Epsilon`.
    least_sample_size
        The least sample size; set by the sizes that promise an accuracy.

    Raises
    ------
    InvalidInput
        A parameter is out of range. On use: the sample is too small, or a point is outside the
        domain.

    Notes
    -----
    A hypothesis of k errors on the sample weighs ``rho**k`` with ``rho = e**(-epsilon/2)``. The
    drawn hypothesis is epsilon-private, and hence so are predictions; they are also
    ``tanh(epsilon/4)``-stable. On samples of n examples its expected number of errors exceeds the
    least by at most ``2 ln|H| / epsilon`` (DF20 Lemma 7). With the known explicit constants, a
    *finite* class takes fewer examples this way than by the private predictions of DF20, in all
    computed cases; the sizes of DF20 do not involve ``ln|H|``.

    Source: Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith, *What can we learn privately?*,
    2011; DF20 calls it A^exp.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> learner = ExponentialLearner(thresholds(2), Epsilon.exactly(4))
    >>> sample = Sample([0, 1, 1], [0, 1, 1])
    >>> learner.probabilities(sample, [0, 1])
    (Fraction(2, 7), Fraction(6, 7))
    >>> learner.guarantee.factor, learner.stability(3)
    (Fraction(4, 1), Fraction(1, 3))
    """

    H: FiniteClass
    epsilon: Epsilon
    least_sample_size: int
    mechanism: mechanisms.ExponentialMechanism[Sample[Hashable], Row] = field(
        repr=False, compare=False
    )

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __init__(self, H: FiniteClass, epsilon: EpsilonLike, least_sample_size: int = 0) -> None:
        _require_finite(H)
        family.require_family(H)
        asked = as_epsilon(epsilon)
        fix(
            self,
            H=H,
            epsilon=asked,
            least_sample_size=as_size(least_sample_size, "least_sample_size"),
            mechanism=mechanisms.exponential_learner(H, mechanisms.decay_for(asked)),
        )

    @property
    def least_examples(self) -> int:
        return self.least_sample_size

    @property
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        """The privacy of the hypothesis, and so of every prediction."""
        return self.mechanism.guarantee

    def stability(self, n: int) -> Fraction:
        """Return a bound on the change of a prediction by one example.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``(1 - rho) / (1 + rho) = tanh(epsilon/4)``.
        """
        as_size(n, "n", least=self.least_sample_size)
        return self.mechanism.stability

    def promises(self, n: int, /) -> learning.Promises:
        return {**by_choice(self.mechanism), Notion.UNIFORM_STABILITY: self.stability(n)}

    def law(self, sample: AnyData, /) -> FiniteDistribution[Row]:
        return self.mechanism.law(learning.as_listed(sample, self.least_examples))

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        at, counts = as_points(points), self._errors(sample)
        weights = mechanisms.exponential_weights(counts, self.mechanism.decay)
        total = sum(weights)
        columns = (self.H.table[:, self.H.column(point)].tolist() for point in at)
        return tuple(
            Fraction(sum(w for w, label in zip(weights, column, strict=True) if label), total)
            for column in columns
        )

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Row:
        return self.H[
            mechanisms.exponential_choice(self._errors(sample), self.mechanism.decay, rng)
        ]

    def prepare(self, sample: AnyData, /) -> learning.PreparedPredictor[Hashable]:
        """Return a prepared learner for many points: errors are counted once.

        Parameters
        ----------
        sample
            S.

        Notes
        -----
        All that an answer asks of the hypothesis is its label, which is 1 with the probability of
        a sum of weights: O(|H|) for the first question about a point, one coin from then on.
        """
        choice = mechanisms.PreparedChoice(self._errors(sample), self.mechanism.decay)

        def columns(points: Sequence[Hashable]) -> list[int]:
            return [self.H.column(point) for point in points]

        def coin(column: int) -> draws.LazyCoin:
            return choice.coin(self.H.table[:, column])

        return answers.TossedAnswers(self, len(learning.as_sample(sample)), columns, coin)

    def _errors(self, sample: AnyData) -> Counts:
        given = learning.as_sample(sample, self.least_examples)
        if isinstance(given, Sample):
            return mechanisms.error_counts(self.H, given)
        return learning.as_counter(sample).count(self.H)


def _require_finite(H: object) -> None:
    if not isinstance(H, FiniteClass):
        wanted = "a FiniteClass (restrict another family to finitely many points)"
        raise InvalidInput("H", described(H), wanted)


# Private predictions for thresholds by a walk along the sorted sample


@dataclass(frozen=True, slots=True, init=False)
class ThresholdWalk(learning.PointwiseLearner[Hashable]):
    """Let the examples from the left up to a point push its log odds up or down.

    For the class of the thresholds ``1[x >= t]``. At a point x, the log odds of label 1 start at
    ``-B epsilon/2``. The examples at points up to x, in the order of their points, move them by
    ``+epsilon/2`` for a label 1 and by ``-epsilon/2`` for a label 0, but never beyond ``B
    epsilon/2`` on either side.

    Parameters
    ----------
    epsilon
        The privacy parameter of a prediction: a number, or an
        :class:`~pac_stability.arithmetic.Epsilon`.
    limit
        B, at least 1: no label gets a probability below ``1 / (1 + e**(B epsilon/2))``.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, a point is not a real number.

    Notes
    -----
    Privacy. A step, clipping included, does not move two positions apart. So taking a step out of
    the walk changes where it ends by one step at most, and so does putting one in: replacing an
    example changes the log odds by epsilon at most. :meth:`factor` is exact. At one point, labels 0
    are walked before labels 1, so that the order of the sample does not matter.

    The algorithm of Dwork and Feldman, *Privacy-preserving prediction*, 2018, to which DF20 refers
    as the one that needs fewer examples than any private model, with multiplication by
    ``e**epsilon`` replaced by steps whose privacy is exact. Their bound on its error is not
    re-derived here.

    Examples
    --------
    >>> learner = ThresholdWalk(Epsilon.exactly(4), 2)
    >>> sample = Sample([1, 2, 3, 4], [0, 1, 1, 1])
    >>> learner.probabilities(sample, [0, 1, 2, 3, 4])
    (Fraction(1, 5), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3))
    >>> learner.factor, learner.guarantee.factor
    (Fraction(5, 2), Fraction(4, 1))
    """

    epsilon: Epsilon
    limit: int
    decay: Fraction = field(repr=False, compare=False)

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __init__(self, epsilon: EpsilonLike, limit: int) -> None:
        asked = as_epsilon(epsilon)
        object.__setattr__(self, "epsilon", asked)
        object.__setattr__(self, "limit", as_size(limit, "limit", least=1))
        object.__setattr__(self, "decay", mechanisms.decay_for(asked))

    @property
    def guarantee(self) -> mechanisms.PrivacyGuarantee:
        """The privacy of one prediction, whatever the limit."""
        return mechanisms.PrivacyGuarantee(Epsilon.exactly(self.decay**-2))

    @property
    def factor(self) -> Fraction:
        """The factor ``e**epsilon`` of one prediction, exact for samples of two examples or more.

        It is ``(1 + s**B) / (1 + s**(B - 2))`` with ``s = 1/decay``: two steps up from the bottom.
        """
        s = 1 / self.decay
        return (1 + s**self.limit) / (1 + s ** (self.limit - 2))

    def stability(self, n: int) -> Fraction:  # noqa: ARG002  # the same for every n
        """Return a bound on the change of a prediction by one example; exact for n > B.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``(1 - decay) / (1 + decay) = tanh(epsilon/4)``.
        """
        return (1 - self.decay) / (1 + self.decay)

    def promises(self, n: int, /) -> learning.Promises:
        return {
            Notion.PRIVATE_PREDICTION: self.guarantee,
            Notion.UNIFORM_STABILITY: self.stability(n),
        }

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S, on real numbers.
        points
            Real numbers.

        Notes
        -----
        O(n log n), and O(log n) for each point.
        """
        positions = self._positions(learning.as_listed(sample, self.least_examples))
        return tuple(map(self._chance, positions(as_points(points))))

    def prepare(self, sample: AnyData, /) -> learning.PreparedPredictor[Hashable]:
        given = learning.as_listed(sample, self.least_examples)

        def coin(position: int) -> draws.LazyCoin:
            return draws.LazyCoin.of(self._chance(position))

        return answers.TossedAnswers(self, len(given), self._positions(given), coin)

    def _positions(self, sample: Sample[Hashable]) -> Callable[[Sequence[Hashable]], list[int]]:
        """Go the walk, and return what finds where it stands after the examples up to points.

        Parameters
        ----------
        sample
            S.
        """
        walk = sorted(zip(map(validation.exact_number, sample.points), sample.labels, strict=True))
        places, after = [place for place, _ in walk], [-self.limit]
        for _, label in walk:
            after.append(max(-self.limit, min(after[-1] + 2 * label - 1, self.limit)))

        def at(points: Sequence[Hashable]) -> list[int]:
            return [after[bisect_right(places, validation.exact_number(point))] for point in points]

        return at

    def _chance(self, position: int) -> Fraction:
        return 1 / (1 + self.decay**position)
