"""Bounds on how often random points are no net, for all classes with a given growth (Lemma 4)."""

from __future__ import annotations

from fractions import Fraction
from math import comb, floor

from pac_stability.arguments import AnyNumber, as_probability, as_size, in_words
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman._subsamples import as_subsample


def index_net_bound(growth: int, n: int, size: int, alpha: AnyNumber) -> Fraction:
    """Bound how often a random set of indices is no net, by the growth function alone.

    Parameters
    ----------
    growth
        An upper bound on tau_n, the number of patterns on the sample.
    n
        Size of the sample.
    size
        n', how many indices are drawn.
    alpha
        An exact number from 0 to 1.

    Returns
    -------
    Fraction
        At most 1, and at least the failure of
        :class:`~pac_stability.papers.dagan_feldman.nets.IndexNets`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    There are at most C(tau_n, 2) differences on the sample. One that is heavier than alpha has
    k = floor(alpha n) + 1 indices or more, and is missed with probability at most
    C(n - k, n') / C(n, n') <= e^(-alpha n'); so n' >= (2 ln tau_n + ln(1/(2 beta))) / alpha is
    enough for beta, for every alpha. It is all that DF20's Lemmas 13 and 15 need of Lemma 4.

    Examples
    --------
    >>> index_net_bound(5, 4, 2, "1/4"), index_net_bound(5, 4, 3, "1/4")
    (Fraction(1, 1), Fraction(0, 1))
    """
    n, size = as_subsample(n, size)
    alpha = as_probability(alpha, "alpha")
    pairs = comb(as_size(growth, "growth"), 2)
    heavy = floor(alpha * n) + 1
    if heavy > n:
        return Fraction(0)
    return min(Fraction(1), Fraction(pairs * comb(n - heavy, size), comb(n, size)))


def drawn_net_bound(
    growth: int, size: int, alpha: AnyNumber, *, ghost: int, threshold: int
) -> Fraction:
    """Bound how often independent draws are no net, by the growth function alone.

    Parameters
    ----------
    growth
        An upper bound on tau at ``size + ghost`` points.
    size
        n', the number of draws.
    alpha
        An exact number above 0 and at most 1.
    ghost
        M, the size of a second sample, which is only thought of; any positive number is valid.
    threshold
        k, from 1 to M, how often the second sample hits a difference that the first one misses.

    Returns
    -------
    Fraction
        At most 1, and at least the failure of
        :class:`~pac_stability.papers.dagan_feldman.nets.DrawnNets` for every class with this growth
        and every distribution. Which ghost and threshold are best depends on the numbers; M = n'
        and a k between alpha M and 2 alpha M make a fair start.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The double sample: if a difference heavier than alpha is missed by the n' draws, then M further
    ones hit it k times or more with probability at least Pr[Bin(M, alpha) >= k]. On all n' + M
    draws there are C(tau, 2) differences, and one that occurs k times or more falls into the second
    part entirely with probability at most C(M, k) / C(n' + M, k). So the failure is at most

        C(tau, 2) C(M, k) / (C(n' + M, k) Pr[Bin(M, alpha) >= k]).

    The argument of Vapnik and Chervonenkis 1971, Haussler and Welzl 1987, and Blumer, Ehrenfeucht,
    Haussler and Warmuth 1989, for the class of differences. O(M) products of integers.

    Examples
    --------
    >>> bound = drawn_net_bound(401, 200, "1/10", ghost=200, threshold=40)
    >>> float(bound) < 0.001
    True
    """
    size, ghost = as_size(size, "size"), as_size(ghost, "ghost", least=1)
    threshold, alpha = as_size(threshold, "threshold", least=1), as_probability(alpha, "alpha")
    if alpha == 0:
        raise InvalidInput("alpha", "0", "a number above 0 and at most 1")
    if threshold > ghost:
        raise InvalidInput("threshold", in_words(threshold), f"at most {ghost}, the ghost's size")
    hit, whole = alpha.numerator, alpha.denominator
    tail = sum(
        comb(ghost, times) * hit**times * (whole - hit) ** (ghost - times)
        for times in range(threshold, ghost + 1)
    )
    pairs = comb(as_size(growth, "growth"), 2)
    missed = Fraction(pairs * comb(ghost, threshold), comb(size + ghost, threshold))
    return min(Fraction(1), missed * Fraction(whole**ghost, tail))
