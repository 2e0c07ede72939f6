"""Laws on two outcomes: which of them can be close to one common law, exactly.

A law on two outcomes is a number p, the probability of the second one. The q that are
(epsilon, delta)-close to p form an interval whose two ends both grow with p, so a q that is close
to p and to p' is close to all that lies between: the best set to cover is always a *window* of
consecutive p. What a window needs depends only on its smallest and its largest p.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arithmetic import Interval

_BITS = 128  # of a square root that is irrational
_NOTHING = Interval.exactly(1)  # the factor of equal laws


@dataclass(frozen=True, slots=True)
class Window:
    """The laws with low <= p <= high, and their total weight."""

    low: Fraction
    high: Fraction
    weight: Fraction


def needed_delta(low: Fraction, high: Fraction, factor: Fraction) -> Fraction:
    """Return the smallest delta at which one law is close to both ends of a window.

    Parameters
    ----------
    low, high
        The ends, probabilities with low <= high.
    factor
        e^epsilon.

    Notes
    -----
    With t = e^epsilon, q is close to p when it lies between the largest of (p - delta)/t and
    1 - delta - t(1 - p) and the smallest of t p + delta and 1 - (1 - p - delta)/t; the window is
    coverable when no lower end at ``high`` exceeds an upper end at ``low``. Each of the four
    comparisons is linear in delta.

    Examples
    --------
    >>> needed_delta(Fraction(0), Fraction(1), Fraction(3))
    Fraction(1, 2)
    """
    square = factor * factor
    return max(
        Fraction(0),
        (high - square * low) / (1 + factor),
        (1 - low - square * (1 - high)) / (1 + factor),
        (1 + high - low - factor) / 2,
        (1 - factor * (1 - high + low)) / 2,
    )


def needed_factor(low: Fraction, high: Fraction, delta: Fraction) -> Interval | None:
    """Enclose the smallest factor e^epsilon at which one law is close to both ends of a window.

    Parameters
    ----------
    low, high
        The ends, probabilities with low <= high.
    delta
        A probability.

    Returns
    -------
    Interval or None
        A point when the factor is rational; ``None`` when no factor is enough.

    Notes
    -----
    The comparisons of :func:`needed_delta`, solved for t; two are quadratic.

    Examples
    --------
    >>> needed_factor(Fraction(1, 5), Fraction(4, 5), Fraction(0))
    Interval(lower=Fraction(5, 2), upper=Fraction(5, 2))
    """
    both = 1 - high + low
    if both == 0 and 2 * delta < 1:
        return None
    roots = [Interval.exactly(max(Fraction(1), 1 + high - low - 2 * delta))]
    if both:
        roots.append(Interval.exactly((1 - 2 * delta) / both))
    for least, most in ((low, high), (1 - high, 1 - low)):
        root = _positive_root(least, delta, most - delta)
        if root is None:
            return None
        roots.append(root)
    return Interval(max(root.lower for root in roots), max(root.upper for root in roots))


def heaviest_window(
    points: Sequence[tuple[Fraction, Fraction]], factor: Fraction, delta: Fraction
) -> Window:
    """Return the heaviest window that one law covers.

    Parameters
    ----------
    points
        Pairs (p, weight), at least one, in increasing order of p.
    factor
        e^epsilon.
    delta
        A probability.

    Notes
    -----
    Linear time: as the upper end of the window moves up, its lower end does not move down.

    Examples
    --------
    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> heaviest_window([(Fraction(0), third), (half, third), (2 * third, third)],
    ...                 Fraction(2), Fraction(0))
    Window(low=Fraction(1, 2), high=Fraction(2, 3), weight=Fraction(2, 3))
    """
    closeness = _Closeness(factor, delta)
    whole, weights = _in_units(points)
    first, weight, most = 0, 0, 0
    for last, (high, _) in enumerate(points):
        weight += weights[last]
        while closeness.room(points[first][0], high) < 0:
            weight -= weights[first]
            first += 1
        if weight > most:
            most, ends = weight, (points[first][0], high)
    return Window(*ends, Fraction(most, whole))


def minimal_windows(
    points: Sequence[tuple[Fraction, Fraction]], target: Fraction
) -> Iterator[Window]:
    """Yield the windows that weigh enough, but not without their lower end.

    Parameters
    ----------
    points
        Pairs (p, weight), in increasing order of p.
    target
        The weight that is enough, positive and at most the total.

    Notes
    -----
    At most one window for each upper end, in linear time. A window needs no less than those inside
    it, so a cheapest one that weighs enough is among these.
    """
    whole, weights = _in_units(points)
    enough = math.ceil(target * whole)
    first, weight = 0, 0
    for last, (high, _) in enumerate(points):
        weight += weights[last]
        while weight - weights[first] >= enough:
            weight -= weights[first]
            first += 1
        if weight >= enough:
            yield Window(points[first][0], high, Fraction(weight, whole))


def least_delta(
    points: Sequence[tuple[Fraction, Fraction]], target: Fraction, factor: Fraction
) -> tuple[Fraction, Window]:
    """Return the smallest delta at which one law covers a target weight, and the window it covers.

    Parameters
    ----------
    points, target
        As for :func:`minimal_windows`.
    factor
        e^epsilon.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> least_delta([(Fraction(0), half), (half, half)], Fraction(1), Fraction(1))[0]
    Fraction(1, 4)
    """
    windows = _scattered(list(minimal_windows(points, target)))
    best = next(windows)
    least = needed_delta(best.low, best.high, factor)
    closeness = _Closeness(factor, least)
    for window in windows:
        if not least:
            break
        if closeness.room(window.low, window.high) > 0:
            best, least = window, needed_delta(window.low, window.high, factor)
            closeness = _Closeness(factor, least)
    return least, best


def least_factor(
    points: Sequence[tuple[Fraction, Fraction]], target: Fraction, delta: Fraction
) -> tuple[Interval, Window] | None:
    """Enclose the smallest factor at which one law covers a target weight, with its window.

    Parameters
    ----------
    points, target
        As for :func:`minimal_windows`.
    delta
        A probability.

    Returns
    -------
    (Interval, Window) or None
        The window is covered at the upper end; ``None`` when no factor is enough.
    """
    best: tuple[Interval, Window] | None = None
    closeness: _Closeness | None = None
    for window in _scattered(list(minimal_windows(points, target))):
        low, high = window.low, window.high
        if closeness is None or low == high or closeness.room(low, high) > 0:
            least = needed_factor(low, high, delta)
            if least is not None:
                best, closeness = (least, window), _Closeness(least.lower, delta)
                if least == _NOTHING:
                    break
    return best


def close_to(q: Fraction, factor: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Return the ends of the interval of probabilities that are close to a given one.

    Parameters
    ----------
    q
        A probability.
    factor, delta
        The parameters of closeness.

    Examples
    --------
    >>> close_to(Fraction(1, 2), Fraction(2), Fraction(0))
    (Fraction(1, 4), Fraction(3, 4))
    """
    least = max(Fraction(0), (q - delta) / factor, 1 - delta - factor * (1 - q))
    most = min(Fraction(1), factor * q + delta, 1 - (1 - q - delta) / factor)
    return least, most


def stabber(window: Window, factor: Fraction, delta: Fraction) -> Fraction:
    """Return a probability that is close to every one in a window that can be covered.

    Parameters
    ----------
    window
        One with ``needed_delta(low, high, factor) <= delta``.
    factor, delta
        The parameters of closeness.

    Returns
    -------
    Fraction
        The middle of those that will do.
    """
    least, _ = close_to(window.high, factor, delta)
    _, most = close_to(window.low, factor, delta)
    return (least + most) / 2


class _Closeness:
    """Whether one law is close to both ends of a window, decided in integers.

    These are the comparisons of :func:`needed_delta` with delta. Two of them bound high - low; the
    others are high <= t^2 low + (1 + t) delta, and the same for the other outcome.
    """

    def __init__(self, factor: Fraction, delta: Fraction) -> None:
        spread = min(factor - 1 + 2 * delta, 1 - (1 - 2 * delta) / factor)
        square, more = factor * factor, (1 + factor) * delta
        self._unit = math.lcm(spread.denominator, square.denominator, more.denominator)
        self._spread, self._square, self._more = (
            int(value * self._unit) for value in (spread, square, more)
        )

    def room(self, low: Fraction, high: Fraction) -> int:
        """Return a number: positive if all comparisons are strict, negative if one fails.

        A larger delta makes more room in each comparison, and so does a larger factor, unless
        low = high or 2 delta >= 1. But for these, a window that needs less has positive room.
        """
        a, b = low.as_integer_ratio()
        c, d = high.as_integer_ratio()
        left, right, whole = a * d, c * b, b * d
        more = self._more * whole
        return min(
            self._spread * whole - self._unit * (right - left),
            self._square * left + more - self._unit * right,
            self._square * (whole - right) + more - self._unit * (whole - left),
        )


def _positive_root(a: Fraction, b: Fraction, c: Fraction) -> Interval | None:
    """Enclose the least t >= 1 with a t^2 + b t >= c, for a, b >= 0; ``None`` if there is none."""
    if a + b >= c:
        return Interval.exactly(1)
    if a == 0:
        return Interval.exactly(c / b) if b else None
    return (square_root(b * b + 4 * a * c) - b) / (2 * a)


def square_root(value: Fraction) -> Interval:
    """Enclose the square root of a non-negative number: exactly when it is rational."""
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    root = Fraction(top, bottom)
    return Interval.exactly(root) if root * root == value else Interval.sqrt(value, _BITS)


def _in_units(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[int, list[int]]:
    """Return a common denominator of the weights, and the weights times it."""
    pairs = [weight.as_integer_ratio() for _, weight in points]
    whole = math.lcm(*{below for _, below in pairs})
    return whole, [above * (whole // below) for above, below in pairs]


def _scattered(windows: Sequence[Window]) -> Iterator[Window]:
    """Yield windows in an order in which a new minimum is rare, also if they improve slowly."""
    step = 1 + 5 * len(windows) // 8
    while math.gcd(step, len(windows)) > 1:
        step += 1
    return (windows[i * step % len(windows)] for i in range(len(windows)))
