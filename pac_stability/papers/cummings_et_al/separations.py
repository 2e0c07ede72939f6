"""What robust generalization does not give: composition, privacy; and what boosting keeps.

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

from pac_stability import data
from pac_stability.arguments import AnyNumber, as_open_unit, as_size, described, distinct
from pac_stability.arithmetic import Interval, decide_less
from pac_stability.compression import boosting
from pac_stability.compression.bounds import Theorem18
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.errors import InvalidInput
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.two_point import Extremum
from pac_stability.notions.two_point_generalization import failure_over_two_points
from pac_stability.randomness import SYSTEM_COINS, Coins

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
    >>> die = data.FiniteDistribution.uniform(range(6))
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
    def key(self) -> data.Mechanism[Sequence[E], int]:
        """The mechanism that shows the order of the sample, as a number below n!."""
        return data.FromLaw(self._key)

    @property
    def encrypted(self) -> data.Mechanism[Sequence[E], int]:
        """The mechanism that shows the message plus the number of the order, modulo n!."""
        return data.FromLaw(self._encrypted)

    @property
    def together(self) -> data.Mechanism[Sequence[E], tuple[int, int]]:
        """Both, with independent coins."""
        return data.compose(self.encrypted, self.key)

    def message(self, sample: Iterable[E]) -> int:
        """Return the number of the first test that contains the sample, or 0.

        Parameters
        ----------
        sample
            The elements drawn, in any order.
        """
        drawn = set(sample)
        return next((i for i, test in enumerate(self.tests) if drawn <= test), 0)

    def revealed(self, kind: data.Multiset[E]) -> data.FiniteDistribution[int]:
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
            return data.FiniteDistribution.point_mass(self.message(kind.support))
        return data.FiniteDistribution.uniform(range(factorial(self.n)))

    def failure_alone(
        self, distribution: data.FiniteDistribution[E], epsilon: AnyNumber
    ) -> Fraction:
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
            lambda _: data.FiniteDistribution.point_mass(0),
            data.multiset_distribution(distribution, self.n),
            epsilon,
        ).failure

    def failure_together(
        self, distribution: data.FiniteDistribution[E], epsilon: AnyNumber
    ) -> Fraction:
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
        samples = data.multiset_distribution(distribution, self.n)
        return optimal_adversary(self.revealed, samples, epsilon).failure

    def _key(self, sample: Sequence[E]) -> data.FiniteDistribution[int]:
        return self._shifted(sample, 0)

    def _encrypted(self, sample: Sequence[E]) -> data.FiniteDistribution[int]:
        return self._shifted(sample, self.message(sample))

    def _shifted(self, sample: Sequence[E], message: int) -> data.FiniteDistribution[int]:
        places = [self._place[e] for e in sample if e in self._place]
        if len(sample) != self.n or len(places) != self.n:
            wanted = f"{self.n} of the given elements"
            raise InvalidInput("sample", described(sample), wanted)
        if len(set(places)) < self.n:
            return data.FiniteDistribution.uniform(range(factorial(self.n)))
        return data.FiniteDistribution.point_mass((message + _rank(places)) % factorial(self.n))


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


# Theorem 38: one sequence is strange, and perfect generalization does not mind

# A mechanism says "Strange" on a single ordered sample and "Normal" on all others. It is not
# private, since two neighbours have disjoint laws; but if the strange sample is unlikely under
# every distribution, saying "Normal" simulates it. How unlikely is what has to be got right.

STRANGE, NORMAL = "Strange", "Normal"


@dataclass(frozen=True, slots=True)
class StrangeSequence:
    """Say "Strange" on one ordered sample, "Normal" on the others.

    Parameters
    ----------
    sequence
        The strange sample.
    other
        An element other than the last one of the sequence.

    Notes
    -----
    Not symmetric: only one of the orderings is strange.

    Examples
    --------
    >>> StrangeSequence((1, 0), 1).law((0, 1))
    FiniteDistribution({'Normal': 1})
    """

    sequence: tuple[int, ...]
    other: int

    def law(self, x: Sequence[int], /) -> data.FiniteDistribution[str]:
        """Return the law of the output, a point mass.

        Parameters
        ----------
        x
            As many elements as the strange sample has.

        Raises
        ------
        InvalidInput
            There are more or fewer.
        """
        if len(x) != len(self.sequence):
            raise InvalidInput("x", described(x), f"{len(self.sequence)} elements")
        return data.FiniteDistribution.point_mass(STRANGE if tuple(x) == self.sequence else NORMAL)

    def run(self, x: Sequence[int], /, rng: Coins = SYSTEM_COINS) -> str:
        """Return the output; no coins are used.

        Parameters
        ----------
        x
            As many elements as the strange sample has.
        rng
            Ignored.
        """
        return self.law(x).sample(rng)

    @property
    def neighbours(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The strange sample and a neighbour of it: their outputs differ for certain."""
        return self.sequence, (*self.sequence[:-1], self.other)


@dataclass(frozen=True, slots=True)
class StrangeNormal:
    """The construction of Theorem 38: floor(n/2) ones and then ceil(n/2) zeros are strange.

    Parameters
    ----------
    n
        The size of the samples, at least 1.

    Raises
    ------
    InvalidInput
        n is no positive integer.

    Notes
    -----
    CLNRW16, Theorem 38. With a = floor(n/2), b = ceil(n/2) and p for the probability of 1, the
    strange sample has probability p**a (1-p)**b. Its logarithm is concave in p with derivative
    a/p - b/(1-p), so the maximum is (a/n)**a (b/n)**b at p = a/n. For even n that is 2**-n, the
    value printed. For odd n it is larger: 4/27 > 1/8 for n = 3. No simulator repairs this from
    n = 2 on, because the outputs are deterministic and "Normal" is always the likelier one; so
    the mechanism is (beta, 0, 0)-perfectly generalizing exactly for beta >= :attr:`beta`.

    For n = 1 the strange sample is (0), of probability 1 at p = 0. Saying "Normal" always fails
    there, but the simulator that says what is likelier has beta = 1/2 = 2**-1.

    The condition n >= log(1/beta) is meant in base 2; with the natural logarithm n = 2 would do
    for beta = 1/5, and 2**-2 is larger. :class:`StrangeOrder` keeps 2**-n for every n >= 2.

    Examples
    --------
    >>> [str(StrangeNormal(n).beta) for n in (1, 2, 3, 4, 5, 7)]
    ['1/2', '1/4', '4/27', '1/16', '108/3125', '6912/823543']
    >>> [n for n in range(1, 9) if StrangeNormal(n).beta > StrangeNormal(n).printed]
    [3, 5, 7]
    """

    n: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))

    @property
    def ones(self) -> int:
        """The number of ones in the strange sample, a = floor(n/2)."""
        return self.n // 2

    @property
    def mechanism(self) -> StrangeSequence:
        """The mechanism, on ordered samples of bits."""
        return StrangeSequence((1,) * self.ones + (0,) * (self.n - self.ones), 1)

    @property
    def worst(self) -> data.FiniteDistribution[int]:
        """The distribution of a bit under which the strange sample is likeliest: p = a/n."""
        p = Fraction(self.ones, self.n)
        return data.FiniteDistribution({1: p, 0: 1 - p})

    @property
    def strange_mass(self) -> Fraction:
        """(a/n)**a (b/n)**b: the largest probability of "Strange"; the beta of "Normal"."""
        a, b, n = self.ones, self.n - self.ones, self.n
        return Fraction(a**a * b**b, n**n)

    @property
    def beta(self) -> Fraction:
        """The smallest beta on all distributions, each with its best simulator."""
        return min(self.strange_mass, Fraction(1, 2))

    @property
    def printed(self) -> Fraction:
        """2**-n, the beta of the paper."""
        return Fraction(1, 2**self.n)

    @staticmethod
    def least_size(beta: AnyNumber) -> int:
        """Return the smallest n from which on the mechanism is (beta, 0, 0)-perfect.

        Parameters
        ----------
        beta
            A number above 0 and below 1.

        Raises
        ------
        InvalidInput
            It is not.

        Notes
        -----
        :attr:`beta` falls with n: one factor more makes p**a (1-p)**b smaller for every p.

        Examples
        --------
        >>> StrangeNormal.least_size("1/8"), StrangeNormal.stated_sizes("1/8")
        (4, (3, 3))
        >>> StrangeNormal.least_size("1/5"), StrangeNormal.stated_sizes("1/5")
        (3, (2, 3))
        """
        target = as_open_unit(beta, "beta")
        n = 1
        while StrangeNormal(n).beta > target:
            n += 1
        return n

    @staticmethod
    def stated_sizes(beta: AnyNumber) -> tuple[int, int]:
        """Return the smallest n >= 1 with n >= log(1/beta): natural logarithm, and base 2.

        Parameters
        ----------
        beta
            A number above 0 and below 1.

        Raises
        ------
        InvalidInput
            It is not.
        """
        target = as_open_unit(beta, "beta")
        natural = 1
        while _below_log(natural, 1 / target):
            natural += 1
        binary = 1
        while 2**binary * target < 1:
            binary += 1
        return natural, binary


@dataclass(frozen=True, slots=True)
class StrangeOrder:
    """A construction that keeps 2**-n: the sequence 1, 2, ..., n of n elements is strange.

    Parameters
    ----------
    n
        The size of the samples and of the domain 1, ..., n; at least 2.

    Raises
    ------
    InvalidInput
        n is no such integer.

    Notes
    -----
    CLNRW16, Theorem 38, for all n >= 2. The strange sample has probability p_1 p_2 ... p_n,
    at most n**-n by the inequality of the means, with equality for the uniform distribution; and
    n**-n <= 2**-n.

    Examples
    --------
    >>> [str(StrangeOrder(n).beta) for n in (2, 3, 4)]
    ['1/4', '1/27', '1/256']
    """

    n: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=2))

    @property
    def mechanism(self) -> StrangeSequence:
        """The mechanism, on ordered samples of the numbers 1, ..., n."""
        return StrangeSequence(tuple(range(1, self.n + 1)), 1)

    @property
    def worst(self) -> data.FiniteDistribution[int]:
        """The distribution under which the strange sample is likeliest."""
        return data.FiniteDistribution.uniform(range(1, self.n + 1))

    @property
    def beta(self) -> Fraction:
        """n**-n: the smallest beta on all distributions."""
        return Fraction(1, self.n**self.n)


def _below_log(n: int, value: Fraction) -> bool:
    """Return whether n < ln(value); never undecided, as the logarithm is irrational."""
    return decide_less(lambda _: Interval.exactly(n), lambda bits: Interval.log(value, bits))


# Theorem 26: what boosting keeps of a sample, and how robustly that generalizes


@dataclass(frozen=True)
class Theorem26:
    """The guarantee of boosting as a compression learner for a class of VC dimension d.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    vc_dimension
        d, at least 1.
    delta
        The probability of failure allowed, above 0 and below 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    ``agnostic(BoostingScheme(H))`` keeps ``k = T(n) m(n)`` examples, whatever H of dimension d and
    whatever the sample: T(n) is the least with ``n (8/9)^(T/2) < 1``, and m(n) what one round needs
    for all patterns that n points can have. So :class:`Theorem18` applies with this k, for every n
    and delta, and without the printed condition ``n >= 16 d log(d) log^3(n/delta)``, which is empty
    for d = 1. As m(n) is at most a constant times d, and T(n) at most ``1 + 17 ln n``, epsilon is
    of order ``sqrt(d ln(n) ln(n/delta) / n)``. The learner is improper.

    Source: CLNRW16 Theorem 26; the scheme is that of Theorem 25.

    Examples
    --------
    >>> promise = Theorem26(10**7, 1, Fraction(1, 20))
    >>> promise.rounds, promise.group, promise.kept
    (274, 40, 10960)
    >>> round(float(promise.learner.value()), 4), round(float(promise.learner.robust.value()), 4)
    (0.0954, 0.095)
    """

    n: int
    vc_dimension: int
    delta: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        dimension = as_size(self.vc_dimension, "vc_dimension", least=1)
        object.__setattr__(self, "vc_dimension", dimension)
        object.__setattr__(self, "delta", as_open_unit(self.delta, "delta"))

    @property
    def rounds(self) -> int:
        """T(n)."""
        return boosting.boosting_rounds(self.n)

    @property
    def group(self) -> int:
        """m(n)."""
        counted = boosting.counting_group(sauer_shelah_bound(self.n, self.vc_dimension))
        return min(counted, boosting.net_group(self.vc_dimension))

    @property
    def kept(self) -> int:
        """k, how many examples are kept."""
        return self.rounds * self.group

    @property
    def learner(self) -> Theorem18:
        """The excess loss and the robust generalization that follow from k."""
        return Theorem18(self.n, self.kept, self.delta)

    @classmethod
    def least(cls, epsilon: AnyNumber, vc_dimension: int, delta: AnyNumber) -> Theorem26:
        """Return the guarantee for the first n, in powers of 2, at which epsilon is reached.

        Parameters
        ----------
        epsilon
            What excess and deviation are to be at most; above 0 and below 1.
        vc_dimension, delta
            As for the class.

        Examples
        --------
        >>> Theorem26.least("1/10", 1, "1/20").n == 2**24
        True
        """
        goal, risk = as_open_unit(epsilon, "epsilon"), as_open_unit(delta, "delta")

        def reached(power: int) -> bool:
            promise = cls(1 << power, vc_dimension, risk)
            return promise.kept < promise.n and promise.learner.value().upper <= goal

        return cls(1 << boosting.least_integer(reached, 1), vc_dimension, risk)
