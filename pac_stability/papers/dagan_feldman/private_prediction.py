"""The private learner of Theorem 3, and the account of its privacy."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    as_probability,
    as_size,
    in_words,
)
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import Family
from pac_stability.classes.required import require_family
from pac_stability.errors import InvalidInput
from pac_stability.learning import (
    AnyData,
    PointwiseLearner,
    PreparedPredictor,
    Promises,
    as_sample,
)
from pac_stability.mechanisms import Flip, PrivacyGuarantee
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.papers.dagan_feldman._answering import FlippedAnswers
from pac_stability.papers.dagan_feldman._checks import fix
from pac_stability.papers.dagan_feldman.flipped import FlippedLearner
from pac_stability.papers.dagan_feldman.realizable import RealizablePrivateLearner
from pac_stability.papers.dagan_feldman.relabelling import RelabellingLearner
from pac_stability.papers.dagan_feldman.stable import StableLearner
from pac_stability.randomness import SYSTEM_COINS, Coins

_HALF = Fraction(1, 2)
_LONG = 1 << 12  # bits
_BITS = 128


@dataclass(frozen=True, slots=True, init=False)
class PrivatePredictionLearner(PointwiseLearner[Hashable]):
    """Draw one pattern of a random subset, label the sample by it, and predict privately.

    On a sample S of n examples: draw a uniformly random set I of n' indices; list one hypothesis
    for each pattern of H on the points of S_I; draw one of these, h, with weight
    ``exp(-L_S(h)/eta)``; label the points of S by h; predict from these labels by the
    (1/(eta n))-private learner for realizable samples; and flip the outcome with a fixed
    probability. Before the flip that is h_S.

    Parameters
    ----------
    H
        The class, not empty.
    subset_size
        n', at least 1.
    eta
        The scale of the losses, above 0 and below 1. At the sizes of Theorem 3 it is also the
        accuracy of the net that ``S_I`` is.
    blocks
        r, the number of votes of the private learner.
    flip_probability
        z, an exact number from 0 to 1/2.
    vote_epsilon
        The privacy of the private learner, if it is not to be ``1/(eta n)``.
    least_sample_size
        Refuse samples with fewer examples.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the class is empty. On use: the sample has fewer than n', r
        or ``least_sample_size`` examples, or a point is outside the domain.

    Notes
    -----
    What ``exp(-L_S(h)/eta)`` is depends on n: one more error multiplies the weight by
    ``e**(-1/(eta n))``. This, and the decay of the vote, are rounded up to rational numbers once n
    is known (:meth:`at`), so that no more privacy is spent than the paper's.

    Privacy before the flip is (epsilon, delta) with the values of :meth:`guarantee`; the flip makes
    it pure, with the factor :meth:`factor`. Accuracy: see the functions of sample sizes.

    The position of an example matters, because the private learner has blocks; the learner is not
    symmetric. That does no harm: amplification by subsampling is used for the set I alone.

    Source: DF20 Theorem 3, with the parameters of Appendix C. (The overview in Section 4.1 has
    ``min(epsilon/2, d/(alpha n))`` for the exponential mechanism and ``d/(alpha n)`` for the
    private learner, where the appendix has ``2/(eta n)`` and ``1/(eta n)`` with eta near
    ``alpha/d``.)

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> learner = PrivatePredictionLearner(thresholds(3), 1, Fraction(1, 2), blocks=2)
    >>> from pac_stability.data import Sample
    >>> sample = Sample([0, 1, 2, 2], [0, 1, 1, 1])
    >>> [round(float(p), 3) for p in learner.probabilities(sample, [0, 1, 2])]
    [0.555, 0.574, 0.606]
    >>> learner.predict(sample, 2) in (0, 1)
    True
    """

    H: Family
    subset_size: int
    eta: Fraction
    blocks: int
    flip_probability: Fraction
    vote_epsilon: Epsilon | None
    least_sample_size: int

    def __init__(
        self,
        H: Family,
        subset_size: int,
        eta: AnyNumber,
        *,
        blocks: int,
        flip_probability: AnyNumber = 0,
        vote_epsilon: Epsilon | AnyNumber | None = None,
        least_sample_size: int = 0,
    ) -> None:
        require_family(H)
        fix(
            self,
            H=H,
            subset_size=as_size(subset_size, "subset_size", least=1),
            eta=as_open_unit(eta, "eta"),
            blocks=as_size(blocks, "blocks", least=1),
            flip_probability=as_probability(flip_probability, "flip_probability", _HALF),
            vote_epsilon=None if vote_epsilon is None else as_epsilon(vote_epsilon),
            least_sample_size=as_size(least_sample_size, "least_sample_size"),
        )

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have."""
        return max(self.subset_size, self.blocks, self.least_sample_size)

    def at(self, n: int) -> RelabellingLearner:
        """Return what predicts before the flip, for samples of size n.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        RelabellingLearner
            The exponential mechanism in it is (2/(eta n))-private.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.
        """
        size = as_size(n, "n", least=self.least_examples)
        return (_at if isinstance(self.H, Hashable) else _at.__wrapped__)(self, size)

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        """Return the exact probability of label 1 at each point.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.
        """
        given = as_sample(sample, self.least_examples)
        return self._flipped(len(given)).probabilities(given, points)

    def enclosed(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Interval, ...]:
        """Return the probability of label 1 at each point up to certified intervals.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.

        Raises
        ------
        InvalidInput
            As for :meth:`StableLearner.enclosed`, or as for all uses.
        """
        given = as_sample(sample, self.least_examples)
        z = self.flip_probability
        before = self.at(len(given)).enclosed(given, points)
        return tuple(z + (1 - 2 * z) * p for p in before)

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a label for one point: the algorithm itself, step by step.

        Parameters
        ----------
        sample
            S.
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        n = len(as_sample(sample, self.least_examples))
        return self._flipped(n).predict(sample, point, rng)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return what answers questions about points; its promises are those of this learner.

        Parameters
        ----------
        sample
            S.
        """
        n = len(as_sample(sample, self.least_examples))
        before = self.at(n).prepare(sample)
        return FlippedAnswers(self, n, before, LazyCoin.of(self.flip_probability))

    def guarantee(self, n: int, disagreements: int, unlucky: AnyNumber) -> PrivacyGuarantee:
        """Return the privacy of h_S, before the flip, for samples of size n.

        Parameters
        ----------
        n
            The size of the samples.
        disagreements
            K_0, an integer; :func:`net_disagreements` finds the one that belongs to a net.
        unlucky
            b, an exact probability such that, for *every* sample and each of its indices, at most a
            fraction b of the sets I with that index are unlucky: two hypotheses of H agree on the
            points of the other indices of I and differ on more than K_0 of the n examples. For
            index sets the net lemma bounds it without a word on the distribution.

        Returns
        -------
        PrivacyGuarantee
            With the factor :func:`amplified_factor` and ``delta = b n'/n``.

        Raises
        ------
        InvalidInput
            A parameter is out of range.
        """
        step = self.at(n).step
        share = Fraction(self.subset_size, as_size(n, "n"))
        factor = amplified_factor(step, share, matching_factor(step, disagreements))
        return PrivacyGuarantee(Epsilon.exactly(factor), share * as_probability(unlucky, "unlucky"))

    def factor(self, n: int, disagreements: int, unlucky: AnyNumber) -> Fraction | float:
        """Return the factor ``e**epsilon`` of the flipped predictions, for samples of size n.

        Parameters
        ----------
        n, disagreements, unlucky
            As for :meth:`guarantee`.

        Returns
        -------
        Fraction or math.inf
            Infinite when the predictions are not flipped and some set is unlucky.
        """
        before = self.guarantee(n, disagreements, unlucky)
        return Flip(self.flip_probability).factor_after(before.delta, before.epsilon)

    def promises(self, n: int, /) -> Promises:
        """Return what is proved of the learner on *all* samples of n examples, by notion.

        No net is needed for that: two hypotheses differ on at most all n examples, so that the
        factor before the flip is about ``e**(3 kappa) (1 + 4 q e**(3/eta))`` with ``kappa = 1/(eta
        n)`` and delta is 0.

        Parameters
        ----------
        n
            The size of the samples.
        """
        factor = self.factor(n, n, 0)
        if not isinstance(factor, Fraction):
            return {}
        return {Notion.PRIVATE_PREDICTION: PrivacyGuarantee(Epsilon.exactly(factor))}

    def paper_factor(self, n: int) -> Interval:
        """Return the factor before the flip that the proof of Lemma 15 gives.

        Parameters
        ----------
        n
            The size of the samples, above n'.

        Returns
        -------
        Interval
            ``e**(3/(eta n)) (1 + 4 e**6 q/(1 - q))`` with ``q = n'/n``; its delta is q times the
            probability that ``S_I`` without one example is no eta-net.

        Raises
        ------
        InvalidInput
            n is too small.

        Notes
        -----
        The paper replaces ``1/(1 - q)`` by 2, which asks for q up to 1/2; together with ``n' <=
        epsilon n`` that is a condition on epsilon. :meth:`guarantee` needs none.
        """
        size = as_size(n, "n", least=max(self.least_examples, self.subset_size + 1))
        share = Fraction(self.subset_size, size)
        kappa = 1 / (self.eta * size)
        return Interval.exp(3 * kappa) * (1 + 4 * Interval.exp(6) * (share / (1 - share)))

    def _flipped(self, n: int) -> FlippedLearner[RelabellingLearner]:
        return FlippedLearner(self.at(n), self.flip_probability)


@lru_cache(maxsize=16)
def _at(learner: PrivatePredictionLearner, n: int) -> RelabellingLearner:
    """Fix the decays for samples of size n; finding them takes longer than a small sample."""
    kappa = 1 / (learner.eta * n)
    selector = StableLearner(learner.H, learner.subset_size, 2 * kappa)
    spent = kappa if learner.vote_epsilon is None else learner.vote_epsilon
    return RelabellingLearner(selector, RealizablePrivateLearner(learner.H, learner.blocks, spent))


def net_disagreements(net: AnyNumber, n: int) -> int:
    """Return on how many examples two hypotheses can differ that agree on a net.

    Parameters
    ----------
    net
        eta: the net is an eta-net for the uniform distribution over n - 1 of the examples.
    n
        The size of the sample, at least 1.

    Returns
    -------
    int
        ``floor(eta (n - 1)) + 1``, the one example more being the one that is replaced.

    Notes
    -----
    The paper goes on with ``2 eta n``, from ``1 <= eta n``: that is where its constant ``4 e**6``
    comes from. Without this step it is ``4 e**(3 (1 + kappa))`` with ``kappa = 1/(eta n)``.

    Examples
    --------
    >>> net_disagreements(Fraction(1, 10), 101)
    11
    """
    size = as_size(n, "n", least=1)
    return int(as_probability(net, "net") * (size - 1)) + 1


def matching_factor(step: AnyNumber, disagreements: int) -> Fraction:
    """Return the constant of Lemma 18: by how much one index of I changes h_{S,S_I}.

    Parameters
    ----------
    step
        t, the factor by which replacing an example changes h_{S,T}:
        :attr:`RelabellingLearner.step`.
    disagreements
        K, on how many examples of S two matched hypotheses differ at most.

    Returns
    -------
    Fraction
        ``4 t**K``, where long powers are rounded up in about their 100th bit. The factor 4 is
        approached by instances.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> matching_factor(Fraction(3, 2), 2)
    Fraction(9, 1)
    """
    return 4 * _power(_factor(step, "step"), as_size(disagreements, "disagreements"))


def amplified_factor(step: AnyNumber, share: AnyNumber, constant: AnyNumber) -> Fraction:
    """Return the factor of h_S when one of its indices changes h_{S,S_I} by a given factor.

    Parameters
    ----------
    step
        t, the factor by which replacing an example changes h_{S,T}.
    share
        q, the probability that an index is in I.
    constant
        c, the factor by which exchanging an index of I changes h_{S,S_I}.

    Returns
    -------
    Fraction
        ``t (1 + q (c - 1))``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Let Q_0 and Q_1 be the averages of h_{S,S_I} over the sets I without and with the index of the
    replaced example, and Q_2 that of h_{S,S'_I} over the latter. Exchanging the index for another
    says ``Q_1 <= c Q_0 + b``; exchanging the example, which Lemma 18 allows just as well, says
    ``Q_1 <= c Q_2 + b``. So ``Q_1 <= c m + b`` for the smaller one, m, and ``h_S = (1 - q) Q_0 + q
    Q_1 <= (1 - q) Q_0 + q m + q (c - 1) m + q b`` is at most ``(1 + q (c - 1))`` times ``(1 - q)
    Q_0 + q Q_2``, plus q b. This last average is that of the h_{S,S'_J}, and Lemma 19 changes it to
    h_S' at the cost of t. Equation (13) of DF20 uses the first inequality only and has ``1 + c
    q/(1 - q)``, which is the larger and has no bound as q grows to 1.

    Examples
    --------
    >>> amplified_factor(1, Fraction(1, 10), 11)
    Fraction(2, 1)
    """
    q, c = as_probability(share, "share"), _factor(constant, "constant")
    return _factor(step, "step") * (1 + q * (c - 1))


def _factor(value: AnyNumber, argument: str) -> Fraction:
    factor = as_number(value, argument)
    if factor < 1:
        raise InvalidInput(argument, in_words(factor), "a factor of at least 1")
    return factor


def _power(base: Fraction, exponent: int) -> Fraction:
    """Return a power of a number of at least 1, from above when the exact one is long."""
    if base.numerator.bit_length() * exponent <= _LONG:
        return base**exponent
    logarithm = Interval.log(base, _BITS)
    # A factor that nobody can use need not be written out.
    if logarithm * exponent > _LONG:
        raise InvalidInput(
            "disagreements", in_words(exponent), f"few enough for an epsilon of at most {_LONG}"
        )
    return Interval.exp(logarithm * exponent, _BITS).upper
