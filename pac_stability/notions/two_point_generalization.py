"""Robust and perfect generalization on all distributions on two elements, exactly.

The probability p of the second element determines the distribution. A statement about every
distribution is then a supremum over p of a piecewise polynomial function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import comb
from typing import TypeVar

from pac_stability.arguments import AnyNumber, as_probability, as_size, distinct
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.data import FiniteDistribution, multiset_distribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import by_type, robust_generalization, simulator_search, two_point

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

MAX_STEPS = 20_000
"""How many extensions of a set of laws are tried unless told otherwise."""


def failure_over_two_points(
    n: int, epsilon: AnyNumber, *, width: Fraction = two_point.WIDTH
) -> two_point.Extremum:
    """Return the largest probability of failure of robust generalization on two elements.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    epsilon
        The deviation that is tolerated, an exact number of at least 0.
    width
        How narrow the enclosure must be when the answer is irrational.

    Returns
    -------
    Extremum
        The supremum over p of J(epsilon), the probability that the best adversary finds a test with
        |h(S) - h(D)| > epsilon. When the given p is rational, the supremum may only be approached
        from one side of it: J jumps where p is epsilon away from a multiple of 1/n.

    Raises
    ------
    InvalidInput
        n or epsilon is not valid, or the width is not positive.

    Notes
    -----
    The mechanism does not matter. Of the four tests on two elements the empty one and its
    complement never deviate, and the other two always deviate alike; so every adversary does best
    to ignore the output and name the second element. J(epsilon) = Pr[|K/n - p| > epsilon] with K
    binomial: a polynomial in p between k/n - epsilon and k/n + epsilon, k = 0, ..., n. CLNRW16,
    Definition 5 in the joint reading.

    Examples
    --------
    With two draws and epsilon = 1/4, the only mean near a p just above 1/4 is 1/2.

    >>> failure_over_two_points(2, "1/4")
    <Extremum: value 5/8 (0.625), p 1/4 (0.25)>
    """
    n = as_size(n, "n", least=1)
    limit = robust_generalization.tolerated_deviation(epsilon)
    means = [Fraction(k, n) for k in range(n + 1)]

    def failure(p: Fraction) -> tuple[two_point.Polynomial]:
        return (two_point.Polynomial.of_counts([int(abs(mean - p) > limit) for mean in means]),)

    jumps = [mean + shift for mean in means for shift in (-limit, limit)]
    return two_point.supremum(two_point.pieces_between(jumps, failure), width=width)


def beta_over_two_points(
    law: Callable[[S], FiniteDistribution[O]],
    universe: Iterable[E],
    n: int,
    epsilon: Epsilon,
    delta: AnyNumber = 0,
    *,
    samples: Callable[[FiniteDistribution[E], int], FiniteDistribution[S]] = multiset_distribution,  # type: ignore[assignment]  # S is Multiset[E] then
    max_steps: int = MAX_STEPS,
    width: Fraction = two_point.WIDTH,
) -> two_point.Extremum:
    """Return the beta of perfect generalization that suffices on all distributions on two elements.

    Parameters
    ----------
    law
        The law of the output on a sample; called once for each sample.
    universe
        The two distinct elements.
    n
        The size of the samples, at least 1.
    epsilon, delta
        The parameters of closeness.
    samples
        How a distribution and n give the samples: ``multiset_distribution`` for mechanisms that
        ignore the order, ``FiniteDistribution.power`` for others, which has 2^n samples.
    max_steps
        The budget of the search for sets of laws, with three outcomes and more.
    width
        How narrow the enclosure must be when the answer is irrational.

    Returns
    -------
    Extremum
        The maximum over p of the smallest beta, each p with the simulator that is best for it:
        :func:`~pac_stability.notions.perfect_generalization.minimal_beta` at the p that is given
        finds that simulator. The maximum is attained, as beta is continuous in p.

    Raises
    ------
    InvalidInput
        The universe does not have two elements, a parameter is not valid, or a law is missing.
    BudgetExhausted
        With three outcomes and more: the search for sets of laws that one simulator covers took
        more than ``max_steps``, or there are more laws than are searched.

    Notes
    -----
    Samples with the same law are covered together. Which sets of laws one simulator covers does not
    depend on p, and the weight of a set is a polynomial in p: 1 - beta is the largest of these
    polynomials, over the maximal sets. The law on each ordered sample must be close, so the average
    over orderings is not enough for a mechanism that depends on the order. CLNRW16, Definition 8.

    Examples
    --------
    The mechanism reveals one particular sequence of three draws. The probability of that sequence
    is largest at p = 1/3.

    >>> strange = lambda z: FiniteDistribution.point_mass(z == (1, 0, 0))
    >>> beta_over_two_points(strange, [0, 1], 3, Epsilon(1), samples=FiniteDistribution.power)
    <Extremum: value 4/27 (0.148148), p 1/3 (0.333333)>
    """
    factor_of(epsilon)
    d = as_probability(delta, "delta")
    steps = as_size(max_steps, "max_steps")
    n = as_size(n, "n", least=1)
    elements = distinct(universe, "universe")
    if len(elements) != 2:
        raise InvalidInput("universe", f"{len(elements)} elements", "two elements")
    fair = samples(FiniteDistribution.uniform(elements), n)
    classes = by_type.law_classes(law, fair)
    covers = simulator_search.maximal_covers(
        [found.law for found in classes], by_type.outcomes_of(classes), epsilon, d, max_steps=steps
    )
    draws = by_type.independent_draws(fair)
    second = draws.distribution.support.index(elements[1])
    count = {s: counts[second] for s, counts in zip(fair.support, draws.counts, strict=True)}
    # How many sequences with k times the second element have a law: when p = 1/2, all sequences are
    # equally likely.
    sequences = [[0] * (n + 1) for _ in classes]
    for row, found in zip(sequences, classes, strict=True):
        for sample in found.samples:
            row[count[sample]] += int(fair.probability(sample) * 2**n)
    covered = _undominated(
        tuple(map(sum, zip(*(sequences[i] for i in cover), strict=True))) for cover in covers
    )
    weights = (
        two_point.Polynomial.of_counts([Fraction(row[k], comb(n, k)) for k in range(n + 1)])
        for row in covered
    )
    least = two_point.infimum(two_point.whole(weights), width=width)
    return two_point.Extremum(1 - least.value, least.p)


def _undominated(rows: Iterable[Sequence[int]]) -> list[Sequence[int]]:
    """Leave out rows that are nowhere larger than another one."""
    kept: list[Sequence[int]] = []
    for row in sorted(rows, key=sum, reverse=True):
        if not any(all(x <= y for x, y in zip(row, other, strict=True)) for other in kept):
            kept.append(row)
    return kept
