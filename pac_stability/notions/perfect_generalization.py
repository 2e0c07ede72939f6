"""Perfect generalization (CLNRW16, Definition 8): a simulator that does not see the sample.

A mechanism is (beta, epsilon, delta)-perfectly generalizing on C when some law, the simulator, is
(epsilon, delta)-close to the law of the output on all but a beta fraction of the samples T ~ C^n.
The functions here find the best simulator for a given C, and enclose the parameter that it attains:
exactly for deterministic mechanisms and for two outcomes; otherwise by an exact search that has a
budget, between bounds that hold whether or not it finishes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import Generic, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_probability, as_share, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.data import FiniteDistribution, multiset_distribution
from pac_stability.notions import closeness, simulator_covers, simulator_search
from pac_stability.notions.by_type import LawClass, Laws, law_classes, outcomes_of
from pac_stability.notions.closeness import are_close
from pac_stability.notions.covering import CertifiedBounds, certify_supremum, power_distance
from pac_stability.notions.simulators import covered_weight, simulators_to_try

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

MAX_STEPS = 2_000
"""How many extensions of a set of laws the exact search tries unless told otherwise."""


@dataclass(frozen=True, slots=True, repr=False)
class BestSimulation(Tabled, Generic[S, O]):
    """Bounds on one parameter of perfect generalization, with a simulator.

    Attributes
    ----------
    lower, upper
        Certified bounds on the smallest beta, delta or factor e^epsilon (then perhaps infinite),
        given the others.
    simulator
        A simulator that shows the upper bound.
    covered
        The samples whose laws are close to the simulator at the upper bound.
    """

    lower: Fraction | float
    upper: Fraction | float
    simulator: FiniteDistribution[O]
    covered: tuple[S, ...]

    @property
    def exact(self) -> bool:
        """Whether the bounds agree."""
        return self.lower == self.upper


def minimal_beta(
    laws: Laws[S, O],
    samples: FiniteDistribution[S],
    epsilon: Epsilon,
    delta: AnyNumber = 0,
    *,
    max_steps: int = MAX_STEPS,
) -> BestSimulation[S, O]:
    """Return the smallest share of samples that the best simulator misses.

    Parameters
    ----------
    laws
        The law of the output on each sample.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    epsilon, delta
        The parameters of closeness.
    max_steps
        The budget of the exact search for four outcomes and more.

    Returns
    -------
    BestSimulation
        Bounds on beta.

    Raises
    ------
    InvalidInput
        A law is missing, epsilon is not an ``Epsilon``, or delta is not an exact probability.

    Notes
    -----
    A deterministic mechanism needs the k likeliest outputs, k = floor(1/(1 - delta)), whatever
    epsilon is: a law that is close to a point mass gives its outcome probability at least 1 -
    delta, and the uniform law on k outcomes does so. Two outcomes take one sweep, O(N log N) for N
    laws, three another one, at most O(N^2 log N): both are exact. Otherwise explicit simulators and
    branch and bound give the upper bound; the lower bound comes from the outcome's projections on
    events (two outcomes each), and from the search.

    Examples
    --------
    The majority of three bits is a coin that no simulator predicts.

    >>> bits = FiniteDistribution.uniform([0, 1]).power(3)
    >>> majority = lambda sample: FiniteDistribution.point_mass(int(sum(sample) > 1))
    >>> minimal_beta(majority, bits, Epsilon(1)).upper
    Fraction(1, 2)
    >>> minimal_beta(majority, bits, Epsilon(1), "1/2").simulator
    FiniteDistribution({0: 1/2, 1: 1/2})
    """
    t, d = factor_of(epsilon), as_probability(delta, "delta")
    steps = as_size(max_steps, "max_steps")
    classes = law_classes(laws, samples)
    outcomes = outcomes_of(classes)

    def shown(
        simulator: FiniteDistribution[O], most: Fraction | None = None
    ) -> BestSimulation[S, O]:
        covered = _covered(classes, simulator, t, d)
        upper = 1 - sum((found.weight for found in covered), Fraction())
        return BestSimulation(
            upper if most is None else 1 - most, upper, simulator, _samples(covered)
        )

    if _deterministic(classes):
        return shown(_uniform_on(classes if d == 1 else classes[: math.floor(1 / (1 - d))]))
    if len(outcomes) == 3:
        return shown(simulator_search.ThreeOutcomes(classes, outcomes, t, d).best_simulator())
    windows = [
        simulator_covers.heaviest_window(points, t, d)
        for points in simulator_covers.projections(classes)
    ]
    window = min(windows, key=lambda found: found.weight)
    if len(outcomes) <= 2:
        return shown(_stabbing(outcomes, window, t, d))

    most = window.weight
    simulator = max(
        simulators_to_try(classes), key=lambda one: covered_weight(classes, one, epsilon, d)
    )
    known = covered_weight(classes, simulator, epsilon, d)
    if known < most and len(classes) <= simulator_search.MAX_SEARCHED:
        candidates = simulator_search.Candidates.of(
            classes, lambda p, q: simulator_covers.needed_by_pair(p, q, epsilon) > d
        )
        found, upper = simulator_search.heaviest_cover(
            candidates, epsilon, d, known=known, max_steps=steps
        )
        simulator, most = found or simulator, min(most, upper)
    return shown(simulator, most)


def minimal_delta(
    laws: Laws[S, O],
    samples: FiniteDistribution[S],
    beta: AnyNumber,
    epsilon: Epsilon,
    *,
    max_steps: int = MAX_STEPS,
) -> BestSimulation[S, O]:
    """Return the smallest delta at which the best simulator misses at most a beta share.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    beta
        The share of samples that may be missed, at least 0 and less than 1.
    epsilon
        The other parameter of closeness.
    max_steps
        The budget of the exact search for three outcomes and more.

    Returns
    -------
    BestSimulation
        Bounds on delta.

    Raises
    ------
    InvalidInput
        A law is missing, beta is not such a share, or epsilon is not an ``Epsilon``.

    Notes
    -----
    As for :func:`minimal_beta`. A deterministic mechanism needs 1 - 1/k for the smallest k such
    that some k outputs have mass 1 - beta.

    Examples
    --------
    >>> die = FiniteDistribution.uniform(range(6)).power(1)
    >>> minimal_delta(FiniteDistribution.point_mass, die, "1/3", Epsilon(1)).upper
    Fraction(3, 4)
    """
    t = factor_of(epsilon)
    target = 1 - as_share(beta, "beta")
    steps = as_size(max_steps, "max_steps")
    classes = law_classes(laws, samples)
    outcomes = outcomes_of(classes)

    def reached(simulator: FiniteDistribution[O]) -> Fraction:
        return simulator_search.weighted_quantile(
            [(closeness.minimal_delta(c.law, simulator, epsilon), c.weight) for c in classes],
            target,
        )

    def shown(
        simulator: FiniteDistribution[O], lower: Fraction, upper: Fraction
    ) -> BestSimulation[S, O]:
        covered = _covered(classes, simulator, t, upper)
        return BestSimulation(lower, upper, simulator, _samples(covered))

    if _deterministic(classes):
        simulator = _uniform_on(_likeliest(classes, target))
        exact = reached(simulator)
        return shown(simulator, exact, exact)
    windows = [
        simulator_covers.least_delta(points, target, t)
        for points in simulator_covers.projections(classes)
    ]
    lower, window = max(windows, key=lambda found: found[0])
    if len(outcomes) <= 2:
        return shown(_stabbing(outcomes, window, t, lower), lower, lower)

    simulator = min(simulators_to_try(classes), key=reached)
    known = reached(simulator)
    if lower < known and len(classes) <= simulator_search.MAX_SEARCHED:
        # Two laws that need as much as is known are in no cheaper set.
        candidates = simulator_search.Candidates.of(
            classes, lambda p, q: simulator_covers.needed_by_pair(p, q, epsilon) >= known
        )
        whole = simulator_covers.Polytope(outcomes, epsilon)
        cover, finished = simulator_search.cheapest_cover(
            candidates, whole, target, known=known, max_steps=steps
        )
        if cover is not None:
            simulator = cover.simulator(t)
        if finished:
            lower = reached(simulator)
    return shown(simulator, lower, reached(simulator))


def minimal_epsilon(
    laws: Laws[S, O],
    samples: FiniteDistribution[S],
    beta: AnyNumber,
    delta: AnyNumber = 0,
    *,
    max_steps: int = MAX_STEPS,
) -> BestSimulation[S, O]:
    """Return the factor e^epsilon at which the best simulator misses at most a beta share.

    Parameters
    ----------
    laws
        The law of the output on each sample: a mapping, or a function.
    samples
        D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` for a
        mechanism that ignores the order.
    beta
        The share of samples that may be missed, at least 0 and less than 1.
    delta
        The other parameter of closeness.
    max_steps
        The budget of the exact search for three outcomes and more.

    Returns
    -------
    BestSimulation
        Bounds on the factor; infinite when no factor is enough.

    Raises
    ------
    InvalidInput
        A law is missing, beta is not such a share, or delta is not an exact probability.

    Notes
    -----
    Even for two outcomes the factor may be the square root of a rational number; then the bounds
    differ by less than 2^-100. With two outcomes and with delta = 0 they are that close (when the
    search finishes). Otherwise the factor is bisected, with an exact search in each step, up to a
    factor of 1 + 2^-16 between the bounds, or until a search does not finish; 2^64 is the largest
    factor that is tried.

    Examples
    --------
    >>> bit = FiniteDistribution.uniform([0, 1]).power(1)
    >>> def noisy(sample: tuple[int]) -> FiniteDistribution[int]:
    ...     return FiniteDistribution({sample[0]: Fraction(4, 5), 1 - sample[0]: Fraction(1, 5)})
    >>> best = minimal_epsilon(noisy, bit, 0)
    >>> best.upper, best.exact, best.simulator
    (Fraction(5, 2), True, FiniteDistribution({0: 1/2, 1: 1/2}))
    """
    d = as_probability(delta, "delta")
    target = 1 - as_share(beta, "beta")
    steps = as_size(max_steps, "max_steps")
    classes = law_classes(laws, samples)
    outcomes = outcomes_of(classes)

    def shown(
        lower: Fraction | float, upper: Fraction | float, simulator: FiniteDistribution[O]
    ) -> BestSimulation[S, O]:
        covered = _covered(classes, simulator, upper, d)
        return BestSimulation(lower, upper, simulator, _samples(covered))

    if _deterministic(classes):
        likeliest = _likeliest(classes, target)
        factor = Fraction(1) if len(likeliest) * (1 - d) <= 1 else math.inf
        return shown(factor, factor, _uniform_on(likeliest))
    needed = [
        simulator_covers.least_factor(points, target, d)
        for points in simulator_covers.projections(classes)
    ]
    if None in needed:
        return shown(math.inf, math.inf, next(simulators_to_try(classes)))
    least, window = max((found for found in needed if found), key=lambda found: found[0].lower)
    if len(outcomes) <= 2:
        return shown(least.lower, least.upper, _stabbing(outcomes, window, least.upper, d))
    if d == 0:
        return shown(*simulator_search.without_delta(classes, target, least.lower, steps))
    return shown(*simulator_search.with_delta(classes, target, d, least, steps))


def for_all_distributions(
    law: Callable[[S], FiniteDistribution[O]],
    universe: Iterable[E],
    n: int,
    epsilon: Epsilon,
    *,
    denominator: int,
    delta: AnyNumber = 0,
    samples: Callable[[FiniteDistribution[E], int], FiniteDistribution[S]] = multiset_distribution,  # type: ignore[assignment]  # S is Multiset[E] then
    max_steps: int = MAX_STEPS,
) -> CertifiedBounds[E]:
    """Enclose the largest minimal beta over all distributions on a universe.

    Parameters
    ----------
    law
        The law of the output on a sample; called once for each sample.
    universe
        The distinct elements.
    n
        The size of the samples.
    epsilon
        The parameters of closeness.
    denominator
        q: the distributions with probabilities in multiples of 1/q are examined.
    delta
        The parameters of closeness.
    samples
        How a distribution and n give the samples: ``multiset_distribution`` for mechanisms that
        ignore the order, ``FiniteDistribution.power`` for others.
    max_steps
        The budget of the exact search for three outcomes and more.

    Returns
    -------
    CertifiedBounds
        Bounds on the supremum of beta, and the grid point that attains the lower one.

    Raises
    ------
    InvalidInput
        The law on some sample is missing, an element is repeated, epsilon is not an ``Epsilon``,
        the grid is too large, or delta is not an exact probability.

    Notes
    -----
    Keep the simulator of a distribution C within eta of D: the samples that it misses have a
    probability under D^n that is larger by at most 1 - (1 - eta)^n.

    On two elements the supremum is known exactly, see
    :func:`~pac_stability.notions.two_point_generalization.beta_over_two_points`.

    Examples
    --------
    >>> from pac_stability.data import Multiset
    >>> def majority(bits: Multiset[int]) -> FiniteDistribution[bool]:
    ...     return FiniteDistribution.point_mass(bits.count(1) >= 2)
    >>> bounds = for_all_distributions(majority, [0, 1], 3, Epsilon(1), denominator=10)
    >>> bounds.lower, bounds.attained_by.probability(1)
    (Fraction(1, 2), Fraction(1, 2))
    """
    cached = cache(law)

    @lru_cache(maxsize=1)
    def beta(distribution: FiniteDistribution[E]) -> BestSimulation[S, O]:
        return minimal_beta(cached, samples(distribution, n), epsilon, delta, max_steps=max_steps)

    return certify_supremum(
        lambda distribution: Fraction(beta(distribution).lower),
        universe,
        denominator,
        lambda eta: power_distance(eta, n),
        relaxed=lambda distribution, _: Fraction(beta(distribution).upper),
    )


def _covered(
    classes: Sequence[LawClass[S, O]],
    simulator: FiniteDistribution[O],
    factor: Fraction | float,
    delta: Fraction,
) -> list[LawClass[S, O]]:
    """Return the laws close to the simulator; an infinite factor stands for any."""
    if not isinstance(factor, Fraction):
        return [c for c in classes if closeness.minimal_epsilon(c.law, simulator, delta) < math.inf]
    outcomes = outcomes_of(classes)
    if len(outcomes) > 2:
        epsilon = Epsilon.exactly(factor)
        return [c for c in classes if are_close(c.law, simulator, epsilon, delta)]
    least, most = simulator_covers.close_to(simulator.probability(outcomes[-1]), factor, delta)
    return [c for c in classes if least <= c.law.probability(outcomes[-1]) <= most]


def _samples(classes: Iterable[LawClass[S, O]]) -> tuple[S, ...]:
    return tuple(chain.from_iterable(found.samples for found in classes))


def _deterministic(classes: Sequence[LawClass[S, O]]) -> bool:
    return all(len(found.law) == 1 for found in classes)


def _likeliest(classes: Sequence[LawClass[S, O]], target: Fraction) -> Sequence[LawClass[S, O]]:
    """Return as few of the likeliest laws as have the target weight together."""
    totals = accumulate(found.weight for found in classes)
    return classes[: next(k for k, total in enumerate(totals, 1) if total >= target)]


def _uniform_on(classes: Sequence[LawClass[S, O]]) -> FiniteDistribution[O]:
    return FiniteDistribution.uniform(outcomes_of(classes))


def _stabbing(
    outcomes: Sequence[O], window: simulator_covers.Window, factor: Fraction, delta: Fraction
) -> FiniteDistribution[O]:
    """Return the simulator for a window of laws on at most two outcomes."""
    if len(outcomes) == 1:
        return FiniteDistribution.point_mass(outcomes[0])
    q = simulator_covers.stabber(window, factor, delta)
    return FiniteDistribution({outcomes[0]: 1 - q, outcomes[1]: q})
