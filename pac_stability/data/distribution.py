"""Finite probability distributions with exact rational weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, TypeVar, final

from pac_stability.arithmetic import as_fraction, as_size
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")


@final
class FiniteDistribution(Generic[T_co]):
    """A probability distribution on finitely many outcomes, exact and immutable.

    Parameters
    ----------
    weights
        Outcomes (hashable) to exact probabilities that are non-negative and sum to one. Outcomes of
        probability zero are dropped, so the support is what can happen. The order is kept.

    Raises
    ------
    InvalidInput
        A probability is negative or not exact, or the sum is not one; the message names it.

    Notes
    -----
    Kept as integers over one common denominator in lowest terms: two distributions are equal when
    these are, whatever the order. Every operation is linear in the number of outcomes it makes.

    Examples
    --------
    >>> die = FiniteDistribution.uniform(range(1, 7))
    >>> die.power(2).map(sum).probability(7)
    Fraction(1, 6)
    >>> die.condition(lambda face: face > 4).expectation(lambda face: face)
    Fraction(11, 2)
    """

    __slots__ = ("_choice", "_denominator", "_numerators", "_outcomes")

    _numerators: dict[T_co, int]
    _denominator: int
    _choice: WeightedChoice | None
    _outcomes: tuple[T_co, ...]

    def __init__(self, weights: Mapping[T_co, int | Fraction]) -> None:
        exact = {o: as_fraction(w, "weights") for o, w in weights.items()}
        denominator = math.lcm(*(w.denominator for w in exact.values()))
        numerators = {o: w.numerator * (denominator // w.denominator) for o, w in exact.items()}
        for outcome, number in numerators.items():
            if number < 0:
                raise InvalidInput("weights", f"{exact[outcome]} for {outcome!r}", "none negative")
        total = sum(numerators.values())
        if total != denominator:
            raise InvalidInput(
                "weights", f"a sum of {Fraction(total, denominator)}", "a sum of exactly 1"
            )
        self._set(numerators)

    def _set(self, numerators: Mapping[T_co, int]) -> None:
        """Take non-negative integer weights, divided by their sum."""
        divisor = math.gcd(*numerators.values())
        self._numerators = {o: w // divisor for o, w in numerators.items() if w}
        self._denominator = sum(self._numerators.values())
        self._choice = None

    @classmethod
    def proportional(cls, weights: Mapping[U, int]) -> FiniteDistribution[U]:
        """Return the distribution proportional to non-negative integers, not all zero.

        Raises
        ------
        InvalidInput
            A weight is negative or no integer, or all are zero.
        """
        checked = {o: as_size(w, "weights") for o, w in weights.items()}
        if not any(checked.values()):
            raise InvalidInput("weights", "a total of 0", "at least one positive weight")
        return _from_integers(checked)

    @classmethod
    def uniform(cls, outcomes: Iterable[U]) -> FiniteDistribution[U]:
        """Return the uniform law on a list of outcomes; a repeated one counts as often."""
        return cls.proportional(_tally((outcome, 1) for outcome in outcomes))

    @classmethod
    def point_mass(cls, outcome: U) -> FiniteDistribution[U]:
        """Return the law that is certain of one outcome."""
        return cls.uniform([outcome])

    @classmethod
    def mixture(
        cls, parts: Iterable[tuple[int | Fraction, FiniteDistribution[U]]]
    ) -> FiniteDistribution[U]:
        """Return the law that draws a part by its weight, then an outcome from the part.

        Raises
        ------
        InvalidInput
            The weights are no probabilities that sum to one.
        """
        rows = list(parts)
        chooser = FiniteDistribution({i: weight for i, (weight, _) in enumerate(rows)})
        return chooser.bind(lambda i: rows[i][1])

    @property
    def support(self) -> tuple[T_co, ...]:
        """The outcomes of positive probability, in order."""
        return tuple(self._numerators)

    @property
    def denominator(self) -> int:
        """The common denominator of the probabilities, in lowest terms."""
        return self._denominator

    @property
    def numerators(self) -> tuple[int, ...]:
        """The probabilities of the support, in its order, times :attr:`denominator`."""
        return tuple(self._numerators.values())

    def probability(self, outcome: object) -> Fraction:
        """Return the probability of an outcome, zero outside the support."""
        number = self._numerators.get(outcome, 0)  # type: ignore[arg-type]  # any key may ask
        return Fraction(number, self._denominator)

    def items(self) -> Iterator[tuple[T_co, Fraction]]:
        """Yield the outcomes with their probabilities, in order."""
        for outcome, number in self._numerators.items():
            yield outcome, Fraction(number, self._denominator)

    def __len__(self) -> int:
        return len(self._numerators)

    def map(self, f: Callable[[T_co], U]) -> FiniteDistribution[U]:
        """Return the law of ``f`` of the outcome."""
        return _from_integers(_tally((f(o), w) for o, w in self._numerators.items()))

    def product(self, other: FiniteDistribution[U]) -> FiniteDistribution[tuple[T_co, U]]:
        """Return the law of a pair of independent outcomes."""
        return _from_integers(
            {
                (a, b): v * w
                for a, v in self._numerators.items()
                for b, w in other._numerators.items()
            }
        )

    def power(self, n: int) -> FiniteDistribution[tuple[T_co, ...]]:
        """Return the law of n independent outcomes as a tuple."""
        rows: dict[tuple[T_co, ...], int] = {(): 1}
        for _ in range(as_size(n, "n")):
            rows = {(*a, b): v * w for a, v in rows.items() for b, w in self._numerators.items()}
        return _from_integers(rows)

    def bind(self, kernel: Callable[[T_co], FiniteDistribution[U]]) -> FiniteDistribution[U]:
        """Return the law of an outcome drawn from ``kernel`` of an outcome drawn from this."""
        parts = [(w, kernel(o)) for o, w in self._numerators.items()]
        common = math.lcm(*(part._denominator for _, part in parts))
        return _from_integers(
            _tally(
                (outcome, w * v * (common // part._denominator))
                for w, part in parts
                for outcome, v in part._numerators.items()
            )
        )

    def condition(self, event: Callable[[T_co], bool]) -> FiniteDistribution[T_co]:
        """Return the law given that an event happens.

        Raises
        ------
        InvalidInput
            The event has probability zero.
        """
        kept = {o: w for o, w in self._numerators.items() if event(o)}
        if not kept:
            raise InvalidInput("event", "an event of probability 0", "a positive probability")
        return _from_integers(kept)

    def expectation(self, f: Callable[[T_co], int | Fraction]) -> Fraction:
        """Return the expected value of an exact function of the outcome."""
        total = sum(
            (w * as_fraction(f(o), "f") for o, w in self._numerators.items()), start=Fraction(0)
        )
        return total / self._denominator

    def sample(self, rng: Coins = SYSTEM_COINS) -> T_co:
        """Draw an outcome with exactly these probabilities."""
        if self._choice is None:
            self._choice = WeightedChoice(tuple(self._numerators.values()))
            self._outcomes = tuple(self._numerators)
        return self._outcomes[rng.choose(self._choice)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteDistribution):
            return NotImplemented
        return self._numerators == other._numerators

    def __hash__(self) -> int:
        return hash(frozenset(self._numerators.items()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{outcome!r}: {weight}" for outcome, weight in self.items())
        return f"FiniteDistribution({{{shown}}})"


def _from_integers(numerators: Mapping[U, int]) -> FiniteDistribution[U]:
    """Return the distribution proportional to integers already known to be good."""
    law: FiniteDistribution[U] = FiniteDistribution.__new__(FiniteDistribution)
    law._set(numerators)
    return law


def _tally(rows: Iterable[tuple[U, int]]) -> dict[U, int]:
    """Add up the weights of equal outcomes."""
    sums: dict[U, int] = {}
    for outcome, weight in rows:
        try:
            sums[outcome] = sums.get(outcome, 0) + weight
        except TypeError:
            raise InvalidInput(
                "outcome", f"a {type(outcome).__name__}", "a hashable outcome (a tuple for a list)"
            ) from None
    return sums
