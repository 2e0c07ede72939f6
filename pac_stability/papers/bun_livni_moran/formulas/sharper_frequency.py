"""Lemma 12 with the same proof and nothing given away in its recursion: a larger frequency."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from pac_stability.arguments import AnyNumber, as_number, as_size, in_words
from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput

LARGEST_DIMENSION = 8
"""Up to which d the proved threshold is found; it has ``2**d`` binary digits."""


def largest_squares(total: Fraction, most: Fraction) -> Fraction:
    """Return the largest sum of squares of numbers from 0 to ``most`` that sum to ``total``.

    A sum of squares is convex, so it is largest where as many as can be are ``most``, and one is
    what is left. It is at most ``most * total``.

    Examples
    --------
    >>> largest_squares(Fraction(1), Fraction(2, 5))
    Fraction(9, 25)
    """
    whole = total // most
    return whole * most**2 + (total - whole * most) ** 2


def sharper_agreement_bounds(k: int, tau: AnyNumber) -> tuple[Fraction, ...]:
    """Return r_0, ..., r_k: how likely all tournament labels agree with the target, at least.

    Parameters
    ----------
    k
        The number of tournaments.
    tau
        A frequency, above 0 and at most 1, that no output of D_0, ..., D_{k-1} exceeds.

    Returns
    -------
    tuple of Fraction
        ``r_0 = 1``, ``r_1 = 1/2`` and ``r_j = (r^2 - q) / (2 (1 - q))`` for ``r = r_{j-1}``, where
        q is the largest sum of squares of numbers from 0 to tau whose sum is r. None is smaller
        than that of :func:`agreement_bounds`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    With the words of :class:`FrequencyThreshold`: let ``rho = rho_{k-1}``, let g(f) be the
    probability that a player of level k - 1 is good and has the predictor f, p(f) the probability
    of f, and G the sum of the g(f)^2. Two players are both good and told apart with probability
    ``rho^2 - G``; then the one that is kept is good when y = c(x), which has probability 1/2. Any
    two are told apart with probability ``1 - sum p(f)^2 <= 1 - G``. So ``rho_k >= (rho^2 - G) /
    (2 (1 - G))``.

    This falls when G grows, as ``rho <= 1``. The g(f) are at most tau and sum to rho; a sum of
    squares, being convex, is largest where as many of them as can be are tau and one is what is
    left: ``q = m tau^2 + (rho - m tau)^2`` with m the integer part of ``rho/tau``. That is at most
    ``tau rho``.

    Finally the bound grows with rho, so that a lower bound on rho may be put in its place: the
    derivative of q in rho is ``2 (rho - m tau) <= 2 rho``, so the numerator does not fall, and the
    denominator does not grow.

    Examples
    --------
    >>> [str(r) for r in sharper_agreement_bounds(2, "1/10")]
    ['1', '1/2', '2/19']
    """
    size, frequency = as_size(k, "k"), as_number(tau, "tau")
    if not 0 < frequency <= 1:
        raise InvalidInput("tau", in_words(frequency), "a frequency, above 0 and at most 1")
    return agreement_of_levels((frequency,) * size)


def agreement_of_levels(frequencies: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return r_0, ..., r_k if outputs of D_0, ..., D_{k-1} are not as frequent as these numbers.

    The proof of :func:`sharper_agreement_bounds` looks at one level at a time, so each may have a
    frequency of its own. That of D_0 plays no part, as r_1 is 1/2.

    Examples
    --------
    >>> [str(r) for r in agreement_of_levels([Fraction(1, 3), Fraction(1, 10)])]
    ['1', '1/2', '2/19']
    """
    bounds = [Fraction(1), Fraction(1, 2)][: len(frequencies) + 1]
    for frequency in frequencies[1:]:
        r = bounds[-1]
        q = largest_squares(r, frequency)
        bounds.append((r * r - q) / (2 * (1 - q)))
    return tuple(bounds)


def proved_frequency(dimension: int, bits: int = 64) -> Interval:
    """Enclose the largest frequency that the sharper recursion proves for Lemma 12.

    Parameters
    ----------
    dimension
        d, at most :data:`LARGEST_DIMENSION`.
    bits
        The relative width of the interval is at most ``2**-bits``.

    Returns
    -------
    Interval
        For every class of Littlestone dimension d, every realizable target, n, tie rule and way of
        picking, some output of some D_k, k <= d, is at least as frequent as its lower end.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    If no output of D_0, ..., D_d had the frequency tau, the target would have frequency ``rho_d >=
    r_d(tau)`` in D_d (:class:`FrequencyThreshold`, step 3). So tau is reached where ``r_d(tau) >=
    tau``. By induction r_d falls when tau grows: q grows with tau, and r grows with the r before
    it. So these tau are an interval from 0 on, whose end is found by bisection.

    For d = 2, and tau from 1/10 to 1/8, q is ``4 tau^2 + (1/2 - 4 tau)^2``; then ``r_2 >= tau``
    means ``80 tau^2 - 56 tau + 5 >= 0``, and the end is ``(7 - 2 sqrt 6)/20 = 0.10505...``. With
    ``q <= tau/2`` alone it would mean ``4 tau^2 - 10 tau + 1 >= 0``: ``(5 - sqrt 21)/4 =
    0.10435...``.

    Examples
    --------
    >>> float(proved_frequency(2).lower), float(1 / proved_frequency(3).lower)
    (0.10505102572168219, 138.72499560119215)
    """
    size, precision = as_size(dimension, "dimension"), as_size(bits, "bits", least=1)
    if size > LARGEST_DIMENSION:
        raise InvalidInput("dimension", in_words(size), f"at most {LARGEST_DIMENSION}")
    return _enclosed(size, precision)


@lru_cache
def _enclosed(d: int, bits: int) -> Interval:
    if d == 0:
        return Interval.exactly(1)
    # The lower end is proved without the sharper recursion; r_k <= r_{k-1}^2 / 2 gives the upper.
    low, high = Fraction(1, 2**2**d), Fraction(1, 2 ** (2**d - 1))
    while high - low > low / 2**bits:
        middle = (low + high) / 2
        proved = sharper_agreement_bounds(d, middle)[-1] >= middle
        low, high = (middle, high) if proved else (low, middle)
    return Interval(low, high)
