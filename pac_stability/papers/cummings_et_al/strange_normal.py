"""Theorem 38: one sequence is strange, and perfect generalization does not mind.

A mechanism says "Strange" on a single ordered sample and "Normal" on all others. It is not private,
since two neighbours have disjoint laws; but if the strange sample is unlikely under every
distribution, saying "Normal" simulates it. How unlikely is what has to be got right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size, described
from pac_stability.arithmetic import Interval, decide_less
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins

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

    def law(self, x: Sequence[int], /) -> FiniteDistribution[str]:
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
        return FiniteDistribution.point_mass(STRANGE if tuple(x) == self.sequence else NORMAL)

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
    def worst(self) -> FiniteDistribution[int]:
        """The distribution of a bit under which the strange sample is likeliest: p = a/n."""
        p = Fraction(self.ones, self.n)
        return FiniteDistribution({1: p, 0: 1 - p})

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
    def worst(self) -> FiniteDistribution[int]:
        """The distribution under which the strange sample is likeliest."""
        return FiniteDistribution.uniform(range(1, self.n + 1))

    @property
    def beta(self) -> Fraction:
        """n**-n: the smallest beta on all distributions."""
        return Fraction(1, self.n**self.n)


def _below_log(n: int, value: Fraction) -> bool:
    """Return whether n < ln(value); never undecided, as the logarithm is irrational."""
    return decide_less(lambda _: Interval.exactly(n), lambda bits: Interval.log(value, bits))
