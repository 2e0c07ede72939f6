"""Weights on all integers: a table between two ends, and sums of exponentials beyond.

A weight beyond an end is a sum of ``p(d) b**d`` over few bases b, for the distance d from the end
and polynomials p. Such functions are closed under products, shifts, cuts, running sums and
convolutions, and their sums are rational. So a two-sided geometric law, conditioned on comparisons,
is computed exactly without truncation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate
from typing import TYPE_CHECKING, Final, TypeAlias, cast, final

Polynomial: TypeAlias = tuple[Fraction, ...]
Tail: TypeAlias = Mapping[Fraction, Polynomial]
"""``sum of p(d) b**d`` for d = 1, 2, ..., by b."""

End: TypeAlias = int | None
"""Where something ends; ``None`` is nowhere."""

_ONE, _NONE = Fraction(1), Fraction(0)
_KEPT = 1 << 14
_FINE = 1 << 256
_FAR = 64
"""So far out at most is looked for where a ratio becomes monotone."""


@final
class EndlessWeights:
    """Weights on all integers; fixed once made, and compared by identity.

    Parameters
    ----------
    lo
        The first integer of the table.
    mid
        The table, one entry at least.
    right, left
        The weights beyond the table, by the distance from it.

    Examples
    --------
    >>> half = two_sided(Fraction(1, 2))
    >>> [str(half.at(z)) for z in (-1, 0, 3)], half.total
    (['1/6', '1/3', '1/24'], Fraction(1, 1))
    """

    __slots__ = ("_total", "hi", "high", "left", "lo", "low", "mid", "right", "whole")

    def __init__(self, lo: int, mid: list[Fraction], right: Tail, left: Tail) -> None:
        self._total: Fraction | None = None
        self.whole: EndlessWeights | None = None
        self.low: End = None
        self.high: End = None
        self.lo, self.hi, self.mid = lo, lo + len(mid) - 1, mid
        self.right, self.left = _cleared(right), _cleared(left)

    def part(self, low: int | None, high: int | None) -> EndlessWeights:
        """Return these weights from low to high; their table is computed on first use."""
        part = EndlessWeights.__new__(EndlessWeights)
        part._total, part.whole, part.low, part.high = None, self, low, high
        return part

    if not TYPE_CHECKING:  # else any name would be one

        def __getattr__(self, name: str) -> object:  # of a part, the table
            if self.whole is None or name not in self.__slots__:
                raise AttributeError(name)
            whole, low, high = self.whole, self.low, self.high
            lo = low if low is not None else min(whole.lo, cast("int", high))
            hi = high if high is not None else max(whole.hi, lo)
            self.lo, self.hi = lo, max(lo, hi)
            self.mid = [whole.at(z) for z in range(lo, hi + 1)] or [_NONE]
            self.right = _moved(whole.right, hi - whole.hi) if high is None else {}
            self.left = _moved(whole.left, whole.lo - lo) if low is None else {}
            return getattr(self, name)

    def at(self, z: int) -> Fraction:
        """Return the weight of an integer."""
        if z > self.hi:
            return _value(self.right, z - self.hi)
        return _value(self.left, self.lo - z) if z < self.lo else self.mid[z - self.lo]

    @property
    def total(self) -> Fraction:
        """The sum of all weights, which is finite."""
        if self._total is None:
            whole, low, high = self.whole, self.low, self.high
            if whole is None or not whole.is_finite:
                beyond = _value(_running(self.right), 1) + _value(_running(self.left), 1)
                self._total = sum_of([*self.mid, beyond])
            elif low is not None and high is not None and low > high:
                self._total = _NONE
            else:
                first = whole.total if low is None else from_on(whole).at(low)
                self._total = first - (_NONE if high is None else from_on(whole).at(high + 1))
        return self._total

    @property
    def is_finite(self) -> bool:
        """Whether the sum is certainly finite."""
        return all(base < 1 for base in (*self.right, *self.left))

    def widened(self, lo: int, hi: int) -> tuple[list[Fraction], Tail, Tail]:
        """Return the parts with a table from lo to hi, which contains the present table."""
        before = [_value(self.left, self.lo - z) for z in range(lo, self.lo)]
        after = [_value(self.right, z - self.hi) for z in range(self.hi + 1, hi + 1)]
        right, left = _moved(self.right, hi - self.hi), _moved(self.left, self.lo - lo)
        return [*before, *self.mid, *after], right, left


def _cleared(tail: Tail) -> dict[Fraction, Polynomial]:
    kept = {}
    for base, p in tail.items():
        last = len(p)
        while last and not p[last - 1]:
            last -= 1
        if last:
            kept[base] = p[:last]
    return kept


def _value(tail: Tail, d: int) -> Fraction:
    return sum_of(
        b**d * (p[0] if len(p) == 1 else sum(c * d**k for k, c in enumerate(p)))
        for b, p in tail.items()
    )


def sum_of(numbers: Iterable[Fraction]) -> Fraction:
    """Add up fractions, and reduce to lowest terms only at the end."""
    ratios = [number.as_integer_ratio() for number in numbers]
    common = math.lcm(*{below for _, below in ratios})
    return Fraction(sum(above * (common // below) for above, below in ratios), common)


def rounded_down(tail: Tail, count: int, unit: Fraction) -> list[int]:
    """Return integers just below the weights at distances 1, ..., count, times a unit."""
    found = [0] * count
    for b, p in tail.items():
        least = [math.floor(c * unit * _FINE) for c in p]
        low = high = _FINE
        for d in range(1, count + 1):
            low, high = low * b.numerator // b.denominator, -(-high * b.numerator // b.denominator)
            found[d - 1] += sum(c * d**k * (low if c > 0 else high) for k, c in enumerate(least))
    return [max(each // _FINE**2, 0) for each in found]


def _moved(tail: Tail, steps: int) -> Tail:
    """Return the tail as a function of a distance that is shorter by so many steps."""
    if not steps:
        return tail
    moved = {}
    for b, p in tail.items():
        power = b**steps
        moved[b] = tuple(
            power * sum(p[j] * math.comb(j, k) * steps ** (j - k) for j in range(k, len(p)))
            for k in range(len(p))
        )
    return moved


def _running(tail: Tail) -> Tail:
    """Return d -> the sum over all distances from d on: q with q(d) - b q(d + 1) = p(d)."""
    sums = {}
    for b, p in tail.items():
        q = [_NONE] * len(p)
        for k in reversed(range(len(p))):
            later = sum((q[j] * math.comb(j, k) for j in range(k + 1, len(p))), _NONE)
            q[k] = (p[k] + b * later) / (1 - b)
        sums[b] = tuple(q)
    return sums


def _added(first: Tail, second: Tail, factor: int = 1) -> Tail:
    out = dict(first)
    for b, p in second.items():
        q = out.get(b, ())
        size = max(len(p), len(q))
        out[b] = tuple(
            (q[k] if k < len(q) else _NONE) + (factor * p[k] if k < len(p) else _NONE)
            for k in range(size)
        )
    return out


def _product(first: Tail, second: Tail) -> Tail:
    out: Tail = {}
    for a, p in first.items():
        for b, q in second.items():
            r = [_NONE] * (len(p) + len(q) - 1)
            for i, c in enumerate(p):
                for j, d in enumerate(q):
                    r[i + j] += c * d
            out = _added(out, {a * b: tuple(r)})
    return out


# Where the ratio of two tails is monotone


def single(tail: Tail) -> bool:
    """Return whether a tail is one exponential, or zero: its ratios are constant."""
    return all(len(p) == 1 for p in tail.values()) and len(tail) < 2


def leading(tail: Tail) -> tuple[Fraction, int, Fraction]:
    """Return base, degree and coefficient of the dominant term of a tail."""
    base = max(tail, default=_NONE)
    p = tail.get(base, (_NONE,))
    return base, len(p) - 1, p[-1]


def added_up(parts: list[tuple[Fraction, Tail]]) -> Tail:
    """Return the sum of tails, each times a number."""
    total: Tail = {}
    for factor, tail in parts:
        total = _added(total, {b: tuple(factor * c for c in p) for b, p in tail.items()})
    return _cleared(total)


def monotone_from(f: Tail, g: Tail) -> int | None:
    """Return a distance from which on ``f(d) / g(d)`` is certainly monotone, if it is near.

    From there on ``f(d + 1) g(d) - f(d) g(d + 1)``, a sum of terms ``c d**k b**d``, has one sign:
    the dominant term outweighs those of the other sign.

    Examples
    --------
    >>> one, two, four = Fraction(1), Fraction(1, 2), Fraction(1, 4)
    >>> monotone_from({two: (one,), four: (one,)}, {two: (one,), four: (-two,)})
    0
    >>> monotone_from({two: (one,), four: (7 * one,), four / 2: (-8 * one,)}, {two: (one,)})
    1
    """
    change = _cleared(
        _added(_product(_moved(f, 1), g), _product(f, _moved(g, 1)), -1)
    )  # fmt: skip
    terms = [(b, k, c) for b, p in change.items() for k, c in enumerate(p) if c]
    b, k, c = max(terms, default=(_NONE, 0, _NONE))
    others = [term for term in terms if term[2] * c < 0]
    for d in range(_FAR + 1):
        falling = all(a * (d + 1) ** max(j - k, 0) <= b * d ** max(j - k, 0) for a, j, _ in others)
        rest = sum(abs(e) * a**d * d**j for a, j, e in others)
        if falling and abs(c) * b**d * d**k >= rest:
            return d
    return None


def is_between(f: Tail, g: Tail, share: Fraction) -> bool:
    """Return whether tails from 1 on, less a part, compare as their values at 0 and parts do."""
    (*one, a), (*other, b) = leading(f), leading(g)
    if one != other:
        return True  # one is nothing beside the other, as their names say
    first, second = _value(f, 0), _value(g, 0)
    all_f, all_g = (
        _value(_running(t), 1) - share * lead for t, lead in ((f, a), (g, b))
    )  # fmt: skip
    # all_f / all_g between first / second and a / b
    near, far = all_f * second - first * all_g, all_f * b - a * all_g
    return min(second, all_f, all_g) > 0 and near * far <= 0


# Ends


def most(a: End, b: End) -> End:
    """Return the larger of two lower ends."""
    return b if a is None else a if b is None else max(a, b)


def least(a: End, b: End) -> End:
    """Return the smaller of two upper ends."""
    return b if a is None else a if b is None else min(a, b)


def plus(a: End, b: End) -> End:
    """Return the sum of two ends."""
    return None if a is None or b is None else a + b


def less(end: End) -> End:
    """Return an end on the other side of 0."""
    return None if end is None else -end


# What noise weighs, and what is made of it. All are functions of where their arguments lie, so that
# a path that is followed again asks nothing of the arithmetic.

ANYWHERE: Final = EndlessWeights(0, [_ONE], {_ONE: (_ONE,)}, {_ONE: (_ONE,)})
"""The weight 1 of every integer."""


@lru_cache(_KEPT)
def two_sided(r: Fraction) -> EndlessWeights:
    """Return the law with ``P(z) = (1 - r) / (1 + r) r**|z|``."""
    c = (1 - r) / (1 + r)
    return EndlessWeights(0, [c], {r: (c,)}, {r: (c,)})


@lru_cache(_KEPT)
def one_sided(r: Fraction) -> EndlessWeights:
    """Return the law with ``P(z) = (1 - r) r**z`` for z >= 0."""
    return EndlessWeights(0, [1 - r], {r: (1 - r,)}, {})


@lru_cache(_KEPT)
def folded(r: Fraction) -> EndlessWeights:
    """Return the law of the size of what :func:`two_sided` draws, to which a sign may be given."""
    c = (1 - r) / (1 + r)
    return EndlessWeights(0, [c], {r: (2 * c,)}, {})


@lru_cache(_KEPT)
def table(lo: int, weights: tuple[Fraction, ...]) -> EndlessWeights:
    """Return weights of finitely many integers."""
    return EndlessWeights(lo, list(weights), {}, {})


@lru_cache(_KEPT)
def times(f: EndlessWeights, g: EndlessWeights) -> EndlessWeights:
    """Return the product."""
    for one, other in ((f, g), (g, f)):
        if one is ANYWHERE:
            return other
        if one.whole is not None:
            return cut(times(one.whole, other), one.low, one.high)
    lo, hi = min(f.lo, g.lo), max(f.hi, g.hi)
    (m, r, s), (n, t, u) = f.widened(lo, hi), g.widened(lo, hi)
    return EndlessWeights(
        lo, [a * b for a, b in zip(m, n, strict=True)], _product(r, t), _product(s, u)
    )


def product(factors: list[EndlessWeights]) -> EndlessWeights:
    """Return the product of several in a fixed order, so that common factors share work."""
    factors.sort(key=id)
    return reduce(times, factors)


@lru_cache(_KEPT)
def chance(part: EndlessWeights, *whole: EndlessWeights) -> Fraction:
    """Return the sum of weights divided by the product of the sums of others."""
    return part.total / math.prod(each.total for each in whole)


@lru_cache(_KEPT)
def moved(f: EndlessWeights, c: int) -> EndlessWeights:
    """Return z -> f(z + c)."""
    if not c or f is ANYWHERE:
        return f
    if f.whole is not None:
        return cut(moved(f.whole, c), plus(f.low, -c), plus(f.high, -c))
    return EndlessWeights(f.lo - c, f.mid, f.right, f.left)


@lru_cache(_KEPT)
def mirrored(f: EndlessWeights) -> EndlessWeights:
    """Return z -> f(-z)."""
    if f is ANYWHERE:
        return f
    if f.whole is not None:
        return cut(mirrored(f.whole), less(f.high), less(f.low))
    return EndlessWeights(-f.hi, f.mid[::-1], f.left, f.right)


@lru_cache(_KEPT)
def cut(f: EndlessWeights, low: End, high: End) -> EndlessWeights:
    """Return f from low to high, and 0 elsewhere."""
    if low is None and high is None:
        return f
    if f.whole is not None:
        return cut(f.whole, most(f.low, low), least(f.high, high))
    return f.part(low, high)


@lru_cache(_KEPT)
def from_on(f: EndlessWeights) -> EndlessWeights:
    """Return z -> the sum of f(y) over y >= z."""
    right = _running(f.right)
    ratios = [number.as_integer_ratio() for number in (_value(right, 1), *reversed(f.mid))]
    common = math.lcm(*{below for _, below in ratios})
    sums = accumulate(above * (common // below) for above, below in ratios)
    mid = [Fraction(total, common) for total in sums][1:]
    so_far = mid[-1]
    beyond = _running(f.left)
    left = _added({_ONE: (so_far + _value(beyond, 1),)}, _moved(beyond, 1), -1)
    return EndlessWeights(f.lo, mid[::-1], right, left)


@lru_cache(_KEPT)
def minus(f: EndlessWeights, g: EndlessWeights) -> EndlessWeights:
    """Return the difference."""
    lo, hi = min(f.lo, g.lo), max(f.hi, g.hi)
    (m, r, s), (n, t, u) = f.widened(lo, hi), g.widened(lo, hi)
    mid = [a - b for a, b in zip(m, n, strict=True)]
    return EndlessWeights(lo, mid, _added(r, t, -1), _added(s, u, -1))


@lru_cache(_KEPT)
def within(f: EndlessWeights, low: int | None, high: int | None) -> EndlessWeights:
    """Return y -> the sum of f(x) over x with ``low <= x - y <= high``."""
    if low is None and high is None:
        return EndlessWeights(0, [f.total], {_ONE: (f.total,)}, {_ONE: (f.total,)})
    if high is None:
        return moved(from_on(f), low or 0)
    if low is None:
        return mirrored(moved(from_on(mirrored(f)), -high))
    return minus(moved(from_on(f), low), moved(from_on(f), high + 1))


@lru_cache(_KEPT)
def in_cells(f: EndlessWeights, often: int) -> EndlessWeights:
    """Return k -> the sum of f from ``often k`` to ``often k + often - 1``."""
    lo, hi = f.lo // often, f.hi // often
    mass = from_on(f)

    def value(k: int) -> Fraction:
        return mass.at(often * k) - mass.at(often * k + often)

    def tail(at: Callable[[int], Fraction], of: Tail) -> Tail:
        return _fitted(at, {b**often: p for b, p in of.items()}, {})

    mid = [value(k) for k in range(lo, hi + 1)]
    right, left = tail(lambda d: value(hi + d), f.right), tail(lambda d: value(lo - d), f.left)
    return EndlessWeights(lo, mid, right, left)


@lru_cache(_KEPT)
def convolved(f: EndlessWeights, k: EndlessWeights) -> EndlessWeights:
    """Return z -> the sum of f(x) k(z - x) over x; f or k has a finite sum.

    Beyond the sum of the tables it is again a sum of exponentials with the bases of both. As many
    values as there are coefficients determine it there.
    """
    if (k.whole or k) is ANYWHERE:
        return within(f, less(k.high), less(k.low))
    lo, hi = f.lo + k.lo, f.hi + k.hi
    back = mirrored(k)

    def value(z: int) -> Fraction:
        return times(f, moved(back, -z)).total

    mid = [value(z) for z in range(lo, hi + 1)]
    right = _fitted(lambda d: value(hi + d), f.right, k.right)
    left = _fitted(lambda d: value(lo - d), f.left, k.left)
    return EndlessWeights(lo, mid, right, left)


def _fitted(value: Callable[[int], Fraction], first: Tail, second: Tail) -> Tail:
    """Return the tail with given values whose bases, and degrees at most, are those of two."""
    sizes = {b: len(first.get(b, ())) + len(second.get(b, ())) for b in {*first, *second}}
    unknown = [(b, k) for b, size in sizes.items() for k in range(size)]
    rows = [
        [*(b**d * d**k for b, k in unknown), value(d)] for d in range(1, len(unknown) + 1)
    ]  # fmt: skip
    for place in range(len(unknown)):
        pivot = next(i for i in range(place, len(rows)) if rows[i][place])
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [entry / rows[place][place] for entry in rows[place]]
        for i, row in enumerate(rows):
            if i != place and row[place]:
                rows[i] = [a - row[place] * b for a, b in zip(row, rows[place], strict=True)]
    found = {b: [_NONE] * size for b, size in sizes.items()}
    for (b, k), row in zip(unknown, rows, strict=True):
        found[b][k] = row[-1]
    return {b: tuple(p) for b, p in found.items()}
