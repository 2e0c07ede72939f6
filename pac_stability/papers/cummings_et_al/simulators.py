"""Simulators: mechanisms that see the distribution, while the real mechanism sees a sample.

CLNRW16, Definition 8, asks that the law of the output on most samples is close to one law that
depends on the distribution alone. A simulator gives that law: it is a mechanism from distributions
to outcomes. Here are those of the paper and the best one; Lemma 29's simulator is in the module of
Algorithm 1. :func:`~pac_stability.papers.cummings_et_al.simulators.advantage` measures how good a
simulator is.

Definition 5 can be read in two ways; a mechanism that says nothing fails in one of them. The
*joint* reading bounds the probability of a failure over everything; the *split* reading, which is
the literal one, asks that for most samples the conditional probability is small.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb
from typing import Generic, TypeVar

from pac_stability import arguments, data
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber
from pac_stability.arithmetic import Epsilon, as_probability
from pac_stability.errors import InvalidInput
from pac_stability.notions import closeness, group_privacy, perfect_generalization, simulators
from pac_stability.notions.by_type import LawClass, law_classes
from pac_stability.notions.frontier import Frontier
from pac_stability.notions.perfect_generalization import BestSimulation
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

    Made by :meth:`on_types`, :meth:`on_sequences` or :meth:`of_learner`.

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
    def on_sequences(
        law: Callable[[tuple[X, ...]], data.FiniteDistribution[Y]], n: int
    ) -> Experiment[X, tuple[X, ...], Y]:
        """Return the experiment with a mechanism that may depend on the order of its sample.

        Parameters
        ----------
        law
            The law of the output on a tuple.
        n
            The size of the samples.

        Examples
        --------
        >>> first = Experiment.on_sequences(lambda x: data.FiniteDistribution.point_mass(x[0]), 3)
        >>> len(first.draws(data.FiniteDistribution.uniform([0, 1])))
        8
        """
        return Experiment(law, n, data.FiniteDistribution[X].power)

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
