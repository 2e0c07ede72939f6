"""What k kept examples can tell at most: examples with a name, and a bit for each k names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, comb, factorial, perm, prod

from pac_stability.arithmetic import Interval
from pac_stability.claims.trials import Budget


@dataclass(frozen=True, slots=True)
class Named:
    """n examples, each with a name and, for every sequence of k names, a bit of its own.

    The names are uniform on so many, the bits are 1 with probability ``bit``, and all of them are
    independent. The test of a sequence of names is whether an example has one of these names, or 1
    as its bit for them. Whoever keeps k examples names a sequence, so whoever sees the sample keeps
    one whose test deviates too far, if there is any: nearly n**k tests, nearly independent, each of
    which contains what is kept. This is what the union bound over selections fears.

    Attributes
    ----------
    n, k
        The sizes.
    names
        The number of names.
    bit
        The probability of a 1.
    delta
        The probability of failure that is allowed.
    """

    n: int
    k: int
    names: int
    bit: Fraction
    delta: Fraction

    def failure(self, deviation: Fraction) -> Fraction:
        """Return the probability that the test of some k kept examples deviates by more."""

        @cache
        def misses(inside: int, distinct: int) -> Fraction:
            """Return how likely a test stays near, with so many examples of its so many names."""
            named = Fraction(distinct, self.names)
            mean = named + (1 - named) * self.bit
            rest = self.n - inside
            return sum(
                (
                    comb(rest, ones) * self.bit**ones * (1 - self.bit) ** (rest - ones)
                    for ones in range(rest + 1)
                    if abs(Fraction(inside + ones, self.n) - mean) <= deviation
                ),
                Fraction(0),
            )

        # Given the names, the bits of different sequences are independent.
        near = Fraction(0)
        for counts in _partitions(self.n, self.n):
            blocks = Counter(
                (sum(counts[i] for i in set(chosen)), len(set(chosen)))
                for chosen in product(range(len(counts)), repeat=self.k)
            )
            near += self._likely(counts) * prod(
                misses(*block) ** often for block, often in blocks.items()
            )
        return 1 - near

    def failure_apart(self, far: Callable[[int, Fraction], bool]) -> Fraction:
        """Return at most the probability that some test of k examples is far, for large n.

        Parameters
        ----------
        far
            From the number of the other examples in a test, and its probability, to whether it
            deviates too far, where all examples have different names.
        """
        share = Fraction(self.k, self.names)
        mean, rest = share + (1 - share) * self.bit, self.n - self.k
        one, zero = self.bit.numerator, self.bit.denominator - self.bit.numerator
        found = sum(
            comb(rest, ones) * one**ones * zero ** (rest - ones)
            for ones in range(rest + 1)
            if far(ones, mean)
        )
        each, tests = Fraction(found, self.bit.denominator**rest), perm(self.n, self.k)
        # 1 - (1 - q)**N is at least N q - (N q)**2 / 2, which is near it for small N q.
        some = max(each, tests * each * (1 - tests * each / 2), 1 - _power(1 - each, tests))
        return Fraction(perm(self.names, self.n), self.names**self.n) * some

    def often_reached(self) -> int:
        """Return a number of other examples that some test has, or more, with more than delta.

        It is the largest for which that follows from the tests of examples with different names.
        """
        rest, tests = self.n - self.k, perm(self.n, self.k)
        different = 1 - Fraction(self.n * (self.n - 1), 2 * self.names)
        # Some of the tests have so many with probability at least 1 - e^(-N q).
        needed = Interval.log(1 / (1 - self.delta / different)).upper / tests
        one, zero = self.bit.numerator, self.bit.denominator - self.bit.numerator
        ones, term, least = rest, one**rest, ceil(needed * self.bit.denominator**rest)
        total = term
        while total <= least and ones:
            term = term * ones * zero // ((rest - ones + 1) * one)
            total, ones = total + term, ones - 1
        return ones

    def __str__(self) -> str:
        return (
            f"{self.n} examples, {self.k} of them kept, each with one of {self.names} names and a "
            f"bit for each {self.k} names that is 1 with probability {self.bit}"
        )

    def _likely(self, counts: tuple[int, ...]) -> Fraction:
        """Return how likely the names occur so often, the most frequent one first."""
        ways = factorial(self.n) // prod(map(factorial, counts))
        alike = prod(map(factorial, Counter(counts).values()))
        return Fraction(ways * perm(self.names, len(counts)), alike * self.names**self.n)


_NEARLY_MET = {
    1: ((3, 14, "1/2"), (3, 20, "9/10"), (4, 24, "1/2"), (8, 35, "9/10"), (12, 28, "1/2")),
    2: ((6, 14, "1/2"), (5, 11, "99/100"), (6, 17, "9/10"), (7, 19, "1/2"), (10, 23, "9/10")),
    3: ((8, 10, "9/10"), (10, 16, "1/2"), (10, 18, "9/10"), (12, 22, "1/2")),
}


def named(budget: Budget, k: int) -> Iterator[Named]:
    """Give settings with bits for which the bound for k kept examples is as nearly met as it is.

    The chances of a 1, in hundredths, were searched for.
    """
    for n, percent, delta in _NEARLY_MET[k][: budget.pick(3, 4, 5)]:
        yield Named(n, k, 10_000, Fraction(percent, 100), Fraction(delta))


def many_named(budget: Budget) -> Iterator[Named]:
    """Give settings with so many examples that the bounds of Lemmas 16 and 17 are below 1."""
    sizes = (
        (80, 1, 51, "99/100"),
        (200, 1, 27, "1/2"),
        (1000, 1, 28, "99/100"),
        (200, 2, 49, "99/100"),
        (1000, 2, 33, "1/2"),
        (3000, 1, 22, "99/100"),
    )
    for n, k, percent, delta in sizes[: budget.pick(4, 5, 6)]:
        yield Named(n, k, 10**9, Fraction(percent, 100), Fraction(delta))


def very_many_named(budget: Budget) -> Iterator[Named]:
    """Give settings with so many examples that the tails are those of a normal law."""
    n = budget.pick(20_000, 40_000, 100_000)
    for k, bit in ((1, Fraction(1, 2)), (1, Fraction(1, 8)), (2, Fraction(1, 8))):
        yield Named(n, k, 10**15, bit, Fraction(1, 2))


def _power(base: Fraction, exponent: int) -> Fraction:
    """Return no less than a power of a number in [0, 1], within 2**-100 or so."""
    unit = 1 << 160
    power, square = unit, ceil(base * unit)
    while exponent:
        if exponent & 1:
            power = -(-power * square // unit)
        square = -(-square * square // unit)
        exponent >>= 1
    return Fraction(power, unit)


def _partitions(n: int, largest: int) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        yield from ((first, *rest) for rest in _partitions(n - first, first))
