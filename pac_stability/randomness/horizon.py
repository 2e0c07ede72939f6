"""How far out published numbers with noise are told apart, and what their tails are called.

A law of such a number has a window, in which each value is an outcome, and two tails, which are
told by how they fall. Laws are compared, so all of them share one horizon: where one needs a wider
window, a finer grid or other names, all are computed again. Of independent numbers, which are
factors of a law, only those places are told apart where a ratio is largest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pac_stability.arguments import as_size
from pac_stability.randomness import tails as endless
from pac_stability.randomness.tails import Polynomial
from pac_stability.randomness.watch import assume

if TYPE_CHECKING:
    from pac_stability.randomness.weights import WeightedChoice


Exact: TypeAlias = int | Fraction
Beyond: TypeAlias = tuple[tuple[Fraction, Polynomial], ...]
"""What lies beyond a window on one side, as a sum of exponentials with the sum 1."""
OPEN_SHARE = Fraction(1, 2**64)
"""The share of noise far out that is left open."""
GRID = 16
"""Noise on the real line lies on a grid of so many steps to the unit, unless one asks otherwise."""
FINEST = 1 << 10
"""No grid becomes finer by itself."""
_MOST_TAILS = 64
_SPREAD = 1 << 11
"""Windows of so many values in all are published as they are."""
_MOST_WAYS = 1 << 12
"""Numbers that hang together are told apart in so many ways, or on a coarser grid."""


class Known(Enum):
    """How exact a law is that distinguishes noisy numbers only up to some distance.

    Its value is the sentence about this among the assumptions of an audit.
    """

    RATIOS = (
        "Published numbers far out are counted together, each tail by how it falls: the value is "
        "exact for a ratio of probabilities, and no more than an approximation for anything else."
    )
    FROM_BELOW = (
        "Numbers far out that hang together are told apart no further: the value is a lower bound."
    )
    ON_A_GRID = (
        "Noise on the real line is taken on a grid: what is said is of that noise, and of the "
        "continuous one in the limit of finer grids."
    )
    BESIDE_THE_GRID = (
        "Numbers beside the grid, to which noise is added, are taken at the nearest of its points: "
        "the value is no more than an approximation."
    )
    ROUNDED = (
        "The largest of numbers with Gumbel noise is drawn as by the exponential mechanism, whose "
        "weights are rounded by up to 2^-64 of each."
    )
    ENCLOSED = (
        "A continuous draw is below a number with a probability that is rounded, by up to 2^-64 of "
        "it."
    )

    @classmethod
    def of(cls, sentences: Iterable[str]) -> frozenset[Known]:
        """Return the members whose sentences are among the given ones."""
        said = frozenset(sentences)
        return frozenset(each for each in cls if each.value in said)


_grid: ContextVar[int | None] = ContextVar("grid", default=None)


def grid_now() -> int:
    """Return the steps per unit of noise on the real line, unless its scale is small."""
    return _grid.get() or GRID


@contextmanager
def on_grid(steps: int | None) -> Iterator[None]:
    """Use another grid for noise on the real line.

    Parameters
    ----------
    steps
        How many per unit; without a number ``GRID``, or fewer where very many numbers are told
        apart.
    """
    before = _grid.set(None if steps is None else as_size(steps, "grid", least=1))
    try:
        yield
    finally:
        _grid.reset(before)


@dataclass(frozen=True, slots=True)
class Far:
    """The published value of a number beyond the window: which number, and where."""

    place: int
    side: int
    limit: Exact
    phase: Exact

    def __str__(self) -> str:
        name = ("less than", "more than")[self.side]
        steps = f", {self.phase} above a step" if self.phase else ""
        return f"{name} {plain(self.limit)}{steps}"


Factor: TypeAlias = "tuple[WeightedChoice, tuple[Beyond, Beyond], Exact, Exact]"
"""The law of a published number: weights in its window and of its tails, these, unit, and phase."""

Published: TypeAlias = tuple[tuple[Far, Exact, Beyond], ...]
"""What was published far out on a path: each with its step, and what it weighs there, if known."""


class Horizon:
    """How far out published numbers are distinguished, and the grid of the noise.

    All compared laws share one; where a law needs more, all restart.

    Attributes
    ----------
    windows
        The ends of the windows of the first, second, ... published number of a path.
    units
        The step of these numbers; 0 where it differs.
    several
        The places where a tail has several exponentials.
    merged
        Outcomes in which several tails are not distinguished.
    kept
        The published numbers that depend on nothing else in an outcome, each with the places of its
        window that are told apart: those where a ratio of two of its laws is largest. So the
        largest ratio of two products is attained among these.
    continuous
        The leaves of outcomes where noise on the real line was published: it equals no number.
    ratios
        Whether largest ratios are all that matters.
    grid
        The steps per unit of noise on the real line.
    free
        Whether this number may be smaller: nobody asked for it, and nothing needs it.
    version
        The number of changes.
    """

    def __init__(self, *, ratios: bool = False) -> None:
        self.windows: dict[int, tuple[Exact, Exact]] = {}
        self.units: dict[int, Exact] = {}
        self.kept: dict[int, tuple[int, ...]] = {}
        self.whole: frozenset[int] = frozenset()
        self.ratios = ratios
        self.several: frozenset[int] = frozenset()
        self.continuous: frozenset[int] = frozenset()
        self.merged: frozenset[object] = frozenset()
        self.grid, self.free, self.version = grid_now(), _grid.get() is None, 0

    # A cached property is no part of what a program keeps between questions, which holds this.
    @cached_property
    def tails(self) -> dict[tuple[object, Far], set[Beyond]]:
        """The tails of the laws, for each outcome and place."""
        return {}

    @cached_property
    def factors(self) -> dict[int, tuple[Factor, ...]]:
        """The laws of the numbers of which not all places are told apart."""
        return {}

    @cached_property
    def masks(self) -> dict[object, object]:
        """Where such numbers stand, for each shape of an outcome."""
        return {}

    def copy(self) -> Horizon:
        """Return a copy that changes on its own."""
        other = Horizon(ratios=self.ratios)
        other.become(self)
        return other

    def become(self, other: Horizon) -> None:
        """Take over everything from another."""
        self.tails, self.masks = other.tails, other.masks  # what was seen is seen by both
        self.__dict__ |= other.__dict__
        self.windows, self.units = dict(other.windows), dict(other.units)
        self.kept, self.factors = dict(other.kept), dict(other.factors)

    def covers(self, place: int, low: Exact, high: Exact, unit: Exact) -> bool:
        """Return whether the window of a place contains these ends; else widen it.

        A window with several exponentials contains one step more on each side.
        """
        if place in self.several:
            low, high = low - unit, high + unit
        before = self.windows.get(place, (low, high))
        window = min(low, before[0]), max(high, before[1])
        same = self.units.setdefault(place, unit) in (unit, 0)
        if self.windows.get(place) == window and same:
            return True
        self.units[place] = self.units[place] if same else 0
        self._widen(place, window)
        return False

    def _widen(self, place: int, window: tuple[Exact, Exact]) -> None:
        self.windows[place] = window
        if place in self.kept:
            self.kept[place] = self.factors[place] = ()
        self._changed()

    def _changed(self) -> None:
        """Forget what was seen of outcomes, which are others from now on."""
        self.version += 1
        self.merged, self.tails, self.masks = frozenset(), {}, {}

    def notice(self, leaves: frozenset[int]) -> None:
        """Remember where noise on the real line is published."""
        if not leaves <= self.continuous:
            self.continuous |= leaves
            self._changed()

    def size(self, place: int) -> int:
        """Return how many values a window has."""
        low, high = self.windows[place]
        return int((high - low) / self.units[place]) + 3 if self.units[place] else 0

    def spread(self, windows: Mapping[int, int]) -> None:
        """Tell few places apart of numbers with windows of such sizes, if these are many in all."""
        if self.ratios and math.prod(windows.values()) > _SPREAD:
            new = windows.keys() - self.kept.keys() - self.whole
            if new:
                self.kept |= dict.fromkeys(new, ())
                self._changed()

    def tell_whole(self, places: Iterable[int]) -> None:
        """Tell all places of some windows apart after all."""
        self.whole |= {*places}
        self.kept = {place: kept for place, kept in self.kept.items() if place not in self.whole}
        self._changed()

    def known(self, place: int, factor: Factor) -> int:
        """Return the number of a law of a published number; a new one may change the horizon."""
        before = self.factors.get(place, ())
        for number, other in enumerate(before):
            if other[0] is factor[0] or other == factor:
                return number
        # What has no tails is known up to a share that is left open: no one place tells a ratio.
        bounded = not any(factor[1])
        many = len(before) == _MOST_TAILS
        if bounded or many or any(other[2:] != factor[2:] for other in before):
            self.tell_whole([place])
        else:
            further = {each for other in before for each in _extreme(other[0], factor[0])}
            self.kept[place] = tuple(sorted({*self.kept[place], *further}))
            self.factors[place] = (*before, factor)
            self._changed()
        return 0

    def told_apart(
        self, found: Iterable[tuple[tuple[object, Published], Exact]]
    ) -> dict[object, Exact]:
        """Return the weights of outcomes, with each tail named by its rate of decay.

        Where a tail is a sum of exponentials, one part of it has the weight of the dominant one, so
        that the ratio of two laws has its limit there. The tails of an outcome that arises in
        several ways are added up. The tails of several dependent numbers in it are not
        distinguished.
        """
        groups: dict[object, list[tuple[Exact, Published]]] = {}
        told: dict[object, Exact] = {}
        for (outcome, tails), share in found:
            kept = set(_held(outcome)) if tails else None
            if kept:
                held = tuple(tail for tail in tails if tail[0] in kept)
                groups.setdefault(outcome, []).append((share, held))
                told[outcome] = 0  # its place in the order
            else:
                told[outcome] = told.get(outcome, 0) + share
        if not groups:
            return told
        apart: dict[object, Exact] = {}
        for outcome, weight in told.items():
            ways = groups.get(outcome, ())
            whole = sum(share for share, _ in ways) + weight
            for choice in product(*(self._named(outcome, whole, ways) if ways else ())):
                names = {far: name for far, name, _ in choice}
                key = _renamed(outcome, names) if names else outcome
                apart[key] = apart.get(key, 0) + whole * math.prod(share for _, _, share in choice)
        return apart

    def _named(
        self, outcome: object, whole: Exact, ways: Sequence[tuple[Exact, Published]]
    ) -> list[list[tuple[Far, str, Fraction]]]:
        """Return for each tail of an outcome its names, one or two, and their shares."""
        heads = {tuple(tail[:2] for tail in tails) for _, tails in ways}
        columns = [set(column) for column in zip(*(tails for _, tails in ways), strict=False)]
        unknown = not all(weights for _, tails in ways for *_, weights in tails)
        several = len(heads) > 1 or sum(len(column) > 1 for column in columns) > 1
        if unknown or several or outcome in self.merged:
            if outcome not in self.merged:
                self.merged, self.version = self.merged | {outcome}, self.version + 1
            assume(Known.FROM_BELOW.value)
            return [[(far, str(far), Fraction(1))] for far, *_ in ways[0][1]]
        named = []
        for place, (far, _) in enumerate(next(iter(heads))):
            tail = endless.added_up(
                [(Fraction(share) / whole, dict(tails[place][2])) for share, tails in ways]
            )
            base, degree, lead = endless.leading(tail)
            name = f"{far}, falling by {base} a step" + f", and d^{degree}" * bool(degree)
            if far.place not in self.several:
                named.append([(far, name, Fraction(1))])
                if not endless.single(tail):
                    self.several, self.version = self.several | {far.place}, self.version + 1
                continue
            scaled = tuple((b, tuple(c / lead for c in p)) for b, p in sorted(tail.items()))
            self.tails.setdefault((outcome, far), set()).add(scaled)
            part = min(lead * OPEN_SHARE, Fraction(1, 2))
            named.append([(far, name, 1 - part), (far, f"{name}, far out", part)])
        return named

    def monotone(self) -> bool:
        """Return whether all ratios of tails are monotone beyond their windows, or widen these.

        If they are, the largest ratio is attained at an end or in the limit.
        """
        wider: dict[int, int] = {}
        for (_, far), seen in self.tails.items():
            if len(seen) > _MOST_TAILS or not self.units[far.place]:
                return False
            for f, g in combinations(map(dict, seen), 2):
                steps = endless.monotone_from(f, g)
                if steps is None or not (steps or endless.is_between(f, g, OPEN_SHARE)):
                    return False
                wider[far.place] = max(steps, wider.get(far.place, 0))
        for place, steps in wider.items():
            if steps:
                (low, high), unit = self.windows[place], self.units[place]
                self._widen(place, (low - steps * unit, high + steps * unit))
        return True

    def refine(self, step: Fraction) -> None:
        """Refine the grid, if it may be so fine, so that a number is a multiple of its step."""
        grid = math.lcm(self.grid, step.denominator)
        if grid != self.grid and grid <= FINEST:
            self.free = False
            self._lie_on(grid)

    def coarsen(self, ways: int) -> None:
        """Take a coarser grid, if there is one, where numbers are told apart in very many ways."""
        if self.free and ways > _MOST_WAYS and self.grid > 1:
            self._lie_on(self.grid // 2)

    def _lie_on(self, grid: int) -> None:
        self.grid, self.windows, self.units, self.kept, self.factors = grid, {}, {}, {}, {}
        self.whole = self.several = frozenset()
        self._changed()


def _extreme(f: Sequence[int], g: Sequence[int]) -> Iterator[int]:
    """Yield a place inside the window where f / g is largest, and one where g / f is."""
    for one, other in ((f, g), (g, f)):
        near = [  # logarithms leave few to compare, for they are off by less than 2^-20
            (math.log(a) - (math.log(b) if b else -math.inf), place)
            for place, (a, b) in enumerate(zip(one[:-2], other[:-2], strict=True))
            if a
        ]
        top = max(near, default=(0.0, 0))[0]
        places = [place for log, place in near if log == top or log > top - 1e-6]
        best = None
        for place in places:
            if best is None or one[place] * other[best] > one[best] * other[place]:
                best = place
        if best is not None:
            yield best


def _held(outcome: object) -> Iterator[Far]:
    """Yield what an outcome holds of numbers far out."""
    if isinstance(outcome, Far):
        yield outcome
    elif isinstance(outcome, tuple | frozenset):
        for each in outcome:
            yield from _held(each)


def _renamed(outcome: object, names: dict[Far, str]) -> object:
    if isinstance(outcome, Far):
        return names[outcome]
    if isinstance(outcome, tuple):
        parts = tuple(_renamed(each, names) for each in outcome)
        return cast("Any", type(outcome))(*parts) if hasattr(outcome, "_fields") else parts
    if isinstance(outcome, frozenset):
        return frozenset(_renamed(each, names) for each in outcome)
    return outcome


def plain(value: Exact) -> int | Fraction:
    """Return an integral number as an ``int``."""
    return int(value) if value.denominator == 1 else value
