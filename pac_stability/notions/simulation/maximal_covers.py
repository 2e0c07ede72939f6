"""All largest sets of laws that one simulator covers, whatever the laws weigh.

When the weights of the laws change and the laws do not, as when a distribution varies, the heaviest
set is always one of the *maximal* ones: those to which no law can be added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution
from pac_stability.errors import BudgetExhausted
from pac_stability.notions.simulation.cover_search import MAX_SEARCHED
from pac_stability.notions.simulation.covers import Cover, Polytope, SimulatorBox
from pac_stability.notions.simulation.stabbing import needed_delta

O = TypeVar("O")  # noqa: E741  # an outcome


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
    found in O(N log N). Otherwise the sets grow by one law at a time. A set that can take in all
    laws that fit it one by one is settled at once; else it branches on a law that does not fit with
    the others. There may be exponentially many maximal sets.

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
        self.empty: Cover[O] = Polytope(outcomes, epsilon) if delta else SimulatorBox(outcomes)
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
