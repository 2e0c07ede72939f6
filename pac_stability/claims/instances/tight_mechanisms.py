"""Mechanisms with which statements about laws are tight, or nearly so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from pac_stability.claims.instances.mechanisms import TabledMechanism
from pac_stability.data import FiniteDistribution, Multiset, multisets

Weights = Callable[[Multiset[int]], Iterable[Fraction | int]]
"""From a multiset to the weights of the outputs 0, 1, 2, ..."""


def weighted(elements: int, n: int, weights: Weights) -> TabledMechanism:
    """Return the mechanism whose outputs have probabilities in proportion to weights.

    Examples
    --------
    >>> print(weighted(2, 1, lambda kind: (1, 1 + kind.count(1))))
    M(0: 0|1/2 1|1/2; 1: 0|1/3 1|2/3)
    """
    laws = {}
    for kind in multisets(range(elements), n):
        listed = [Fraction(w) for w in weights(kind)]
        total = sum(listed)
        laws[kind] = FiniteDistribution({y: w / total for y, w in enumerate(listed) if w})
    return TabledMechanism(elements, n, laws)


def telling(elements: int, n: int, share: Fraction) -> TabledMechanism:
    """Return the mechanism that tells the multiset with a probability, and otherwise nothing.

    With the law of always telling nothing as the simulator it is (0, 0, ``share``)-perfectly
    generalizing.

    Examples
    --------
    >>> print(telling(2, 1, Fraction(1, 4)))
    M(0: 0|3/4 1|1/4; 1: 0|3/4 2|1/4)
    """
    numbers = {kind: i for i, kind in enumerate(multisets(range(elements), n), 1)}
    laws = {kind: FiniteDistribution({0: 1 - share, i: share}) for kind, i in numbers.items()}
    return TabledMechanism(elements, n, laws)


def telling_one(elements: int, n: int) -> TabledMechanism:
    """Return the mechanism that tells whether the sample has each element equally often.

    It is (beta, 0, 0)-perfectly generalizing, beta the probability of that on uniform elements,
    where ``elements`` divides ``n``; and it is not private.

    Examples
    --------
    >>> print(telling_one(2, 2))
    M(00: 0|1; 01: 1|1; 11: 0|1)
    """

    def laws(kind: Multiset[int]) -> Iterable[int]:
        even = all(kind.count(x) * elements == n for x in range(elements))
        return (1 - even, even)

    return weighted(elements, n, laws)


def counting(n: int, factor: Fraction, delta: Fraction) -> TabledMechanism:
    """Return a mechanism on bits that is private with a factor and delta, and no less.

    One more 1 in the sample takes the probability p of the output 1 to ``factor * p + delta``.

    Examples
    --------
    >>> print(counting(2, Fraction(2), Fraction(1, 8)))
    M(00: 0|1; 01: 0|7/8 1|1/8; 11: 0|5/8 1|3/8)
    """
    chances = [Fraction(0)]
    for _ in range(n):
        chances.append(factor * chances[-1] + delta)
    return weighted(2, n, lambda kind: (1 - chances[kind.count(1)], chances[kind.count(1)]))


def steep(n: int, factor: Fraction, directions: str) -> TabledMechanism:
    """Return a mechanism on bits with an output 0 that is likely, and rare ones that grow steadily.

    Parameters
    ----------
    n
        The size of the samples.
    factor
        What one more 1, or one more 0, multiplies the weight of a rare output with.
    directions
        For each rare output, ``"1"`` or ``"0"``: with which of the two it grows.

    Examples
    --------
    >>> print(steep(1, Fraction(2), "1"))
    M(0: 0|2000/2001 1|1/2001; 1: 0|1000/1001 1|1/1001)
    """
    likely = 1000 * factor**n
    return weighted(
        2, n, lambda kind: (likely, *(factor ** kind.count(int(bit)) for bit in directions))
    )
