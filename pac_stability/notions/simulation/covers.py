"""What it takes for one simulator to be close to several laws at once, exactly.

A simulator *covers* a set of laws when it is (epsilon, delta)-close to each. Two questions have
exact answers: at delta = 0, how large e^epsilon must be (:class:`SimulatorBox`), and for a given
epsilon, how large delta must be (:class:`Polytope`). Both objects grow by one law at a time; the
second by small linear programs that are solved exactly while their constraints are being found.
Two laws may be in conflict, and their events bound what can be covered at all
(:func:`projections`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Generic, NamedTuple, Protocol, TypeVar

from pac_stability.arguments import as_fraction, in_words
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.notions import closeness
from pac_stability.notions.sample_laws import LawClass, outcomes_of
from pac_stability.notions.simulation.two_outcomes import square_root


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


# What it takes for one simulator to be close to several laws at once, exactly

O = TypeVar("O")  # noqa: E741  # an outcome

_BITS = 128  # of a square root, to begin with


class Reach(NamedTuple, Generic[O]):
    """A simulator, with parameters of closeness at which it covers certain laws, perhaps others."""

    simulator: FiniteDistribution[O]
    epsilon: Epsilon
    delta: Fraction


class Cover(Protocol[O]):
    """A set of laws, with what it costs that one simulator covers them."""

    @property
    def cost(self) -> Fraction | None:
        """What is needed; ``None`` when nothing is enough. It never falls as laws join."""
        ...

    def extended(self, law: FiniteDistribution[O], /) -> Cover[O]:
        """Return this set with one more law."""
        ...

    def simulator(self, factor: Fraction, /) -> FiniteDistribution[O]:
        """Return a simulator that covers the laws at the cost, for a factor e^epsilon."""
        ...

    def below(self, bound: Fraction | None, /) -> Reach[O]:
        """Return a simulator of the laws, and what it reaches for less than a cost, if one is set.

        The set must cost less.
        """
        ...


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


def projections(
    classes: Sequence[LawClass[S, O]],
) -> list[list[tuple[Fraction, Fraction]]]:
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
    becomes one of the event. So what an event alone needs is needed for the output.
    """
    outcomes = outcomes_of(classes)
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
