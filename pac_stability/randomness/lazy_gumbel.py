"""Gumbel noise that decides only comparisons.

Among numbers with Gumbel noise of one scale s, number i is the largest with probability
proportional to ``e**(number / s)``, and the same is true of those that are left: the exponential
mechanism, repeated. So every comparison is one exact choice, and no number is ever drawn.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn, final

from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.randomness.continuous import ContinuousLaw
from pac_stability.randomness.horizon import Exact, Known
from pac_stability.randomness.lazy_number import exact_number
from pac_stability.randomness.lazy_uniform import ONE, ZERO, LazyUniform
from pac_stability.randomness.undecided import Decides, inexact
from pac_stability.randomness.watch import assume

if TYPE_CHECKING:
    from typing import Any

_MOST = 12
"""So many numbers at most are put in an order; any number is compared with the largest so far."""


class _Runner:
    """A noise: its location, which are known to be larger, and all with which it was compared."""

    __slots__ = ("above", "alone", "location", "race", "weight")

    def __init__(self) -> None:
        self.location: Exact | None = None
        self.weight = Fraction(0)
        self.above: set[_Runner] = set()
        self.race = [self]
        self.alone: LazyUniform | None = None  # as it is compared with numbers

    def is_first(self) -> bool:
        """Return whether it is the largest of its race."""
        return all(each is self or self in each.above for each in self.race)


@final
class LazyGumbel:
    """A number with Gumbel noise, to be compared with others.

    ``rng.gumbel(loc, scale)`` returns it. A program may shift and scale it, and compare it with
    others of its scale, as ``max``, ``sorted`` and ``numpy.argsort`` do.

    Examples
    --------
    >>> from pac_stability.data import enumerate_law
    >>> law = enumerate_law(lambda rng: bool(rng.gumbel() > rng.gumbel()))
    >>> law.probability(True)
    Fraction(1, 2)
    """

    __slots__ = ("_coins", "_location", "_runner", "_scale")

    def __init__(
        self, coins: Decides, location: Exact, scale: Fraction, runner: _Runner | None = None
    ) -> None:
        self._coins, self._location, self._scale = coins, location, scale
        self._runner = runner or _Runner()

    def _number(self, other: object) -> Exact:
        if isinstance(other, LazyGumbel):
            self._refuse("arithmetic of two numbers with Gumbel noise")
        number = exact_number(other)
        if number is None:
            self._refuse(f"arithmetic of Gumbel noise and {described(other)}")
        return number

    def __add__(self, other: object) -> LazyGumbel:
        location = self._location + self._number(other)
        return LazyGumbel(self._coins, location, self._scale, self._runner)

    __radd__ = __add__

    def __sub__(self, other: object) -> LazyGumbel:
        return self + -self._number(other)

    def __neg__(self) -> LazyGumbel:
        return self * -1

    def __rsub__(self, other: object) -> LazyGumbel:
        return -self + other

    def __abs__(self, *_: object) -> NoReturn:
        self._refuse("what one number with Gumbel noise is, such as its distance from 0")

    __round__ = __floor__ = __ceil__ = __trunc__ = __int__ = __format__ = __abs__
    __pow__ = __mod__ = __floordiv__ = __abs__

    def __mul__(self, other: object) -> LazyGumbel:
        k = self._number(other)
        if not k:
            self._refuse("a product of Gumbel noise and 0")
        return LazyGumbel(self._coins, self._location * k, self._scale * k, self._runner)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> LazyGumbel:
        return self * (1 / Fraction(self._number(other)))

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, LazyGumbel):
            return bool(self._alone() * self._scale + self._location > self._number(other))
        if other._scale != self._scale:
            self._refuse("a comparison of Gumbel noise of two scales")
        if self._scale < 0:
            return -other > -self
        mine, theirs = self._runner, other._runner
        if mine is theirs:
            return self._location > other._location
        self._enter()
        other._enter()
        if theirs in mine.above or mine in theirs.above:
            return mine in theirs.above
        assume(Known.ROUNDED.value)
        won = bool(self._coins.bernoulli(self._chance(mine, theirs)))
        first, second = (mine, theirs) if won else (theirs, mine)
        if first.race is not second.race:
            race = first.race + second.race
            for each in race:
                each.race = race
        for each in first.race:
            if each is second or second in each.above:
                each.above |= {first, *first.above}
        return won

    def _chance(self, mine: _Runner, theirs: _Runner) -> Fraction:
        """Return the probability that one is larger, given what is known."""
        apart = mine.race is not theirs.race
        if apart and mine.is_first() and theirs.is_first():
            weight, other = (sum(each.weight for each in one.race) for one in (mine, theirs))
            return Fraction(weight, weight + other)
        race = mine.race + theirs.race if apart else mine.race
        if len(race) > _MOST:
            self._refuse(f"the order of more than {_MOST} numbers with Gumbel noise")
        places = {each: place for place, each in enumerate(race)}
        above = [sum(1 << places[larger] for larger in each.above) for each in race]
        weights, before = tuple(each.weight for each in race), tuple(above)
        above[places[theirs]] |= 1 << places[mine]
        return _in_order(weights, tuple(above)) / _in_order(weights, before)

    def _alone(self) -> LazyUniform:
        runner = self._runner
        if runner.location is not None:
            self._refuse("a comparison of Gumbel noise with a number, after one with another")
        if runner.alone is None:
            runner.alone = LazyUniform(self._coins, ZERO, ONE, law=ContinuousLaw("gumbel", ()))
        return runner.alone

    def _enter(self) -> None:
        if self._runner.alone is not None:
            self._refuse("a comparison of Gumbel noise with another, after one with a number")
        runner, location = self._runner, Fraction(self._location) / self._scale
        if runner.location is None:
            runner.location, runner.weight = location, _weight(location)
        elif runner.location != location:
            self._refuse("a comparison of Gumbel noise at two locations")

    def __lt__(self, other: object) -> bool:
        return other > self if isinstance(other, LazyGumbel) else not self > other

    def __ge__(self, other: object) -> bool:  # no two are equal
        return (isinstance(other, LazyGumbel) and other._same(self)) or self > other

    def __le__(self, other: object) -> bool:
        return (isinstance(other, LazyGumbel) and other._same(self)) or self < other

    def _same(self, other: LazyGumbel) -> bool:
        return self._runner is other._runner and self._location == other._location

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyGumbel) and self._same(other)

    def __hash__(self) -> int:
        return self._refuse("Gumbel noise as a result, or as a key of a dictionary or a set")

    def __float__(self) -> float:
        self._refuse("the float of a number with Gumbel noise")

    def __repr__(self) -> str:
        self._refuse("the text of a number with Gumbel noise")

    def _refuse(self, what: str) -> NoReturn:
        wanted = (
            "the places of the largest, such as numpy.argmax(...), which alone have a law; a "
            "number with noise that is published has rng.laplace"
        )
        self._coins.refused(inexact(what, wanted))

    if not TYPE_CHECKING:  # arrays of objects are asked entry by entry

        def __copy__(self) -> Any:
            return self

        def __deepcopy__(self, _memory: object) -> Any:
            return self


@lru_cache(1 << 12)
def _in_order(weights: tuple[Fraction, ...], above: tuple[int, ...]) -> Fraction:
    """Return the probability that each number is below those that are to be above it."""
    chances = {0: Fraction(1)}

    def chance(left: int) -> Fraction:
        if left not in chances:
            there = [place for place in range(len(weights)) if left >> place & 1]
            next_ones = (place for place in there if not above[place] & left)
            shares = (weights[place] * chance(left ^ 1 << place) for place in next_ones)
            whole = sum((weights[place] for place in there), Fraction(0))
            chances[left] = sum(shares, Fraction(0)) / whole
        return chances[left]

    return chance((1 << len(weights)) - 1)


@lru_cache(1 << 10)
def _weight(x: Fraction) -> Fraction:
    """Return ``e**x``, but for a share of 2**-64."""
    power = Interval.exp(x)
    bits = 66 + power.lower.denominator.bit_length() - power.lower.numerator.bit_length()
    unit = Fraction(2) ** max(bits, 8)
    return Fraction(round(power.lower * unit), 1) / unit
