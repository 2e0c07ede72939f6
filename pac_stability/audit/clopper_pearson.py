"""Exact confidence bounds for a probability, from independent tries (Clopper and Pearson, 1934).

After k successes in n tries, the lower bound is the probability p under which k or more successes
have probability ``error``. A smaller p makes what was seen still less likely, so whatever the true
probability is, the bound exceeds it with probability at most ``error``. The bounds returned are
rational and rounded outward; that they are bounds is proved in integer arithmetic, where every
binomial tail is computed from above.
"""

from __future__ import annotations

import math
from fractions import Fraction

from pac_stability.arguments import as_number, as_size, in_words
from pac_stability.errors import InvalidInput

BITS = 40
"""The bounds are multiples of 2**-BITS."""

_HALF = Fraction(1, 2)


def lower_bound(successes: int, runs: int, error: Fraction) -> Fraction:
    """Return a number that exceeds the probability of success with probability at most ``error``.

    Parameters
    ----------
    successes
        k, between 0 and n.
    runs
        n, the number of independent tries, fixed beforehand; at least 1.
    error
        An exact number, more than 0 and less than 1/2.

    Returns
    -------
    Fraction
        The lower Clopper-Pearson bound rounded down to a multiple of 2**-40; 0 for no success.

    Raises
    ------
    InvalidInput
        An argument is outside its range.

    Notes
    -----
    Bisection, with about 20 sqrt(n) terms of the tail at each of 40 steps: 15 ms for n = 10,000.

    Examples
    --------
    All of ten tries succeed: p^10 = 1/20 at p = 0.7411...

    >>> bound = lower_bound(10, 10, Fraction(1, 20))
    >>> bound ** 10 <= Fraction(1, 20) < (bound + Fraction(1, 2**39)) ** 10
    True
    """
    n = as_size(runs, "runs", least=1)
    k = as_size(successes, "successes")
    if k > n:
        raise InvalidInput("successes", in_words(k), f"at most {n}, the number of runs")
    limit = as_number(error, "error")
    if not 0 < limit < _HALF:
        raise InvalidInput("error", in_words(limit), "a number between 0 and 1/2")
    if k == 0:
        return Fraction(0)
    tail = _Tail(k, n, limit)
    # The median of the binomial law of mean k is k, so its tail at p = k/n is 1/2 or more.
    low, high = 0, -(-(k << BITS) // n)
    while high - low > 1:
        middle = (low + high) // 2
        if tail.at_most_error(middle):
            low = middle
        else:
            high = middle
    return Fraction(low, 1 << BITS)


def upper_bound(successes: int, runs: int, error: Fraction) -> Fraction:
    """Return a number below the probability of success with probability at most ``error``.

    Parameters
    ----------
    successes, runs, error
        As for :func:`lower_bound`.

    Returns
    -------
    Fraction
        The upper Clopper-Pearson bound rounded up to a multiple of 2**-40; positive.

    Raises
    ------
    InvalidInput
        An argument is outside its range.

    Examples
    --------
    >>> upper_bound(0, 10, Fraction(1, 20)) == 1 - lower_bound(10, 10, Fraction(1, 20))
    True
    """
    n = as_size(runs, "runs", least=1)
    k = as_size(successes, "successes")
    if k > n:
        raise InvalidInput("successes", in_words(k), f"at most {n}, the number of runs")
    return 1 - lower_bound(n - k, n, error)


class _Tail:
    """The probability of k or more successes, from above, in floating point with integers.

    A number is a mantissa of limited length times a power of two, and every operation rounds up.
    """

    def __init__(self, k: int, n: int, error: Fraction, bits: int | None = None) -> None:
        self._k = k
        self._n = n
        # Errors of rounding, at most n of them, stay far below the error that is allowed. With
        # fewer bits the tail is larger, and still one from above.
        self._bits = bits or 64 + 2 * n.bit_length() + error.denominator.bit_length()
        self._ways = self._rounded(math.comb(n, k), 0)
        self._error = math.floor(error * (1 << self._bits))

    def at_most_error(self, p: int) -> bool:
        """Return whether the tail is proved to be at most the error, for p / 2**BITS <= k / n."""
        q = (1 << BITS) - p
        n = self._n
        mantissa, exponent = self._product(
            self._ways, self._product(self._power(p, self._k), self._power(q, n - self._k))
        )
        # From here on a multiple of 2**-bits; terms decrease, because j >= k >= n p.
        shift = self._bits + exponent
        term = mantissa << shift if shift >= 0 else -(-mantissa >> -shift)
        total = term
        for j in range(self._k, n):
            if total > self._error:
                return False
            if term <= 1:
                return total + (n - j) * term <= self._error
            term = -(-term * (n - j) * p // ((j + 1) * q))
            total += term
        return total <= self._error

    def _rounded(self, mantissa: int, exponent: int) -> tuple[int, int]:
        excess = max(0, mantissa.bit_length() - self._bits)
        return -(-mantissa >> excess), exponent + excess

    def _product(self, one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        return self._rounded(one[0] * other[0], one[1] + other[1])

    def _power(self, p: int, exponent: int) -> tuple[int, int]:
        """Return (p / 2**BITS) ** exponent, rounded up."""
        power = (1, 0)
        for bit in bin(exponent)[2:]:
            power = self._product(power, power)
            if bit == "1":
                power = self._product(power, (p, -BITS))
        return power
