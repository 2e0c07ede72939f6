"""Algorithm 1: a learner for finite classes that generalizes perfectly, and its simulator."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from typing import ClassVar, Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_open_unit, as_size, described
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, Interval, floor_log2
from pac_stability.arithmetic.epsilon import as_positive_epsilon
from pac_stability.audit import Notion
from pac_stability.classes import ErrorCounter, Hypothesis, Labeller
from pac_stability.data import AnySample, Example, FiniteDistribution
from pac_stability.data.distribution import reduced_law
from pac_stability.data.sample import require_any_sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, PerfectGeneralization, Promises
from pac_stability.mechanisms import ExponentialMechanism
from pac_stability.mechanisms.weights import Counts, as_candidates, as_function
from pac_stability.papers.cummings_et_al.sizes import GenericAgnosticSize
from pac_stability.papers.promised import by_choice
from pac_stability.randomness import SYSTEM_COINS, Coins

H_co = TypeVar("H_co", bound=Hypothesis, covariant=True)

_ROOM = Fraction(1, 1 << 30)
"""The share of epsilon that is kept for the rounding of the simulator."""

_BITS = 32
"""How precisely the decay meets what remains."""


@dataclass(frozen=True, slots=True)
class GenericAgnosticLearner(LawfulLearner[Hashable], Generic[H_co]):
    """The generic agnostic learner: the exponential mechanism, with a temperature set by n.

    On n examples a hypothesis h is output with probability in proportion to ``exp(-c err(S, h))``,
    ``c = epsilon sqrt(n) / sqrt(2 ln(2|H|/beta))``. So one more error multiplies its weight by
    ``e**(-c/n)``, which is rounded up to a rational *decay*.

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
        There is no hypothesis, one is no function, or a parameter is out of range.

    Notes
    -----
    Lemma 29, with the decay r in place of ``e**(-c/n)``. All empirical errors are within
    ``B = sqrt(ln(2|H|/beta) / (2n))`` of the true ones, except with probability beta (Hoeffding).
    Then the weight ``r**(n err(S, h))`` is within the factor ``r**(-n B)`` of the weight
    ``r**(n err(h))`` that the simulator gives h, and so are the sums of the weights: together
    ``r**(-2 n B)``. For ``r >= e**(-c/n)`` that is at most ``e**(2 c B) = e**epsilon``. (The
    display of the printed proof has one of the two factors and the quotient of the sums side by
    side, where one stands for the other.) The decay spends all but a ``2**-29``-th of epsilon;
    some of this is room for the simulator, whose law is rational as well: see :meth:`simulator`.

    Privacy: one example replaced changes each count of errors by at most one, so the learner is
    (2c/n, 0)-differentially private: ``at(n).guarantee``.

    A draw counts the errors of each hypothesis (:class:`~pac_stability.classes.ErrorCounter`) and
    is exact, at any size. Source: CLNRW16 Algorithm 1 and Lemma 29.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> learner = GenericAgnosticLearner(H, Fraction(1, 10), Epsilon(0.5))
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
    epsilon: Epsilon

    symmetric: ClassVar[bool] = True

    def __init__(
        self,
        hypotheses: Iterable[H_co],
        beta: AnyNumber,
        epsilon: Epsilon | AnyNumber,
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
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
        perfect = PerfectGeneralization(self.beta, self.epsilon)
        return {**by_choice(self.at(n)), Notion.PERFECT_GENERALIZATION: perfect}

    def decay(self, n: int) -> Fraction:
        """Return what one more error multiplies a weight by: at least ``e**(-c/n)``, and near it.

        Parameters
        ----------
        n
            The size of the sample, at least 1.
        """
        size = as_size(n, "n", least=1)
        return _decay(len(self.hypotheses), self.beta, self.epsilon, size)

    def at(self, n: int) -> ExponentialMechanism[AnySample, H_co]:
        """Return the exponential mechanism that the learner is on samples of n examples.

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
        self, alpha: AnyNumber, gamma: AnyNumber, *, constants: ConstantsLike = Constants.SHARP
    ) -> int:
        """Return from how many examples on the learner is (alpha, gamma)-accurate: Theorem 30.

        Parameters
        ----------
        alpha, gamma
            With probability at least 1 - gamma the output has an error of at most OPT + alpha.
        constants
            As for :class:`~pac_stability.papers.cummings_et_al.sizes.GenericAgnosticSize`.
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
        """Return the law of the hypothesis.

        Parameters
        ----------
        sample
            The sample, not empty.
        """
        return self._at(sample).law(sample)

    def run(self, sample: AnySample, /, rng: Coins = SYSTEM_COINS) -> H_co:
        """Return a hypothesis.

        Parameters
        ----------
        sample
            The sample, not empty.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
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
    The weights are irrational as a rule, since ``n err(h)`` is no integer. Each is rounded by a
    factor of at most ``1 + 2**-30 epsilon``, which fits into the room that the learner leaves: the
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
        if not isinstance(self.learner, GenericAgnosticLearner):
            raise InvalidInput("learner", described(self.learner), "a GenericAgnosticLearner")
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
            Where the coins come from; the operating system's entropy by default.
        """
        return self.law(x).sample(rng)


@lru_cache(maxsize=64)
def _decay(count: int, beta: Fraction, epsilon: Epsilon, n: int) -> Fraction:
    bits = 128 + n.bit_length()
    logarithm = Interval.log(2 * count / beta, bits)
    rate = epsilon.interval(bits) / Interval.sqrt(2 * n * logarithm, bits)
    needed = Interval.exp(-(1 - _ROOM) * rate.lower, bits - floor_log2(rate.lower)).upper
    fine = _BITS + max(-floor_log2(needed), -floor_log2(1 - needed))
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
