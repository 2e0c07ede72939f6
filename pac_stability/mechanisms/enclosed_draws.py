"""Exact draws with weights of which only enclosures are known."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, chain, pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins

Enclosures: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""Floors and ceilings of the weights, in one unit, one of each for every case."""

_WORD = 64
"""How many bits of the uniform number are drawn at first."""

_GUARD = 32
"""Bits of a power beyond those of the uniform number."""

_LEADING = 10
"""So many of them lead to a place in a table."""


def enclosed_choice(enclosed: Callable[[int], Enclosures], rng: Coins = SYSTEM_COINS) -> int:
    """Return an index, drawn with probability exactly in proportion to weights that are enclosed.

    Parameters
    ----------
    enclosed
        Given a number of bits, it returns integers ``floors[i] <= u w_i <= ceilings[i]`` for a unit
        u of its own choice. The weights w are positive and at least one; with more bits the bounds
        come closer, in relation to the sum of the weights, to any distance asked for.
    rng
        Where the coins come from; the operating system's entropy by default.

    Returns
    -------
    int
        The index i has exactly the probability ``w_i / (w_1 + ... + w_L)``.

    Raises
    ------
    InvalidInput
        There are no weights, or floors and ceilings do not enclose anything.

    Notes
    -----
    Let ``C_1 <= ... <= C_L = Z`` be the sums of the first weights. A uniform number U in [0, 1) is
    revealed bit by bit, and the answer is the l with ``C_(l-1) <= U Z < C_l``, whose probability is
    ``(C_l - C_(l-1)) / Z``. With b bits read, U is in ``[u, u + 1) / 2**b``; an index is returned
    only when every such U, and all sums within their bounds, give that one, and otherwise the bits
    and the precision are doubled. So rounding affects how many bits are read, never what is
    returned. U is on a boundary, and is never decided, with probability 0.

    Examples
    --------
    >>> import math
    >>> def roots(bits: int) -> tuple[list[int], list[int]]:  # of 2 and 3
    ...     below = [math.isqrt(n << 2 * bits) for n in (2, 3)]
    ...     return below, [root + 1 for root in below]
    >>> from pac_stability.randomness import SeededCoins
    >>> draws = [enclosed_choice(roots, SeededCoins(seed)) for seed in range(1000)]
    >>> sum(draws)  # 1 has the probability sqrt(3) / (sqrt(2) + sqrt(3)) = 0.5505
    545
    """
    return settled_choice(rng.below(1 << _WORD), _WORD, enclosed, rng)


def settled_choice(
    digits: int, bits: int, enclosed: Callable[[int], Enclosures], rng: Coins = SYSTEM_COINS
) -> int:
    """Return the index that a uniform number chooses of which some bits are known.

    Parameters
    ----------
    digits, bits
        U is in ``[digits, digits + 1) / 2**bits``.
    enclosed, rng
        As for :func:`enclosed_choice`; more bits of U come from there.

    Raises
    ------
    InvalidInput
        As for :func:`enclosed_choice`.
    """
    while True:
        floors, ceilings = enclosed(bits)
        if not floors or len(floors) != len(ceilings):
            given = f"{len(floors)} floors and {len(ceilings)} ceilings"
            raise InvalidInput("enclosed", given, "one of each for every weight, and at least one")
        index = decided(digits, bits, list(accumulate(floors)), list(accumulate(ceilings)))
        if index is not None:
            return index
        digits, bits = digits << bits | rng.below(1 << bits), 2 * bits


def decided(digits: int, bits: int, low: Sequence[int], high: Sequence[int]) -> int | None:
    """Return the index that is the only possible one, if there is one.

    Parameters
    ----------
    digits, bits
        U is in ``[digits, digits + 1) / 2**bits``.
    low, high
        Bounds on ``C_1, ..., C_L``.
    """
    # U Z is in [digits low[-1], (digits + 1) high[-1]) / 2**bits, and below Z = C_L in any case.
    ceiling = -(-(digits + 1) * high[-1] >> bits)
    index = min(bisect_left(low, ceiling), len(low) - 1)
    if index and high[index - 1] << bits > digits * low[-1]:
        return None
    return index


def borders(enclosed: Callable[[int], Enclosures], bits: int) -> tuple[list[int], list[int]]:
    """Return from which digits on a later case is possible, and from which it is certain.

    Parameters
    ----------
    enclosed
        As for :func:`enclosed_choice`.
    bits
        How many bits of a uniform number the digits are.

    Returns
    -------
    maybe, surely : list of int
        For case after case: from ``maybe[i]`` on a case after i is possible, from ``surely[i]`` on
        it is certain. There are none for the last case, nor after a case that no digits surely
        pass.

    Notes
    -----
    Let C be the sum of the first weights, and Z that of all. Digits u stand for the numbers in
    ``[u, u + 1) / 2**bits``: some may belong to a later case from ``u + 1 > 2**bits C/Z`` on, and
    all do from ``u >= 2**bits C/Z`` on.

    Examples
    --------
    >>> borders(lambda _bits: ([1, 2, 3], [1, 2, 3]), 8)
    ([42, 128], [43, 128])
    """
    floors, ceilings = enclosed(bits)
    low, high = list(accumulate(floors)), list(accumulate(ceilings))
    # Where the floors of all later cases are 0, none of them is ever certain.
    told = min(1 + bisect_left(low, low[-1]), len(low) - 1)
    maybe = [(each << bits) // high[-1] for each in low[:told]]
    surely = [-(-(each << bits) // low[-1]) for each in high[:told]]
    return maybe, surely


class BorderedChoice:
    """A choice with weights that are enclosed, made ready to be made many times.

    Parameters
    ----------
    enclosed
        As for :func:`enclosed_choice`.

    Notes
    -----
    Words of 64 bits are compared with :func:`borders`. The first bits of a word say after how many
    borders it lies at least; where there are more between it and these bits, they are searched.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> thirds = BorderedChoice(lambda _bits: ([1, 2], [1, 2]))
    >>> words = np.array([0, 2**63, 2**64 - 1], dtype=np.uint64)
    >>> thirds.at(words, SeededCoins(1)).tolist()
    [0, 1, 1]
    """

    def __init__(self, enclosed: Callable[[int], Enclosures]) -> None:
        self._enclosed = enclosed
        maybe, surely = borders(enclosed, _WORD)
        self._maybe = _as_words(maybe)
        self._surely = _as_words(surely)
        begins = np.arange(1 << _LEADING, dtype=np.uint64) << np.uint64(_WORD - _LEADING)
        self._least = self._surely.searchsorted(begins, side="right").astype(np.int64)

    def at(self, digits: npt.NDArray[np.uint64], rng: Coins) -> npt.NDArray[np.int64]:
        """Return the indices that uniform numbers choose, of which 64 bits are known.

        Parameters
        ----------
        digits
            These bits, shape (k,).
        rng
            Where more come from, where these leave the index open.
        """
        found = self._least.take((digits >> np.uint64(_WORD - _LEADING)).astype(np.intp))
        later = np.flatnonzero(self._surely.take(found) <= digits)
        # The last border is beyond all words; the greatest word alone is not below it.
        found[later] = self._surely[:-1].searchsorted(digits[later], side="right")
        for place in np.flatnonzero(self._maybe.take(found) <= digits).tolist():
            found[place] = settled_choice(int(digits[place]), _WORD, self._enclosed, rng)
        return found


def _as_words(borders: list[int]) -> npt.NDArray[np.uint64]:
    """Return increasing numbers as words, leaving out those that no word reaches, and the last."""
    last = (1 << _WORD) - 1
    return np.array([*(each for each in borders if each <= last), last], dtype=np.uint64)


def enclosed_powers(
    exponents: Sequence[int], decay: Fraction, bits: int
) -> tuple[list[int], list[int]]:
    """Enclose powers of a decay between integers.

    Parameters
    ----------
    exponents
        Non-negative and increasing.
    decay
        rho, above 0 and at most 1.
    bits
        The unit of the results is ``2**-bits``.

    Returns
    -------
    floors, ceilings : list of int
        ``floors[i] <= 2**bits * decay**exponents[i] <= ceilings[i]``, at most ``3 exponents[i]``
        apart, until a floor is 0; what comes after shares its ceiling.

    Notes
    -----
    Each power is the one before times that of the gap between them, which is made of squares. Gaps
    that differ add up to the last exponent K at most, so there are ``O(sqrt(K))``.

    Examples
    --------
    >>> enclosed_powers([0, 1, 5], Fraction(2, 3), 10)
    ([1024, 682, 133], [1024, 683, 137])
    """
    low = (decay.numerator << bits) // decay.denominator
    squares = [(low, -((-decay.numerator << bits) // decay.denominator))]
    low = high = 1 << bits
    known: dict[int, tuple[int, int]] = {}
    floors: list[int] = []
    ceilings: list[int] = []
    for last, exponent in pairwise(chain([0], exponents)):
        gap = exponent - last
        if gap not in known:
            known[gap] = _enclosed_power(gap, squares, bits)
        low_part, high_part = known[gap]
        low, high = low * low_part >> bits, -(-high * high_part >> bits)
        floors.append(low)
        ceilings.append(high)
        if not low:  # later powers are smaller still
            break
    rest = len(exponents) - len(floors)
    return floors + [0] * rest, ceilings + [high] * rest


def _enclosed_power(exponent: int, squares: list[tuple[int, int]], bits: int) -> tuple[int, int]:
    """Enclose a power, given those whose exponents are powers of two; more of these are put in."""
    while exponent >> len(squares):
        low, high = squares[-1]
        squares.append((low * low >> bits, -(-high * high >> bits)))
    low = high = 1 << bits
    for place, (low_square, high_square) in enumerate(squares):
        if exponent >> place & 1:
            low, high = low * low_square >> bits, -(-high * high_square >> bits)
    return low, high


def enclosed_power(exponent: int, decay: Fraction, bits: int) -> tuple[int, int]:
    """Return the floor and the ceiling of a power in units of ``2**-bits``, or integers beyond.

    Examples
    --------
    >>> enclosed_power(5, Fraction(2, 3), 10)
    (134, 135)
    """
    (low,), (high,) = enclosed_powers([exponent], decay, bits + _GUARD)
    return low >> _GUARD, -(-high >> _GUARD)
