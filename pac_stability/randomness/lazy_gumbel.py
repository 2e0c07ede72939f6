"""Gumbel noise that decides only comparisons.

Among numbers with Gumbel noise of one scale s, number i is the largest with probability
proportional to ``e**(number / s)``: the exponential mechanism. So one exact choice compares two
numbers, each the largest of those that it was compared with, and no number is ever drawn.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn, final

from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.randomness.lazy_number import Exact, Known, exact_number
from pac_stability.randomness.lazy_uniform import Decides, inexact
from pac_stability.randomness.watch import assume

if TYPE_CHECKING:
    from typing import Any


class _Runner:
    """A noise: what it is compared with, at which location, and who is larger."""

    __slots__ = ("larger", "location", "weight")

    def __init__(self) -> None:
        self.location: Exact | None = None
        self.weight = Fraction(0)  # of all that it is the largest of
        self.larger: _Runner | None = None

    def largest(self) -> list[_Runner]:
        """Return itself, what is larger, and so on."""
        chain = [self]
        while (further := chain[-1].larger) is not None:
            chain.append(further)
        return chain


@final
class LazyGumbel:
    """A number with Gumbel noise, to be compared with others.

    ``rng.gumbel(loc, scale)`` returns it. A program may shift it, and compare it with others of its
    scale, as ``max`` and ``numpy.argmax`` do.

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

    def __add__(self, other: object) -> LazyGumbel:
        number = exact_number(other)
        if number is None:
            self._refuse(f"arithmetic of Gumbel noise and {described(other)}")
        return LazyGumbel(self._coins, self._location + number, self._scale, self._runner)

    __radd__ = __add__

    def __sub__(self, other: object) -> LazyGumbel:
        number = exact_number(other)
        if number is None:
            self._refuse(f"arithmetic of Gumbel noise and {described(other)}")
        return self + -number

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, LazyGumbel) or other._scale != self._scale:
            self._refuse("a comparison of Gumbel noise with something else")
        mine, theirs = self._runner, other._runner
        if mine is theirs:
            return self._location > other._location
        self._enter()
        other._enter()
        if theirs in mine.largest() or mine in theirs.largest():
            return mine in theirs.largest()
        if mine.larger or theirs.larger:
            self._refuse("a comparison with Gumbel noise that is known not to be the largest")
        assume(Known.ROUNDED.value)
        whole = mine.weight + theirs.weight
        won = bool(self._coins.bernoulli(mine.weight / whole))
        first, second = (mine, theirs) if won else (theirs, mine)
        first.weight, second.larger = whole, first
        return won

    def _enter(self) -> None:
        runner = self._runner
        if runner.location is None:
            runner.location = self._location
            runner.weight = _weight(Fraction(self._location) / self._scale)
        elif runner.location != self._location:
            self._refuse("a comparison of Gumbel noise at two locations")

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, LazyGumbel):
            self._refuse("a comparison of Gumbel noise with something else")
        return other > self

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
            "the place of the largest, int(numpy.argmax(...)), which alone has an exact law; a "
            "number with noise that is published has rng.laplace"
        )
        self._coins.refused(inexact(what, wanted))

    if not TYPE_CHECKING:  # arrays of objects are asked entry by entry

        def __copy__(self) -> Any:
            return self

        def __deepcopy__(self, _memory: object) -> Any:
            return self


@lru_cache(1 << 10)
def _weight(x: Fraction) -> Fraction:
    """Return ``e**x``, but for a share of 2**-64."""
    power = Interval.exp(x)
    bits = 66 + power.lower.denominator.bit_length() - power.lower.numerator.bit_length()
    unit = Fraction(2) ** max(bits, 8)
    return Fraction(round(power.lower * unit), 1) / unit
