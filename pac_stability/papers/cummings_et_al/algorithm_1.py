"""Algorithm 1: a learner for finite classes that generalizes perfectly, and its simulator.

With its sizes (Theorem 30), for the labelings of a finite domain (Corollary 31), and with the
learners of thresholds that have too few outputs to learn (Lemma 23).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, compress
from typing import ClassVar, Generic, TypeVar

from pac_stability import arithmetic
from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    as_open_unit,
    as_size,
    described,
    distinct,
    in_words,
    require_instance,
)
from pac_stability.arithmetic import Interval
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import ErrorCounter, Family, Hypothesis, Labeller, Restriction, Row
from pac_stability.data import AnySample, Example, FiniteDistribution
from pac_stability.data.distribution import reduced_law
from pac_stability.data.sample import require_any_sample
from pac_stability.dimensions.growth import sauer_shelah_bound
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, PerfectGeneralization, Promises
from pac_stability.mechanisms import ExponentialMechanism
from pac_stability.mechanisms.draws import Counts, as_candidates, as_function
from pac_stability.papers.guarantees import by_choice
from pac_stability.randomness import SYSTEM_COINS, Coins

# Theorem 30

_SPENT = 1 - Fraction(1, 1 << 28)
"""The learner spends at least this share of epsilon."""


@dataclass(frozen=True, slots=True, repr=False)
class GenericAgnosticSize(Tabled):
    """A sample size for Algorithm 1 with parameters beta and epsilon.

    Parameters
    ----------
    class_size
        |H|, at least 1.
    alpha, gamma
        With probability at least 1 - gamma the output has an error of at most OPT + alpha; above 0
        and below 1.
    beta, epsilon
        The parameters of the learner, and of its perfect generalization; beta above 0 and below 1,
        epsilon above 0. The theorem has beta = gamma.
    constants
        With ``L = ln(2|H|/gamma)`` and ``K = ln(2|H|/beta)``:

        *Printed*: ``n >= 6 K L**2 / (epsilon alpha)**2``, the printed condition. It is enough
        when epsilon is at most about ``0.73 L`` (for beta = gamma), so for every epsilon up to 1;
        :attr:`proved` says whether it is.

        *Proved*: ``n >= 18 K L**2 / (epsilon alpha)**2`` and ``n >= 4.5 ln(4|H|/gamma) /
        alpha**2``, for the printed division of alpha into three equal parts.

        *Sharp*: ``n >= 2 (sqrt(L) + L sqrt(K) / epsilon)**2 / alpha**2``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Proof of the sharp size. Let h* have the least error, OPT, and ``B = sqrt(L / (2n))``. Except
    with probability gamma/2, the empirical error of h* is at most OPT + B, and that of every other
    h at least err(h) - B: these are |H| one-sided events. Then a hypothesis with an error above
    OPT + alpha has an empirical error more than alpha - 2B above the least one, and some such
    hypothesis is drawn with probability at most ``|H| exp(-c (alpha - 2B))``, which is at most
    gamma/2 when ``c (alpha - 2B) >= L``. As ``c = epsilon sqrt(n) / sqrt(2K)``, this says

        alpha sqrt(n) >= sqrt(2 L) + L sqrt(2 K) / epsilon.

    With the two-sided events of the paper the first L is ``ln(4|H|/gamma)``. Both allow any
    division of alpha; in three equal parts, ``c alpha / 3 >= L`` needs the factor 18, and ``B <=
    alpha/3`` a condition without epsilon, which no condition in ``epsilon alpha`` alone implies:
    for large epsilon the printed one admits n = 1.

    The learner has a rational decay, and so c smaller by a factor of up to ``1 - 2**-28``; the
    sharp size is for this c. Source: CLNRW16 Theorem 30.

    Examples
    --------
    >>> tenth, twentieth = Fraction(1, 10), Fraction(1, 20)
    >>> def size(constants: arithmetic.ConstantsLike) -> int:
    ...     return GenericAgnosticSize(
    ...         4, tenth, twentieth, twentieth, arithmetic.Epsilon(0.5), constants).sample_size
    >>> size("printed"), size("proved"), size("sharp")
    (313736, 941208, 126200)
    """

    class_size: int
    alpha: Fraction
    beta: Fraction
    gamma: Fraction
    epsilon: arithmetic.Epsilon
    constants: arithmetic.ConstantsLike = arithmetic.Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_size", as_size(self.class_size, "class_size", least=1))
        for name in ("alpha", "beta", "gamma"):
            object.__setattr__(self, name, as_open_unit(getattr(self, name), name))
        object.__setattr__(self, "epsilon", as_positive_epsilon(self.epsilon))
        object.__setattr__(self, "constants", arithmetic.as_constants(self.constants))

    @property
    def sample_size(self) -> int:
        """The least n that satisfies the condition."""
        if self.constants == arithmetic.Constants.SHARP:
            # The only hypothesis is the best one.
            return 1 if self.class_size == 1 else arithmetic.certified_ceiling(self._sharp)
        if self.constants == arithmetic.Constants.PRINTED:
            return arithmetic.certified_ceiling(lambda bits: 6 * self._cube(bits))
        return max(
            arithmetic.certified_ceiling(lambda bits: 18 * self._cube(bits)),
            arithmetic.certified_ceiling(self._deviation),
        )

    @property
    def proved(self) -> bool:
        """Whether this many examples are enough: no fewer than the sharp size."""
        return self.sample_size >= replace(self, constants=arithmetic.Constants.SHARP).sample_size

    def _logs(self, bits: int) -> tuple[Interval, Interval]:
        twice = 2 * self.class_size
        return Interval.log(twice / self.gamma, bits), Interval.log(twice / self.beta, bits)

    def _cube(self, bits: int) -> Interval:
        """Return ``K L**2 / (epsilon alpha)**2``, a cube of logarithms in the theorem."""
        log_gamma, log_beta = self._logs(bits)
        scale = self.epsilon.interval(bits) * self.alpha
        return log_beta * log_gamma * log_gamma / (scale * scale)

    def _deviation(self, bits: int) -> Interval:
        """Return from which n on B is at most alpha/3."""
        return Interval.log(4 * self.class_size / self.gamma, bits) * (9 / (2 * self.alpha**2))

    def _sharp(self, bits: int) -> Interval:
        log_gamma, log_beta = self._logs(bits)
        epsilon = self.epsilon.interval(bits) * _SPENT
        root = Interval.sqrt(log_gamma, bits) + log_gamma * Interval.sqrt(log_beta, bits) / epsilon
        return root * root * (2 / self.alpha**2)


# Algorithm 1

H_co = TypeVar("H_co", bound=Hypothesis, covariant=True)

_ROOM = Fraction(1, 1 << 30)
"""The share of epsilon that is kept for the rounding of the simulator."""

_BITS = 32
"""How precisely the decay meets what remains."""


@dataclass(frozen=True, slots=True)
class GenericAgnosticLearner(LawfulLearner[Hashable], Generic[H_co]):
    """The generic agnostic learner: the exponential mechanism, with a temperature set by n.

    On n examples a hypothesis h is output with probability in proportion to ``exp(-c err(S, h))``,
    ``c = epsilon sqrt(n) / sqrt(2 ln(2|H|/beta))``. So each further error multiplies its weight by
    ``e**(-c/n)``, rounded up to a rational *decay*.

    Parameters
    ----------
    hypotheses
        H, a :class:`~pac_stability.classes.FiniteClass` or any other distinct hypotheses; at least
        one.
    beta, epsilon
        The learner is (beta, epsilon, 0)-perfectly generalizing: beta above 0 and below 1, epsilon
        above 0.

    Raises
    ------
    InvalidInput
        There is no hypothesis, one is not a function, or a parameter is out of range.

    Notes
    -----
    Lemma 29, with the decay r in place of ``e**(-c/n)``. All empirical errors are within ``B =
    sqrt(ln(2|H|/beta) / (2n))`` of the true ones, except with probability beta (Hoeffding). Then
    the weight ``r**(n err(S, h))`` is within the factor ``r**(-n B)`` of the weight ``r**(n
    err(h))`` that the simulator gives h, and so are the sums of the weights: together ``r**(-2 n
    B)``. For ``r >= e**(-c/n)`` that is at most ``e**(2 c B) = e**epsilon``. (The display of the
    printed proof has one of the two factors and the quotient of the sums side by side, where one
    stands for the other.) The decay spends all but a ``2**-29``-th of epsilon; the rest allows for
    the simulator's rational law: see :meth:`simulator`.

    Privacy: one example replaced changes each count of errors by at most one, so the learner is
    (2c/n, 0)-differentially private: ``at(n).guarantee``.

    A draw counts the errors of each hypothesis (:class:`~pac_stability.classes.ErrorCounter`) and
    is exact, at any size. Source: CLNRW16 Algorithm 1 and Lemma 29.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> learner = GenericAgnosticLearner(H, Fraction(1, 10), arithmetic.Epsilon(0.5))
    >>> from pac_stability.data import Sample
    >>> S = Sample([0, 1] * 50, [0, 1] * 50)
    >>> [round(float(p), 4) for _, p in learner.law(S).items()]
    [0.2275, 0.545, 0.2275]
    >>> round(float(learner.at(100).guarantee.epsilon), 4)
    0.0349
    >>> learner.sample_size("1/10", "1/20")
    92989
    """

    hypotheses: tuple[H_co, ...]
    beta: Fraction
    epsilon: arithmetic.Epsilon

    symmetric: ClassVar[bool] = True

    def __init__(
        self, hypotheses: Iterable[H_co], beta: AnyNumber, epsilon: arithmetic.EpsilonLike
    ) -> None:
        candidates = as_candidates(hypotheses, "hypotheses")
        for h in candidates:
            as_function(h, "hypotheses")
        object.__setattr__(self, "hypotheses", candidates)
        object.__setattr__(self, "beta", as_open_unit(beta, "beta"))
        object.__setattr__(self, "epsilon", as_positive_epsilon(epsilon))

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have: 1."""
        return 1

    def promises(self, n: int, /) -> Promises:
        perfect = PerfectGeneralization(self.beta, self.epsilon)
        return {**by_choice(self.at(n)), Notion.PERFECT_GENERALIZATION: perfect}

    def decay(self, n: int) -> Fraction:
        """Return the factor of a weight for each error: at least ``e**(-c/n)``, and near it.

        Parameters
        ----------
        n
            The size of the sample, at least 1.
        """
        size = as_size(n, "n", least=1)
        return _decay(len(self.hypotheses), self.beta, self.epsilon, size)

    def at(self, n: int) -> ExponentialMechanism[AnySample, H_co]:
        """Return the learner on samples of n examples, as an exponential mechanism.

        Parameters
        ----------
        n
            The size of the sample, at least 1.
        """
        return ExponentialMechanism(self.hypotheses, self._errors, self.decay(n))

    def simulator(self, n: int) -> GenericAgnosticSimulator[H_co]:
        """Return the simulator for samples of n examples.

        Parameters
        ----------
        n
            The size of the sample, at least 1.
        """
        return GenericAgnosticSimulator(self, n)

    def sample_size(
        self,
        alpha: AnyNumber,
        gamma: AnyNumber,
        *,
        constants: arithmetic.ConstantsLike = arithmetic.Constants.SHARP,
    ) -> int:
        """Return the sample size at which the learner is (alpha, gamma)-accurate: Theorem 30.

        Parameters
        ----------
        alpha, gamma
            With probability at least 1 - gamma the output has an error of at most OPT + alpha.
        constants
            As for :class:`~pac_stability.papers.cummings_et_al.algorithm_1.GenericAgnosticSize`.
        """
        return GenericAgnosticSize(
            len(self.hypotheses),
            as_open_unit(alpha, "alpha"),
            self.beta,
            as_open_unit(gamma, "gamma"),
            self.epsilon,
            constants,
        ).sample_size

    def law(self, sample: AnySample, /) -> FiniteDistribution[H_co]:
        return self._at(sample).law(sample)

    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> H_co:
        return self._at(sample).run(sample, rng)

    def _at(self, sample: AnySample) -> ExponentialMechanism[AnySample, H_co]:
        require_any_sample(sample, self.least_examples)
        return self.at(len(sample))

    def _errors(self, sample: AnySample) -> Counts:
        return ErrorCounter(sample).count(self.hypotheses)


@dataclass(frozen=True, slots=True)
class GenericAgnosticSimulator(Generic[H_co]):
    """The simulator of Lemma 29: a hypothesis with weight ``decay**(n err(h))``.

    A mechanism on distributions of examples: it sees D, where the learner sees n draws from D.
    Made by :meth:`GenericAgnosticLearner.simulator`.

    Parameters
    ----------
    learner
        Which learner it simulates.
    n
        The size of the samples.

    Notes
    -----
    The weights are usually irrational, because ``n err(h)`` is not an integer. Each is rounded by a
    factor of at most ``1 + 2**-30 epsilon``, which fits into the slack that the learner leaves: the
    rational law is (epsilon, 0)-close to the learner's except with probability beta, as in Lemma
    29. Time O(k |H|) for k examples. Source: CLNRW16 Lemma 29.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> learner = GenericAgnosticLearner(FiniteClass([[0], [1]]), "1/10", 0.5)
    >>> D = FiniteDistribution({Example(0, 0): Fraction(1, 3), Example(0, 1): Fraction(2, 3)})
    >>> [round(float(p), 4) for _, p in learner.simulator(50).law(D).items()]
    [0.3932, 0.6068]
    """

    learner: GenericAgnosticLearner[H_co]
    n: int

    def __post_init__(self) -> None:
        require_instance(self.learner, GenericAgnosticLearner, "learner")
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))

    def law(self, x: FiniteDistribution[Example[Hashable]], /) -> FiniteDistribution[H_co]:
        """Return the law of the hypothesis.

        Parameters
        ----------
        x
            D, the law of one example.
        """
        errors = _true_errors(self.learner.hypotheses, x)
        least = min(errors)
        decay = self.learner.decay(self.n)
        room = self.learner.epsilon.interval().lower * _ROOM
        bits = 64
        while True:
            slope = self.n * Interval.log(decay, bits)
            weights = {e: Interval.exp(slope * (e - least), bits) for e in set(errors)}
            if all(weight.width <= room * weight.lower for weight in weights.values()):
                break
            bits *= 2
        unit = math.lcm(*(weight.lower.denominator for weight in weights.values()))
        pairs = zip(self.learner.hypotheses, errors, strict=True)
        return reduced_law({h: int(weights[e].lower * unit) for h, e in pairs})

    def run(self, x: FiniteDistribution[Example[Hashable]], /, rng: Coins = SYSTEM_COINS) -> H_co:
        """Return a hypothesis.

        Parameters
        ----------
        x
            D, the law of one example.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return self.law(x).sample(rng)


@lru_cache(maxsize=64)
def _decay(count: int, beta: Fraction, epsilon: arithmetic.Epsilon, n: int) -> Fraction:
    bits = 128 + n.bit_length()
    logarithm = Interval.log(2 * count / beta, bits)
    rate = epsilon.interval(bits) / Interval.sqrt(2 * n * logarithm, bits)
    needed = Interval.exp(-(1 - _ROOM) * rate.lower, bits - arithmetic.floor_log2(rate.lower)).upper
    fine = _BITS + max(-arithmetic.floor_log2(needed), -arithmetic.floor_log2(1 - needed))
    return Fraction(math.ceil(needed * (1 << fine)), 1 << fine)


def _true_errors(
    hypotheses: Iterable[Hypothesis], distribution: FiniteDistribution[Example[Hashable]]
) -> list[Fraction]:
    """Return err(h) for each hypothesis."""
    _require_examples(distribution)
    examples = distribution.support
    labels = Labeller(z.point for z in examples).labels(hypotheses)
    wrong = labels != [z.label for z in examples]
    numerators = [distribution.numerators[z] for z in examples]
    total = distribution.denominator
    return [Fraction(sum(compress(numerators, row)), total) for row in wrong.tolist()]


def _require_examples(distribution: object) -> None:
    if isinstance(distribution, FiniteDistribution) and all(
        isinstance(z, Example) for z in distribution.support
    ):
        return
    raise InvalidInput("x", described(distribution), "a FiniteDistribution of examples")


# Corollary 31


@dataclass(frozen=True, slots=True)
class FiniteDomainLearner(LawfulLearner[Hashable]):
    """Algorithm 1 for any class on a finite domain: proper, and perfectly generalizing.

    The class may be infinite. It keeps one of the hypotheses that label the domain alike, so the
    kept ones are finitely many and as good as the class.

    Parameters
    ----------
    family
        H, any :class:`~pac_stability.classes.Family`, not empty.
    domain
        X, finitely many points.
    beta, epsilon
        As for :class:`GenericAgnosticLearner`.

    Attributes
    ----------
    labelings
        The patterns of H on X, each with a representative: a hypothesis of H that has it.
    learner
        Algorithm 1 on the patterns.

    Raises
    ------
    InvalidInput
        The value is not a family, or it is empty, or a parameter is out of range; on use, a point
        of the sample is not in X.

    Notes
    -----
    The output is a representative, so it is in H. It follows from the pattern alone, and
    post-processing keeps the guarantees. Source: CLNRW16 Corollary 31, which must mean a finite
    domain: on an infinite one, thresholds have no proper learner that generalizes perfectly with
    beta and delta of order 1/n^2 (Theorem 35).

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> from pac_stability.data import Sample
    >>> learner = FiniteDomainLearner(Thresholds(), range(9), "1/10", 0.5)
    >>> len(learner.labelings), learner.sample_size("1/10", "1/10")
    (10, 142506)
    >>> learner.law(Sample([0, 8] * 50, [0, 1] * 50)).support[0]
    Threshold(cut=0, upward=True)
    """

    labelings: Restriction
    learner: GenericAgnosticLearner[Row]

    symmetric: ClassVar[bool] = True

    def __init__(
        self,
        family: Family,
        domain: Iterable[Hashable],
        beta: AnyNumber,
        epsilon: arithmetic.EpsilonLike,
    ) -> None:
        if isinstance(family, type) or not callable(getattr(family, "restrict", None)):
            raise InvalidInput("family", described(family), "a FiniteClass or another Family")
        labelings = family.restrict(domain)
        object.__setattr__(self, "labelings", labelings)
        object.__setattr__(self, "learner", GenericAgnosticLearner(labelings, beta, epsilon))

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have: 1."""
        return self.learner.least_examples

    def promises(self, n: int, /) -> Promises:
        return self.learner.promises(n)

    def sample_size(
        self,
        alpha: AnyNumber,
        gamma: AnyNumber,
        *,
        constants: arithmetic.ConstantsLike = arithmetic.Constants.SHARP,
    ) -> int:
        """Return the sample size at which it is (alpha, gamma)-accurate, for this many labelings.

        Parameters
        ----------
        alpha, gamma, constants
            As for :meth:`GenericAgnosticLearner.sample_size`.
        """
        return self.learner.sample_size(alpha, gamma, constants=constants)

    def law(self, sample: AnySample, /) -> FiniteDistribution[Hypothesis]:
        return self.learner.law(sample).map(self._representative)

    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> Hypothesis:
        return self._representative(self.learner.run(sample, rng))

    def _representative(self, pattern: Row) -> Hypothesis:
        return self.labelings.representatives[pattern.index]


def corollary_31(
    domain_size: int,
    vc_dimension: int,
    *,
    alpha: Fraction,
    beta: Fraction,
    gamma: Fraction,
    epsilon: arithmetic.Epsilon,
    constants: arithmetic.ConstantsLike = arithmetic.Constants.SHARP,
) -> GenericAgnosticSize:
    """Return the sample size for every class of a VC dimension on a finite domain.

    Parameters
    ----------
    domain_size
        |X|.
    vc_dimension
        d.
    alpha, beta, gamma, epsilon, constants
        As for :class:`~pac_stability.papers.cummings_et_al.algorithm_1.GenericAgnosticSize`; the
        corollary has beta = gamma.

    Returns
    -------
    GenericAgnosticSize
        Theorem 30 for the largest number of labelings, ``C(|X|, 0) + ... + C(|X|, d)`` (Sauer and
        Shelah); a class with fewer labelings needs no more examples. Its logarithm is at most ``d
        ln|X|`` for ``2 <= d <= |X|``, so that the size is of the order stated.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    CLNRW16 Corollary 31.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> size = corollary_31(
    ...     1000, 2, alpha=tenth, beta=tenth, gamma=tenth, epsilon=arithmetic.Epsilon(0.5))
    >>> size.class_size, size.sample_size
    (500501, 3561604)
    """
    points, d = as_size(domain_size, "domain_size"), as_size(vc_dimension, "vc_dimension")
    labelings = sauer_shelah_bound(points, d)
    return GenericAgnosticSize(labelings, alpha, beta, gamma, epsilon, constants)


# Lemma 23


@dataclass(frozen=True, slots=True)
class FiniteRangeThresholds:
    """The outputs of a proper learner of thresholds on 0, ..., m-1, and their worst case.

    Parameters
    ----------
    m
        The number of points, at least 1. The class H has a hypothesis for each point x: it is 1 on
        y <= x and 0 on y > x.
    outputs
        The points of the hypotheses that the learner may output, the class H'.

    Raises
    ------
    InvalidInput
        m is not a positive integer, or the outputs are not distinct points, or there is none.

    Notes
    -----
    CLNRW16, Lemma 23: for some distribution with labels from H, every hypothesis of H' is wrong
    with probability at least 1/2. That holds exactly when H' is not all of H. This distribution
    makes the best output as bad as possible:

    - If the hypothesis of point 0 is missing, let the first output's point be certain, and label
      it 0, as that hypothesis does. All of H' is 1 there.
    - If that of point m-1 is missing, let m-1 be certain and its label 1. All of H' is 0 there.
    - If another one is missing, that of j say, let j and j+1 be equally likely and label by it: 1
      and 0. No other threshold separates them, so all of H' is wrong on exactly one. Nothing is
      worse: for every target, the outputs of 0 and m-1 are never wrong on the same point.
    - If none is missing, some hypothesis of H' is never wrong, whatever the distribution.

    The proof in the paper takes two points y < z strictly between the first two outputs
    (:attr:`printed_points`), as there are in a dense order when H' has two hypotheses or more. In
    a finite order such points may be missing, and the statement still holds.

    Examples
    --------
    >>> learner = FiniteRangeThresholds(4, [0, 1, 3])
    >>> learner.printed_points is None, learner.target, learner.least_error
    (True, 2, Fraction(1, 2))
    >>> [(z.point, z.label) for z in learner.worst.support]
    [(2, 1), (3, 0)]
    >>> FiniteRangeThresholds(4, [0, 1, 2]).least_error
    Fraction(1, 1)
    """

    m: int
    outputs: tuple[int, ...]

    def __init__(self, m: int, outputs: Iterable[int]) -> None:
        size = as_size(m, "m", least=1)
        kept = distinct((as_size(point, "outputs") for point in outputs), "outputs")
        if not kept:
            raise InvalidInput("outputs", "none", "at least one point")
        if max(kept) >= size:
            raise InvalidInput("outputs", in_words(max(kept)), f"points below {size}")
        object.__setattr__(self, "m", size)
        object.__setattr__(self, "outputs", tuple(sorted(kept)))

    @property
    def target(self) -> int | None:
        """The point of a missing hypothesis: 0 or m-1 if they are, else the first one, or none."""
        last = self.m - 1
        known = set(self.outputs)
        return next((x for x in chain((0, last), range(last)) if x not in known), None)

    @property
    def worst(self) -> FiniteDistribution[Example[int]]:
        """A distribution of points with the labels of the target, on which all outputs are bad.

        Raises
        ------
        InvalidInput
            No hypothesis is missing, and there is not such a distribution.
        """
        match self.target:
            case None:
                raise InvalidInput("outputs", "all thresholds", "at least one that is missing")
            case 0:
                return FiniteDistribution.point_mass(Example(self.outputs[0], 0))
            case x if x == self.m - 1:
                return FiniteDistribution.point_mass(Example(x, 1))
            case x:
                return FiniteDistribution.uniform([Example(x, 1), Example(x + 1, 0)])

    def error(self, output: int, distribution: FiniteDistribution[Example[int]]) -> Fraction:
        """Return the probability that a threshold is wrong.

        Parameters
        ----------
        output
            The point of the threshold.
        distribution
            The law of a labelled point.

        Raises
        ------
        InvalidInput
            The output is not a point.
        """
        cut = as_size(output, "output")
        if cut >= self.m:
            raise InvalidInput("output", in_words(cut), f"a point below {self.m}")
        return distribution.expectation(lambda z: int((z.point <= cut) != (z.label == 1)))

    @property
    def least_error(self) -> Fraction:
        """The smallest error of an output on :attr:`worst`: 1/2 or 1. Raises like that."""
        worst = self.worst
        return min(self.error(output, worst) for output in self.outputs)

    @property
    def printed_points(self) -> tuple[int, int] | None:
        """Points y < z strictly between the first two outputs, as in the paper, if there are."""
        if len(self.outputs) > 1 and self.outputs[1] - self.outputs[0] > 2:
            return self.outputs[0] + 1, self.outputs[0] + 2
        return None
