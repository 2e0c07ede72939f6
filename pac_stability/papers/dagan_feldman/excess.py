"""Lemma 7: how many more errors than the best hypothesis the exponential mechanism makes."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.arguments import as_size
from pac_stability.arithmetic import Interval
from pac_stability.mechanisms.weights import as_decay

_GUARD = 32  # bits beyond the precision asked for, for the steps in between


def exponential_excess(candidates: int, decay: Fraction, bits: int = 64) -> Interval:
    """Return the largest expected excess of the exponential mechanism, in errors.

    Parameters
    ----------
    candidates
        N, the number of hypotheses, at least 1.
    decay
        rho, above 0 and below 1; ``e**(-epsilon/2)`` in the paper.
    bits
        The working precision.

    Returns
    -------
    Interval
        ``W((N - 1)/e) / ln(1/rho)``, with Lambert's W: whatever the errors k_h are, ``E[k_h] - min
        k_h`` is at most this. Divide it by n for the loss.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Let ``x_h = (k_h - min k) ln(1/rho)``; one of these is 0. The excess times ``ln(1/rho)`` is the
    average w of x_h with the weights ``e**-x_h``, so that the N - 1 others have ``sum (x_h - w)
    e**-x_h = w``. Each term is at most ``e**-(1+w)``, its value at ``x_h = 1 + w``: hence
    ``w e**(1+w) <= N - 1``. This is an equality when all others make ``(1 + w) / ln(1/rho)`` errors
    more than the best, so no smaller bound serves all rho.

    The bound of the paper is larger by a factor that falls from 2.49 at N = 2 towards 1.

    Examples
    --------
    >>> [round(float(exponential_excess(N, Fraction(1, 2))), 3) for N in (1, 2, 10, 10**6)]
    [0.0, 0.402, 1.588, 15.101]
    """
    number, bits = as_size(candidates, "candidates", least=1), as_size(bits, "bits", least=2)
    per_error = _log_of_inverse(decay, bits)
    if number == 1:
        return Interval.exactly(0)
    return _root(Interval.log(number - 1, bits + _GUARD) - 1, bits) / per_error


def paper_excess(candidates: int, decay: Fraction, bits: int = 64) -> Interval:
    """Return the bound of Lemma 7 on the expected excess, in errors: ``ln N / ln(1/rho)``.

    Parameters
    ----------
    candidates, decay, bits
        As for :func:`exponential_excess`.

    Returns
    -------
    Interval
        So that ``n >= 2 ln N / (epsilon alpha)`` makes the excess loss at most alpha.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> float(paper_excess(8, Fraction(1, 2)))
    3.0
    """
    number, bits = as_size(candidates, "candidates", least=1), as_size(bits, "bits", least=2)
    return Interval.log(number, bits + _GUARD) / _log_of_inverse(decay, bits)


def _log_of_inverse(decay: Fraction, bits: int) -> Interval:
    return Interval.log(1 / as_decay(decay, below_one=True), bits + _GUARD)


def _root(right: Interval, bits: int) -> Interval:
    """Enclose the number w with ``w + ln w = right``, W of e to that power, for ``right >= -1``."""
    precision = bits + _GUARD
    middle = (right.lower + right.upper) / 2
    # Newton's method for an increasing concave function, from below the root: it goes up. Where it
    # stops does not matter for what is certified afterwards.
    w = Fraction(1, 4)
    for _ in range(bits.bit_length() + 8):
        step = w * (1 + middle - Interval.log(w, precision).lower) / (1 + w)
        w = Fraction(round(step * (1 << precision)), 1 << precision)
    margin = w / (1 << bits)
    while True:
        low, high = w - margin, w + margin
        below = low + Interval.log(low, precision)
        above = high + Interval.log(high, precision)
        if below.upper <= right.lower and above.lower >= right.upper:
            return Interval(low, high)
        margin *= 2
