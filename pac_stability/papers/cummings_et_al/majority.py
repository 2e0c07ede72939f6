"""Lemma 37: the majority of n bits generalizes robustly, but is neither private nor perfect."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_size,
    described,
    in_words,
)
from pac_stability.arithmetic import Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
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
        raise InvalidInput("sample", described(sample), "a tuple or a Multiset of bits") from None
    if size != n or ones + zeros != n:
        raise InvalidInput("sample", described(sample), f"{n} elements, each 0 or 1")
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
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))

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

    def stated_deviation(self, gamma: AnyNumber) -> Interval:
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
        g = as_number(gamma, "gamma")
        if not 0 < g <= 2:
            raise InvalidInput("gamma", in_words(g), "a number above 0 and at most 2")
        return Interval.sqrt(Interval.log(2 / g) / (2 * self.n)) if g < 2 else Interval.exactly(0)

    def failure(self, epsilon: AnyNumber) -> Extremum:
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
