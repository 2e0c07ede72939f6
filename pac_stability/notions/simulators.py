"""Simulators to try: laws that do not depend on the sample, meant to be close to those that do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import AnyNumber, as_probability
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions.by_type import LawClass, Laws, law_classes, outcomes_of
from pac_stability.notions.closeness import are_close

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

_BITS = 64  # precision of the geometric mean
_FIXED_SAMPLES = 20  # how many of the likeliest laws are tried as simulators


def coverage(
    simulator: FiniteDistribution[O],
    laws: Laws[S, O],
    samples: FiniteDistribution[S],
    epsilon: Epsilon,
    delta: AnyNumber = 0,
) -> Fraction:
    """Return the probability that the law on a random sample is close to a simulator.

    Parameters
    ----------
    simulator
        A law on the outcomes.
    laws
        The law of the output on each sample.
    samples
        The law of the sample.
    epsilon, delta
        The parameters of closeness.

    Returns
    -------
    Fraction
        1 - beta, for the smallest beta that this simulator shows: Pr[M(T) ~ SIM] over T.

    Raises
    ------
    InvalidInput
        A law is missing, epsilon is not an ``Epsilon``, or delta is not an exact probability.

    Notes
    -----
    CLNRW16, Definition 8, for one simulator. Linear in the number of distinct laws times that of
    the outcomes.

    Examples
    --------
    >>> coins = FiniteDistribution.uniform([0, 1]).power(1)
    >>> def noisy(sample: tuple[int]) -> FiniteDistribution[int]:
    ...     return FiniteDistribution({sample[0]: Fraction(2, 3), 1 - sample[0]: Fraction(1, 3)})
    >>> coverage(FiniteDistribution.uniform([0, 1]), noisy, coins, Epsilon.exactly("3/2"))
    Fraction(1, 1)
    """
    return covered_weight(
        law_classes(laws, samples), simulator, epsilon, as_probability(delta, "delta")
    )


def covered_weight(
    classes: Sequence[LawClass[S, O]],
    simulator: FiniteDistribution[O],
    epsilon: Epsilon,
    delta: Fraction,
) -> Fraction:
    """Return :func:`coverage` for samples that are grouped by law.

    Parameters
    ----------
    classes
        The groups.
    simulator
        A law on the outcomes.
    epsilon, delta
        The parameters of closeness.

    Raises
    ------
    InvalidInput
        epsilon is not an ``Epsilon``, or delta is not an exact probability.
    """
    return sum(
        (c.weight for c in classes if are_close(c.law, simulator, epsilon, delta)), Fraction()
    )


def arithmetic_mean(laws: Laws[S, O], samples: FiniteDistribution[S]) -> FiniteDistribution[O]:
    """Return the law of the output on a random sample: the mean of the laws.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.

    Raises
    ------
    InvalidInput
        A law is missing.

    Examples
    --------
    >>> coins = FiniteDistribution.uniform([0, 1]).power(2)
    >>> arithmetic_mean(lambda z: FiniteDistribution.point_mass(max(z)), coins)
    FiniteDistribution({1: 3/4, 0: 1/4})
    """
    return _arithmetic(law_classes(laws, samples))


def geometric_mean(laws: Laws[S, O], samples: FiniteDistribution[S]) -> FiniteDistribution[O]:
    """Return the law proportional to exp(E ln Pr[M(S) = y]), rounded to rational probabilities.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.

    Returns
    -------
    FiniteDistribution
        Each probability within a factor of about 1 + 2**-60 of the irrational one.

    Raises
    ------
    InvalidInput
        A law is missing, or no outcome is possible on all samples.

    Notes
    -----
    The simulator of CLNRW16, Theorem 39, for pure differential privacy. After rounding it is
    another simulator, with an exact :func:`coverage`.

    Examples
    --------
    >>> coins = FiniteDistribution.uniform([0, 1]).power(1)
    >>> laws = {(0,): FiniteDistribution({"a": Fraction(1, 5), "b": Fraction(4, 5)}),
    ...         (1,): FiniteDistribution({"a": Fraction(4, 5), "b": Fraction(1, 5)})}
    >>> geometric_mean(laws, coins)
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    """
    mean = _geometric(law_classes(laws, samples))
    if mean is None:
        raise InvalidInput(
            "laws", "no outcome that is possible on all samples", "laws that share an outcome"
        )
    return mean


def simulators_to_try(classes: Sequence[LawClass[S, O]]) -> Iterator[FiniteDistribution[O]]:
    """Yield simulators that often do well: the two means, and the laws of the likeliest groups.

    Parameters
    ----------
    classes
        The samples grouped by law, the likeliest first
        (:func:`~pac_stability.notions.by_type.law_classes`).

    Notes
    -----
    A law as a simulator is M(S*) for a fixed sample S*: group privacy makes it close to the others.
    """
    yield _arithmetic(classes)
    geometric = _geometric(classes)
    if geometric is not None:
        yield geometric
    for found in classes[:_FIXED_SAMPLES]:
        yield found.law


def _arithmetic(classes: Sequence[LawClass[S, O]]) -> FiniteDistribution[O]:
    return FiniteDistribution.mixture((found.weight, found.law) for found in classes)


def _geometric(classes: Sequence[LawClass[S, O]]) -> FiniteDistribution[O] | None:
    logarithms: dict[O, Interval] = {}
    for outcome in outcomes_of(classes):
        weights: dict[Fraction, Fraction] = {}
        for found in classes:
            p = found.law.probability(outcome)
            weights[p] = weights.get(p, Fraction()) + found.weight
        if 0 not in weights:
            logarithms[outcome] = sum(
                (Interval.log(p, _BITS) * weight for p, weight in weights.items()),
                Interval.exactly(0),
            )
    if not logarithms:
        return None
    top = max(value.upper for value in logarithms.values())
    scaled = {
        outcome: round((1 << _BITS) * Interval.exp(value - top, _BITS).lower)
        for outcome, value in logarithms.items()
    }
    total = sum(scaled.values())
    return FiniteDistribution({o: Fraction(weight, total) for o, weight in scaled.items()})
