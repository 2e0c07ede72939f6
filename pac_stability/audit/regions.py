"""An event to test, learned from runs whose outcomes hardly ever repeat: a region of numbers.

If outcomes repeat, an event is a set of them. Continuous ones do not: each occurs once, so a set of
outcomes from the learning runs never occurs again. So this module looks for regions: half-lines of
an outcome's numbers, values of its labels, and intersections of these. The choice of a region is
only a rule of thumb. Other runs test it, so a worse region makes the bound weaker, never wrong.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Mask: TypeAlias = npt.NDArray[np.bool_]
Score: TypeAlias = Callable[[int, int], float]
"""How good an event looks, given how often it came on either input; 0 or less if it is useless."""

_STEPS = 33
_LABELS = 12
_MOST = 5


@dataclass(frozen=True, slots=True)
class Part:
    """One condition on an outcome: a coordinate is at least, at most, or equal to a value.

    Attributes
    ----------
    place
        Of the coordinate; ``None`` for an outcome that is not a tuple.
    relation
        ``>=``, ``<=`` or ``==``.
    value
        The value to compare with.
    """

    place: int | None
    relation: str
    value: object

    def __call__(self, outcome: object) -> bool:
        """Return whether an outcome meets the condition."""
        values = dict(_coordinates(outcome))
        if self.place not in values:
            return False
        found = values[self.place]
        if self.relation == "==":
            return type(found) is type(self.value) and found == self.value
        number, bound = _number(found), _number(self.value)
        return number >= bound if self.relation == ">=" else number <= bound  # of NaN neither

    def __str__(self) -> str:
        named = "outcome" if self.place is None else f"outcome[{self.place}]"
        shown = f"{self.value:.6g}" if isinstance(self.value, float) else repr(self.value)
        return f"{named} {self.relation} {shown}"


@dataclass(frozen=True, slots=True)
class Region:
    """The outcomes that meet all of some conditions."""

    parts: tuple[Part, ...]

    def __call__(self, outcome: object) -> bool:
        """Return whether an outcome lies in it."""
        return all(part(outcome) for part in self.parts)

    def __str__(self) -> str:
        return " and ".join(map(str, self.parts))


def hardly_repeats(one: Counter[object], other: Counter[object]) -> bool:
    """Return whether outcomes hardly repeat, so that a set of them makes a weak event."""
    return 4 * (len(one) + len(other)) > one.total() + other.total()


def learned_region(one: Counter[object], other: Counter[object], score: Score) -> Region | None:
    """Return a region that is frequent on one input and rare on the other; ``None`` if none is.

    Parameters
    ----------
    one, other
        The outcomes of the learning runs.
    score
        What is made large.

    Notes
    -----
    It is greedy: it takes the best condition, then the one that improves it most, and so on up to
    five. Each step tries 33 quantiles of each coordinate, in time O(runs) for each.

    Examples
    --------
    >>> here, there = Counter(k / 7 for k in range(99)), Counter(k / 7 - 7 for k in range(99))
    >>> print(learned_region(here, there, lambda mine, theirs: mine - 3 * theirs))
    outcome >= 7
    """
    outcomes = [*one.elements(), *other.elements()]
    first = np.arange(len(outcomes)) < one.total()
    candidates = list(_candidates(outcomes))
    chosen: tuple[Part, ...] = ()
    inside, best = np.ones(len(outcomes), dtype=np.bool_), 0.0
    while len(chosen) < _MOST:
        found: tuple[float, Part, Mask] | None = None
        for part, mask in candidates:
            both = inside & mask
            mine = int((both & first).sum())
            value = score(mine, int(both.sum()) - mine)
            if value > best and (found is None or value > found[0]):
                found = value, part, both
        if found is None:
            break
        best, part, inside = found
        chosen = (*chosen, part)
    return Region(chosen) if chosen else None


def _candidates(outcomes: Sequence[object]) -> Iterator[tuple[Part, Mask]]:
    """Yield conditions, and which outcomes meet each."""
    rows = [dict(_coordinates(outcome)) for outcome in outcomes]
    places = dict.fromkeys(place for row in rows for place in row)
    for place in places:
        column = [row.get(place, _ABSENT) for row in rows]
        numbers = np.array([_number(x) for x in column])
        known = numbers[~np.isnan(numbers)]
        if len(known):
            steps = np.quantile(known, np.linspace(0, 1, _STEPS), method="nearest")
            for step in dict.fromkeys(steps.tolist()):
                yield Part(place, ">=", step), numbers >= step
                yield Part(place, "<=", step), numbers <= step
        common = Counter(x for x in column if x is not _ABSENT).most_common(_LABELS)
        for value, times in common:
            if times > 1:
                same = [type(x) is type(value) and x == value for x in column]
                yield Part(place, "==", value), np.array(same, dtype=np.bool_)


_ABSENT = object()


def _coordinates(outcome: object) -> Iterator[tuple[int | None, object]]:
    """Yield the places and values of a tuple; any other outcome is one value."""
    if isinstance(outcome, tuple):
        yield from enumerate(outcome)
    else:
        yield None, outcome


def _number(value: object) -> float:
    """Return a number as a float; NaN for a truth value, and all that is none."""
    if isinstance(value, bool) or not isinstance(
        value, int | float | Fraction | np.integer | np.floating
    ):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
