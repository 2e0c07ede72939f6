"""The smallest factor e^epsilon of a simulator, for three outcomes and more: certified bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TypeVar

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution
from pac_stability.notions import closeness
from pac_stability.notions.sample_laws import LawClass, outcomes_of
from pac_stability.notions.simulation.conflicts import conflict_graph, needed_by_pair
from pac_stability.notions.simulation.cover_search import (
    MAX_SEARCHED,
    Candidates,
    Sufficient,
    cheapest_cover,
    sufficient_cover,
)
from pac_stability.notions.simulation.covers import SimulatorBox
from pac_stability.notions.simulation.stabbing import square_root
from pac_stability.notions.simulators import simulators_to_try

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")
V = TypeVar("V", Fraction, Fraction | float)

_LARGEST_FACTOR = Fraction(1 << 64)
_PRECISION = Fraction(1, 1 << 16)  # relative, of a factor that is found by bisection


def without_delta(
    classes: Sequence[LawClass[S, O]],
    target: Fraction,
    lower: Fraction,
    steps: int,
) -> tuple[Fraction | float, Fraction | float, FiniteDistribution[O]]:
    """Bound the smallest factor at delta = 0.

    Parameters
    ----------
    classes
        The samples grouped by law.
    target
        The weight to cover, positive.
    lower
        A lower bound that is known.
    steps
        The budget of the search.

    Returns
    -------
    (lower, upper, simulator)
        The simulator covers the target at the upper bound, unless that is infinite.
    """

    def reached(simulator: FiniteDistribution[O]) -> Fraction | float:
        return weighted_quantile(
            [(closeness.minimal_epsilon(c.law, simulator), c.weight) for c in classes], target
        )

    simulator = min(simulators_to_try(classes), key=reached)
    upper = reached(simulator)
    if lower == upper or len(classes) > MAX_SEARCHED:
        return lower, upper, simulator
    known = upper * upper if isinstance(upper, Fraction) else None
    outcomes = outcomes_of(classes)
    empty = SimulatorBox(outcomes)

    def in_conflict(p: FiniteDistribution[O], q: FiniteDistribution[O]) -> bool:
        cost = empty.extended(p).extended(q).cost
        return cost is None or (known is not None and cost >= known)

    every = [c.law for c in classes]
    conflicts = conflict_graph(every, in_conflict)
    found = cheapest_cover(
        Candidates(every, [c.weight for c in classes], conflicts, outcomes),
        empty,
        target,
        known=known,
        max_steps=steps,
    )
    if found.cover is None:
        return (upper if found.finished else lower), upper, simulator
    assert found.cover.cost is not None  # noqa: S101  # it was compared
    root = square_root(found.cover.cost)
    least = root.lower if found.finished else lower
    return least, root.upper, found.cover.simulator(root.upper)


def with_delta(
    classes: Sequence[LawClass[S, O]],
    target: Fraction,
    d: Fraction,
    least: Interval,
    steps: int,
) -> tuple[Fraction | float, Fraction | float, FiniteDistribution[O]]:
    """Bound the smallest factor at a positive delta, by bisection.

    Parameters
    ----------
    classes, target, steps
        As for :func:`without_delta`.
    d
        delta.
    least
        An enclosure of a number that the factor is at least.

    Returns
    -------
    (lower, upper, simulator)
        As for :func:`without_delta`.
    """

    def reached(simulator: FiniteDistribution[O]) -> Fraction | float:
        return weighted_quantile(
            [(closeness.minimal_epsilon(c.law, simulator, d), c.weight) for c in classes], target
        )

    def at(factor: Fraction) -> Sufficient[O]:
        epsilon = Epsilon.exactly(factor)
        conflicts = conflict_graph(every, lambda p, q: needed_by_pair(p, q, epsilon) > d)
        return sufficient_cover(
            Candidates(every, weights, conflicts, outcomes), epsilon, d, target, steps
        )

    outcomes = outcomes_of(classes)
    every, weights = [c.law for c in classes], [c.weight for c in classes]
    simulator = min(simulators_to_try(classes), key=reached)
    low, high = least.lower, reached(simulator)
    if len(classes) > MAX_SEARCHED:
        return low, high, simulator
    middle = least.upper  # often the answer
    while high > low * (1 + _PRECISION):
        found = at(middle)
        if found.simulator is not None:
            simulator, high = found.simulator, min(middle, reached(found.simulator))
        elif found.finished and middle < _LARGEST_FACTOR:
            low = middle
        else:
            break
        if isinstance(high, Fraction):
            middle = Fraction(math.isqrt(int(low * high * (1 << 64))), 1 << 32)
        else:
            middle = _LARGEST_FACTOR
    return low, high, simulator


def weighted_quantile(valued: Iterable[tuple[V, Fraction]], target: Fraction) -> V:
    """Return the smallest value such that those up to it have the target weight.

    Parameters
    ----------
    valued
        Pairs of a value and its weight.
    target
        A weight, at most that of all together.

    Examples
    --------
    >>> weighted_quantile([(Fraction(k), Fraction(1, 3)) for k in range(3)], Fraction(1, 2))
    Fraction(1, 1)
    """
    by_value = sorted(valued, key=lambda pair: pair[0])
    totals = accumulate(weight for _, weight in by_value)
    return next(
        value for (value, _), total in zip(by_value, totals, strict=True) if total >= target
    )
