"""The reciprocal as a sum of exponentials that is never too large.

For every Z > 0, ``1/Z`` is the integral of ``e**(y - e**y Z)`` over all real y. Its trapezoidal sum
with step h is, by Poisson's summation formula, ``1/Z`` times

    1 + sum over integers l other than 0 of Gamma(1 - 2 pi i l / h) Z**(2 pi i l / h),

and ``|Gamma(1 + i y)|**2 = pi y / sinh(pi y)``. With ``h = log(11/8)`` the sum over l is below
1e-12 in size, whatever Z is. The nodes ``t = (11/8)**k`` are rational. Fewer terms give less.

The terms of small t hardly differ from one another. They are replaced by a Gauss rule of the
measure with weight ``q**k`` at ``q**k``, k >= 0, q = 8/11: as the even derivatives of ``e**(-tZ)``
are positive, the rule never gives more than the terms it stands for.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from pac_stability.arithmetic import Interval
from pac_stability.papers.dagan_feldman.additive._floats import float_below

RATIO = Fraction(11, 8)
"""What each node is divided by the one before: e**h."""

GAUSS_NODES = 8

_PI = Interval(Fraction(314159265358, 10**11), Fraction(314159265359, 10**11))
_ROOT_BITS = 120
_SEPARATING_BITS = 40


def step_below() -> float:
    """Return a lower bound for h."""
    return float_below(Interval.log(RATIO).lower)


@cache
def excess() -> Fraction:
    """Return a bound on the relative excess of the sum over the reciprocal, for any Z.

    Notes
    -----
    With ``z = 2 pi**2 / h`` the l-th pair of terms is at most twice the root of
    ``l z / sinh(l z) <= 2 l z / (e**(l z) - 1)``; each pair is below a 2000th of the one before.
    """
    z = 2 * (_PI * _PI).lower / Interval.log(RATIO).upper
    first = Interval.sqrt(2 * z / (Interval.exp(z).lower - 1)).upper
    return 2 * first * (1 + Fraction(1, 1000))


class GaussRule(NamedTuple):
    """Nodes from above, weights from below: never too much of a decreasing function.

    Attributes
    ----------
    nodes, weights
        ``sum of weights * f(nodes)`` is at most, and nearly, ``sum over k >= 0 of q**k f(q**k)``.
    """

    nodes: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]


@cache
def gauss_rule(count: int = GAUSS_NODES) -> GaussRule:
    """Return the Gauss rule for the measure with weight ``q**k`` at ``q**k``.

    Notes
    -----
    Its monic orthogonal polynomials are the little q-Legendre polynomials (Koekoek and Swarttouw,
    *The Askey scheme*, section 3.12 with a = b = 1), whose recurrence is known. The roots of each
    are separated by those of the one before, and found by bisection with exact signs.
    """
    q = 1 / RATIO
    up = [
        q**n * (1 - q ** (n + 1)) / ((1 - q ** (2 * n + 1)) * (1 + q ** (n + 1)))
        for n in range(count)
    ]
    down = [q**n * (1 - q**n) / ((1 + q**n) * (1 - q ** (2 * n + 1))) for n in range(count)]
    polynomials = [[Fraction(1)]]
    norms = [1 / (1 - q)]
    ends = [Fraction(0), Fraction(1)]
    for n in range(count):
        last = polynomials[n]
        new = [Fraction(0), *last]
        for i, b in enumerate(last):
            new[i] -= (up[n] + down[n]) * b
        if n:
            norms.append(norms[-1] * up[n - 1] * down[n])
            for i, b in enumerate(polynomials[n - 1]):
                new[i] -= up[n - 1] * down[n] * b
        polynomials.append(new)
        bits = _SEPARATING_BITS if n + 1 < count else _ROOT_BITS
        roots = [_root(new, low, high, bits) for low, high in pairwise(ends)]
        ends = [Fraction(0), *(low for low, _ in roots), Fraction(1)]
    weights = []
    for low, high in roots:
        total = Interval.exactly(0)
        for polynomial, norm in zip(polynomials[:-1], norms, strict=True):
            value = Interval.exactly(0)
            for coefficient in reversed(polynomial):
                value = value * Interval(low, high) + coefficient
            total = total + value * value / norm
        weights.append((1 / total).lower)
    return GaussRule(tuple(high for _, high in roots), tuple(weights))


def _root(
    polynomial: list[Fraction], low: Fraction, high: Fraction, bits: int
) -> tuple[Fraction, Fraction]:
    """Enclose the only root between two multiples of ``2**-bits``."""
    common = math.lcm(*(coefficient.denominator for coefficient in polynomial))
    coefficients = [int(coefficient * common) for coefficient in polynomial]

    def positive(x: int) -> bool:
        value = 0
        for power, coefficient in enumerate(reversed(coefficients)):
            value = value * x + (coefficient << bits * power)
        return value > 0

    below, above = int(low * 2**bits), int(high * 2**bits)
    sign = positive(above)
    while above - below > 1:
        middle = (below + above) // 2
        if positive(middle) == sign:
            above = middle
        else:
            below = middle
    return Fraction(below, 2**bits), Fraction(above, 2**bits)
