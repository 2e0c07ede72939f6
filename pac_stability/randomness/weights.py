"""Exact weights of a random choice, as integers."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import final, overload

from pac_stability.arguments import as_fraction, in_words
from pac_stability.errors import InvalidInput


@final
class WeightedChoice(Sequence[int]):
    """Weights made ready for repeated draws; pass it to ``Coins.choose`` in place of the list.

    As a sequence it is the weights over their common denominator: integers in the same proportions.
    Immutable; equal when these integers are the same.

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
    """Return integers in the same proportions as exact weights: these over their denominator.

    Raises
    ------
    InvalidInput
        A weight is negative or not exact, or they are no sequence.
    """
    try:
        numbers = tuple(weights)
    except TypeError:
        raise InvalidInput(
            argument, f"a value of type {type(weights).__name__}", "a sequence of weights"
        ) from None
    if not {int}.issuperset(map(type, numbers)):
        fractions = [
            as_fraction(number, f"{argument}[{index}]") for index, number in enumerate(numbers)
        ]
        common = math.lcm(*(fraction.denominator for fraction in fractions))
        numbers = tuple(
            fraction.numerator * (common // fraction.denominator) for fraction in fractions
        )
    if numbers and min(numbers) < 0:
        index = next(index for index, number in enumerate(numbers) if number < 0)
        raise InvalidInput(
            f"{argument}[{index}]", in_words(numbers[index]), "a non-negative weight"
        )
    return numbers  # type: ignore[return-value]  # every branch above left integers only
