"""Covers of a class on a subsample, in place of all its patterns (DF20, Remark 14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import comb, floor

import numpy as np

from pac_stability.arguments import AnyNumber, as_probability, as_size
from pac_stability.arithmetic import Interval
from pac_stability.classes import Family, Hypothesis
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman._subsamples import as_subsample


def greedy_cover(H: Family, points: Iterable[Hashable], alpha: AnyNumber) -> tuple[Hypothesis, ...]:
    """Return hypotheses to one of which every hypothesis is alpha-close on the given points.

    Parameters
    ----------
    H
        A class or a family.
    points
        The points of a subsample S_I, with repetitions.
    alpha
        An exact number from 0 to 1: close are hypotheses that differ on at most alpha |I| of the
        points. With 0 the cover is all of H_T.

    Returns
    -------
    tuple of hypotheses
        G, in the order of the representatives of H on the points. Its members are pairwise more
        than alpha apart, so that :func:`cover_size_bound` holds for their number.

    Raises
    ------
    InvalidInput
        alpha is out of range, or a point is not in the domain.

    Notes
    -----
    A representative joins when it is far from all that joined before. Which ones do depends on the
    multiset of the points only, as stability needs it. O(|G| |H_T| m) for m distinct points.

    DF20 calls G a net; a net is a set of points elsewhere in the paper.

    Examples
    --------
    >>> from pac_stability import classes
    >>> len(greedy_cover(classes.thresholds(9), range(9), "1/3"))
    3
    """
    close = as_probability(alpha, "alpha")
    counts = Counter(points)
    restriction = H.restrict(counts)
    weights = np.array(list(counts.values()), dtype=np.int64)
    limit = floor(close * counts.total())
    cover: list[Hypothesis] = []
    far = np.ones(len(restriction), dtype=bool)
    for row, representative in enumerate(restriction.representatives):
        if far[row]:
            cover.append(representative)
            far &= (restriction.table ^ restriction.table[row]) @ weights > limit
    return tuple(cover)


def cover_size_bound(d: int, alpha: AnyNumber, bits: int = 64) -> Interval:
    """Enclose Haussler's bound e (d + 1) (2e / alpha)^d on the size of :func:`greedy_cover`.

    Parameters
    ----------
    d
        The VC dimension.
    alpha
        An exact number above 0 and at most 1.
    bits
        Working precision.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    It holds for all hypotheses that are pairwise more than alpha apart under one distribution.
    Source: Haussler, *Sphere packing numbers for subsets of the Boolean n-cube with bounded
    Vapnik-Chervonenkis dimension*, 1995. DF20 Remark 14 has it as (1/alpha)^O(d), which is to be
    read for alpha bounded away from 1.

    Examples
    --------
    >>> round(float(cover_size_bound(1, "1/10")))
    296
    """
    d, alpha = as_size(d, "d"), as_probability(alpha, "alpha")
    if alpha == 0:
        raise InvalidInput("alpha", "0", "a number above 0 and at most 1")
    logarithm = 1 + d * (1 + Interval.log(2 / alpha, bits)) + Interval.log(d + 1, bits)
    return Interval.exp(logarithm, bits)


def cover_transfer_bound(growth: int, n: int, size: int, alpha: AnyNumber) -> Fraction:
    """Bound how often hypotheses look alpha-close on a subsample and are not 2 alpha-close.

    Parameters
    ----------
    growth
        An upper bound on tau_n, the number of patterns on the sample.
    n
        Size of the sample S.
    size
        n', how many indices are drawn, without replacement.
    alpha
        An exact number from 0 to 1.

    Returns
    -------
    Fraction
        At most 1: a bound on the probability that two hypotheses differ on at most alpha n' of the
        drawn examples and on more than 2 alpha n of all.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    A cover of H on S_I serves on S only if closeness carries over, and that S_I is an alpha-net
    does not give it. Here each of the C(tau_n, 2) differences is charged its hypergeometric lower
    tail, exactly. By Chernoff's bound the tail is at most e^(-alpha n'/4), so that
    n' >= (4/alpha) (2 ln tau_n + ln(1/(2 beta))) is enough for the probability beta.

    Examples
    --------
    >>> cover_transfer_bound(2, 20, 10, "1/10")  # 5 or more of 20, at most 1 of 10
    Fraction(49, 323)
    """
    n, size = as_subsample(n, size)
    alpha = as_probability(alpha, "alpha")
    far, seen = floor(2 * alpha * n) + 1, floor(alpha * size)
    if far > n:
        return Fraction(0)
    ways = sum(comb(far, k) * comb(n - far, size - k) for k in range(min(seen, size) + 1))
    pairs = comb(as_size(growth, "growth"), 2)
    return min(Fraction(1), Fraction(pairs * ways, comb(n, size)))
