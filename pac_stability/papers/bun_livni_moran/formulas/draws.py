"""Lemma 14: how many examples are drawn to make one sample of k tournaments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    ExactNumber,
    as_fraction,
    as_number,
    as_size,
    in_words,
)
from pac_stability.errors import InvalidInput

LARGEST_PRINTED = 10_000
"""Up to which d the printed formulas are computed; their numbers have d binary digits and more."""

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True, repr=False)
class ExpectedDraws(Tabled):
    """Bounds on E[M_k], the mean number of examples drawn from the target for one sample of D_k.

    Parameters
    ----------
    k
        The number of tournaments.
    n
        Examples that each player draws.
    threshold
        tau: below level k, no output is this frequent. Above 0 and at most 1/2.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    ``E[M_{i+1}] = 2 (E[M_i] + n) / theta_i`` exactly (:func:`expected_draws`), where theta_i is the
    probability that two players of level i are told apart. As ``sum_f p(f)**2 < tau``, ``theta_i >
    1 - tau >= 1/2``.

    Source: BLM20 Lemma 14; its step from i to i + 1 is needed from i = 0 on.

    Examples
    --------
    >>> bounds = ExpectedDraws(k=2, n=5, threshold=Fraction(1, 4))
    >>> bounds.from_threshold, bounds.summed, bounds.printed
    (Fraction(440, 9), 100, 320)
    """

    k: int
    n: int
    threshold: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_size(self.k, "k"))
        if self.k > LARGEST_PRINTED:
            raise InvalidInput("k", in_words(self.k), f"at most {LARGEST_PRINTED}")
        object.__setattr__(self, "n", as_size(self.n, "n"))
        tau = as_number(self.threshold, "threshold")
        if not 0 < tau <= Fraction(1, 2):
            raise InvalidInput("threshold", in_words(tau), "above 0 and at most 1/2")
        object.__setattr__(self, "threshold", tau)

    @property
    def printed(self) -> int:
        """``4**(k+1) n``, as stated."""
        return (4 << 2 * self.k) * self.n

    @property
    def summed(self) -> int:
        """``(4 + 4**2 + ... + 4**k) n``, as the proof gives."""
        return ((4 << 2 * self.k) - 4) // 3 * self.n

    @property
    def from_threshold(self) -> Fraction:
        """``(g + g**2 + ... + g**k) n`` with ``g = 2 / (1 - tau)``."""
        g = 2 / (1 - self.threshold)
        return sum((g**j for j in range(1, self.k + 1)), ZERO) * self.n


def expected_draws(collisions: Iterable[ExactNumber], n: int) -> Fraction:
    """Return E[M_k] exactly, from how often two players have the same predictor.

    Parameters
    ----------
    collisions
        ``1 - theta_i = sum_f p_i(f)**2`` for i = 0, ..., k - 1, each from 0 on and below 1.
    n
        Examples that each player draws.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The number of pairs that are tried is geometric and each costs ``2 (E[M_i] + n)`` on average.
    The whole law of M_k is :class:`~pac_stability.papers.bun_livni_moran.DrawCounts`.

    Examples
    --------
    >>> expected_draws(["1/5"], n=1)
    Fraction(5, 2)
    """
    size = as_size(n, "n")
    mean = ZERO
    for collision in collisions:
        mean = 2 * (mean + size) / (1 - _as_collision(collision))
    return mean


def _as_collision(collision: AnyNumber) -> Fraction:
    same = as_fraction(collision, "collisions")
    if not 0 <= same < 1:
        raise InvalidInput("collisions", in_words(same), "probabilities below 1")
    return same
