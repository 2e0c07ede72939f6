"""Zero-concentrated privacy of two laws: Renyi divergences of all orders, enclosed.

Laws P and Q are rho-concentrated when D_a(P || Q) <= rho a for all orders a > 1, and the same with
P and Q exchanged (Bun & Steinke 2016, Definition 1.1), where

    D_a(P || Q) = psi(a) / (a - 1),    psi(a) = log of the sum of P(y)**a Q(y)**(1 - a):

the logarithm of the power mean of the likelihood ratios P(y) / Q(y), of power a - 1, under P.

So rho is the supremum of g(a) = D_a / a. It is irrational, and finitely many orders alone do not
bound it. Three facts bound it between orders. The last is for laws with the same support; otherwise
rho is infinite in one direction.

- D_a grows with a. On a cell [a, b] of orders g is at most D_b / a, and beyond A it is at most
  D_infinity / A, where D_infinity is the logarithm of the largest likelihood ratio.
- psi is convex, so on a cell it is below its chord l, and g is below l(x) / (x (x - 1)). That is
  u/x - v/(x - 1) for u = -l(0) and v = -l(1), and no more than (sqrt(u) - sqrt(v))**2 at any x > 1.
- psi(0) = psi(1) = 0, so g(a) is the divided difference psi[0, 1, a], and its second derivative is
  twice psi[0, 1, a, a, a], a twelfth of a fourth derivative of psi. That is the fourth cumulant of
  the log-likelihood ratio under a law proportional to P**c Q**(1 - c). It is at least -2 v**2 for
  the variance v, which is at most R**2 / 4, where R = log(max / min) is the range of the ratio. So
  the second derivative of g is at least -R**4 / 96, and on a cell of width h g exceeds the larger
  of its values at the ends by R**4 h**2 / 768 at most.

As a falls to 1, g goes to the Kullback-Leibler divergence D_1, which is thus a lower bound. Cells
are halved, the one with the largest bound first, until that exceeds what is attained by a share of
2**-16 at most.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from typing import TypeAlias, TypeVar

from pac_stability.arguments import AnyNumber, as_number, in_words, require_instance
from pac_stability.arithmetic import Epsilon, Interval, floor_log2, log_power_mean
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput

T = TypeVar("T")

Losses: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""Likelihood ratios P(y) / Q(y), decreasing, each with its probability under P."""

ACCURACY = Fraction(1, 1 << 16)
"""By what share the bounds may differ before they are rounded to eight digits."""

MOST_ORDERS = 4096
"""At how many orders divergences are enclosed; then the bounds are what they are."""

RANGE_BITS = 64
"""With how many bits the range of the log-likelihood ratio is enclosed."""


@dataclass(frozen=True, slots=True)
class Rho:
    """Certified bounds on the rho of two laws, in one direction.

    Attributes
    ----------
    lower, upper
        The bounds; equal when rho is 0, or infinite.
    order
        An order a with D_a >= ``lower`` a, where 1 stands for the Kullback-Leibler divergence;
        ``None`` when rho is 0, or infinite.
    """

    lower: Fraction | float
    upper: Fraction | float
    order: Fraction | None


def renyi_divergence(
    p: FiniteDistribution[T], q: FiniteDistribution[T], order: AnyNumber, *, bits: int = 128
) -> Interval | float:
    """Enclose the Renyi divergence of a law from another.

    Parameters
    ----------
    p, q
        P and Q, in this order.
    order
        An exact number of at least 1; at 1 it is the Kullback-Leibler divergence.
    bits
        The working precision.

    Returns
    -------
    Interval, or math.inf
        In nats; infinite when an outcome has positive probability under P and none under Q.

    Raises
    ------
    InvalidInput
        A law is not exact, or the order is smaller than 1.

    Examples
    --------
    Randomised response with the true answer in three cases of four: at order 2 the logarithm of
    (9/16) / (1/4) + (1/16) / (3/4) = 7/3.

    >>> p = FiniteDistribution({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> q = FiniteDistribution({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> abs(float(renyi_divergence(p, q, 2)) - math.log(7 / 3)) < 1e-15
    True
    """
    a = as_number(order, "order")
    if a < 1:
        raise InvalidInput("order", in_words(a), "an order of at least 1")
    losses = _losses(p, q)
    return math.inf if losses is None else log_power_mean(losses, bits)(a - 1)


def one_sided_rho(p: FiniteDistribution[T], q: FiniteDistribution[T]) -> Rho:
    """Bound the supremum of D_a(P || Q) / a over all orders a > 1.

    Parameters
    ----------
    p, q
        P and Q, in this order.

    Raises
    ------
    InvalidInput
        A law is not exact.

    Notes
    -----
    Ten to a few hundred divergences, each O(k) enclosures for k distinct likelihood ratios; the
    docstring of the module proves the bounds. Pairs of laws with the same ratios and probabilities
    are bounded once.

    Examples
    --------
    Randomised response with the true answer in three cases of four: ln(3) / 2.

    >>> p = FiniteDistribution({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> q = FiniteDistribution({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> found = one_sided_rho(p, q)
    >>> found.lower <= math.log(3) / 2 <= found.upper < found.lower + Fraction(1, 10**4)
    True
    >>> found.order
    Fraction(1, 1)
    """
    losses = _losses(p, q)
    if losses is None:
        return Rho(math.inf, math.inf, None)
    return _rho(losses, len(p.support) == len(q.support))


def minimal_rho(p: FiniteDistribution[T], q: FiniteDistribution[T]) -> Interval | float:
    """Enclose the smallest rho such that two laws are rho-concentrated, in either direction.

    Parameters
    ----------
    p, q
        The two laws, in either order.

    Returns
    -------
    Interval, or math.inf
        Infinite when the laws have different supports.

    Raises
    ------
    InvalidInput
        A law is not exact.

    Notes
    -----
    Costs as :func:`one_sided_rho`.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    >>> minimal_rho(p, q), minimal_rho(p, p)
    (inf, Interval(lower=Fraction(0, 1), upper=Fraction(0, 1)))
    """
    both = (one_sided_rho(p, q), one_sided_rho(q, p))
    lower, upper = max(one.lower for one in both), max(one.upper for one in both)
    if isinstance(lower, float) or isinstance(upper, float):
        return math.inf
    return Interval(lower, upper)


def implied_rho(epsilon: Epsilon) -> Interval:
    """Enclose the smallest rho for which all epsilon-private mechanisms are concentrated.

    Parameters
    ----------
    epsilon
        The parameter; delta is 0.

    Returns
    -------
    Interval
        ``epsilon tanh(epsilon/2)``, which is below the ``epsilon**2 / 2`` of Bun and Steinke (2016,
        Proposition 1.4).

    Raises
    ------
    InvalidInput
        It is not one.

    Notes
    -----
    Two laws with likelihood ratios between 1/t and t are post-processings of randomised response
    with odds of t to 1 (Kairouz, Oh and Viswanath 2015), and post-processing raises no divergence.
    The divergence of order a of randomised response is a epsilon**2 times the slope of a chord of
    log cosh sqrt(u) from u = (epsilon/2)**2 on, to (epsilon (a - 1/2))**2. That function is
    concave, so the slope is largest as a falls to 1, where it is tanh(epsilon/2) / epsilon.

    Examples
    --------
    >>> round(float(implied_rho(Epsilon.exactly(3))), 6) == round(math.log(3) / 2, 6)
    True
    """
    t = factor_of(epsilon)
    return Interval.log(t) * ((t - 1) / (t + 1))


def _losses(p: FiniteDistribution[T], q: FiniteDistribution[T]) -> Losses | None:
    """Return the likelihood ratios of two laws, or nothing if one is infinite."""
    for name, law in (("p", p), ("q", q)):
        require_instance(law, FiniteDistribution, name, "an exact law, a FiniteDistribution")
    weights: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for outcome, weight in p.items():
        other = q.probability(outcome)
        if not other:
            return None
        weights[weight / other] += weight
    return tuple(sorted(weights.items(), reverse=True))


def _unit(number: Fraction) -> Fraction:
    """Return a power of ten of which a number is a multiple with eight digits or so."""
    return Fraction(10) ** (floor_log2(number) * 30103 // 100000 - 7)


def _below_chord(a: Fraction, at_a: Fraction, b: Fraction, at_b: Fraction) -> Fraction:
    """Bound g on a cell by the chord of psi, for bounds on g at its ends."""
    psi = at_a * a * (a - 1)
    slope = (at_b * b * (b - 1) - psi) / (b - a)
    u, v = slope * a - psi, slope * (a - 1) - psi
    if v < 0:  # rounding, since psi is convex and psi(1) = 0
        return at_b * b / a
    root = Interval.sqrt(u * v, RANGE_BITS + 2 * int(b).bit_length())
    return u + v - 2 * root.lower


@lru_cache(maxsize=1 << 14)
def _rho(losses: Losses, same_support: bool) -> Rho:
    (largest, _), (smallest, _) = losses[0], losses[-1]
    if largest == smallest == 1:
        return Rho(Fraction(0), Fraction(0), None)
    spread = Interval.log(largest / smallest, RANGE_BITS)
    curvature = spread.upper**4 / 96 if same_support else None
    rare = min(weight for _, weight in losses)
    small = max(0, -floor_log2(largest - 1)) if largest > 1 else 0
    bits = 128 + 4 * small - 2 * floor_log2(rare)
    return _OrderSearch(log_power_mean(losses, bits), Interval.log(largest, bits), curvature).run()


class _OrderSearch:
    """Branch and bound over the orders."""

    def __init__(
        self,
        divergence: Callable[[Fraction], Interval],
        largest: Interval,
        curvature: Fraction | None,
    ) -> None:
        self._divergence = divergence
        self._largest = largest
        self._curvature = curvature
        self._best, self._order, self._asked = Fraction(0), Fraction(1), 0
        self._cells: list[tuple[Fraction, Fraction, Fraction, Fraction, Fraction]] = []

    def run(self) -> Rho:
        a, at_a = Fraction(1), self._at(Fraction(1))
        top = self._largest.upper
        while top > self._best * a:
            b, at_b = 2 * a, self._at(2 * a)
            self._push(a, at_a, b, at_b)
            a, at_a = b, at_b
        while self._asked < MOST_ORDERS and -self._cells[0][0] > self._best * (1 + ACCURACY):
            _, a, at_a, b, at_b = heappop(self._cells)
            middle = (a + b) / 2
            at_middle = self._at(middle)
            self._push(a, at_a, middle, at_middle)
            self._push(middle, at_middle, b, at_b)
        upper = max(self._best, -self._cells[0][0])
        unit = _unit(upper)
        return Rho(self._best // unit * unit, -(-upper // unit) * unit, self._order)

    def _at(self, order: Fraction) -> Fraction:
        """Return an upper bound on D_a / a, having noted a lower one."""
        self._asked += 1
        value = self._divergence(order - 1) / order
        self._best, self._order = max((self._best, self._order), (value.lower, order))
        return value.upper

    def _push(self, a: Fraction, at_a: Fraction, b: Fraction, at_b: Fraction) -> None:
        bound = min(at_b * b / a, _below_chord(a, at_a, b, at_b))
        if self._curvature is not None:
            bound = min(bound, max(at_a, at_b) + self._curvature * (b - a) ** 2 / 8)
        heappush(self._cells, (-bound, a, at_a, b, at_b))
