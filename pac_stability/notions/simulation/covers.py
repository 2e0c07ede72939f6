"""What it takes for one simulator to be close to several laws at once, exactly.

A simulator *covers* a set of laws when it is (epsilon, delta)-close to each. Two questions have
exact answers: at delta = 0, how large e^epsilon must be (:class:`SimulatorBox`), and for a given
epsilon, how large delta must be (:class:`Polytope`). Both objects grow by one law at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Generic, NamedTuple, Protocol, TypeVar

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution
from pac_stability.notions.closeness import best_event, hockey_stick_at, minimal_delta
from pac_stability.notions.simulation.exact_lp import LinearProgram
from pac_stability.notions.simulation.stabbing import square_root

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
            if minimal_delta(law, self._best, self._epsilon) <= self.cost:
                continue
            found = True
            t = self._epsilon.ratio
            for p, q, sign in ((law, self._best, 1), (self._best, law, -1)):
                if hockey_stick_at(p, q, t) > self.cost:
                    event = set(best_event(p, q, self._epsilon))
                    mass = sum((law.probability(o) for o in event), Fraction())
                    # t Q(E) + delta >= P(E), or -Q(E) + delta >= -t P(E).
                    slope, bound = (t, mass) if sign == 1 else (Fraction(-1), -t * mass)
                    row = [slope if o in event else Fraction(0) for o in self._outcomes]
                    self._program.require([*row, Fraction(1)], bound)
        return found
