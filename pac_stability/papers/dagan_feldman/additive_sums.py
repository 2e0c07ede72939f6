"""The law of A^sta in polynomial time, where the normaliser is additive (Appendix B).

The stable learner averages over all index subsets, of which there are C(n, n'). When the sum of the
weights of the representatives is a sum along a walk over the points, as it is for thresholds and
point functions, the average takes O(n n') operations for each of some hundred numbers t:
:func:`additive_selection`. ``additive_walks`` lists these classes, and ``additive_paths`` describes
random subsets along a walk.

**1/Z as a sum of exponentials that is never too large.** For every Z > 0, ``1/Z`` is the integral
of ``e**(y - e**y Z)`` over all real y. Its trapezoidal sum with step h is, by Poisson's summation
formula, ``1/Z`` times

    1 + sum over integers l other than 0 of Gamma(1 - 2 pi i l / h) Z**(2 pi i l / h),

and ``|Gamma(1 + i y)|**2 = pi y / sinh(pi y)``. With ``h = log(11/8)`` the sum over l is below
1e-12 in size, whatever Z is. The nodes ``t = (11/8)**k`` are rational. Fewer terms give less.

The terms of small t hardly differ from one another. They are replaced by a Gauss rule of the
measure with weight ``q**k`` at ``q**k``, k >= 0, q = 8/11: as the even derivatives of ``e**(-tZ)``
are positive, the rule never gives more than the terms it stands for.

**What is not covered.** *Representatives that depend on two consecutive hit points*, such as
midpoints or the first row of a table of thresholds in any order, could be handled by a state that
remembers the last hit, at ``O(m**2 n')`` for each t; no family of the library needs it.

*Intervals.* Between hit points a <= b they have weights ``x_a y_b`` that are products, so ``Z_A``
is a sum over b of ``y_b X_b``, where X_b sums x over the hit points up to b. The state of a walk
would have to hold X, a sum of which there may be exponentially many values. An approximation scheme
exists: let X be rounded down to a power of ``1 + delta`` at each hit. There are at most n' hits, so
Z comes out between ``(1 + delta)**-n'`` times itself and itself; with X in R/delta classes, where R
is the logarithm of the range of X, ``O(m n'**2 R / eta)`` numbers for each t give every prediction
up to a factor ``1 + eta``: too slow to be of use beyond small n'. Whether there is a polynomial
algorithm that is exact for all samples, or a proof that there is none, is open as far as we know.

*Stumps in p > 1 dimensions.* Cuts along different coordinates with equal patterns on A must be
counted once. These depend on all of A, so no walk along the points can find them. This too is open.
"""

from __future__ import annotations

import math
import os
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pac_stability._core.additive_sums import path_sums
from pac_stability.arithmetic import Interval
from pac_stability.classes import Family
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import additive_paths, additive_walks
from pac_stability.papers.dagan_feldman.additive_paths import Floats, Integers
from pac_stability.papers.dagan_feldman.additive_walks import EnclosedLaw, as_selection

RATIO = Fraction(11, 8)
"""What each node is divided by the one before: e**h."""

GAUSS_NODES = 8

_PI = Interval(Fraction(314159265358, 10**11), Fraction(314159265359, 10**11))
_ROOT_BITS = 120
_SEPARATING_BITS = 40


def step_below() -> float:
    """Return a lower bound for h."""
    return additive_paths.float_below(Interval.log(RATIO).lower)


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


# Expectations of weights over normalisers: the sum over nodes, and who computes it

_LANES = 4
_BATCHES_AT_ONCE = 4
_STEPS_AT_ONCE = 1 << 24
_CHUNKS_BETWEEN = 2
_WORTH_A_THREAD = 1 << 17


class Sums:
    """The sum over nodes t of the share of t, times the expectation of ``t w_h e**(-t Z_A)``.

    Parameters
    ----------
    walk
        The stops at which hypotheses are collected.
    subset_size
        n'.
    decay
        rho.
    """

    def __init__(self, walk: additive_walks.Walk, subset_size: int, decay: Fraction) -> None:
        self._walk = walk
        self._subset_size = subset_size
        excess_errors = walk.errors - walk.errors.min()
        levels, level_of = np.unique(excess_errors, return_inverse=True)
        # Weights relative to the best one; the last level stands for no hypothesis.
        self._weights = additive_paths.scaled_powers(decay, int(levels[-1]) + 1).take(levels)
        self._level_of = np.append(level_of, len(levels))
        self._layers = additive_paths.Layers(
            walk.route, len(walk.hypotheses), self._level_of, subset_size
        )
        self._largest_sum = self._bound_normaliser()

    def _bound_normaliser(self) -> float:
        """Return about the largest Z_A, in units of the largest weight; nothing depends on it."""
        weights = np.append(
            np.ldexp(self._weights.mantissas, np.maximum(self._weights.exponents, -1000)), 0
        )
        brought = np.sort(weights[self._layers.slots].sum(axis=0).max(axis=0))[::-1]
        others = len(self._walk.route.always) + len(self._walk.route.beyond)
        return float(brought[: self._subset_size].sum()) + others + 1

    def probabilities(self) -> tuple[Floats, int]:
        """Return the sums, and a bound on the number of roundings upwards.

        Notes
        -----
        Nodes are added from small t to large ones until hardly anything is missing from 1, or all
        exponentials vanish.
        """
        nodes = _Nodes(self._largest_sum, self._weights)
        work = max(self._layers.work, self._layers.slots.size)
        chunk = max(1, min(_BATCHES_AT_ONCE, _STEPS_AT_ONCE // work))
        # Always as many chunks between two looks, so that results do not depend on the machine.
        threads = _CHUNKS_BETWEEN if chunk * work > _WORTH_A_THREAD else 1
        total = np.zeros(len(self._walk.hypotheses) + 1)
        done = roundings = 0
        with ThreadPoolExecutor(max_workers=min(threads, os.cpu_count() or 1)) as pool:
            while done < nodes.batches:
                end = min(done + _CHUNKS_BETWEEN * chunk, nodes.batches)
                run = map if threads == 1 else pool.map
                parts = list(run(partial(self._part, nodes, chunk), range(done, end, chunk)))
                for part, counted in filter(None, parts):
                    total += part
                    roundings = max(roundings, counted)
                done = end
                counted = roundings + self._roundings_of_sums(_LANES * done)
                if None in parts or 1 - total.sum() < self._negligible(counted):
                    break
        return total[:-1], roundings + self._roundings_of_sums(_LANES * done)

    def _part(self, nodes: _Nodes, count: int, start: int) -> tuple[Floats, int] | None:
        """Return what some batches of nodes contribute, and the roundings of one product."""
        route = self._walk.route
        layers = self._layers.at(*nodes.smallest_and_largest(start, count))
        if layers is None:
            return None
        lower, exponentials = nodes.batch(start, count)
        always = self._level_of[list(route.always)]
        beyond = self._level_of[list(route.beyond)]
        factors = np.take(exponentials, layers.slots[0], axis=1)
        for slots in layers.slots[1:]:
            factors *= np.take(exponentials, slots, axis=1)
        sums = np.zeros_like(factors)
        ends = exponentials[:, beyond].prod(axis=1)
        end_sums = np.zeros_like(ends)
        totals = np.zeros_like(ends)
        path_sums(
            layers.copies.astype(np.int32),
            layers.windows,
            layers.paths.steps,
            two_states=route.leaves_on is not None,
            leave_on_miss=route.leaves_on == "miss",
            chain=layers.chain,
            block=layers.block,
            factors=factors,
            ends=ends,
            sums=sums,
            end_sums=end_sums,
            totals=totals,
        )
        lower *= exponentials[:, always].prod(axis=1)[:, None]
        found = np.zeros(len(self._walk.hypotheses) + 1)
        for slots, brought in zip(layers.slots, layers.brought, strict=True):
            by_slot = (np.take(lower, slots, axis=1) * sums).sum(axis=(0, 3))
            np.add.at(found, brought, by_slot)
        np.add.at(found, list(route.always), (lower[:, always] * totals[:, None]).sum(axis=(0, 2)))
        np.add.at(
            found, list(route.beyond), (lower[:, beyond] * end_sums[:, None]).sum(axis=(0, 2))
        )
        together = len(layers.slots) + len(route.always) + len(route.beyond)
        return found, layers.roundings(together)

    def _negligible(self, roundings: int) -> float:
        """Return about what is missing from 1 when more nodes would not help."""
        hits = self._subset_size * len(self._layers.slots)
        return 2.0**-51 * roundings + 2.0**-47 * hits

    def _roundings_of_sums(self, nodes: int) -> int:
        """Count the roundings of sums over nodes, and over the slots of a hypothesis.

        Notes
        -----
        What happens once for each summand is below 100.
        """
        return nodes + self._layers.most_slots + 100


class _Nodes:
    """The nodes t of the sum of exponentials, in batches of four."""

    def __init__(self, largest_sum: float, weights: additive_paths.Scaled) -> None:
        # The Gauss rule stands for all t up to one whose product with the largest sum is 4.
        level = math.floor(math.log(4 / largest_sum) / math.log(RATIO))
        gauss, gauss_shares = _smallest_nodes(level)
        # Beyond the last node no exponential is left, even at the smallest weight.
        octaves = 12 - int(weights.exponents.min())
        count = _LANES * (octaves - level // _LANES)
        others = additive_paths.scaled_powers(RATIO, count, RATIO ** (level + 1))
        self._weights = weights
        self._nodes = additive_paths.Scaled(
            np.concatenate((gauss.mantissas, others.mantissas)),
            np.concatenate((gauss.exponents, others.exponents)),
        )
        self._shares = np.append(gauss_shares, np.full(count, step_below()))
        self.batches = len(self._shares) // _LANES

    def smallest_and_largest(self, start: int, count: int) -> tuple[Floats, Floats]:
        """Return bounds on ``t w`` for all t of some batches, for each w, from below and above."""
        lower, upper = self._nodes.take(self._chosen(start, count)).products(self._weights)
        return lower.min(axis=0), upper.max(axis=0)

    def _chosen(self, start: int, count: int) -> Integers:
        chosen: Integers = np.arange(_LANES * start, _LANES * min(start + count, self.batches))
        return chosen

    def batch(self, start: int, count: int) -> tuple[Floats, Floats]:
        """Return ``share * t * w`` and ``e**(-t w)``, both from below.

        Shape (batches, weights + 3, lanes). The last three have no share; their factors are 1 for
        what has no weight, and those of what is hit ``FREELY`` and of what is ``FORBIDDEN``.
        """
        chosen = self._chosen(start, count)
        lower, upper = self._nodes.take(chosen).products(self._weights)
        one = np.ones((len(chosen), 1))
        shares = np.hstack((lower * self._shares[chosen, None], np.zeros((len(chosen), 3))))
        factors = np.hstack(
            (additive_paths.exponentials_below(upper), one, additive_paths.FREELY * one, 0 * one)
        )
        return _side_by_side(shares), _side_by_side(factors)


def _side_by_side(rows: Floats) -> Floats:
    """Put every four rows side by side: (4 b, k) becomes (b, k, 4)."""
    batches = len(rows) // _LANES
    return np.ascontiguousarray(rows.reshape(batches, _LANES, -1).transpose(0, 2, 1))


@cache
def _smallest_nodes(level: int) -> tuple[additive_paths.Scaled, Floats]:
    """Return the Gauss rule for the nodes up to ``RATIO**level``, and the share of each node."""
    rule = gauss_rule()
    scale = RATIO**level
    nodes = [additive_paths.scaled_powers(Fraction(1), 1, node * scale) for node in rule.nodes]
    step = Fraction(step_below())
    shares = [
        additive_paths.float_below(step * w / t)
        for t, w in zip(rule.nodes, rule.weights, strict=True)
    ]
    return (
        additive_paths.Scaled(
            np.concatenate([node.mantissas for node in nodes]),
            np.concatenate([node.exponents for node in nodes]),
        ),
        np.array(shares),
    )


# The selection distribution where the normaliser is a sum along a walk: in polynomial time

SCALE_BITS = 60
"""Lower bounds of probabilities are multiples of ``2**-SCALE_BITS``."""


def additive_selection(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> EnclosedLaw:
    """Return the law of the hypothesis that the stable learner chooses, in polynomial time.

    The learner draws a set I of n' indices uniformly, and then one of the representatives of the
    class on the points of S_I, h with weight ``decay**k_h`` where k_h counts the errors of h on the
    whole sample. For thresholds, point functions and other classes of
    :func:`~pac_stability.papers.dagan_feldman.additive_walks.walk_of` the normaliser is a sum along
    a walk over the points.

    Parameters
    ----------
    H
        A class with a walk on the points of the sample:
        :func:`~pac_stability.papers.dagan_feldman.additive_walks.walk_of`.
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
    walk = additive_walks.walk_of(H, sample)
    return EnclosedLaw(walk.hypotheses, lower_bounds(walk, size, decay), SCALE_BITS, walk.labels)


def lower_bounds(walk: additive_walks.Walk, subset_size: int, decay: Fraction) -> Integers:
    """Return lower bounds of the expectations of ``w_h 1[h in H_A] / Z_A``, in units of 2**-60."""
    probabilities, roundings = Sums(walk, subset_size, decay).probabilities()
    # The relative error of each is at most ``roundings * 2**-52``, up to higher orders.
    scale = (1 - Fraction(roundings * 101, 100 << 52)) / (1 + excess())
    counted = np.floor(probabilities * (float(scale) * 2.0**SCALE_BITS)).astype(np.int64)
    # One less for products too small for a double; the roundings here are among those counted.
    return np.maximum(counted - 1, 0)
