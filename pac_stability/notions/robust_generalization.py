"""Robust generalization (CLNRW16, Definition 5): no adversary finds a test that the sample fails.

A *test* is a set of elements; h(S) is the fraction of the sample S inside it and h(D) its
probability. An adversary sees the output alone and names a test. The mechanism is
(epsilon, delta)-robustly generalizing on D when |h(S) - h(D)| > epsilon has probability at most
delta, over S ~ D^n, the mechanism and the adversary: this is the *joint* reading. The stricter
reading that treats the sample first is in :mod:`pac_stability.notions.split_reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import compress
from typing import Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_number, in_words
from pac_stability.data import FiniteDistribution, multiset_distribution
from pac_stability.errors import InvalidInput
from pac_stability.notions.best_tests import BestTests, OptimalAdversary
from pac_stability.notions.covering import CertifiedBounds, certify_supremum, power_distance
from pac_stability.notions.sample_laws import Laws, independent_draws, laws_on, weighted_laws

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class MinimalEpsilon(Generic[O]):
    """The smallest epsilon for a delta, and the adversaries that show it is.

    Attributes
    ----------
    epsilon
        The smallest deviation that no adversary exceeds with more than delta.
    above
        The best adversary at ``epsilon``: its failure is at most delta.
    below
        The best adversary at the next smaller deviation there is: its failure is more than delta,
        so it *reaches* ``epsilon`` too often for any smaller one. ``None`` when epsilon is 0.
    """

    epsilon: Fraction
    above: OptimalAdversary[O]
    below: OptimalAdversary[O] | None


def optimal_adversary(
    laws: Laws[S, O], samples: FiniteDistribution[S], epsilon: AnyNumber
) -> OptimalAdversary[O]:
    """Return the best adversary against a mechanism, and its exact probability of success.

    Parameters
    ----------
    laws
        The law of the output on each sample.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    epsilon
        The deviation that is tolerated, an exact number of at least 0.

    Raises
    ------
    InvalidInput
        A law is missing, the samples are no independent draws or of more than
        :data:`~pac_stability.notions.best_tests.MAX_ELEMENTS` elements, or epsilon is negative.

    Notes
    -----
    The probability of failure is linear in the adversary, so for each output separately one test
    is best, and randomisation does not help. All 2**(m - 1) tests on m elements, up to complement,
    are tried against the N samples: O(2**(m - 1) N) integer operations for each output that is
    possible on all samples. CLNRW16, Definition 5 in the joint reading.

    Examples
    --------
    A mechanism that reveals its sample of two fair bits: when they agree, the test {1} is off
    by 1/2.

    >>> coins = FiniteDistribution.uniform([0, 1]).power(2)
    >>> best = optimal_adversary(FiniteDistribution.point_mass, coins, "1/4")
    >>> best.failure, dict(best.tests)[(1, 1)]
    (Fraction(1, 2), (1,))
    """
    return BestTests(laws_on(laws, samples), samples).best(tolerated_deviation(epsilon))


def minimal_epsilon(
    laws: Laws[S, O], samples: FiniteDistribution[S], delta: AnyNumber
) -> MinimalEpsilon[O]:
    """Return the smallest epsilon at which the best adversary succeeds with probability <= delta.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    delta
        The probability of failure that is tolerated, an exact number between 0 and 1.

    Returns
    -------
    MinimalEpsilon
        The minimum, an exact fraction, and the best adversaries on both sides of it.

    Raises
    ------
    InvalidInput
        A law is missing, the samples are no independent draws or of more than
        :data:`~pac_stability.notions.best_tests.MAX_ELEMENTS` elements, or delta is no exact
        probability.

    Notes
    -----
    J is a non-increasing step function that jumps only at the values |j/n - h(D)|. These are
    sorted, and bisected with O(log(2**m n)) calls of :func:`optimal_adversary`.

    Examples
    --------
    >>> coins = FiniteDistribution.uniform([0, 1]).power(3)
    >>> minimal_epsilon(FiniteDistribution.point_mass, coins, "1/4").epsilon
    Fraction(1, 6)
    """
    bound = as_number(delta, "delta")
    if not 0 <= bound <= 1:
        raise InvalidInput("delta", in_words(bound), "a probability")
    tests = BestTests(laws_on(laws, samples), samples)
    epsilon = smallest_deviation(tests, bound)
    smaller = [candidate for candidate in tests.deviations() if candidate < epsilon]
    below = tests.best(smaller[-1]) if smaller else None
    return MinimalEpsilon(epsilon, tests.best(epsilon), below)


def smallest_deviation(tests: BestTests[O], bound: Fraction) -> Fraction:
    """Return the smallest deviation that the best tests exceed with at most a given probability."""
    candidates = tests.deviations()
    low, high = 0, len(candidates) - 1  # nothing exceeds the largest deviation
    while low < high:
        middle = (low + high) // 2
        if tests.succeeds_more_often(candidates[middle], bound):
            low = middle + 1
        else:
            high = middle
    return candidates[low]


def universal_bound(samples: FiniteDistribution[S], epsilon: AnyNumber) -> Fraction:
    """Return the probability of failure of the mechanism that reveals its sample.

    Parameters
    ----------
    samples, epsilon
        As for :func:`optimal_adversary`.

    Returns
    -------
    Fraction
        Pr[TV(E_S, D) > epsilon] for the empirical distribution E_S: no mechanism does worse.

    Raises
    ------
    InvalidInput
        As for :func:`optimal_adversary`; the number of elements is not limited.

    Examples
    --------
    >>> universal_bound(FiniteDistribution.uniform([0, 1]).power(2), "1/4")
    Fraction(1, 2)
    """
    bound = tolerated_deviation(epsilon)
    draws = independent_draws(samples)
    q, scaled = draws.distribution.denominator, draws.distribution.numerators.values()
    limit = 2 * bound * draws.n * q
    far = (
        sum(abs(k * q - draws.n * a) for k, a in zip(counts, scaled, strict=True)) > limit
        for counts in draws.counts
    )
    return sum(compress((weight for _, weight in samples.items()), far), Fraction())


def conditional_failures(
    laws: Laws[S, O],
    samples: FiniteDistribution[S],
    adversary: Mapping[O, FiniteDistribution[tuple[object, ...]]],
    epsilon: AnyNumber,
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return, for each sample, its weight and how often a given adversary succeeds on it.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    adversary
        For each output, the law of the test, a tuple of elements.
    epsilon
        The deviation that is tolerated, an exact number of at least 0.

    Returns
    -------
    tuple of (Fraction, Fraction)
        In the order of the samples. The probability of failure of the joint reading is the mean.

    Raises
    ------
    InvalidInput
        A law is missing, the samples are no independent draws or of more than
        :data:`~pac_stability.notions.best_tests.MAX_ELEMENTS` elements, the adversary has no test
        for an output, or epsilon is negative.

    Notes
    -----
    This is the definition, written out.

    Examples
    --------
    >>> coins = FiniteDistribution.uniform([0, 1]).power(2)
    >>> ones = FiniteDistribution.point_mass((1,))
    >>> blind = lambda sample: FiniteDistribution.point_mass("nothing")
    >>> conditional_failures(blind, coins, {"nothing": ones}, "1/4")[:2]
    ((Fraction(1, 4), Fraction(1, 1)), (Fraction(1, 4), Fraction(0, 1)))
    """
    bound = tolerated_deviation(epsilon)
    draws = independent_draws(samples)
    elements = draws.distribution.support

    @cache
    def deviates(counts: tuple[int, ...], test: tuple[object, ...]) -> bool:
        inside = [element in test for element in elements]
        share = Fraction(sum(compress(counts, inside)), draws.n)
        mass = sum((draws.distribution.probability(e) for e in set(test)), Fraction())
        return abs(share - mass) > bound

    found = []
    for entry, counts in zip(weighted_laws(laws, samples), draws.counts, strict=True):
        failure = Fraction()
        for output, weight in entry.law.items():
            if output not in adversary:
                raise InvalidInput(
                    "adversary", f"no test for the output {output!r}", "a test for each output"
                )
            failure += weight * sum(
                (p for test, p in adversary[output].items() if deviates(counts, test)), Fraction()
            )
        found.append((entry.weight, failure))
    return tuple(found)


def for_all_distributions(
    law: Callable[[S], FiniteDistribution[O]],
    universe: Iterable[E],
    n: int,
    epsilon: AnyNumber,
    *,
    denominator: int,
    samples: Callable[[FiniteDistribution[E], int], FiniteDistribution[S]] = multiset_distribution,  # type: ignore[assignment]  # S is Multiset[E] then
) -> CertifiedBounds[E]:
    """Enclose the largest probability of failure over all distributions on a universe.

    Parameters
    ----------
    law
        The law of the output on a sample; asked once about each sample.
    universe
        The m distinct elements.
    n
        The size of the samples.
    epsilon
        The deviation that is tolerated.
    denominator
        q: the distributions with probabilities in multiples of 1/q are examined.
    samples
        How a distribution and n give the samples: ``multiset_distribution`` for mechanisms that
        ignore the order, ``FiniteDistribution.power`` for others.

    Returns
    -------
    CertifiedBounds
        Bounds on the supremum of J(epsilon), and the grid point that attains the lower one.

    Raises
    ------
    InvalidInput
        The law of some sample is none, an element is repeated, epsilon is negative, the grid is too
        large, or the samples are no independent draws or of more than
        :data:`~pac_stability.notions.best_tests.MAX_ELEMENTS` elements.

    Notes
    -----
    Let C be within eta of D in total variation. A test deviates from D by more than epsilon on a
    sample only if it deviates from C by more than epsilon - eta, and D^n and C^n differ by at most
    1 - (1 - eta)^n. So J_D(epsilon) <= J_C(epsilon - eta) + 1 - (1 - eta)^n.

    On two elements the supremum is known exactly, see
    :func:`~pac_stability.notions.two_point_generalization.failure_over_two_points`.

    Examples
    --------
    >>> from pac_stability.data import Multiset
    >>> def majority(bits: Multiset[int]) -> FiniteDistribution[bool]:
    ...     return FiniteDistribution.point_mass(bits.count(1) >= 2)
    >>> bounds = for_all_distributions(majority, [0, 1], 3, "3/5", denominator=20)
    >>> bounds.lower, bounds.attained_by.probability(1)
    (Fraction(343, 8000), Fraction(7, 20))
    """
    bound = tolerated_deviation(epsilon)
    cached = cache(law)

    @lru_cache(maxsize=1)
    def tests(distribution: FiniteDistribution[E]) -> BestTests[O]:
        drawn = samples(distribution, n)
        return BestTests(laws_on(cached, drawn), drawn)

    def failure(distribution: FiniteDistribution[E]) -> Fraction:
        return tests(distribution).best(bound).failure

    def relaxed(distribution: FiniteDistribution[E], eta: Fraction) -> Fraction:
        if bound < eta:
            return Fraction(1)
        return tests(distribution).best(bound - eta).failure

    return certify_supremum(
        failure, universe, denominator, lambda eta: power_distance(eta, n), relaxed=relaxed
    )


def tolerated_deviation(epsilon: AnyNumber) -> Fraction:
    """Return epsilon as an exact deviation, refusing a negative one."""
    bound = as_number(epsilon, "epsilon")
    if bound < 0:
        raise InvalidInput("epsilon", in_words(bound), "a deviation of at least 0")
    return bound
