"""Exact weights of a random choice, as integers."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import final, overload

from pac_stability.arithmetic import as_fraction
from pac_stability.errors import InvalidInput


@final
class WeightedChoice(Sequence[int]):
    """Weights made ready for repeated draws; pass it to ``Coins.choose`` in place of the list.

    As a sequence it is the weights over their common denominator: integers in the same proportions.

    Parameters
    ----------
    weights
        Non-negative exact numbers, not all zero. Floats are refused.

    Attributes
    ----------
    total : int
        The sum of the integer weights.

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
    >>> list(table), table.total
    ([3, 2], 5)
    >>> SeededCoins(1).choose(table) in (0, 1)
    True
    """

    __slots__ = ("_cumulative", "_weights", "total")

    def __init__(self, weights: Sequence[int | Fraction]) -> None:
        integers = _integers(weights)
        cumulative = list(accumulate(integers))
        if not cumulative or cumulative[-1] == 0:
            raise InvalidInput("weights", "a total of 0", "at least one positive weight")
        self._weights = integers
        self._cumulative = cumulative
        self.total: int = cumulative[-1]

    def __len__(self) -> int:
        return len(self._weights)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        return self._weights[index]

    def at(self, position: int) -> int:
        """Return the index whose share of ``0 .. total - 1`` contains the position."""
        return bisect_right(self._cumulative, position)


def _integers(weights: Sequence[int | Fraction]) -> tuple[int, ...]:
    """Return integers in the same proportions as the exact weights."""
    numbers = tuple(weights)
    if not {int}.issuperset(map(type, numbers)):
        fractions = [
            as_fraction(number, f"weights[{index}]") for index, number in enumerate(numbers)
        ]
        common = math.lcm(*(fraction.denominator for fraction in fractions))
        numbers = tuple(
            fraction.numerator * (common // fraction.denominator) for fraction in fractions
        )
    if numbers and min(numbers) < 0:
        index = next(index for index, number in enumerate(numbers) if number < 0)
        raise InvalidInput(f"weights[{index}]", f"{numbers[index]}", "a non-negative weight")
    return numbers  # type: ignore[return-value]  # every branch above left integers only
