"""The stable learner of Theorem 1, and the private one that flips its labels (Corollary 2).

The exponential mechanism on the patterns of a random subset: the excess errors of the mechanism
over the best hypothesis (Lemma 7), the learner, its approximation of the best hypothesis on its own
sample (Lemma 13), and the flip. Last, how private models, private predictions and stable ones
relate, for one learner.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import ClassVar, Generic, Protocol, TypeVar, cast

from pac_stability import arguments, learning
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon, EpsilonLike, Interval
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import ErrorCounter, Family, FiniteClass, Hypothesis, Stumps
from pac_stability.classes.family import require_family
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import AnyData, HeldSample
from pac_stability.mechanisms import ExponentialMechanism, Flip, PrivacyGuarantee, decay_for, draws
from pac_stability.mechanisms.draws import Scores, as_decay
from pac_stability.notions.private_prediction import implied_stability
from pac_stability.papers import guarantees
from pac_stability.papers.dagan_feldman import additive_sums, additive_walks, answers, selection
from pac_stability.randomness import SYSTEM_COINS, Coins

_GUARD = 32  # bits beyond the precision asked for, for the steps in between


def exponential_excess(candidates: int, decay: Fraction, bits: int = 64) -> Interval:
    """Return the largest expected excess of the exponential mechanism, in errors.

    Parameters
    ----------
    candidates
        N, the number of hypotheses, at least 1.
    decay
        rho, above 0 and below 1; ``e**(-epsilon/2)`` in the paper.
    bits
        The working precision.

    Returns
    -------
    Interval
        ``W((N - 1)/e) / ln(1/rho)``, with Lambert's W: for all errors k_h, ``E[k_h] - min k_h`` is
        at most this. Divide it by n for the loss.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Let ``x_h = (k_h - min k) ln(1/rho)``; one of these is 0. The excess times ``ln(1/rho)`` is the
    average w of x_h with the weights ``e**-x_h``, so that the N - 1 others have ``sum (x_h - w)
    e**-x_h = w``. Each term is at most ``e**-(1+w)``, its value at ``x_h = 1 + w``: hence ``w
    e**(1+w) <= N - 1``. This is an equality when all others make ``(1 + w) / ln(1/rho)`` errors
    more than the best, so no smaller bound holds for all rho.

    The bound of the paper is larger by a factor that falls from 2.49 at N = 2 towards 1.

    Examples
    --------
    >>> [round(float(exponential_excess(N, Fraction(1, 2))), 3) for N in (1, 2, 10, 10**6)]
    [0.0, 0.402, 1.588, 15.101]
    """
    number = arguments.as_size(candidates, "candidates", least=1)
    bits = arguments.as_size(bits, "bits", least=2)
    per_error = _log_of_inverse(decay, bits)
    if number == 1:
        return Interval.exactly(0)
    return _root(Interval.log(number - 1, bits + _GUARD) - 1, bits) / per_error


def paper_excess(candidates: int, decay: Fraction, bits: int = 64) -> Interval:
    """Return the bound of Lemma 7 on the expected excess, in errors: ``ln N / ln(1/rho)``.

    Parameters
    ----------
    candidates, decay, bits
        As for :func:`exponential_excess`.

    Returns
    -------
    Interval
        So that ``n >= 2 ln N / (epsilon alpha)`` makes the excess loss at most alpha.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> float(paper_excess(8, Fraction(1, 2)))
    3.0
    """
    number = arguments.as_size(candidates, "candidates", least=1)
    bits = arguments.as_size(bits, "bits", least=2)
    return Interval.log(number, bits + _GUARD) / _log_of_inverse(decay, bits)


def _log_of_inverse(decay: Fraction, bits: int) -> Interval:
    return Interval.log(1 / as_decay(decay, below_one=True), bits + _GUARD)


def _root(right: Interval, bits: int) -> Interval:
    """Enclose the number w with ``w + ln w = right``, W of e to that power, for ``right >= -1``."""
    precision = bits + _GUARD
    middle = (right.lower + right.upper) / 2
    # Newton's method for an increasing concave function, from below the root: it goes up. Where it
    # stops does not matter for what is certified afterwards.
    w = Fraction(1, 4)
    for _ in range(bits.bit_length() + 8):
        step = w * (1 + middle - Interval.log(w, precision).lower) / (1 + w)
        w = Fraction(round(step * (1 << precision)), 1 << precision)
    margin = w / (1 << bits)
    while True:
        low, high = w - margin, w + margin
        below = low + Interval.log(low, precision)
        above = high + Interval.log(high, precision)
        if below.upper <= right.lower and above.lower >= right.upper:
            return Interval(low, high)
        margin *= 2


# What A^sta chooses and predicts, in certified bounds: which computation knows which class


def enclosed_law(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> additive_walks.EnclosedLaw:
    """Return the law of the chosen hypothesis."""
    if additive_walks.has_additive_normaliser(H, sample):
        return additive_sums.additive_selection(H, sample, subset_size, decay)
    if isinstance(H, FiniteClass):
        return selection.enclosed_selection(H, sample, subset_size, decay)
    size, decay = additive_walks.as_selection(sample, subset_size, decay)
    sets = selection.hit_sets([*Counter(sample.points).values()], size)
    if sum(1 for _ in islice(sets, _MOST_SETS + 1)) <= _MOST_SETS:
        return selection.family_selection(H, sample, size, decay)
    raise InvalidInput(
        "H",
        f"{type(H).__name__}, where a subset can have more than {_MOST_SETS:,} sets of points",
        "thresholds, point functions, or a FiniteClass: write H.restrict(points), with the points "
        "of the sample and those asked about",
    )


_MOST_SETS = 30_000  # a few seconds


# The stable learner of Theorem 1: the exponential mechanism on the patterns of a random subset

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True, init=False)
class StableLearner(answers.SubsetLearner):
    """Draw one pattern of a random subset of the sample, by its errors on the whole sample.

    On a sample S of n examples: draw a uniformly random set I of n' indices, list one hypothesis
    for each pattern of H on the points of S_I, draw one of these by the exponential mechanism with
    their errors on S, and predict with it. This is A^sta.

    Parameters
    ----------
    H
        The class: a finite one, or any other family. Not empty. The representative of a pattern
        must be a function of the *set* of points only; the classes of this library ensure it.
    subset_size
        n', at least 1.
    epsilon
        The privacy parameter of the exponential mechanism (gamma in Appendix B): a number, or an
        ``Epsilon``. Weights are integer powers of the rational :attr:`decay`, which never spends
        more.
    least_sample_size
        The least sample size; set by the constructors that promise a stability.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the class is empty. On use: the sample is too small, or a
        point is outside the domain.

    Notes
    -----
    Stability. Replace one example. An index set without its index gives the same candidates, and a
    0/1 value of the exponential mechanism changes its probability by at most ``s = (1 - rho) /
    (1 + rho) = tanh(epsilon/4)``; the other index sets are a fraction ``q = n'/n`` and change it by
    at most 1. So predictions are ``q + (1 - q) s`` stable, :meth:`stability`. For every n', odd n
    and decay, there are a class and representatives that attain it.

    Privacy. By the same division, predictions are (epsilon, n'/n)-private: :meth:`guarantee`.

    Both rest on equal candidates for equal sets of points. The paper lets representatives be
    arbitrary, but means this restriction: choosing for each pattern the hypothesis that errs least
    on the sample can change a prediction by 13/20, where the bound is 1/2.

    Source: DF20 Section 3, Appendix B, Theorem 1 and Lemma 13.

    Examples
    --------
    >>> from pac_stability import classes
    >>> learner = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(4))
    >>> sample = Sample([0, 1, 1], [0, 1, 1])
    >>> learner.law(sample).map(lambda h: (h(0), h(1)))
    FiniteDistribution({(1, 1): 5/9, (0, 1): 2/9, (0, 0): 2/9})
    >>> learner.probabilities(sample, [0, 1])
    (Fraction(5, 9), Fraction(7, 9))
    >>> learner.predict(sample, 1) in (0, 1), learner.stability(3)
    (True, Fraction(5, 9))
    """

    H: Family
    subset_size: int
    epsilon: Epsilon
    least_sample_size: int
    decay: Fraction = field(init=False, repr=False, compare=False)

    symmetric: ClassVar[bool] = True
    """Audits may take samples up to order: only the multiset of examples matters."""

    def __init__(
        self, H: Family, subset_size: int, epsilon: EpsilonLike, least_sample_size: int = 0
    ) -> None:
        require_family(H)
        asked = as_epsilon(epsilon)
        arguments.fix(
            self,
            H=H,
            subset_size=arguments.as_size(subset_size, "subset_size", least=1),
            epsilon=asked,
            least_sample_size=arguments.as_size(least_sample_size, "least_sample_size"),
            decay=decay_for(asked),
        )

    @staticmethod
    def from_stability(
        H: Family, gamma: AnyNumber, n: int, *, split: AnyNumber = _HALF
    ) -> StableLearner:
        """Return a gamma-stable learner for samples of n examples that uses all of gamma.

        Parameters
        ----------
        H
            The class.
        gamma
            The stability wanted, an exact number above 0 and below 1.
        n
            The least size of a sample.
        split
            The share of gamma for the subset, above 0 and below 1.

        Returns
        -------
        StableLearner
            ``n'`` is ``split * gamma * n`` rounded down, and epsilon makes :meth:`stability` of n
            equal to gamma, up to the rounding of the decay.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or n is too small for any subset; the message states the
            needed size.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner.from_stability(classes.thresholds(9), Fraction(1, 5), 2914)
        >>> learner.subset_size, learner.stability(2914) <= Fraction(1, 5)
        (291, True)
        """
        gamma = arguments.as_open_unit(gamma, "gamma")
        split = arguments.as_open_unit(split, "split")
        size = additive_walks.subset_size_for(n, split * gamma)
        part = Fraction(size, arguments.as_size(n, "n"))
        spent = (gamma - part) / (1 - part)
        # tanh(epsilon/4) = spent says that e**(epsilon/2) is this:
        root = (1 + spent) / (1 - spent)
        return StableLearner(H, size, Epsilon.exactly(root**2), n)

    @staticmethod
    def from_outline(H: Family, gamma: AnyNumber, n: int) -> StableLearner:
        """Return the learner of the outline in Section 3, which is gamma-stable.

        Parameters
        ----------
        H
            The class.
        gamma
            The stability wanted, an exact number above 0 and below 1.
        n
            The least size of a sample.

        Returns
        -------
        StableLearner
            ``n'`` is ``gamma n / 2`` rounded down, and epsilon is ``gamma / 4``.

        Raises
        ------
        InvalidInput
            As for :meth:`from_stability`.

        Notes
        -----
        The paper's account is ``gamma/2 + (e**(gamma/4) - 1) <= gamma``: :meth:`paper_stability`.
        The exponential mechanism uses about an eighth of the other half.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner.from_outline(classes.thresholds(9), Fraction(1, 5), 1000)
        >>> bounds = learner.paper_stability(1000), learner.stability(1000)
        >>> learner.subset_size, [round(float(bound), 4) for bound in bounds]
        (100, [0.1513, 0.1112])
        """
        gamma = arguments.as_open_unit(gamma, "gamma")
        return StableLearner(H, additive_walks.subset_size_for(n, gamma / 2), gamma / 4, n)

    @staticmethod
    def from_lemma_13(H: Family, gamma: AnyNumber, n: int) -> StableLearner:
        """Return the learner of Lemma 13, which is 3 gamma-stable.

        Parameters
        ----------
        H
            The class.
        gamma
            A third of the stability, an exact number above 0 and below 1.
        n
            The least size of a sample.

        Returns
        -------
        StableLearner
            ``n'`` is ``gamma n`` rounded down, and epsilon is ``gamma``.

        Raises
        ------
        InvalidInput
            As for :meth:`from_stability`.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner.from_lemma_13(classes.thresholds(9), Fraction(1, 5), 1000)
        >>> learner.subset_size, learner.paper_stability(1000) <= 3 * Fraction(1, 5)
        (200, True)
        """
        gamma = arguments.as_open_unit(gamma, "gamma")
        return StableLearner(H, additive_walks.subset_size_for(n, gamma), gamma, n)

    def stability(self, n: int) -> Fraction:
        """Return a bound on the change of a prediction by one example: gamma, at size n.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``q + (1 - q) (1 - rho) / (1 + rho)`` with ``q = n'/n``.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.
        """
        part = self._part(n)
        return part + (1 - part) * (1 - self.decay) / (1 + self.decay)

    def paper_stability(self, n: int) -> Fraction:
        """Return the bound on :meth:`stability` from the paper's chain of inequalities.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction
            ``n'/n + (e**epsilon - 1)``; it can exceed 1. For epsilon up to 1 it is at most ``n'/n +
            2 epsilon``, the last step in the proof of Lemma 13.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.
        """
        return self._part(n) + self.epsilon.ratio - 1

    def guarantee(self, n: int) -> PrivacyGuarantee:
        """Return the guarantee of private prediction, for samples of size n.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        PrivacyGuarantee
            (epsilon, n'/n), where ``e**epsilon`` is ``rho**-2``.

        Raises
        ------
        InvalidInput
            n is smaller than the samples of this learner.

        Notes
        -----
        Let P and P' be the average predictions, given S and S', over the index sets without the
        replaced index: ``P <= e**epsilon P'``, in both labels. The others are a fraction q of all,
        so that the whole is at most ``(1 - q) P + q <= e**epsilon (1 - q) P' + q``.
        """
        return PrivacyGuarantee(Epsilon.exactly(self.decay**-2), self._part(n))

    def promises(self, n: int, /) -> learning.Promises:
        return {
            Notion.UNIFORM_STABILITY: self.stability(n),
            Notion.TOTAL_VARIATION_STABILITY: self.stability(n),
            Notion.PRIVATE_PREDICTION: self.guarantee(n),
        }

    def conditioned_on(
        self, points: Iterable[Hashable]
    ) -> ExponentialMechanism[Sample[Hashable], Hypothesis]:
        """Return the exponential mechanism on H_T: its law on S is h_{S,T}.

        Parameters
        ----------
        points
            The points of T, which need not be in S.

        Returns
        -------
        ExponentialMechanism
            From samples to hypotheses. A^sta is the average over I of its laws for ``T = S_I``.

        Raises
        ------
        InvalidInput
            A point is outside the domain.

        Examples
        --------
        >>> from pac_stability import classes
        >>> learner = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(4))
        >>> learner.conditioned_on([0]).law(Sample([1], [0])).map(lambda h: (h(0), h(1)))
        FiniteDistribution({(1, 1): 1/2, (0, 1): 1/2})
        """
        candidates = tuple(self.H.representatives_on(arguments.as_points(points)))
        return ExponentialMechanism(candidates, partial(_errors, candidates), self.decay)

    def law(self, sample: AnyData, /) -> FiniteDistribution[Hypothesis]:
        """Return the exact law of the hypothesis that is drawn: the selection distribution P_S.

        Parameters
        ----------
        sample
            S.

        Raises
        ------
        BudgetExhausted
            Too many sets of distinct points can be hit.
        InvalidInput
            As for all uses.

        Notes
        -----
        See :func:`~pac_stability.papers.dagan_feldman.selection.exact_selection`.
        """
        given = learning.as_listed(sample, self.least_examples)
        return selection.exact_selection(self.H, given, self.subset_size, self.decay)

    def enclosed(self, sample: AnyData, /) -> additive_walks.EnclosedLaw:
        """Return the selection distribution in certified bounds, without fractions.

        Parameters
        ----------
        sample
            S.

        Returns
        -------
        EnclosedLaw
            Both have ``hypotheses``, ``slack``, ``law()``, ``probabilities(points)``,
            ``loss(data)`` and ``expectation(value)``.

        Raises
        ------
        InvalidInput
            The class is another family, and there are too many subsets (restrict it to the points);
            or as for all uses.

        Notes
        -----
        Where the normaliser is additive (thresholds, point functions and others), in polynomial
        time: :func:`~pac_stability.papers.dagan_feldman.additive_sums.additive_selection`. For
        other finite classes the subsets are gone through:
        :func:`~pac_stability.papers.dagan_feldman.selection.enclosed_selection`; for other
        families, as ``Stumps(2)``, with their own representatives, if there are few of them:
        :func:`~pac_stability.papers.dagan_feldman.selection.family_selection`.

        Examples
        --------
        >>> from pac_stability import classes
        >>> sample = Sample(range(1000), [int(x >= 300) for x in range(1000)])
        >>> found = StableLearner(classes.Thresholds(), 100, Fraction(1, 10)).enclosed(sample)
        >>> [round(float(p), 4) for p in found.probabilities([250, 300, 350])]
        [0.0474, 0.511, 0.9548]
        """
        given = learning.as_listed(sample, self.least_examples)
        return enclosed_law(self.H, given, self.subset_size, self.decay)

    def run(self, sample: AnyData, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        """Return one hypothesis: the algorithm itself, step by step.

        Parameters
        ----------
        sample
            S; a million examples are best given as an ``ArraySample``.
        rng
            The source of coins; by default the operating system's entropy.

        Notes
        -----
        See :func:`~pac_stability.papers.dagan_feldman.answers.stable_draw`, to which the sample may
        also be given ready for many draws.
        """
        learning.as_sample(sample, self.least_examples)
        return answers.stable_draw(self.H, sample, self.subset_size, self.decay, rng)

    def prepare(self, sample: AnyData, /) -> answers.DrawingAnswers:
        """Return a prepared learner for many points: the sample is made ready for counting once.

        Parameters
        ----------
        sample
            S.

        Returns
        -------
        PreparedPredictor
            It also has ``draw(rng)``, which returns one hypothesis.

        Notes
        -----
        For stumps in the compiled core: errors and weights are looked up, and an answer takes
        O(p n' log n') whatever the size of the sample. For other classes each answer lists the
        representatives of its subset, and counts their errors with what was prepared.
        """
        counter = learning.as_counter(sample, self.least_examples)
        if isinstance(self.H, Stumps):
            parameters = (self.H.dimension, self.subset_size, self.decay)
            if (quick := answers.stump_draws(self, counter, *parameters)) is not None:
                return quick

        def draw(rng: Coins) -> Hypothesis:
            return answers.stable_draw(self.H, counter, self.subset_size, self.decay, rng)

        return answers.DrawnAnswers(self, len(counter.sample), draw)


def _errors(candidates: Sequence[Hypothesis], sample: Sample[Hashable]) -> Scores:
    return ErrorCounter(sample).count(candidates)


# Lemma 13: how close the stable learner comes to the best hypothesis on its own sample


@dataclass(frozen=True, slots=True)
class SampleApproximation:
    """The empirical excess loss of the stable learner on one sample, and its two parts.

    Attributes
    ----------
    excess
        L_S(A^sta(S)) - min over H of L_S, exactly.
    from_subset
        The loss from choosing only among representatives of the patterns on a subset: the average
        over I of the least loss in H_{S_I}, minus the least loss in H.
    from_mechanism
        A bound on the loss of the exponential mechanism, on average over I.
    """

    excess: Fraction
    from_subset: Fraction
    from_mechanism: Interval

    @property
    def bound(self) -> Interval:
        """The sum of the two parts, which is at least the excess."""
        return self.from_mechanism + self.from_subset


def approximation_of(
    learner: StableLearner, sample: Sample[Hashable], bits: int = 64
) -> SampleApproximation:
    """Return the empirical excess loss of the stable learner beside a bound on it.

    Parameters
    ----------
    learner
        The learner; its decay must be below 1.
    sample
        S.
    bits
        The working precision of the bound.

    Returns
    -------
    Approximation

    Raises
    ------
    InvalidInput
        The decay is 1, the sample too small, or a point outside the domain.

    Notes
    -----
    The second part is the average of ``W((|H_{S_I}| - 1)/e) / (n ln(1/rho))``, for which Lemma 7
    has ``ln |H_{S_I}|`` in place of W. The lemma bounds the first by 2 alpha, when all but a
    fraction alpha of the subsets are alpha-nets, and the second by alpha.

    It enumerates the sets of distinct points that a subset can hit, up to 2**m for m points.

    Source: DF20 Lemma 13.

    Examples
    --------
    >>> from pac_stability import classes
    >>> from pac_stability.arithmetic import Epsilon
    >>> learner = StableLearner(classes.thresholds(3), 2, Epsilon.exactly(4))
    >>> found = approximation_of(learner, Sample([0, 1, 2, 2], [0, 1, 1, 1]))
    >>> found.from_subset, round(float(found.excess), 3), round(float(found.bound), 3)
    (Fraction(1, 8), 0.226, 0.281)
    """
    law = learner.law(sample)
    n = len(sample)
    copies = Counter(sample.points)
    points = tuple(copies)

    def least(among: tuple[Hashable, ...]) -> tuple[int, int]:
        """Return the least number of errors of a representative, and how many there are."""
        found = learner.H.representatives_on(among)
        return min(map(sample.count_errors, found)), len(found)

    best, _ = least(points)
    errors, sizes = 0, Counter[int]()
    for members, count in selection.hit_sets(list(copies.values()), learner.subset_size):
        fewest, patterns = least(tuple(points[index] for index in members))
        errors += count * (fewest - best)
        sizes[patterns] += count
    lost = Interval.exactly(0)
    for patterns, count in sizes.items():
        lost += count * exponential_excess(patterns, learner.decay, bits)
    subsets = math.comb(n, learner.subset_size)
    return SampleApproximation(
        (law.expectation(sample.count_errors) - best) / n,
        Fraction(errors, subsets * n),
        lost / (subsets * n),
    )


# Corollary 2: private predictions by flipping the labels of a stable learner


class PointPredictor(learning.Predictor[Hashable, Fraction], Protocol):
    """A learner that predicts one point at a time and knows the probabilities."""

    def predict(
        self, sample: Sample[Hashable], point: Hashable, /, rng: Coins = SYSTEM_COINS
    ) -> int:
        """Return one label for a point."""
        ...


T = TypeVar("T")
Base_co = TypeVar("Base_co", bound=PointPredictor, covariant=True)


@dataclass(frozen=True, slots=True)
class FlippedLearner(learning.PointwiseLearner[Hashable], Generic[Base_co]):
    """Predict with another learner, and then flip the label with a fixed probability.

    Parameters
    ----------
    base
        A learner with ``probabilities`` and ``predict``, such as :class:`StableLearner`.
    flip_probability
        z, an exact number from 0 to 1/2 (alpha in Corollary 2).

    Raises
    ------
    InvalidInput
        The base is not such a learner, or the probability is out of range or not exact.

    Notes
    -----
    The probability p of label 1 becomes ``z + (1 - 2z) p``, and a loss L ``L + z (1 - 2L)``: the
    loss grows by at most z. Corollary 2 is meant for z up to 1/2. Beyond it a flip inverts
    predictions, and ``gamma = epsilon z`` stops giving epsilon: z = 19/20 and epsilon = 1/10 can
    give 0.997.

    Two accounts of a flipped :class:`StableLearner` are exact for what they start from; neither is
    always better, and :meth:`factor` is the smaller one.

    - *From stability*, as in the paper: gamma-stable predictions become private with the factor
      ``1 + (1 - 2z) gamma / z``, so that gamma up to ``z (e**epsilon - 1) / (1 - 2z)`` will do. The
      paper takes ``gamma = epsilon z / 2``.
    - *From privacy*: predictions that are (epsilon_0, delta)-private are private, once flipped,
      with any factor ``t >= max(e**epsilon_0, 1 + (1 - 2z) delta / z)``, since then ``z + w p <= z
      + w (e**epsilon_0 p' + delta) <= t (z + w p')``, where ``w = 1 - 2z``. The learner has ``delta
      = n'/n``. So the cost of the exponential mechanism does not add to what the flip must hide,
      and a flip with ``z >= q / (e**epsilon - 1 + 2q)``, ``q = n'/n``, is enough for every epsilon
      from epsilon_0 on.

    Source: DF20 Corollary 2 and Section 3.

    Examples
    --------
    >>> from pac_stability import classes
    >>> base = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(Fraction(9, 4)))
    >>> learner = FlippedLearner(base, Fraction(1, 10))
    >>> learner.probabilities(Sample([0, 1], [0, 1]), [0, 1])
    (Fraction(23, 50), Fraction(7, 10))
    >>> learner.factor_from_stability(100), learner.factor_from_privacy(100), learner.factor(100)
    (Fraction(333, 125), Fraction(2133, 1117), Fraction(2133, 1117))
    """

    base: Base_co
    flip_probability: Fraction

    def __post_init__(self) -> None:
        for method in ("probabilities", "predict"):
            if not callable(getattr(self.base, method, None)):
                wanted = "a learner with probabilities and predict"
                raise InvalidInput("base", arguments.described(self.base), wanted)
        flip = arguments.as_probability(self.flip_probability, "flip_probability", _HALF)
        object.__setattr__(self, "flip_probability", flip)

    @staticmethod
    def from_privacy(
        H: Family, epsilon: EpsilonLike, flip_probability: AnyNumber, n: int
    ) -> FlippedLearner[StableLearner]:
        """Return an epsilon-private learner with the largest subset that its flip can hide.

        Parameters
        ----------
        H
            The class.
        epsilon
            The privacy of each prediction, above 0.
        flip_probability
            z, an exact number above 0 and at most 1/2.
        n
            The least size of a sample.

        Returns
        -------
        FlippedLearner
            Its exponential mechanism has the whole of epsilon, and ``n'`` is ``z (e**epsilon - 1) /
            (1 - 2z)`` of n, rounded down; at most n.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or n is too small for any subset; the message states the
            needed size.

        Notes
        -----
        For ``z = alpha``, :meth:`from_paper` has at most a quarter of this subset, and ``alpha
        epsilon / 8`` for the exponential mechanism.

        Examples
        --------
        >>> from pac_stability import classes
        >>> H, nine = classes.thresholds(9), Epsilon.exactly(Fraction(9, 4))
        >>> learner = FlippedLearner.from_privacy(H, nine, Fraction(1, 10), 1000)
        >>> learner.base.subset_size, learner.factor(1000) <= nine.ratio
        (156, True)
        """
        asked = as_epsilon(epsilon)
        flip = arguments.as_probability(flip_probability, "flip_probability", _HALF)
        part = Flip(flip).largest_stability(asked)
        if part == 0:
            unusable = "epsilon" if flip else "flip_probability"
            raise InvalidInput(unusable, "0", "a number above 0")
        return FlippedLearner(
            StableLearner(H, additive_walks.subset_size_for(n, part), asked, n), flip
        )

    @staticmethod
    def from_paper(
        H: Family, alpha: AnyNumber, epsilon: AnyNumber, n: int
    ) -> FlippedLearner[StableLearner]:
        """Return the learner of Section 3 as it stands: epsilon-private, for alpha up to 1/2.

        Parameters
        ----------
        H
            The class.
        alpha
            The accuracy, an exact number above 0 and at most 1/2: the flip probability.
        epsilon
            The privacy of each prediction, an exact number above 0 and below 1.
        n
            The least size of a sample.

        Returns
        -------
        FlippedLearner
            Over :meth:`StableLearner.from_outline` with ``gamma = epsilon alpha / 2``.

        Raises
        ------
        InvalidInput
            A parameter is out of range, or n is too small.

        Notes
        -----
        ``1 + (1 - 2 alpha) epsilon / 2 <= e**epsilon``, with at least half of epsilon to spare.
        """
        flip = arguments.as_probability(alpha, "alpha", _HALF)
        gamma = (
            arguments.as_open_unit(epsilon, "epsilon") * arguments.as_open_unit(flip, "alpha") / 2
        )
        return FlippedLearner(StableLearner.from_outline(H, gamma, n), flip)

    @property
    def flip(self) -> Flip:
        """The mechanism that comes after the prediction."""
        return Flip(self.flip_probability)

    @property
    def symmetric(self) -> bool:
        """Whether the base declares that the order of a sample does not matter."""
        return bool(getattr(self.base, "symmetric", False))

    def probabilities(self, sample: AnyData, points: Sequence[Hashable], /) -> tuple[Fraction, ...]:
        z = self.flip_probability
        return tuple(z + (1 - 2 * z) * p for p in self.base.probabilities(_given(sample), points))

    def predict(self, sample: AnyData, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        return self.flip.run(self.base.predict(_given(sample), point, rng), rng)

    def prepare(self, sample: AnyData, /) -> learning.PreparedPredictor[Hashable]:
        return answers.FlippedAnswers(
            self,
            len(learning.as_sample(sample)),
            _prepared(self.base, sample),
            draws.LazyCoin.of(self.flip_probability),
        )

    def factor(self, n: int) -> Fraction | float:
        """Return a factor ``e**epsilon`` with which predictions are private: the best known here.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction or math.inf
            The smaller of :meth:`factor_from_stability` and :meth:`factor_from_privacy`; infinite
            without a flip.

        Raises
        ------
        InvalidInput
            The base does not promise stability and private prediction (use :attr:`flip` for other
            guarantees), or n is smaller than its samples.
        """
        return min(self.factor_from_stability(n), self.factor_from_privacy(n))

    def factor_from_stability(self, n: int) -> Fraction | float:
        """Return the factor that follows from stability of the base alone: ``1 + (1-2z) gamma/z``.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return self.flip.factor_after(self._said(Notion.UNIFORM_STABILITY, n, Fraction))

    def factor_from_privacy(self, n: int) -> Fraction | float:
        """Return the factor that follows from the base's (epsilon_0, n'/n)-private prediction.

        Parameters
        ----------
        n
            The size of the samples.

        Returns
        -------
        Fraction or math.inf
            The exact worst case, :meth:`~pac_stability.mechanisms.Flip.factor_after`. When it is at
            least ``e**epsilon_0`` it is ``1 + (1 - 2z) q / z``.
        """
        guarantee = self._said(Notion.PRIVATE_PREDICTION, n, PrivacyGuarantee)
        return self.flip.factor_after(guarantee.delta, guarantee.epsilon)

    def promises(self, n: int, /) -> learning.Promises:
        z, said = self.flip_probability, _promised(self.base, n)
        promised: dict[Hashable, object] = {}
        factors: list[Fraction | float] = []
        if Notion.UNIFORM_STABILITY in said:
            gamma = self._said(Notion.UNIFORM_STABILITY, n, Fraction)
            promised[Notion.UNIFORM_STABILITY] = (1 - 2 * z) * gamma
            factors.append(self.factor_from_stability(n))
        if Notion.PRIVATE_PREDICTION in said:
            factors.append(self.factor_from_privacy(n))
        if factors and isinstance(least := min(factors), Fraction):
            promised[Notion.PRIVATE_PREDICTION] = PrivacyGuarantee(Epsilon.exactly(least))
        elif Notion.PRIVATE_PREDICTION in said:
            promised[Notion.PRIVATE_PREDICTION] = said[Notion.PRIVATE_PREDICTION]
        return promised

    def _said(self, notion: Notion, n: int, kind: type[T]) -> T:
        said = _promised(self.base, n).get(notion)
        if not isinstance(said, kind):
            wanted = f"a StableLearner, or what promises {notion.value} (or use flip.factor_after)"
            raise InvalidInput("base", arguments.described(self.base), wanted)
        return said


def _given(sample: AnyData) -> Sample[Hashable]:
    """Hand a sample on as it is: a base that takes arrays may be given them."""
    return cast("Sample[Hashable]", sample)


def _prepared(base: PointPredictor, sample: AnyData) -> learning.PreparedPredictor[Hashable]:
    prepare = getattr(base, "prepare", None)
    if callable(prepare):
        return cast("learning.PreparedPredictor[Hashable]", prepare(sample))
    return HeldSample(base, _given(sample))


def _promised(base: object, n: int) -> learning.Promises:
    promises = getattr(base, "promises", None)
    return cast("learning.Promises", promises(n)) if callable(promises) else {}


def _as_stable(base: object) -> StableLearner:
    if not isinstance(base, StableLearner):
        raise InvalidInput(
            "base", arguments.described(base), "a StableLearner (or use flip.factor_after)"
        )
    return base


def least_flip_probability(base: StableLearner, epsilon: EpsilonLike, n: int) -> Fraction:
    """Return the least z for which flipped predictions are provably epsilon-private.

    Parameters
    ----------
    base
        The stable learner.
    epsilon
        The privacy of each prediction.
    n
        The size of the samples.

    Returns
    -------
    Fraction
        The least z with ``FlippedLearner(base, z).factor(n) <= e**epsilon``. With ``q = n'/n`` it
        is ``q / (e**epsilon - 1 + 2q)`` for every epsilon from the exponential mechanism's on.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or n is smaller than the samples of the learner.

    Notes
    -----
    Both accounts have the form ``z >= v / (t - 1 + 2v)`` with ``t = e**epsilon``. From stability,
    ``v = gamma``. From privacy, v is the larger of q and ``1 - (1 + t) (1 - q) / (1 + rho**-2)``.
    The former is the smaller one if and only if ``t < 2 (1 + rho**2) / (rho (1 + rho)) - 1``, which
    is less than ``rho**-2``: when the wanted privacy exceeds that of the exponential mechanism
    before the flip.

    Examples
    --------
    With n'/n = 1/100 and 3/2 for the factor of each half of the exponential mechanism, which is
    1/5-stable:

    >>> from pac_stability import classes
    >>> base = StableLearner(classes.thresholds(2), 1, Epsilon.exactly(Fraction(9, 4)))
    >>> least_flip_probability(base, Epsilon.exactly(Fraction(9, 4)), 100)
    Fraction(1, 127)
    >>> Flip(Fraction(1, 127)).factor_after(base.stability(100)) > 25
    True
    """
    t = as_epsilon(epsilon).ratio
    guarantee = _as_stable(base).guarantee(n)
    q = guarantee.delta
    hidden = min(base.stability(n), max(q, 1 - (1 + t) * (1 - q) / (1 + guarantee.factor)))
    return hidden / (t - 1 + 2 * hidden)


@dataclass(frozen=True, slots=True, repr=False)
class FlippedGuarantee(Tabled):
    """Predictions are private when each label is flipped with a probability afterwards."""

    _kind: ClassVar[str] = "private prediction after a flip"

    probability: Fraction
    privacy: guarantees.PredictionGuarantee


def private_model_to_prediction(guarantee: PrivacyGuarantee) -> guarantees.PredictionGuarantee:
    """Return the privacy of predictions of a private model: the same, by post-processing.

    Examples
    --------
    >>> private_model_to_prediction(PrivacyGuarantee(Epsilon.exactly(2))).epsilon.ratio
    Fraction(2, 1)
    """
    return guarantees.PredictionGuarantee(guarantee.epsilon, guarantee.delta)


def private_to_stable(guarantee: guarantees.PredictionGuarantee) -> guarantees.StabilityGuarantee:
    """Return the stability of private predictions: (t - 1 + 2 delta)/(t + 1) for t = e^epsilon.

    Examples
    --------
    >>> private_to_stable(guarantees.PredictionGuarantee(Epsilon.exactly(3))).gamma
    Fraction(1, 2)
    """
    return guarantees.StabilityGuarantee(implied_stability(guarantee.epsilon, guarantee.delta))


def private_to_stable_as_printed(
    guarantee: guarantees.PredictionGuarantee,
) -> guarantees.StabilityGuarantee:
    """Return e^epsilon - 1, for delta = 0 and epsilon up to ln 2; never less than the sharp form.

    Raises
    ------
    InvalidInput
        delta is not 0, or epsilon is more than ln 2.

    Examples
    --------
    >>> private = guarantees.PredictionGuarantee(Epsilon.exactly(Fraction(3, 2)))
    >>> private_to_stable_as_printed(private).gamma
    Fraction(1, 2)
    """
    if guarantee.delta or guarantee.epsilon.ratio > 2:
        raise InvalidInput("guarantee", repr(guarantee), "delta = 0 and epsilon up to ln 2")
    return guarantees.StabilityGuarantee(guarantee.epsilon.ratio - 1)


def stable_to_private(guarantee: guarantees.StabilityGuarantee) -> guarantees.PredictionGuarantee:
    """Return the privacy of stable predictions: (0, gamma).

    Examples
    --------
    >>> stable_to_private(guarantees.StabilityGuarantee(Fraction(1, 10))).delta
    Fraction(1, 10)
    """
    return guarantees.PredictionGuarantee(Epsilon.exactly(1), guarantee.gamma)


def flipped(guarantee: guarantees.PredictionGuarantee, probability: Fraction) -> FlippedGuarantee:
    """Return the privacy, with delta = 0, of private predictions that are flipped.

    Parameters
    ----------
    guarantee
        (0, gamma) for gamma-stable predictions.
    probability
        That of a flip, above 0 and at most 1/2.

    Raises
    ------
    InvalidInput
        The probability is out of range.

    Notes
    -----
    The exact factor: :meth:`pac_stability.mechanisms.Flip.factor_after`. DF20 Section 3.

    Examples
    --------
    >>> private = guarantees.PredictionGuarantee(Epsilon.exactly(1), Fraction(1, 100))
    >>> found = flipped(private, Fraction(1, 10))
    >>> found.privacy.epsilon.ratio
    Fraction(27, 25)
    """
    factor = Flip(probability).factor_after(guarantee.delta, guarantee.epsilon)
    if not isinstance(factor, Fraction):
        raise InvalidInput("probability", "0", "above 0 and at most 1/2")
    return FlippedGuarantee(probability, guarantees.PredictionGuarantee(Epsilon.exactly(factor)))


RULES: tuple[guarantees.Rule, ...] = (
    guarantees.at_once(
        "DF20:fact-postprocessing",
        PrivacyGuarantee,
        guarantees.PredictionGuarantee,
        private_model_to_prediction,
    ),
    guarantees.at_once(
        "DF20:fact-private-is-stable.sharp",
        guarantees.PredictionGuarantee,
        guarantees.StabilityGuarantee,
        private_to_stable,
    ),
    guarantees.at_once(
        "DF20:fact-private-is-stable",
        guarantees.PredictionGuarantee,
        guarantees.StabilityGuarantee,
        private_to_stable_as_printed,
    ),
    guarantees.at_once(
        "DF20:fact-stability-is-privacy",
        guarantees.StabilityGuarantee,
        guarantees.PredictionGuarantee,
        stable_to_private,
    ),
    guarantees.Implication(
        claim="DF20:section-3.flip.repaired",
        premise=guarantees.PredictionGuarantee,
        conclusion=FlippedGuarantee,
        bound=flipped,
        into=guarantees.itself,
        given=lambda rule, private, _n, wanted: (
            None if wanted.flip is None else rule(private, wanted.flip)
        ),
    ),
)
"""In the order in which they are tried."""
