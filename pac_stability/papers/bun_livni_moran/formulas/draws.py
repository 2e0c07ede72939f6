"""Lemma 14: how many examples are drawn to make one sample of k tournaments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from pac_stability.arithmetic import ExactNumber, as_fraction, as_size
from pac_stability.arithmetic.exact import in_words
from pac_stability.errors import InvalidInput

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class ExpectedDraws:
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
        object.__setattr__(self, "n", as_size(self.n, "n"))
        tau = as_fraction(self.threshold, "threshold")
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


def draws_within(collisions: Iterable[ExactNumber], blocks: int) -> Fraction:
    """Return the probability that making a sample of D_k takes at most so many blocks of draws.

    Parameters
    ----------
    collisions
        As for :func:`expected_draws`.
    blocks
        The budget, N/n: every player draws one block of n examples.

    Returns
    -------
    Fraction
        ``Pr[M_k <= blocks n]``: one minus the probability of "Fail" in the variant with a budget.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *The number of draws is independent of the sample.* That is so for D_0. If it is so for D_i, the
    cost of a pair is independent of whether it is told apart, hence of how many pairs are tried and
    of the pair that is kept. So ``Pr[SOA(S o T) = f and not Fail] = p_k(f) Pr[M_k <= N]``.

    Two blocks being u, the generating function is ``g_0 = 1``, ``g_{i+1} = theta u g_i**2 / (1 -
    (1 - theta) u g_i**2)``: a quotient of polynomials of degree below 2^k, whose coefficients are
    found by a recurrence, in ``O(2**k blocks)`` operations on numbers of up to ``O(2**k blocks)``
    digits.

    Examples
    --------
    One tournament takes 2 blocks unless there is a tie, then 2 more, and so on.

    >>> draws_within(["1/5"], blocks=1), draws_within(["1/5"], blocks=5)
    (Fraction(0, 1), Fraction(24, 25))
    """
    top, bottom = [Fraction(1)], [Fraction(1)]
    for collision in collisions:
        same = _as_collision(collision)
        square = [Fraction(0), *_product(top, top)]
        top = [(1 - same) * a for a in square]
        bottom = [
            b - same * a for a, b in zip_longest(square, _product(bottom, bottom), fillvalue=ZERO)
        ]
    series: list[Fraction] = []
    for i in range(as_size(blocks, "blocks") // 2 + 1):
        known = sum(
            (bottom[j] * series[i - j] for j in range(1, min(i, len(bottom) - 1) + 1)), ZERO
        )
        series.append((top[i] if i < len(top) else ZERO) - known)
    return sum(series, ZERO)


def _product(left: list[Fraction], right: list[Fraction]) -> list[Fraction]:
    product = [ZERO] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product


def _as_collision(collision: ExactNumber) -> Fraction:
    same = as_fraction(collision, "collisions")
    if not 0 <= same < 1:
        raise InvalidInput("collisions", in_words(same), "probabilities below 1")
    return same
