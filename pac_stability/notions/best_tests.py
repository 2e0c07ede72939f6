"""The best test for each output of a mechanism, exactly: what robust generalization is read from.

A test is a set of elements, and it *fails* on a sample when its frequency there is off its
probability by more than epsilon. For each output the joint probability of the output and the
samples that fail is maximised over all tests, up to complement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions.adversary_search import AdversarySearch
from pac_stability.notions.sample_laws import independent_draws

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

MAX_ELEMENTS = 20
"""The most elements of positive probability that there may be: 2**(m - 1) tests are tried."""

_EXACT_BITS = 256  # weights over a longer denominator are rounded first
_ROUNDED_BITS = 95  # three digits, the unit included


class Weights(Protocol[O]):
    """Weights of outputs as fractions: such as a ``FiniteDistribution``."""

    @property
    def numerators(self) -> Mapping[O, int]:
        """Non-negative integers."""

    @property
    def denominator(self) -> int:
        """What they are divided by."""


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


class BestTests(Generic[O]):
    """The tables that the best tests are read from, for any epsilon.

    Parameters
    ----------
    laws
        The law of the output on each sample, in their order; or numbers that bound it.
    samples
        As for :func:`~pac_stability.notions.robust_generalization.optimal_adversary`.

    Raises
    ------
    InvalidInput
        The samples are no independent draws, or there are more than :data:`MAX_ELEMENTS` elements.

    Notes
    -----
    Test number t contains element i + 1 when bit i of it is set. The compiled search adds integers
    of any length. While the joint probabilities have a common denominator of at most 256 bits, it
    adds them as they are. Otherwise (each sample may have a denominator of its own) they are
    rounded down to 95 bits: a sum is then too small by less than one unit a summand, which leaves
    few tests that may be the best, and fractions decide among these.
    """

    def __init__(self, laws: Sequence[Weights[O]], samples: FiniteDistribution[S]) -> None:
        self._draws = independent_draws(samples)
        n, distribution = self._draws.n, self._draws.distribution
        self._elements = distribution.support
        if len(self._elements) > MAX_ELEMENTS:
            raise InvalidInput(
                "samples",
                f"{len(self._elements)} elements of positive probability",
                f"at most {MAX_ELEMENTS}: 2**(m - 1) tests are tried on m elements",
            )
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
        """Return for each output at most so many of its best tests, the best one first."""
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

    def __init__(self, laws: Sequence[Weights[O]], samples: FiniteDistribution[S]) -> None:
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
