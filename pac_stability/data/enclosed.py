"""Probability distributions whose probabilities are known up to certified intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from pac_stability.arguments import as_fraction, described, require_hashable, require_value
from pac_stability.arithmetic import Interval
from pac_stability.data.distribution import FiniteDistribution
from pac_stability.data.laws import Law
from pac_stability.errors import InvalidInput

T = TypeVar("T")
O_co = TypeVar("O_co", covariant=True)

_ZERO, _ONE = Fraction(0), Fraction(1)
_NOTHING = Interval(_ZERO, _ZERO)


class EnclosedDistribution(Law[O_co, Interval]):
    """A probability distribution on finitely many outcomes, up to certified intervals. Immutable.

    One distribution is meant: its probabilities lie in the given intervals and sum to one. What is
    computed from an enclosed distribution holds for every distribution that it encloses.

    Parameters
    ----------
    weights
        The interval of each probability; integers and fractions are exact ones. What an interval
        has below 0 or above 1 is cut off. Outcomes that are certain not to happen are dropped.

    Raises
    ------
    InvalidInput
        No distribution is enclosed, a weight is a float, or an outcome is not comparable with
        itself (NaN).

    Examples
    --------
    The logistic function at 1, and what is left:

    >>> p = 1 / (1 + Interval.exp(-1))
    >>> law = EnclosedDistribution({1: p, 0: 1 - p})
    >>> law.probability(1) > Fraction(73, 100)
    True
    >>> EnclosedDistribution({1: p, 0: p})
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: weights: got a sum of at least 1.4621171572600098, \
want intervals that enclose weights of sum 1
    """

    __slots__ = ("_weights",)

    _weights: dict[O_co, Interval]

    def __init__(self, weights: Mapping[O_co, Interval | Fraction | int]) -> None:
        if not isinstance(weights, Mapping):
            raise InvalidInput("weights", described(weights), "a mapping from outcomes to weights")
        kept: dict[O_co, Interval] = {}
        for outcome, weight in weights.items():
            require_value(outcome, "weights")
            given = _interval(weight)
            if given.upper < 0 or given.lower > 1:
                raise InvalidInput(
                    "weights",
                    f"the weight [{given}] for {described(outcome)}",
                    "intervals that contain a probability",
                )
            if given.upper > 0:
                kept[outcome] = Interval(max(given.lower, _ZERO), min(given.upper, _ONE))
        least = sum((weight.lower for weight in kept.values()), _ZERO)
        most = sum((weight.upper for weight in kept.values()), _ZERO)
        if not least <= 1 <= most:
            found = f"least {float(least)!r}" if least > 1 else f"most {float(most)!r}"
            raise InvalidInput(
                "weights", f"a sum of at {found}", "intervals that enclose weights of sum 1"
            )
        self._weights = kept

    @staticmethod
    def exactly(law: FiniteDistribution[T]) -> EnclosedDistribution[T]:
        """Return the enclosure of one distribution alone.

        Parameters
        ----------
        law
            An exact distribution.

        Examples
        --------
        >>> EnclosedDistribution.exactly(FiniteDistribution.uniform("ab")).probability("a")
        Interval(lower=Fraction(1, 2), upper=Fraction(1, 2))
        """
        if not isinstance(law, FiniteDistribution):
            raise InvalidInput("law", described(law), "a FiniteDistribution")
        return EnclosedDistribution(dict(law.items()))

    @staticmethod
    def in_proportion(
        weights: Mapping[T, Interval | Fraction | int],
    ) -> EnclosedDistribution[T]:
        """Return the distribution with weights in the given proportions.

        Parameters
        ----------
        weights
            Non-negative numbers, or intervals of them, whose sum is certain to be positive.

        Raises
        ------
        InvalidInput
            A weight may be negative, or all may be zero.

        Notes
        -----
        The enclosures are the narrowest: a probability is largest when its own weight is largest
        and all others are smallest.

        Examples
        --------
        An exponential mechanism whose weights are powers of e:

        >>> law = EnclosedDistribution.in_proportion({k: Interval.exp(-k) for k in range(3)})
        >>> float(law.probability(0))
        0.6652409557748219
        """
        if not isinstance(weights, Mapping):
            raise InvalidInput("weights", described(weights), "a mapping from outcomes to weights")
        exact = {outcome: _interval(weight) for outcome, weight in weights.items()}
        least = sum((weight.lower for weight in exact.values()), _ZERO)
        most = sum((weight.upper for weight in exact.values()), _ZERO)
        if any(weight.lower < 0 for weight in exact.values()):
            raise InvalidInput("weights", "a weight that may be negative", "non-negative weights")
        if least == 0:
            raise InvalidInput("weights", "weights that may all be zero", "a positive sum")
        return EnclosedDistribution(
            {outcome: _share(weight, least, most) for outcome, weight in exact.items()}
        )

    @property
    def support(self) -> tuple[O_co, ...]:
        """The outcomes whose probability may be positive, in order."""
        return tuple(self._weights)

    def probability(self, outcome: object) -> Interval:
        """Return the interval of the probability of an outcome, zero outside the support.

        Parameters
        ----------
        outcome
            Any hashable value.

        Raises
        ------
        InvalidInput
            The outcome is not hashable.
        """
        require_hashable(outcome, "outcome")
        return self._weights.get(outcome, _NOTHING)  # type: ignore[arg-type]  # any value may be asked about

    def items(self) -> tuple[tuple[O_co, Interval], ...]:
        """Return the pairs (outcome, interval of its probability) of the support, in order."""
        return tuple(self._weights.items())

    def map(self, function: Callable[[O_co], T]) -> EnclosedDistribution[T]:
        """Return the law of ``function(outcome)``: the image distribution.

        Parameters
        ----------
        function
            A deterministic function, called once for each outcome.

        Examples
        --------
        >>> law = EnclosedDistribution.in_proportion({k: Interval.exp(-k) for k in range(3)})
        >>> law.map(lambda k: k > 0).support
        (False, True)
        """
        image: dict[T, Interval] = {}
        for outcome, weight in self._weights.items():
            value = function(outcome)
            require_value(value, "function")
            image[value] = image[value] + weight if value in image else weight
        return EnclosedDistribution(image)

    @staticmethod
    def between(bounds: Sequence[Fraction]) -> Interval:
        """Return the interval with the given ends."""
        lower, upper = bounds
        return Interval(lower, upper)

    def encloses(self, law: FiniteDistribution[T]) -> bool:
        """Return whether a distribution is one of those enclosed.

        Parameters
        ----------
        law
            An exact distribution.

        Examples
        --------
        >>> third = Interval(Fraction(33, 100), Fraction(34, 100))
        >>> law = EnclosedDistribution({"a": third, "b": third, "c": third})
        >>> law.encloses(FiniteDistribution.uniform("abc"))
        True
        """
        return all(outcome in self._weights for outcome in law.support) and all(
            law.probability(outcome) in weight for outcome, weight in self._weights.items()
        )

    def __len__(self) -> int:
        """Return the number of outcomes whose probability may be positive."""
        return len(self._weights)

    def __eq__(self, other: object) -> bool:
        """Return whether the intervals are the same: not whether the distributions meant are."""
        if not isinstance(other, EnclosedDistribution):
            return NotImplemented
        return self._weights == other._weights

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __repr__(self) -> str:
        weights = ", ".join(f"{outcome!r}: [{weight}]" for outcome, weight in self.items())
        return f"EnclosedDistribution({{{weights}}})"


def _interval(weight: Interval | Fraction | int) -> Interval:
    if isinstance(weight, Interval):
        return weight
    return Interval.exactly(as_fraction(weight, "weights"))


def _share(weight: Interval, least: Fraction, most: Fraction) -> Interval:
    """Return a weight over the sum of all, whose ends are given and positive."""
    largest_sum = most - weight.upper + weight.lower
    smallest_sum = least - weight.lower + weight.upper
    return Interval(weight.lower / largest_sum, weight.upper / smallest_sum)
