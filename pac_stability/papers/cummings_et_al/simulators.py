"""Simulators: mechanisms that see the distribution where the real one sees a sample of it.

CLNRW16, Definition 8, asks that the law of the output on most samples is close to one law that
depends on the distribution alone. What gives that law is a simulator: a mechanism from
distributions to outcomes. Here are those of the paper and the best one; Lemma 29's belongs to
Algorithm 1 and stands beside it. How well any of them does its work,
:func:`~pac_stability.papers.cummings_et_al.advantages.advantage` says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_number, as_size, distinct
from pac_stability.arithmetic import Epsilon
from pac_stability.data import (
    FiniteDistribution,
    Mechanism,
    Multiset,
)
from pac_stability.errors import InvalidInput
from pac_stability.notions import group_privacy, perfect_generalization, simulators
from pac_stability.notions.perfect_generalization import BestSimulation
from pac_stability.papers.cummings_et_al.experiments import Experiment, require_distribution
from pac_stability.randomness import SYSTEM_COINS, Coins

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")
X = TypeVar("X")
Y = TypeVar("Y")


class _Drawn(ABC, Generic[E, O]):
    """What all simulators share: they are run by drawing from their law."""

    @abstractmethod
    def law(self, x: FiniteDistribution[E], /) -> FiniteDistribution[O]: ...

    def run(self, x: FiniteDistribution[E], /, rng: Coins = SYSTEM_COINS) -> O:
        """Return one simulated output.

        Parameters
        ----------
        x
            The distribution D.
        rng
            Where the coins come from; the operating system's entropy by default.
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
    The simulator of CLNRW16, Theorem 39, for pure differential privacy, where the logarithms of
    the probabilities are sums with bounded differences and so concentrate. The rational law that
    stands for it has each probability within a factor of about 1 + 2**-60.

    Examples
    --------
    A bit that is told truly in four cases of five; the distribution is biased.

    >>> def told(T: Multiset[int]) -> FiniteDistribution[int]:
    ...     one = Fraction(4 if T.count(1) else 1, 5)
    ...     return FiniteDistribution({1: one, 0: 1 - one})
    >>> biased = FiniteDistribution({1: Fraction(1, 4), 0: Fraction(3, 4)})
    >>> experiment = Experiment.on_types(told, 1)
    >>> float(GeometricMeanSimulator(experiment).law(biased).probability(0))
    0.6666666666666666
    >>> ArithmeticMeanSimulator(experiment).law(biased).probability(0)
    Fraction(13, 20)
    """

    experiment: Experiment[E, S, O]

    def law(self, x: FiniteDistribution[E], /) -> FiniteDistribution[O]:
        """Return the law of the simulated output.

        Parameters
        ----------
        x
            The distribution D.

        Raises
        ------
        InvalidInput
            It is none, or no outcome is possible on all samples.
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
    Whoever sees the output without the sample cannot tell it from the real one.

    Examples
    --------
    >>> largest = Experiment.on_types(lambda T: FiniteDistribution.point_mass(max(T.support)), 2)
    >>> ArithmeticMeanSimulator(largest).law(FiniteDistribution.uniform([0, 1]))
    FiniteDistribution({1: 3/4, 0: 1/4})
    """

    experiment: Experiment[E, S, O]

    def law(self, x: FiniteDistribution[E], /) -> FiniteDistribution[O]:
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

    >>> def noisy_or(T: Multiset[int]) -> FiniteDistribution[int]:
    ...     one = Fraction(2, 3) if T.count(1) else Fraction(1, 3)
    ...     return FiniteDistribution({1: one, 0: 1 - one})
    >>> simulator = FixedSampleSimulator.central(noisy_or, [0, 1], 6)
    >>> simulator.sample, simulator.guarantee(Epsilon.exactly(2))
    (Multiset({0: 3, 1: 3}), (Epsilon(e**epsilon = 8, epsilon = 2.07944), Fraction(0, 1)))
    """

    mechanism_law: Callable[[S], FiniteDistribution[O]]
    sample: S
    radius: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", as_size(self.radius, "radius"))

    @classmethod
    def central(
        cls,
        law: Callable[[Multiset[E]], FiniteDistribution[O]],
        elements: Iterable[E],
        n: int,
    ) -> FixedSampleSimulator[E, Multiset[E], O]:
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
        kept = distinct(elements, "elements")
        if not kept:
            raise InvalidInput("elements", "none", "at least one element")
        size = as_size(n, "n")
        share, rest = divmod(size, len(kept))
        centre = Multiset({e: share + (place < rest) for place, e in enumerate(kept)})
        return FixedSampleSimulator(law, centre, size - share)

    def law(self, x: FiniteDistribution[E], /) -> FiniteDistribution[O]:
        """Return the law of the simulated output.

        Parameters
        ----------
        x
            The distribution D, which does not matter.

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
    >>> parity = Experiment.on_types(lambda T: FiniteDistribution.point_mass(T.count(1) % 2), 2)
    >>> coin = FiniteDistribution({1: Fraction(1, 4), 0: Fraction(3, 4)})
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

    def law(self, x: FiniteDistribution[E], /) -> FiniteDistribution[O]:
        """Return the law of the simulated output.

        Parameters
        ----------
        x
            The distribution D.

        Raises
        ------
        InvalidInput
            It is none, or a parameter is not valid.
        """
        return self.found(x).simulator

    def found(self, x: FiniteDistribution[E]) -> BestSimulation[S, O]:
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
        beta = as_number(self.beta, "beta")
        return perfect_generalization.minimal_epsilon(law, samples, beta, self.delta)


def simulate(
    simulator: Mechanism[FiniteDistribution[E], O],
    distribution: FiniteDistribution[E],
    rng: Coins = SYSTEM_COINS,
) -> O:
    """Return an output that was made without any sample.

    Parameters
    ----------
    simulator
        Any mechanism from distributions to outcomes; its exact law is ``simulator.law``.
    distribution
        D, the law of one element.
    rng
        Where the coins come from; the operating system's entropy by default.

    Raises
    ------
    InvalidInput
        The distribution is none.

    Examples
    --------
    >>> largest = Experiment.on_types(lambda T: FiniteDistribution.point_mass(max(T.support)), 3)
    >>> simulate(ArithmeticMeanSimulator(largest), FiniteDistribution.point_mass(7))
    7
    """
    return simulator.run(require_distribution(distribution), rng)
