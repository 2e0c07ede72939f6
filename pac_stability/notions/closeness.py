"""Closeness of two laws: how much their probabilities of an event can differ.

P and Q are (epsilon, delta)-close when P(E) <= e**epsilon Q(E) + delta for all events E, and the
same holds with P and Q exchanged (CLNRW16, Definition 6).

Writing t = e**epsilon, the smallest delta in one direction is the hockey-stick divergence: the sum
of P(y) - t Q(y) over the outcomes y where it is positive. Those outcomes are the event that attains
it. The smallest t for a delta is the largest (P(E) - delta) / Q(E); it is attained by the outcomes
whose likelihood ratio P(y) / Q(y) is above some level. Everything here takes time linear in the
number of outcomes, except that the functions that compute epsilon sort by likelihood ratio.

For laws that are known up to intervals, the answers are intervals. The divergence and the factor
grow with each P(y) and fall with each Q(y), so the values at opposite ends of the intervals are
bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import reduce
from typing import NamedTuple, TypeVar, cast, overload

from pac_stability import arguments
from pac_stability.arguments import as_probability
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.arithmetic.epsilon import delta_between, factor_between, factor_of
from pac_stability.data import EnclosedDistribution, FiniteDistribution, Law
from pac_stability.errors import InvalidInput
from pac_stability.notions.frontier import EnclosedFrontier, Frontier, frontier_of_measures

T = TypeVar("T")
N = TypeVar("N", bound=Fraction | Interval)


def minimal_delta(p: Law[T, N], q: Law[T, N], epsilon: Epsilon) -> N:
    """Return the smallest delta such that two laws are (epsilon, delta)-close.

    Parameters
    ----------
    p, q
        The two laws, in either order.
    epsilon
        The privacy parameter.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        The laws are not of one kind, or epsilon is not an ``Epsilon``.

    Notes
    -----
    Time linear in the number of outcomes. CLNRW16, Definition 6.

    Examples
    --------
    >>> p = FiniteDistribution({"a": Fraction(3, 4), "b": Fraction(1, 4)})
    >>> q = FiniteDistribution({"a": Fraction(1, 4), "b": Fraction(3, 4)})
    >>> minimal_delta(p, q, Epsilon.exactly(2))
    Fraction(1, 4)
    """
    t = factor_of(epsilon)
    there, back = _measures(p, q), _measures(q, p)
    return delta_between(
        p.between, [max(a.divergence(t), b.divergence(t)) for a, b in zip(there, back, strict=True)]
    )


def minimal_epsilon(p: Law[T, N], q: Law[T, N], delta: arguments.AnyNumber = 0) -> N | float:
    """Return the factor of the smallest epsilon such that two laws are (epsilon, delta)-close.

    Parameters
    ----------
    p, q
        The two laws, in either order.
    delta
        A probability.

    Returns
    -------
    Fraction, or Interval for enclosed laws, or math.inf
        The smallest e**epsilon, at least 1; infinity when no epsilon is enough.

    Raises
    ------
    InvalidInput
        The laws are not of one kind, or delta is not an exact probability.
    Undecided
        For enclosed laws: the intervals leave it open whether any epsilon is enough.

    Notes
    -----
    Time O(k log k) for k outcomes.

    Examples
    --------
    >>> p = FiniteDistribution({"a": Fraction(3, 4), "b": Fraction(1, 4)})
    >>> q = FiniteDistribution({"a": Fraction(1, 4), "b": Fraction(3, 4)})
    >>> minimal_epsilon(p, q), minimal_epsilon(p, q, "0.25")
    (Fraction(3, 1), Fraction(2, 1))
    >>> minimal_epsilon(p, FiniteDistribution.point_mass("a"))
    inf
    """
    d = as_probability(delta, "delta")
    there, back = _measures(p, q), _measures(q, p)
    return factor_between(
        p.between, [max(a.factor(d), b.factor(d)) for a, b in zip(there, back, strict=True)]
    )


def are_close(p: Law[T, N], q: Law[T, N], epsilon: Epsilon, delta: arguments.AnyNumber = 0) -> bool:
    """Return whether two laws are (epsilon, delta)-close.

    Parameters
    ----------
    p, q
        The two laws, in either order.
    epsilon
        The privacy parameter.
    delta
        A probability.

    Raises
    ------
    InvalidInput
        The laws are not of one kind, epsilon is not an ``Epsilon``, or delta is not an exact
        probability.
    Undecided
        For enclosed laws: the intervals do not settle the question.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    >>> are_close(p, q, Epsilon.exactly(2), "1/3"), are_close(p, q, Epsilon.exactly(2), "0.3")
    (True, False)
    """
    allowed = as_probability(delta, "delta")
    return minimal_delta(p, q, epsilon) <= allowed


def hockey_stick(p: Law[T, N], q: Law[T, N], epsilon: Epsilon) -> N:
    """Return the hockey-stick divergence: the largest P(E) - e**epsilon Q(E) over all events E.

    Parameters
    ----------
    p, q
        P and Q, in this order.
    epsilon
        The privacy parameter; :func:`hockey_stick_at` takes any factor.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        The laws are not of one kind, or epsilon is not an ``Epsilon``.

    Notes
    -----
    Time linear in the number of outcomes.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    >>> hockey_stick(p, q, Epsilon.exactly(2)), hockey_stick(q, p, Epsilon.exactly(2))
    (Fraction(0, 1), Fraction(1, 3))
    """
    t = factor_of(epsilon)
    return delta_between(p.between, [m.divergence(t) for m in _measures(p, q)])


def hockey_stick_at(p: Law[T, N], q: Law[T, N], ratio: arguments.AnyNumber) -> N:
    """Return the largest P(E) - t Q(E) over all events E, for any factor t.

    Parameters
    ----------
    p, q
        P and Q, in this order.
    ratio
        t, a non-negative exact number; below 1 there is no epsilon with this factor.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        The laws are not of one kind, or the factor is negative or not exact.

    Notes
    -----
    Time linear in the number of outcomes. With P and Q exchanged the value at t is t - 1 plus
    t times the value at 1/t.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    >>> hockey_stick_at(p, q, 0), hockey_stick_at(p, q, "1/2")
    (Fraction(1, 1), Fraction(2, 3))
    """
    t = arguments.as_number(ratio, "ratio")
    if t < 0:
        raise InvalidInput("ratio", arguments.in_words(t), "a non-negative number")
    return delta_between(p.between, [m.divergence(t) for m in _measures(p, q)])


def one_sided_epsilon(p: Law[T, N], q: Law[T, N], delta: arguments.AnyNumber = 0) -> N | float:
    """Return the smallest factor with P(E) <= e**epsilon Q(E) + delta for all events E.

    Parameters
    ----------
    p, q
        P and Q, in this order.
    delta
        A probability.

    Returns
    -------
    Fraction, or Interval for enclosed laws, or math.inf
        As :func:`minimal_epsilon`, which is the larger one of the two directions.

    Raises
    ------
    InvalidInput
        The laws are not of one kind, or delta is not an exact probability.
    Undecided
        For enclosed laws: the intervals leave it open whether any epsilon is enough.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    >>> one_sided_epsilon(p, q), one_sided_epsilon(q, p)
    (Fraction(3, 2), inf)
    """
    d = as_probability(delta, "delta")
    return factor_between(p.between, [m.factor(d) for m in _measures(p, q)])


def total_variation(p: Law[T, N], q: Law[T, N]) -> N:
    """Return the total variation distance: the largest P(E) - Q(E) over all events E.

    Parameters
    ----------
    p, q
        The two laws, in either order.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        The laws are not of one kind.

    Examples
    --------
    >>> total_variation(FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc"))
    Fraction(1, 3)
    """
    return delta_between(p.between, [m.divergence(Fraction(1)) for m in _measures(p, q)])


def largest_change(p: Law[T, N], q: Law[T, N]) -> N:
    """Return the largest difference of the probabilities of one outcome.

    Parameters
    ----------
    p, q
        The two laws, in either order.

    Returns
    -------
    Fraction, or Interval for enclosed laws

    Raises
    ------
    InvalidInput
        The laws are not of one kind.

    Examples
    --------
    >>> largest_change(FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("cdef"))
    Fraction(1, 2)
    """
    there, back = _measures(p, q), _measures(q, p)
    one = Fraction(1)
    changes = [max(*a.gaps(one), *b.gaps(one)) for a, b in zip(there, back, strict=True)]
    return p.between(changes)


def best_event(p: Law[T, N], q: Law[T, N], epsilon: Epsilon) -> tuple[T, ...]:
    """Return the event E with the largest P(E) - e**epsilon Q(E), the hockey-stick divergence.

    Parameters
    ----------
    p, q
        P and Q, in this order.
    epsilon
        The privacy parameter.

    Returns
    -------
    tuple of outcomes
        The smallest such event, in the order of P; empty when the divergence is 0.

    Raises
    ------
    InvalidInput
        The laws are not of one kind, or epsilon is not an ``Epsilon``.
    Undecided
        For enclosed laws: the intervals leave it open whether some outcome belongs to the event.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("bcd")
    >>> best_event(p, q, Epsilon.exactly(2))
    ('a',)
    """
    t = factor_of(epsilon)
    gaps = zip(*(m.gaps(t) for m in _measures(p, q)), strict=True)
    return tuple(y for y, gap in zip(p.support, gaps, strict=True) if p.between(gap) > 0)


def best_event_for_delta(
    p: Law[T, Fraction], q: Law[T, Fraction], delta: arguments.AnyNumber = 0
) -> tuple[T, ...]:
    """Return the event E with the largest (P(E) - delta) / Q(E): it attains the one-sided epsilon.

    Parameters
    ----------
    p, q
        P and Q, in this order.
    delta
        A probability.

    Returns
    -------
    tuple of outcomes
        An event with P(E) = t Q(E) + delta for the factor t > 1 of :func:`one_sided_epsilon`; one
        with Q(E) = 0 and P(E) > delta when that factor is infinite; empty when it is 1. In the
        order of P.

    Raises
    ------
    InvalidInput
        The laws are not of one kind, or delta is not an exact probability.

    Examples
    --------
    >>> p = FiniteDistribution({"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1, 6)})
    >>> q = FiniteDistribution.uniform("abc")
    >>> best_event_for_delta(p, q), best_event_for_delta(q, p, "0.1")
    (('a',), ('c',))
    """
    t = one_sided_epsilon(p, q, delta)
    if not isinstance(t, Fraction):
        return tuple(y for y in p.support if not q.probability(y))
    if t == 1:
        return ()
    return tuple(y for y, weight in p.items() if weight >= t * q.probability(y))


@overload
def frontier(p: Law[T, Fraction], q: Law[T, Fraction]) -> Frontier: ...
@overload
def frontier(p: Law[T, Interval], q: Law[T, Interval]) -> EnclosedFrontier: ...
def frontier(p: Law[T, N], q: Law[T, N]) -> Frontier | EnclosedFrontier:
    """Return :func:`minimal_delta` and :func:`minimal_epsilon` of two laws as a function.

    Parameters
    ----------
    p, q
        The two laws, in either order.

    Returns
    -------
    Frontier, or EnclosedFrontier for enclosed laws

    Raises
    ------
    InvalidInput
        The laws are not of one kind.

    Notes
    -----
    Time O(k log k) for k outcomes.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    >>> frontier(p, q).vertices
    ((Fraction(1, 1), Fraction(1, 3)),)
    """
    there, back = _measures(p, q), _measures(q, p)
    return _frontier(
        [
            frontier_of_measures([*a.events(), *b.events()], a.denominator)
            for a, b in zip(there, back, strict=True)
        ]
    )


@overload
def one_sided_frontier(p: Law[T, Fraction], q: Law[T, Fraction]) -> Frontier: ...
@overload
def one_sided_frontier(p: Law[T, Interval], q: Law[T, Interval]) -> EnclosedFrontier: ...
def one_sided_frontier(p: Law[T, N], q: Law[T, N]) -> Frontier | EnclosedFrontier:
    """Return :func:`hockey_stick` and :func:`one_sided_epsilon` of two laws as a function.

    Parameters
    ----------
    p, q
        P and Q, in this order.

    Returns
    -------
    Frontier, or EnclosedFrontier for enclosed laws

    Raises
    ------
    InvalidInput
        The laws are not of one kind.

    Examples
    --------
    >>> p, q = FiniteDistribution.uniform("ab"), FiniteDistribution.uniform("abc")
    >>> one_sided_frontier(p, q).vertices
    ((Fraction(1, 1), Fraction(1, 3)), (Fraction(3, 2), Fraction(0, 1)))
    """
    return _frontier([frontier_of_measures(m.events(), m.denominator) for m in _measures(p, q)])


class _Measures(NamedTuple):
    """Two measures on the outcomes that the first gives weight, as integers over one denominator.

    Their totals need not be one: bounds on enclosed laws are measures, too.
    """

    weights: list[tuple[int, int]]
    denominator: int

    def divergence(self, t: Fraction) -> Fraction:
        """Return the largest P(E) - t Q(E)."""
        top, bottom = t.numerator, t.denominator
        gaps = [bottom * a - top * b for a, b in self.weights if a > b or top < bottom]
        return Fraction(sum([gap for gap in gaps if gap > 0]), bottom * self.denominator)

    def gaps(self, t: Fraction) -> list[Fraction]:
        """Return P(y) - t Q(y) for each outcome."""
        top, bottom = t.numerator, t.denominator
        common = bottom * self.denominator
        return [Fraction(bottom * a - top * b, common) for a, b in self.weights]

    def factor(self, delta: Fraction) -> Fraction | float:
        """Return the least t >= 1 with a divergence of at most delta, or infinity."""
        scale = delta.denominator
        allowed = delta.numerator * self.denominator
        p = scale * sum(a for a, b in self.weights if not b)
        if p > allowed:
            return math.inf
        q = 0
        # Another outcome raises (p - allowed) / q as long as its own ratio is not below that.
        for a, b in _by_ratio(self.weights):
            if a * q < (p - allowed) * b:
                break
            p += scale * a
            q += scale * b
        return max(Fraction(1), Fraction(p - allowed, q)) if q else Fraction(1)

    def events(self) -> Iterator[tuple[int, int]]:
        """Yield P(E) and Q(E), as integers, for the outcomes of ratios above each level >= 1."""
        p, q = sum(a for a, b in self.weights if not b), 0
        yield p, q
        for a, b in _by_ratio(self.weights):
            if a <= b:
                break
            p += a
            q += b
            yield p, q


def _by_ratio(weights: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs (a, b) with b > 0, those of the largest a / b first."""
    finite = [(a, b) for a, b in weights if b]
    # Different ratios are at least 1/(b b') apart, so they differ after this shift and rounding.
    shift = 2 * max((b for _, b in finite), default=0).bit_length()
    return sorted(finite, key=lambda pair: (pair[0] << shift) // pair[1], reverse=True)


def _measures(p: Law[T, N], q: Law[T, N]) -> tuple[_Measures, ...]:
    """Return two exact laws as measures; or measures below and above, for enclosed laws.

    The denominator is the same for (p, q) and for (q, p).
    """
    if isinstance(p, FiniteDistribution) and isinstance(q, FiniteDistribution):
        common = math.lcm(p.denominator, q.denominator)
        p_scale, q_scale = common // p.denominator, common // q.denominator
        other = q.numerators
        weights = [(a * p_scale, other.get(y, 0) * q_scale) for y, a in p.numerators.items()]
        return (_Measures(weights, common),)
    if isinstance(p, EnclosedDistribution) and isinstance(q, EnclosedDistribution):
        ends = [end for law in (p, q) for _, x in law.items() for end in (x.lower, x.upper)]
        common = math.lcm(*{end.denominator for end in ends})
        pairs = [(a, q.probability(y)) for y, a in p.items()]
        return (
            _integers([(a.lower, b.upper) for a, b in pairs], common),
            _integers([(a.upper, b.lower) for a, b in pairs], common),
        )
    wanted = "two FiniteDistributions or two EnclosedDistributions"
    raise InvalidInput("q", f"laws of the types {type(p).__name__} and {type(q).__name__}", wanted)


def _integers(pairs: list[tuple[Fraction, Fraction]], common: int) -> _Measures:
    weights = [
        (a.numerator * (common // a.denominator), b.numerator * (common // b.denominator))
        for a, b in pairs
    ]
    return _Measures(weights, common)


def _frontier(bounds: list[Frontier]) -> Frontier | EnclosedFrontier:
    return bounds[0] if len(bounds) == 1 else EnclosedFrontier(*bounds)


# Suprema over pairs of samples, exact or enclosed; what is said of all pairs is said of some

V = TypeVar("V")
S = TypeVar("S")
P = TypeVar("P")
L = TypeVar("L")
Value = TypeVar("Value", bound=Fraction | Interval | float)


def nonempty(values: Iterable[V], argument: str) -> Iterator[V]:
    """Yield the values, one at a time; raise :class:`InvalidInput` at the end if there was none."""
    examined = False
    for value in values:
        examined = True
        yield value
    if not examined:
        raise InvalidInput(argument, "none", "at least one: nothing would be examined")


def predicted(
    law: Callable[[S, P], L], pairs: Iterable[tuple[S, S]], points: Iterable[P]
) -> Iterator[tuple[L, L]]:
    """Yield the two laws of the label of each point for each pair of samples, at least one."""
    everywhere = tuple(nonempty(points, "points"))
    for sample, neighbour in nonempty(pairs, "pairs"):
        for x in everywhere:
            yield law(sample, x), law(neighbour, x)


def largest(values: Iterable[Value]) -> Value:
    """Return the largest of rationals, intervals or infinities; an interval if there is any."""
    numbers: Iterable[Fraction | Interval | float] = values
    return cast("Value", reduce(_larger, numbers))


def _larger(
    one: Fraction | Interval | float, other: Fraction | Interval | float
) -> Fraction | Interval | float:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return max(one, other)
    if isinstance(one, float) or isinstance(other, float):
        return math.inf  # no other float is one of these numbers
    a, b = (x if isinstance(x, Interval) else Interval.exactly(x) for x in (one, other))
    return Interval(max(a.lower, b.lower), max(a.upper, b.upper))
