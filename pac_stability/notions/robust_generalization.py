"""Robust generalization (CLNRW16, Definition 5): no adversary finds a test that the sample fails.

A *test* is a set of elements; h(S) is the fraction of the sample S inside it and h(D) its
probability. An adversary sees the output alone and names a test. The mechanism is
(epsilon, delta)-robustly generalizing on D when |h(S) - h(D)| > epsilon has probability at most
delta, over S ~ D^n, the mechanism and the adversary: this is the *joint* reading. The stricter
reading that treats the sample first is in :mod:`pac_stability.notions.split_reading`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import compress
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.arithmetic import ExactNumber, as_fraction
from pac_stability.arithmetic.exact import in_words
from pac_stability.data import FiniteDistribution, multiset_distribution
from pac_stability.errors import InvalidInput
from pac_stability.notions.covering import CertifiedBounds, certify_supremum, power_distance
from pac_stability.notions.sample_laws import (
    IndependentDraws,
    Laws,
    independent_draws,
    weighted_laws,
)

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

MAX_ELEMENTS = 20
"""The most elements of positive probability that there may be: 2**(m - 1) tests are tried."""

_BLOCK = 1 << 22  # pairs of a sample and a test that are in memory together
_FIXED_POINT = 62  # bits of the integer weights that int64 arithmetic adds without overflow


@dataclass(frozen=True, slots=True)
class OptimalAdversary(Generic[O]):
    """The adversary that finds a deviation most often, and how often that is.

    Attributes
    ----------
    epsilon
        The deviation that counts as a failure when it is exceeded.
    failure
        J(epsilon): the probability that |h(S) - h(D)| > epsilon for the test h it names.
    tests
        Pairs of an output and the test that is best for it, a tuple of elements. A test and its
        complement deviate alike; the one without the first element is named.
    """

    epsilon: Fraction
    failure: Fraction
    tests: tuple[tuple[O, tuple[object, ...]], ...]


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
    laws: Laws[S, O], samples: FiniteDistribution[S], epsilon: ExactNumber
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
        A law is missing, the samples are no independent draws, there are more than
        :data:`MAX_ELEMENTS` elements, or epsilon is negative.

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
    return BestTests(laws, samples).best(tolerated_deviation(epsilon))


def minimal_epsilon(
    laws: Laws[S, O], samples: FiniteDistribution[S], delta: ExactNumber
) -> MinimalEpsilon[O]:
    """Return the smallest epsilon at which the best adversary succeeds with probability <= delta.

    Parameters
    ----------
    laws, samples
        As for :func:`optimal_adversary`.
    delta
        The probability of failure that is tolerated, an exact number between 0 and 1.

    Returns
    -------
    MinimalEpsilon
        The minimum, an exact fraction, and the best adversaries on both sides of it.

    Raises
    ------
    InvalidInput
        As for :func:`optimal_adversary`, or delta is no probability.

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
    bound = as_fraction(delta, "delta")
    if not 0 <= bound <= 1:
        raise InvalidInput("delta", in_words(bound), "a probability")
    tests = BestTests(laws, samples)
    candidates = tests.deviations()
    low, high = 0, len(candidates) - 1  # nothing exceeds the largest deviation
    while low < high:
        middle = (low + high) // 2
        if tests.best(candidates[middle]).failure <= bound:
            high = middle
        else:
            low = middle + 1
    below = tests.best(candidates[low - 1]) if low else None
    return MinimalEpsilon(candidates[low], tests.best(candidates[low]), below)


def universal_bound(samples: FiniteDistribution[S], epsilon: ExactNumber) -> Fraction:
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
    scaled, q = _numerators(draws.distribution)
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
    epsilon: ExactNumber,
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return, for each sample, its weight and how often a given adversary succeeds on it.

    Parameters
    ----------
    laws, samples, epsilon
        As for :func:`optimal_adversary`.
    adversary
        For each output, the law of the test, a tuple of elements.

    Returns
    -------
    tuple of (Fraction, Fraction)
        In the order of the samples. The probability of failure of the joint reading is the mean.

    Raises
    ------
    InvalidInput
        As for :func:`optimal_adversary`, or the adversary has no test for an output.

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
    epsilon: ExactNumber,
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
        As for :func:`optimal_adversary`, or the grid is too large.

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
        return BestTests(cached, samples(distribution, n))

    def failure(distribution: FiniteDistribution[E]) -> Fraction:
        return tests(distribution).best(bound).failure

    def relaxed(distribution: FiniteDistribution[E], eta: Fraction) -> Fraction:
        if bound < eta:
            return Fraction(1)
        return tests(distribution).best(bound - eta).failure

    return certify_supremum(
        failure, universe, denominator, lambda eta: power_distance(eta, n), relaxed=relaxed
    )


def tolerated_deviation(epsilon: ExactNumber) -> Fraction:
    """Return epsilon as an exact deviation, refusing a negative one."""
    bound = as_fraction(epsilon, "epsilon")
    if bound < 0:
        raise InvalidInput("epsilon", in_words(bound), "a deviation of at least 0")
    return bound


def _numerators(distribution: FiniteDistribution[object]) -> tuple[list[int], int]:
    weights = [weight for _, weight in distribution.items()]
    q = math.lcm(*{weight.denominator for weight in weights})
    return [int(weight * q) for weight in weights], q


class BestTests(Generic[O]):
    """The tables that the best tests are read from, for any epsilon."""

    draws: IndependentDraws
    outputs: dict[O, _Output]

    def __init__(self, laws: Laws[S, O], samples: FiniteDistribution[S]) -> None:
        self.draws = independent_draws(samples)
        self.elements = self.draws.distribution.support
        if len(self.elements) > MAX_ELEMENTS:
            raise InvalidInput(
                "samples",
                f"{len(self.elements)} elements of positive probability",
                f"at most {MAX_ELEMENTS}: 2**(m - 1) tests are tried on m elements",
            )
        self.counts = np.array(self.draws.counts, dtype=np.int64)
        self.scaled, self.q = _numerators(self.draws.distribution)
        joint: dict[O, tuple[list[int], list[Fraction]]] = {}
        for row, entry in enumerate(weighted_laws(laws, samples)):
            for output, probability in entry.law.items():
                rows, weights = joint.setdefault(output, ([], []))
                rows.append(row)
                weights.append(entry.weight * probability)
        self.outputs = {output: _Output(*found) for output, found in joint.items()}

    def best(self, epsilon: Fraction) -> OptimalAdversary[O]:
        """Return the best adversary: for each output, the best test in every block of tests."""
        best: dict[O, tuple[Fraction, int]] = dict.fromkeys(self.outputs, (Fraction(), 0))
        for first, bad in self._bad_blocks(epsilon):
            for output, weights in self.outputs.items():
                column, failure = weights.heaviest(bad)
                if failure > best[output][0]:
                    best[output] = failure, first + column
        return OptimalAdversary(
            epsilon,
            sum((failure for failure, _ in best.values()), Fraction()),
            tuple((output, self._test(mask)) for output, (_, mask) in best.items()),
        )

    def ranked(self, epsilon: Fraction, most: int) -> dict[O, list[tuple[object, ...]]]:
        """Return for each output at most so many of its best tests, the best one first."""
        found: dict[O, list[tuple[Fraction, int]]] = {output: [] for output in self.outputs}
        for first, bad in self._bad_blocks(epsilon):
            for output, weights in self.outputs.items():
                scored = [(w, first + column) for column, w in enumerate(weights.sums(bad))]
                both = found[output] + scored
                found[output] = sorted(both, key=lambda pair: -pair[0])[:most]
        return {o: [self._test(mask) for _, mask in tests] for o, tests in found.items()}

    def deviations(self) -> list[Fraction]:
        """Return 0 and all values |j/n - h(D)|, in increasing order."""
        n = self.draws.n
        found = {0}
        for mass in set(_subset_sums(self.scaled[1:])):
            found.update(abs(j * self.q - n * mass) for j in range(n + 1))
        return [Fraction(value, n * self.q) for value in sorted(found)]

    def _test(self, mask: int) -> tuple[object, ...]:
        return tuple(e for i, e in enumerate(self.elements[1:]) if mask >> i & 1)

    def _bad_blocks(self, epsilon: Fraction) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """Yield the first test of a block, and which tests fail on which samples (1 or 0).

        Test number ``mask`` contains element i + 1 when bit i of it is set.
        """
        n, m = self.draws.n, len(self.elements)
        masses = _subset_sums(self.scaled[1:])
        # |k/n - mass/q| <= epsilon for the counts k from low to high.
        low = np.array([max(math.ceil(n * (Fraction(a, self.q) - epsilon)), 0) for a in masses])
        high = np.array([min(math.floor(n * (Fraction(a, self.q) + epsilon)), n) for a in masses])
        width = max(1, _BLOCK // len(self.counts))
        for first in range(0, len(masses), width):
            masks = np.arange(first, min(first + width, len(masses)))
            inside = masks[:, None] >> np.arange(m - 1) & 1
            hits = self.counts[:, 1:] @ inside.T
            bad = (hits < low[masks]) | (hits > high[masks])
            yield first, bad.astype(np.int64)


class _Output:
    """The joint probabilities of one output and each sample, as integers over a denominator."""

    def __init__(self, rows: list[int], weights: list[Fraction]) -> None:
        self.rows = np.array(rows)
        self.denominator = math.lcm(*{weight.denominator for weight in weights})
        self.exact = [w.numerator * (self.denominator // w.denominator) for w in weights]
        # int64 sums decide when they can; otherwise they are too small by less than the slack.
        if self.denominator < 1 << _FIXED_POINT:
            self.fixed = np.array(self.exact, dtype=np.int64)
            self.slack = 0
        else:
            rounded = [(w << _FIXED_POINT) // self.denominator for w in self.exact]
            self.fixed = np.array(rounded, dtype=np.int64)
            self.slack = len(weights)

    def sums(self, bad: npt.NDArray[np.int64]) -> list[Fraction]:
        """Return the exact weight of each column of 0s and 1s."""
        own = bad[self.rows]
        totals = (sum(compress(self.exact, column)) for column in own.T)
        return [Fraction(total, self.denominator) for total in totals]

    def heaviest(self, bad: npt.NDArray[np.int64]) -> tuple[int, Fraction]:
        """Return the first column of 0s and 1s with the largest weight, and that weight."""
        own = bad[self.rows]
        sums = self.fixed @ own
        if not self.slack:
            column = int(sums.argmax())
            return column, Fraction(int(sums[column]), self.denominator)
        column, best = 0, -1
        for candidate in np.flatnonzero(sums >= sums.max() - self.slack):
            total = sum(compress(self.exact, own[:, candidate]))
            if total > best:
                column, best = int(candidate), total
        return column, Fraction(best, self.denominator)


def _subset_sums(values: list[int]) -> list[int]:
    sums = [0]
    for value in values:
        sums += [total + value for total in sums]
    return sums
