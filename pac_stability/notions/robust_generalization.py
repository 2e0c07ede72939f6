"""Robust generalization (CLNRW16, Definition 5): every test that an adversary finds generalizes.

A *test* is a set of elements; h(S) is the fraction of the sample S inside it and h(D) its
probability. An adversary sees the output alone and names a test. The mechanism is (epsilon,
delta)-robustly generalizing on D when |h(S) - h(D)| > epsilon has probability at most delta, over S
~ D^n, the mechanism and the adversary: this is the *joint* reading. The stricter reading, which
conditions on the sample first, is in :mod:`pac_stability.notions.split_reading`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import compress
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber, as_number, in_words
from pac_stability.arithmetic import least_integer
from pac_stability.data import FiniteDistribution, multiset_distribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import by_type, covering

_AT_ONCE = 1 << 20
"""Weights that are looked at together, about."""


class AdversarySearch:
    """For each output, the test that fails most, and the sum of the weights on which it fails.

    Test number t contains element i when bit i of t is set. Sample s has ``counts[i, s]`` of
    element i, and fails test t when it has fewer than ``low[t]`` elements of the test or more than
    ``high[t]``. Output y has the weights ``begins[y]`` to ``begins[y + 1]``, at least one, each for
    the sample that ``samples`` names; weight j is the sum of ``digits[p, j]`` times 2**(32 p).
    """

    def __init__(  # noqa: PLR0917  # all of them arrays of one search
        self,
        counts: npt.NDArray[np.int32],
        low: npt.NDArray[np.int32],
        high: npt.NDArray[np.int32],
        begins: npt.NDArray[np.int64],
        samples: npt.NDArray[np.uint32],
        digits: npt.NDArray[np.uint32],
    ) -> None:
        self._counts, self._low, self._high = counts, low, high
        self._begins, self._samples, self._digits = begins[:-1], samples.astype(np.intp), digits
        self._tests = np.zeros(len(self._begins), dtype=np.int64)
        self._sums = np.zeros((len(self._begins), len(digits)), dtype=np.uint64)
        step = max(1, _AT_ONCE // max(1, len(samples)))
        for first in range(0, len(low), step):
            for test, sums in enumerate(self._of(first, min(first + step, len(low))), first):
                more = np.zeros(len(sums), dtype=bool)
                for one, best in zip(
                    sums.T, self._sums.T, strict=True
                ):  # the highest digit decides
                    more = (one > best) | (more & (one == best))
                self._tests[more], self._sums[more] = test, sums[more]

    @property
    def found(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """For each output the first of its best tests, and the digits of the sum for it."""
        return self._tests.copy(), self._sums.copy()

    def scores(self, test: int) -> npt.NDArray[np.uint64]:
        """Return for each output the digits of the sum of the weights that fail a test."""
        return np.asarray(self._of(test, test + 1)[0])

    def _of(self, first: int, last: int) -> npt.NDArray[np.uint64]:
        """Return such digits for some tests, shape (tests, outputs, places)."""
        tests = np.arange(first, last)
        chosen = (tests[:, None] >> np.arange(len(self._counts)) & 1).astype(np.int32)
        hits = chosen @ self._counts
        fails = (hits < self._low[first:last, None]) | (hits > self._high[first:last, None])
        outputs, samples = len(self._begins), hits.shape[1]
        everywhere = len(self._samples) == outputs * samples and samples < 1 << 20
        failed = fails.astype(np.float64) if everywhere else fails[:, self._samples]
        sums = np.empty((last - first, outputs, len(self._digits)), dtype=np.uint64)
        carry = np.zeros(sums.shape[:2], dtype=np.uint64)
        for place, digit in enumerate(self._digits):
            if everywhere:  # floats hold sums of a million digits exactly
                total = (failed @ digit.astype(np.float64).reshape(outputs, -1).T).astype(np.uint64)
            else:  # no sum of 2**32 digits overflows
                total = np.add.reduceat(failed * digit.astype(np.uint64), self._begins, axis=1)
            total += carry
            carry = total >> np.uint64(32)
            sums[:, :, place] = total & np.uint64(0xFFFFFFFF)
        sums[:, :, -1] = total
        return sums


# The best test for each output of a mechanism, exactly: what robust generalization is read from

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

MAX_ELEMENTS = 20
"""The most elements of positive probability that there may be: 2**(m - 1) tests are tried."""

_EXACT_BITS = 256  # weights over a longer denominator are rounded first
_ROUNDED_BITS = 95  # three digits, the unit included


@dataclass(frozen=True, slots=True)
class OptimalAdversary(Generic[O]):
    """The adversary that finds a deviation most often, and its success probability.

    Attributes
    ----------
    epsilon
        The deviation that counts as a failure when it is exceeded.
    failure
        J(epsilon): the probability that |h(S) - h(D)| > epsilon for the test h that it names.
    tests
        Pairs of an output and the test that is best for it, a tuple of elements. A test and its
        complement deviate alike; the one without the first element is named.
    """

    epsilon: Fraction
    failure: Fraction
    tests: tuple[tuple[O, tuple[object, ...]], ...]


class BestTests(Generic[O]):
    """The tables that the best tests are read from, for any epsilon.

    Parameters
    ----------
    laws
        The law of the output on each sample, in their order.
    samples
        As for :func:`~pac_stability.notions.robust_generalization.optimal_adversary`.

    Raises
    ------
    InvalidInput
        The samples are not independent draws, or there are more than :data:`MAX_ELEMENTS` elements.

    Notes
    -----
    Test number t contains element i + 1 when bit i of it is set. The compiled search adds integers
    of any length. While the joint probabilities have a common denominator of at most 256 bits, it
    adds them as they are. Otherwise (each sample may have a denominator of its own) they are
    rounded down to 95 bits: a sum is then too small by less than one unit a summand, which leaves
    few tests that may be the best, and fractions decide among these.
    """

    def __init__(
        self, laws: Sequence[FiniteDistribution[O]], samples: FiniteDistribution[S]
    ) -> None:
        self._draws = by_type.independent_draws(samples)
        n, distribution = self._draws.n, self._draws.distribution
        self._elements = distribution.support
        if len(self._elements) > MAX_ELEMENTS:
            given = f"{len(self._elements)} elements of positive probability"
            wanted = f"at most {MAX_ELEMENTS}: 2**(m - 1) tests are tried on m elements"
            raise InvalidInput("samples", given, wanted)
        self._joint: _JointWeights[O] = _JointWeights(laws, samples)
        counts = np.array(self._draws.counts, dtype=np.int32)[:, 1:]
        self._counts = np.ascontiguousarray(counts.T)
        self._unit = n * distribution.denominator
        self._masses = _subset_sums([n * a for a in distribution.numerators.values()][1:])

    def best(self, epsilon: Fraction) -> OptimalAdversary[O]:
        """Return the best adversary: for each output, the first of the tests that fail most."""
        joint, search = self._joint, self._search(epsilon)
        tests, sums = search.found
        if joint.exact:
            failure = Fraction(_number(sums.sum(axis=0)), joint.unit)
        else:
            tests, failure = self._decided(search, epsilon)
        named = {test: self._named(test) for test in set(tests.tolist())}
        return OptimalAdversary(
            epsilon,
            failure,
            tuple((y, named[test]) for y, test in zip(joint.outputs, tests.tolist(), strict=True)),
        )

    def succeeds_more_often(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Return whether the best adversary succeeds with a probability of more than a bound."""
        joint = self._joint
        sums = self._search(epsilon).found[1]
        lower = Fraction(_number(sums.sum(axis=0)), joint.unit)
        if joint.exact or lower > bound:
            return lower > bound
        if lower + Fraction(len(joint.rows), joint.unit) <= bound:
            return False
        return self.best(epsilon).failure > bound

    def ranked(self, epsilon: Fraction, most: int) -> dict[O, list[tuple[object, ...]]]:
        """Return the best tests for each output, at most this many, the best one first."""
        joint = self._joint
        search = self._search(epsilon)
        found: dict[O, list[tuple[Fraction, int]]] = {output: [] for output in joint.outputs}
        for test in range(len(self._masses)):
            scores = search.scores(test)
            fails = self._fails(epsilon, test)
            for y, output in enumerate(joint.outputs):
                if joint.exact:
                    weight = Fraction(_number(scores[y]), joint.unit)
                else:
                    weight = joint.total(joint.failing(y, fails))
                found[output].append((weight, test))
        return {
            output: [self._named(test) for _, test in sorted(tests, key=lambda p: -p[0])[:most]]
            for output, tests in found.items()
        }

    def deviations(self) -> list[Fraction]:
        """Return 0 and all values |j/n - h(D)|, in increasing order."""
        q = self._draws.distribution.denominator
        found = {0}
        for mass in set(self._masses):
            found.update(abs(j * q - mass) for j in range(self._draws.n + 1))
        return [Fraction(value, self._unit) for value in sorted(found)]

    def _named(self, test: int) -> tuple[object, ...]:
        return tuple(e for i, e in enumerate(self._elements[1:]) if test >> i & 1)

    def _search(self, epsilon: Fraction) -> AdversarySearch:
        joint = self._joint
        low, high = self._tolerated(epsilon)
        return AdversarySearch(self._counts, low, high, joint.begins, joint.rows, joint.digits)

    def _tolerated(self, epsilon: Fraction) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return for each test the smallest and the largest count k with |k/n - h(D)| <= epsilon.

        With r the denominator of epsilon: |k q - n a| r <= epsilon n q r, for h(D) = a/q.
        """
        n, q = self._draws.n, self._draws.distribution.denominator
        r = epsilon.denominator
        far = epsilon.numerator * self._unit
        whole = q * r
        low = [max(-((far - mass * r) // whole), 0) for mass in self._masses]
        high = [min((far + mass * r) // whole, n) for mass in self._masses]
        return np.array(low, dtype=np.int32), np.array(high, dtype=np.int32)

    def _fails(self, epsilon: Fraction, test: int) -> npt.NDArray[np.bool_]:
        """Return for each sample whether it fails a test."""
        n, q = self._draws.n, self._draws.distribution.denominator
        inside = [i for i in range(len(self._elements) - 1) if test >> i & 1]
        hits = self._counts[inside].sum(axis=0)
        bad = [abs(k * q - self._masses[test]) > epsilon * self._unit for k in range(n + 1)]
        fails: npt.NDArray[np.bool_] = np.array(bad)[hits]
        return fails

    def _decided(
        self, search: AdversarySearch, epsilon: Fraction
    ) -> tuple[npt.NDArray[np.int64], Fraction]:
        """Return the best tests and their failure when the weights of the search are rounded."""
        joint = self._joint
        tests, sums = search.found
        # A test is worse than the best one when its sum is smaller by the number of summands.
        least = [
            max(_number(sum_) - summands, 0)
            for sum_, summands in zip(sums, np.diff(joint.begins).tolist(), strict=True)
        ]
        enough = _digits(least, len(joint.digits)).astype(np.uint64)
        near: list[list[int]] = [[] for _ in joint.outputs]
        for test in range(len(self._masses)):
            for y in np.flatnonzero(_at_least(search.scores(test), enough)).tolist():
                near[y].append(test)

        fails = cache(lambda test: self._fails(epsilon, test))
        best = []
        for y, candidates in enumerate(near):
            parts = joint.failing(y, fails(candidates[0]))
            tests[y] = candidates[0]
            for test in candidates[1:]:
                other = joint.failing(y, fails(test))
                # Equal tests are the usual reason for more than one.
                if other != parts and joint.total(other) > joint.total(parts):
                    parts, tests[y] = other, test
            best.append(parts)
        together: dict[int, int] = {}
        for parts in best:
            for denominator, numerator in parts.items():
                together[denominator] = together.get(denominator, 0) + numerator
        return tests, joint.total(together)


class _JointWeights(Generic[O]):
    """The joint probabilities of samples and outputs, sorted by output, in fixed point.

    Weight j, for the sample ``rows[j]``, has the given digits, in units of 1 / ``unit``. Those of
    output y are from ``begins[y]`` to ``begins[y + 1]``.
    """

    def __init__(
        self, laws: Sequence[FiniteDistribution[O]], samples: FiniteDistribution[S]
    ) -> None:
        places: dict[O, int] = {}
        place = [places.setdefault(y, len(places)) for law in laws for y in law.numerators]
        order = np.argsort(np.array(place), kind="stable")
        self.outputs = tuple(places)
        self.begins = np.concatenate([[0], np.bincount(place).cumsum()]).astype(np.int64)
        row = np.repeat(
            np.arange(len(laws), dtype=np.uint32), [len(law.numerators) for law in laws]
        )
        self.rows = row[order]

        # Weight j is numerators[j] / (denominators[j] * samples), before it is rounded.
        self._samples = samples.denominator
        common = _common_multiple({law.denominator for law in laws}, _EXACT_BITS)
        self.exact = (self._samples * common).bit_length() <= _EXACT_BITS
        values: list[int] = []
        if self.exact:
            self.unit = self._samples * common
            for weight, law in zip(samples.numerators.values(), laws, strict=True):
                share = weight * (common // law.denominator)
                values += [share * a for a in law.numerators.values()]
        else:
            self.unit = 1 << _ROUNDED_BITS
            self._numerators: list[int] = []
            self._denominators: list[int] = []
            for weight, law in zip(samples.numerators.values(), laws, strict=True):
                products = [weight * a for a in law.numerators.values()]
                whole = self._samples * law.denominator
                self._numerators += products
                self._denominators += [law.denominator] * len(products)
                values += [(product << _ROUNDED_BITS) // whole for product in products]
        digits = _digits(values, -(-self.unit.bit_length() // 32))
        self.digits = np.ascontiguousarray(digits[order].T)
        self._order = order

    def failing(self, y: int, fails: npt.NDArray[np.bool_]) -> dict[int, int]:
        """Return the exact weight of output y on the samples that fail, by denominator.

        For rounded weights only.
        """
        begin, end = self.begins[y : y + 2]
        parts: dict[int, int] = {}
        for j in self._order[begin:end][fails[self.rows[begin:end]]].tolist():
            denominator = self._denominators[j]
            parts[denominator] = parts.get(denominator, 0) + self._numerators[j]
        return parts

    def total(self, parts: Mapping[int, int]) -> Fraction:
        """Return the sum of weights that :meth:`failing` found."""
        terms = list(parts.items()) or [(1, 0)]
        while len(terms) > 1:  # in pairs, so that most sums are short
            odd = terms[len(terms) & ~1 :]
            pairs = zip(terms[::2], terms[1::2], strict=False)
            terms = [(p * q, a * q + b * p) for (p, a), (q, b) in pairs] + odd
        ((denominator, numerator),) = terms
        return Fraction(numerator, denominator * self._samples)


def _common_multiple(numbers: Iterable[int], bits: int) -> int:
    """Return the least common multiple, or of some of them when it has more than so many bits."""
    common = 1
    for number in numbers:
        common = math.lcm(common, number)
        if common.bit_length() > bits:
            break
    return common


def _digits(values: Sequence[int], length: int) -> npt.NDArray[np.uint32]:
    """Return the digits of each number to the base 2**32, the lowest first."""
    written = b"".join([value.to_bytes(4 * length, "little") for value in values])
    return np.frombuffer(written, dtype="<u4").reshape(len(values), length)


def _number(digits: npt.NDArray[np.uint64]) -> int:
    """Return the number with such digits, which may be larger than the base."""
    return sum(digit << 32 * place for place, digit in enumerate(digits.tolist()))


def _at_least(
    digits: npt.NDArray[np.uint64], other: npt.NDArray[np.uint64]
) -> npt.NDArray[np.bool_]:
    """Compare numbers, one a row: the highest digit that differs decides."""
    found = np.ones(len(digits), dtype=bool)
    for one, two in zip(digits.T, other.T, strict=True):
        found = (one > two) | ((one == two) & found)
    return found


def _subset_sums(values: list[int]) -> list[int]:
    sums = [0]
    for value in values:
        sums += [total + value for total in sums]
    return sums


# Robust generalization (CLNRW16, Definition 5): no adversary finds a test that the sample fails

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class MinimalEpsilon(Generic[O]):
    """The smallest epsilon for a delta, with the adversaries that prove it.

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
    laws: by_type.Laws[S, O], samples: FiniteDistribution[S], epsilon: AnyNumber
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
        A law is missing, the samples are not independent draws or of more than :data:`MAX_ELEMENTS`
        elements, or epsilon is negative.

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
    return BestTests(by_type.laws_on(laws, samples), samples).best(tolerated_deviation(epsilon))


def minimal_epsilon(
    laws: by_type.Laws[S, O], samples: FiniteDistribution[S], delta: AnyNumber
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
        A law is missing, the samples are not independent draws or of more than :data:`MAX_ELEMENTS`
        elements, or delta is not an exact probability.

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
    tests = BestTests(by_type.laws_on(laws, samples), samples)
    deviations = tests.deviations()  # nothing exceeds the largest
    place = least_integer(
        lambda i: not tests.succeeds_more_often(deviations[i], bound), 0, len(deviations) - 1
    )
    below = tests.best(deviations[place - 1]) if place else None
    return MinimalEpsilon(deviations[place], tests.best(deviations[place]), below)


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
    draws = by_type.independent_draws(samples)
    q, scaled = draws.distribution.denominator, draws.distribution.numerators.values()
    limit = 2 * bound * draws.n * q
    far = (
        sum(abs(k * q - draws.n * a) for k, a in zip(counts, scaled, strict=True)) > limit
        for counts in draws.counts
    )
    return sum(compress((weight for _, weight in samples.items()), far), Fraction())


def conditional_failures(
    laws: by_type.Laws[S, O],
    samples: FiniteDistribution[S],
    adversary: Mapping[O, FiniteDistribution[tuple[object, ...]]],
    epsilon: AnyNumber,
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return, for each sample, its weight and the success probability of an adversary.

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
        A law is missing, the samples are not independent draws or of more than :data:`MAX_ELEMENTS`
        elements, the adversary has no test for an output, or epsilon is negative.

    Notes
    -----
    This follows the definition literally.

    Examples
    --------
    >>> coins = FiniteDistribution.uniform([0, 1]).power(2)
    >>> ones = FiniteDistribution.point_mass((1,))
    >>> blind = lambda sample: FiniteDistribution.point_mass("nothing")
    >>> conditional_failures(blind, coins, {"nothing": ones}, "1/4")[:2]
    ((Fraction(1, 4), Fraction(1, 1)), (Fraction(1, 4), Fraction(0, 1)))
    """
    bound = tolerated_deviation(epsilon)
    draws = by_type.independent_draws(samples)
    elements = draws.distribution.support

    @cache
    def deviates(counts: tuple[int, ...], test: tuple[object, ...]) -> bool:
        inside = [element in test for element in elements]
        share = Fraction(sum(compress(counts, inside)), draws.n)
        mass = sum((draws.distribution.probability(e) for e in set(test)), Fraction())
        return abs(share - mass) > bound

    found = []
    for entry, counts in zip(by_type.weighted_laws(laws, samples), draws.counts, strict=True):
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
) -> covering.CertifiedBounds[E]:
    """Enclose the largest probability of failure over all distributions on a universe.

    Parameters
    ----------
    law
        The law of the output on a sample; called once for each sample.
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
        The law on some sample is missing, an element is repeated, epsilon is negative, the grid is
        too large, or the samples are not independent draws or of more than :data:`MAX_ELEMENTS`
        elements.

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
        return BestTests(by_type.laws_on(cached, drawn), drawn)

    def failure(distribution: FiniteDistribution[E]) -> Fraction:
        return tests(distribution).best(bound).failure

    def relaxed(distribution: FiniteDistribution[E], eta: Fraction) -> Fraction:
        if bound < eta:
            return Fraction(1)
        return tests(distribution).best(bound - eta).failure

    return covering.certify_supremum(
        failure, universe, denominator, lambda eta: covering.power_distance(eta, n), relaxed=relaxed
    )


def tolerated_deviation(epsilon: AnyNumber) -> Fraction:
    """Return epsilon as an exact deviation, refusing a negative one."""
    bound = as_number(epsilon, "epsilon")
    if bound < 0:
        raise InvalidInput("epsilon", in_words(bound), "a deviation of at least 0")
    return bound
