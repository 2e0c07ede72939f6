"""Robust generalization is not closed under composition: the order of the sample is the key.

Draws that are independent and happen to be distinct come in a uniformly random order, whatever the
distribution, and the order says nothing about which elements were drawn. So it serves as a
one-time pad. One mechanism encrypts a test with it, one on which the sample deviates; another one
shows the order. The output of each is independent of the set of elements drawn, so each
generalizes as robustly as silence does, on *every* distribution. Together they name the test.

The idea, encryption by something that the sample itself provides, is that of Nissim, Smith,
Steinke, Stemmer and Ullman, *The Limits of Post-Selection Generalization*, NeurIPS 2018, who prove
the failure of composition; this instance with two mechanisms was made to be small and exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, factorial
from typing import Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_size, described, distinct
from pac_stability.arithmetic import Interval
from pac_stability.data import (
    FiniteDistribution,
    FromLaw,
    Mechanism,
    Multiset,
    compose,
    multiset_distribution,
)
from pac_stability.errors import InvalidInput
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.two_point import Extremum
from pac_stability.notions.two_point_generalization import failure_over_two_points

E = TypeVar("E")

_MANY = 1000
"""So many tests per sample on average miss a share of e**-1000; more are not needed."""


@dataclass(frozen=True)
class OrderAsKey(Generic[E]):
    """Two mechanisms that reveal nothing of the set of elements drawn, and a test together.

    Parameters
    ----------
    elements
        The m distinct elements; their order here is the one that orders of samples refer to.
    n
        The size of the samples, at least 1.
    tests
        At most n! sets of elements. The message is the number of the first one that contains the
        sample, or 0 if none does.

    Raises
    ------
    InvalidInput
        The elements or the tests are not distinct, there is no test or there are too many, a test
        has something that is no element, or n is no positive integer.

    Notes
    -----
    On a sample of distinct elements, :attr:`key` is the number of the order in which they came,
    one of n!, and :attr:`encrypted` is the message plus that number, modulo n!. Given the set of
    elements, the order of independent draws is uniform; so each of the two is uniform and
    independent of the set. On other samples both toss coins for a uniform number of 0, ..., n!-1,
    which keeps that true without a condition. Therefore the best adversary against either of them
    does as well as without any output, :meth:`failure_alone`, on every distribution and at every
    epsilon: no mechanism has a smaller one.

    Both outputs together are as good as the message: :meth:`failure_together`. It tries 2**(m-1)
    sets of elements for each of n! messages, so n stays below 6; :class:`RandomTests` goes on.

    Examples
    --------
    Samples of four of six points, and all 15 sets of four as tests. For the uniform distribution
    and deviations above 3/10:

    >>> from itertools import combinations
    >>> pair = OrderAsKey(tuple(range(6)), 4, tuple(map(frozenset, combinations(range(6), 4))))
    >>> die = FiniteDistribution.uniform(range(6))
    >>> pair.failure_alone(die, "3/10"), pair.failure_together(die, "3/10")
    (Fraction(25, 81), Fraction(46, 81))
    >>> pair.encrypted.law((5, 2, 1, 0)), pair.key.law((5, 2, 1, 0))
    (FiniteDistribution({1: 1}), FiniteDistribution({23: 1}))
    """

    elements: tuple[E, ...]
    n: int
    tests: tuple[frozenset[E], ...]
    _place: dict[E, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        n = as_size(self.n, "n", least=1)
        elements = distinct(self.elements, "elements")
        tests = distinct((frozenset(test) for test in self.tests), "tests")
        if not 1 <= len(tests) <= factorial(n):
            raise InvalidInput("tests", f"{len(tests)} tests", f"from 1 to {n}! of them")
        for test in tests:
            if not test <= set(elements):
                raise InvalidInput("tests", described(set(test)), "sets of the given elements")
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "elements", elements)
        object.__setattr__(self, "tests", tests)
        object.__setattr__(self, "_place", {e: place for place, e in enumerate(elements)})

    @property
    def key(self) -> Mechanism[Sequence[E], int]:
        """The mechanism that shows the order of the sample, as a number below n!."""
        return FromLaw(self._key)

    @property
    def encrypted(self) -> Mechanism[Sequence[E], int]:
        """The mechanism that shows the message plus the number of the order, modulo n!."""
        return FromLaw(self._encrypted)

    @property
    def together(self) -> Mechanism[Sequence[E], tuple[int, int]]:
        """Both, with independent coins."""
        return compose(self.encrypted, self.key)

    def message(self, sample: Iterable[E]) -> int:
        """Return the number of the first test that contains the sample, or 0.

        Parameters
        ----------
        sample
            The elements drawn, in any order.
        """
        drawn = set(sample)
        return next((i for i, test in enumerate(self.tests) if drawn <= test), 0)

    def revealed(self, kind: Multiset[E]) -> FiniteDistribution[int]:
        """Return the law of what both outputs say together, given the type of the sample.

        Parameters
        ----------
        kind
            The multiset of the elements drawn.

        Notes
        -----
        The difference of the two outputs: the message when the elements are distinct, uniform
        otherwise. Given the type, the second output is uniform and independent of it.
        """
        if len(kind.support) == self.n:
            return FiniteDistribution.point_mass(self.message(kind.support))
        return FiniteDistribution.uniform(range(factorial(self.n)))

    def failure_alone(self, distribution: FiniteDistribution[E], epsilon: AnyNumber) -> Fraction:
        """Return how often the best adversary finds a deviation from one of the outputs.

        Parameters
        ----------
        distribution
            D, the law of one element.
        epsilon
            The deviation that is tolerated.

        Raises
        ------
        InvalidInput
            As for :func:`pac_stability.notions.robust_generalization.optimal_adversary`.
        """
        return optimal_adversary(
            lambda _: FiniteDistribution.point_mass(0),
            multiset_distribution(distribution, self.n),
            epsilon,
        ).failure

    def failure_together(self, distribution: FiniteDistribution[E], epsilon: AnyNumber) -> Fraction:
        """Return how often the best adversary finds a deviation from both outputs.

        Parameters
        ----------
        distribution, epsilon
            As for :meth:`failure_alone`.

        Raises
        ------
        InvalidInput
            As for :meth:`failure_alone`.
        """
        samples = multiset_distribution(distribution, self.n)
        return optimal_adversary(self.revealed, samples, epsilon).failure

    def _key(self, sample: Sequence[E]) -> FiniteDistribution[int]:
        return self._shifted(sample, 0)

    def _encrypted(self, sample: Sequence[E]) -> FiniteDistribution[int]:
        return self._shifted(sample, self.message(sample))

    def _shifted(self, sample: Sequence[E], message: int) -> FiniteDistribution[int]:
        places = [self._place[e] for e in sample if e in self._place]
        if len(sample) != self.n or len(places) != self.n:
            wanted = f"{self.n} of the given elements"
            raise InvalidInput("sample", described(sample), wanted)
        if len(set(places)) < self.n:
            return FiniteDistribution.uniform(range(factorial(self.n)))
        return FiniteDistribution.point_mass((message + _rank(places)) % factorial(self.n))


@dataclass(frozen=True, slots=True)
class RandomTests:
    """What :class:`OrderAsKey` does on m equally likely elements with n! good tests of one size.

    Parameters
    ----------
    n
        The size of the samples.
    m
        The number of elements.
    size
        How many elements each test has, from n to m.

    Raises
    ------
    InvalidInput
        These are no such integers.

    Notes
    -----
    A set of n elements is in a random test of the size with probability C(size, n) / C(m, n), so
    n! random tests miss on average less than a share exp(-n! C(size, n) / C(m, n)) of these sets;
    some tests miss no more. When the sample is of distinct elements and in a test, its deviation is
    1 - size/m.

    Examples
    --------
    Twenty of a thousand elements, tests of 150. Either output alone leads to a deviation above 2/5
    with probability at most 0.00032, whatever the distribution. Both together, on the uniform one,
    lead to a deviation of 0.85 with probability 0.82.

    >>> tests = RandomTests(20, 1000, 150)
    >>> round(float(tests.failure_alone("2/5").value), 5)
    0.00032
    >>> tests.deviation, round(float(tests.failure_together), 3)
    (Fraction(17, 20), 0.826)
    """

    n: int
    m: int
    size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        object.__setattr__(self, "m", as_size(self.m, "m", least=self.n))
        object.__setattr__(self, "size", as_size(self.size, "size", least=self.n))
        if self.size > self.m:
            raise InvalidInput("size", str(self.size), f"at most m = {self.m}")

    @property
    def deviation(self) -> Fraction:
        """What h(S) - h(D) is for the test that both outputs name."""
        return 1 - Fraction(self.size, self.m)

    @property
    def distinct(self) -> Fraction:
        """The probability that n uniform draws are distinct."""
        return Fraction(comb(self.m, self.n) * factorial(self.n), self.m**self.n)

    @property
    def failure_together(self) -> Fraction:
        """A lower bound on the probability of the deviation, from both outputs."""
        share = Fraction(comb(self.size, self.n), comb(self.m, self.n))
        tests = min(factorial(self.n) * share, Fraction(_MANY))
        return self.distinct * (1 - Interval.exp(-tests).upper)

    def failure_alone(self, epsilon: AnyNumber) -> Extremum:
        """Return the largest probability of failure of one output, over all distributions.

        Parameters
        ----------
        epsilon
            The deviation that is tolerated.

        Raises
        ------
        InvalidInput
            epsilon is negative or not exact.

        Notes
        -----
        Without an output to go by, one test is named, and how often it deviates depends on its
        probability alone: the supremum is that over two elements.
        """
        return failure_over_two_points(self.n, epsilon)


def _rank(places: Sequence[int]) -> int:
    """Return the place of an order among all orders of the same numbers, lexicographically."""
    rank = 0
    for i, place in enumerate(places):
        smaller = sum(later < place for later in places[i + 1 :])
        rank = rank * (len(places) - i) + smaller
    return rank
