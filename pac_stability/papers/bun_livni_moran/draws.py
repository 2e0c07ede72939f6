"""Lemma 14: the number of examples for a sample of k tournaments: its mean and its law."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pac_stability import arguments
from pac_stability._report import Tabled
from pac_stability.arithmetic import Interval
from pac_stability.errors import BudgetExhausted, InvalidInput

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
        object.__setattr__(self, "k", arguments.as_size(self.k, "k"))
        if self.k > LARGEST_PRINTED:
            raise InvalidInput("k", arguments.in_words(self.k), f"at most {LARGEST_PRINTED}")
        object.__setattr__(self, "n", arguments.as_size(self.n, "n"))
        tau = arguments.as_number(self.threshold, "threshold")
        if not 0 < tau <= Fraction(1, 2):
            raise InvalidInput("threshold", arguments.in_words(tau), "above 0 and at most 1/2")
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


def expected_draws(collisions: Iterable[arguments.ExactNumber], n: int) -> Fraction:
    """Return E[M_k] exactly, from the probability that two players have the same predictor.

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
    size = arguments.as_size(n, "n")
    mean = ZERO
    for collision in collisions:
        mean = 2 * (mean + size) / (1 - _as_collision(collision))
    return mean


def _as_collision(collision: arguments.AnyNumber) -> Fraction:
    same = arguments.as_fraction(collision, "collisions")
    if not 0 <= same < 1:
        raise InvalidInput("collisions", arguments.in_words(same), "probabilities below 1")
    return same


# How many examples a sample of k tournaments takes: the law of M_k, for budgets of any size

MAX_BITS = 1 << 18
"""The size of exact answers; what is larger is enclosed only."""


class DrawCounts:
    """The law of the number of blocks drawn from the target for a sample of D_k.

    A block is the n examples of one player.

    Parameters
    ----------
    collisions
        For level 0, ..., k - 1, the probability that two players have the same predictor; at most
        1.

    Raises
    ------
    InvalidInput
        A collision is not a probability.

    Notes
    -----
    Let u stand for two blocks, and theta for one minus the collision of level i. Rounds cost
    ``u g_i(u)**2`` each and are decided with probability theta, whatever they cost, so that
    ``g_{i+1} = theta u g_i**2 / (1 - (1 - theta) u g_i**2)``, with ``g_0 = 1``. By induction ``g_i
    = c u**(2**i - 1) / q(u)`` with a number c and a polynomial q of degree below ``2**i``.

    A coefficient of index N of a quotient p(u)/q(u) is found in ``log2 N`` steps: the one of
    ``p(u) q(-u) / (q(u) q(-u))`` is that of index ``N // 2`` when the even or the odd terms of the
    numerator are kept and ``u**2`` is written u [A. Bostan and R. Mori, SOSA 2021]. Each step is a
    product of polynomials of degree ``2**k``.

    Examples
    --------
    One tournament takes 2 blocks unless there is a tie, then 2 more, and so on.

    >>> counts = DrawCounts(["1/5"])
    >>> counts.least, counts.within(1), counts.within(5)
    (2, Fraction(0, 1), Fraction(24, 25))
    >>> print(1 - DrawCounts(["1/5", "1/10", "1/10"]).enclosed_within(10**6))
    0.0, 3.498046881551929e-105
    """

    def __init__(self, collisions: Iterable[arguments.ExactNumber]) -> None:
        arguments.require_instance(collisions, Iterable, "collisions")
        self._levels = 0
        factor, bottom = 1, [1]
        for given in collisions:
            same = arguments.as_fraction(given, "collisions")
            if not 0 <= same <= 1:
                raise InvalidInput("collisions", arguments.in_words(same), "probabilities")
            whole, ties = same.denominator, same.numerator
            self._levels += 1
            squared = [whole * b for b in _product(bottom, bottom)]
            squared += [0] * ((1 << self._levels) - len(squared))
            squared[-1] -= ties * factor**2
            factor = (whole - ties) * factor**2
            common = math.gcd(factor, *squared)
            factor, bottom = factor // common, [b // common for b in squared]
        self._factor, self._bottom = factor, bottom

    @property
    def least(self) -> int:
        """The blocks that are drawn when no round is a tie, ``2 (2**k - 1)``."""
        return 2 * ((1 << self._levels) - 1)

    def within(self, blocks: int) -> Fraction:
        """Return the probability that at most this many blocks are drawn.

        Parameters
        ----------
        blocks
            The budget N/n.

        Raises
        ------
        BudgetExhausted
            The number has more than some :data:`MAX_BITS` bits.

        Notes
        -----
        ``O(log(blocks))`` products of polynomials, the last ones of integers as long as the answer.
        """
        index = self._index(blocks)
        if index * self._bottom[0].bit_length() > MAX_BITS:
            raise BudgetExhausted(
                f"the exact probability for {blocks} blocks has more than {MAX_BITS} bits; "
                "ask for an enclosure"
            )
        exact = _Rounded(self._cumulated(), 0, 0)
        top, bottom = _coefficient(_Rounded([self._factor], 0, 0), exact, index)
        return Fraction(top.first, bottom.first)

    def enclosed_within(self, blocks: int, bits: int = 128) -> Interval:
        """Enclose the probability that at most this many blocks are drawn.

        Parameters
        ----------
        blocks
            The budget N/n.
        bits
            The width is at most ``2**-bits``.

        Notes
        -----
        ``O(4**k log(blocks))`` operations on numbers of ``bits + O(2**k log(blocks))`` bits, in
        fixed point with a bound on the error.
        """
        index = self._index(blocks)
        bottom = self._cumulated()
        # No pole is inside the unit disk, so that coefficients stay below 2**len(bottom).
        precision = arguments.as_size(bits, "bits") + (len(bottom) + 4) * (index.bit_length() + 1)
        while True:
            scaled = _Rounded([(b << precision) // bottom[0] for b in bottom], 1, precision)
            top = _Rounded([(self._factor << precision) // bottom[0]], 1, precision)
            top, scaled = _coefficient(top, scaled, index)
            found = top.enclosure / scaled.enclosure
            if found.width <= Fraction(1, 1 << bits):
                return Interval(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))
            precision *= 2

    def _index(self, blocks: int) -> int:
        """How many rounds beyond the least number may be lost to ties; -1 when too few blocks."""
        return max(-1, (arguments.as_size(blocks, "blocks") - self.least) // 2)

    def _cumulated(self) -> list[int]:
        return _product(self._bottom, [1, -1])


@dataclass(frozen=True, slots=True)
class _Rounded:
    """A polynomial in fixed point: coefficients within ``radius`` of those meant, in 2**-bits."""

    coefficients: list[int]
    radius: int
    bits: int

    def __mul__(self, other: _Rounded) -> _Rounded:
        left, right = self.coefficients, other.coefficients
        error = (
            self.radius * sum(map(abs, right))
            + other.radius * sum(map(abs, left))
            + self.radius * other.radius * min(len(left), len(right))
        )
        rounded = [c >> self.bits for c in _product(left, right)]
        # A shift cuts off less than one, by a multiple of 2**-bits.
        return _Rounded(rounded, -(-(error + (1 << self.bits) - 1) >> self.bits), self.bits)

    @property
    def first(self) -> int:
        """The term of index 0."""
        return self.coefficients[0] if self.coefficients else 0

    @property
    def enclosure(self) -> Interval:
        """The term of index 0 that is meant, times 2**bits."""
        return Interval(Fraction(self.first - self.radius), Fraction(self.first + self.radius))

    @property
    def mirrored(self) -> _Rounded:
        """The polynomial at -u."""
        signed = [-c if i & 1 else c for i, c in enumerate(self.coefficients)]
        return _Rounded(signed, self.radius, self.bits)

    def part(self, parity: int) -> _Rounded:
        """The terms of even or odd index alone, closed up."""
        return _Rounded(self.coefficients[parity::2], self.radius, self.bits)


def _coefficient(top: _Rounded, bottom: _Rounded, index: int) -> tuple[_Rounded, _Rounded]:
    """Return polynomials whose first terms have the quotient [u**index] top/bottom."""
    if index < 0:
        return _Rounded([], 0, top.bits), bottom
    while index:
        mirrored = bottom.mirrored
        top = (top * mirrored).part(index & 1)
        bottom = (bottom * mirrored).part(0)
        index >>= 1
    return top, bottom


def _product(left: list[int], right: list[int]) -> list[int]:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product
