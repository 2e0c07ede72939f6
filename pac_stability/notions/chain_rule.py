"""Chains of close laws: what closeness of neighbours in a chain implies for its two ends.

If J1 and J2 are (epsilon, delta)-close, and J2 and J3 are (epsilon', delta')-close, then with the
factors t = e**epsilon and t' = e**epsilon' the laws J1 and J3 are close with

    epsilon + epsilon'   and   max(delta + t delta', delta' + t' delta).

CLNRW16, Lemma 9 and Corollary 10 have the special cases of epsilons below ln 2, where it is at most
2 (delta + delta').
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arguments import AnyNumber, as_probability, as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.arithmetic.epsilon import factor_of
from pac_stability.errors import InvalidInput

Link: TypeAlias = tuple[Epsilon, AnyNumber]
"""The parameters (epsilon, delta) with which two laws are close."""


def chain(links: Iterable[Link]) -> tuple[Epsilon, Fraction]:
    """Return parameters with which the two ends of a chain of laws are close.

    Parameters
    ----------
    links
        For each two laws that follow one another, the (epsilon, delta) with which they are close;
        at least one.

    Returns
    -------
    (Epsilon, Fraction)
        The sum of the epsilons and the delta of the ends. A delta of 1 or more is vacuous.

    Raises
    ------
    InvalidInput
        There is no link, an epsilon is not an ``Epsilon``, or a delta is not an exact probability.

    Notes
    -----
    From J1 to the last law, each delta counts times the factors of the links before it; backwards,
    times those after it; the larger sum is returned. For two links it is the best possible delta
    unless that is large: :func:`least_chained_delta`. CLNRW16, Lemma 9.

    Examples
    --------
    >>> link = (Epsilon.exactly(2), Fraction(1, 100))
    >>> chain([link, link]) == (Epsilon.exactly(4), Fraction(3, 100))
    True
    >>> chain([link, (Epsilon.exactly(3), 0)])[1]
    Fraction(3, 100)
    """
    exact = [(factor_of(epsilon), as_probability(delta, "delta")) for epsilon, delta in links]
    if not exact:
        raise InvalidInput("links", "none", "at least one link")
    ratio, forwards = _carried(exact)
    _, backwards = _carried(exact[::-1])
    return Epsilon.exactly(ratio), max(forwards, backwards)


def chain_of_equal_links(
    epsilon: Epsilon, delta: AnyNumber, length: int
) -> tuple[Epsilon, Fraction]:
    """Return parameters with which the ends of a chain of equal links are close.

    Parameters
    ----------
    epsilon, delta
        The parameters of each link.
    length
        k, the number of links, zero or more.

    Returns
    -------
    (Epsilon, Fraction)
        k epsilon, and delta (t**k - 1) / (t - 1) for the factor t of epsilon: delta k when t = 1. A
        delta of 1 or more is vacuous.

    Raises
    ------
    InvalidInput
        As for :func:`chain`, or the length is not a non-negative integer.

    Examples
    --------
    >>> chain_of_equal_links(Epsilon.exactly(2), Fraction(1, 100), 4)[1]
    Fraction(3, 20)
    """
    t, d, k = factor_of(epsilon), as_probability(delta, "delta"), as_size(length, "length")
    return epsilon * k, d * (k if t == 1 else (t**k - 1) / (t - 1))


def least_chained_delta(first: Link, second: Link) -> Fraction:
    """Return the smallest delta that follows for the ends of a chain of two links.

    Parameters
    ----------
    first, second
        The (epsilon, delta) of J1 and J2, and that of J2 and J3.

    Returns
    -------
    Fraction
        The smallest delta such that all J1 and J3 with these links are (epsilon + epsilon',
        delta)-close. It equals that of :func:`chain` when this is small, and never exceeds 1.

    Raises
    ------
    InvalidInput
        As for :func:`chain`.

    Notes
    -----
    In one direction it is min(delta + t delta', (t - 1 + delta + delta') / t, 1). An event E of
    probability 0 under J3 has probability at most delta' under J2, hence at most the first bound
    under J1. The second bound is the same step for the complement of E, from J2 to J1. Laws with
    two outcomes attain it. Other probabilities of E under J3 give no more, because J1(E) grows by
    at most t t' times as much.

    Examples
    --------
    >>> often = (Epsilon.exactly(2), Fraction(1, 3))
    >>> least_chained_delta(often, often), chain([often, often])[1]
    (Fraction(5, 6), Fraction(1, 1))
    """
    (epsilon, delta), (next_epsilon, next_delta) = first, second
    t, d = factor_of(epsilon), as_probability(delta, "delta")
    next_t, next_d = factor_of(next_epsilon), as_probability(next_delta, "delta")
    return max(_one_way(t, d, next_d), _one_way(next_t, next_d, d))


def _carried(links: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return the product of the factors, and the deltas summed times the factors before them."""
    ratio, total = Fraction(1), Fraction(0)
    for t, delta in links:
        total += ratio * delta
        ratio *= t
    return ratio, total


def _one_way(t: Fraction, delta: Fraction, next_delta: Fraction) -> Fraction:
    """Return how likely an event can be under J1 that never happens under J3."""
    return min(delta + t * next_delta, (t - 1 + delta + next_delta) / t, Fraction(1))
