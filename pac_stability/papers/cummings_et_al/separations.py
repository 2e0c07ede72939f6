"""Separations: robust generalization gives neither composition nor privacy; and boosting.

Independent draws that happen to be distinct come in a uniformly random order, for every
distribution, and the order carries no information about which elements were drawn. So it serves as
a one-time pad. One mechanism uses it to encrypt a test on which the sample deviates; another one
reveals the order. The output of each is independent of the set of elements drawn, so each
generalizes as robustly as a constant, on *every* distribution. Together they name the test.

The idea, encryption by something that the sample itself provides, is that of Nissim, Smith,
Steinke, Stemmer and Ullman, *The Limits of Post-Selection Generalization*, NeurIPS 2018, who prove
the failure of composition; this instance with two mechanisms was made to be small and exact.

Last come majorities of bits (Lemma 37, Theorem 40). The plain majority generalizes robustly, but is
neither private nor perfect. With Laplace noise on the mean it is private, and perfect
generalization costs a factor sqrt(n). With r = e**(epsilon/2) its law is made of integer powers of
r, so it is exact when r is rational.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, count
from math import comb, factorial
from typing import Generic, Protocol, TypeVar

from pac_stability import arguments, data
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_open_unit, as_size, described, distinct
from pac_stability.arithmetic import Epsilon, Interval, least_integer
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.audit import Notion
from pac_stability.compression import any_class, bounds
from pac_stability.data import FiniteDistribution
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.errors import InvalidInput
from pac_stability.learning import Promises
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import robust_generalization, two_point, two_point_generalization
from pac_stability.randomness import SYSTEM_COINS, Coins

E = TypeVar("E")

_MANY = 1000
"""So many tests per sample on average miss a share of e**-1000; more are not needed."""


@dataclass(frozen=True)
class OrderAsKey(Generic[E]):
    """Two mechanisms that reveal nothing of the set of drawn elements, and together a test.

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
        has something that is no element, or n is not a positive integer.

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
        """Return the law of the message of both outputs together, given the type of the sample.

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
        """Return the probability that the best adversary finds a deviation from one output.

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
        return robust_generalization.optimal_adversary(
            lambda _: data.FiniteDistribution.point_mass(0),
            data.multiset_distribution(distribution, self.n),
            epsilon,
        ).failure

    def failure_together(
        self, distribution: data.FiniteDistribution[E], epsilon: AnyNumber
    ) -> Fraction:
        """Return the probability that the best adversary finds a deviation from both outputs.

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
        return robust_generalization.optimal_adversary(self.revealed, samples, epsilon).failure

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
    """:class:`OrderAsKey` on m equally likely elements with n! good tests of one size.

    Parameters
    ----------
    n
        The size of the samples.
    m
        The number of elements.
    size
        The number of elements of each test, from n to m.

    Raises
    ------
    InvalidInput
        These are not such integers.

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
        """The deviation h(S) - h(D) of the test that both outputs name."""
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

    def failure_alone(self, epsilon: AnyNumber) -> two_point.Extremum:
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
        return two_point_generalization.failure_over_two_points(self.n, epsilon)


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
    """Output "Strange" on one ordered sample, "Normal" on all others.

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
        n is not a positive integer.

    Notes
    -----
    CLNRW16, Theorem 38. With a = floor(n/2), b = ceil(n/2) and p for the probability of 1, the
    strange sample has probability p**a (1-p)**b. Its logarithm is concave in p with derivative
    a/p - b/(1-p), so the maximum is (a/n)**a (b/n)**b at p = a/n. For even n that is 2**-n, the
    value printed. For odd n it is larger: 4/27 > 1/8 for n = 3. No simulator repairs this from
    n = 2 on, because the outputs are deterministic and "Normal" is always the likelier one; so
    the mechanism is (beta, 0, 0)-perfectly generalizing exactly for beta >= :attr:`beta`.

    For n = 1 the strange sample is (0), of probability 1 at p = 0. The constant "Normal" always
    fails there, but the simulator with the likelier output has beta = 1/2 = 2**-1.

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
        >>> StrangeNormal.least_size("1/8"), StrangeNormal.least_size("1/5")
        (4, 3)
        """
        target = as_open_unit(beta, "beta")
        return next(n for n in count(1) if StrangeNormal(n).beta <= target)


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
        n is not such an integer.

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
        arguments.fix(self, vc_dimension=dimension, delta=as_open_unit(self.delta, "delta"))

    @property
    def rounds(self) -> int:
        """T(n)."""
        return any_class.boosting_rounds(self.n)

    @property
    def group(self) -> int:
        """m(n)."""
        counted = any_class.counting_group(sauer_shelah_bound(self.n, self.vc_dimension))
        return min(counted, any_class.net_group(self.vc_dimension))

    @property
    def kept(self) -> int:
        """k, how many examples are kept."""
        return self.rounds * self.group

    @property
    def learner(self) -> bounds.Theorem18:
        """The excess loss and the robust generalization that follow from k."""
        return bounds.Theorem18(self.n, self.kept, self.delta)

    @classmethod
    def least(cls, epsilon: AnyNumber, vc_dimension: int, delta: AnyNumber) -> Theorem26:
        """Return the guarantee for the first n, in powers of 2, at which epsilon is reached.

        Parameters
        ----------
        epsilon
            The allowed excess and deviation; above 0 and below 1.
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

        return cls(1 << least_integer(reached, 1), vc_dimension, risk)


# Majorities of bits: robust only (Lemma 37)


class Bits(Protocol):
    """A sample of bits: a tuple, or a ``Multiset``."""

    def count(self, element: int, /) -> int:
        """Return how often a bit occurs."""
        ...

    def __len__(self) -> int: ...


def count_ones(sample: Bits, n: int) -> int:
    """Return how many of n bits are 1.

    Parameters
    ----------
    sample
        The bits.
    n
        The required number of bits.

    Raises
    ------
    InvalidInput
        The sample has another size, or an element that is not a bit.

    Examples
    --------
    >>> count_ones((0, 1, 1), 3)
    2
    """
    try:
        ones, zeros, size = sample.count(1), sample.count(0), len(sample)
    except (AttributeError, TypeError):
        raise InvalidInput(
            "sample", arguments.described(sample), "a tuple or a Multiset of bits"
        ) from None
    if size != n or ones + zeros != n:
        raise InvalidInput("sample", arguments.described(sample), f"{n} elements, each 0 or 1")
    return ones


@dataclass(frozen=True, slots=True)
class Majority:
    """Output 1 when more than floor(n/2) of n bits are 1, and 0 otherwise.

    Parameters
    ----------
    n
        The size of the samples, at least 1.

    Raises
    ------
    InvalidInput
        n is not a positive integer.

    Notes
    -----
    CLNRW16, Lemma 37. Its three parts:

    (a) (sqrt(ln(2/gamma)/(2n)), gamma)-robustly generalizing, for gamma below 2. The paper takes
    it from Theorem 21. On two elements it does not depend on the mechanism at all: the only test
    that can deviate is {1}, up to complement, so it is Hoeffding's inequality for that one test;
    :meth:`failure` is the exact number.

    (b) Not (epsilon, delta)-private for any delta below 1: :attr:`neighbours` have disjoint laws.

    (c) Not (beta, epsilon, delta)-perfectly generalizing for delta below 1/2 and beta below
    1/2 - 1/sqrt(n). On the fair coin the exact condition is beta < :attr:`least_mass`, as the
    simulator must give both outputs at least 1 - delta otherwise; that is 1/2 for odd n, and
    1/2 - C(n, n/2) / 2**(n+1) for even n. Some coin makes both outputs exactly equally likely, so
    over all distributions the condition is beta < 1/2, for every n.

    Examples
    --------
    >>> Majority(6).least_mass, float(Majority(6).stated_beta)
    (Fraction(11, 32), 0.09175170953613698)
    >>> float(Majority(10).least_mass), round(float(Majority(100).least_mass), 5)
    (0.376953125, 0.46021)
    """

    n: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=1))

    def law(self, x: Bits, /) -> FiniteDistribution[int]:
        """Return the law of the output, a point mass.

        Parameters
        ----------
        x
            n bits, in a tuple or a multiset.

        Raises
        ------
        InvalidInput
            They are not.
        """
        return FiniteDistribution.point_mass(int(count_ones(x, self.n) > self.n // 2))

    def run(self, x: Bits, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return the majority; no coins are used.

        Parameters
        ----------
        x
            n bits, in a tuple or a multiset.
        rng
            Ignored.
        """
        return self.law(x).sample(rng)

    @property
    def neighbours(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Two samples that differ in one bit, and whose outputs differ for certain."""
        half = self.n // 2
        rest = (0,) * (self.n - half - 1)
        return (1,) * half + (1, *rest), (1,) * half + (0, *rest)

    @property
    def least_mass(self) -> Fraction:
        """The probability of the rarer output, 1, when the bits are fair."""
        middle = 0 if self.n % 2 else math.comb(self.n, self.n // 2)
        return Fraction(1, 2) - Fraction(middle, 2 ** (self.n + 1))

    @property
    def stated_beta(self) -> Interval:
        """1/2 - 1/sqrt(n): below it the paper rules perfect generalization out."""
        return Fraction(1, 2) - 1 / Interval.sqrt(self.n)

    def stated_deviation(self, gamma: arguments.AnyNumber) -> Interval:
        """Return sqrt(ln(2/gamma)/(2n)), the deviation that the lemma states for gamma.

        Parameters
        ----------
        gamma
            The probability of failure that is tolerated, above 0 and at most 2.

        Raises
        ------
        InvalidInput
            gamma is out of range: beyond 2 the root is not defined.
        """
        g = arguments.as_number(gamma, "gamma")
        if not 0 < g <= 2:
            raise InvalidInput("gamma", arguments.in_words(g), "a number above 0 and at most 2")
        return Interval.sqrt(Interval.log(2 / g) / (2 * self.n)) if g < 2 else Interval.exactly(0)

    def failure(self, epsilon: arguments.AnyNumber) -> two_point.Extremum:
        """Return the largest probability of a deviation, over adversaries and distributions.

        Parameters
        ----------
        epsilon
            The deviation that is tolerated.

        Raises
        ------
        InvalidInput
            epsilon is negative or not exact.

        Examples
        --------
        At the deviation stated for gamma = 1/2, rounded down, the failure is below 1/2:

        >>> deviation = Majority(5).stated_deviation("1/2").lower
        >>> Majority(5).failure(deviation).value < Fraction(1, 2)
        True
        """
        return two_point_generalization.failure_over_two_points(self.n, epsilon)


# Private at a price (Theorem 40)

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class NoisyMajority:
    """Output whether the mean of n bits, with Laplace noise of scale 1/(n epsilon), exceeds 1/2.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    root
        e**(epsilon/2), so that its square is the factor of epsilon.

    Raises
    ------
    InvalidInput
        n is not a positive integer, or the root is not an ``Epsilon`` or that of 0.

    Notes
    -----
    CLNRW16, Theorem 40, which says that no epsilon' = o(epsilon sqrt(n ln(1/beta))) will do. For
    given n and beta that is a number: :meth:`optimum`, beside explicit bounds in
    :meth:`tightness`.

    With j ones, noise of more than x = 1/2 - j/n is needed for a 1; it has
    probability e**(-n epsilon x) / 2 = r**-(n - 2j) / 2 when x >= 0, and otherwise 1 minus the
    same with the sign of x changed.

    Examples
    --------
    >>> mechanism = NoisyMajority(3, Epsilon.exactly(2))
    >>> [str(mechanism.probability_of_one(j)) for j in range(4)]
    ['1/16', '1/4', '3/4', '15/16']
    >>> mechanism.private_factor
    Fraction(4, 1)
    """

    n: int
    root: Epsilon

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", arguments.as_size(self.n, "n", least=1))
        if factor_of(self.root) == 1:
            raise InvalidInput("root", "a factor of 1", "a factor e**(epsilon/2) above 1")

    @property
    def epsilon(self) -> Epsilon:
        """The privacy parameter."""
        return self.root + self.root

    def probability_of_one(self, ones: int) -> Fraction:
        """Return the probability of a 1 if this many bits are 1.

        Parameters
        ----------
        ones
            j, from 0 to n.

        Raises
        ------
        InvalidInput
            It is not.
        """
        j = arguments.as_size(ones, "ones")
        if j > self.n:
            raise InvalidInput("ones", str(j), f"at most {self.n}")
        tail = _HALF / self.root.ratio ** abs(self.n - 2 * j)
        return tail if 2 * j <= self.n else 1 - tail

    def law(self, x: Bits, /) -> FiniteDistribution[int]:
        """Return the law of the output.

        Parameters
        ----------
        x
            n bits, in a tuple or a multiset.

        Raises
        ------
        InvalidInput
            They are not.
        """
        one = self.probability_of_one(count_ones(x, self.n))
        return FiniteDistribution({1: one, 0: 1 - one})

    def run(self, x: Bits, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one output.

        Parameters
        ----------
        x
            n bits, in a tuple or a multiset.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return rng.bernoulli(self.probability_of_one(count_ones(x, self.n)))

    @property
    def private_factor(self) -> Fraction:
        """The factor with which the mechanism is private: no smaller one will do.

        It is r**2, the factor of epsilon, from n = 2 on: with no bit and with one bit set the
        probability of a 1 is r**-n / 2 and r**(2-n) / 2. For n = 1 it is 2r - 1.
        """
        r = self.root.ratio
        return r * r if self.n > 1 else 2 * r - 1

    def promises(self, n: int, /) -> Promises:
        """Return the proved promises of the mechanism, by notion; none for other sizes.

        Parameters
        ----------
        n
            The size of the samples.
        """
        if n != self.n:
            return {}
        private = PrivacyGuarantee(Epsilon.exactly(self.private_factor))
        return {Notion.DIFFERENTIAL_PRIVACY: private}

    def optimum(self, beta: arguments.AnyNumber) -> Optimum:
        """Return the least factor of perfect generalization with delta = 0 on the fair coin.

        Parameters
        ----------
        beta
            The share of the samples that may be missed, at least 0 and below 1/2.

        Raises
        ------
        InvalidInput
            beta is out of range.

        Notes
        -----
        The best simulator covers consecutive numbers j of ones, from a to n - c say. The factor for
        two laws with probabilities l <= h of a 1 is the largest of h/l and (1-l)/(1-h), each under
        a root, and 1/(1 - h + l); also 1 + h - l, which is never larger than the third here. As
        beta < 1/2, the window reaches both halves, and with A = r**-(n-2a), B = r**-(n-2c) the
        squares of the three are (2-B)/A, (2-A)/B and 4/(A+B)**2, all rational. For a symmetric
        window A = B, and the last one is the largest: the factor is r**(n-2a) = e**(epsilon (n/2 -
        a)), with a fair coin as the simulator.

        Only windows that cannot be shortened are compared: O(n**2) bit operations for the sums of
        binomial coefficients, then a handful of windows. The sweep over all laws,
        :func:`pac_stability.notions.perfect_generalization.minimal_epsilon`, agrees.

        Examples
        --------
        All seven types must be covered, so the distance from the centre is 3: e**(3 epsilon) = 64.

        >>> NoisyMajority(6, Epsilon.exactly(2)).optimum(0)
        <Optimum: squared factor 4,096, first 0, last 6>
        """
        share = arguments.as_number(beta, "beta")
        if not 0 <= share < _HALF:
            raise InvalidInput(
                "beta", arguments.in_words(share), "a number of at least 0 and below 1/2"
            )
        missed = int(share * 2**self.n)
        # below[a]: how many sequences have fewer than a ones.
        below = list(accumulate(_binomials(self.n, self.n // 2), initial=0))
        windows = []
        for first in range(bisect_right(below, missed) - 1, -1, -1):
            outside = bisect_right(below, missed - below[first]) - 1
            if outside > first:
                break  # the mirror images of windows that are there already
            squared = self._squared(self.n - 2 * first, self.n - 2 * outside)
            windows.append(Optimum(squared, first, self.n - outside))
        return min(windows, key=lambda window: window.squared_factor)

    def _squared(self, left: int, right: int) -> Fraction:
        r = self.root.ratio
        a, b = r**-left, r**-right
        return max((2 - b) / a, (2 - a) / b, 4 / (a + b) ** 2)

    def tightness(self, beta: arguments.AnyNumber) -> MajorityTightness:
        """Return the exact optimum on the fair coin beside the bounds of Theorems 39 and 40.

        Parameters
        ----------
        beta
            The share of the samples that may be missed, above 0 and below 1/2.

        Raises
        ------
        InvalidInput
            beta is out of range.
        """
        share = arguments.as_number(beta, "beta")
        if share <= 0:
            raise InvalidInput("beta", arguments.in_words(share), "a number above 0 and below 1/2")
        return MajorityTightness(self, share, self.optimum(share))


@dataclass(frozen=True, slots=True, repr=False)
class Optimum(Tabled):
    """The least factor of perfect generalization on the fair coin, and the types it covers.

    Attributes
    ----------
    squared_factor
        Its square, e**(2 epsilon'): a rational number.
    first, last
        The numbers of ones that a best simulator covers; their mirror image does as well.
    """

    squared_factor: Fraction
    first: int
    last: int

    @property
    def epsilon(self) -> Interval:
        """The logarithm of the factor, epsilon'."""
        return Interval.log(self.squared_factor) / 2


@dataclass(frozen=True, slots=True, repr=False)
class MajorityTightness(Tabled):
    """The exact epsilon' of the noisy majority on the fair coin, between the paper's bounds.

    Attributes
    ----------
    mechanism
        The noisy majority.
    beta
        The share of the samples that may be missed.
    optimum
        The exact least factor.

    Notes
    -----
    The lower bounds use that for K <= 1/8 the mean is at most 1/2 - K, and at least 1/2 + K, with
    probability exp(-16 n K**2) / 15 each (:func:`tail_inequality`), so with probability gamma for
    K(gamma) = sqrt(ln(1/(15 gamma)) / n) / 4. They need gamma < 1/15 and
    n >= 4 ln(1/(15 gamma)), for K <= 1/8; where that fails there is none, and the attribute is
    ``None``.

    How the exact value grows: a symmetric window reaches z sqrt(n)/2 from the centre, for about the
    two-sided normal quantile z of beta, and costs epsilon z sqrt(n)/2. As z is near
    sqrt(2 ln(1/beta)) for small beta, Theorem 39 is about twice too large for large n, no more.

    Examples
    --------
    >>> row = NoisyMajority(400, Epsilon.exactly("21/20")).tightness("1/10000")
    >>> [round(float(bound), 2) for bound in (row.printed, row.repaired, row.direct)]
    [-0.23, 0.27, 1.24]
    >>> round(float(row.exact), 2), round(float(row.theorem_39), 2)
    (3.76, 8.98)
    """

    mechanism: NoisyMajority
    beta: Fraction
    optimum: Optimum

    @property
    def exact(self) -> Interval:
        """The least epsilon' at this beta with delta = 0."""
        return self.optimum.epsilon

    @property
    def theorem_39(self) -> Interval:
        """The upper bound: epsilon sqrt(2 n ln(2 |R| / beta)) with |R| = 2."""
        return self.mechanism.epsilon.interval() * Interval.sqrt(
            2 * self.mechanism.n * Interval.log(4 / self.beta)
        )

    @property
    def printed(self) -> Interval | None:
        """(K n epsilon - 1)/2 with gamma = 2 sqrt(beta), the lower bound in the proof."""
        scaled = self._scaled(900 * self.beta, 2)
        return None if scaled is None else (scaled - 1) / 2

    @property
    def repaired(self) -> Interval | None:
        """K n epsilon / 2 with gamma = 2 sqrt(beta), for beta < 1/900.

        The noise errs by K in one direction with probability e**(-K n epsilon) / 2, so the ratio in
        the proof is 2 e**(K n epsilon) - 1, which is at least e**(K n epsilon).
        """
        scaled = self._scaled(900 * self.beta, 2)
        return None if scaled is None else scaled / 2

    @property
    def direct(self) -> Interval | None:
        """K n epsilon with gamma = beta, for beta < 1/15.

        Both tails weigh more than beta for any smaller K, so the simulator covers a sample in each
        of them, with probabilities l <= e**(-K n epsilon)/2 and h >= 1 - e**(-K n epsilon)/2 of a
        1. It says 1 with probability at most e**epsilon' l and 0 with at most
        e**epsilon' (1 - h), which sum to at least 1. So e**epsilon' >= e**(K n epsilon).
        """
        return self._scaled(15 * self.beta, 1)

    def _scaled(self, below_one: Fraction, halves: int) -> Interval | None:
        """Return K n epsilon for K = sqrt(ln(1/below_one) / (halves n)) / 4, when 0 < K <= 1/8."""
        n = self.mechanism.n
        if below_one >= 1:
            return None
        log = Interval.log(1 / below_one) / halves
        if log.upper > Fraction(n, 4):
            return None
        return Interval.sqrt(log * n) / 4 * self.mechanism.epsilon.interval()


def tail_inequality(n: int) -> bool:
    """Decide whether Pr[B >= n/2 + s] >= exp(-16 s**2 / n) / 15 for all real s from 0 to n/8.

    Parameters
    ----------
    n
        The number of fair coins; B is the number of heads.

    Raises
    ------
    InvalidInput
        n is not a positive integer.

    Notes
    -----
    Between two values k - n/2 the left side is constant and the right side falls. So it is enough
    to compare the left side just above each of them with the right side at it. CLNRW16, the tail
    bound in the proof of Theorem 40; the comparisons are those of certified intervals.

    Examples
    --------
    >>> all(tail_inequality(n) for n in range(1, 40))
    True
    """
    size = arguments.as_size(n, "n", least=1)
    # fewer[j]: how many sequences have fewer than j tails, that is more than n - j heads.
    fewer = list(accumulate(_binomials(size, size), initial=0))
    for k in range(size // 2, size + 1):
        s = max(Fraction(2 * k - size, 2), Fraction(0))
        if 8 * s >= size:
            break
        if Fraction(fewer[size - k], 2**size) < Interval.exp(-16 * s * s / size) / 15:
            return False
    return True


def _binomials(n: int, most: int) -> Iterator[int]:
    """Yield C(n, j) for j = 0, ..., most, each from the one before."""
    value = 1
    for j in range(most + 1):
        yield value
        value = value * (n - j) // (j + 1)
