"""Regret of Hedge: the explicit bound, as a certified interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pac_stability._report import Tabled
from pac_stability.arguments import as_open_unit, as_size
from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput


def expert_count(rounds: int, flips: int) -> int:
    """Count the sets of at most ``flips`` of ``rounds`` rounds; 0 when ``flips`` is negative.

    Examples
    --------
    >>> expert_count(4, 2), expert_count(100, 2), expert_count(3, -1)
    (11, 5051, 0)
    """
    return sum(math.comb(rounds, size) for size in range(flips + 1))


@dataclass(frozen=True, slots=True, repr=False)
class RegretBound(Tabled):
    """ln N / eta + eta T / 8, for Hedge over N experts in T rounds at learning rate eta.

    Whatever the points and labels, the expected mistakes exceed those of the best expert by at
    most this.  At eta = sqrt(8 ln N / T) it equals sqrt(T ln N / 2), its least value.

    Attributes
    ----------
    horizon
        T, the number of rounds.
    experts
        N, the number of experts.
    beta
        e^-eta, a rational in (0, 1).

    Notes
    -----
    Source: N. Cesa-Bianchi and G. Lugosi, *Prediction, learning, and games*, 2006, Theorem 2.2.

    Examples
    --------
    >>> RegretBound(horizon=100, experts=5051, beta=Fraction(1, 2)).formula
    'ln 5051 / ln 2 + 100 ln 2 / 8'
    >>> RegretBound.tuned(horizon=100, experts=5051).beta
    Fraction(7, 16)
    """

    horizon: int
    experts: int
    beta: Fraction

    def __post_init__(self) -> None:
        as_size(self.horizon, "horizon")
        if as_size(self.experts, "experts") == 0:
            raise InvalidInput("experts", "0", "at least one")
        as_open_unit(self.beta, "beta")

    @classmethod
    def tuned(cls, horizon: int, experts: int) -> RegretBound:
        """Return the bound at a rational beta near the best, with a denominator of at most 32."""
        # A float may choose beta: the bound holds for every beta and is that of the one chosen.
        rate = math.sqrt(8 * math.log(experts) / max(1, horizon))
        beta = Fraction(math.exp(-rate)).limit_denominator(32)
        return cls(horizon, experts, min(max(beta, Fraction(1, 32)), Fraction(31, 32)))

    def interval(self, bits: int = 64) -> Interval:
        """Enclose the bound, computed with ``bits`` bits.

        Examples
        --------
        >>> bound = RegretBound(horizon=100, experts=5051, beta=Fraction(1, 2))
        >>> round(float(bound.interval()), 3), round(float(bound.least()), 3)
        (20.967, 20.649)
        """
        rate = Interval.log(1 / self.beta, bits)
        return Interval.log(self.experts, bits) / rate + rate * Fraction(self.horizon, 8)

    def least(self, bits: int = 64) -> Interval:
        """Enclose sqrt(T ln N / 2), the bound at the best real learning rate."""
        return Interval.sqrt(Interval.log(self.experts, bits) * Fraction(self.horizon, 2), bits)

    @property
    def formula(self) -> str:
        """The bound as text, with its numbers in place."""
        rate = f"ln {1 / self.beta}" if self.beta.numerator == 1 else f"ln({1 / self.beta})"
        return f"ln {self.experts} / {rate} + {self.horizon} {rate} / 8"
