"""What coins know of noises: independent integers with infinitely many weights, and their ties.

A comparison is one exact choice of the coins, and its answer conditions the noises that it
involves: it cuts the weights of one noise (``tails``), or ties two. Ties make a forest, so a
probability is a ratio of two sums over it, computed by messages from the leaves. A condition that
does not fit a forest is decided one noise at a time, except for a share of ``2**-64`` that is left
open and reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast, final

from pac_stability.randomness import tails as endless
from pac_stability.randomness.horizon import (
    OPEN_SHARE,
    Beyond,
    Exact,
    Factor,
    Far,
    Known,
    Published,
)
from pac_stability.randomness.tails import ANYWHERE, End, EndlessWeights, less
from pac_stability.randomness.undecided import Decides, inexact
from pac_stability.randomness.watch import assume
from pac_stability.randomness.weights import WeightedChoice

if TYPE_CHECKING:
    from pac_stability.randomness.lazy_number import LazyNumber

Tie: TypeAlias = EndlessWeights
"""What the difference of two noises weighs: 1 between two ends, or a law of its own."""
_MOST = 1 << 15
"""In so many ways at most may all noises of a path be decided."""
_MOST_STEPS = 1 << 10
"""A difference is decided rather than a noise where it has no more steps."""
_BITS, _SHORT = 192, 1 << 10
"""Weights are rounded down to so many bits, where a share is left open, if they have more."""
_LONGEST = 1 << 14
"""An integer with noise is decided by int() where weights of so many bits hold nearly all of it."""


class AskedLazily(Decides, Protocol):
    """The coins of a tape, as lazy numbers use them.

    Attributes
    ----------
    last
        The last question of :meth:`told`, if no other came since.
    ways
        The number of possible values of the decided noises.
    rounded
        Whether a share of what one of them may be was left open.
    """

    ways: int
    rounded: bool

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

    def nearly(self, weights: Sequence[int | Fraction], /) -> int:
        """Return an index, each with the probability of its weight; the last one is left open."""
        ...

    def refine(self, step: Fraction, /) -> None:
        """Restart on a finer grid, if there is one whose step divides a number."""
        ...


class Noise:
    """An integer with weights, and its ties to others.

    A program holds ``sign * (this integer)`` or, once it is settled, a sum of others.
    """

    __slots__ = ("beyond", "far", "in_cell", "settled", "sign", "smooth", "spent", "ties",
                 "weights")  # fmt: skip

    def __init__(self, weights: EndlessWeights, *, smooth: bool = False) -> None:
        self.weights, self.smooth, self.spent = weights, smooth, False
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
            low, high = less(high), less(low)
        low = None if low is None else often * low - start
        high = None if high is None else often * high - start + often - 1
        noise.limit(*((low, high) if sign > 0 else (less(high), less(low))))

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


def bind(first: Noise, second: Noise, tie: Tie) -> None:
    """Tie two noises."""
    first.ties[second], second.ties[first] = tie, endless.mirrored(tie)


def loosen(first: Noise, second: Noise) -> None:
    """Untie two noises."""
    del first.ties[second], second.ties[first]


def way_between(first: Noise, last: Noise) -> list[Noise] | None:
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


class Rings(Exception):
    """A tie would close a ring that nothing opens."""


class Opened(Rings):
    """It would have closed one that is open now: the question may be asked again."""


def answered(coins: AskedLazily, yes: EndlessWeights, *whole: EndlessWeights) -> bool:
    """Ask whether what weighs so much of a whole is so, unless it is certain."""
    share = endless.chance(yes, *whole)
    if share.denominator == 1:
        return bool(share)
    if coins.rounded and share.denominator.bit_length() > _SHORT:
        return chosen(coins, (share.denominator - share.numerator, share.numerator)) == 1
    return bool(coins.bernoulli(share))


def chosen(coins: AskedLazily, weights: Sequence[int]) -> int:
    """Return an index, each with the probability of its weight, or a little less.

    On a path of which a share is left open, more of it is in place of probabilities that have
    thousands of digits.
    """
    if coins.rounded:
        weights = weights if isinstance(weights, tuple) else tuple(weights)
        whole = sum(weights)
        if whole.bit_length() > _SHORT:
            return coins.nearly(_shortened(weights, whole))
    return coins.choose(weights)


@lru_cache(1 << 8)
def _shortened(weights: tuple[int, ...], whole: int) -> tuple[int, ...]:
    short = [(each << _BITS) // whole for each in weights]
    return (*short, (1 << _BITS) - sum(short))


def is_at_least(coins: AskedLazily, first: Noise, second: Noise, c: int) -> bool:
    """Decide whether ``first - second >= c``."""
    yes_tie, no_tie = endless.cut(ANYWHERE, c, None), endless.cut(ANYWHERE, None, c - 1)
    way = way_between(first, second)
    if way is None:
        hub = max(first, second, key=lambda noise: len(noise.ties))
        bind(first, second, yes_tie)
        yes = hub.belief()
        loosen(first, second)
        answer = answered(coins, yes, first.belief(), second.belief())
        bind(first, second, yes_tie if answer else no_tie)
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
        answer = answered(coins, first.belief(), whole)
        if not answer:
            bind(first, second, endless.cut(tie, None, c - 1))
        return answer
    # How far the first difference is from where all is answered, from below and from above.
    ends = [(way[0], way[1], low, c), (way[1], way[0], less(high), 1 - c)]
    steps = [(c - low, one, other) for one, other, low, c in ends if low is not None]
    count, *pair = min(steps, key=itemgetter(0), default=(_MOST_STEPS, first, second))
    if count == 1:
        _stepwise(coins, count, *pair)
        raise Opened
    # Both answers must leave a forest, before anything is asked.
    opened = _closed(coins, first, second, way, no_tie)
    if opened is not None:
        _reopened(first, second, opened)
        opened = _closed(coins, first, second, way, yes_tie)
    if opened is None:
        if count >= _MOST_STEPS:
            raise Rings
        _stepwise(coins, count, *pair)
        raise Opened
    if answered(coins, first.belief(), whole):
        return True
    _reopened(first, second, opened)
    _closed(coins, first, second, way, no_tie)
    return False


def _stepwise(coins: AskedLazily, count: int, one: Noise, other: Noise) -> None:
    """Decide a difference as far as so many steps from its lower end: beyond, all is answered."""
    tie = one.ties[other]
    low = cast("int", tie.low)
    between = endless.convolved(one.belief(other), endless.mirrored(other.belief(one)))
    weights = places_of(endless.times(between, tie), low, low + count - 1)[0]
    decide_in(coins, count + 1)
    place = chosen(coins, weights)  # nothing lies below
    if place < count:
        one.be_beside(other, low + place)
    else:
        bind(one, other, endless.cut(tie, low + count, None))


def _closed(
    coins: AskedLazily, first: Noise, second: Noise, way: list[Noise], tie: Tie
) -> tuple[Noise, Noise, Tie] | None:
    """Tie the ends of a way, and loosen a tie on it that then says nothing, if there is one.

    If one would say nothing were another a few steps tighter, that one is decided so far.
    """
    bind(first, second, tie)
    short: list[tuple[int, Noise, Noise]] = []
    for one, next_one in pairwise(way):
        between = one.ties[next_one]
        if (between.whole or between) is ANYWHERE:
            loosen(one, next_one)
            around = cast("list[Noise]", way_between(one, next_one))
            low, high = _ends(around)
            below, above = _lacks(low, between.low), _lacks(less(high), less(between.high))
            if below == above == 0:
                return one, next_one, between
            bind(one, next_one, between)
            if below is not None and above is not None:
                a, b = next(pair for pair in pairwise(around) if {*pair} != {first, second})
                short.append((below, a, b) if below else (above, b, a))
    loosen(first, second)
    if short:
        _stepwise(coins, *min(short, key=itemgetter(0)))
        raise Opened
    return None


def _lacks(end: End, wanted: End) -> End:
    """Return how many steps a lower end is too low, if it is one."""
    return 0 if wanted is None else None if end is None else max(wanted - end, 0)


def _reopened(first: Noise, second: Noise, opened: tuple[Noise, Noise, Tie]) -> None:
    loosen(first, second)
    bind(*opened)


_TOGETHER = "what would decide several numbers with noise, as a comparison of them and their sum"
_FEWER = "fewer such comparisons, or noise with fewer steps: --grid 1"


def settle(coins: AskedLazily, noise: Noise) -> None:
    """Decide a noise, except for a share of ``2**-64`` far out that is left open."""
    noise.asked(coins)
    f = noise.belief()
    lo, hi = _reach(f)
    decide_in(coins, hi - lo + 1)
    weights = _nearly_all(f, lo, hi)
    coins.rounded = coins.rounded or weights[-1] > 0
    noise.be(lo + coins.nearly(weights))


def decide_in(coins: AskedLazily, ways: int) -> None:
    """Count in how many ways noise of a path is decided, and refuse very many."""
    coins.ways *= ways
    if coins.ways > _MOST:
        coins.refused(inexact(_TOGETHER, _FEWER))


def size(f: EndlessWeights) -> int:
    """Return of how many values one is chosen where all is decided."""
    lo, hi = _reach(f)
    return hi - lo + 1


def is_wide(f: EndlessWeights) -> bool:
    """Return whether it takes very long weights to hold nearly all of it."""
    bases = (*f.left, *f.right)
    return any(-45 / math.log(b) * b.denominator.bit_length() > _LONGEST for b in bases)


@lru_cache(1 << 8)
def _reach(f: EndlessWeights) -> tuple[int, int]:
    """Return two ends that leave a share out, each half of it."""
    lo, hi, step = f.lo, f.hi, 1
    beyond, least = endless.from_on(f), OPEN_SHARE * f.total / 2
    while f.total - beyond.at(lo) > least:
        lo, step = lo - step, 2 * step
    step = 1
    while beyond.at(hi + 1) > least:
        hi, step = hi + step, 2 * step
    return lo, hi


@lru_cache(1 << 8)
def _nearly_all(f: EndlessWeights, lo: int, hi: int) -> Sequence[int | Fraction]:
    """Return what integers between two ends weigh, and what is left.

    Of what has tails the weights are rounded down, since what is left counts for no outcome: exact
    ones have as many digits as the tails are long.
    """
    if not f.left and not f.right:
        return (*f.widened(lo, hi)[0], 0)
    unit = (1 << _BITS) / f.total
    left = endless.rounded_down(f.left, f.lo - lo, unit)
    right = endless.rounded_down(f.right, hi - f.hi, unit)
    weights = (*left[::-1], *(math.floor(unit * each) for each in f.mid), *right)
    return (*weights, (1 << _BITS) - sum(weights))


def add_up(first: Noise, one: int, last: Noise, other: int) -> None:
    """Put the sum of two noises, the last of them free, in the place of the last."""
    if one < 0:
        first.turn()
    total = Noise(ANYWHERE, smooth=first.smooth or last.smooth)
    # The sum less the first is what the last is, with its sign.
    bind(total, first, last.weights if other > 0 else endless.mirrored(last.weights))
    sign = other * last.sign
    last.settled = ({total: sign, first: -sign * first.sign}, 0)


@lru_cache(1 << 12)
def places_of(f: EndlessWeights, lo: int, hi: int) -> tuple[WeightedChoice, tuple[Beyond, Beyond]]:
    """Return what numbers from lo to hi weigh, and those to the left and right, and how they do."""
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
def gathered(f: EndlessWeights, lo: int, hi: int, kept: tuple[int, ...]) -> WeightedChoice:
    """Return what the kept places weigh, all others together, and the tails."""
    *inside, left, right = places_of(f, lo, hi)[0]
    apart = [inside[place] for place in kept]
    return WeightedChoice((*apart, sum(inside) - sum(apart), left, right))
