"""A number with noise that decides only what the program compares.

It is a sum of noises and a number. A comparison of more than two noises is about their sum, which
is tied to one of them by the law of the other. Rounded numbers are told apart in cells. What a
program returns is published: decided in a window, and beyond it by tail alone.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn, cast, final

from pac_stability.arguments import described
from pac_stability.randomness import noises, tails as endless
from pac_stability.randomness.horizon import FINEST, GRID, Exact, Known, plain
from pac_stability.randomness.lazy_uniform import LazyUniform
from pac_stability.randomness.noises import AskedLazily, Cell, Noise, settle
from pac_stability.randomness.tails import ANYWHERE, EndlessWeights
from pac_stability.randomness.undecided import COMPARISONS, entry_by_entry, inexact, told
from pac_stability.randomness.watch import assume

_COMPARED = (
    "numbers that are compared, such as abs(z) > 1 for z * z > 1, or returned: what is computed of "
    "them alone is no less private"
)


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
    fine
        The step of the number that is added, if it is another.
    """

    __slots__ = ("_coins", "_constant", "_fine", "_seen", "_terms", "_unit")

    def __init__(
        self, coins: AskedLazily, terms: dict[Noise, int], constant: Exact, unit: Exact,
        fine: Exact = 0,
    ) -> None:  # fmt: skip
        self._coins, self._terms, self._constant, self._unit = coins, terms, constant, unit
        self._fine = fine or unit
        self._seen: object = None

    @classmethod
    def of(
        cls, coins: AskedLazily, weights: EndlessWeights, unit: Exact = 1, *, smooth: bool = False
    ) -> LazyNumber:
        """Return one new noise, in steps of a unit (smooth: the steps are a grid)."""
        return cls(coins, {Noise(weights, smooth=smooth): 1}, 0, unit)

    # What is left open of it

    def _now(self) -> tuple[dict[Noise, int], Exact]:
        """Return the noises that are not settled, each with its sign, and the number beside."""
        while any([often and noise.parts() for noise, often in self._terms.items()]):  # noqa: C419  # fast
            terms: dict[Noise, int] = {}
            for noise, often in self._terms.items():
                parts, steps = (often and noise.parts()) or ({noise: 1}, 0)
                for part, k in parts.items():
                    terms[part] = terms.get(part, 0) + often * k
                if noise.smooth:  # the number is on a grid, decided or not
                    terms.setdefault(noise, 0)
                self._constant += often * steps * self._unit
            self._terms = terms
        kept = {noise: often * noise.sign for noise, often in self._terms.items() if often}
        if any([noise.spent for noise in kept]):  # noqa: C419  # fast
            self._refuse("a number with noise, used as it is after it was rounded",
                         "the rounded number alone")  # fmt: skip
        return kept, self._constant

    def _simple(self, most: int, often: int = 1) -> tuple[dict[Noise, int], Exact]:
        """Return the same with few noises, each once; others are added up or settled.

        Each may be there equally often, if ``often`` is 0.
        """
        while True:
            terms, constant = self._now()
            each = often or _common(terms)
            odd = {*map(abs, terms.values())} - {each}
            cell = next((noise for noise in terms if type(noise) is not Noise), None)
            if isinstance(cell, Even):
                cell.number._settle_one()
                continue
            if not odd and len(terms) <= most and not (len(terms) > 1 and cell):
                return terms, constant
            if isinstance(cell, Cell):
                cell.free(self._coins, terms)
                continue
            free = [noise for noise in terms if not noise.ties]
            if odd or not free:  # one that has the fewest values
                settle(self._coins, min(terms, key=lambda noise: noises.size(noise.belief())))
                continue
            last = free[-1]
            # One sum, and not several: of two that are tied no third is made.
            first = max((noise for noise in terms if noise is not last), key=lambda n: bool(n.ties))
            noises.add_up(first, terms[first] // each, last, terms[last] // each)

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
        while halves := [n for n, often in self._terms.items() if often and type(n) is Even]:
            (terms, constant), even = self._now(), halves[0]
            if even not in terms:
                continue
            if len(terms) == 1:
                over, often = constant - bound, self._unit * terms[even]
                if often > 0:
                    return even.is_at_least(-(over // often))
                return not even.is_at_least(over // -often + 1)
            even.number._settle_one()
        while True:
            try:
                terms, constant = self._simple(2, often=0)
                often, over = _common(terms), constant - bound
                if over.denominator > FINEST and any(noise.smooth for noise in terms):
                    over = _short(over)  # as where it is published
                c = -(over // (self._unit * often))
                if not terms:
                    return c <= 0
                if len(terms) == 1:
                    ((noise, sign),) = terms.items()
                    f = noise.belief()
                    low, high = (c, None) if sign > 0 else (None, -c)
                    if noises.answered(coins, endless.cut(f, low, high), f):
                        noise.limit(low, high)
                        return True
                    noise.limit(*((None, c - 1) if sign > 0 else (1 - c, None)))
                    return False
                (first, one), (second, other) = terms.items()
                if one == other and second in first.around():
                    raise noises.Rings
                if one == other:
                    second.turn()
                return (
                    noises.is_at_least(coins, first, second, c)
                    if one > 0
                    else noises.is_at_least(coins, second, first, c)
                )
            except noises.Opened:
                continue
            except noises.Rings:
                self._settle_one()

    def _settle_one(self) -> None:
        settle(self._coins, max(self._now()[0], key=lambda noise: len(noise.ties)))

    # Questions

    def _plus(self, other: object, sign: int) -> LazyNumber:
        if isinstance(other, LazyUniform):
            other = other.on_grid()
        if isinstance(other, LazyNumber):
            mine, theirs = self._unit, other._unit
            if mine != theirs:
                unit = _shared(mine, theirs)
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
            return cast("LazyNumber", 0)  # a number, and no noise any more
        size = factor if factor > 0 else -factor
        return LazyNumber(self._coins, terms, self._constant * factor, self._unit * size)

    def _number(self, value: object) -> Exact:
        number = None if isinstance(value, LazyNumber) else exact_number(value)
        if isinstance(value, LazyNumber):
            what = "a product or a quotient of two numbers with noise"
            self._refuse(what, _COMPARED)
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
        return -self + other

    def __neg__(self) -> LazyNumber:
        return self._times(-1)

    def __pos__(self) -> LazyNumber:
        return self

    real = property(__pos__)
    conjugate = __pos__  # NumPy's spread asks for it

    def __abs__(self) -> LazyNumber:
        return self if self._at_least(0) else -self

    def __mul__(self, other: object) -> LazyNumber:
        return self._times(self._number(other))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> LazyNumber:
        number = self._number(other)
        if not number:
            raise ZeroDivisionError("division by zero")
        return self._times(Fraction(1) / number)

    def steps(self) -> tuple[Fraction, Fraction]:
        """Return a number that it may be, and the step from there to the next."""
        return Fraction(self._now()[1]), Fraction(self._unit)

    def __ge__(self, other: object) -> bool:
        if isinstance(other, LazyUniform):
            return NotImplemented  # it finds the step above it
        far = _infinite(other)
        if isinstance(other, LazyNumber):
            self._gather(other)
        return far < 0 if far else (self - other)._at_least(0)

    def __le__(self, other: object) -> bool:
        if isinstance(other, LazyNumber):
            return other >= self
        if isinstance(other, LazyUniform):
            return NotImplemented
        far = _infinite(other)
        return far > 0 if far else (-self + other)._at_least(0)

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
        terms, constant = self._simple(1)
        if any(noise.smooth for noise in self._terms):
            return self._whole(step, step / 2)  # it is no half
        if terms and (constant - step / 2) % _shared(step, self._unit):
            return self._whole(step, step / 2)
        if terms:
            return LazyNumber(self._coins, {Even(self, step): 1}, 0, step)
        return LazyNumber(self._coins, {}, round(constant / step) * step, step)

    rint = __round__  # what NumPy calls

    def round(self, decimals: int = 0, *, out: None = None) -> LazyNumber:  # noqa: ARG002  # NumPy's
        """Return it rounded, as ``numpy.round`` asks for it."""
        return self.__round__(decimals)

    def __floor__(self) -> LazyNumber:
        return self._whole(1, 0)

    def __ceil__(self) -> LazyNumber:
        return -(-self).__floor__()

    def __floordiv__(self, other: object) -> LazyNumber:
        return (self / other).__floor__()

    def __mod__(self, other: object) -> LazyNumber:
        return self - (self // other) * other

    def __divmod__(self, other: object) -> tuple[LazyNumber, LazyNumber]:
        return self // other, self % other

    def __pow__(self, other: object) -> NoReturn:
        self._refuse("a power of a number with noise", _COMPARED)

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
        """Return a number, as the short fraction that a float stands for, on a grid that has it."""
        if not constant % self._unit:
            return constant
        near = _short(constant)
        if near.denominator <= FINEST:
            self._coins.refine(Fraction(near))
        return near

    def __int__(self) -> int:
        whole = self.__trunc__()
        what = "int() of a number with noise that has no end"
        wanted = "round() or math.trunc(), whole numbers that are not decided"
        for noise in list(whole._now()[0]):
            if noise.settled is None:
                if noises.is_wide(noise.belief()):
                    self._refuse(what, wanted)
                if sentence := told("A number with noise is decided by int()"):
                    assume(sentence)
                settle(self._coins, noise)
        return int(whole._now()[1])

    def __index__(self) -> int:
        if any(number.denominator > 1 for number in self.steps()):
            self._refuse("a number with noise as an index or a count", "int(z) or round(z)")
        return int(self)

    # Outcomes

    @property
    def is_continuous(self) -> bool:
        """Whether it has noise on the real line, so that it equals no number."""
        return any(noise.smooth for noise in self._now()[0])

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
        terms, constant = self._now()
        coins, unit = self._coins, self._unit
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
            terms, constant = self._simple(2, often=0)
            if not terms:
                return plain(constant)
            if (often := _common(terms)) > 1:
                alone = {n: k * n.sign // often for n, k in terms.items()}
                told = LazyNumber(coins, alone, constant, unit * often, self._fine).seen()
                coins.last = None
                return told
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
            way = noises.way_between(first, second)
            if one == other or (way is not None and len(way) > 2):
                if first.beyond or second.beyond:  # told is a bound, whatever is decided here
                    assume(Known.FROM_BELOW.value)
                    coins.forget()
                    return "far out, as what depends on the same noise"
                self._settle_one()
                continue
            if way is None:
                noises.bind(first, second, ANYWHERE)
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
        if noise.smooth and constant % (fine := self._fine):
            assume(Known.BESIDE_THE_GRID.value)
            constant = (2 * constant + fine) // (2 * fine) * fine
        start, end, phase = coins.window(
            constant + f.lo * unit, constant + f.hi * unit, unit, constant % unit
        )
        lo, hi = -((constant - start) // unit), (end - constant) // unit
        weights, tails = noises.places_of(f, lo, hi)
        assume(Known.RATIOS.value)
        kept = coins.told_of((weights, tails, unit, phase))
        if kept is not None:
            weights = noises.gathered(f, lo, hi, kept)
        place = noises.chosen(coins, weights)
        inside = hi - lo + 1 if kept is None else len(kept) + 1
        side = place - inside
        # Nothing is tied to a number of which few places are told, and nothing will be asked of it.
        if kept is None and place < inside:
            if second is None:
                noise.be(lo + place)
            else:
                noise.be_beside(second, lo + place)
        elif kept is None:
            low, high = ((None, lo - 1), (hi + 1, None))[side]
            noise.go_beyond()
            if second is not None:
                second.go_beyond()
                noises.bind(noise, second, endless.cut(noise.ties[second], low, high))
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
            "the number itself, compared, shifted, added or returned: what is computed of "
            "returned numbers alone is no less private",
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
        name = getattr(ufunc, "__name__", "")
        act = COMPARISONS.get(name)
        if act is None or method != "__call__" or options:
            self._refuse(f"numpy.{name} of a number with noise", "a comparison or a sum")
        return entry_by_entry(act, inputs)


@final
class Even(Noise):
    """The multiple of a step to which a number is rounded that may be in the middle of two.

    It is then the even one. What is asked about it is asked about the number, which is decided
    before all else.
    """

    __slots__ = ("_step", "number")

    def __init__(self, number: LazyNumber, step: Exact) -> None:
        super().__init__(ANYWHERE)
        self.number, self._step = number, step

    def parts(self) -> tuple[dict[Noise, int], int] | None:
        """Return the multiple, if the number is decided."""
        terms, constant = self.number._now()
        return None if terms else ({}, round(constant / self._step))

    def around(self) -> list[Noise]:
        """Return itself, and all noises on which the number depends."""
        return [self, *self.number.crowd()]

    def is_at_least(self, c: int) -> bool:
        """Decide whether it is at least so many steps."""
        middle = (2 * c - 1) * self._step / 2
        return self.number > middle if c % 2 else self.number >= middle


def _short(number: Exact) -> Exact:
    """Return the short fraction that a float stands for, such as 1/3, or the number itself."""
    near = Fraction(number).limit_denominator(FINEST)
    return near if abs(near - number) * 2**40 < 1 else number


def _shared(a: Exact, b: Exact) -> Fraction:
    """Return the largest number of which both are multiples."""
    above = math.gcd(a.numerator * b.denominator, b.numerator * a.denominator)
    return Fraction(above, a.denominator * b.denominator)


def _common(terms: dict[Noise, int]) -> int:
    return math.gcd(*terms.values()) or 1


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
