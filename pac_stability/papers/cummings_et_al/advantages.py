"""How good a simulator is: how well its output can be told from that of the mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_number, in_words
from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution, Mechanism
from pac_stability.errors import InvalidInput
from pac_stability.notions import closeness, simulators
from pac_stability.notions.frontier import Frontier, probability_of
from pac_stability.notions.sample_laws import LawClass, law_classes
from pac_stability.notions.simulation.smallest_factor import weighted_quantile
from pac_stability.papers.cummings_et_al.experiments import Experiment

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")


@dataclass(frozen=True, repr=False)
class Advantage(Tabled, Generic[S, O]):
    """How well the real output can be told from the simulated one, exactly.

    Attributes
    ----------
    simulated
        The law of the simulated output.
    classes
        The samples grouped by the law of the real output, with their probabilities.

    Notes
    -----
    Three distinguishers are served. One knows the sample before the game (Definition 8):
    :meth:`beta`, :meth:`delta` and :meth:`epsilon` say on which share of the samples it fails. One
    is dealt a random sample with the output (:attr:`joint`). One sees the output alone
    (:attr:`output_alone`).
    """

    simulated: FiniteDistribution[O]
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
        allowed = probability_of(delta)
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
        return weighted_quantile(
            (
                (closeness.minimal_delta(found.law, self.simulated, epsilon), found.weight)
                for found in self.classes
            ),
            1 - _share(beta),
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
        return weighted_quantile(
            (
                (closeness.minimal_epsilon(found.law, self.simulated, delta), found.weight)
                for found in self.classes
            ),
            1 - _share(beta),
        )

    @cached_property
    def joint(self) -> Frontier:
        """The frontier of (sample, real output) and (sample, simulated output).

        Its delta is at most beta + (1 - beta) delta for every (beta, epsilon, delta) that holds;
        at epsilon = 0 it is the mean of the total variation distances.
        """
        real = {
            (place, outcome): found.weight * probability
            for place, found in enumerate(self.classes)
            for outcome, probability in found.law.items()
        }
        fake = {
            (place, outcome): found.weight * probability
            for place, found in enumerate(self.classes)
            for outcome, probability in self.simulated.items()
        }
        return closeness.frontier(FiniteDistribution(real), FiniteDistribution(fake))

    @cached_property
    def output_alone(self) -> Frontier:
        """The frontier of the real output on a random sample and the simulated one."""
        real = FiniteDistribution.mixture((found.weight, found.law) for found in self.classes)
        return closeness.frontier(real, self.simulated)


def advantage(
    experiment: Experiment[E, S, O],
    simulator: Mechanism[FiniteDistribution[E], O],
    distribution: FiniteDistribution[E],
) -> Advantage[S, O]:
    """Return how well M(S) can be told from a simulator's output, S a random sample.

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
    A fair bit, told truly in four cases of five, and a coin instead.

    >>> from pac_stability.data import Multiset
    >>> from pac_stability.papers.cummings_et_al import ArithmeticMeanSimulator
    >>> def told(T: Multiset[int]) -> FiniteDistribution[int]:
    ...     one = Fraction(4 if T.count(1) else 1, 5)
    ...     return FiniteDistribution({1: one, 0: 1 - one})
    >>> coin, experiment = FiniteDistribution.uniform([0, 1]), Experiment.on_types(told, 1)
    >>> found = advantage(experiment, ArithmeticMeanSimulator(experiment), coin)
    >>> found.epsilon(beta=0), found.beta(Epsilon.exactly(2))
    (Fraction(5, 2), Fraction(1, 1))
    >>> found.joint.minimal_delta(Epsilon(0)), found.output_alone.minimal_delta(Epsilon(0))
    (Fraction(3, 10), Fraction(0, 1))
    """
    samples = experiment.draws(distribution)
    return Advantage(simulator.law(distribution), law_classes(experiment.law, samples))


def _share(beta: AnyNumber) -> Fraction:
    share = as_number(beta, "beta")
    if not 0 <= share < 1:
        raise InvalidInput("beta", in_words(share), "a number of at least 0 and less than 1")
    return share
