"""How close one simulator can be to several laws at once, exactly.

A simulator *covers* a set of laws when it is (epsilon, delta)-close to each. Two questions have
exact answers: at delta = 0, how large e^epsilon must be (:class:`SimulatorBox`), and for a given
epsilon, how large delta must be (:class:`Polytope`). Both objects grow by one law at a time; the
second by small linear programs that are solved exactly while their constraints are being found. Two
laws may be in conflict, and the events bound which sets can be covered at all
(:func:`projections`).

Laws on two outcomes come first. Such a law is a number p, the probability of the second outcome.
The q that are (epsilon, delta)-close to p form an interval whose two ends both grow with p, so a q
that is close to p and to p' is close to all that lies between: the best set to cover is always a
*window* of consecutive p. The cost of a window depends only on its smallest and its largest p.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, count
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from pac_stability.arguments import as_fraction, in_words
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import by_type, closeness

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
    At most one window for each upper end, in linear time. A window costs at least as much as those
    inside it, so a cheapest one that weighs enough is among these.
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
    least, most, unit = ends_close_to(*q.as_integer_ratio(), factor, delta)
    return Fraction(least, unit), Fraction(most, unit)


def ends_close_to(k: int, whole: int, factor: Fraction, delta: Fraction) -> tuple[int, int, int]:
    """Return :func:`close_to` for the probability k / whole, as two integers and their unit."""
    (a, b), (c, d) = factor.as_integer_ratio(), delta.as_integer_ratio()
    given, rest, slack = k * d, (whole - k) * d, c * whole  # over whole * d
    unit = whole * a * b * d
    least = max(0, b * b * (given - slack), unit - a * (b * slack + a * rest))
    most = min(unit, a * (a * given + b * slack), unit - b * b * (rest - slack))
    return least, most, unit


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
        The middle of the valid ones.
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
    step = next(s for s in count(1 + 5 * len(windows) // 8) if math.gcd(s, len(windows)) <= 1)
    return (windows[i * step % len(windows)] for i in range(len(windows)))


# Linear programs


class LinearProgram:
    """Minimise c.x over x >= 0 subject to inequalities a.x >= b, which are added one at a time.

    Parameters
    ----------
    costs
        c, non-negative exact numbers: with these, x = 0 is optimal until a constraint forbids it,
        and the dual simplex method goes on from the last optimum after each addition.

    Raises
    ------
    InvalidInput
        A cost is negative or not exact.

    Notes
    -----
    Integer arithmetic throughout; Bland's rule, so that it ends. Each pivot costs
    O(variables * constraints) multiplications: meant for tens of each.

    Examples
    --------
    >>> program = LinearProgram([2, 3])
    >>> program.require([1, 1], 4)
    >>> program.require([-1, 0], -3)
    >>> program.solve(), program.point(), program.value
    (True, (Fraction(3, 1), Fraction(1, 1)), Fraction(9, 1))
    >>> program.require([0, -1], 0)
    >>> program.solve()
    False
    """

    # A dictionary in the sense of the simplex method: variables 0..k-1 are x, the others slacks.
    # Each row says den * basic = const + sum of coef * free, and is stored as [den, const, *coefs].

    def __init__(self, costs: Sequence[Fraction | int]) -> None:
        exact = [as_fraction(cost, "costs") for cost in costs]
        for cost in exact:
            if cost < 0:
                raise InvalidInput("costs", in_words(cost), "non-negative costs")
        self._free = list(range(len(exact)))
        self._basic: list[int] = []
        self._rows: list[list[int]] = []
        self._objective = _integers([Fraction(0), *exact])
        self._size = len(exact)

    def copy(self) -> LinearProgram:
        """Return an independent copy."""
        other = LinearProgram.__new__(LinearProgram)
        other._free = self._free.copy()
        other._basic = self._basic.copy()
        other._rows = self._rows.copy()  # rows are replaced, never changed
        other._objective = self._objective
        other._size = self._size
        return other

    def require(self, coefficients: Sequence[Fraction | int], bound: Fraction | int) -> None:
        """Add the constraint a.x >= b.

        Parameters
        ----------
        coefficients
            a, one exact number for each variable.
        bound
            b.

        Raises
        ------
        InvalidInput
            There are more or fewer coefficients than variables, or a number is not exact.
        """
        if len(coefficients) != self._size:
            raise InvalidInput(
                "coefficients", f"{len(coefficients)} of them", f"{self._size}, one per variable"
            )
        exact = [as_fraction(a, "coefficients") for a in coefficients]
        place = {variable: index for index, variable in enumerate(self._free)}
        rows = dict(zip(self._basic, self._rows, strict=True))
        slack = [-as_fraction(bound, "bound")] + [Fraction(0)] * self._size
        for variable, a in enumerate(exact):
            if not a:
                continue
            if variable in place:
                slack[1 + place[variable]] += a
            else:
                denominator, *values = rows[variable]
                for index, value in enumerate(values):
                    slack[index] += a * Fraction(value, denominator)
        self._basic.append(self._size + len(self._rows))
        self._rows.append(_integers(slack))

    def solve(self) -> bool:
        """Go to the optimum; return whether there is a feasible point at all."""
        while True:
            violated = [i for i, row in enumerate(self._rows) if row[1] < 0]
            if not violated:
                return True
            leaving = min(violated, key=self._basic.__getitem__)
            entering = self._entering(self._rows[leaving])
            if entering is None:
                return False
            self._pivot(leaving, entering)

    def point(self) -> tuple[Fraction, ...]:
        """Return x, the optimum after :meth:`solve` returned ``True``."""
        values = [Fraction(0)] * self._size
        for variable, row in zip(self._basic, self._rows, strict=True):
            if variable < self._size:
                values[variable] = Fraction(row[1], row[0])
        return tuple(values)

    @property
    def value(self) -> Fraction:
        """The cost of the optimum; a lower bound on it as long as :meth:`solve` was not called."""
        return Fraction(self._objective[1], self._objective[0])

    def _entering(self, row: list[int]) -> int | None:
        """Return the free variable (its place) that keeps all costs non-negative."""
        best: int | None = None
        for j in range(self._size):
            if row[2 + j] <= 0:
                continue
            if best is None:
                best = j
                continue
            # Compare cost / coefficient, ties by the number of the variable.
            gap = self._objective[2 + j] * row[2 + best] - self._objective[2 + best] * row[2 + j]
            if gap < 0 or (gap == 0 and self._free[j] < self._free[best]):
                best = j
        return best

    def _pivot(self, leaving: int, entering: int) -> None:
        old = self._rows[leaving]
        pivot, column = old[2 + entering], 2 + entering

        def substituted(row: list[int]) -> list[int]:
            factor = row[column]
            if not factor:
                return row
            new = [pivot * a - factor * b for a, b in zip(row, old, strict=True)]
            new[0] = pivot * row[0]
            new[column] = factor * old[0]
            return _reduced(new)

        self._objective = substituted(self._objective)
        self._rows = [
            row if index == leaving else substituted(row) for index, row in enumerate(self._rows)
        ]
        solved = [-a for a in old]
        solved[0], solved[column] = pivot, old[0]
        self._rows[leaving] = _reduced(solved)
        self._basic[leaving], self._free[entering] = self._free[entering], self._basic[leaving]


def _integers(values: list[Fraction]) -> list[int]:
    denominator = math.lcm(*(value.denominator for value in values))
    return [denominator, *(int(value * denominator) for value in values)]


def _reduced(row: list[int]) -> list[int]:
    common = math.gcd(*row)
    return [value // common for value in row] if common > 1 else row


# Two questions with exact answers

O = TypeVar("O")  # noqa: E741  # an outcome


class Reach(NamedTuple, Generic[O]):
    """A simulator, with parameters of closeness at which it covers certain laws, perhaps others."""

    simulator: FiniteDistribution[O]
    epsilon: Epsilon
    delta: Fraction


class SimulatorBox(Generic[O]):
    """Laws to cover at delta = 0; the cost is the *square* of the smallest factor e^epsilon.

    Parameters
    ----------
    outcomes
        All outcomes that any law in question may have.

    Notes
    -----
    At delta = 0 a simulator Q covers the laws when max(y) / t <= Q(y) <= t min(y) for all outcomes
    y, with the extremes over the laws. Such a Q exists if and only if t^2 >= max(y) / min(y) for
    each y, t >= the sum of max(y), and t >= 1 / the sum of min(y). The square is rational.

    Examples
    --------
    >>> p = FiniteDistribution({0: Fraction(1, 5), 1: Fraction(4, 5)})
    >>> q = FiniteDistribution({0: Fraction(2, 5), 1: Fraction(3, 5)})
    >>> box = SimulatorBox([0, 1]).extended(p).extended(q)
    >>> box.cost, box.simulator(Fraction(3, 2))
    (Fraction(2, 1), FiniteDistribution({0: 17/60, 1: 43/60}))
    """

    def __init__(self, outcomes: Iterable[O]) -> None:
        self._largest = dict.fromkeys(outcomes, Fraction(0))
        self._smallest = dict.fromkeys(self._largest, Fraction(1))
        self._cost: Fraction | None = Fraction(1)

    @property
    def cost(self) -> Fraction | None:
        """The square of the smallest factor; ``None`` when no factor is enough."""
        return self._cost

    def extended(self, law: FiniteDistribution[O]) -> SimulatorBox[O]:
        """Return the box of these laws and another one."""
        box: SimulatorBox[O] = SimulatorBox(())
        for outcome, largest in self._largest.items():
            p = law.probability(outcome)
            box._largest[outcome] = max(largest, p)
            box._smallest[outcome] = min(self._smallest[outcome], p)
        box._cost = box._squared_factor()
        return box

    def simulator(self, factor: Fraction) -> FiniteDistribution[O]:
        """Return a simulator that covers the laws, for a factor whose square is at least the cost.

        Parameters
        ----------
        factor
            e^epsilon.

        Returns
        -------
        FiniteDistribution
            The point of the box on the segment between its two extreme corners.
        """
        low = {outcome: value / factor for outcome, value in self._largest.items()}
        high = {outcome: value * factor for outcome, value in self._smallest.items()}
        least, most = sum(low.values(), Fraction()), sum(high.values(), Fraction())
        share = (1 - least) / (most - least) if most > least else Fraction(0)
        return FiniteDistribution({o: low[o] + share * (high[o] - low[o]) for o in low})

    def below(self, bound: Fraction | None) -> Reach[O]:
        """Return a simulator that covers the laws with a factor of square less than the bound.

        Parameters
        ----------
        bound
            A number above the cost, or ``None``.
        """
        assert self._cost is not None  # noqa: S101  # it is less than the bound
        if bound is None:
            factor = square_root(self._cost).upper
        else:
            # Rational, and between the square roots of the cost and of the bound.
            middle, bits = (self._cost + bound) / 2, _BITS
            while (factor := Interval.sqrt(middle, bits).upper) ** 2 >= bound:
                bits *= 2
        return Reach(self.simulator(factor), Epsilon.exactly(factor), Fraction(0))

    def _squared_factor(self) -> Fraction | None:
        total = sum(self._largest.values(), Fraction())
        needed = [Fraction(1), total * total]
        for largest, smallest in zip(self._largest.values(), self._smallest.values(), strict=True):
            if largest:
                if not smallest:
                    return None
                needed.append(largest / smallest)
        total = sum(self._smallest.values(), Fraction())
        return max(*needed, 1 / (total * total))


class Polytope(Generic[O]):
    """Laws to cover at a given epsilon; the cost is the smallest delta.

    Parameters
    ----------
    outcomes
        All outcomes that any law in question may have.
    epsilon
        The parameter of closeness.

    Notes
    -----
    A linear program in the probabilities of the simulator and delta, with two constraints for each
    law and each event. Only violated ones are added: the most violated event of a law is the one
    that attains its hockey-stick divergence from the current simulator.

    Examples
    --------
    >>> p, q = FiniteDistribution.point_mass("p"), FiniteDistribution.point_mass("q")
    >>> both = Polytope("pq", Epsilon.exactly(3)).extended(p).extended(q)
    >>> both.cost, both.simulator(Fraction(3))
    (Fraction(1, 2), FiniteDistribution({'p': 1/2, 'q': 1/2}))
    """

    def __init__(self, outcomes: Iterable[O], epsilon: Epsilon) -> None:
        self._outcomes = tuple(outcomes)
        self._epsilon = epsilon
        self._laws: tuple[FiniteDistribution[O], ...] = ()
        ones = [Fraction(1)] * len(self._outcomes)
        self._program = LinearProgram([0 * one for one in ones] + [Fraction(1)])
        self._program.require([*ones, 0], 1)
        self._program.require([*(-one for one in ones), 0], -1)
        self._program.solve()
        self._read()

    def _read(self) -> None:
        *weights, _ = self._program.point()
        self._best = FiniteDistribution(dict(zip(self._outcomes, weights, strict=True)))

    @property
    def cost(self) -> Fraction:
        """The smallest delta."""
        return self._program.value

    def simulator(self, factor: Fraction) -> FiniteDistribution[O]:  # noqa: ARG002  # is fixed
        """Return a simulator that covers the laws with the smallest delta.

        Parameters
        ----------
        factor
            e^epsilon, or more.
        """
        return self._best

    def extended(self, law: FiniteDistribution[O]) -> Polytope[O]:
        """Return these laws and another one, with a simulator that is best for all of them."""
        other: Polytope[O] = Polytope.__new__(Polytope)
        other._outcomes, other._epsilon = self._outcomes, self._epsilon
        other._laws = (*self._laws, law)
        other._program = self._program.copy()
        other._best = self._best
        while other._cut():
            other._program.solve()
            other._read()
        return other

    def below(self, bound: Fraction | None) -> Reach[O]:
        """Return a simulator that covers the laws with a delta less than the bound.

        Parameters
        ----------
        bound
            A number above the cost, or ``None``.
        """
        delta = Fraction(1) if bound is None else (self.cost + bound) / 2
        return Reach(self._best, self._epsilon, delta)

    def _cut(self) -> bool:
        """Forbid the current simulator for the laws that it does not cover at the current cost."""
        found = False
        for law in self._laws:
            if closeness.minimal_delta(law, self._best, self._epsilon) <= self.cost:
                continue
            found = True
            t = self._epsilon.ratio
            for p, q, sign in ((law, self._best, 1), (self._best, law, -1)):
                if closeness.hockey_stick_at(p, q, t) > self.cost:
                    event = set(closeness.best_event(p, q, self._epsilon))
                    mass = sum((law.probability(o) for o in event), Fraction())
                    # t Q(E) + delta >= P(E), or -Q(E) + delta >= -t P(E).
                    slope, bound = (t, mass) if sign == 1 else (Fraction(-1), -t * mass)
                    row = [slope if o in event else Fraction(0) for o in self._outcomes]
                    self._program.require([*row, Fraction(1)], bound)
        return found


Cover: TypeAlias = SimulatorBox[O] | Polytope[O]
"""A set of laws, with the cost of covering them by one simulator: ``None`` when nothing is enough.

The cost never falls as laws join.
"""


# Laws that no simulator covers together: certified limits on how much can be covered

S = TypeVar("S")

_ALL_EVENTS = 6  # with more outcomes than these, events are single outcomes


def needed_by_pair(
    p: FiniteDistribution[O], q: FiniteDistribution[O], epsilon: Epsilon
) -> Fraction:
    """Return a lower bound on the delta at which one simulator covers two laws.

    Parameters
    ----------
    p, q
        The laws.
    epsilon
        The parameter of closeness.

    Returns
    -------
    Fraction
        Exact when there are two outcomes.

    Notes
    -----
    Let a law R be (epsilon, delta)-close to both, and t = e^epsilon. Through R, each of p and q is
    (2 epsilon, (1 + t) delta)-close to the other. For every event E, 1 = R(E) + R(not E) is at
    least (p(E) - delta)/t + (q(not E) - delta)/t, and at most t p(E) + t q(not E) + 2 delta. With
    TV for the total variation of p and q, the best events give 2 delta >= 1 + TV - t and
    2 delta >= 1 - t (1 - TV).

    Examples
    --------
    >>> p, q = FiniteDistribution.point_mass("p"), FiniteDistribution.point_mass("q")
    >>> needed_by_pair(p, q, Epsilon.exactly(3))
    Fraction(1, 2)
    """
    t = epsilon.ratio
    apart = closeness.total_variation(p, q)
    return max(
        Fraction(0),
        closeness.hockey_stick_at(p, q, t * t) / (1 + t),
        closeness.hockey_stick_at(q, p, t * t) / (1 + t),
        (1 + apart - t) / 2,
        (1 - t * (1 - apart)) / 2,
    )


def conflict_graph(
    laws: Sequence[FiniteDistribution[O]],
    in_conflict: Callable[[FiniteDistribution[O], FiniteDistribution[O]], bool],
) -> list[int]:
    """Return, for each law, a bitmask of those that are in conflict with it.

    Parameters
    ----------
    laws
        The laws.
    in_conflict
        Whether two laws are known not to be covered together.

    Examples
    --------
    >>> laws = [FiniteDistribution.point_mass(y) for y in "aba"]
    >>> conflict_graph(laws, lambda p, q: needed_by_pair(p, q, Epsilon(1)) > Fraction(1, 4))
    [2, 5, 2]
    """
    masks = [0] * len(laws)
    for (i, p), (j, q) in combinations(enumerate(laws), 2):
        if in_conflict(p, q):
            masks[i] |= 1 << j
            masks[j] |= 1 << i
    return masks


def projections(classes: Sequence[by_type.LawClass[S, O]]) -> list[list[tuple[Fraction, Fraction]]]:
    """Return, for several events, the probabilities of the event with their weights.

    Parameters
    ----------
    classes
        The samples grouped by law.

    Returns
    -------
    list of lists of (Fraction, Fraction)
        For each event the pairs (p, weight) in increasing order of p, as the functions of
        ``stabbing`` take them. With few outcomes all events are used, up to complement, otherwise
        the single outcomes.

    Notes
    -----
    Whether an event happened is a post-processing of the output, and a simulator of the output
    becomes one of the event. So the cost for one event is a lower bound on the cost for the output.
    """
    outcomes = by_type.outcomes_of(classes)
    events: list[tuple[O, ...]] = [(outcome,) for outcome in outcomes[1:] or outcomes]
    if len(outcomes) <= _ALL_EVENTS:
        events += [
            event for size in range(2, len(outcomes)) for event in combinations(outcomes[1:], size)
        ]
    else:
        events.append(outcomes[:1])
    found = []
    for event in events:
        weights: dict[Fraction, Fraction] = {}
        for entry in classes:
            own = entry.law.numerators
            p = Fraction(sum(own.get(outcome, 0) for outcome in event), entry.law.denominator)
            weights[p] = weights[p] + entry.weight if p in weights else entry.weight
        # Rounding to a float keeps the order, so fractions are compared only where it merges two.
        found.append(sorted(weights.items(), key=lambda pair: (float(pair[0]), pair[0])))
    return found
