"""The private learner of Theorem 3, and why it is private (Section 4, Appendix C).

It selects a hypothesis, labels the sample by it, and predicts privately from these labels.

The candidates H_{S_I} depend on the index set I, and so does h_{S,S_I}. When one index of I is
exchanged, a candidate h is *matched* with the new candidates that agree with it on the points that
stay. If all matched pairs differ on few examples of S, the predictions change by a bounded factor
(Lemma 18), which subsampling makes small (Equation (13)); that the weights and the labels of S
change besides costs another factor (Lemma 19).

Everything here is exact, and no condition about nets is needed: bounds are stated with the number K
of examples on which matched hypotheses differ, which a net makes small. The proof requires that
representatives are a function of the *set* of points: if they depended on the sample, the
candidates for S and for S' would differ although T is the same, and Lemma 19 would fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np

from pac_stability import arguments, learning
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import Family, Hypothesis, relabelled
from pac_stability.classes.family import require_family
from pac_stability.data import AnySample, Example, FiniteDistribution, Sample
from pac_stability.data.sample import require_sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import AnyData, PreparedPredictor
from pac_stability.mechanisms import Flip, PrivacyGuarantee
from pac_stability.mechanisms.draws import LazyCoin
from pac_stability.notions.domination import Domination, Predictor, minimal_factor, mixture
from pac_stability.papers.dagan_feldman import answers, stable
from pac_stability.papers.dagan_feldman.baselines import RealizablePrivateLearner
from pac_stability.randomness import SYSTEM_COINS, Coins

_REMEMBERED = 4096


@dataclass(frozen=True, eq=False)
class RelabelledAnswers(answers.Answering):
    """Draw a hypothesis, label the sample by it, and answer privately from these labels.

    Parameters
    ----------
    learner, n
        As for :class:`Answering`.
    sample
        S.
    selector
        Draws h.
    private
        Answers from the sample labelled by h.
    """

    sample: AnySample = field(repr=False)
    selector: answers.DrawingAnswers
    private: RealizablePrivateLearner
    _known: dict[Hypothesis, PreparedPredictor[Hashable]] = field(default_factory=dict, repr=False)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        h = self.selector.draw(rng)
        found = self._known.get(h)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[h] = self.private.prepare(relabelled(self.sample, h))
        return found.answer(point, rng)


# Select a hypothesis, label the sample by it, and predict privately from these labels


@dataclass(frozen=True, slots=True)
class RelabellingLearner(learning.PointwiseLearner[Hashable]):
    """The algorithm of Theorem 3 with the privacy of its two steps given.

    On a sample S: draw a hypothesis h by the stable learner, label all points of S by h instead,
    and let the private learner for realizable samples predict from these labels (phi_S(h)).

    Parameters
    ----------
    selector
        Draws h.
    private
        Predicts from ``S_h``, the sample labelled by h.

    Raises
    ------
    InvalidInput
        An argument is not such a learner; on use, as for the two learners.

    Notes
    -----
    What phi_S(h) predicts depends on h only through its labels on S. So it computes phi_S once for
    each pattern on S, weighted by the selection distribution.

    The selector alone is private only up to a delta of n'/n, since the candidates depend on which
    indices are drawn. Predicting from S_h instead of by h repairs this, because two hypotheses that
    agree on a net of S give nearly the same S_h: see
    :mod:`~pac_stability.papers.dagan_feldman.private_prediction`.

    Cost: that of the selection distribution, and of r consistent hypotheses for each pattern on S.

    Source: DF20 Section 4.1 and Appendix C, Equations (8) and (9).

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> H, four = thresholds(3), Epsilon.exactly(4)
    >>> learner = RelabellingLearner(
    ...     stable.StableLearner(H, 1, four), RealizablePrivateLearner(H, 2, four)
    ... )
    >>> sample = Sample([0, 1, 2], [0, 1, 1])
    >>> [str(p) for p in learner.probabilities(sample, H.domain)]
    ['17/30', '43/60', '4/5']
    """

    selector: stable.StableLearner
    private: RealizablePrivateLearner

    def __post_init__(self) -> None:
        arguments.require_instance(self.selector, stable.StableLearner, "selector")
        arguments.require_instance(self.private, RealizablePrivateLearner, "private")

    @property
    def step(self) -> Fraction:
        """The factor by which replacing an example changes h_{S,T}, for a fixed T (Lemma 19).

        ``rho**-2``, for the weight of a hypothesis and for their sum, times the exact factor of the
        private learner; ``e**(3/(eta n))`` in the paper.
        """
        return self.selector.decay**-2 * self.private.factor

    @property
    def least_examples(self) -> int:
        return max(self.selector.least_examples, self.private.least_examples)

    def promises(self, n: int, /) -> learning.Promises:
        """Return the proved promises of the learner on samples of n examples, by notion.

        Sets T without the replaced example change predictions by the factor :attr:`step`, and they
        are all but n'/n.

        Parameters
        ----------
        n
            The size of the samples.
        """
        share = self.selector.guarantee(n).delta
        return {Notion.PRIVATE_PREDICTION: PrivacyGuarantee(Epsilon.exactly(self.step), share)}

    def relabelled(
        self, sample: Sample[Hashable], h: Hypothesis, points: Iterable[Hashable]
    ) -> tuple[Fraction, ...]:
        """Return the probability of label 1 at each point when h is selected: phi_S(h).

        Parameters
        ----------
        sample
            S; its labels do not matter.
        h
            A hypothesis.
        points
            Points of the domain.
        """
        require_sample(sample, 0)
        if not callable(h):
            raise InvalidInput("h", arguments.described(h), "a hypothesis, a function on points")
        return self.private.probabilities(relabelled(sample, h), points)

    def conditioned_on(
        self, chosen: Iterable[Hashable], sample: Sample[Hashable], points: Iterable[Hashable]
    ) -> tuple[Fraction, ...]:
        """Return the probability of label 1 at each point when H_T is given: h_{S,T}.

        Parameters
        ----------
        chosen
            The points of T, which need not be in S.
        sample
            S.
        points
            Points of the domain.
        """
        require_sample(sample, 0)
        law = self.selector.conditioned_on(arguments.as_points(chosen, "chosen")).law(sample)
        return self._mixture(law, sample, arguments.as_points(points))

    def probabilities(self, sample: AnyData, points: Iterable[Hashable], /) -> tuple[Fraction, ...]:
        at, given = arguments.as_points(points), learning.as_listed(sample, self.least_examples)
        return self._mixture(self.selector.law(given), given, at)

    def enclosed(self, sample: AnyData, points: Iterable[Hashable], /) -> tuple[Interval, ...]:
        """Return the probability of label 1 at each point, up to certified intervals.

        Parameters
        ----------
        sample
            S.
        points
            Points of the domain.

        Raises
        ------
        InvalidInput
            As for the selector's :meth:`~.stable.StableLearner.enclosed`, or as for all uses.
        """
        at, given = arguments.as_points(points), learning.as_listed(sample, self.least_examples)
        selection = self.selector.enclosed(given)
        predicted = {h: self.relabelled(given, h, at) for h in selection.hypotheses}

        def mean(column: int) -> Interval:
            def probability(h: Hypothesis) -> Fraction:
                return predicted[h][column]

            return selection.expectation(probability)

        return tuple(map(mean, range(len(at))))

    def relabelling_loss(self, sample: Sample[Hashable]) -> Fraction:
        """Return the mean distance of phi_S(h) from h on the sample, for a random h.

        Parameters
        ----------
        sample
            S.

        Returns
        -------
        Fraction
            The expectation of the average of |h(x) - phi_S(h)(x)| over the points x of S: the loss
            of h_S on S exceeds that of the selector by at most this.

        Notes
        -----
        The last step in the proof of DF20 Lemma 17, on the sample. On the distribution a bound
        follows from :func:`~pac_stability.papers.dagan_feldman.baselines.vote_error` for blocks
        that are nets. The lemma's chain, with two parts of alpha lost by the subset, one each by
        the exponential mechanism and by phi, and two by generalisation, ends at ``6 alpha``, with
        probability ``1 - 2 beta``; its statement, which has ``4 alpha`` and ``1 - beta``, is meant
        up to constants.
        """
        total = Fraction(0)
        law = self.selector.law(sample)
        pattern_of = _Pattern(sample)
        patterns = law.map(pattern_of)
        for pattern, weight in patterns.numerators.items():
            h = pattern_of.hypothesis(pattern)
            predicted = self.relabelled(sample, h, sample.points)
            total += weight * sum(
                abs(h(x) - p) for x, p in zip(sample.points, predicted, strict=True)
            )
        return total / (patterns.denominator * len(sample))

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        h = self.selector.run(sample, rng)
        return self.private.predict(relabelled(learning.as_sample(sample), h), point, rng)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        """Return a prepared learner for many points: the selector is prepared.

        Parameters
        ----------
        sample
            S.

        Notes
        -----
        It caches the private learner on the sample labelled by h for the last few thousand h.
        """
        given = learning.as_sample(sample, self.least_examples)
        return RelabelledAnswers(
            self, len(given), given, self.selector.prepare(sample), self.private
        )

    def _mixture(
        self,
        law: FiniteDistribution[Hypothesis],
        sample: Sample[Hashable],
        points: Sequence[Hashable],
    ) -> tuple[Fraction, ...]:
        """Return the predictions of phi_S(h) for a random h."""
        pattern_of = _Pattern(sample)
        patterns = law.map(pattern_of)
        total = [Fraction(0)] * len(points)
        for pattern, weight in patterns.numerators.items():
            predicted = self.relabelled(sample, pattern_of.hypothesis(pattern), points)
            total = [part + weight * p for part, p in zip(total, predicted, strict=True)]
        return tuple(part / patterns.denominator for part in total)


class _Pattern:
    """The labels that hypotheses give to the points of a sample, and back."""

    def __init__(self, sample: Sample[Hashable]) -> None:
        self._points = sample.distinct_points

    def __call__(self, h: Hypothesis) -> tuple[int, ...]:
        return tuple(h(x) for x in self._points)

    def hypothesis(self, pattern: tuple[int, ...]) -> Hypothesis:
        """Return what labels the points of the sample in this way."""
        return dict(zip(self._points, pattern, strict=True)).__getitem__


# The private learner of Theorem 3, and the account of its privacy

_HALF = Fraction(1, 2)
_LONG = 1 << 12  # bits
_BITS = 128


@dataclass(frozen=True, slots=True, init=False)
class PrivatePredictionLearner(learning.PointwiseLearner[Hashable]):
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
        The least sample size.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the class is empty. On use: the sample has fewer than n', r
        or ``least_sample_size`` examples, or a point is outside the domain.

    Notes
    -----
    The weight ``exp(-L_S(h)/eta)`` depends on n: each further error multiplies it by ``e**(-1/(eta
    n))``. This, and the decay of the vote, are rounded up to rational numbers once n is known
    (:meth:`at`), so that no more privacy is spent than the paper's.

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
        vote_epsilon: EpsilonLike | None = None,
        least_sample_size: int = 0,
    ) -> None:
        require_family(H)
        arguments.fix(
            self,
            H=H,
            subset_size=arguments.as_size(subset_size, "subset_size", least=1),
            eta=arguments.as_open_unit(eta, "eta"),
            blocks=arguments.as_size(blocks, "blocks", least=1),
            flip_probability=arguments.as_probability(flip_probability, "flip_probability", _HALF),
            vote_epsilon=None if vote_epsilon is None else as_epsilon(vote_epsilon),
            least_sample_size=arguments.as_size(least_sample_size, "least_sample_size"),
        )

    @property
    def least_examples(self) -> int:
        return max(self.subset_size, self.blocks, self.least_sample_size)

    def at(self, n: int) -> RelabellingLearner:
        """Return the predictor before the flip, for samples of size n.

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
        size = arguments.as_size(n, "n", least=self.least_examples)
        return (_at if isinstance(self.H, Hashable) else _at.__wrapped__)(self, size)

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        given = learning.as_sample(sample, self.least_examples)
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
        given = learning.as_sample(sample, self.least_examples)
        z = self.flip_probability
        before = self.at(len(given)).enclosed(given, points)
        return tuple(z + (1 - 2 * z) * p for p in before)

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        n = len(learning.as_sample(sample, self.least_examples))
        return self._flipped(n).predict(sample, point, rng)

    def prepare(self, sample: AnyData, /) -> PreparedPredictor[Hashable]:
        n = len(learning.as_sample(sample, self.least_examples))
        before = self.at(n).prepare(sample)
        return answers.FlippedAnswers(self, n, before, LazyCoin.of(self.flip_probability))

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
        share = Fraction(self.subset_size, arguments.as_size(n, "n"))
        factor = amplified_factor(step, share, matching_factor(step, disagreements))
        return PrivacyGuarantee(
            Epsilon.exactly(factor), share * arguments.as_probability(unlucky, "unlucky")
        )

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

    def promises(self, n: int, /) -> learning.Promises:
        """Return the proved promises of the learner on *all* samples of n examples, by notion.

        This needs no net: two hypotheses differ on at most all n examples, so that the factor
        before the flip is about ``e**(3 kappa) (1 + 4 q e**(3/eta))`` with ``kappa = 1/(eta n)``
        and delta is 0.

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
        size = arguments.as_size(n, "n", least=max(self.least_examples, self.subset_size + 1))
        share = Fraction(self.subset_size, size)
        kappa = 1 / (self.eta * size)
        return Interval.exp(3 * kappa) * (1 + 4 * Interval.exp(6) * (share / (1 - share)))

    def _flipped(self, n: int) -> stable.FlippedLearner[RelabellingLearner]:
        return stable.FlippedLearner(self.at(n), self.flip_probability)


@lru_cache(maxsize=16)
def _at(learner: PrivatePredictionLearner, n: int) -> RelabellingLearner:
    """Fix the decays for samples of size n; finding them takes longer than a small sample."""
    kappa = 1 / (learner.eta * n)
    selector = stable.StableLearner(learner.H, learner.subset_size, 2 * kappa)
    spent = kappa if learner.vote_epsilon is None else learner.vote_epsilon
    return RelabellingLearner(selector, RealizablePrivateLearner(learner.H, learner.blocks, spent))


def net_disagreements(net: AnyNumber, n: int) -> int:
    """Return the most examples on which two hypotheses that agree on a net can differ.

    Parameters
    ----------
    net
        eta: the net is an eta-net for the uniform distribution over n - 1 of the examples.
    n
        The size of the sample, at least 1.

    Returns
    -------
    int
        ``floor(eta (n - 1)) + 1``, where the further example is the replaced one.

    Notes
    -----
    The paper goes on with ``2 eta n``, from ``1 <= eta n``: that is where its constant ``4 e**6``
    comes from. Without this step it is ``4 e**(3 (1 + kappa))`` with ``kappa = 1/(eta n)``.

    Examples
    --------
    >>> net_disagreements(Fraction(1, 10), 101)
    11
    """
    size = arguments.as_size(n, "n", least=1)
    return int(arguments.as_probability(net, "net") * (size - 1)) + 1


def matching_factor(step: AnyNumber, disagreements: int) -> Fraction:
    """Return the constant of Lemma 18: the factor by which one index of I changes h_{S,S_I}.

    Parameters
    ----------
    step
        t, the factor by which replacing an example changes h_{S,T}:
        :attr:`RelabellingLearner.step`.
    disagreements
        K, the most examples of S on which two matched hypotheses differ.

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
    return 4 * _power(_factor(step, "step"), arguments.as_size(disagreements, "disagreements"))


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
    q, c = arguments.as_probability(share, "share"), _factor(constant, "constant")
    return _factor(step, "step") * (1 + q * (c - 1))


def _factor(value: AnyNumber, argument: str) -> Fraction:
    factor = arguments.as_number(value, argument)
    if factor < 1:
        raise InvalidInput(argument, arguments.in_words(factor), "a factor of at least 1")
    return factor


def _power(base: Fraction, exponent: int) -> Fraction:
    """Return a power of a number of at least 1, from above when the exact one is long."""
    if base.numerator.bit_length() * exponent <= _LONG:
        return base**exponent
    logarithm = Interval.log(base, _BITS)
    # A factor that nobody can use need not be written out.
    if logarithm * exponent > _LONG:
        wanted = f"few enough for an epsilon of at most {_LONG}"
        raise InvalidInput("disagreements", arguments.in_words(exponent), wanted)
    return Interval.exp(logarithm * exponent, _BITS).upper


# Why the learner of Theorem 3 is private: Lemmas 18 and 19 and Equation (13), on one instance


@dataclass(frozen=True, slots=True, repr=False)
class FactorCheck(Tabled):
    """A factor with which one predictor is at most another, and the bound on it.

    Attributes
    ----------
    factor
        The smallest lambda with h <= lambda g.
    bound
        The proved bound on it.
    """

    factor: Fraction | float
    bound: Fraction

    @property
    def holds(self) -> bool:
        """Whether the factor is within the bound."""
        return self.factor <= self.bound


@dataclass(frozen=True, slots=True)
class Matching:
    """The matching of Lemma 18, and its consequence.

    Attributes
    ----------
    before, after
        The candidates: ``H_{S_I}``, and those after one point was exchanged.
    pairs
        The matched ones, as pairs of positions in these: they agree on the points that stay.
    disagreements
        K, the most examples of S on which the two of a pair differ.
    check
        The factor with which h_{S,T} is at most h_{S,T'}, for the two sets of points, and the bound
        ``4 t**K``, where t is the ``step`` of the learner.
    """

    before: tuple[Hypothesis, ...]
    after: tuple[Hypothesis, ...]
    pairs: tuple[tuple[int, int], ...]
    disagreements: int
    check: FactorCheck

    @property
    def partners(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """How many partners each candidate has: ``|P_h|``, before and after."""
        left = Counter(i for i, _ in self.pairs)
        right = Counter(j for _, j in self.pairs)
        return (
            tuple(left[i] for i in range(len(self.before))),
            tuple(right[j] for j in range(len(self.after))),
        )

    @property
    def one_to_one(self) -> bool:
        """Whether all candidates have one partner."""
        return all(count == 1 for side in self.partners for count in side)

    @property
    def holds(self) -> bool:
        """Whether all candidates have one or two partners, and the factor is within the bound."""
        return self.check.holds and all(c in (1, 2) for side in self.partners for c in side)


def match_candidates(
    learner: RelabellingLearner,
    sample: Sample[Hashable],
    subset: Iterable[int],
    *,
    removed: int,
    added: Hashable,
    points: Iterable[Hashable],
) -> Matching:
    """Match the candidates of an index set with those after one of its points was exchanged.

    Parameters
    ----------
    learner
        The algorithm whose h_{S,T} are compared.
    sample
        S.
    subset
        I, distinct indices of S.
    removed
        The index of I whose point gives way; 1 in the paper.
    added
        The point that takes its place: x_i for ``I' = I - {1} + {i}``, or x'_1 for the set I of the
        neighbouring sample S'.
    points
        Where predictions are compared.

    Returns
    -------
    Matching

    Raises
    ------
    InvalidInput
        The indices are not distinct indices of S, or the removed one is not among them.

    Notes
    -----
    A candidate has a partner, since its pattern on the points that stay extends to the added point;
    and at most two, one for each label there. Matched hypotheses differ on at most K examples: so
    their weights are within ``rho**-K`` of one another, their sums over all candidates too, but
    for a factor 2, and what is predicted from their labels within the K-th power of the factor of
    the private learner. Summing over pairs in place of candidates costs another 2.

    Source: DF20 Lemma 18, which has ``4 e**6`` for ``4 t**K``. The factor 4 is approached.

    When the added point is in S and K = 0, the matching is one to one.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman.baselines import RealizablePrivateLearner
    >>> from pac_stability.papers.dagan_feldman.stable import StableLearner
    >>> H, four = thresholds(3), Epsilon.exactly(4)
    >>> learner = RelabellingLearner(
    ...     StableLearner(H, 2, four), RealizablePrivateLearner(H, 3, four)
    ... )
    >>> sample = Sample([0, 1, 2], [0, 1, 1])
    >>> matching = match_candidates(learner, sample, [0, 1], removed=0, added=2, points=H.domain)
    >>> matching.partners, matching.disagreements, matching.check.factor, matching.holds
    (((1, 1, 2), (2, 1, 1)), 1, Fraction(5, 4), True)
    """
    kept = _without(_indices(subset, len(sample)), removed)
    common = tuple(sample.points[index] for index in kept)
    H = learner.selector.H
    chosen, exchanged = (*common, sample.points[removed]), (*common, added)
    before, after = tuple(H.representatives_on(chosen)), tuple(H.representatives_on(exchanged))
    pairs = tuple(
        (i, j)
        for i, h in enumerate(before)
        for j, g in enumerate(after)
        if all(h(x) == g(x) for x in common)
    )
    disagreements = max(sum(before[i](x) != after[j](x) for x in sample.points) for i, j in pairs)
    at = tuple(points)
    factor = minimal_factor(
        _predictor(at, learner.conditioned_on(chosen, sample, at)),
        _predictor(at, learner.conditioned_on(exchanged, sample, at)),
    )
    check = FactorCheck(factor, matching_factor(learner.step, disagreements))
    return Matching(before, after, pairs, disagreements, check)


def check_replacement(
    learner: RelabellingLearner,
    sample: Sample[Hashable],
    neighbour: Sample[Hashable],
    chosen: Iterable[Hashable],
    points: Iterable[Hashable],
) -> FactorCheck:
    """Compare h_{S,T} with h_{S',T} for neighbouring samples and a fixed set of points: Lemma 19.

    Parameters
    ----------
    learner
        The algorithm.
    sample, neighbour
        S and S', which differ in one example.
    chosen
        The points of T.
    points
        Where predictions are compared.

    Returns
    -------
    FactorCheck
        The bound is the ``step`` of the learner: at most ``e**(3/(eta n))``, for which the paper
        writes ``e**(3 epsilon)``. It is approached by instances.

    Raises
    ------
    InvalidInput
        The samples are not neighbours.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman.baselines import RealizablePrivateLearner
    >>> from pac_stability.papers.dagan_feldman.stable import StableLearner
    >>> H, four = thresholds(2), Epsilon.exactly(4)
    >>> learner = RelabellingLearner(
    ...     StableLearner(H, 1, four), RealizablePrivateLearner(H, 2, four)
    ... )
    >>> check_replacement(learner, Sample([0, 1], [0, 1]), Sample([0, 0], [0, 0]), [1], [1])
    <FactorCheck: factor 7/4 (1.75), bound 10>
    """
    differences = sum(one != other for one, other in zip(sample, neighbour, strict=False))
    if len(sample) != len(neighbour) or differences > 1:
        raise InvalidInput("neighbour", f"{differences} differences", "one example replaced")
    at, candidates = tuple(points), tuple(chosen)
    factor = minimal_factor(
        _predictor(at, learner.conditioned_on(candidates, sample, at)),
        _predictor(at, learner.conditioned_on(candidates, neighbour, at)),
    )
    return FactorCheck(factor, learner.step)


def largest_disagreement(H: Family, sample: Sample[Hashable], points: Iterable[Hashable]) -> int:
    """Return the most examples of S on which two hypotheses that agree on given points can differ.

    Parameters
    ----------
    H
        The class.
    sample
        S; its labels do not matter.
    points
        Points of S.

    Returns
    -------
    int
        0 if no pattern on S has more than one extension. The points are an alpha-net for H with
        respect to S when this is at most ``alpha n``.

    Notes
    -----
    It does not depend on how representatives are chosen. O(P^2 m) for P patterns on m points.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> largest_disagreement(thresholds(9), Sample(range(9), [0] * 9), [2, 4])
    4
    """
    copies = Counter(sample.points)
    patterns = H.restrict(copies)
    weights = np.array([copies[x] for x in patterns.domain], dtype=np.int64)
    columns = [patterns.column(x) for x in dict.fromkeys(points)]
    groups: dict[bytes, list[int]] = {}
    for row, labels in enumerate(patterns.table):
        groups.setdefault(labels[columns].tobytes(), []).append(row)
    largest = 0
    for rows in groups.values():
        table = patterns.table[rows]
        for labels in table:
            largest = max(largest, int(((table != labels) @ weights).max()))
    return largest


@dataclass(frozen=True, slots=True, repr=False)
class Subsampling(Tabled):
    """Equation (13) for one pair of neighbouring samples: the effect of subsampling on Lemma 18.

    Attributes
    ----------
    on_sample
        h_S.
    mixed
        The average of the h_{S,S'_J}: candidates from the neighbour, weights and labels from S.
    on_neighbour
        h_S'.
    disagreements
        For each K, how many of the index sets I with the replaced index have it as the largest
        number of examples of S on which two hypotheses differ that agree on the rest of I.
    share
        q = n'/n, the probability that I has that index.
    step
        t of the learner.
    """

    on_sample: Predictor[Hashable]
    mixed: Predictor[Hashable]
    on_neighbour: Predictor[Hashable]
    disagreements: Mapping[int, int]
    share: Fraction
    step: Fraction

    def unlucky(self, limit: int) -> Fraction:
        """Return b: of the index sets with the replaced index, the fraction with K above a limit.

        Parameters
        ----------
        limit
            K_0.
        """
        most = arguments.as_size(limit, "limit")
        beyond = sum(count for k, count in self.disagreements.items() if k > most)
        return Fraction(beyond, sum(self.disagreements.values()))

    def exchange(self, limit: int) -> Domination:
        """Return the relation of h_S to the mixed average: Equation (13), sharpened.

        Parameters
        ----------
        limit
            K_0, any integer.

        Returns
        -------
        Domination
            With factor ``1 + q (4 t**K_0 - 1)`` and slack q b.
        """
        constant = matching_factor(self.step, limit)
        return Domination(
            amplified_factor(1, self.share, constant), self.share * self.unlucky(limit)
        )

    def paper_exchange(self, limit: int) -> Domination:
        """Return the form of Equation (13) itself, for n' < n.

        Parameters
        ----------
        limit
            K_0, any integer.

        Returns
        -------
        Domination
            With factor ``1 + 4 t**K_0 q/(1 - q)``, the slack being the same.

        Raises
        ------
        InvalidInput
            n' = n.
        """
        if self.share == 1:
            raise InvalidInput("subset_size", "n' = n", "fewer indices than examples")
        odds = self.share / (1 - self.share)
        return Domination(
            1 + matching_factor(self.step, limit) * odds, self.share * self.unlucky(limit)
        )

    def privacy(self, limit: int) -> Domination:
        """Return the relation of h_S to h_S': the privacy before the flip.

        Parameters
        ----------
        limit
            K_0, any integer.
        """
        return self.exchange(limit).then(Domination(self.step, Fraction(0)))

    @property
    def holds(self) -> bool:
        """Whether the relations hold for every K_0."""
        return all(
            self.exchange(limit).holds(self.on_sample, self.mixed)
            and self.privacy(limit).holds(self.on_sample, self.on_neighbour)
            for limit in (0, *self.disagreements)
        )


def check_subsampling(
    learner: RelabellingLearner,
    sample: Sample[Hashable],
    index: int,
    example: Example[Hashable],
    points: Iterable[Hashable],
) -> Subsampling:
    """Compare h_S with h_S' step by step, where S' has another example at one index.

    Parameters
    ----------
    learner
        The algorithm.
    sample
        S.
    index
        Which example is replaced.
    example
        What replaces it.
    points
        Where predictions are compared.

    Returns
    -------
    Subsampling

    Notes
    -----
    It enumerates all C(n, n') index sets: for small samples.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman.baselines import RealizablePrivateLearner
    >>> from pac_stability.papers.dagan_feldman.stable import StableLearner
    >>> H, epsilon = thresholds(3), Epsilon.exactly(Fraction(81, 64))
    >>> learner = RelabellingLearner(
    ...     StableLearner(H, 2, epsilon), RealizablePrivateLearner(H, 2, epsilon)
    ... )
    >>> found = check_subsampling(
    ...     learner, Sample([0, 1, 2, 1], [0, 1, 1, 0]), 0, Example(2, 1), H.domain
    ... )
    >>> dict(found.disagreements), found.unlucky(1), found.holds
    ({1: 2, 3: 1}, Fraction(1, 3), True)
    """
    neighbour = sample.replace(index, example)
    size, at = learner.selector.subset_size, tuple(points)
    times = Counter(frozenset(subset) for subset in combinations(neighbour.points, size))
    total = sum(times.values())
    mixed = mixture(
        (Fraction(count, total), _predictor(at, learner.conditioned_on(chosen, sample, at)))
        for chosen, count in times.items()
    )
    others = (*sample.points[:index], *sample.points[index + 1 :])
    rests = Counter(frozenset(rest) for rest in combinations(others, size - 1))
    disagreements: Counter[int] = Counter()
    for rest, count in rests.items():
        disagreements[largest_disagreement(learner.selector.H, sample, rest)] += count
    return Subsampling(
        on_sample=_predictor(at, learner.probabilities(sample, at)),
        mixed=mixed,
        on_neighbour=_predictor(at, learner.probabilities(neighbour, at)),
        disagreements=disagreements,
        share=Fraction(size, len(sample)),
        step=learner.step,
    )


def _predictor(
    points: Sequence[Hashable], probabilities: Sequence[Fraction]
) -> dict[Hashable, Fraction]:
    return dict(zip(points, probabilities, strict=True))


def _indices(subset: Iterable[int], n: int) -> tuple[int, ...]:
    indices = tuple(arguments.as_size(index, "subset") for index in subset)
    if len(set(indices)) != len(indices) or any(index >= n for index in indices):
        raise InvalidInput("subset", str(indices), f"distinct indices below {n}")
    return indices


def _without(indices: tuple[int, ...], removed: int) -> tuple[int, ...]:
    if removed not in indices:
        raise InvalidInput("removed", str(removed), f"one of the indices {indices}")
    return tuple(index for index in indices if index != removed)
