"""Definition 5, read in two ways: a mechanism that says nothing, and fails in one of them.

The *joint* reading bounds the probability of a failure over everything; the *split* reading, which
is the literal one, asks that for most samples the conditional probability is small.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

from pac_stability.arguments import AnyNumber, as_size
from pac_stability.data import FiniteDistribution
from pac_stability.notions.robust_generalization import tolerated_deviation
from pac_stability.notions.split_reading import split_failure

Test = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class CoordinateAdversary:
    """A constant mechanism on k fair bits, and the adversary that tests one of them at random.

    Parameters
    ----------
    k
        The number of coordinates, at least 1.
    n
        The size of the samples, at least 1.
    epsilon
        The deviation that is tolerated.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    CLNRW16, Definition 5. Each coordinate deviates with probability tau = Pr[|B/n - 1/2| > epsilon]
    for a binomial B, independently of the others; so the conditional probability of failure p_S,
    given the sample, is the share of k coordinates that deviate, K/k with K binomial. The joint
    reading has its mean, tau. The split reading has the least gamma + Pr[p_S > gamma], which is
    larger as soon as k > 1 and 0 < tau < 1.

    The mechanism is (0, 0)-differentially private and (0, 0, 0)-perfectly generalizing. So no
    theorem that derives robust generalization from these with the joint failure as its bound
    extends to the split reading without a loss.

    Examples
    --------
    >>> pair = CoordinateAdversary(2, 2, Fraction(1, 4))
    >>> pair.joint, pair.split, CoordinateAdversary(3, 2, Fraction(1, 4)).split
    (Fraction(1, 2), Fraction(3, 4), Fraction(19, 24))

    Theorem 21 with its constant repaired, |R| = 1, n = 20 and beta = 1/20 tolerates a deviation of
    sqrt(ln(40)/40) > 3/10, below 7/20:

    >>> wide = CoordinateAdversary(20, 20, Fraction(31, 100))
    >>> round(float(wide.joint), 5), wide.split > Fraction(1, 20), round(float(wide.split), 4)
    (0.00258, True, 0.0503)
    """

    k: int
    n: int
    epsilon: AnyNumber

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_size(self.k, "k", least=1))
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        object.__setattr__(self, "epsilon", tolerated_deviation(self.epsilon))

    @property
    def tau(self) -> Fraction:
        """The probability that one given coordinate deviates."""
        limit = tolerated_deviation(self.epsilon)
        half = Fraction(1, 2)
        deviating = (
            comb(self.n, b) for b in range(self.n + 1) if abs(Fraction(b, self.n) - half) > limit
        )
        return Fraction(sum(deviating), 2**self.n)

    @property
    def failures(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Pairs of a probability and the value K/k of p_S that has it."""
        tau, k = self.tau, self.k
        return tuple(
            (comb(k, j) * tau**j * (1 - tau) ** (k - j), Fraction(j, k)) for j in range(k + 1)
        )

    @property
    def joint(self) -> Fraction:
        """The failure in the joint reading: the mean of p_S."""
        return self.tau

    @property
    def split(self) -> Fraction:
        """The failure in the split reading."""
        return split_failure(self.failures)

    @property
    def distribution(self) -> FiniteDistribution[tuple[int, ...]]:
        """The law of one element: k fair bits."""
        return FiniteDistribution.uniform(product((0, 1), repeat=self.k))

    @property
    def adversary(self) -> FiniteDistribution[Test]:
        """The law of the test: the elements whose bit is 1 in a random coordinate."""
        elements = self.distribution.support
        return FiniteDistribution.uniform(
            tuple(e for e in elements if e[place]) for place in range(self.k)
        )
