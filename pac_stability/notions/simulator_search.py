"""Which laws to cover: exact branch and bound over sets of laws.

Sets grow by one law at a time, the heaviest first, and the cost of a set never falls (see
``covers``). Laws that cannot be covered together are known from pairs. A branch ends where the
remaining laws together would not weigh enough. The searches are exponential in the worst case, and
have a budget.

When the weights of the laws change and the laws do not, as when a distribution varies, the heaviest
set is always one of the *maximal* ones, to which no law can be added (:func:`maximal_covers`). Last
comes the smallest factor e^epsilon for three outcomes and more, between certified bounds.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import BudgetExhausted
from pac_stability.notions import by_type, closeness, simulator_covers, simulators
from pac_stability.notions.closeness import are_close
from pac_stability.notions.simulator_covers import Cover, SimulatorBox, needed_delta, square_root

O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")

MAX_SEARCHED = 200
"""The most laws that callers search; with more, they are content with bounds."""


@dataclass(frozen=True, slots=True)
class Candidates(Generic[O]):
    """The laws that a set may have.

    Attributes
    ----------
    laws, weights
        The laws and their weights.
    conflicts
        For each law, a bitmask of the laws that no set may combine with it.
    outcomes
        All outcomes of the laws.
    """

    laws: Sequence[FiniteDistribution[O]]
    weights: Sequence[Fraction]
    conflicts: Sequence[int]
    outcomes: Sequence[O]

    @classmethod
    def of(
        cls,
        classes: Sequence[by_type.LawClass[S, O]],
        in_conflict: Callable[[FiniteDistribution[O], FiniteDistribution[O]], bool],
    ) -> Candidates[O]:
        """Make candidates of laws with their weights, and of what no set may combine."""
        laws, weights = [c.law for c in classes], [c.weight for c in classes]
        conflicts = simulator_covers.conflict_graph(laws, in_conflict)
        return cls(laws, weights, conflicts, by_type.outcomes_of(classes))


def heaviest_cover(
    candidates: Candidates[O], epsilon: Epsilon, delta: Fraction, *, known: Fraction, max_steps: int
) -> tuple[FiniteDistribution[O] | None, Fraction]:
    """Find the simulator that covers the largest weight, if that is more than what is known.

    Parameters
    ----------
    candidates
        The laws; conflicts are between laws that no simulator covers together.
    epsilon, delta
        The parameters of closeness.
    known
        A weight that is known to be covered; only larger ones are looked for.
    max_steps
        The largest number of extensions of a set that are tried.

    Returns
    -------
    simulator
        It covers more than the known weight; ``None`` when none was found.
    upper
        A certified upper bound on the weight that one can cover; attained if the search finished.
    """
    empty, reach = _covers_within(candidates, epsilon, delta)
    search = _Search(candidates, reach, max_steps, best=known)
    upper = search.explore(empty, Fraction(0), list(range(len(candidates.laws))))
    return search.simulator, max(search.best, upper)


def sufficient_cover(
    candidates: Candidates[O], epsilon: Epsilon, delta: Fraction, target: Fraction, max_steps: int
) -> tuple[FiniteDistribution[O] | None, bool]:
    """Find a simulator that covers at least a target weight; say whether the search finished.

    Parameters
    ----------
    candidates, epsilon, delta, max_steps
        As for :func:`heaviest_cover`.
    target
        The weight that is enough, positive.
    """
    empty, reach = _covers_within(candidates, epsilon, delta)
    search = _Search(candidates, reach, max_steps, target=target)
    unseen = search.explore(empty, Fraction(0), list(range(len(candidates.laws))))
    return search.simulator, not unseen


def cheapest_cover(
    candidates: Candidates[O],
    empty: Cover[O],
    target: Fraction,
    *,
    known: Fraction | None,
    max_steps: int,
) -> tuple[Cover[O] | None, bool]:
    """Find a cheapest set of laws that weighs at least a target; say whether the search finished.

    Parameters
    ----------
    candidates
        The laws; conflicts are between laws that no set cheaper than ``known`` has together.
    empty
        The empty set, of the kind that says what a set costs.
    target
        The weight that is enough, positive.
    known
        A cost that is known to be enough, if any; only cheaper sets are looked for.
    max_steps
        The largest number of extensions of a set that are tried.

    Notes
    -----
    The search looks for sets cheaper than the best one known until there is none.
    """
    best: Cover[O] | None = None
    limit = known

    def reach(cover: Cover[O]) -> simulator_covers.Reach[O] | None:
        if cover.cost is None or (limit is not None and cover.cost >= limit):
            return None
        return cover.below(limit)

    while True:
        search = _Search(candidates, reach, max_steps, target=target)
        unseen = search.explore(empty, Fraction(0), list(range(len(candidates.laws))))
        max_steps = search.steps
        if search.simulator is None:
            return best, not unseen
        best = empty
        for law, covered in zip(candidates.laws, search.covered, strict=True):
            if covered:
                best = best.extended(law)
        limit = best.cost


def _covers_within(
    candidates: Candidates[O], epsilon: Epsilon, delta: Fraction
) -> tuple[Cover[O], Callable[[Cover[O]], simulator_covers.Reach[O] | None]]:
    """Return the empty set, and how far the simulator of a set reaches at fixed parameters."""
    t = epsilon.ratio
    empty: Cover[O] = (
        simulator_covers.Polytope(candidates.outcomes, epsilon)
        if delta
        else SimulatorBox(candidates.outcomes)
    )
    bound = delta or t * t

    def reach(cover: Cover[O]) -> simulator_covers.Reach[O] | None:
        if cover.cost is None or cover.cost > bound:
            return None
        return simulator_covers.Reach(cover.simulator(t), epsilon, delta)

    return empty, reach


class _Search(Generic[O]):
    """Branch and bound, for the heaviest cover or for one that reaches a target.

    ``reach`` gives the simulator of a set, with the closeness at which it covers the set and what
    else it may; nothing when the set costs too much.
    """

    def __init__(
        self,
        candidates: Candidates[O],
        reach: Callable[[Cover[O]], simulator_covers.Reach[O] | None],
        steps: int,
        *,
        best: Fraction = Fraction(0),
        target: Fraction | None = None,
    ) -> None:
        self.candidates, self.reach, self.steps = candidates, reach, steps
        self.best, self.target = best, target
        self.simulator: FiniteDistribution[O] | None = None
        self.covered: list[bool] = []

    def explore(self, cover: Cover[O], weight: Fraction, free: list[int]) -> Fraction:
        """Search all sets of the cover and free laws; bound the weight of those not searched.

        With a target, those that do not reach it count as searched, and all do once one does.
        """
        laws, weights = self.candidates.laws, self.candidates.weights
        lightest = sorted(free, key=weights.__getitem__)
        # Each with what it and those before it weigh together, all that they could add.
        ordered = list(zip(lightest, accumulate(weights[i] for i in lightest), strict=True))
        while ordered:
            law, limit = ordered.pop()
            most = weight + limit
            if most <= self.best if self.target is None else most < self.target:
                break
            if not self.steps:
                return most
            self.steps -= 1
            larger = cover.extended(laws[law])
            reach = self.reach(larger)
            if reach is None:
                continue
            covered = [are_close(p, *reach) for p in laws]
            total = sum((w for w, c in zip(weights, covered, strict=True) if c), Fraction())
            if total > self.best and (self.target is None or total >= self.target):
                self.best, self.simulator, self.covered = total, reach.simulator, covered
                if self.target is not None:
                    break
            rest = [i for i, _ in ordered if not self.candidates.conflicts[law] >> i & 1]
            if all(covered[i] for i in rest):
                continue
            if self.explore(larger, weight + weights[law], rest):
                return most
            if self.target is not None and self.simulator is not None:
                break
        return Fraction(0)


# Laws on three outcomes


_NEAR = 2.0**-40  # far more than floats between 0 and 1 are off after three operations
_UNITS = 1 << 50  # the largest integers, of weights or ends, that floats count

_Best: TypeAlias = tuple[int, tuple[Fraction, ...]]
_Array: TypeAlias = npt.NDArray[np.float64]


class ThreeOutcomes(Generic[O]):
    """The heaviest cover of laws on three outcomes, by a sweep over polygons.

    An event of three outcomes is one of them, or all but one. So the simulators that are close to a
    law are those whose three probabilities lie in an interval each (``close_to``), and those that
    are close to a set of laws are a polygon of the same kind. Where the first probability is
    smallest in it, it is at the lower end of a law's first interval, or the second one is at the
    upper end of a law's second interval. On each of these 2 N lines the laws have intervals, of
    which those that meet weigh most is a sort: O(N^2 log N).

    A count bounds what meets between two lines, so strips are halved while they may hold more than
    the best line. Floats do this: integers if all ends have one small denominator, otherwise with
    intervals that are a little too long.

    Parameters
    ----------
    classes
        The laws and their weights.
    outcomes
        The three outcomes.
    factor, delta
        The parameters of closeness.
    """

    def __init__(
        self,
        classes: Sequence[by_type.LawClass[S, O]],
        outcomes: Sequence[O],
        factor: Fraction,
        delta: Fraction,
    ) -> None:
        def ends(law: FiniteDistribution[O], y: O) -> tuple[int, int, int]:
            k = law.numerators.get(y, 0)
            return simulator_covers.ends_close_to(k, law.denominator, factor, delta)

        self._outcomes = outcomes
        self._ends = [[ends(each.law, y) for each in classes] for y in outcomes]
        units = {unit for _, _, unit in self._ends[0]}
        one = math.lcm(*units) if len(units) <= 64 else _UNITS + 1  # of more it is hardly less
        self._one, self._near = (one, 0.0) if one <= _UNITS else (1, _NEAR)
        floats = [[(a * self._one / u, b * self._one / u) for a, b, u in e] for e in self._ends]
        self._low, self._high = np.moveaxis(np.array(floats), 2, 0)
        self._lines = np.unique(self._low[0]), np.unique(self._high[1])
        weights = [each.weight for each in classes]
        whole = math.lcm(*{weight.denominator for weight in weights})
        self._shares = [w.numerator * (whole // w.denominator) for w in weights]
        self._unit = Fraction(min(whole, _UNITS), whole)
        self._mass = np.array([math.ceil(share * self._unit) for share in self._shares], float)

    def best_simulator(self) -> FiniteDistribution[O]:
        """Return a simulator that covers the largest weight."""
        best: _Best = 0, ()
        strips = [(-math.inf, axis, 0, len(self._lines[axis])) for axis in (0, 1)]
        while strips and -strips[0][0] > best[0] * self._unit:
            _, axis, first, last = heapq.heappop(strips)
            if last - first == 1:
                best = self._on_line(axis, self._lines[axis][first], best)
                continue
            middle = (first + last) // 2
            for part in ((first, middle), (middle, last)):
                heapq.heappush(strips, (-self._most(axis, *part), axis, *part))
        return FiniteDistribution(dict(zip(self._outcomes, best[1], strict=True)))

    def _across(self, axis: int, a: float, b: float) -> tuple[npt.NDArray[np.intp], _Array, _Array]:
        """Return the laws that reach a strip, and their intervals of another outcome there."""
        one, other = (y for y in range(3) if y != axis)
        low = np.maximum(self._low[one], self._one - b - self._high[other]) - self._near
        high = np.minimum(self._high[one], self._one - a - self._low[other]) + self._near
        met = (self._low[axis] <= b + self._near) & (self._high[axis] >= a - self._near)
        laws = np.flatnonzero(met & (low <= high))
        return laws, low[laws], high[laws]

    def _most(self, axis: int, first: int, last: int) -> float:
        """Bound what meets from one line to another: laws that share one of many bins do."""
        lines, bins = self._lines[axis], 2 * len(self._shares)
        laws, low, high = self._across(axis, lines[first], lines[last - 1])
        mass, scale = self._mass[laws], bins / self._one
        begin, end = (
            np.bincount((at * scale).astype(np.int64), mass, bins + 2) for at in (low, high)
        )
        return float((np.cumsum(begin) - np.cumsum(end) + end).max())

    def _on_line(self, axis: int, here: float, best: _Best) -> _Best:
        """Return the best of what is known and the simulators that give one outcome so much."""
        laws, low, high = self._across(axis, here, here)
        up, down = np.argsort(low), np.argsort(high)
        ended = np.concatenate([[0], np.cumsum(self._mass[laws[down]])])
        depth = np.cumsum(self._mass[laws[up]]) - ended[np.searchsorted(high[down], low[up])]
        start = low[up[depth.argmax()]]
        on_it = np.flatnonzero((self._low, self._high)[axis][axis] == here).tolist()
        for at in {self._interval(axis, law)[axis] for law in on_it}:
            # Mostly the laws that meet there by floats do meet; else all of the line are looked at.
            for chosen in (laws[(low <= start) & (high >= start)], laws):
                if depth.max() > best[0] * self._unit:
                    found = self._meeting(axis, at, chosen.tolist())
                    best = found if found[0] > best[0] else best
        return best

    def _meeting(self, axis: int, at: Fraction, laws: Iterable[int]) -> _Best:
        """Return the largest share of some laws that meet on a line, and where, exactly."""
        one, other = (y for y in range(3) if y != axis)
        events = [(Fraction(0), 0, 0)]
        for law in laws:
            (a, b), (c, d), (low, high) = (self._interval(y, law) for y in (one, other, axis))
            a, b = max(a, 1 - at - d), min(b, 1 - at - c)
            if a <= b and low <= at <= high:
                events += [(a, 0, self._shares[law]), (b, 1, -self._shares[law])]
        events.sort()
        weights = accumulate(share for _, _, share in events)
        most, value = max(zip(weights, (value for value, _, _ in events), strict=True))
        point = {axis: at, one: value, other: 1 - at - value}
        return most, tuple(point[y] for y in range(3))

    def _interval(self, outcome: int, law: int) -> tuple[Fraction, Fraction]:
        low, high, unit = self._ends[outcome][law]
        return Fraction(low, unit), Fraction(high, unit)


# All largest sets of laws that one simulator covers, whatever the laws weigh


def maximal_covers(
    laws: Sequence[FiniteDistribution[O]],
    outcomes: Sequence[O],
    epsilon: Epsilon,
    delta: Fraction,
    *,
    max_steps: int,
) -> tuple[tuple[int, ...], ...]:
    """Return every maximal set of laws that one simulator covers.

    Parameters
    ----------
    laws
        Distinct laws, at least one.
    outcomes
        All outcomes of the laws.
    epsilon, delta
        The parameters of closeness.
    max_steps
        The largest number of extensions of a set that are tried, with three outcomes and more.

    Returns
    -------
    tuple of tuples of int
        The positions of the laws in each set; no set is contained in another.

    Raises
    ------
    BudgetExhausted
        The search did not finish, or there are more than ``cover_search.MAX_SEARCHED`` laws on
        three outcomes and more.

    Notes
    -----
    With two outcomes these are windows of consecutive probabilities, at most one for each law, and
    found in O(N log N). Otherwise the sets grow by one law at a time. If a set can absorb at once
    all laws that fit it one by one, its branch ends; otherwise the search branches on a law that
    does not fit with the others. There may be exponentially many maximal sets.

    Examples
    --------
    >>> laws = [FiniteDistribution.point_mass(y) for y in "abc"]
    >>> maximal_covers(laws, "abc", Epsilon.exactly(1), Fraction(1, 2), max_steps=100)
    ((0, 1), (0, 2), (1, 2))
    """
    if len(outcomes) <= 2:
        return tuple(_windows([law.probability(outcomes[-1]) for law in laws], epsilon, delta))
    if len(laws) > MAX_SEARCHED:
        raise BudgetExhausted(
            f"there are {len(laws)} distinct laws on {len(outcomes)} outcomes: sets that one "
            f"simulator covers are searched for at most {MAX_SEARCHED} laws, or two outcomes"
        )
    search = _MaximalSets(laws, outcomes, epsilon, delta, max_steps)
    return tuple(sorted(search.explore(search.empty, (), range(len(laws)), ())))


def _windows(
    points: Sequence[Fraction], epsilon: Epsilon, delta: Fraction
) -> Iterator[tuple[int, ...]]:
    """Yield the maximal sets of laws on two outcomes, given by the probabilities of one."""
    order = sorted(range(len(points)), key=points.__getitem__)
    first = 0
    for last, position in enumerate(order):
        start = first
        while needed_delta(points[order[first]], points[position], epsilon.ratio) > delta:
            first += 1
        if first > start:  # what ended before this law could not be longer
            yield tuple(sorted(order[start:last]))
    yield tuple(sorted(order[first:]))


class _MaximalSets(Generic[O]):
    """The search for all maximal sets, with what is left of its budget."""

    def __init__(
        self,
        laws: Sequence[FiniteDistribution[O]],
        outcomes: Sequence[O],
        epsilon: Epsilon,
        delta: Fraction,
        max_steps: int,
    ) -> None:
        self.laws = laws
        self.empty: Cover[O] = (
            simulator_covers.Polytope(outcomes, epsilon) if delta else SimulatorBox(outcomes)
        )
        self.limit = delta or epsilon.ratio**2  # of the cost: Box has the square of the factor
        self.max_steps = max_steps
        self.steps = 0

    def explore(
        self,
        cover: Cover[O],
        members: tuple[int, ...],
        free: Sequence[int],
        excluded: Sequence[int],
    ) -> Iterator[tuple[int, ...]]:
        """Yield the maximal sets that have these members, some free laws, and none excluded."""
        larger, joined = cover, list(members)
        for law in free:
            extended = self._extended(larger, law)
            if extended is None:
                break
            larger = extended
            joined.append(law)
        else:
            if all(self._extended(larger, law) is None for law in excluded):
                yield tuple(sorted(joined))
            return
        # This law is in no set with all of those that joined before it.
        rest = [other for other in free if other != law]
        chosen = self._extended(cover, law)
        if chosen is not None:
            inside = (*members, law)
            fitting = [o for o in rest if self._extended(chosen, o) is not None]
            rivals = [o for o in excluded if self._extended(chosen, o) is not None]
            yield from self.explore(chosen, inside, fitting, rivals)
        yield from self.explore(cover, members, rest, [*excluded, law])

    def _extended(self, cover: Cover[O], law: int) -> Cover[O] | None:
        """Return a set with one more law, if one simulator covers it."""
        if self.steps == self.max_steps:
            raise BudgetExhausted(
                f"the maximal sets of {len(self.laws)} distinct laws that one simulator covers "
                f"take more than {self.max_steps} steps: allow more with max_steps"
            )
        self.steps += 1
        extended = cover.extended(self.laws[law])
        return None if extended.cost is None or extended.cost > self.limit else extended


# The smallest factor e^epsilon of a simulator, for three outcomes and more: certified bounds

V = TypeVar("V", Fraction, Fraction | float)

_LARGEST_FACTOR = Fraction(1 << 64)
_PRECISION = Fraction(1, 1 << 16)  # relative, of a factor that is found by bisection


def without_delta(
    classes: Sequence[by_type.LawClass[S, O]], target: Fraction, lower: Fraction, steps: int
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

    simulator = min(simulators.simulators_to_try(classes), key=reached)
    upper = reached(simulator)
    if lower == upper or len(classes) > MAX_SEARCHED:
        return lower, upper, simulator
    known = upper * upper if isinstance(upper, Fraction) else None
    empty = SimulatorBox(by_type.outcomes_of(classes))

    def in_conflict(p: FiniteDistribution[O], q: FiniteDistribution[O]) -> bool:
        cost = empty.extended(p).extended(q).cost
        return cost is None or (known is not None and cost >= known)

    candidates = Candidates.of(classes, in_conflict)
    cover, finished = cheapest_cover(candidates, empty, target, known=known, max_steps=steps)
    if cover is None:
        return (upper if finished else lower), upper, simulator
    assert cover.cost is not None  # noqa: S101  # it was compared
    root = square_root(cover.cost)
    return (root.lower if finished else lower), root.upper, cover.simulator(root.upper)


def with_delta(
    classes: Sequence[by_type.LawClass[S, O]],
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

    def at(factor: Fraction) -> tuple[FiniteDistribution[O] | None, bool]:
        epsilon = Epsilon.exactly(factor)
        candidates = Candidates.of(
            classes, lambda p, q: simulator_covers.needed_by_pair(p, q, epsilon) > d
        )
        return sufficient_cover(candidates, epsilon, d, target, steps)

    simulator = min(simulators.simulators_to_try(classes), key=reached)
    low, high = least.lower, reached(simulator)
    if len(classes) > MAX_SEARCHED:
        return low, high, simulator
    middle = least.upper  # often the answer
    while high > low * (1 + _PRECISION):
        found, finished = at(middle)
        if found is not None:
            simulator, high = found, min(middle, reached(found))
        elif finished and middle < _LARGEST_FACTOR:
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
