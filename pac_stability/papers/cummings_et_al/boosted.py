"""Theorem 26: what boosting keeps of a sample, and how robustly that generalizes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.compression.boosting import (
    boosting_rounds,
    counting_group,
    least_integer,
    net_group,
)
from pac_stability.compression.bounds import Theorem18
from pac_stability.dimensions import sauer_shelah_bound


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
        return boosting_rounds(self.n)

    @property
    def group(self) -> int:
        """m(n)."""
        counted = counting_group(sauer_shelah_bound(self.n, self.vc_dimension))
        return min(counted, net_group(self.vc_dimension))

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

        return cls(1 << least_integer(reached, 1), vc_dimension, risk)
