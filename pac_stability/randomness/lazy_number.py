"""A number with noise that decides only what the program compares.

Noises are independent integers with infinitely many weights (``tails``). A comparison is one exact
choice of the coins, and its answer conditions the noises that it involves: it cuts the weights of
one noise, or ties two. Ties make a forest, so a probability is a ratio of two sums over it,
computed by messages from the leaves. A comparison of more than two noises is about their sum, which
is tied to one of them by the law of the other. A condition that does not fit a forest is decided
one noise at a time, except for a share of ``2**-64`` that is left open and reported.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeAlias, cast, final

from pac_stability.arguments import as_size, described
from pac_stability.randomness import tails as endless
from pac_stability.randomness.lazy_uniform import Decides, inexact, told
from pac_stability.randomness.tails import ANYWHERE, End, EndlessWeights, Polynomial
from pac_stability.randomness.watch import assume

if TYPE_CHECKING:
    import numpy as np

    from pac_stability.randomness.exact_generator import WeightedChoice

Exact: TypeAlias = int | Fraction
Beyond: TypeAlias = tuple[tuple[Fraction, Polynomial], ...]
"""What lies beyond a window on one side, as a sum of exponentials with the sum 1."""
_OPEN = Fraction(1, 2**64)
GRID = 16
"""Noise on the real line lies on a grid of so many steps to the unit, unless one asks otherwise."""
FINEST = 1 << 10
"""No grid becomes finer by itself."""
_MOST = 1 << 15
"""In so many ways at most may all noises of a path be decided."""
_LONGEST = 1 << 14
"""An integer with noise is decided by int() where weights of so many bits hold nearly all of it."""
_MOST_TAILS = 64
_SPREAD = 1 << 11
"""Windows of so many values in all are published as they are."""


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

    @classmethod
    def of(cls, sentences: Iterable[str]) -> frozenset[Known]:
        """Return the members whose sentences are among the given ones."""
        said = frozenset(sentences)
        return frozenset(each for each in cls if each.value in said)


class AskedLazily(Decides, Protocol):
    """The coins of a tape, as lazy numbers use them.

    Attributes
    ----------
    last
        The last question of :meth:`told`, if no other came since.
    ways
        The number of possible values of the decided noises.
    """

    ways: int

    last: tuple[LazyNumber, Callable[[int], object], Published] | None

    def window(
        self, low: Exact, high: Exact, unit: Exact, phase: Exact, /
    ) -> tuple[Exact, Exact, Exact]:
        """Return the ends of the window of distinguished values, or wider ones, and its phase.

        These and the methods below are about the number that is published next.
        """
        ...

    def told_of(self, factor: Factor, /) -> tuple[int, ...] | None:
        """Return the places of a window that are told apart, or ``None`` if all are."""
        ...

    def publish(self, side: int, phase: Exact, unit: Exact, tail: Beyond, /) -> Far:
        """Record the weights of a number beyond its window, and return its published value."""
        ...

    def forget(self) -> None:
        """Forget the weights of all numbers that were recorded beyond their windows."""
        ...

    def told(self, number: LazyNumber, seen: Callable[[int], object], /) -> object:
        """Return the visible value of a number, from the answer about its place."""
        ...

    def leave_open(self) -> NoReturn:
        """End the path: its share counts for no outcome."""
        ...

    def refine(self, step: Fraction, /) -> None:
        """Restart on a finer grid, if there is one whose step divides a number."""
        ...


_grid = ContextVar("grid", default=GRID)


def grid_now() -> int:
    """Return the steps per unit of noise on the real line, unless its scale is small."""
    return _grid.get()


@contextmanager
def on_grid(steps: int | None = None) -> Iterator[None]:
    """Use another grid for noise on the real line.

    Parameters
    ----------
    steps
        How many per unit; by default twice as many as now, to see what changes.
    """
    now = 2 * _grid.get() if steps is None else as_size(steps, "grid", least=1)
    before = _grid.set(now)
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
    ratios
        Whether largest ratios are all that matters.
    grid
        The steps per unit of noise on the real line.
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
        self.merged: frozenset[object] = frozenset()
        self.grid, self.version = _grid.get(), 0

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
        self.windows, self.units = dict(other.windows), dict(other.units)
        self.several, self.merged, self.tails = other.several, other.merged, other.tails
        self.kept, self.factors = dict(other.kept), dict(other.factors)
        self.ratios = other.ratios
        self.whole, self.masks = other.whole, other.masks
        self.grid, self.version = other.grid, other.version

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
            part = min(lead * _OPEN, Fraction(1, 2))
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
                if steps is None or not (steps or endless.is_between(f, g, _OPEN)):
                    return False
                wider[far.place] = max(steps, wider.get(far.place, 0))
        for place, steps in wider.items():
            if steps:
                (low, high), unit = self.windows[place], self.units[place]
                self._widen(place, (low - steps * unit, high + steps * unit))
        return True

    def refined(self, step: Fraction) -> bool:
        """Refine the grid so that a number is a multiple of its step; return whether it changed."""
        grid = math.lcm(self.grid, step.denominator)
        if grid == self.grid or grid > FINEST:
            return False
        self.grid, self.version = grid, self.version + 1
        return True


# What is known of noises: a forest of ties


Tie: TypeAlias = EndlessWeights
"""What the difference of two noises weighs: 1 between two ends, or a law of its own."""


class Noise:
    """An integer with weights, and its ties to others.

    A program holds ``sign * (this integer)`` or, once it is settled, a sum of others.
    """

    __slots__ = ("beyond", "far", "in_cell", "settled", "sign", "smooth", "spent", "ties",
                 "weights")  # fmt: skip

    def __init__(self, weights: EndlessWeights, *, smooth: bool = False) -> None:
        self.weights, self.smooth = weights, smooth
        self.spent = False
        self.ties: dict[Noise, Tie] = {}
        self.sign = 1
        self.beyond = False  # whether a number that it is a part of was published, in a tail
        self.in_cell = False  # and whether that number was the cell in which it lies
        self.far: Exact | None = None  # and what was added to it, if that was all of the number
        self.settled: tuple[dict[Noise, int], int] | None = None

    def belief(self, without: Noise | None = None) -> EndlessWeights:
        """Return the weights, conditioned on everything tied to it."""
        if len(self.ties) <= (without is not None):
            return self.weights
        factors = [self.weights]
        for other, tie in self.ties.items():
            if other is not without:
                factors.append(endless.convolved(other.belief(self), tie))
        return endless.product(factors)

    def limit(self, low: End, high: End) -> None:
        """Cut the weights."""
        self.weights = endless.cut(self.weights, low, high)

    def be(self, value: int) -> None:
        """Take a value."""
        for other, tie in list(self.ties.items()):
            del other.ties[self], self.ties[other]
            other.weights = endless.times(
                other.weights, endless.moved(endless.mirrored(tie), -value)
            )
        self.settled = ({}, self.sign * value)

    def be_beside(self, other: Noise, distance: int) -> None:
        """Become ``other + distance``; the two may be tied only to each other."""
        self.ties.pop(other, None)
        other.ties.pop(self, None)
        other.weights = endless.times(other.weights, endless.moved(self.weights, distance))
        other.beyond = other.beyond or self.beyond
        for third, tie in list(self.ties.items()):
            del third.ties[self], self.ties[third]
            bind(other, third, endless.moved(tie, distance))
        sign = self.sign * other.sign
        self.settled = ({other: sign}, self.sign * distance)

    def around(self) -> list[Noise]:
        """Return itself, and then all noises that are tied to it, directly or not."""
        found = [self]
        for each in found:  # it grows
            found.extend(other for other in each.ties if other not in found)
        return found

    def parts(self) -> tuple[dict[Noise, int], int] | None:
        """Return what it is once it is settled: others, each so often, and a number."""
        return self.settled

    def go_beyond(self) -> None:
        """Note that a number that it is a part of was published, in a tail."""
        self.beyond = True

    def asked(self, coins: AskedLazily) -> None:
        """Report a question that one answer settles for a whole tail.

        This happens where it, or a noise tied to it, was published far out, and the answer may
        depend on how far. What the tail weighs then depends on the answer, and is not known.
        """
        for each in self.around():
            f = each.weights
            if each.beyond and (
                each.ties
                or each.in_cell
                or not (endless.single(f.left) and endless.single(f.right))
            ):
                assume(Known.FROM_BELOW.value)
                coins.forget()

    def turn(self) -> None:
        """Change the sign of this noise and of all noises that are tied to it."""
        all_of_them = self.around()
        for each in all_of_them:
            each.weights, each.sign = endless.mirrored(each.weights), -each.sign
        for each in all_of_them:
            each.ties = {other: endless.mirrored(tie) for other, tie in each.ties.items()}


@final
class Cell(Noise):
    """The multiple of a step in which a number lies, which stays as open as it was.

    What is asked about the cell is asked about the number; no noise is tied to it.
    """

    __slots__ = ("_number", "_shift", "_step")

    def __init__(self, number: LazyNumber, step: Exact, shift: Exact) -> None:
        super().__init__(ANYWHERE)
        self._number, self._step, self._shift = number, step, shift

    def _below(self) -> tuple[Noise, int, int, int]:
        """Return the noise, its sign, and start and steps of the first cell."""
        terms, start, unit = self._number.in_steps(self._shift)
        ((noise, sign),) = terms.items()
        return noise, sign, start, int(Fraction(self._step) / unit)

    def parts(self) -> tuple[dict[Noise, int], int] | None:
        """Return the cell, if the number is decided."""
        if self.settled is None:
            terms, start, unit = self._number.in_steps(self._shift)
            if not terms:
                self.settled = {}, self.sign * int(start * unit // self._step)
        return self.settled

    def belief(self, without: Noise | None = None) -> EndlessWeights:  # noqa: ARG002  # no ties
        """Return the weights of the cells."""
        noise, sign, start, often = self._below()
        f = noise.belief() if sign > 0 else endless.mirrored(noise.belief())
        cells = endless.in_cells(endless.moved(f, -start), often)
        return cells if self.sign > 0 else endless.mirrored(cells)

    def limit(self, low: End, high: End) -> None:
        """Cut the weights of the number to these cells."""
        noise, sign, start, often = self._below()
        if self.sign < 0:
            low, high = endless.less(high), endless.less(low)
        low = None if low is None else often * low - start
        high = None if high is None else often * high - start + often - 1
        noise.limit(*((low, high) if sign > 0 else (endless.less(high), endless.less(low))))

    def be(self, value: int) -> None:
        """Take a value; the number lies in this cell."""
        self.limit(value, value)
        self.settled = {}, self.sign * value

    def turn(self) -> None:
        """Change the sign of the cell, and not of the number."""
        self.sign = -self.sign

    def go_beyond(self) -> None:
        """Note that the cell was published, in a tail."""
        noise = self._below()[0]
        self.beyond = noise.in_cell = True
        noise.go_beyond()

    def asked(self, coins: AskedLazily) -> None:
        """Report a question, which is one about the number."""
        self._below()[0].asked(coins)

    def free(self, coins: AskedLazily, beside: Collection[Noise]) -> None:
        """Become noise of its own, since others are added; the number is not used any more."""
        noise = self._below()[0]
        if noise in beside:
            settle(coins, noise)
        elif noise.ties or noise.beyond:
            settle(coins, self)
        else:
            new = Noise(self.belief())
            noise.spent, self.settled = True, ({new: self.sign}, 0)


def _from(low: int) -> Tie:
    return endless.cut(ANYWHERE, low, None)


def _to(high: int) -> Tie:
    return endless.cut(ANYWHERE, None, high)


def bind(first: Noise, second: Noise, tie: Tie) -> None:
    """Tie two noises."""
    first.ties[second], second.ties[first] = tie, endless.mirrored(tie)


def loosen(first: Noise, second: Noise) -> None:
    """Untie two noises."""
    del first.ties[second], second.ties[first]


def _way(first: Noise, last: Noise) -> list[Noise] | None:
    """Return the noises from one to another along their ties."""
    waiting: list[list[Noise]] = [[first]]
    while waiting:
        way = waiting.pop()
        if way[-1] is last:
            return way
        before = way[-2] if len(way) > 1 else None
        waiting.extend([*way, each] for each in way[-1].ties if each is not before)
    return None


def _ends(way: list[Noise]) -> tuple[End, End]:
    """Return what the ties along a way say of the difference of its ends."""
    low: End = 0
    high: End = 0
    for one, next_one in pairwise(way):
        tie = one.ties[next_one]
        low, high = endless.plus(low, tie.low), endless.plus(high, tie.high)
    return low, high


class _Rings(Exception):
    """A tie would close a ring that nothing opens."""


def _answer(coins: AskedLazily, yes: EndlessWeights, *whole: EndlessWeights) -> bool:
    share = endless.chance(yes, *whole)
    return bool(share) if share.denominator == 1 else bool(coins.bernoulli(share))


def _at_least(coins: AskedLazily, first: Noise, second: Noise, c: int) -> bool:
    """Decide whether ``first - second >= c``."""
    way = _way(first, second)
    if way is None:
        hub = max(first, second, key=lambda noise: len(noise.ties))
        bind(first, second, _from(c))
        yes = hub.belief()
        loosen(first, second)
        answer = _answer(coins, yes, first.belief(), second.belief())
        bind(first, second, _from(c) if answer else _to(c - 1))
        return answer
    low, high = _ends(way)
    if low is not None and low >= c:
        return True
    if high is not None and high < c:
        return False
    whole = first.belief()
    if len(way) == 2:
        tie = first.ties[second]
        bind(first, second, endless.cut(tie, c, None))
        answer = _answer(coins, first.belief(), whole)
        if not answer:
            bind(first, second, endless.cut(tie, None, c - 1))
        return answer
    if high is not None and high == c:
        return _all_at_an_end(coins, way, whole)
    if low is not None and low == c - 1:
        return not _all_at_an_end(coins, way[::-1], whole)
    # Both answers must leave a forest, before anything is asked.
    opened = _closed(first, second, way, _to(c - 1))
    if opened is None:
        raise _Rings
    _reopened(first, second, opened)
    opened = _closed(first, second, way, _from(c))
    if opened is None:
        raise _Rings
    if _answer(coins, first.belief(), whole):
        return True
    _reopened(first, second, opened)
    _closed(first, second, way, _to(c - 1))
    return False


def _all_at_an_end(coins: AskedLazily, way: list[Noise], whole: EndlessWeights) -> bool:
    """Decide whether each difference along a way is as large as it can be, tie by tie."""
    for one, next_one in pairwise(way):
        tie = one.ties[next_one]
        bind(one, next_one, endless.cut(tie, tie.high, None))
        yes = one.belief()
        if not _answer(coins, yes, whole):
            bind(one, next_one, endless.cut(tie, None, cast("int", tie.high) - 1))
            return False
        whole = yes
    return True


def _closed(
    first: Noise, second: Noise, way: list[Noise], tie: Tie
) -> tuple[Noise, Noise, Tie] | None:
    """Tie the ends of a way, and loosen a tie on it that then says nothing, if there is one."""
    bind(first, second, tie)
    for one, next_one in pairwise(way):
        between = one.ties[next_one]
        if (between.whole or between) is ANYWHERE:
            loosen(one, next_one)
            low, high = _ends(cast("list[Noise]", _way(one, next_one)))
            if (between.low is None or (low is not None and low >= between.low)) and (
                between.high is None or (high is not None and high <= between.high)
            ):
                return one, next_one, between
            bind(one, next_one, between)
    loosen(first, second)
    return None


def _reopened(first: Noise, second: Noise, opened: tuple[Noise, Noise, Tie]) -> None:
    loosen(first, second)
    bind(*opened)


_TOGETHER = "what would decide several numbers with noise, as a comparison of them and their sum"
_FEWER = "fewer such comparisons, or noise with fewer steps: --grid 1"


def settle(coins: AskedLazily, noise: Noise, what: str = _TOGETHER, wanted: str = _FEWER) -> None:
    """Decide a noise, except for a share of ``2**-64`` far out that is left open."""
    noise.asked(coins)
    f = noise.belief()
    lo, hi = _reach(f)
    coins.ways *= hi - lo + 2
    if coins.ways > _MOST:
        coins.refused(inexact(what, wanted))
    place = coins.choose(_nearly_all(f, lo, hi))
    if place == hi - lo + 1:
        coins.leave_open()
    noise.be(lo + place)


def _is_wide(f: EndlessWeights) -> bool:
    """Return whether it takes very long weights to hold nearly all of it."""
    bases = (*f.left, *f.right)
    return any(-45 / math.log(b) * b.denominator.bit_length() > _LONGEST for b in bases)


@lru_cache(1 << 8)
def _reach(f: EndlessWeights) -> tuple[int, int]:
    """Return two ends that leave a share out, each half of it."""
    lo, hi, step = f.lo, f.hi, 1
    beyond, least = endless.from_on(f), _OPEN * f.total / 2
    while f.total - beyond.at(lo) > least:
        lo, step = lo - step, 2 * step
    step = 1
    while beyond.at(hi + 1) > least:
        hi, step = hi + step, 2 * step
    return lo, hi


@lru_cache(1 << 8)
def _nearly_all(f: EndlessWeights, lo: int, hi: int) -> tuple[Fraction, ...]:
    """Return the weights between two ends, and that of all else."""
    weights = f.widened(lo, hi)[0]
    return (*weights, f.total - endless.sum_of(weights))


# Numbers with noise


@final
class LazyNumber:
    """A sum of noises and a number, compared exactly; comparisons decide no more than needed.

    ``DiscreteLaplace(decay).run(count, rng)`` and ``rng.laplace(0, scale)`` return it to a program
    whose law is computed. A program may compare it with numbers and others of its kind, shift, add
    and round it. As an outcome, its values are distinguished in a window, and beyond it by tail
    alone.

    Parameters
    ----------
    coins
        The coins that decide comparisons.
    terms
        The multiplicity of each noise.
    constant
        The number that is added.
    unit
        The step of the noises.
    """

    __slots__ = ("_coins", "_constant", "_seen", "_terms", "_unit")

    def __init__(
        self, coins: AskedLazily, terms: dict[Noise, int], constant: Exact, unit: Exact
    ) -> None:
        self._coins, self._terms, self._constant, self._unit = coins, terms, constant, unit
        self._seen: object = None

    @classmethod
    def of(
        cls,
        coins: AskedLazily,
        weights: EndlessWeights,
        constant: Exact,
        unit: Exact = 1,
        *,
        smooth: bool = False,
    ) -> LazyNumber:
        """Return a number plus one new noise, in steps of a unit (smooth: the steps are a grid)."""
        return cls(coins, {Noise(weights, smooth=smooth): 1}, constant, unit)

    # What is left open of it

    def _now(self) -> tuple[dict[Noise, int], Exact]:
        """Return the noises that are not settled, each with its sign, and the number beside."""
        while any(noise.parts() for noise in self._terms):
            terms: dict[Noise, int] = {}
            for noise, often in self._terms.items():
                parts, steps = noise.parts() or ({noise: 1}, 0)
                for part, k in parts.items():
                    terms[part] = terms.get(part, 0) + often * k
                self._constant += often * steps * self._unit
            self._terms = terms
        kept = {noise: often * noise.sign for noise, often in self._terms.items() if often}
        if any(noise.spent for noise in kept):
            self._refuse("a number with noise, used as it is after it was rounded",
                         "the rounded number alone")  # fmt: skip
        return kept, self._constant

    def _simple(self, most: int) -> tuple[dict[Noise, int], Exact]:
        """Return the same with few noises, each once; others are added up or settled."""
        while True:
            terms, constant = self._now()
            odd = next((noise for noise, often in terms.items() if abs(often) > 1), None)
            cell = next((noise for noise in terms if isinstance(noise, Cell)), None)
            if odd is None and len(terms) <= most and not (len(terms) > 1 and cell):
                return terms, constant
            if cell:
                cell.free(self._coins, terms)
                continue
            free = [noise for noise in terms if not noise.ties]
            if odd is not None or not free:
                settle(self._coins, odd or next(iter(terms)))
                continue
            last = free[-1]
            first = next(noise for noise in terms if noise is not last)
            _added_up(first, terms[first], last, terms[last])

    def _gather(self, other: LazyNumber) -> None:
        """Add up the noises of each of two numbers that have none in common.

        So what is compared again, such as a threshold, stays one number, and ties make no ring.
        """
        if len(self._terms) == 1 == len(other._terms):
            return
        mine, theirs = self._now()[0], other._now()[0]
        if mine.keys() & theirs.keys():
            return
        for number, terms in ((self, mine), (other, theirs)):
            if len(terms) > 1 and not any(
                noise.ties or abs(often) > 1 for noise, often in terms.items()
            ):
                number._simple(1)

    def _at_least(self, bound: Exact) -> bool:
        coins = self._coins
        while True:
            try:
                terms, constant = self._simple(2)
                c = -((constant - bound) // self._unit)
                if not terms:
                    return c <= 0
                if len(terms) == 1:
                    ((noise, sign),) = terms.items()
                    f = noise.belief()
                    low, high = (c, None) if sign > 0 else (None, -c)
                    if _answer(coins, endless.cut(f, low, high), f):
                        noise.limit(low, high)
                        return True
                    noise.limit(*((None, c - 1) if sign > 0 else (1 - c, None)))
                    return False
                (first, one), (second, other) = terms.items()
                if one == other and second in first.around():
                    raise _Rings
                if one == other:
                    second.turn()
                return (
                    _at_least(coins, first, second, c)
                    if one > 0
                    else _at_least(coins, second, first, c)
                )
            except _Rings:
                self._settle_one()

    def _settle_one(self) -> None:
        settle(self._coins, max(self._now()[0], key=lambda noise: len(noise.ties)))

    # Questions

    def _plus(self, other: object, sign: int) -> LazyNumber:
        if isinstance(other, LazyNumber):
            mine, theirs = self._unit, other._unit
            if mine != theirs:
                unit: Exact = Fraction(math.gcd(mine.numerator * theirs.denominator,
                                         theirs.numerator * mine.denominator),
                                mine.denominator * theirs.denominator)  # fmt: skip
                return self._in(unit)._plus(other._in(unit), sign)
            terms = dict(self._terms)
            for noise, often in other._terms.items():
                terms[noise] = terms.get(noise, 0) + sign * often
            return LazyNumber(self._coins, terms, self._constant + sign * other._constant, mine)
        return LazyNumber(
            self._coins, self._terms, self._constant + sign * self._number(other), self._unit
        )

    def _in(self, unit: Exact) -> LazyNumber:
        often = int(self._unit // unit)
        terms = {noise: often * k for noise, k in self._terms.items()}
        return LazyNumber(self._coins, terms, self._constant, unit)

    def _times(self, factor: Exact) -> LazyNumber:
        terms = self._terms if factor > 0 else {n: -k for n, k in self._terms.items()}
        if not factor:
            return LazyNumber(self._coins, {}, 0, self._unit)
        size = factor if factor > 0 else -factor
        return LazyNumber(self._coins, terms, self._constant * factor, self._unit * size)

    def _negative(self) -> LazyNumber:
        return self._times(-1)

    def _number(self, value: object) -> Exact:
        number = None if isinstance(value, LazyNumber) else exact_number(value)
        if isinstance(value, LazyNumber):
            what = "a product or a quotient of two numbers with noise"
            self._refuse(what, "numbers that are compared, such as abs(z) > 1 for z * z > 1")
        if number is None:
            self._refuse(f"arithmetic of a number with noise and {described(value)}",
                         "an int, a float or a Fraction, or another such number")  # fmt: skip
        return number

    def __add__(self, other: object) -> LazyNumber:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: object) -> LazyNumber:
        return self._plus(other, -1)

    def __rsub__(self, other: object) -> LazyNumber:
        return self._negative()._plus(other, 1)

    def __neg__(self) -> LazyNumber:
        return self._negative()

    def __pos__(self) -> LazyNumber:
        return self

    real = property(__pos__)

    def __abs__(self) -> LazyNumber:
        return self if self._at_least(0) else self._negative()

    def __mul__(self, other: object) -> LazyNumber:
        return self._times(self._number(other))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> LazyNumber:
        number = self._number(other)
        if not number:
            raise ZeroDivisionError("division by zero")
        return self._times(Fraction(1) / number)

    def __ge__(self, other: object) -> bool:
        far = _infinite(other)
        if isinstance(other, LazyNumber):
            self._gather(other)
        return far < 0 if far else (self - other)._at_least(0)

    def __le__(self, other: object) -> bool:
        if isinstance(other, LazyNumber):
            return other >= self
        far = _infinite(other)
        return far > 0 if far else (self._negative() + other)._at_least(0)

    def __gt__(self, other: object) -> bool:
        return not self <= other

    def __lt__(self, other: object) -> bool:
        return not self >= other

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, LazyNumber) and exact_number(other) is None:
            return False
        return self >= other and self <= other

    def __hash__(self) -> int:
        # What is equal to it is looked for where the hash is the same, so it would have to decide.
        return self._refuse(
            "the hash of a number with noise (a set, a key of a dictionary), which is not decided",
            "a list or a tuple: z in (1, 5) for z in {1, 5}, and sorted([a, b]) for {a, b}",
        )

    def __bool__(self) -> bool:
        return self != 0

    # Rounding: numbers that are told apart in cells

    def __round__(self, digits: int | None = None) -> LazyNumber:
        step = Fraction(10) ** -(digits or 0)
        return self._whole(step, step / 2)

    rint = __round__  # what NumPy calls

    def round(self, decimals: int = 0, *, out: None = None) -> LazyNumber:  # noqa: ARG002  # NumPy's
        """Return it rounded, as ``numpy.round`` asks for it."""
        return self.__round__(decimals)

    def __floor__(self) -> LazyNumber:
        return self._whole(1, 0)

    def __ceil__(self) -> LazyNumber:
        return self._negative().__floor__()._negative()

    def __floordiv__(self, other: object) -> LazyNumber:
        return (self / other).__floor__()

    def __mod__(self, other: object) -> LazyNumber:
        return self - (self // other) * other

    def __trunc__(self) -> LazyNumber:
        return self.__floor__() if self._at_least(0) else self.__ceil__()

    def _whole(self, step: Exact, shift: Exact) -> LazyNumber:
        """Return the largest multiple of a step that is not above this plus a shift."""
        coins = self._coins
        terms, constant = self._simple(1)
        often = Fraction(step) / self._unit
        if terms and next(iter(terms)).smooth:
            coins.refine(Fraction(step))
            if often.denominator > 1:  # of a multiple, such as 10 times the number
                coins.refine(Fraction(1, GRID * often.denominator))
        if terms and often.denominator == 1 < often:
            return LazyNumber(coins, {Cell(self, step, shift): 1}, 0, step)
        if terms and (1 / often).denominator > 1:
            self._settle_one()
            return self._whole(step, shift)
        actual = {noise: sign * noise.sign for noise, sign in terms.items()}
        return LazyNumber(coins, actual, (constant + shift) // step * step, self._unit)

    def in_steps(self, shift: Exact) -> tuple[dict[Noise, int], int, Exact]:
        """Return the noise that it is, its sign, and what is added to it, in its steps."""
        terms, constant = self._simple(1)
        return terms, int((self._near(constant) + shift) // self._unit), self._unit

    def _near(self, constant: Exact) -> Exact:
        """Return the short fraction that a float stands for, such as 1/3, on a grid that has it."""
        near = Fraction(constant).limit_denominator(FINEST)
        if constant % self._unit and abs(near - constant) * 2**40 < 1:
            self._coins.refine(near)
            return near
        return constant

    def __int__(self) -> int:
        whole = self.__trunc__()
        what = "int() of a number with noise that has no end"
        wanted = "round() or math.trunc(), whole numbers that are not decided"
        for noise in list(whole._now()[0]):
            if noise.settled is None:
                if _is_wide(noise.belief()):
                    self._refuse(what, wanted)
                if sentence := told("A number with noise is decided by int()"):
                    assume(sentence)
                settle(self._coins, noise, what, wanted)
        return int(whole._now()[1])

    __index__ = __int__

    # Outcomes

    def crowd(self) -> set[Noise]:
        """Return all noises on which it depends, or that are tied to one of these."""
        return {each for noise in self._now()[0] for each in noise.around()}

    def seen(self) -> object:
        """Return the number, if it lies in the window, or the tail in which it is."""
        if self._seen is None:
            self._seen = self._look()
        return self._seen

    def _look(self) -> object:
        self._coins.last = None
        coins, unit = self._coins, self._unit
        terms, constant = self._now()
        far = [noise for noise in terms if noise.far is not None]
        if far:
            if any(noise.ties for noise in far):
                assume(Known.FROM_BELOW.value)
                return "far out"
            # What was published of these is taken away: the rest is told as exactly as ever.
            rest = {n: k * n.sign for n, k in terms.items() if n.far is None}
            for n in far:
                constant -= terms[n] * n.sign * (n.far or 0) * unit
            beside = LazyNumber(coins, rest, constant, unit)
            told = beside.seen()
            coins.last = None  # what is told of it is no longer changed with its answer
            return ("far out, and beside", told)
        while True:
            terms, constant = self._simple(2)
            if not terms:
                return plain(constant)
            for noise in terms:
                noise.asked(coins)
            if len(terms) == 1:
                ((noise, sign),) = terms.items()
                if sign < 0:
                    noise.turn()
                return self._place(noise.belief(), constant, noise)
            (first, one), (second, other) = terms.items()
            if one == other and second not in first.around():
                second.turn()
                continue
            if one < 0:
                first, second = second, first
            way = _way(first, second)
            if one == other or (way is not None and len(way) > 2):
                if first.beyond or second.beyond:  # told is a bound, whatever is decided here
                    assume(Known.FROM_BELOW.value)
                    coins.forget()
                    return "far out, as what depends on the same noise"
                self._settle_one()
                continue
            if way is None:
                bind(first, second, ANYWHERE)
            tie = first.ties[second]
            between = endless.convolved(
                first.belief(second), endless.mirrored(second.belief(first))
            )
            return self._place(endless.times(between, tie), constant, first, second)

    def _place(
        self, f: EndlessWeights, constant: Exact, noise: Noise, second: Noise | None = None
    ) -> object:
        """Choose among the values in the window, and the tails beyond it."""
        unit, coins = self._unit, self._coins
        if noise.smooth:
            constant = self._near(constant)
        if noise.smooth and constant % unit:
            assume(Known.BESIDE_THE_GRID.value)
            constant = (2 * constant + unit) // (2 * unit) * unit
        start, end, phase = coins.window(
            constant + f.lo * unit, constant + f.hi * unit, unit, constant % unit
        )
        lo, hi = -((constant - start) // unit), (end - constant) // unit
        weights, tails = _places(f, lo, hi)
        assume(Known.RATIOS.value)
        kept = coins.told_of((weights, tails, unit, phase))
        if kept is not None:
            weights = _gathered(f, lo, hi, kept)
        place, inside = coins.choose(weights), hi - lo + 1 if kept is None else len(kept) + 1
        side = place - inside
        if kept is not None:
            pass  # nothing is tied to it, and nothing will be asked of it
        elif place < inside:
            if second is None:
                noise.be(lo + place)
            else:
                noise.be_beside(second, lo + place)
        else:
            low, high = ((None, lo - 1), (hi + 1, None))[side]
            noise.go_beyond()
            if second is not None:
                second.go_beyond()
                bind(noise, second, endless.cut(noise.ties[second], low, high))
            else:
                noise.limit(low, high)
                # Published was the noise, with its sign, plus this number of its steps.
                noise.far = noise.sign * Fraction(constant) / unit

        def seen(place: int) -> object:
            if place >= inside:
                return coins.publish(place - inside, phase, unit, tails[place - inside])
            if kept is None:
                return plain(constant + (lo + place) * unit)
            if place == len(kept):
                return f"elsewhere from {plain(start)} to {plain(end)}"
            return plain(constant + (lo + kept[place]) * unit)

        return coins.told(self, seen)

    def tell(self, seen: object) -> None:
        """Change the visible value, if no question came since."""
        self._seen = seen

    # What would decide more than a comparison does

    def _refuse(self, what: str, wanted: str) -> NoReturn:
        self._coins.refused(inexact(what, wanted))

    def __float__(self) -> float:
        self._refuse(
            "the float of a number with noise, which is not decided",
            "the number itself: it is compared, shifted, added and published as it is",
        )

    def __repr__(self) -> str:
        self._refuse("the text of a number with noise, which is not decided", "the number itself")

    def __format__(self, _specification: str) -> str:
        return repr(self)

    def __copy__(self) -> LazyNumber:
        return self

    def __deepcopy__(self, _memory: object) -> LazyNumber:
        return self

    def __iter__(self) -> Iterator[object]:
        raise TypeError("a number is not iterable")

    def __array_ufunc__(
        self, ufunc: object, method: str, *inputs: object, **options: object
    ) -> object:
        import numpy as np  # noqa: PLC0415  # it is loaded: it calls this

        name = getattr(ufunc, "__name__", "")
        act = _UFUNCS.get(name)
        if act is None or method != "__call__" or options:
            self._refuse(f"numpy.{name} of a number with noise", "a comparison or a sum")
        # A number of NumPy would ask back.
        plain_ones = (each.item() if isinstance(each, np.generic) else each for each in inputs)
        arrays = np.broadcast_arrays(*map(_boxed, plain_ones))
        answers = [act(*each) for each in zip(*(a.flat for a in arrays), strict=True)]
        out = np.empty(arrays[0].shape, dtype=object)
        for place, answer in enumerate(answers):
            out.flat[place] = answer
        if answers and all(isinstance(answer, bool) for answer in answers):
            out = out.astype(bool)
        return out[()]


_UFUNCS: dict[str, Callable[..., object]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negative": operator.neg,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "maximum": lambda a, b: a if a >= b else b,
    "minimum": lambda a, b: a if a <= b else b,
    "clip": lambda a, low, high: min(max(a, low), high),
    "absolute": abs,
    "rint": round,
    "trunc": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
}


def _boxed(value: object) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
    import numpy as np  # noqa: PLC0415

    array = np.empty((), dtype=object)
    if not isinstance(value, LazyNumber):
        return np.asarray(value, dtype=object)
    array[()] = value
    return array


def _added_up(first: Noise, one: int, last: Noise, other: int) -> None:
    """Put the sum of two noises, the last of them free, in the place of the last."""
    if one < 0:
        first.turn()
    total = Noise(ANYWHERE, smooth=first.smooth or last.smooth)
    # The sum less the first is what the last is, with its sign.
    bind(total, first, last.weights if other > 0 else endless.mirrored(last.weights))
    sign = other * last.sign
    last.settled = ({total: sign, first: -sign * first.sign}, 0)


@lru_cache(1 << 12)
def _places(f: EndlessWeights, lo: int, hi: int) -> tuple[WeightedChoice, tuple[Beyond, Beyond]]:
    """Return what numbers from lo to hi weigh, and those to the left and right, and how they do."""
    from pac_stability.randomness.exact_generator import WeightedChoice  # noqa: PLC0415  # above

    mid, right, left = f.widened(min(lo, f.lo), max(hi, f.hi))
    start = lo - min(lo, f.lo)
    sides = [
        (left, endless.cut(f, None, lo - 1).total),
        (right, endless.cut(f, hi + 1, None).total),
    ]
    one, other = (
        tuple((b, tuple(c / mass for c in p)) for b, p in sorted(tail.items())) if mass else ()
        for tail, mass in sides
    )
    weights = (*mid[start : start + hi - lo + 1], *(mass for _, mass in sides))
    return WeightedChoice(weights), (one, other)


@lru_cache(1 << 10)
def _gathered(f: EndlessWeights, lo: int, hi: int, kept: tuple[int, ...]) -> WeightedChoice:
    """Return what the kept places weigh, all others together, and the tails."""
    from pac_stability.randomness.exact_generator import WeightedChoice  # noqa: PLC0415  # above

    *inside, left, right = _places(f, lo, hi)[0]
    apart = [inside[place] for place in kept]
    return WeightedChoice((*apart, sum(inside) - sum(apart), left, right))


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


def _infinite(value: object) -> int:
    if isinstance(value, float) and math.isinf(value):
        return 1 if value > 0 else -1
    return 0


def exact_number(value: object) -> Exact | None:
    """Return a number exactly (a float as the decimal that it prints as); ``None`` for others."""
    if type(value) is int or type(value) is Fraction:
        return value
    if isinstance(value, float):
        return _as_printed(float(value)) if math.isfinite(value) else None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # it says so
    except TypeError:
        return None


@lru_cache(1 << 10)
def _as_printed(value: float) -> Fraction:
    return Fraction(repr(value))
