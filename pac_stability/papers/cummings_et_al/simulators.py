"""Simulators: mechanisms that see the distribution, while the real mechanism sees a sample.

CLNRW16, Definition 8, asks that the law of the output on most samples is close to one law that
depends on the distribution alone. A simulator gives that law: it is a mechanism from distributions
to outcomes. Here are those of the paper and the best one; Lemma 29's simulator is in the module of
Algorithm 1. :func:`~pac_stability.papers.cummings_et_al.simulators.advantage` measures how good a
simulator is.

Definition 5 can be read in two ways; a mechanism that says nothing fails in one of them. The
*joint* reading bounds the probability of a failure over everything; the *split* reading, which is
the literal one, asks that for most samples the conditional probability is small.

Last comes Algorithm 2: a mechanism runs on a sample resampled from the sample. Its effect on
perfect generalization (Theorem 32, exact on finite instances) and on learners (Theorems 33 to 35,
with the lower bound for thresholds).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import comb
from typing import Generic, Literal, TypeAlias, TypeVar, cast

from pac_stability import arguments, arithmetic, data
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Constants, Epsilon, as_probability
from pac_stability.arithmetic.epsilon import require_epsilon
from pac_stability.data import Multiset, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee, Resampled
from pac_stability.notions import (
    chain_rule,
    closeness,
    differential_privacy,
    group_privacy,
    perfect_generalization,
    simulators,
)
from pac_stability.notions.by_type import LawClass, law_classes, laws_by_type
from pac_stability.notions.frontier import Frontier
from pac_stability.notions.perfect_generalization import MAX_STEPS, BestSimulation, minimal_epsilon
from pac_stability.notions.robust_generalization import tolerated_deviation
from pac_stability.notions.simulator_search import weighted_quantile
from pac_stability.notions.split_reading import split_failure
from pac_stability.randomness import SYSTEM_COINS, Coins

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")
V = TypeVar("V", Fraction, Fraction | float)
X = TypeVar("X")
Y = TypeVar("Y")


@dataclass(frozen=True)
class Experiment(Generic[E, S, O]):
    """A mechanism, and the form of its samples.

    Made by :meth:`on_types` or :meth:`of_learner`.

    Attributes
    ----------
    law
        The law of the output on a sample.
    n
        The size of the samples.
    samples
        How a distribution and n give the law of the sample.

    Raises
    ------
    InvalidInput
        n is not a non-negative integer.

    Examples
    --------
    >>> def ones(T: data.Multiset[int]) -> data.FiniteDistribution[int]:
    ...     return data.FiniteDistribution.point_mass(T.count(1))
    >>> experiment = Experiment.on_types(ones, 2)
    >>> coin = data.FiniteDistribution.uniform([0, 1])
    >>> experiment.draws(coin).probability(data.Multiset.of([0, 1]))
    Fraction(1, 2)
    """

    law: Callable[[S], data.FiniteDistribution[O]]
    n: int
    samples: Callable[[data.FiniteDistribution[E], int], data.FiniteDistribution[S]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n"))

    @staticmethod
    def on_types(
        law: Callable[[data.Multiset[X]], data.FiniteDistribution[Y]], n: int
    ) -> Experiment[X, data.Multiset[X], Y]:
        """Return the experiment with a mechanism that ignores the order of its sample.

        Parameters
        ----------
        law
            The law of the output on a multiset.
        n
            The size of the samples.
        """
        return Experiment(law, n, data.multiset_distribution)

    @staticmethod
    def of_learner(
        law: Callable[[data.Sample[X]], data.FiniteDistribution[Y]], n: int
    ) -> Experiment[data.Example[X], data.Multiset[data.Example[X]], Y]:
        """Return the experiment with a learner that ignores the order of its sample.

        Parameters
        ----------
        law
            The law of the output on a ``Sample``.
        n
            The size of the samples.

        Examples
        --------
        >>> from pac_stability.papers.cummings_et_al import ArithmeticMeanSimulator
        >>> def any_one(S: data.Sample[str]) -> data.FiniteDistribution[int]:
        ...     return data.FiniteDistribution.point_mass(max(S.labels))
        >>> coin = data.FiniteDistribution.uniform([data.Example("a", 0), data.Example("a", 1)])
        >>> ArithmeticMeanSimulator(Experiment.of_learner(any_one, 2)).law(coin)
        FiniteDistribution({1: 3/4, 0: 1/4})
        """
        return Experiment.on_types(lambda kind: law(data.Sample.from_examples(kind.elements())), n)

    def draws(self, distribution: data.FiniteDistribution[E]) -> data.FiniteDistribution[S]:
        """Return the law of the sample.

        Parameters
        ----------
        distribution
            D, the law of one element.

        Raises
        ------
        InvalidInput
            It is no ``FiniteDistribution``.
        """
        return self.samples(require_distribution(distribution), self.n)


def require_distribution(distribution: data.FiniteDistribution[E]) -> data.FiniteDistribution[E]:
    """Return what a simulator is given, or refuse what is not a distribution."""
    arguments.require_instance(distribution, data.FiniteDistribution, "distribution")
    return distribution


# Simulators


class _Drawn(ABC, Generic[E, O]):
    """What all simulators share: they are run by drawing from their law."""

    @abstractmethod
    def law(self, x: data.FiniteDistribution[E], /) -> data.FiniteDistribution[O]: ...

    def run(self, x: data.FiniteDistribution[E], /, rng: Coins = SYSTEM_COINS) -> O:
        """Return one simulated output.

        Parameters
        ----------
        x
            The distribution D.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return self.law(x).sample(rng)


@dataclass(frozen=True)
class GeometricMeanSimulator(_Drawn[E, O], Generic[E, S, O]):
    """Each outcome with probability proportional to exp(E ln Pr[M(S) = outcome]).

    Parameters
    ----------
    experiment
        The mechanism that is imitated.

    Notes
    -----
    The simulator of CLNRW16, Theorem 39, for pure differential privacy, where the logarithms of the
    probabilities are sums with bounded differences and so concentrate. The rational law that
    replaces it has each probability within a factor of about 1 + 2**-60.

    Examples
    --------
    A bit that is reported truthfully with probability 4/5; the distribution is biased.

    >>> def told(T: data.Multiset[int]) -> data.FiniteDistribution[int]:
    ...     one = Fraction(4 if T.count(1) else 1, 5)
    ...     return data.FiniteDistribution({1: one, 0: 1 - one})
    >>> biased = data.FiniteDistribution({1: Fraction(1, 4), 0: Fraction(3, 4)})
    >>> experiment = Experiment.on_types(told, 1)
    >>> float(GeometricMeanSimulator(experiment).law(biased).probability(0))
    0.6666666666666666
    >>> ArithmeticMeanSimulator(experiment).law(biased).probability(0)
    Fraction(13, 20)
    """

    experiment: Experiment[E, S, O]

    def law(self, x: data.FiniteDistribution[E], /) -> data.FiniteDistribution[O]:
        """Return the law of the simulated output.

        Parameters
        ----------
        x
            The distribution D.

        Raises
        ------
        InvalidInput
            It is not a distribution, or no outcome is possible on all samples.
        """
        return simulators.geometric_mean(self.experiment.law, self.experiment.draws(x))


@dataclass(frozen=True)
class ArithmeticMeanSimulator(_Drawn[E, O], Generic[E, S, O]):
    """The law of the output on a random sample: run the mechanism on a fresh one.

    Parameters
    ----------
    experiment
        The mechanism that is imitated.

    Notes
    -----
    Without the sample, its output cannot be distinguished from the real one.

    Examples
    --------
    >>> of_type = lambda T: data.FiniteDistribution.point_mass(max(T.support))
    >>> largest = Experiment.on_types(of_type, 2)
    >>> ArithmeticMeanSimulator(largest).law(data.FiniteDistribution.uniform([0, 1]))
    FiniteDistribution({1: 3/4, 0: 1/4})
    """

    experiment: Experiment[E, S, O]

    def law(self, x: data.FiniteDistribution[E], /) -> data.FiniteDistribution[O]:
        """Return the law of the simulated output.

        Parameters
        ----------
        x
            The distribution D.

        Raises
        ------
        InvalidInput
            It is none.
        """
        return simulators.arithmetic_mean(self.experiment.law, self.experiment.draws(x))


@dataclass(frozen=True)
class FixedSampleSimulator(_Drawn[E, O], Generic[E, S, O]):
    """M(S*) for one fixed sample S*, whatever the distribution.

    Parameters
    ----------
    mechanism_law
        The law of the output on a sample.
    sample
        S*.
    radius
        How many examples of S* must be replaced at most to turn it into another sample: its size,
        unless the order does not matter (:meth:`central`).

    Raises
    ------
    InvalidInput
        The radius is not a non-negative integer.

    Notes
    -----
    The simulator that group privacy serves, at the end of CLNRW16, Section 5.2.

    Examples
    --------
    For a mechanism that ignores the order, three examples of either kind are at most three
    replacements away from any six bits.

    >>> def noisy_or(T: data.Multiset[int]) -> data.FiniteDistribution[int]:
    ...     one = Fraction(2, 3) if T.count(1) else Fraction(1, 3)
    ...     return data.FiniteDistribution({1: one, 0: 1 - one})
    >>> simulator = FixedSampleSimulator.central(noisy_or, [0, 1], 6)
    >>> simulator.sample, simulator.guarantee(Epsilon.exactly(2))
    (Multiset({0: 3, 1: 3}), (Epsilon(e**epsilon = 8, epsilon = 2.07944), Fraction(0, 1)))
    """

    mechanism_law: Callable[[S], data.FiniteDistribution[O]]
    sample: S
    radius: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", arguments.as_size(self.radius, "radius"))

    @classmethod
    def central(
        cls,
        law: Callable[[data.Multiset[E]], data.FiniteDistribution[O]],
        elements: Iterable[E],
        n: int,
    ) -> FixedSampleSimulator[E, data.Multiset[E], O]:
        """Return M(S*) for a type S* whose distance from the furthest type is smallest.

        Parameters
        ----------
        law
            The law of the output on a type: the mechanism ignores the order.
        elements
            The m distinct elements, at least one.
        n
            The size of the samples.

        Returns
        -------
        FixedSampleSimulator
            All elements occur floor(n/m) or ceil(n/m) times; the radius is n - floor(n/m).

        Raises
        ------
        InvalidInput
            The elements are not distinct or there is none, or n is no size.

        Notes
        -----
        The type that is furthest from S* repeats the element that is rarest in S*, which occurs at
        most floor(n/m) times.
        """
        kept = arguments.distinct(elements, "elements")
        if not kept:
            raise InvalidInput("elements", "none", "at least one element")
        size = arguments.as_size(n, "n")
        share, rest = divmod(size, len(kept))
        centre = data.Multiset({e: share + (place < rest) for place, e in enumerate(kept)})
        return FixedSampleSimulator(law, centre, size - share)

    def law(self, x: data.FiniteDistribution[E], /) -> data.FiniteDistribution[O]:
        """Return the law of the simulated output.

        Parameters
        ----------
        x
            The distribution D, which is ignored.

        Raises
        ------
        InvalidInput
            It is none.
        """
        require_distribution(x)
        return self.mechanism_law(self.sample)

    def guarantee(self, epsilon: Epsilon, delta: AnyNumber = 0) -> tuple[Epsilon, Fraction]:
        """Return the parameters that hold on *all* samples when the mechanism is private.

        Parameters
        ----------
        epsilon, delta
            The parameters of differential privacy.

        Returns
        -------
        (Epsilon, Fraction)
            With k for the radius and t for the factor: k epsilon, and delta (t**k - 1) / (t - 1).

        Raises
        ------
        InvalidInput
            A parameter is out of range.

        Notes
        -----
        With k = n this is the paper's bound, without its last step from 1 + t + ... + t**(n-1) to
        n t**(n-1). It is (0, k epsilon, ...)-perfect generalization on every distribution.
        """
        if self.radius == 0:
            return Epsilon.exactly(1), Fraction(0)
        return group_privacy.bound(epsilon, delta, self.radius)


@dataclass(frozen=True)
class OptimalSimulator(_Drawn[E, O], Generic[E, S, O]):
    """The simulator that misses the fewest samples, or that is closest to all but a beta share.

    Parameters
    ----------
    experiment
        The mechanism that is imitated.
    epsilon, beta
        One of the two: the other one is what the simulator makes smallest.
    delta
        The other parameter of closeness.

    Raises
    ------
    InvalidInput
        Both or none of epsilon and beta are given.

    Notes
    -----
    :func:`pac_stability.notions.perfect_generalization.minimal_beta` or ``minimal_epsilon`` for
    every distribution that comes: optimal when the bounds that :meth:`found` returns agree.

    Examples
    --------
    >>> of_type = lambda T: data.FiniteDistribution.point_mass(T.count(1) % 2)
    >>> parity = Experiment.on_types(of_type, 2)
    >>> coin = data.FiniteDistribution({1: Fraction(1, 4), 0: Fraction(3, 4)})
    >>> optimal = OptimalSimulator(parity, epsilon=Epsilon(1))
    >>> optimal.law(coin), optimal.found(coin).upper
    (FiniteDistribution({0: 1}), Fraction(3, 8))
    """

    experiment: Experiment[E, S, O]
    epsilon: Epsilon | None = None
    beta: AnyNumber | None = None
    delta: AnyNumber = 0

    def __post_init__(self) -> None:
        if (self.epsilon is None) == (self.beta is None):
            given = "both" if self.beta is not None else "none"
            raise InvalidInput("epsilon", f"{given} of epsilon and beta", "one of the two")

    def law(self, x: data.FiniteDistribution[E], /) -> data.FiniteDistribution[O]:
        """Return the law of the simulated output.

        Parameters
        ----------
        x
            The distribution D.

        Raises
        ------
        InvalidInput
            It is not a distribution, or a parameter is not valid.
        """
        return self.found(x).simulator

    def found(self, x: data.FiniteDistribution[E]) -> BestSimulation[S, O]:
        """Return the simulator with certified bounds on what the best one attains.

        Parameters
        ----------
        x
            The distribution D.

        Raises
        ------
        InvalidInput
            As for :meth:`law`.
        """
        law, samples = self.experiment.law, self.experiment.draws(x)
        if self.epsilon is not None:
            return perfect_generalization.minimal_beta(law, samples, self.epsilon, self.delta)
        beta = arguments.as_number(self.beta, "beta")
        return perfect_generalization.minimal_epsilon(law, samples, beta, self.delta)


def simulate(
    simulator: data.Mechanism[data.FiniteDistribution[E], O],
    distribution: data.FiniteDistribution[E],
    rng: Coins = SYSTEM_COINS,
) -> O:
    """Return an output that does not depend on any sample.

    Parameters
    ----------
    simulator
        Any mechanism from distributions to outcomes; its exact law is ``simulator.law``.
    distribution
        D, the law of one element.
    rng
        The source of coins; by default the operating system's entropy.

    Raises
    ------
    InvalidInput
        The distribution is none.

    Examples
    --------
    >>> of_type = lambda T: data.FiniteDistribution.point_mass(max(T.support))
    >>> largest = Experiment.on_types(of_type, 3)
    >>> simulate(ArithmeticMeanSimulator(largest), data.FiniteDistribution.point_mass(7))
    7
    """
    return simulator.run(require_distribution(distribution), rng)


# How good a simulator is


@dataclass(frozen=True, repr=False)
class Advantage(Tabled, Generic[S, O]):
    """How well the real output can be distinguished from the simulated one, exactly.

    Attributes
    ----------
    simulated
        The law of the simulated output.
    classes
        The samples grouped by the law of the real output, with their probabilities.

    Notes
    -----
    Three distinguishers are served. One distinguisher knows the sample before the game (Definition
    8): :meth:`beta`, :meth:`delta` and :meth:`epsilon` give the share of the samples on which the
    simulator fails. One is dealt a random sample with the output (:attr:`joint`). One sees the
    output alone (:attr:`output_alone`).
    """

    simulated: data.FiniteDistribution[O]
    classes: tuple[LawClass[S, O], ...]

    def beta(self, epsilon: Epsilon, delta: AnyNumber = 0) -> Fraction:
        """Return the probability of a sample on which the two laws are not (epsilon, delta)-close.

        Parameters
        ----------
        epsilon, delta
            The parameters of closeness.

        Raises
        ------
        InvalidInput
            A parameter is out of range.
        """
        allowed = as_probability(delta, "delta")
        return 1 - simulators.covered_weight(self.classes, self.simulated, epsilon, allowed)

    def delta(self, beta: AnyNumber, epsilon: Epsilon) -> Fraction:
        """Return the smallest delta at which at most a beta share of the samples is missed.

        Parameters
        ----------
        beta
            A share, at least 0 and less than 1.
        epsilon
            The other parameter of closeness.

        Raises
        ------
        InvalidInput
            A parameter is out of range.
        """
        return self._but_for(
            beta, lambda law: closeness.minimal_delta(law, self.simulated, epsilon)
        )

    def epsilon(self, beta: AnyNumber, delta: AnyNumber = 0) -> Fraction | float:
        """Return the smallest factor e**epsilon at which at most a beta share is missed.

        Parameters
        ----------
        beta
            A share, at least 0 and less than 1.
        delta
            The other parameter of closeness.

        Returns
        -------
        Fraction or math.inf

        Raises
        ------
        InvalidInput
            A parameter is out of range.
        """
        return self._but_for(
            beta, lambda law: closeness.minimal_epsilon(law, self.simulated, delta)
        )

    def _but_for(self, beta: AnyNumber, least: Callable[[data.FiniteDistribution[O]], V]) -> V:
        """Return the least value for all samples but a beta share."""
        valued = ((least(found.law), found.weight) for found in self.classes)
        return weighted_quantile(valued, 1 - arguments.as_share(beta, "beta"))

    @cached_property
    def joint(self) -> Frontier:
        """The frontier of (sample, real output) and (sample, simulated output).

        Its delta is at most beta + (1 - beta) delta for every (beta, epsilon, delta) that holds;
        at epsilon = 0 it is the mean of the total variation distances.
        """
        real = [(found.weight, found.law) for found in self.classes]
        fake = [(weight, self.simulated) for weight, _ in real]
        return closeness.frontier(*map(_with_place, (real, fake)))

    @cached_property
    def output_alone(self) -> Frontier:
        """The frontier of the real output on a random sample and the simulated one."""
        real = data.FiniteDistribution.mixture((found.weight, found.law) for found in self.classes)
        return closeness.frontier(real, self.simulated)


def _with_place(
    laws: Sequence[tuple[Fraction, data.FiniteDistribution[O]]],
) -> data.FiniteDistribution[tuple[int, O]]:
    return data.FiniteDistribution(
        {(i, o): weight * p for i, (weight, law) in enumerate(laws) for o, p in law.items()}
    )


def advantage(
    experiment: Experiment[E, S, O],
    simulator: data.Mechanism[data.FiniteDistribution[E], O],
    distribution: data.FiniteDistribution[E],
) -> Advantage[S, O]:
    """Return how well M(S) can be distinguished from a simulator's output, for a random sample S.

    Parameters
    ----------
    experiment
        The mechanism M, and the size of its samples.
    simulator
        Any mechanism from distributions to outcomes.
    distribution
        D, the law of one element.

    Raises
    ------
    InvalidInput
        The distribution is none, or a law is missing.

    Notes
    -----
    Linear in the number of samples to set up; CLNRW16, Definition 8, for one simulator.

    Examples
    --------
    A fair bit, reported truthfully with probability 4/5, against a fair coin.

    >>> from pac_stability.data import Multiset
    >>> from pac_stability.papers.cummings_et_al import ArithmeticMeanSimulator
    >>> def told(T: Multiset[int]) -> data.FiniteDistribution[int]:
    ...     one = Fraction(4 if T.count(1) else 1, 5)
    ...     return data.FiniteDistribution({1: one, 0: 1 - one})
    >>> coin, experiment = data.FiniteDistribution.uniform([0, 1]), Experiment.on_types(told, 1)
    >>> found = advantage(experiment, ArithmeticMeanSimulator(experiment), coin)
    >>> found.epsilon(beta=0), found.beta(Epsilon.exactly(2))
    (Fraction(5, 2), Fraction(1, 1))
    >>> found.joint.minimal_delta(Epsilon(0)), found.output_alone.minimal_delta(Epsilon(0))
    (Fraction(3, 10), Fraction(0, 1))
    """
    samples = experiment.draws(distribution)
    return Advantage(simulator.law(distribution), law_classes(experiment.law, samples))


# Definition 5, read in two ways

Test = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class CoordinateAdversary:
    """A constant mechanism on k fair bits, and the adversary that tests one of them at random.

    Parameters
    ----------
    k
        The number of coordinates, at least 1.
    n
        The size of the samples, at least 1.
    epsilon
        The deviation that is tolerated.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    CLNRW16, Definition 5. Each coordinate deviates with probability tau = Pr[|B/n - 1/2| > epsilon]
    for a binomial B, independently of the others; so the conditional probability of failure p_S,
    given the sample, is the share of k coordinates that deviate, K/k with K binomial. The joint
    reading has its mean, tau. The split reading has the least gamma + Pr[p_S > gamma], which is
    larger as soon as k > 1 and 0 < tau < 1.

    The mechanism is (0, 0)-differentially private and (0, 0, 0)-perfectly generalizing. So no
    theorem that derives robust generalization from these with the joint failure as its bound
    extends to the split reading without a loss.

    Examples
    --------
    >>> pair = CoordinateAdversary(2, 2, Fraction(1, 4))
    >>> pair.joint, pair.split, CoordinateAdversary(3, 2, Fraction(1, 4)).split
    (Fraction(1, 2), Fraction(3, 4), Fraction(19, 24))

    Theorem 21 with its constant repaired, |R| = 1, n = 20 and beta = 1/20 tolerates a deviation of
    sqrt(ln(40)/40) > 3/10, below 7/20:

    >>> wide = CoordinateAdversary(20, 20, Fraction(31, 100))
    >>> round(float(wide.joint), 5), wide.split > Fraction(1, 20), round(float(wide.split), 4)
    (0.00258, True, 0.0503)
    """

    k: int
    n: int
    epsilon: AnyNumber

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", arguments.as_size(self.k, "k", least=1))
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=1))
        object.__setattr__(self, "epsilon", tolerated_deviation(self.epsilon))

    @property
    def tau(self) -> Fraction:
        """The probability that one given coordinate deviates."""
        limit = tolerated_deviation(self.epsilon)
        half = Fraction(1, 2)
        deviating = (
            comb(self.n, b) for b in range(self.n + 1) if abs(Fraction(b, self.n) - half) > limit
        )
        return Fraction(sum(deviating), 2**self.n)

    @property
    def failures(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Pairs of a probability and the value K/k of p_S that has it."""
        tau, k = self.tau, self.k
        return tuple(
            (comb(k, j) * tau**j * (1 - tau) ** (k - j), Fraction(j, k)) for j in range(k + 1)
        )

    @property
    def joint(self) -> Fraction:
        """The failure in the joint reading: the mean of p_S."""
        return self.tau

    @property
    def split(self) -> Fraction:
        """The failure in the split reading."""
        return split_failure(self.failures)

    @property
    def distribution(self) -> data.FiniteDistribution[tuple[int, ...]]:
        """The law of one element: k fair bits."""
        return data.FiniteDistribution.uniform(product((0, 1), repeat=self.k))

    @property
    def adversary(self) -> data.FiniteDistribution[Test]:
        """The law of the test: the elements whose bit is 1 in a random coordinate."""
        elements = self.distribution.support
        return data.FiniteDistribution.uniform(
            tuple(e for e in elements if e[place]) for place in range(self.k)
        )


Data = TypeVar("Data", bound=Sequence[object])
Out_co = TypeVar("Out_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ResamplingCompiler(Generic[Data, Out_co]):
    """Make a perfectly generalizing mechanism differentially private: M' of the paper.

    On a sample S of n examples it draws n examples T from S, with replacement, and outputs M(T).

    Parameters
    ----------
    mechanism
        M, on samples: a :class:`~pac_stability.data.Sample` or a tuple.
    symmetric
        Whether the law of M is known to ignore the order of the sample; the law of M' then takes a
        call of M for each multiset instead of each sequence.

    Raises
    ------
    InvalidInput
        M is not a mechanism; on use, the input is not a sample or tuple, or is empty.

    Notes
    -----
    The order of S never matters. Theorem 32 gives its guarantee:
    :class:`~pac_stability.papers.cummings_et_al.simulators.ResamplingPrivacy`. Source: CLNRW16
    Algorithm 2.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> ResamplingCompiler(Deterministic(max), symmetric=True).law((0, 0, 1))
    FiniteDistribution({0: 8/27, 1: 19/27})
    """

    mechanism: data.Mechanism[Data, Out_co]
    symmetric: bool = False

    def __post_init__(self) -> None:
        Resampled(self.mechanism, 0)  # refuses what is no mechanism

    def law(self, x: Data, /) -> data.FiniteDistribution[Out_co]:
        """Return the law of the output.

        Parameters
        ----------
        x
            S, not empty.

        Notes
        -----
        For k distinct examples it computes the law of M on the C(n + k - 1, n) multisets of them if
        M is symmetric, and on the k^n sequences otherwise.
        """
        _require_examples(x)
        one = empirical(Multiset.of(x))
        draws = (
            data.multiset_distribution(one, len(x)).map(Multiset.elements)
            if self.symmetric
            else one.power(len(x))
        )
        return draws.bind(lambda drawn: self.mechanism.law(_like(x, drawn)))

    def run(self, x: Data, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output.

        Parameters
        ----------
        x
            S, not empty.
        rng
            The source of coins; by default the operating system's entropy.
        """
        _require_examples(x)
        return Resampled(self.mechanism, len(x)).run(x, rng)


def empirical(kind: Multiset[E]) -> data.FiniteDistribution[E]:
    """Return the empirical distribution of samples of a type: E_S of the paper.

    Parameters
    ----------
    kind
        The type, not empty.

    Examples
    --------
    >>> empirical(data.Multiset.of("aab"))
    FiniteDistribution({'a': 2/3, 'b': 1/3})
    """
    return reduced_law(dict(kind.items()))


def _require_examples(x: object) -> None:
    if not isinstance(x, Sample | tuple):
        raise InvalidInput("x", arguments.described(x), "a Sample or a tuple")
    if not len(x):
        raise InvalidInput("x", "no examples", "at least one")


def _like(x: Data, drawn: tuple[object, ...]) -> Data:
    """Return elements of a sample as a sample of its kind."""
    if isinstance(x, Sample):
        return cast("Data", Sample.from_examples(cast("tuple[data.Example[Hashable], ...]", drawn)))
    return cast("Data", drawn)


# Theorem 32

StatementLike: TypeAlias = arithmetic.ConstantsLike | Literal["halfway"]
"""Whose constants, or the statement with simulators halfway between empirical distributions."""


@dataclass(frozen=True, slots=True, repr=False)
class ResamplingPrivacy(Tabled):
    """Theorem 32: the privacy of Algorithm 2 over a perfectly generalizing mechanism.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    beta, epsilon, delta
        The parameters of perfect generalization of M: beta at least 0 and below 1, epsilon an
        :class:`~pac_stability.arithmetic.Epsilon`, delta a probability.
    constants
        Printed: (4 epsilon, 16 delta + 2 beta), for beta below 1/(2e) and epsilon up to ln 2.
        Proved and sharp: see :attr:`links`; every epsilon is allowed. ``"halfway"`` is a statement
        with another premise: (2 epsilon, (1 + e^epsilon) delta + beta'), for every beta and
        epsilon, with :attr:`shifted_beta` for beta'.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *Proof of the repaired statement.* Let S and S' differ at index i, P = E_S^n and P' = E_S'^n,
    and let SIM and SIM' be simulators for E_S and E_S'. Call T good for S if M(T) is (epsilon,
    delta)-close to SIM, and likewise for S'; each is so with probability at least 1 - beta.

    1. Draw indices. With probability ``(1 - 1/n)**n`` the index i is never drawn, and then T is the
       same for S and S'. So the measure min(P, P') has at least this total mass. At most beta of it
       is on samples that are not good for S, and at most beta on those not good for S'. If ``2 beta
       < (1 - 1/n)**n``, there is a T* that is good for both.
    2. Couple T ~ P with T' ~ P' such that, with probability 1 - beta at least, T is good for S and
       T' for S' at once: this is possible, as each fails with probability at most beta. Then M(T),
       SIM, M(T*), SIM', M(T') is a chain of four links: with t = e^epsilon, ``M(T)(E) <= t**4
       M(T')(E) + D`` for every event E, where ``D = delta (1 + t + t**2 + t**3)``. Otherwise
       M(T)(E) is at most 1. The mean over the coupling is what M' has:

           M'(S)(E) <= t**4 M'(S')(E) + (1 - beta) min(D, 1) + beta.

    ``(1 - 1/n)**n`` is 0 for n = 1 and at least 1/4 from n = 2 on. For the other cases, let C be
    (E_S + E_S')/2, with a simulator of its own. It gives half of the weight of index i to the new
    example, so P and C^n overlap by ``(1 - 1/(2n))**n >= 1/2``, and if 2 beta is below that the
    links are M(T), SIM, M(T*), SIM_C, M(T**), SIM', M(T'): six.

    *The statement "halfway"* has the simulator for C alone, and two links: M(T), SIM_C, M(T'). On
    the draws that take index i k times, P has 2^k times the probability that C^n has (and C^n may
    draw the new example, too). So what has probability beta under C^n has at most beta' under P:
    that of the draws with the largest k that together have beta under C^n. Half of the epsilon is
    paid for with a larger beta, and with a premise that is not about empirical distributions of n
    examples.

    *What differs from the printed proof.* It needs the probability that T avoids the example that
    is replaced to be above 2 beta, and takes 1/e for it, which ``(1 - 1/n)**n`` approaches from
    below. It decides by value whether T avoids the example: if S has a copy of it, the probability
    is smaller (0 for S = (a, a)), and T must avoid the new example as well. It applies Lemma 9,
    which is for epsilons below ln 2, with 2 epsilon. And it leaves open how closeness of M(T) and
    M(T') for most T and T' carries over to M'. Only simulators for empirical distributions are used
    (and for the C), so that the premise is finite: see
    :func:`~pac_stability.papers.cummings_et_al.simulators.resampling_pipeline`. With n = 1 and the
    empirical distributions alone, nothing can be concluded: M' is M then, and every M generalizes
    perfectly on samples that are constant. Where the printed hypotheses hold and four links do not
    suffice, six do; whether 4 epsilon is right there is open.

    Source: CLNRW16 Theorem 32.

    Examples
    --------
    >>> link = (Fraction(1, 100), arithmetic.Epsilon.exactly(2), Fraction(1, 1000))
    >>> proved = ResamplingPrivacy(10, *link)
    >>> proved.links, proved.guarantee.factor, float(proved.guarantee.delta)
    (4, Fraction(16, 1), 0.02485)
    >>> float(ResamplingPrivacy(10, *link, constants="printed").guarantee.delta)
    0.036
    >>> halfway = ResamplingPrivacy(10, *link, constants="halfway").guarantee
    >>> halfway.factor, round(float(halfway.delta), 4)
    (Fraction(4, 1), 0.0813)
    >>> ResamplingPrivacy(1, *link).links
    6
    """

    n: int
    beta: Fraction
    epsilon: arithmetic.Epsilon
    delta: Fraction = Fraction(0)
    constants: StatementLike = Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=1))
        object.__setattr__(self, "beta", arguments.as_share(self.beta, "beta"))
        require_epsilon(self.epsilon)
        object.__setattr__(self, "delta", arguments.as_probability(self.delta, "delta"))
        if self.constants != "halfway":
            object.__setattr__(self, "constants", arithmetic.as_constants(self.constants))

    @property
    def links(self) -> Literal[4, 6, 0]:
        """How many links the repaired proof has.

        4 if ``2 beta < (1 - 1/n)**n``, as for n >= 2 and beta < 1/8; otherwise 6 if ``2 beta < (1 -
        1/(2n))**n``, as for beta < 1/4; otherwise 0, and nothing is proved. Six links need the
        premise for the distributions halfway between two empirical ones, too.
        """
        if 2 * self.beta < untouched(self.n):
            return 4
        return 6 if 2 * self.beta < Fraction(2 * self.n - 1, 2 * self.n) ** self.n else 0

    @property
    def shifted_beta(self) -> Fraction:
        """The largest probability under E_S^n of what has probability beta halfway to E_S'."""
        n, left, total = self.n, self.beta, Fraction(0)
        for k in range(n, -1, -1):
            # n draws from S that take a given index k times; halfway, 2**k times as unlikely.
            mass = math.comb(n, k) * Fraction((n - 1) ** (n - k), n**n)
            taken = min(mass, left * 2**k)
            total += taken
            left -= taken / 2**k
        return total

    @property
    def applies(self) -> bool:
        """Whether the hypotheses of the statement are fulfilled."""
        if self.constants != Constants.PRINTED:
            return self.links > 0 or self.constants == "halfway"
        return self.epsilon.ratio <= 2 and (
            self.beta == 0
            or arithmetic.decide_less(
                lambda bits: arithmetic.Interval.exp(1, bits) * (2 * self.beta),
                lambda _: arithmetic.Interval.exactly(1),
            )
        )

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy of Algorithm 2 for one example replaced.

        Raises
        ------
        InvalidInput
            The hypotheses of the statement are not fulfilled.
        """
        if not self.applies:
            wanted = "a small enough beta (and epsilon), as the statement asks for"
            raise InvalidInput("beta", arguments.in_words(self.beta), wanted)
        if self.constants == Constants.PRINTED:
            delta = 16 * self.delta + 2 * self.beta
            return PrivacyGuarantee(self.epsilon * 4, min(delta, Fraction(1)))
        links, beta = (
            (2, self.shifted_beta) if self.constants == "halfway" else (self.links, self.beta)
        )
        epsilon, chained = chain_rule.chain_of_equal_links(self.epsilon, self.delta, links)
        kept = 1 - min(chained, Fraction(1))
        return PrivacyGuarantee(epsilon, 1 - (1 - beta) * kept)


def untouched(n: int) -> Fraction:
    """Return the probability that n draws with replacement from n never take a given index.

    Parameters
    ----------
    n
        At least 1.

    Returns
    -------
    Fraction
        ``(1 - 1/n)**n``, which increases to 1/e and is below it for every n.

    Examples
    --------
    >>> [round(float(untouched(n)), 4) for n in (1, 2, 3, 4, 5, 1000)]
    [0.0, 0.25, 0.2963, 0.3164, 0.3277, 0.3677]
    """
    size = arguments.as_size(n, "n", least=1)
    return Fraction(size - 1, size) ** size


# Theorem 32 on finite instances


@dataclass(frozen=True)
class ResamplingPipeline(Generic[E, O]):
    """Theorem 32 for one mechanism on one finite universe: its statement, and the facts.

    Made by :func:`resampling_pipeline`.

    Attributes
    ----------
    n
        The size of the samples.
    beta, delta
        Two of the parameters of perfect generalization of M.
    lower, upper
        Certified bounds on the third, as a factor ``e**epsilon``: the least with which M is (beta,
        epsilon, delta)-perfectly generalizing on each of the distributions of the premise; perhaps
        infinite.
    hardest
        The distribution that needs ``upper``.
    compiled
        The law of Algorithm 2 on each type of sample.
    """

    n: int
    beta: Fraction
    delta: Fraction
    lower: Fraction | float
    upper: Fraction | float
    hardest: data.FiniteDistribution[E]
    compiled: dict[Multiset[E], data.FiniteDistribution[O]]

    def stated(self, constants: StatementLike = Constants.SHARP) -> ResamplingPrivacy:
        """Return Theorem 32 for the found parameters.

        Parameters
        ----------
        constants
            As for :class:`ResamplingPrivacy`.

        Raises
        ------
        InvalidInput
            The factor is infinite: M is not perfectly generalizing with this beta and delta.
        """
        if not isinstance(self.upper, Fraction):
            raise InvalidInput("beta", "parameters that need an infinite epsilon", "larger ones")
        epsilon = arithmetic.Epsilon.exactly(self.upper)
        return ResamplingPrivacy(self.n, self.beta, epsilon, self.delta, constants)

    def private_delta(self, epsilon: arithmetic.Epsilon) -> Fraction:
        """Return the least delta with which Algorithm 2 is (epsilon, delta)-private.

        Parameters
        ----------
        epsilon
            The privacy parameter.
        """
        return differential_privacy.minimal_delta(self._law, self._neighbours(), epsilon)

    def private_factor(self, delta: arguments.AnyNumber = 0) -> Fraction | float:
        """Return the factor of the least epsilon with which Algorithm 2 is private.

        Parameters
        ----------
        delta
            A probability.
        """
        return differential_privacy.minimal_epsilon(self._law, self._neighbours(), delta)

    def holds(self, constants: StatementLike = Constants.SHARP) -> bool:
        """Return whether the statement of Theorem 32 is true here.

        Parameters
        ----------
        constants
            As for :meth:`stated`.

        Raises
        ------
        InvalidInput
            As for :meth:`stated`, or the statement does not apply.
        """
        stated = self.stated(constants).guarantee
        return self.private_delta(stated.epsilon) <= stated.delta

    def _law(self, kind: Multiset[E]) -> data.FiniteDistribution[O]:
        return self.compiled[kind]

    def _neighbours(self) -> Iterator[tuple[Multiset[E], Multiset[E]]]:
        universe = dict.fromkeys(element for kind in self.compiled for element in kind.support)
        return data.neighbouring_multisets(universe, self.n)


def resampling_pipeline(
    law: Callable[[tuple[E, ...]], data.FiniteDistribution[O]],
    universe: Iterable[E],
    n: int,
    beta: arguments.AnyNumber,
    delta: arguments.AnyNumber = 0,
    *,
    symmetric: bool = False,
    halfway: bool = False,
    max_steps: int = MAX_STEPS,
) -> ResamplingPipeline[E, O]:
    """Compute how well a mechanism generalizes on empirical distributions, and compile it.

    The proof of Theorem 32 has simulators for the empirical distributions of samples of n examples
    only. On a finite universe these are finitely many, so its premise can be decided.

    Parameters
    ----------
    law
        The law of M on a sample, a tuple of n elements; for a learner,
        ``lambda z: learner.law(Sample.from_examples(z))``.
    universe
        The elements: at least two, distinct.
    n
        The size of the samples, at least 1.
    beta, delta
        Two of the parameters of perfect generalization.
    symmetric
        Whether M is known to ignore the order of the sample.
    halfway
        Whether the premise includes the distributions halfway between two neighbouring empirical
        ones, as the statements with six links and ``"halfway"`` ask for.
    max_steps
        The budget of the search for each simulator, when there are three outcomes and more.

    Returns
    -------
    ResamplingPipeline

    Raises
    ------
    InvalidInput
        A parameter is out of range, or M has no law on some sample.

    Notes
    -----
    For N types (or, when M is not symmetric, sequences) of samples the premise takes N simulators
    for N laws each, and the laws of Algorithm 2 take N^2 multiplications for each outcome. CLNRW16
    Theorem 32.

    Examples
    --------
    A noisy majority of four bits:

    >>> def noisy(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
    ...     p = Fraction(2 + sum(bits), 8)
    ...     return data.FiniteDistribution({1: p, 0: 1 - p})
    >>> found = resampling_pipeline(noisy, [0, 1], 4, "1/10", symmetric=True)
    >>> round(float(found.upper), 4), found.hardest.probability(1)
    (1.6, Fraction(1, 2))
    >>> stated = found.stated().guarantee
    >>> round(float(stated.factor), 4), stated.delta
    (6.5536, Fraction(1, 10))
    >>> found.private_factor(), found.private_delta(stated.epsilon)
    (Fraction(3, 2), Fraction(0, 1))
    """
    elements = arguments.distinct(universe, "universe")
    if len(elements) < 2:
        raise InvalidInput("universe", f"{len(elements)} elements", "at least two")
    size = arguments.as_size(n, "n", least=1)
    missed, d = arguments.as_number(beta, "beta"), arguments.as_probability(delta, "delta")
    asked = cache(law)
    by_type = laws_by_type(asked, elements, size, symmetric=symmetric)

    def bounds(one: data.FiniteDistribution[E]) -> tuple[Fraction | float, Fraction | float]:
        if symmetric:
            types = data.multiset_distribution(one, size)
            best = minimal_epsilon(by_type.laws, types, missed, d, max_steps=max_steps)
            return best.lower, best.upper
        found = minimal_epsilon(asked, one.power(size), missed, d, max_steps=max_steps)
        return found.lower, found.upper

    types = list(data.multisets(elements, size))
    premise = [empirical(kind) for kind in types]
    if halfway:
        pairs = data.neighbouring_multisets(elements, size)
        both = dict.fromkeys(Multiset.of((*s.elements(), *other.elements())) for s, other in pairs)
        premise += map(empirical, both)
    found = [bounds(one) for one in premise]
    worst = max(range(len(found)), key=lambda place: found[place][1])
    return ResamplingPipeline(
        size,
        missed,
        d,
        max(lower for lower, _ in found),
        found[worst][1],
        premise[worst],
        {kind: by_type.output_law(empirical(kind)) for kind in types},
    )


# Theorems 33 to 35


@dataclass(frozen=True, slots=True)
class UniformConvergence:
    """Theorem 34, part 1, for a finite class: all empirical errors are close to the true ones.

    Parameters
    ----------
    class_size
        |H|, at least 1.
    gamma
        The probability of failure, above 0 and below 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Hoeffding's inequality and a union bound: with probability at least 1 - gamma, ``|err(S, h) -
    err(h)| <= sqrt(ln(2|H|/gamma) / (2n))`` for all h. The theorem has unspecified constants in
    place of these. (Its second part, a lower bound for agnostic learners, needs a class of more
    than one hypothesis and small alpha and gamma: the single hypothesis of a class is output
    without an error, and without an example.) Source: CLNRW16 Theorem 34.

    Examples
    --------
    >>> bound = UniformConvergence(4, Fraction(1, 20))
    >>> bound.sample_size("1/10"), round(float(bound.deviation(254)), 4)
    (254, 0.1)
    """

    class_size: int
    gamma: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "class_size", arguments.as_size(self.class_size, "class_size", least=1)
        )
        object.__setattr__(self, "gamma", arguments.as_open_unit(self.gamma, "gamma"))

    def deviation(self, n: int, bits: int = 64) -> arithmetic.Interval:
        """Enclose ``sqrt(ln(2|H|/gamma) / (2n))``.

        Parameters
        ----------
        n
            The size of the sample, at least 1.
        bits
            The working precision.
        """
        size = arguments.as_size(n, "n", least=1)
        return arithmetic.Interval.sqrt(self._logarithm(bits) / (2 * size), bits)

    def sample_size(self, alpha: arguments.AnyNumber) -> int:
        """Return the least n with a deviation of at most alpha.

        Parameters
        ----------
        alpha
            Above 0 and below 1.
        """
        a = arguments.as_open_unit(alpha, "alpha")
        return arithmetic.certified_ceiling(lambda bits: self._logarithm(bits) / (2 * a**2))

    def _logarithm(self, bits: int) -> arithmetic.Interval:
        return arithmetic.Interval.log(2 * self.class_size / self.gamma, bits)


@dataclass(frozen=True, slots=True)
class ResamplingAccuracy:
    """Theorem 33 for a finite class: the accuracy of Algorithm 2 over an accurate learner.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    class_size
        |H|, at least 1.
    alpha, gamma
        M is an (alpha, gamma)-accurate agnostic learner on samples of n examples; above 0 and
        below 1.
    constants
        Printed: all empirical errors are within ``sqrt(ln(2|H|/gamma) / (2n))`` of the true ones.
        Proved and sharp: only the events that matter, with ``ln(|H|/gamma)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Let S ~ D^n. With probability at least 1 - gamma, the best hypothesis h* has an empirical error
    of at most OPT + B, and every other h one of at least err(h) - B, B = sqrt(ln(|H|/gamma)/(2n)):
    these are |H| one-sided events. M is accurate on E_S, too, so its output on T ~ E_S^n has, with
    probability at least 1 - gamma, an empirical error within alpha of the least. Together the error
    is at most OPT + alpha + 2B.

    The general statement has constants: from ``n >= C2 (d + log(1/gamma)) / alpha**2``, which the
    accuracy of M implies for a nontrivial class, and from the uniform convergence at rate ``sqrt(C1
    (d + log(1/gamma)) / n)``, the excess is at most ``(1 + 2 sqrt(C1/C2)) alpha``. Its privacy part
    has the hypotheses of Theorem 32. Source: CLNRW16 Theorem 33.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> compiled = ResamplingAccuracy(10_000, 100, tenth, Fraction(1, 20))
    >>> round(float(compiled.excess()), 4), compiled.failure
    (0.139, Fraction(1, 10))
    """

    n: int
    class_size: int
    alpha: Fraction
    gamma: Fraction
    constants: arithmetic.ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=1))
        object.__setattr__(
            self, "class_size", arguments.as_size(self.class_size, "class_size", least=1)
        )
        object.__setattr__(self, "alpha", arguments.as_open_unit(self.alpha, "alpha"))
        object.__setattr__(self, "gamma", arguments.as_open_unit(self.gamma, "gamma"))
        object.__setattr__(self, "constants", arithmetic.as_constants(self.constants))

    def excess(self, bits: int = 64) -> arithmetic.Interval:
        """Enclose an upper bound on the error of the output above OPT.

        Parameters
        ----------
        bits
            The working precision.
        """
        events = self.class_size * (2 if self.constants == Constants.PRINTED else 1)
        logarithm = arithmetic.Interval.log(events / self.gamma, bits)
        return self.alpha + arithmetic.Interval.sqrt(2 * logarithm / self.n, bits)

    @property
    def failure(self) -> Fraction:
        """A bound on the probability of exceeding it: 2 gamma."""
        return 2 * self.gamma


@dataclass(frozen=True, slots=True)
class ThresholdSideCondition:
    """The numeric side condition of Theorem 35: whether the compiled learner is private enough.

    Theorem 22 says that no proper learner of thresholds is (1/2, delta)-private with ``delta <=
    1/(1500 n**2)`` and accurate on few examples. Theorem 35 compiles a (beta, 1/8, delta)-perfectly
    generalizing learner into a (1/2, .)-private one by Theorem 32 and applies it.

    Parameters
    ----------
    n
        The size of the samples, at least 2.
    constants
        Printed: delta and beta are at most ``1/(10000 n**2)``, and become 16 delta + 2 beta as
        Theorem 32 states: ``18/(10000 n**2)``, which is too much. Proved: at most ``1/(27000
        n**2)``, with which the same computation succeeds. Sharp: at most ``1/(10000 n**2)``, which
        become ``(1 + t + t**2 + t**3) delta + beta`` with t = e^(1/8), as the proof of
        ``ResamplingPrivacy`` shows: below ``5.88/(10000 n**2)``. So the printed constant is right,
        by a more careful Theorem 32.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The other parameters fit: 4/8 = 1/2, and Theorem 33 makes of the 1/32 for the probability of
    inaccuracy 2/32, less than the 1/8 of Theorem 22. Source: CLNRW16 Theorems 22 and 35.

    Examples
    --------
    >>> [ThresholdSideCondition(10, constants).suffices
    ...  for constants in arithmetic.Constants]
    [False, True, True]
    """

    n: int
    constants: arithmetic.ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=2))
        object.__setattr__(self, "constants", arithmetic.as_constants(self.constants))

    @property
    def allowed(self) -> Fraction:
        """The largest allowed beta and delta."""
        return Fraction(1, (27_000 if self.constants == Constants.PROVED else 10_000) * self.n**2)

    @property
    def needed(self) -> Fraction:
        """The largest delta of privacy for Theorem 22."""
        return Fraction(1, 1500 * self.n**2)

    def reached(self, bits: int = 64) -> arithmetic.Interval:
        """Enclose the delta of privacy that follows from the largest beta and delta allowed.

        Parameters
        ----------
        bits
            The working precision.
        """
        if self.constants != Constants.SHARP:
            return arithmetic.Interval.exactly(18 * self.allowed)
        powers = (arithmetic.Interval.exp(Fraction(k, 8), bits) for k in range(4))
        return sum(powers, arithmetic.Interval.exactly(1)) * self.allowed

    @property
    def suffices(self) -> bool:
        """Whether Theorem 22 applies to the reached delta."""
        return self.reached() <= self.needed
