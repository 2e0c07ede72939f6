"""A uniform real number that decides only what the program compares."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from threading import RLock
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, SupportsIndex, TypeGuard, cast, final

from pac_stability._alarm import alone
from pac_stability.arguments import described
from pac_stability.randomness.continuous import ContinuousLaw
from pac_stability.randomness.horizon import plain
from pac_stability.randomness.undecided import (
    COMPARISONS,
    Decides,
    entry_by_entry,
    exact_float,
    inexact,
    is_array,
)

if TYPE_CHECKING:
    import numpy as np

ZERO, ONE = Fraction(0), Fraction(1)
_CELLS = 1 << 14


class Stepped(Protocol):
    """A number with noise, which is not decided: it is in steps from some number."""

    def steps(self) -> tuple[Fraction, Fraction]:
        """Return a number that it may be, and the step from there to the next."""
        ...

    def __ge__(self, other: Fraction, /) -> bool: ...


class _UnitReal:
    """The number between 0 and 1 itself: between which ends, or where in an order."""

    __slots__ = ("high", "lock", "low", "noise", "order")

    def __init__(self) -> None:
        self.low, self.high = ZERO, ONE
        self.order: _Ranking | None = None
        self.noise: Any = None  # the number on a grid, where it was added to others
        self.lock = RLock()  # two threads that compare at once must agree


class _Ranking:
    """Numbers that are compared with one another alone, in order, and one more on its way.

    That one is in one of the gaps between the others from ``low`` to ``high``, each alike likely.
    """

    def __init__(self, first: _UnitReal) -> None:
        self.placed = [first]
        self.coming: _UnitReal | None = None
        self.low = self.high = 0

    def is_below(self, coins: Decides, one: _UnitReal, other: _UnitReal) -> bool:
        """Decide which of two is smaller."""
        for each in (one, other):
            if each.order is None:
                while self.coming is not None:
                    self._ask(coins, (self.low + self.high) // 2)
                each.order, self.coming = self, each
                self.low, self.high = 0, len(self.placed)
        if self.coming not in (one, other):
            return self.placed.index(one) < self.placed.index(other)
        comes = self.coming is one
        return self._ask(coins, self.placed.index(other if comes else one)) is comes

    def _ask(self, coins: Decides, place: int) -> bool:
        """Decide whether the one on its way is below the one at a place."""
        if self.low <= place < self.high:
            if coins.bernoulli(Fraction(place - self.low + 1, self.high - self.low + 1)):
                self.high = place
            else:
                self.low = place + 1
        if self.low == self.high and self.coming is not None:
            self.placed.insert(self.low, self.coming)
            self.coming = None
        return place >= self.high


@final
class LazyUniform:
    """A uniform real number between two others; each comparison narrows its interval.

    ``rng.random()`` returns it. A comparison with a number is one exact choice of the coins, and
    the next comparison uses the remaining interval: after ``u < 1/2``, the comparison ``u < 1/4``
    holds with probability 1/2 if the first held, else 0. So all comparisons agree with one number,
    and their law is exact. A program may shift and scale it by numbers, round it down, or compare
    it with other draws only, as sorting does. Any other use of the number is refused
    (:class:`InexactDraw`): ``float()``, printing, hashing. Draws that are
    added to one another lie on the grid of noise.

    It equals a given number with probability 0, so ``<`` and ``<=`` are the same question. Floats
    are taken at their exact binary value.

    Parameters
    ----------
    coins
        The coins that decide comparisons.
    low, high
        The ends.
    drawn
        The underlying number between 0 and 1; a new one by default.
    law
        The law of the draw, if it is another: the underlying number is its distribution function,
        and the ends are what 0 and 1 become.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> u = SeededCoins(1).random()
    >>> u < 1, u < 0
    (True, False)
    >>> low = u < 0.25
    >>> low <= (u < 0.5) and (u < 0.25) is low
    True
    """

    __slots__ = ("_coins", "_drawn", "_factor", "_law", "_shift")

    def __init__(
        self,
        coins: Decides,
        low: Fraction,
        high: Fraction,
        drawn: _UnitReal | None = None,
        law: ContinuousLaw | None = None,
    ) -> None:
        self._coins, self._law = coins, law
        self._drawn = drawn or _UnitReal()
        self._shift, self._factor = low, ONE if low is ZERO and high is ONE else high - low

    is_continuous = True

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The ends of the interval from which it is drawn."""
        return self._shift, self._shift + self._factor

    def _is_below(self, threshold: object) -> bool:
        if isinstance(threshold, LazyUniform):
            if threshold._drawn.noise is None and self._drawn.noise is None:
                return self._is_before(threshold)
            return cast("bool", self.on_grid() < threshold.on_grid())
        if self._drawn.noise is not None:
            return cast("bool", self.on_grid() < threshold)
        if _is_stepped(threshold):
            # It is below where the number with noise is not below the next step above this one.
            start, step = threshold.steps()
            place: int = math.floor((self - start) / step)
            return threshold >= start + step * (1 + place)
        number = self._number(threshold)
        if not isinstance(number, Fraction):
            return number > 0
        drawn = self._drawn
        if drawn.order is not None:
            self._refuse("a comparison of rng.random() with a number, after one with another draw")
        # Mostly a comparison of rng.random() itself, whose share is the number.
        if self._factor is not ONE:
            number = (number - self._shift) / self._factor
        if self._law is not None:
            number = self._law.below(number)
        return self._splits(number) is (self._factor is ONE or self._factor > 0)

    def _splits(self, number: Fraction) -> bool:
        """Decide whether the number that was drawn is below another."""
        # On one line, so that no interrupt keeps the lock: see pac_stability._alarm.alone.
        with self._drawn.lock: return self._splits_alone(self._drawn, number)  # fmt: skip  # noqa: E701

    def _splits_alone(self, drawn: _UnitReal, number: Fraction) -> bool:
        low, high = drawn.low, drawn.high
        whole = low is ZERO and high is ONE
        above, below = number.numerator, number.denominator
        if not (0 < above < below if whole else low < number < high):
            return above >= below if whole else number >= high
        if self._coins.bernoulli(number if whole else (number - low) / (high - low)):
            drawn.high = number
            return True
        drawn.low = number
        return False

    def _is_before(self, other: LazyUniform) -> bool:
        one, two = self._drawn, other._drawn
        alike = (self._factor, self._shift, self._law) == (other._factor, other._shift, other._law)
        orders = {id(each.order) for each in (one, two) if each.order is not None}
        whole = all((each.low, each.high) == (ZERO, ONE) for each in (one, two))
        if one is two or not alike or self._factor < 0 or not whole or len(orders) > 1:
            self._refuse(
                "a comparison of one rng.random() with another"
                + (", after one with a number" if alike else " of another law or scale"),
                "rng.shuffle, rng.permutation or rng.sample for an order drawn at random, and "
                "rng.below(n) for a place",
            )

        def is_below() -> bool:
            if one.order is None and two.order is None:
                one.order = _Ranking(one)
            return cast("_Ranking", one.order or two.order).is_below(self._coins, one, two)

        return alone(one.lock, is_below)

    def on_grid(self) -> Any:
        """Return it on the grid of noise, as what is added to other draws lies there."""
        drawn, size = self._drawn, abs(self._factor)
        if drawn.noise is None:
            untold = (drawn.low, drawn.high, drawn.order) == (ZERO, ONE, None)
            if self._law is not None or not untold:
                told = ", after a comparison" * (not untold)
                self._refuse(f"a sum of rng.random() and another draw{told}")
            drawn.noise = self._coins.spread(size) / size
        return drawn.noise * self._factor + self._shift

    def _by(self, factor: Fraction, shift: Fraction) -> LazyUniform:
        """Return a multiple of it, shifted."""
        if not factor:
            return cast("LazyUniform", shift)  # a number, and no draw any more
        low, width = self._shift * factor + shift, self._factor * factor
        return LazyUniform(self._coins, low, low + width, self._drawn, self._law)

    def _plain(self, other: object, what: str) -> Fraction:
        draw = isinstance(other, LazyUniform) or _is_stepped(other)
        number = math.nan if draw else self._number(other)
        if not isinstance(number, Fraction):
            other = "another draw" if draw else described(other)
            self._refuse(f"{what} rng.random() and {other}")
        return number

    def __add__(self, other: object) -> Any:
        if is_array(other):
            return NotImplemented
        if isinstance(other, LazyUniform):
            return self.on_grid() + other.on_grid()
        if _is_stepped(other):
            return self.on_grid() + other
        return self._by(ONE, self._plain(other, "a sum of"))

    __radd__ = __add__

    def __sub__(self, other: object) -> Any:
        return NotImplemented if is_array(other) else self + -cast("Fraction", other)

    def __rsub__(self, other: object) -> Any:
        return -self + other

    def __neg__(self) -> LazyUniform:
        return self._by(-ONE, ZERO)

    def __mul__(self, other: object) -> LazyUniform:
        if is_array(other):
            return NotImplemented
        return self._by(self._plain(other, "a product of"), ZERO)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> LazyUniform:
        return self._by(1 / self._plain(other, "a quotient of"), ZERO)

    def __floor__(self) -> int:
        """Draw the integer below it."""
        if self._drawn.noise is not None:
            return cast("int", math.floor(self.on_grid()))
        if self._law is not None:
            self._refuse("a rounding of rng.random()")
        if self._drawn.order is not None:
            self._refuse("a rounding of rng.random(), after a comparison with another draw")
        ends = (self._drawn.low, self._drawn.high)
        low, high = sorted(self._shift + self._factor * end for end in ends)
        cells = range(math.floor(low), math.ceil(high))
        if len(cells) > _CELLS:
            self._refuse("a rounding of rng.random() to very many integers")
        weights = [min(high, Fraction(k + 1)) - max(low, Fraction(k)) for k in cells]
        number = cells[self._coins.choose(weights)]
        inside = (max(low, Fraction(number)), min(high, Fraction(number + 1)))
        one, two = sorted((end - self._shift) / self._factor for end in inside)
        self._drawn.low, self._drawn.high = one, two
        return number

    def __ceil__(self) -> int:
        return -math.floor(-self)

    def __trunc__(self) -> int:
        return math.ceil(self) if self < 0 else math.floor(self)

    __int__ = __trunc__

    def __round__(self, digits: int | None = None) -> int | Fraction:
        if self._drawn.noise is not None:
            return cast("Fraction", round(self.on_grid(), digits))
        parts = 10 ** (digits or 0)
        number = Fraction(math.floor(self * parts + Fraction(1, 2)), parts)
        return int(number) if digits is None else number

    def __abs__(self) -> LazyUniform:
        return self if self > 0 else -self

    def clip(self, low: Any, high: Any, **_: object) -> Any:
        """Return it, or the end beyond which it is, as ``numpy.clip`` asks for it."""
        return low if self < low else high if self > high else self

    def __floordiv__(self, other: object) -> int:
        return math.floor(self / other)

    def _number(self, threshold: object) -> Fraction | float:
        """Return what is compared with as an exact number, or an infinity."""
        if type(threshold) is Fraction:
            return threshold
        if isinstance(threshold, (float, Decimal)):
            if math.isfinite(threshold):
                return (
                    exact_float(threshold) if isinstance(threshold, float) else Fraction(threshold)
                )
            if not math.isnan(threshold):
                return float(threshold)
            self._refuse("a comparison of rng.random() with a value that is not a number (nan)")
        if isinstance(threshold, Fraction):
            return Fraction(threshold)
        if isinstance(threshold, SupportsIndex):
            try:
                return Fraction(operator.index(threshold))
            except TypeError:  # an array
                pass
        return self._refuse(
            f"a comparison of rng.random() with {described(threshold)}, "
            f"of type {type(threshold).__name__}",
            "an int, a float or a Fraction to compare with",
        )

    def _refuse(self, what: str, wanted: str = "") -> NoReturn:
        if self._law is not None:
            what = what.replace("rng.random()", f"rng.{self._law.name}()")
            wanted = (
                "a comparison with a number; noise that is added or published has rng.laplace, "
                "rng.exponential or rng.normal, or ask by runs: --black-box"
            )
        self._coins.refused(
            inexact(
                what,
                wanted
                or "a comparison, rng.random() < p, which has an exact law, or rng.below(n), "
                "rng.choice(values) or rng.bernoulli(p)",
            )
        )

    # An array compares entry by entry: it is asked next, and asks __array_ufunc__. That a number is
    # itself needs no coins; NumPy's searches compare it so.
    def _is(self, other: object) -> bool:
        return isinstance(other, LazyUniform) and (
            (self._drawn, self._factor, self._shift) == (other._drawn, other._factor, other._shift)
        )

    def __lt__(self, other: object) -> bool:
        if is_array(other):
            return NotImplemented
        return not self._is(other) and self._is_below(other)

    def __gt__(self, other: object) -> bool:
        if is_array(other):
            return NotImplemented
        return not self._is(other) and not self._is_below(other)

    def __le__(self, other: object) -> bool:
        return self._is(other) or self.__lt__(other)

    def __ge__(self, other: object) -> bool:
        return self._is(other) or self.__gt__(other)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, **options: object
    ) -> object:
        act = COMPARISONS.get(ufunc.__name__)
        if act is None or method != "__call__" or options:
            self._refuse(f"numpy.{ufunc.__name__} of rng.random()")
        return entry_by_entry(act, inputs)

    # One number, whoever holds it: a copy must not be another.
    def __copy__(self) -> LazyUniform:
        return self

    def __deepcopy__(self, _memory: object) -> LazyUniform:
        return self

    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:
        self._refuse("rng.random() sent elsewhere or written to a file (pickled)")

    def __repr__(self) -> str:
        self._refuse("the digits of rng.random() (printed, or made a text)")

    def __eq__(self, other: object) -> bool:
        return NotImplemented if is_array(other) else self._is(other)

    def __hash__(self) -> int:
        return self._refuse("rng.random() as a result, or as a key of a dictionary or a set")

    def seen(self) -> object:
        """Return the step of the grid of noise below it, or itself if it is of another law."""
        if self._drawn.noise is not None:
            return self.on_grid().seen()
        if self._law is not None:
            self._refuse("rng.random() as a result")
        step = self._coins.step(abs(self._factor), self.ends)
        return plain(math.floor(self / step) * step)

    if not TYPE_CHECKING:  # a checker refuses them before

        def __getattr__(self, name):
            # What numbers have: the_same_way for all of them.
            if name.startswith("_"):
                raise AttributeError(name)
            self._refuse(f"rng.random().{name}")


def _is_stepped(value: object) -> TypeGuard[Stepped]:
    return hasattr(type(value), "steps")


def _refusing(name: str, what: str) -> Callable[..., NoReturn]:
    def refuse(self: LazyUniform, *_: object) -> NoReturn:
        self._refuse(f"{what} rng.random()")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


_LOOKS = {
    "a product with": ("matmul", "rmatmul"),
    "a quotient with": ("rtruediv", "rfloordiv", "divmod", "rdivmod"),
    "a remainder of": ("mod", "rmod"),
    "a power of": ("pow", "rpow"),
    "arithmetic with": (
        *("pos", "invert", "lshift", "rlshift", "rshift", "rrshift"),
        *("and", "rand", "or", "ror", "xor", "rxor"),
    ),
    "a rounding of": ("index",),
    "the float of": ("float", "complex"),
    "the truth of": ("bool",),
    "the digits of": ("format",),
}
for _what, _names in _LOOKS.items():
    for _name in _names:
        setattr(LazyUniform, f"__{_name}__", _refusing(f"__{_name}__", _what))
