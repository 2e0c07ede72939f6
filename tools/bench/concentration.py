"""Rho of two laws: the library, sums of intervals with bounds on a curve alone, and floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush

import numpy as np

from pac_stability.arithmetic import Interval
from pac_stability.data import FiniteDistribution
from pac_stability.notions import zero_concentrated
from pac_stability.notions.zero_concentrated import ACCURACY, one_sided_rho
from tools.bench.measure import Run

BITS = 192
PARTS = 10**7  # what both must agree on

Law = FiniteDistribution[int]


def _tilted(outcomes: int) -> tuple[Law, Law]:
    weights = [math.comb(outcomes - 1, y) for y in range(outcomes)]
    others = [weight * (100 + y) for y, weight in enumerate(weights)]
    p, q = (
        FiniteDistribution({y: Fraction(w, sum(ws)) for y, w in enumerate(ws)})
        for ws in (weights, others)
    )
    return p, q


INSTANCES = {f"{outcomes} ratios": outcomes for outcomes in (8, 16, 32)}


def library(name: str) -> Run:
    """The bounds of the library, rounded, and how many ratios there are."""
    p, q = _tilted(INSTANCES[name])

    def run() -> tuple[Fraction, int]:
        zero_concentrated._rho.cache_clear()
        return _rounded(Fraction(one_sided_rho(p, q).upper)), len(p.support)

    return run


def intervals(name: str) -> Run:
    """The same by sums of rational intervals: more orders, each longer."""
    p, q = _tilted(INSTANCES[name])

    def run() -> tuple[Fraction, int]:
        ratios = [(p.probability(y) / q.probability(y), p.probability(y)) for y in p.support]
        return _rounded(_upper(sorted(ratios, reverse=True))), len(p.support)

    return run


def _rounded(rho: Fraction) -> Fraction:
    return Fraction(round(rho * PARTS), PARTS)


def _upper(ratios: list[tuple[Fraction, Fraction]]) -> Fraction:
    logs = [(Interval.log(ratio, BITS), weight) for ratio, weight in ratios]
    largest = logs[0][0]
    curvature = Interval.log(ratios[0][0] / ratios[-1][0]).upper ** 4 / 96
    at = _divergence(logs)
    first = at(Fraction(1))
    a, at_a, best = Fraction(1), first.upper, first.lower
    cells: list[tuple[Fraction, Fraction, Fraction, Fraction, Fraction]] = []

    def push(a: Fraction, at_a: Fraction, b: Fraction, at_b: Fraction) -> None:
        bound = max(at_a, at_b) + curvature * (b - a) ** 2 / 8
        heappush(cells, (-min(bound, at_b * b / a), a, at_a, b, at_b))

    while largest.upper > best * a:
        there = at(2 * a)
        best = max(best, there.lower)
        push(a, at_a, 2 * a, there.upper)
        a, at_a = 2 * a, there.upper
    while -cells[0][0] > best * (1 + ACCURACY):
        _, a, at_a, b, at_b = heappop(cells)
        there = at((a + b) / 2)
        best = max(best, there.lower)
        push(a, at_a, (a + b) / 2, there.upper)
        push((a + b) / 2, there.upper, b, at_b)
    return max(best, -cells[0][0])


def _divergence(logs: list[tuple[Interval, Fraction]]) -> Callable[[Fraction], Interval]:
    largest = logs[0][0]

    def at(order: Fraction) -> Interval:
        if order == 1:
            return sum((log * weight for log, weight in logs), Interval.exactly(0))
        powers = ((log - largest) * (order - 1) for log, _ in logs)
        terms = (Interval.exp(x, BITS) * w for x, (_, w) in zip(powers, logs, strict=True))
        moment = Interval.log(sum(terms, Interval.exactly(0)), BITS) / (order - 1)
        return (largest + moment) / order

    return at


def arrays(name: str) -> Run:
    """The largest of many orders in floats, twice as close around the best of them."""
    p, q = _tilted(INSTANCES[name])

    def run() -> tuple[Fraction, int]:
        masses = np.array([float(p.probability(y)) for y in p.support])
        logs = np.array([math.log(p.probability(y) / q.probability(y)) for y in p.support])
        largest = logs.max()

        def best(orders: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
            powers = np.exp((orders[:, None] - 1) * (logs - largest)) @ masses
            found = (largest + np.log(powers) / (orders - 1)) / orders
            at = int(found.argmax())
            return float(found[at]), float(orders[at])

        rho, at = best(1 + np.geomspace(1e-4, 1e5, 2000))
        rho = max(rho, best(np.linspace(max(1 + 1e-6, at / 1.02), at * 1.02, 2000))[0])
        return _rounded(Fraction(max(rho, float(masses @ logs)))), len(masses)

    return run
