"""Majorities of bits: robust only (Lemma 37), and private at a price (Theorem 40).

The plain majority generalizes robustly, but is neither private nor perfect. With Laplace noise on
the mean it is private, and perfect generalization costs a factor sqrt(n). With r = e**(epsilon/2)
its law is made of integer powers of r, so it is exact when r is rational.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Protocol

from pac_stability import arguments
from pac_stability._report import Tabled
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.audit import Notion
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.learning import Promises
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions.frontier import factor_of
from pac_stability.notions.two_point import Extremum
from pac_stability.notions.two_point_generalization import failure_over_two_points
from pac_stability.randomness import SYSTEM_COINS, Coins


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
        How many there must be.

    Raises
    ------
    InvalidInput
        The sample has another size, or an element that is no bit.

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
    """Say 1 when more than floor(n/2) of n bits are 1, and 0 otherwise.

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

    def failure(self, epsilon: arguments.AnyNumber) -> Extremum:
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
        return failure_over_two_points(self.n, epsilon)


# Theorem 40

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class NoisyMajority:
    """Say whether the mean of n bits, with Laplace noise of scale 1/(n epsilon), exceeds 1/2.

    Parameters
    ----------
    n
        The size of the samples, at least 1.
    root
        e**(epsilon/2), so that its square is the factor of epsilon.

    Raises
    ------
    InvalidInput
        n is no positive integer, or the root is no ``Epsilon`` or that of 0.

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
        """Return the probability of a 1 when so many bits are 1.

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
            Where the coins come from; the operating system's entropy by default.
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
        """Return what is proved of the mechanism, by notion; nothing for other sizes than its own.

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
        The best simulator covers consecutive numbers j of ones, from a to n - c say. What it needs
        for two laws with probabilities l <= h of a 1 is the largest of h/l and (1-l)/(1-h), each
        under a root, and 1/(1 - h + l); also 1 + h - l, which is never larger than the third here.
        As beta < 1/2, the window reaches both halves, and with A = r**-(n-2a), B = r**-(n-2c) the
        squares of the three are (2-B)/A, (2-A)/B and 4/(A+B)**2, all rational. For a symmetric
        window A = B, and the last one is the largest: the factor is
        r**(n-2a) = e**(epsilon (n/2 - a)), with a fair coin as the simulator.

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
        n is no positive integer.

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
