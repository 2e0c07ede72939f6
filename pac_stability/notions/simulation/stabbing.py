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
    best: Window | None = None
    first, weight = 0, Fraction(0)
    for high, own in points:
        weight += own
        while needed_delta(points[first][0], high, factor) > delta:
            weight -= points[first][1]
            first += 1
        if best is None or weight > best.weight:
            best = Window(points[first][0], high, weight)
    assert best is not None  # noqa: S101  # there is a point
    return best


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
    first, weight = 0, Fraction(0)
    for high, own in points:
        weight += own
        while weight - points[first][1] >= target:
            weight -= points[first][1]
            first += 1
        if weight >= target:
            yield Window(points[first][0], high, weight)


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
    return min(
        ((needed_delta(w.low, w.high, factor), w) for w in minimal_windows(points, target)),
        key=lambda found: found[0],
    )


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
    windows = list(minimal_windows(points, target))
    factors = [needed_factor(w.low, w.high, delta) for w in windows]
    possible = [(f, w) for f, w in zip(factors, windows, strict=True) if f is not None]
    if not possible:
        return None
    least, window = min(possible, key=lambda found: found[0].upper)
    return Interval(min(f.lower for f, _ in possible), least.upper), window


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
    low, high = window.low, window.high
    least = max(Fraction(0), (high - delta) / factor, 1 - delta - factor * (1 - high))
    most = min(Fraction(1), factor * low + delta, 1 - (1 - low - delta) / factor)
    return (least + most) / 2


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
