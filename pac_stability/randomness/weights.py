"""Weights of a random choice, and what a program gives to a draw, read exactly."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import cast, final, overload

from pac_stability.arguments import as_fraction, as_size, described, in_words
from pac_stability.errors import InvalidInput
from pac_stability.randomness.undecided import exact_float, is_array


@final
class WeightedChoice(Sequence[int]):
    """Weights prepared for repeated draws; pass it to ``Coins.choose`` in place of the list.

    As a sequence it holds integers in the same proportions as the weights. It is immutable; two are
    equal when these integers are the same.

    Parameters
    ----------
    weights
        Non-negative exact numbers, not all zero. Floats are refused.

    Raises
    ------
    InvalidInput
        A weight is negative or not exact, or they sum to zero.

    Notes
    -----
    Preparing k weights takes O(k) operations on integers, a draw O(log k).

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> table = WeightedChoice([Fraction(1, 2), Fraction(1, 3)])
    >>> table, table.total
    (WeightedChoice([3, 2]), 5)
    >>> SeededCoins(1).choose(table) in (0, 1)
    True
    """

    __slots__ = ("_cumulative", "_weights")

    def __init__(self, weights: Sequence[int | Fraction]) -> None:
        integers = integer_weights(weights, "weights")
        cumulative = list(accumulate(integers))
        if not cumulative or cumulative[-1] == 0:
            raise InvalidInput("weights", "a total of 0", "at least one positive weight")
        self._weights = integers
        self._cumulative = cumulative

    @property
    def total(self) -> int:
        """The sum of the integer weights, positive."""
        return self._cumulative[-1]

    def __len__(self) -> int:
        return len(self._weights)

    def __iter__(self) -> Iterator[int]:
        return iter(self._weights)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        return self._weights[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightedChoice):
            return NotImplemented
        return self._weights == other._weights

    def __hash__(self) -> int:
        return hash((WeightedChoice, self._weights))

    def __repr__(self) -> str:
        return f"WeightedChoice({list(self._weights)!r})"

    def at(self, position: int) -> int:
        """Return the index whose share of ``0 .. total - 1`` contains the position.

        Index i has the share of ``self[i]`` positions that follow those of the indices before it.
        """
        return bisect_right(self._cumulative, position)


def integer_weights(weights: Sequence[int | Fraction], argument: str) -> tuple[int, ...]:
    """Return integers in the same proportions as exact weights.

    Raises
    ------
    InvalidInput
        A weight is negative or not exact, or the weights are not a sequence.
    """
    try:
        numbers = tuple(weights)
    except TypeError:
        raise InvalidInput(
            argument, f"a value of type {type(weights).__name__}", "a sequence of weights"
        ) from None
    fractions: tuple[int | Fraction, ...] = numbers
    if not {int}.issuperset(map(type, numbers)):
        fractions = tuple(as_fraction(each, f"{argument}[{i}]") for i, each in enumerate(numbers))
    if numbers and min(fractions) < 0:
        index = next(index for index, number in enumerate(fractions) if number < 0)
        raise InvalidInput(
            f"{argument}[{index}]", in_words(fractions[index]), "a non-negative weight"
        )
    if fractions is numbers:
        return numbers  # type: ignore[return-value]  # integers only
    common = math.lcm(*(each.denominator for each in fractions))
    return tuple(each.numerator * (common // each.denominator) for each in fractions)


def exactly(value: object, argument: str) -> Fraction:
    """Return a number exactly; a float is taken at its exact binary value."""
    if not isinstance(value, float):
        return as_fraction(value, argument)
    if not math.isfinite(value):
        raise InvalidInput(argument, str(value), "a finite number")
    return exact_float(value)


def chance_of(value: object, argument: str, most: float = 1) -> Fraction:
    """Return a probability exactly, or a weight."""
    share = exactly(value, argument)
    if not 0 <= share <= most:
        wanted = "a probability" if most == 1 else "a non-negative weight"
        raise InvalidInput(argument, described(value), wanted)
    return share


def shares_of(p: object, count: int, name: str = "p") -> WeightedChoice:
    """Return probabilities as weights."""
    if not isinstance(p, Iterable) or isinstance(p, Mapping | str):
        raise InvalidInput(name, described(p), "a probability for each")
    parts = [chance_of(each, f"{name}[{i}]") for i, each in enumerate(p)]
    if len(parts) != count:
        raise InvalidInput(name, f"{len(parts)} probabilities", f"{count}, one for each")
    if abs(sum(parts, Fraction(-1))) > Fraction(1, 2**26):
        raise InvalidInput(name, f"probabilities that sum to {float(sum(parts)):g}", "a sum of 1")
    return WeightedChoice(parts)


def members(a: object, least: int = 1) -> Sequence[object]:
    """Return the possible choices: a sequence, an array, or the numbers below an integer."""
    if isinstance(a, Sequence) or is_array(a):
        values = cast("Sequence[object]", a)
    elif isinstance(a, Mapping | Iterable) or not hasattr(type(a), "__index__"):
        # Sets have no order that is the same from run to run.
        raise InvalidInput("rng", f"a choice from a value of type {type(a).__name__}", "a sequence")
    else:
        values = range(as_size(a, "a"))
    if len(values) < least:
        raise InvalidInput("rng", "a choice from nothing", "at least one value")
    return values


def shape_of(size: object) -> tuple[int, ...]:
    """Return the shape that ``size=`` asks for."""
    if isinstance(size, tuple | list):
        return tuple(as_size(each, "size") for each in size)
    return (as_size(size, "size"),)
