"""Which laws to cover: exact branch and bound over sets of laws.

Sets grow by one law at a time, the heaviest first, and what a set costs never falls (see
``covers``). Laws that cannot be covered together are known from pairs. A branch ends where all that
is left would not weigh enough. The searches are exponential in the worst case, and have a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Generic, TypeVar

from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.notions.closeness import are_close
from pac_stability.notions.simulation.covers import Cover, Polytope, Reach, SimulatorBox

O = TypeVar("O")  # noqa: E741  # an outcome

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
        For each law, a bitmask of those that no set in question has together with it.
    outcomes
        All outcomes of the laws.
    """

    laws: Sequence[FiniteDistribution[O]]
    weights: Sequence[Fraction]
    conflicts: Sequence[int]
    outcomes: Sequence[O]


@dataclass(frozen=True, slots=True)
class Heaviest(Generic[O]):
    """The heaviest cover found, and a bound on all others.

    Attributes
    ----------
    upper
        A certified bound on the weight that any simulator covers.
    simulator
        What covers more than was known before; ``None`` when nothing does.
    """

    upper: Fraction
    simulator: FiniteDistribution[O] | None


def heaviest_cover(
    candidates: Candidates[O],
    epsilon: Epsilon,
    delta: Fraction,
    *,
    known: Fraction,
    max_steps: int,
) -> Heaviest[O]:
    """Find the simulator that covers the largest weight.

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
    Heaviest
        When the search was finished, ``upper`` is the weight that is covered.
    """
    empty, reach = _covers_within(candidates, epsilon, delta)
    search = _Search(candidates, reach, max_steps, best=known)
    upper = search.explore(empty, Fraction(0), list(range(len(candidates.laws))))
    return Heaviest(max(search.best, upper), search.simulator)


@dataclass(frozen=True, slots=True)
class Sufficient(Generic[O]):
    """A simulator that covers enough, or the reason that there is none.

    Attributes
    ----------
    simulator
        What covers enough; ``None`` when none was found.
    finished
        Whether there is no simulator if none was found.
    """

    simulator: FiniteDistribution[O] | None
    finished: bool


def sufficient_cover(
    candidates: Candidates[O], epsilon: Epsilon, delta: Fraction, target: Fraction, max_steps: int
) -> Sufficient[O]:
    """Find a simulator that covers at least a target weight.

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
    return Sufficient(search.simulator, not unseen)


@dataclass(frozen=True, slots=True)
class Cheapest(Generic[O]):
    """The cheapest cover found that weighs enough.

    Attributes
    ----------
    cover
        The set; ``None`` when nothing is cheaper than what was known before.
    finished
        Whether it is known that no other set is cheaper.
    """

    cover: Cover[O] | None
    finished: bool


def cheapest_cover(
    candidates: Candidates[O],
    empty: Cover[O],
    target: Fraction,
    *,
    known: Fraction | None,
    max_steps: int,
) -> Cheapest[O]:
    """Find a cheapest set of laws that weighs at least a target.

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
    Sets cheaper than the best one known are looked for until there is none.
    """
    best: Cover[O] | None = None
    limit = known

    def reach(cover: Cover[O]) -> Reach[O] | None:
        if cover.cost is None or (limit is not None and cover.cost >= limit):
            return None
        return cover.below(limit)

    while True:
        search = _Search(candidates, reach, max_steps, target=target)
        unseen = search.explore(empty, Fraction(0), list(range(len(candidates.laws))))
        max_steps = search.steps
        if search.simulator is None:
            return Cheapest(best, not unseen)
        best = empty
        for law, covered in zip(candidates.laws, search.covered, strict=True):
            if covered:
                best = best.extended(law)
        limit = best.cost


def _covers_within(
    candidates: Candidates[O], epsilon: Epsilon, delta: Fraction
) -> tuple[Cover[O], Callable[[Cover[O]], Reach[O] | None]]:
    """Return the empty set, and how far the simulator of a set reaches at fixed parameters."""
    t = epsilon.ratio
    empty: Cover[O] = (
        Polytope(candidates.outcomes, epsilon) if delta else SimulatorBox(candidates.outcomes)
    )
    bound = delta or t * t

    def reach(cover: Cover[O]) -> Reach[O] | None:
        if cover.cost is None or cover.cost > bound:
            return None
        return Reach(cover.simulator(t), epsilon, delta)

    return empty, reach


class _Search(Generic[O]):
    """Branch and bound, for the heaviest cover or for one that reaches a target.

    ``reach`` gives the simulator of a set, with the closeness at which it covers the set and what
    else it may; nothing when the set costs too much.
    """

    def __init__(
        self,
        candidates: Candidates[O],
        reach: Callable[[Cover[O]], Reach[O] | None],
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
