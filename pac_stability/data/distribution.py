"""Probability distributions on finitely many outcomes: exact, or known up to intervals.

Outcomes are compared by value (:func:`frozen`), because an outcome of one run is compared with
those of others.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from types import GeneratorType, MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar, cast

from pac_stability import arguments
from pac_stability._report import Reported
from pac_stability.arithmetic import Interval, floor_log2
from pac_stability.errors import InvalidInput, legible
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice
from pac_stability.randomness.lazy_number import LazyNumber
from pac_stability.randomness.lazy_uniform import LazyUniform
from pac_stability.randomness.watch import assume

T = TypeVar("T")
O_co = TypeVar("O_co", covariant=True)
N_co = TypeVar("N_co", bound=Fraction | Interval, covariant=True)


class Law(Reported, ABC, Generic[O_co, N_co]):
    """A probability distribution on finitely many outcomes, known as numbers of one kind.

    The numbers are rational in a :class:`~pac_stability.data.FiniteDistribution`, which is a
    ``Law[O, Fraction]``, and intervals in an :class:`~pac_stability.data.EnclosedDistribution`, a
    ``Law[O, Interval]``; there is no third kind. A function of laws is written once for both kinds
    and returns numbers of the same kind: ``def distance(p: Law[O, N], q: Law[O, N]) -> N``.
    """

    __slots__ = ()

    _face: ClassVar[str] = "pac_stability.data.display:law_face"

    def __format__(self, spec: str) -> str:
        # A law in a sentence stays in its line.
        return format(repr(self), spec)

    @property
    @abstractmethod
    def support(self) -> tuple[O_co, ...]:
        """The outcomes whose probability is not certain to be zero, in order."""

    @abstractmethod
    def probability(self, outcome: object) -> N_co:
        """Return the probability of an outcome, zero outside the support.

        Parameters
        ----------
        outcome
            Any hashable value.

        Raises
        ------
        InvalidInput
            The outcome is not hashable.

        Examples
        --------
        >>> FiniteDistribution.uniform("ab").probability("c")
        Fraction(0, 1)
        """

    @abstractmethod
    def items(self) -> tuple[tuple[O_co, N_co], ...]:
        """Return the pairs (outcome, its probability) of the support, in order.

        Returns
        -------
        tuple of pairs

        Examples
        --------
        >>> dict(FiniteDistribution.uniform("ab").items())
        {'a': Fraction(1, 2), 'b': Fraction(1, 2)}
        """

    @abstractmethod
    def map(self, function: Callable[[O_co], T]) -> Law[T, N_co]:
        """Return the law of ``function(outcome)``: the image distribution.

        Parameters
        ----------
        function
            A deterministic function, called once for each outcome.

        Raises
        ------
        InvalidInput
            It returns a value that is not hashable, or not equal to itself.

        Examples
        --------
        >>> FiniteDistribution.uniform(range(6)).map(lambda k: k % 3 == 0)
        FiniteDistribution({True: 1/3, False: 2/3})
        """

    @staticmethod
    @abstractmethod
    def between(bounds: Sequence[Fraction]) -> N_co:
        """Return a number of this kind, given its value, or its lower and its upper bound.

        Parameters
        ----------
        bounds
            One value for rational numbers, two bounds for intervals.
        """

    @abstractmethod
    def __len__(self) -> int:
        """Return the size of the support."""


# Exact rational weights

O = TypeVar("O")  # noqa: E741  # an outcome


class FiniteDistribution(Law[O_co, Fraction], Generic[O_co]):  # hypothesis reads Generic
    """A probability distribution on finitely many outcomes, exactly. Immutable.

    Outcomes of weight zero are dropped; the others keep the order in which they came. Two
    distributions are equal when they give every outcome the same probability, whatever the order.

    Parameters
    ----------
    weights
        The probability of each outcome: integers or fractions, non-negative, of sum exactly one.
        Outcomes are hashable and equal to themselves; equal ones, such as 1 and ``True``, are one.

    Raises
    ------
    InvalidInput
        The weights are negative, floats, or do not sum to one, or an outcome is not comparable
        with itself (NaN).

    Notes
    -----
    Inside are integer numerators over their least common denominator, so that all operations are
    integer arithmetic: linear in the number of outcomes for the methods on one distribution.

    Examples
    --------
    >>> coin = FiniteDistribution({"heads": Fraction(2, 3), "tails": Fraction(1, 3)})
    >>> coin.probability("heads")
    Fraction(2, 3)
    >>> coin.power(2).map(lambda tosses: tosses.count("heads"))
    FiniteDistribution({2: 4/9, 1: 4/9, 0: 1/9})
    >>> FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3)})
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: weights: got the sum 5/6, want weights of sum exactly 1
    """

    # No __slots__: the cached properties need a dictionary.
    _numerators: dict[O_co, int]
    _denominator: int

    def __init__(self, weights: Mapping[O_co, Fraction | int]) -> None:
        if not isinstance(weights, Mapping):
            raise InvalidInput(
                "weights", arguments.described(weights), "a mapping from outcomes to weights"
            )
        given: Iterable[Fraction | int] = weights.values()
        last, apart = None, list[Fraction | int]()
        for weight in given:
            if weight is not last:  # many have the weight of the one before
                last = weight
                apart.append(weight)
        if {*map(type, apart)} != {Fraction}:
            given = [arguments.as_fraction(weight, "weights") for weight in given]
            apart = given
        denominator = math.lcm(*{weight.denominator for weight in apart})
        last = apart[-1] if apart else None
        share = 0 if last is None else _numerator(last, denominator)
        shares = [
            share if weight is last else (share := _numerator(last := weight, denominator))
            for weight in given
        ]
        numerators = dict(zip(weights, shares, strict=True))
        if {*map(type, numerators)} != {int}:
            for outcome in weights:
                arguments.require_value(outcome, "weights")
        if min(shares, default=0) <= 0:
            for outcome, weight in weights.items():
                if weight < 0:
                    negative = arguments.in_words(arguments.as_fraction(weight, "weights"))
                    what = f"the weight {negative} for {arguments.described(outcome)}"
                    raise InvalidInput("weights", what, "non-negative weights")
            numerators = {outcome: share for outcome, share in numerators.items() if share}
        total = sum(numerators.values())
        if total != denominator:
            raise InvalidInput(
                "weights", _sum_in_words(Fraction(total, denominator)), "weights of sum exactly 1"
            )
        self._numerators = numerators
        self._denominator = denominator

    @staticmethod
    def uniform(outcomes: Iterable[T]) -> FiniteDistribution[T]:
        """Return the uniform distribution.

        Parameters
        ----------
        outcomes
            At least one outcome, all distinct.

        Raises
        ------
        InvalidInput
            There is no outcome, or one is repeated.

        Examples
        --------
        >>> FiniteDistribution.uniform(range(3))
        FiniteDistribution({0: 1/3, 1: 1/3, 2: 1/3})
        """
        kept = arguments.distinct(outcomes, "outcomes")
        if not kept:
            raise InvalidInput("outcomes", "none", "at least one outcome")
        for outcome in kept:
            arguments.require_value(outcome, "outcomes")
        return reduced_law(dict.fromkeys(kept, 1))

    @staticmethod
    def point_mass(outcome: T) -> FiniteDistribution[T]:
        """Return the distribution that is always the given outcome.

        Parameters
        ----------
        outcome
            The one outcome.

        Examples
        --------
        >>> FiniteDistribution.point_mass("yes")
        FiniteDistribution({'yes': 1})
        """
        arguments.require_value(outcome, "outcome")
        return reduced_law({outcome: 1})

    @staticmethod
    def mixture(
        components: Iterable[tuple[Fraction | int, FiniteDistribution[T]]],
    ) -> FiniteDistribution[T]:
        """Return the mixture of distributions with the given weights.

        Parameters
        ----------
        components
            Pairs (weight, distribution); the weights are non-negative, of sum exactly one.

        Raises
        ------
        InvalidInput
            The weights are not probabilities.

        Examples
        --------
        >>> a, b = FiniteDistribution.uniform("xy"), FiniteDistribution.point_mass("y")
        >>> FiniteDistribution.mixture([(Fraction(1, 2), a), (Fraction(1, 2), b)])
        FiniteDistribution({'x': 1/4, 'y': 3/4})
        """
        kept = tuple(components)
        choice = FiniteDistribution({index: weight for index, (weight, _) in enumerate(kept)})
        return choice.bind(lambda index: kept[index][1])

    @property
    def support(self) -> tuple[O_co, ...]:
        """The outcomes of positive probability, in order."""
        return self._support

    @property
    def numerators(self) -> Mapping[O_co, int]:
        """The probabilities of the support times :attr:`denominator`, in order; positive integers.

        Examples
        --------
        >>> law = FiniteDistribution({"a": Fraction(1, 2), "b": Fraction(1, 3), 0: Fraction(1, 6)})
        >>> dict(law.numerators), law.denominator
        ({'a': 3, 'b': 2, 0: 1}, 6)
        """
        return MappingProxyType(self._numerators)

    @property
    def denominator(self) -> int:
        """The least common denominator of the probabilities."""
        return self._denominator

    @cached_property
    def _support(self) -> tuple[O_co, ...]:
        return tuple(self._numerators)

    @cached_property
    def _choice(self) -> WeightedChoice:
        return WeightedChoice(tuple(self._numerators.values()))

    @cached_property
    def _hash(self) -> int:
        # Most outcomes of a large law often have the least weight.
        found = self._numerators
        least = min(found.values())
        above = frozenset([item for item in found.items() if item[1] != least])
        return hash((self._denominator, frozenset(found), above))

    def probability(self, outcome: object) -> Fraction:
        arguments.require_hashable(outcome, "outcome")
        weight = self._numerators.get(outcome, 0)  # type: ignore[arg-type]  # any value may be asked about
        return Fraction(weight, self._denominator)

    def items(self) -> tuple[tuple[O_co, Fraction], ...]:
        denominator = self._denominator
        return tuple((o, Fraction(weight, denominator)) for o, weight in self._numerators.items())

    def map(self, function: Callable[[O_co], T]) -> FiniteDistribution[T]:
        image: dict[T, int] = {}
        for outcome, weight in self._numerators.items():
            value = function(outcome)
            arguments.require_value(value, "function")
            image[value] = image.get(value, 0) + weight
        return reduced_law(image)

    def bind(self, kernel: Callable[[O_co], FiniteDistribution[T]]) -> FiniteDistribution[T]:
        """Return the law of the second of two dependent draws.

        Parameters
        ----------
        kernel
            The law of the second draw given the outcome of the first; called once for each outcome.

        Raises
        ------
        InvalidInput
            The kernel returns something that is not a distribution.

        Examples
        --------
        >>> die = FiniteDistribution.uniform([1, 2])
        >>> die.bind(lambda k: FiniteDistribution.uniform(range(k)))
        FiniteDistribution({0: 3/4, 1: 1/4})
        """
        laws = []
        for outcome, weight in self._numerators.items():
            law = kernel(outcome)
            if not isinstance(law, FiniteDistribution):
                raise InvalidInput(
                    "kernel",
                    f"{arguments.described(law)} for the outcome {arguments.described(outcome)}",
                    "a FiniteDistribution",
                )
            laws.append((weight, law))
        common = math.lcm(*{law._denominator for _, law in laws})
        total: dict[T, int] = {}
        for weight, law in laws:
            scale = weight * (common // law._denominator)
            for result, second in law._numerators.items():
                total[result] = total.get(result, 0) + scale * second
        return reduced_law(total)

    def product(self, other: FiniteDistribution[T]) -> FiniteDistribution[tuple[O_co, T]]:
        """Return the law of the pair of two independent draws.

        Parameters
        ----------
        other
            The law of the second coordinate.

        Returns
        -------
        FiniteDistribution
            On pairs, in lexicographic order of the two supports.

        Examples
        --------
        >>> coin = FiniteDistribution.uniform([0, 1])
        >>> coin.product(coin).probability((0, 1))
        Fraction(1, 4)
        """
        _require_law(other, "other")
        return reduced_law(
            {
                (first, second): weight * factor
                for first, weight in self._numerators.items()
                for second, factor in other._numerators.items()
            }
        )

    def power(self, n: int) -> FiniteDistribution[tuple[O_co, ...]]:
        """Return the law of n independent draws (D^n in the papers).

        Parameters
        ----------
        n
            The number of draws, zero or more.

        Returns
        -------
        FiniteDistribution
            On tuples of length n, in lexicographic order; there are ``len(support) ** n``.

        Raises
        ------
        InvalidInput
            n is not a non-negative integer.

        Examples
        --------
        >>> FiniteDistribution.uniform([0, 1]).power(3).map(sum)
        FiniteDistribution({0: 1/8, 1: 3/8, 2: 3/8, 3: 1/8})
        """
        n = arguments.as_size(n, "n")
        draws: dict[tuple[O_co, ...], int] = {(): 1}
        for _ in range(n):
            draws = {
                (*earlier, outcome): weight * factor
                for earlier, weight in draws.items()
                for outcome, factor in self._numerators.items()
            }
        return reduced_law(draws)

    def condition(self, event: Callable[[O_co], bool]) -> FiniteDistribution[O_co]:
        """Return the distribution given that an event happened.

        Parameters
        ----------
        event
            Whether an outcome belongs to the event.

        Raises
        ------
        InvalidInput
            The event has probability zero.

        Examples
        --------
        >>> FiniteDistribution.uniform(range(5)).condition(lambda k: k % 2 == 1)
        FiniteDistribution({1: 1/2, 3: 1/2})
        """
        kept = {outcome: weight for outcome, weight in self._numerators.items() if event(outcome)}
        if not kept:
            raise InvalidInput("event", "an event of probability zero", "one that can happen")
        return reduced_law(kept)

    def expectation(self, value: Callable[[O_co], Fraction | int]) -> Fraction:
        """Return the expected value of a function of the outcome.

        Parameters
        ----------
        value
            A function to integers or fractions; with values 0 and 1, the expectation is the
            probability of an event.

        Raises
        ------
        InvalidInput
            A value is a float or a truth value, or is not a number.

        Examples
        --------
        >>> FiniteDistribution.uniform(range(1, 7)).expectation(lambda k: k)
        Fraction(7, 2)
        """
        # Values are added within each denominator first: integer additions, few of fractions.
        totals: dict[int, int] = {}
        for outcome, weight in self._numerators.items():
            exact = arguments.as_fraction(value(outcome), "value")
            denominator = exact.denominator
            totals[denominator] = totals.get(denominator, 0) + weight * exact.numerator
        parts = (Fraction(total, denominator) for denominator, total in totals.items())
        return sum(parts, Fraction()) / self._denominator

    @staticmethod
    def between(bounds: Sequence[Fraction]) -> Fraction:
        """Return the one value: exact numbers have no second bound."""
        return bounds[0]

    def sample(self, rng: Coins = SYSTEM_COINS) -> O_co:
        """Return one outcome, drawn exactly with its probability.

        Parameters
        ----------
        rng
            Where the coins come from, by default the operating system's entropy; it makes one
            weighted choice.

        Notes
        -----
        Time linear in the number of outcomes for the first draw, logarithmic for further ones.

        Examples
        --------
        >>> from pac_stability.randomness import SeededCoins
        >>> FiniteDistribution.uniform("abc").sample(SeededCoins(1)) in "abc"
        True
        """
        return self._support[rng.choose(self._choice)]

    def __len__(self) -> int:
        """Return the number of outcomes of positive probability."""
        return len(self._numerators)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteDistribution):
            return NotImplemented
        return self._denominator == other._denominator and self._numerators == other._numerators

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[dict[O_co, int]]]:
        # Not what is cached: hashes of strings differ from one process to another.
        return reduced_law, (self._numerators,)

    def __repr__(self) -> str:
        weights = ", ".join(f"{outcome!r}: {weight}" for outcome, weight in self.items())
        return legible(f"FiniteDistribution({{{weights}}})")


def _require_law(value: object, argument: str) -> None:
    if not isinstance(value, FiniteDistribution):
        raise InvalidInput(argument, arguments.described(value), "a FiniteDistribution")


def _numerator(weight: Fraction | int, whole: int) -> int:
    above, below = weight.as_integer_ratio()
    return above * (whole // below)


def _sum_in_words(total: Fraction) -> str:
    if total.numerator.bit_length() + total.denominator.bit_length() < 160:
        return f"the sum {total}"
    gap = total - 1
    if gap >= 2:
        return "a sum that exceeds 1 by more than 2"
    return (
        f"a sum that {'exceeds' if gap > 0 else 'falls short of'} 1 by about {_rounded(abs(gap))}"
    )


def _rounded(value: Fraction) -> str:
    """Return a positive number below 2 in few characters, however small it is."""
    nearest = float(value)
    return f"{nearest:.3g}" if nearest else f"2**{floor_log2(value)}"


def reduced_law(numerators: dict[T, int]) -> FiniteDistribution[T]:
    """Return the distribution with positive integer weights in the given proportions.

    Lowest terms make the representation unique, so that equality is that of the integers.
    """
    common = math.gcd(*numerators.values())
    if common > 1:
        numerators = {outcome: weight // common for outcome, weight in numerators.items()}
    law: FiniteDistribution[T] = FiniteDistribution.__new__(FiniteDistribution)
    law._numerators = numerators
    law._denominator = sum(numerators.values())
    return law


def label_law(one: Fraction) -> FiniteDistribution[int]:
    """Return the law of a label that is 1 with the given probability."""
    return FiniteDistribution({1: one, 0: 1 - one})


# Probabilities in certified intervals

_ZERO, _ONE = Fraction(0), Fraction(1)
_NOTHING = Interval(_ZERO, _ZERO)


def _sum(numbers: list[Fraction]) -> Fraction:
    """Add many fractions, most of which have few denominators, in integers."""
    common = math.lcm(*(number.denominator for number in numbers))
    return Fraction(
        sum(number.numerator * (common // number.denominator) for number in numbers), common
    )


class EnclosedDistribution(Law[O_co, Interval]):
    """A probability distribution on finitely many outcomes, up to certified intervals. Immutable.

    It stands for one unknown distribution: its probabilities lie in the given intervals and sum to
    one. Every answer computed from an enclosed distribution holds for every distribution that it
    encloses.

    Parameters
    ----------
    weights
        The interval of each probability; integers and fractions are exact ones. Intervals are cut
        off at 0 and 1. Outcomes that are certain not to happen are dropped.

    Raises
    ------
    InvalidInput
        The intervals enclose no distribution, a weight is a float, or an outcome is not comparable
        with itself (NaN).

    Examples
    --------
    The logistic function at 1, and its complement:

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
            raise InvalidInput(
                "weights", arguments.described(weights), "a mapping from outcomes to weights"
            )
        kept: dict[O_co, Interval] = {}
        for outcome, weight in weights.items():
            arguments.require_value(outcome, "weights")
            given = _interval(weight)
            low, high = given.lower, given.upper
            if high.numerator < 0 or low.numerator > low.denominator:
                shown = f"the weight [{given}] for {arguments.described(outcome)}"
                raise InvalidInput("weights", shown, "intervals that contain a probability")
            if high.numerator > 0:
                inside = low.numerator >= 0 and high.numerator <= high.denominator
                kept[outcome] = given if inside else Interval(max(low, _ZERO), min(high, _ONE))
        least = _sum([weight.lower for weight in kept.values()])
        most = _sum([weight.upper for weight in kept.values()])
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
            raise InvalidInput("law", arguments.described(law), "a FiniteDistribution")
        return EnclosedDistribution(dict(law.items()))

    @staticmethod
    def in_proportion(weights: Mapping[T, Interval | Fraction | int]) -> EnclosedDistribution[T]:
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
            raise InvalidInput(
                "weights", arguments.described(weights), "a mapping from outcomes to weights"
            )
        exact = {outcome: _interval(weight) for outcome, weight in weights.items()}
        least = _sum([weight.lower for weight in exact.values()])
        most = _sum([weight.upper for weight in exact.values()])
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
        arguments.require_hashable(outcome, "outcome")
        return self._weights.get(outcome, _NOTHING)  # type: ignore[arg-type]  # any value may be asked about

    def items(self) -> tuple[tuple[O_co, Interval], ...]:
        return tuple(self._weights.items())

    def map(self, function: Callable[[O_co], T]) -> EnclosedDistribution[T]:
        image: dict[T, Interval] = {}
        for outcome, weight in self._weights.items():
            value = function(outcome)
            arguments.require_value(value, "function")
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
        return legible(f"EnclosedDistribution({{{weights}}})")


def _interval(weight: Interval | Fraction | int) -> Interval:
    if isinstance(weight, Interval):
        return weight
    return Interval.exactly(arguments.as_fraction(weight, "weights"))


def _share(weight: Interval, least: Fraction, most: Fraction) -> Interval:
    """Return a weight over the sum of all, whose ends are given and positive."""
    largest_sum = most - weight.upper + weight.lower
    smallest_sum = least - weight.lower + weight.upper
    return Interval(weight.lower / largest_sum, weight.upper / smallest_sum)


# Outcomes by value

FROZEN = (
    "A list, an array, a dictionary, a set or a frame that is returned counts as what it holds: "
    "lists, arrays and tuples of equal entries are one outcome."
)
"""What is said of such outcomes."""

LEAVES = frozenset([int, str, bool, float, bytes, type(None)])
"""Types whose values hold no other, and are values as they are."""

UNDECIDED = (LazyNumber, LazyUniform)
"""Types of numbers that are drawn no further than what is asked of them."""


def frozen(outcome: object) -> object:
    """Return an outcome as a value: lists and iterators as tuples, sets frozen, mappings as items.

    A noisy number that is not yet decided is resolved to the precision at which it is published. A
    value that is already hashable comes back unchanged.

    Examples
    --------
    >>> frozen([1, {"a": [2]}])
    (1, frozenset({('a', (2,))}))
    """
    kind = type(outcome)
    if kind in LEAVES:
        return outcome
    if kind in UNDECIDED:
        return cast("LazyNumber", outcome).seen()
    if kind is list:
        assume(FROZEN)
        return tuple(map(frozen, cast("list[object]", outcome)))
    if isinstance(outcome, tuple):
        parts = [frozen(part) for part in outcome]
        if all(one is other for one, other in zip(parts, outcome, strict=True)):
            return outcome
        return kind(*parts) if hasattr(kind, "_fields") else tuple(parts)
    if isinstance(outcome, GeneratorType | map | zip | filter):
        outcome = list(outcome)
    if not _holds_noise(outcome) and _hashes(outcome):
        return outcome
    value = _by_value(outcome)
    if value is not outcome:
        assume(FROZEN)
    return value


def _holds_noise(outcome: object) -> bool:
    """Return whether a dataclass has a number with noise that is not decided."""
    named = getattr(type(outcome), "__dataclass_fields__", ())
    return any(type(getattr(outcome, name, None)) in UNDECIDED for name in named)


def _hashes(outcome: object) -> bool:
    try:
        hash(outcome)
    except TypeError:
        return False
    return True


def in_order(mapping: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Return the items in an order of their keys: that in which they came may hang on the data."""
    return sorted(mapping.items(), key=lambda item: repr(item[0]))


def opened(outcome: object) -> object:
    """Return a container as a mapping, a set, a list or a tuple, and anything else as it is."""
    kind = type(outcome)  # a draw that is not decided refuses what it is asked for itself
    if hasattr(kind, "to_dict") and hasattr(kind, "columns"):  # a frame
        return cast("Any", outcome).to_dict()
    for name in ("tolist", "to_list"):  # arrays, their numbers, and series
        if hasattr(kind, name):
            return getattr(outcome, name)()
    if is_dataclass(outcome) and kind.__eq__ is not object.__eq__:
        held = (getattr(outcome, field.name) for field in fields(outcome) if field.compare)
        return (kind.__qualname__, *held)
    is_list = isinstance(outcome, Sequence) and not isinstance(outcome, tuple | str | bytes)
    return [*cast("Sequence[object]", outcome)] if is_list else outcome


def _by_value(outcome: object) -> object:
    held = opened(outcome)
    if isinstance(held, Mapping):
        return frozenset((frozen(key), frozen(value)) for key, value in in_order(held))
    if isinstance(held, Set):
        return frozenset(map(frozen, held))
    return outcome if held is outcome else frozen(held)
