"""Least integers above real formulas, decided by certified intervals, and least fixed points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar

from pac_stability.arithmetic import Interval, floor_log2
from pac_stability.papers.dagan_feldman.excess import exponential_excess

R = TypeVar("R", float, Interval)
Division = TypeVar("Division")

_MOST_BITS = 1024
_SIEVE = 1e-9  # far above the rounding errors of a float formula


class Reals(Protocol[R]):
    """Real numbers, as floats that guide a search or as intervals that decide it."""

    def exactly(self, value: int | Fraction) -> R:
        """Return a rational number."""
        ...

    def log(self, value: int | Fraction) -> R:
        """Return a natural logarithm."""
        ...

    def sqrt(self, value: R) -> R:
        """Return a square root."""
        ...

    def lambert(self, candidates: int) -> R:
        """Return ``W((N - 1)/e)``, for Lambert's function W and N candidates."""
        ...


class Formula(Protocol):
    """A real number that can be computed either way."""

    def __call__(self, real: Reals[R], /) -> R:
        """Return the number."""
        ...


Ceiling: TypeAlias = Callable[[Formula], int]
"""Round a formula up."""


class _Floats:
    def exactly(self, value: int | Fraction) -> float:
        return float(value)

    def log(self, value: int | Fraction) -> float:
        if isinstance(value, int):
            return math.log(value)
        if 2 * abs(value - 1) < 1:
            return math.log1p(float(value - 1))
        return math.log(value.numerator) - math.log(value.denominator)

    def sqrt(self, value: float) -> float:
        return math.sqrt(value)

    def lambert(self, candidates: int) -> float:
        if candidates == 1:
            return 0.0
        right = math.log(candidates - 1) - 1  # w + ln w
        w = right - math.log(right) if right > 1 else 0.5
        for _ in range(50):
            step = w * (1 + right - math.log(w)) / (1 + w)
            if abs(step - w) <= 1e-15 * w:
                break
            w = step
        return w


class _Intervals:
    def __init__(self, bits: int) -> None:
        self.bits = bits

    def exactly(self, value: int | Fraction) -> Interval:
        return Interval.exactly(value)

    def log(self, value: int | Fraction) -> Interval:
        return Interval.log(value, self.bits)

    def sqrt(self, value: Interval) -> Interval:
        return Interval.sqrt(value, self.bits)

    def lambert(self, candidates: int) -> Interval:
        # In errors when one of them halves the weight.
        return exponential_excess(candidates, Fraction(1, 2), self.bits) * self.log(2)


_FLOATS = _Floats()


def float_ceiling(formula: Formula) -> int:
    """Round a formula up, computed in floats: to guide a search."""
    return math.ceil(formula(_FLOATS))


def certified_ceiling(formula: Formula) -> int:
    """Return the least integer that is at least the formula.

    If 1024 bits do not tell the number from an integer, the next one above that integer is
    returned: it is never too small.
    """
    bits = 96
    while True:
        number = formula(_Intervals(bits))
        low, high = math.ceil(number.lower), math.ceil(number.upper)
        if low == high or bits >= _MOST_BITS:
            return high
        bits *= 2


Conditions: TypeAlias = Callable[[Division, int, Ceiling], Iterable[tuple[str, int]]]
"""What a sample of n examples asks of n: names and sizes, none decreasing in n."""


def least_fixed_point(
    conditions: Conditions[Division],
    split: Division,
    *,
    start: int = 1,
    ceiling: Ceiling = certified_ceiling,
    limit: float = math.inf,
) -> int | None:
    """Return the least n that satisfies its own conditions, or ``None`` when beyond the limit.

    The sizes asked for do not decrease in n. So the iteration from below arrives at the least n
    that is at least all of them (Knaster and Tarski), and conditions that ask for less at every n
    have a least n that is not larger: this is why sizes are monotone in every parameter. (The set
    of *all* such n need not be an interval, because of rounding; bisection could miss its least.)
    """
    n = start
    while True:
        needed = n
        for _, size in conditions(split, n, ceiling):
            if size > limit:
                return None
            needed = max(needed, size)
        if needed == n:
            return n
        n = needed


def fixed_point(
    conditions: Conditions[Division],
    split: Division,
    start: int = 1,
    ceiling: Ceiling = certified_ceiling,
) -> int:
    """Return the least fixed point without a limit."""
    n = least_fixed_point(conditions, split, start=start, ceiling=ceiling)
    assert n is not None  # noqa: S101  # there was no limit
    return n


def best_split(
    conditions: Conditions[Division],
    splits: Sequence[Division],
    relaxed: Division,
    outline: Conditions[Division] | None = None,
) -> tuple[int, Division]:
    """Return the least certified n over a fixed list of splits, and a split that attains it.

    ``relaxed`` asks for at most what any of the splits asks for, and ``outline`` for at most what
    the conditions ask for, in less time. Floats find the splits that can be best, up to a relative
    error far above theirs; intervals decide among them.
    """
    quick = outline or conditions
    start = fixed_point(quick, relaxed, 1, float_ceiling)
    start = max(1, _lowered(start))

    def first_step(split: Division) -> int:
        return max(size for _, size in quick(split, start, float_ceiling))

    best, found = math.inf, dict[int, int]()
    for asked, place in sorted((first_step(split), place) for place, split in enumerate(splits)):
        if asked > best * (1 + _SIEVE):
            break
        n = least_fixed_point(
            conditions, splits[place], start=start, ceiling=float_ceiling, limit=best * (1 + _SIEVE)
        )
        if n is not None:
            found[place] = n
            best = min(best, n)
    least, place = min(
        (
            fixed_point(
                conditions, splits[place], max(1, _lowered(found[place])), certified_ceiling
            ),
            place,
        )
        for place in nearly_least(found)
    )
    return least, splits[place]


def solved(
    conditions: Conditions[Division],
    splits: Sequence[Division],
    relaxed: Division | None = None,
    outline: Conditions[Division] | None = None,
) -> tuple[int, Division, str]:
    """Return the least certified n over the splits, one that attains it, and what binds.

    Where there is one split there is nothing to search; else as :func:`best_split`.
    """
    if relaxed is None:
        (split,) = splits
        n = fixed_point(conditions, split)
    else:
        n, split = best_split(conditions, splits, relaxed, outline)
    return n, split, binding_condition(conditions(split, n, certified_ceiling))


def nearly_least(guesses: Mapping[int, int]) -> list[int]:
    """Return the keys whose sizes, computed in floats, can be the least ones."""
    best = min(guesses.values())
    return sorted(key for key, size in guesses.items() if size <= best * (1 + _SIEVE))


def _lowered(n: int) -> int:
    return n - 1 - int(n * _SIEVE / 1000)


def binding_condition(conditions: Iterable[tuple[str, int]]) -> str:
    """Return the name of the condition that asks for most; the first of equals."""
    return max(conditions, key=lambda condition: condition[1])[0]


def rounded_up_decay(decay: Fraction) -> Fraction:
    """Return a short dyadic decay that is at least the given one, below 1, and not above by much.

    Both the decay and its distance to 1 are met up to a relative error of ``2**-16``, as
    :func:`~pac_stability.mechanisms.decay_for` does, which returns this decay for the epsilon that
    it spends. The result does not decrease in the argument.
    """
    fine = 16 + max(-floor_log2(decay), -floor_log2(1 - decay))
    return Fraction(math.ceil(decay * (1 << fine)), 1 << fine)


def shares(*, finest: int, parts: int) -> Iterator[Fraction]:
    """Yield fractions of a budget: multiples of 1/parts, and powers of 1/2 near both ends."""
    steps = {Fraction(part, parts) for part in range(1, parts)}
    ends = {Fraction(1, 1 << power) for power in range(1, finest + 1)}
    yield from sorted(steps | ends | {1 - end for end in ends})
