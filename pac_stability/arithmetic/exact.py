"""Integer functions of exact numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from pac_stability.arguments import as_fraction, as_size, in_words
from pac_stability.errors import InvalidInput


def floor_log2(value: int | Fraction) -> int:
    """Return the largest integer ``k`` with ``2**k <= value``.

    Parameters
    ----------
    value
        A positive exact number.

    Returns
    -------
    int
        The exponent, negative when ``value < 1``.

    Raises
    ------
    InvalidInput
        ``value`` is not an exact number, or not positive.

    Examples
    --------
    >>> floor_log2(8), floor_log2(7), floor_log2(Fraction(1, 3))
    (3, 2, -2)
    """
    number = as_fraction(value, "value")
    if number <= 0:
        raise InvalidInput("value", in_words(number), "a positive number")
    # The bit lengths put the logarithm between guess - 1 (excluded) and guess + 1 (excluded).
    guess = number.numerator.bit_length() - number.denominator.bit_length()
    reached = (
        number.numerator >= number.denominator << guess
        if guess >= 0
        else number.numerator << -guess >= number.denominator
    )
    return guess if reached else guess - 1


def multinomial(counts: Iterable[int]) -> int:
    """Return the number of ways to order a multiset with the given multiplicities.

    Parameters
    ----------
    counts
        Non-negative multiplicities ``n_1, ..., n_k``.

    Returns
    -------
    int
        ``(n_1 + ... + n_k)! / (n_1! ... n_k!)``; one for no counts.

    Raises
    ------
    InvalidInput
        A count is no non-negative integer.

    Examples
    --------
    >>> multinomial([2, 1, 1])
    12
    """
    total, orders = 0, 1
    for count in counts:
        size = as_size(count, "counts")
        total += size
        orders *= math.comb(total, size)
    return orders
