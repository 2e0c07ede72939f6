"""The frontier of a pair of laws: the smallest delta as a function of epsilon, as an object.

Among all events E, the largest P(E) - t Q(E) is a maximum of lines in t = e**epsilon, one for each
event: a convex, piecewise linear function. The object stores the events that attain it, that is,
the corners (P(E), Q(E)) of the concave hull of all events (the receiver operating characteristic of
the test of P against Q). A maximum of frontiers is then the hull of all their corners.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from operator import neg
from typing import TypeAlias, TypeVar

from pac_stability import arguments
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import delta_between, factor_between, factor_of
from pac_stability.data import EnclosedDistribution
from pac_stability.errors import InvalidInput

P = TypeVar("P")

Weight = TypeVar("Weight", int, Fraction)

Corner: TypeAlias = tuple[Fraction, Fraction]
"""The probabilities P(E) and Q(E) of an event."""

_ORIGIN: Corner = (Fraction(0), Fraction(0))


class Frontier:
    """The smallest delta for each epsilon, and the smallest epsilon for each delta. Immutable.

    A function of the factor t = e**epsilon >= 1: the largest P(E) - t Q(E) over some events E, but
    at least 0. It is convex, piecewise linear and non-increasing. Two frontiers are equal when they
    are the same function.

    Parameters
    ----------
    events
        Pairs (P(E), Q(E)) of probabilities, in any order; those that never attain the maximum are
        dropped. :func:`pac_stability.notions.closeness.frontier` finds those of two laws.

    Raises
    ------
    InvalidInput
        A number is not a probability, or not exact.

    Notes
    -----
    Time O(k log k) to build from k events, then O(log k) to evaluate and O(k) to invert.

    Examples
    --------
    Randomised response with the true answer in three cases of four:

    >>> truth = Frontier([(Fraction(3, 4), Fraction(1, 4))])
    >>> truth.minimal_delta(Epsilon.exactly(2)), truth.minimal_epsilon(Fraction(1, 4))
    (Fraction(1, 4), Fraction(2, 1))
    >>> truth.vertices
    ((Fraction(1, 1), Fraction(1, 2)), (Fraction(3, 1), Fraction(0, 1)))
    """

    _corners: tuple[Corner, ...]

    def __init__(
        self, events: Iterable[tuple[arguments.ExactNumber, arguments.ExactNumber]]
    ) -> None:
        exact = [
            (arguments.as_fraction(p, "events"), arguments.as_fraction(q, "events"))
            for p, q in events
        ]
        for value in (value for event in exact for value in event):
            if not 0 <= value <= 1:
                raise InvalidInput("events", arguments.in_words(value), "probabilities")
        self._corners = _hull([_ORIGIN, *exact])

    @staticmethod
    def maximum(frontiers: Iterable[Frontier]) -> Frontier:
        """Return the pointwise maximum: the frontier of a mechanism, from those of its neighbours.

        Parameters
        ----------
        frontiers
            At least one, read one at a time.

        Raises
        ------
        InvalidInput
            There is none.

        Examples
        --------
        >>> rare = Frontier([(Fraction(1, 10), 0)])
        >>> often = Frontier([(Fraction(3, 4), Fraction(1, 4))])
        >>> Frontier.maximum([rare, often]).vertices[1]
        (Fraction(13, 5), Fraction(1, 10))
        """
        rest = iter(frontiers)
        first = next(rest, None)
        if first is None:
            raise InvalidInput("frontiers", "none", "at least one frontier")
        corners = first._corners
        for frontier in rest:
            if frontier._corners != corners:
                corners = _hull([*corners, *frontier._corners])
        return _of_corners(corners)

    @property
    def corners(self) -> tuple[Corner, ...]:
        """The pairs (P(E), Q(E)) of the events that attain the maximum, Q(E) increasing from 0.

        The segments between them fall in slope and are steeper than 1; the slopes are the factors
        at which the function bends.
        """
        return self._corners

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """The factors t > 1 at which the function bends, increasing: likelihood ratios."""
        return tuple(reversed(self._slopes))

    @property
    def vertices(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The pairs (t, delta) at t = 1 and where the function bends; constant after the last."""
        # Where the function bends, both ends of the segment attain it; at 1 the last corner does.
        factors = (*self._slopes, Fraction(1))
        falling = [(t, p - t * q) for t, (p, q) in zip(factors, self._corners, strict=True)]
        return tuple(reversed(falling))

    @cached_property
    def _slopes(self) -> tuple[Fraction, ...]:
        """The slopes of the segments between the corners, decreasing."""
        return tuple((p2 - p1) / (q2 - q1) for (p1, q1), (p2, q2) in pairwise(self._corners))

    def minimal_delta(self, epsilon: Epsilon) -> Fraction:
        """Return the smallest delta for an epsilon: the value of the function.

        Parameters
        ----------
        epsilon
            Its factor is t.

        Raises
        ------
        InvalidInput
            epsilon is not an ``Epsilon``.
        """
        t = factor_of(epsilon)
        # The best event takes the segments that are steeper than t.
        p, q = self._corners[bisect_right(self._slopes, -t, key=neg)]
        return p - t * q

    def minimal_epsilon(self, delta: arguments.AnyNumber = 0) -> Fraction | float:
        """Return the factor of the smallest epsilon for a delta, or infinity.

        Parameters
        ----------
        delta
            A probability.

        Returns
        -------
        Fraction or math.inf
            The smallest t >= 1 with a value of at most delta.

        Raises
        ------
        InvalidInput
            delta is not an exact probability.
        """
        allowed = arguments.as_probability(delta, "delta")
        (singular, _), *others = self._corners
        if singular > allowed:
            return math.inf
        return max((Fraction(1), *((p - allowed) / q for p, q in others)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frontier):
            return NotImplemented
        return self._corners == other._corners

    def __hash__(self) -> int:
        return hash((Frontier, self._corners))

    def __repr__(self) -> str:
        corners = ", ".join(f"({p}, {q})" for p, q in self._corners)
        return f"Frontier([{corners}])"


@dataclass(frozen=True, slots=True)
class EnclosedFrontier:
    """The frontier of two laws that are known up to intervals.

    Attributes
    ----------
    lower, upper
        Frontiers below and above; the upper one may exceed 1 because the intervals are not points.
    """

    lower: Frontier
    upper: Frontier

    @staticmethod
    def maximum(frontiers: Iterable[EnclosedFrontier]) -> EnclosedFrontier:
        """Return the pointwise maximum; raises like :meth:`Frontier.maximum`."""
        kept = tuple(frontiers)
        return EnclosedFrontier(
            Frontier.maximum(frontier.lower for frontier in kept),
            Frontier.maximum(frontier.upper for frontier in kept),
        )

    def minimal_delta(self, epsilon: Epsilon) -> Interval:
        """Enclose the smallest delta for an epsilon."""
        bounds = [bound.minimal_delta(epsilon) for bound in (self.lower, self.upper)]
        return delta_between(EnclosedDistribution.between, bounds)

    def minimal_epsilon(self, delta: arguments.AnyNumber = 0) -> Interval | float:
        """Enclose the factor of the smallest epsilon for a delta, or return infinity.

        Raises
        ------
        Undecided
            It is open whether any epsilon is enough.
        """
        bounds = [bound.minimal_epsilon(delta) for bound in (self.lower, self.upper)]
        return factor_between(EnclosedDistribution.between, bounds)


def frontier_of_measures(events: Iterable[tuple[int, int]], denominator: int) -> Frontier:
    """Return the frontier of measures of events, given as integers; they may be more than 1."""
    return _of_corners(
        tuple(
            (Fraction(p, denominator), Fraction(q, denominator))
            for p, q in _hull([(0, 0), *events])
        )
    )


def _of_corners(corners: tuple[Corner, ...]) -> Frontier:
    frontier: Frontier = Frontier.__new__(Frontier)
    frontier._corners = corners
    return frontier


def _hull(events: Iterable[tuple[Weight, Weight]]) -> tuple[tuple[Weight, Weight], ...]:
    """Return the corners of the concave hull of the events, where it is steeper than 1.

    Andrew's monotone chain, from left to right. What follows a less steep segment never attains the
    maximum, because the factor is at least 1.
    """
    corners: list[tuple[Weight, Weight]] = []
    for p, q in sorted(set(events), key=lambda event: (event[1], -event[0])):
        if corners and p - corners[-1][0] <= q - corners[-1][1]:
            continue
        while len(corners) > 1 and _below(corners[-2], corners[-1], (p, q)):
            corners.pop()
        corners.append((p, q))
    return tuple(corners)


def _below(
    first: tuple[Weight, Weight], middle: tuple[Weight, Weight], last: tuple[Weight, Weight]
) -> bool:
    """Return whether the middle event is on or below the segment between the others."""
    rise, run = last[0] - first[0], last[1] - first[1]
    return (middle[0] - first[0]) * run <= rise * (middle[1] - first[1])
