"""The worst distribution for private predictions, and how many examples they need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from pac_stability.arguments import AnyNumber, as_open_unit, as_probability, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.compression.boosting import least_integer
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.private_lower_bound import (
    ExpectedError,
    binomial_mean,
    private_least_error,
)

_TOLERANCE = Fraction(1, 1 << 20)
_BITS = 40
"""Of the errors, beyond those of alpha."""
_GUARD = 64
"""More bits, which the roundings of the recursion use up."""


@dataclass(frozen=True, slots=True)
class WorstMasses:
    """Certified bounds on the largest value over all distributions on d points.

    Attributes
    ----------
    masses
        D, for the points in order, the largest first.
    lower
        The exact value at D.
    upper
        No distribution has a larger value.
    """

    masses: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction


def private_minimax_error(
    d: int,
    n: int,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber = 0,
    *,
    cells: int = 60,
) -> WorstMasses:
    """Return bounds on the minimax error of private predictions for all labellings of d points.

    Parameters
    ----------
    d
        The number of points, at least 1.
    n
        The size of the samples.
    epsilon, delta
        The privacy of the predictions, as for
        :func:`~pac_stability.papers.dagan_feldman.private_step`.
    cells
        Into how many parts the masses from 0 to 1 are divided, at least d. With twice as many the
        bounds are some four times as close.

    Returns
    -------
    WorstMasses
        Every (epsilon, delta)-private learner of n examples has, for some distribution on the
        points and some labelling, an expected error of at least ``lower``; and
        :class:`~pac_stability.papers.dagan_feldman.PrivateVotingLearner` has at most ``upper`` for
        all of them.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The minimax error is the maximum over D of the sum over x of G(D(x)), with ``G(p) = p E err(N)``
    for N binomial(n, p) as in :func:`~pac_stability.papers.dagan_feldman.private_average_error`.

    *Lower.* The best D whose masses are multiples of 1/cells, found by dynamic programming.

    *Upper.* Any masses are the mean of random ones that are multiples of 1/cells next to them and
    sum to 1. At a fraction f of the way from one multiple to the next, G is at most ``f (1 - f) c /
    (2 cells**2)`` above its chord, where c bounds ``-G''``. The fractions sum to an integer r, so
    that the ``f (1 - f)`` sum to at most ``r (d - r) / d``. This is how far any sum can be above
    the largest on the grid, with r = d/2 rounded down; and for n = 1 one is. All numbers are
    rational.

    O(d cells**2) operations and cells evaluations of G of O(n) operations each.

    Examples
    --------
    >>> worst = private_minimax_error(2, 3, Epsilon.exactly(2))
    >>> worst.masses == (Fraction(1, 2),) * 2, worst.lower
    (True, Fraction(29, 96))
    >>> worst.upper - worst.lower < Fraction(1, 1000)
    True
    """
    points, size = as_size(d, "d", least=1), as_size(n, "n")
    parts = as_size(cells, "cells", least=points)
    factor, slack = as_epsilon(epsilon).ratio, as_probability(delta, "delta")
    expected = ExpectedError(size, factor, slack)
    grid = [Fraction(k, parts) * expected(Fraction(k, parts)) for k in range(parts + 1)]
    places = _best_places(grid, points, parts)
    lower = sum((grid[k] for k in places), Fraction(0))
    upper = lower + expected.curvature * (points**2 // 4) / (2 * points * parts**2)
    masses = tuple(Fraction(k, parts) for k in sorted(places, reverse=True))
    return WorstMasses(masses, lower, min(upper, private_least_error(0, 0)))


def _best_places(values: list[Fraction], count: int, total: int) -> list[int]:
    """Return places with the largest sum of values, themselves summing to a total."""
    whole = math.lcm(*(value.denominator for value in values))
    gains = [int(value * whole) for value in values]
    best: list[int | None] = [0, *[None] * total]
    chosen: list[list[int]] = []
    for _ in range(count):
        found: list[int | None] = [None] * (total + 1)
        took = [0] * (total + 1)
        for before, value in enumerate(best):
            if value is None:
                continue
            for place, gain in enumerate(gains[: total - before + 1]):
                now = found[before + place]
                if now is None or value + gain > now:
                    found[before + place], took[before + place] = value + gain, place
        best = found
        chosen.append(took)
    places = []
    for took in reversed(chosen):
        places.append(took[total])
        total -= took[total]
    return places


def private_least_sample_size(
    d: int,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
    alpha: AnyNumber,
) -> int:
    """Return how many examples private predictions need at least, on realizable distributions.

    Parameters
    ----------
    d
        The VC dimension of the class, at least 1: it has all labellings of some d points.
    epsilon, delta
        The privacy of the predictions, as for
        :func:`~pac_stability.papers.dagan_feldman.private_step`; not both 0.
    alpha
        What the expected error is to be at most, on every realizable distribution; above 0 and
        below 1.

    Returns
    -------
    int
        No (epsilon, delta)-private learner does with fewer examples.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The least n for which ``m G(mass/m) + G(1 - mass)`` is at most alpha for all masses from 0 to 1,
    where ``m = d - 1`` and G is as for :func:`private_minimax_error`: the minimax error over
    distributions on m equally light points and a heavy one. With n examples this is certified up to
    a factor ``1 + 2**-20``, and with n - 1 a mass is found where it is larger than alpha. Where
    :func:`private_minimax_error` finds its worst distribution among these, as it did wherever the
    tests looked, :class:`~pac_stability.papers.dagan_feldman.PrivateVotingLearner` needs no more on
    d points.

    The masses are gone through by bisection. On an interval of masses the value is at most the
    larger end plus a bound on the curvature, and at most what the monotone E err(N) gives. err is
    rounded down to a multiple of a power of 1/2, so that O(log(1/alpha) / epsilon) values of N are
    looked at, for every n.

    Examples
    --------
    >>> private_least_sample_size(3, Epsilon.exactly(2), 0, "1/10")
    16
    >>> private_least_sample_size(3, Epsilon.exactly(2), "1/100", "1/10")
    15
    """
    points = as_size(d, "d", least=1)
    factor, slack = as_epsilon(epsilon).ratio, as_probability(delta, "delta")
    accuracy = as_open_unit(alpha, "alpha")
    if factor == 1 and not slack:
        wanted = "a positive one, or a positive delta: otherwise examples are of no use"
        raise InvalidInput("epsilon", "0", wanted)
    search = _SizeSearch(points - 1, factor, slack, accuracy)
    return least_integer(lambda n: not search.excludes(n), 0)


class _SizeSearch:
    """Which sample sizes are too small, for m light points and a heavy one."""

    def __init__(self, light: int, factor: Fraction, delta: Fraction, alpha: Fraction) -> None:
        self._light, self._alpha = light, alpha
        self._scale = 1 << (_BITS + (1 / alpha).__ceil__().bit_length())
        self._errors = _rounded_errors(factor, delta, self._scale)

    def excludes(self, n: int) -> bool:
        """Return whether the average error is above alpha for some mass of the light points."""
        if not self._light:
            return self._mean(Fraction(1), n) > self._alpha
        # The second derivative in the mass is G''(mass/m)/m + G''(1 - mass).
        bend = self._bend(n) * (1 + Fraction(1, self._light)) / 8
        allowed = self._alpha * (1 + _TOLERANCE)
        ends = Fraction(0), Fraction(1)
        cells = [(-Fraction(1), *ends, *(self._value(end, n) for end in ends))]
        while cells:
            _, left, right, at_left, at_right = heappop(cells)
            middle = (left + right) / 2
            at_middle = self._value(middle, n)
            if at_middle > self._alpha:
                return True
            for a, b, at_a, at_b in (
                (left, middle, at_left, at_middle),
                (middle, right, at_middle, at_right),
            ):
                bound = max(at_a, at_b) + bend * (b - a) ** 2 + self._rounding
                if bound > allowed and self._monotone(a, b, n) > allowed:
                    heappush(cells, (-bound, a, b, at_a, at_b))
        return False

    def _mean(self, mass: Fraction, n: int) -> Fraction:
        """Bound E err(N) from below, by no more than the rounding."""
        return binomial_mean(self._errors, mass, n) / self._scale

    @property
    def _rounding(self) -> Fraction:
        return Fraction(2, self._scale)

    def _value(self, mass: Fraction, n: int) -> Fraction:
        each = self._mean(mass / self._light, n)
        return mass * each + (1 - mass) * self._mean(1 - mass, n)

    def _monotone(self, a: Fraction, b: Fraction, n: int) -> Fraction:
        """Bound the value for masses from a to b: E err(N) falls when the mass grows."""
        light, heavy = self._mean(a / self._light, n), self._mean(1 - b, n)
        return b * light + (1 - a) * heavy + 2 * self._rounding

    def _bend(self, n: int) -> Fraction:
        """Bound ``-G''`` from above, as :attr:`ExpectedError.curvature`."""
        e = [*self._errors, 0, 0, 0]
        bends = (
            2 * (j + 1) * (e[j] + 2) - (j + 2) * e[j + 1] - (j * e[j - 1] if j else 0)
            for j in range(min(n, len(e) - 2))
        )
        return Fraction(n * max(4 * n, *bends, 0), self._scale)


def _rounded_errors(factor: Fraction, delta: Fraction, scale: int) -> list[int]:
    """Return ``scale * err(N)`` from below, off by less than 2, for N = 0, 1, ... until it is 0."""
    fine = scale << _GUARD
    lost = math.ceil(delta * fine)
    ends = [fine >> 1, math.floor((1 - delta) / (1 + factor) * fine)]
    errors: list[int] = []
    while True:
        error, following = ends
        if not error >> _GUARD:
            return errors
        errors.append(error >> _GUARD)
        ends = [following, max(error - lost, 0) * factor.denominator // factor.numerator]
