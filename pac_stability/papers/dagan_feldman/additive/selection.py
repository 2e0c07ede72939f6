"""The selection distribution where the normaliser is a sum along a walk: in polynomial time."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from pac_stability.classes import Family
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman._checks import as_selection
from pac_stability.papers.dagan_feldman.additive._floats import Integers
from pac_stability.papers.dagan_feldman.additive._reciprocals import excess
from pac_stability.papers.dagan_feldman.additive._sums import Sums
from pac_stability.papers.dagan_feldman.additive.walks import Walk, walk_of
from pac_stability.papers.dagan_feldman.enclosed_law import EnclosedLaw

SCALE_BITS = 60
"""Lower bounds of probabilities are multiples of ``2**-SCALE_BITS``."""


def additive_selection(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> EnclosedLaw:
    """Return the law of the hypothesis that the stable learner chooses, in polynomial time.

    The learner draws a set I of n' indices uniformly, and then one of the representatives of the
    class on the points of S_I, h with weight ``decay**k_h`` where k_h counts the errors of h on the
    whole sample. For thresholds, point functions and other classes of
    :func:`~.walks.walk_of` the normaliser is a sum along a walk over the points.

    Parameters
    ----------
    H
        A class for which :func:`~.walks.walk_of` knows a walk on the points of the sample.
    sample
        S, not empty.
    subset_size
        n', from 1 to n.
    decay
        rho, above 0 and at most 1.

    Returns
    -------
    EnclosedLaw
        Enclosures of all probabilities. Their common slack is some ``10 n * 2**-52``, whatever the
        weights are.

    Raises
    ------
    InvalidInput
        The class has no such walk, a point is not in its domain, or a parameter is out of range.

    Notes
    -----
    P_S(h) is the expectation of ``w_h 1[h in H_A] / Z_A``, where A is the random set of points hit,
    w_h the weight and Z_A the sum of the weights of H_A. ``1/Z`` is replaced by a sum of
    exponentials ``e**(-t Z)`` that is at most ``(1 + 10**-12) / Z`` for every Z > 0. The
    expectation of ``e**(-t Z_A)`` over the paths that collect h follows, for all h at once, from a
    pass forwards and a pass backwards over the walk, whose state is the number of examples drawn
    so far. Every number is positive and none is subtracted, so rounding errors are counted; the
    sums are scaled down by the count, and are lower bounds then. As all P_S(h) sum to 1, what the
    lower bounds leave of 1 bounds the error of each: a bad choice of t would show, and could not
    make an enclosure wrong.

    O(t m w c) operations for m points, windows of w = O(sqrt(n')) values of the state, up to c
    copies of a point, and t nodes, of which 3 are needed for each factor e by which Z_A varies.

    The method needs Z_A to be a sum over hit points. For intervals it is a sum over pairs of hit
    points; for stumps in more dimensions patterns that several coordinates share must be counted
    once, which no fixed order of the points can tell.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> S = Sample(range(1000), [int(x >= 300 or x % 7 == 0) for x in range(1000)])
    >>> chosen = additive_selection(Thresholds(), S, 100, Fraction(99, 100))
    >>> [round(float(p), 6) for p in chosen.probabilities([100, 300, 500])]
    [0.077984, 0.553619, 0.939433]
    >>> chosen.slack < Fraction(1, 10**10)
    True
    """
    size, decay = as_selection(sample, subset_size, decay)
    walk = walk_of(H, sample)
    return EnclosedLaw(walk.hypotheses, lower_bounds(walk, size, decay), SCALE_BITS, walk.labels)


def lower_bounds(walk: Walk, subset_size: int, decay: Fraction) -> Integers:
    """Return lower bounds of the expectations of ``w_h 1[h in H_A] / Z_A``, in units of 2**-60."""
    probabilities, roundings = Sums(walk, subset_size, decay).probabilities()
    # The relative error of each is at most ``roundings * 2**-52``, up to higher orders.
    scale = (1 - Fraction(roundings * 101, 100 << 52)) / (1 + excess())
    counted = np.floor(probabilities * (float(scale) * 2.0**SCALE_BITS)).astype(np.int64)
    # One less for products too small for a double; the roundings here are among those counted.
    return np.maximum(counted - 1, 0)
