"""Generalization of mechanisms whose laws are known up to certified intervals.

Weights such as e^(-epsilon k) are no rational numbers, and the laws of exponential and Laplace
mechanisms are then :class:`~pac_stability.data.EnclosedDistribution` objects. The functions answer
for all mechanisms that these laws enclose: robust generalization, and perfect generalization with
two outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_probability
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import by_type, perfect_generalization, robust_generalization
from pac_stability.notions.robust_generalization import BestTests
from pac_stability.notions.simulator_covers import close_to

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

_BITS = 64  # that probabilities are rounded to, outward


@dataclass(frozen=True, slots=True)
class EnclosedAdversary(Generic[O]):
    """An adversary, and the success probability of the best one.

    Attributes
    ----------
    epsilon
        The deviation that counts as a failure when it is exceeded.
    failure
        An interval that contains J(epsilon), the probability of failure of the best adversary.
    tests
        Pairs of an output and a test: an adversary that attains the lower end.
    """

    epsilon: Fraction
    failure: Interval
    tests: tuple[tuple[O, tuple[object, ...]], ...]


def enclosed_adversary(
    laws: by_type.EnclosedLaws[S, O], samples: FiniteDistribution[S], epsilon: AnyNumber
) -> EnclosedAdversary[O]:
    """Enclose the success of the best adversary against robust generalization.

    Parameters
    ----------
    laws
        The law of the output on each sample, exact or enclosed.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    epsilon
        The deviation that is tolerated, an exact number of at least 0.

    Raises
    ------
    InvalidInput
        A law is missing, the samples are not independent draws or of more than
        :data:`~pac_stability.notions.robust_generalization.MAX_ELEMENTS` elements, or epsilon is
        negative.

    Notes
    -----
    For each output and each test the probability of failure is a sum with non-negative
    coefficients, so the best sums of the lower ends bound those of the laws from below, and those
    of the upper ends from above. Ends are rounded outward to 64 bits. The bounds do not use that
    probabilities sum to one, which matters for wide intervals only. CLNRW16, Definition 5.

    Examples
    --------
    >>> def tilted(bits: tuple[int, ...]) -> EnclosedDistribution[int]:
    ...     return EnclosedDistribution.in_proportion({0: 1, 1: Interval.exp(sum(bits))})
    >>> coins = FiniteDistribution.uniform([0, 1]).power(2)
    >>> found = enclosed_adversary(tilted, coins, "1/4")
    >>> float(found.failure.lower), found.failure.width < 2**-60
    (0.5, True)
    """
    bound = robust_generalization.tolerated_deviation(epsilon)
    low, high = _ends(laws, samples)
    best = low.best(bound)
    most = min(high.best(bound).failure, Fraction(1))
    return EnclosedAdversary(bound, Interval(best.failure, most), best.tests)


def enclosed_minimal_deviation(
    laws: by_type.EnclosedLaws[S, O], samples: FiniteDistribution[S], delta: AnyNumber
) -> Interval:
    """Enclose the smallest epsilon at which the best adversary succeeds with probability <= delta.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    delta
        The probability of failure that is tolerated.

    Returns
    -------
    Interval
        Usually a point, as few deviations are possible.

    Raises
    ------
    InvalidInput
        A law is missing, the samples are not independent draws or of more than
        :data:`~pac_stability.notions.robust_generalization.MAX_ELEMENTS` elements, or delta is not
        an exact probability.

    Examples
    --------
    >>> def tilted(bits: tuple[int, ...]) -> EnclosedDistribution[int]:
    ...     return EnclosedDistribution.in_proportion({0: 1, 1: Interval.exp(sum(bits))})
    >>> enclosed_minimal_deviation(tilted, FiniteDistribution.uniform([0, 1]).power(3), "1/3")
    Interval(lower=Fraction(1, 6), upper=Fraction(1, 6))
    """
    bound = as_probability(delta, "delta")
    low, high = _ends(laws, samples)
    return Interval(
        robust_generalization.smallest_deviation(low, bound),
        robust_generalization.smallest_deviation(high, bound),
    )


def enclosed_minimal_beta(
    laws: by_type.EnclosedLaws[S, O],
    samples: FiniteDistribution[S],
    epsilon: Epsilon,
    delta: AnyNumber = 0,
) -> perfect_generalization.BestSimulation[S, O]:
    """Enclose the smallest share of samples that the best simulator of two outcomes misses.

    Parameters
    ----------
    laws
        The law of the output on each sample, exact or enclosed, on two outcomes at most.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    epsilon, delta
        The parameters of closeness.

    Returns
    -------
    BestSimulation
        Bounds on beta, a simulator for the upper one, and the samples that are certainly covered.

    Raises
    ------
    InvalidInput
        A law is missing, epsilon is not an ``Epsilon``, or delta is not an exact probability.

    Notes
    -----
    The probabilities close to a given p form an interval whose ends grow with p. So a simulator is
    close to all p in [a, b] when it is between the lower end for b and the upper end for a, and
    close to some when it is between the lower end for a and the upper end for b. The point in most
    of these intervals, by weight, is found by one sort. CLNRW16, Definition 8.

    Examples
    --------
    >>> def noisy(bits: tuple[int, ...]) -> EnclosedDistribution[int]:
    ...     return EnclosedDistribution.in_proportion({0: 1, 1: Interval.exp(sum(bits))})
    >>> coins = FiniteDistribution.uniform([0, 1]).power(2)
    >>> found = enclosed_minimal_beta(noisy, coins, Epsilon("1/4"))
    >>> found.lower, found.upper, found.covered
    (Fraction(1, 2), Fraction(1, 2), ((0, 1), (1, 0)))
    """
    t, d = factor_of(epsilon), as_probability(delta, "delta")
    found = by_type.enclosed_laws_on(laws, samples)
    outcomes = tuple(dict.fromkeys(outcome for law in found for outcome in law.support))
    if len(outcomes) > 2:
        raise InvalidInput("laws", f"{len(outcomes)} outcomes", "at most two")
    certain, possible = [], []
    for law in found:
        p = _second(law, outcomes)
        least, most = close_to(p.lower, t, d), close_to(p.upper, t, d)
        certain.append((most[0], least[1]))
        possible.append((least[0], most[1]))
    weights = list(samples.numerators.values())
    q, _ = _heaviest_point(certain, weights)
    _, most_covered = _heaviest_point(possible, weights)
    close = [low <= q <= high for low, high in certain]
    covered = sum(weight for weight, inside in zip(weights, close, strict=True) if inside)
    simulator = (
        FiniteDistribution({outcomes[0]: 1 - q, outcomes[1]: q})
        if len(outcomes) == 2
        else FiniteDistribution.point_mass(outcomes[0])
    )
    return perfect_generalization.BestSimulation(
        1 - Fraction(most_covered, samples.denominator),
        1 - Fraction(covered, samples.denominator),
        simulator,
        tuple(s for s, inside in zip(samples.support, close, strict=True) if inside),
    )


@dataclass(frozen=True, slots=True)
class _End(Generic[O]):
    """The lower or the upper ends of a law, as weights."""

    numerators: Mapping[O, int]
    denominator: int = 1 << _BITS


def _ends(
    laws: by_type.EnclosedLaws[S, O], samples: FiniteDistribution[S]
) -> tuple[BestTests[O], BestTests[O]]:
    """Return the tables for the lower and for the upper ends."""
    low: list[_End[O]] = []
    high: list[_End[O]] = []
    for law in by_type.enclosed_laws_on(laws, samples):
        ends = [(outcome, p.lower, p.upper) for outcome, p in law.items()]
        low.append(_End({o: math.floor(p * (1 << _BITS)) for o, p, _ in ends}))
        high.append(_End({o: math.ceil(p * (1 << _BITS)) for o, _, p in ends}))
    return BestTests(low, samples), BestTests(high, samples)


def _second(law: EnclosedDistribution[O], outcomes: Sequence[O]) -> Interval:
    """Return the probability of the second of two outcomes; both intervals tell of it."""
    if len(outcomes) == 1:
        return Interval.exactly(0)
    first, second = (law.probability(outcome) for outcome in outcomes)
    return Interval(max(second.lower, 1 - first.upper), min(second.upper, 1 - first.lower))


def _heaviest_point(
    intervals: Sequence[tuple[Fraction, Fraction]], weights: Sequence[int]
) -> tuple[Fraction, int]:
    """Return a number in intervals of the largest weight together, and this weight."""
    events = [
        event
        for (low, high), weight in zip(intervals, weights, strict=True)
        if low <= high
        for event in ((low, 0, weight), (high, 1, -weight))
    ]
    best, most, weight = Fraction(0), 0, 0
    for place, _, change in sorted(events):  # intervals begin before others end at one place
        weight += change
        if weight > most:
            best, most = place, weight
    return best, most
