"""Bounded range: how far apart two likelihood ratios of the same pair of laws can be."""

from __future__ import annotations

import math
from fractions import Fraction

from pac_stability.data import FiniteDistribution


def bounded_range(p: FiniteDistribution[object], q: FiniteDistribution[object]) -> Fraction | float:
    """Return the largest quotient of two likelihood ratios, exactly.

    A mechanism is eta-bounded-range when this is at most ``e**eta`` for neighbours. It is then
    eta-private, and composes better than eta-private mechanisms do in general.

    Parameters
    ----------
    p, q
        The laws of the output on two neighbouring inputs.

    Returns
    -------
    Fraction or math.inf
        The maximum over outcomes a, b of ``(p(a) / q(a)) / (p(b) / q(b))``; symmetric in p and q,
        at least 1, and infinite when the supports differ.

    Notes
    -----
    Source: Durfee and Rogers, *Practical differentially private top-k selection with pay-what-you-
    get composition*, 2019.

    Examples
    --------
    >>> p = FiniteDistribution({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    >>> bounded_range(p, FiniteDistribution({"a": Fraction(1, 4), "b": Fraction(3, 4)}))
    Fraction(3, 1)
    """
    if set(p.support) != set(q.support):
        return math.inf
    ratios = [probability / q.probability(outcome) for outcome, probability in p.items()]
    return max(ratios) / min(ratios)
