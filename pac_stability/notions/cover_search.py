"""Which laws to cover: exact branch and bound over sets of laws.

Sets grow by one law at a time, and what a set costs never falls (see
:mod:`pac_stability.notions.covers`). Laws that cannot be covered together are known from pairs;
what is left is as in a search for the heaviest clique, where a colouring bounds the weight that can
still be added. The searches are exponential in the worst case, and have a budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.notions.closeness import are_close
from pac_stability.notions.covers import Box, Cover, Polytope

O = TypeVar("O")  # noqa: E741  # an outcome


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
    """The heaviest set found, and a bound on all others.

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
        The laws.
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
    search = _Heaviest(candidates, epsilon, delta, known, max_steps)
    upper = search.explore(search.empty, Fraction(0), list(range(len(candidates.laws))))
    return Heaviest(max(search.best, upper), search.simulator)


class _Heaviest(Generic[O]):
    def __init__(
        self,
        candidates: Candidates[O],
        epsilon: Epsilon,
        delta: Fraction,
        known: Fraction,
        steps: int,
    ) -> None:
        self.candidates, self.epsilon, self.delta = candidates, epsilon, delta
        self.best, self.steps = known, steps
        self.simulator: FiniteDistribution[O] | None = None
        self.empty: Cover[O]
        if delta == 0:
            self.empty, self.bound = Box(candidates.outcomes), epsilon.ratio**2
        else:
            self.empty, self.bound = Polytope(candidates.outcomes, epsilon), delta

    def explore(self, cover: Cover[O], weight: Fraction, free: list[int]) -> Fraction:
        """Search all sets of the cover and free laws; bound the weight of those not searched."""
        laws, weights = self.candidates.laws, self.candidates.weights
        ordered = coloured(free, weights, self.candidates.conflicts)
        while ordered:
            law, limit = ordered.pop()
            if weight + limit <= self.best:
                break
            if not self.steps:
                return weight + limit
            self.steps -= 1
            larger = cover.extended(laws[law])
            if larger.cost is None or larger.cost > self.bound:
                continue
            simulator = larger.simulator(self.epsilon.ratio)
            covered = [are_close(p, simulator, self.epsilon, self.delta) for p in laws]
            total = sum((w for w, c in zip(weights, covered, strict=True) if c), Fraction())
            if total > self.best:
                self.best, self.simulator = total, simulator
            rest = [i for i, _ in ordered if not self.candidates.conflicts[law] >> i & 1]
            if all(covered[i] for i in rest):
                continue
            if self.explore(larger, weight + weights[law], rest):
                return weight + limit
        return Fraction(0)


@dataclass(frozen=True, slots=True)
class Cheapest(Generic[O]):
    """The cheapest set found that weighs enough.

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
        The laws.
    empty
        The empty set, of the kind that says what a set costs.
    target
        The weight that is enough, positive.
    known
        A cost that is known to be enough, if any; only cheaper sets are looked for.
    max_steps
        The largest number of extensions of a set that are tried.
    """
    search = _Cheapest(candidates, target, known, max_steps)
    finished = search.explore(empty, Fraction(0), list(range(len(candidates.laws))))
    return Cheapest(search.cover, finished)


class _Cheapest(Generic[O]):
    def __init__(
        self, candidates: Candidates[O], target: Fraction, known: Fraction | None, steps: int
    ) -> None:
        self.candidates, self.target, self.best, self.steps = candidates, target, known, steps
        self.cover: Cover[O] | None = None

    def explore(self, cover: Cover[O], weight: Fraction, free: list[int]) -> bool:
        """Search all sets of the cover and free laws; return whether the budget was enough."""
        weights, conflicts = self.candidates.weights, self.candidates.conflicts
        ordered = coloured(free, weights, conflicts)
        while ordered:
            law, limit = ordered.pop()
            if weight + limit < self.target:
                break
            if not self.steps:
                return False
            self.steps -= 1
            larger = cover.extended(self.candidates.laws[law])
            if larger.cost is None or (self.best is not None and larger.cost >= self.best):
                continue
            total = weight + weights[law]
            if total >= self.target:
                self.best, self.cover = larger.cost, larger
                continue
            rest = [i for i, _ in ordered if not conflicts[law] >> i & 1]
            if not self.explore(larger, total, rest):
                return False
        return True


def coloured(
    candidates: Sequence[int], weights: Sequence[Fraction], conflicts: Sequence[int]
) -> list[tuple[int, Fraction]]:
    """Order laws so that each comes with a bound on what it and those before it can weigh together.

    Parameters
    ----------
    candidates
        Positions of laws.
    weights, conflicts
        Of all laws, as :class:`Candidates` has them.

    Returns
    -------
    list of (int, Fraction)
        The candidates; the bounds do not fall.

    Notes
    -----
    The laws are put into groups that conflict throughout, the heaviest first, each into the first
    group that will have it. Of each group one law can be covered.

    Examples
    --------
    >>> third = Fraction(1, 3)
    >>> coloured([0, 1, 2], [third] * 3, [0b010, 0b001, 0])
    [(0, Fraction(1, 3)), (1, Fraction(1, 3)), (2, Fraction(2, 3))]
    """
    groups: list[tuple[int, list[int]]] = []
    for law in sorted(candidates, key=lambda i: -weights[i]):
        for index, (common, members) in enumerate(groups):
            if common >> law & 1:
                members.append(law)
                groups[index] = common & conflicts[law], members
                break
        else:
            groups.append((conflicts[law], [law]))
    ordered = []
    before = Fraction(0)
    for _, members in groups:
        heaviest = before + weights[members[0]]
        ordered += [(law, heaviest) for law in members]
        before = heaviest
    return ordered
