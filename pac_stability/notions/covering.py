"""Grids of distributions: what holds on the grid holds, up to a proved slack, for all of them.

A statement "for every distribution D on m elements" has a continuum of cases. The distributions
whose probabilities are multiples of 1/q are finitely many, every D is within the *mesh* of one of
them in total variation, and a mechanism on n draws reacts to a change of D by at most
:func:`power_distance`. So the maximum over the grid, and that maximum plus the slack, enclose the
supremum over all distributions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.arguments import as_fraction, as_number, as_size, distinct, in_words
from pac_stability.arithmetic import least_integer
from pac_stability.data import FiniteDistribution, count_multisets, multisets
from pac_stability.errors import InvalidInput

E = TypeVar("E")

MAX_GRID = 1_000_000
"""The largest number of grid points that is examined unless another limit is given."""


def grid(universe: Iterable[E], denominator: int) -> Iterator[FiniteDistribution[E]]:
    """Yield every distribution whose probabilities are multiples of 1/q, once each.

    Parameters
    ----------
    universe
        The m distinct elements.
    denominator
        q, at least 1: the grid has the multiples of 1/q.

    Returns
    -------
    iterator of FiniteDistribution
        :func:`count_grid` many, in lexicographic order.

    Raises
    ------
    InvalidInput
        An element is missing or repeated, or q is not a positive integer.

    Examples
    --------
    >>> for distribution in grid("ab", 2):
    ...     distribution
    FiniteDistribution({'a': 1})
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    FiniteDistribution({'b': 1})
    """
    q = as_size(denominator, "denominator", least=1)
    elements = _universe(universe)
    # A composition of q into m parts is a multiset of q elements.
    return (
        FiniteDistribution({e: Fraction(count, q) for e, count in parts.items()})
        for parts in multisets(elements, q)
    )


def count_grid(m: int, denominator: int) -> int:
    """Return the number of grid points: C(q + m - 1, q).

    Parameters
    ----------
    m
        The number of elements, at least 1.
    denominator
        q, at least 1: the grid has the multiples of 1/q.

    Raises
    ------
    InvalidInput
        m is not a positive integer, or q is not a positive integer.

    Examples
    --------
    >>> count_grid(4, 20)
    1771
    """
    return count_multisets(as_size(m, "m", least=1), as_size(denominator, "denominator", least=1))


def mesh(m: int, denominator: int) -> Fraction:
    """Return the largest total variation distance from a distribution to the nearest grid point.

    Parameters
    ----------
    m
        The number of elements, at least 1.
    denominator
        q, at least 1: the grid has the multiples of 1/q.

    Returns
    -------
    Fraction
        r (m - r) / (m q) with r = min(q, floor(m/2)): 1/(2q) for two elements, and about m/(4q).

    Raises
    ------
    InvalidInput
        m is not a positive integer, or q is not a positive integer.

    Notes
    -----
    Within: let q D have integer parts k and fractional parts f, of sum s, an integer. Rounding up
    the s largest parts and the others down gives a grid point at distance (sum of the m - s
    smallest f) / q <= (m - s) s / (m q), as the smallest of m numbers have at most their mean. The
    integer s is at most q and less than m, and (m - s) s is largest at r.

    Attained: let q D = k + r/m with integers k of sum q - r. A grid point is (k + d)/q with
    integers d of sum r. Say u of them are positive; these sum to max(r, u) at least, so the
    positive parts of d - r/m sum to max(r, u) - u r/m >= r - r^2/m, and the distance is at least
    r (m - r) / (m q).

    Examples
    --------
    >>> mesh(2, 10), mesh(5, 10)
    (Fraction(1, 20), Fraction(3, 25))
    """
    m = as_size(m, "m", least=1)
    q = as_size(denominator, "denominator", least=1)
    r = min(q, m // 2)
    return Fraction(r * (m - r), m * q)


def denominator_for(m: int, distance: Fraction) -> int:
    """Return the smallest q whose grid is within a distance of every distribution.

    Parameters
    ----------
    m
        The number of elements, at least 1.
    distance
        The mesh that suffices, positive.

    Raises
    ------
    InvalidInput
        m is not a positive integer, or the distance is not positive.

    Examples
    --------
    >>> denominator_for(5, Fraction(12, 100))
    10
    """
    m = as_size(m, "m", least=1)
    bound = as_number(distance, "distance")
    if bound <= 0:
        raise InvalidInput("distance", in_words(bound), "a positive distance")
    # The mesh is 1 - q/m while q <= m/2, and floor(m^2/4) / (m q), which is no less, from then on.
    coarse = max(1, math.ceil(m * (1 - bound)))
    if 2 * coarse <= m:
        return coarse
    return max(1, math.ceil(Fraction(m * m // 4, m) / bound))


def nearest(distribution: FiniteDistribution[E], denominator: int) -> FiniteDistribution[E]:
    """Return a grid point nearest to a distribution, on its support.

    Parameters
    ----------
    distribution
        D, on m outcomes.
    denominator
        q, at least 1: the grid has the multiples of 1/q.

    Returns
    -------
    FiniteDistribution
        Within ``mesh(m, q)`` of D in total variation.

    Raises
    ------
    InvalidInput
        q is not a positive integer.

    Examples
    --------
    >>> nearest(FiniteDistribution.uniform("abc"), 10)
    FiniteDistribution({'a': 2/5, 'b': 3/10, 'c': 3/10})
    """
    q = as_size(denominator, "denominator", least=1)
    scaled = {outcome: q * weight for outcome, weight in distribution.items()}
    rounded = {outcome: math.floor(weight) for outcome, weight in scaled.items()}
    largest_first = sorted(scaled, key=lambda outcome: rounded[outcome] - scaled[outcome])
    for outcome in largest_first[: q - sum(rounded.values())]:
        rounded[outcome] += 1
    return FiniteDistribution({outcome: Fraction(k, q) for outcome, k in rounded.items()})


def power_distance(distance: Fraction | int, n: int) -> Fraction:
    """Return 1 - (1 - eta)^n, a bound on TV(C^n, D^n) where TV(C, D) <= eta.

    Parameters
    ----------
    distance
        eta, between 0 and 1.
    n
        The number of independent draws.

    Raises
    ------
    InvalidInput
        eta is not a probability, or n is not a non-negative integer.

    Notes
    -----
    C and D have a coupling under which one draw of each differs with probability TV(C, D). Under n
    independent copies of it no coordinate differs with probability (1 - TV(C, D))^n. The bound is
    attained: take a point mass and (1 - eta, eta).

    Examples
    --------
    >>> power_distance(Fraction(1, 10), 2)
    Fraction(19, 100)
    """
    eta = as_number(distance, "distance")
    if not 0 <= eta <= 1:
        raise InvalidInput("distance", in_words(eta), "a distance between 0 and 1")
    return 1 - (1 - eta) ** as_size(n, "n")


@dataclass(frozen=True, slots=True)
class CertifiedBounds(Generic[E]):
    """An extremum over all distributions on the universe, enclosed by what a grid shows.

    Attributes
    ----------
    lower, upper
        Certified bounds on the supremum (or infimum) over all distributions.
    attained_by
        The grid point that has the value ``lower`` for a supremum, ``upper`` for an infimum.
    grid_points
        How many distributions were examined.
    mesh
        Every distribution is this close to one of them, in total variation.
    """

    lower: Fraction
    upper: Fraction
    attained_by: FiniteDistribution[E]
    grid_points: int
    mesh: Fraction


def certify_supremum(
    value: Callable[[FiniteDistribution[E]], Fraction],
    universe: Iterable[E],
    denominator: int,
    modulus: Callable[[Fraction], Fraction],
    *,
    relaxed: Callable[[FiniteDistribution[E], Fraction], Fraction] | None = None,
    max_grid: int = MAX_GRID,
) -> CertifiedBounds[E]:
    """Enclose the supremum of a value over all distributions on a finite universe.

    Parameters
    ----------
    value
        The value at a distribution.
    universe
        The m distinct elements.
    denominator
        q, at least 1: the grid has the multiples of 1/q.
    modulus
        What the value can grow by: for distributions C and D within eta of each other,
        ``value(D) <= relaxed(C, eta) + modulus(eta)``. It is called once, with the mesh.
    relaxed
        The value with its own parameters relaxed by eta, such as a deviation of more than
        alpha - eta in place of alpha; by default the value itself.
    max_grid
        The largest number of grid points to examine.

    Returns
    -------
    CertifiedBounds
        ``lower``, the largest value on the grid, and ``upper``, the largest relaxed value on it
        plus the modulus at the mesh.

    Raises
    ------
    InvalidInput
        An element is missing or repeated, q is not a positive integer, or the grid has more points
        than allowed; the message has the number, and the largest q that is allowed.

    Notes
    -----
    One or two evaluations for each of the C(q + m - 1, q) grid points, in the memory of one. The
    caller has to prove the inequality. For the probability of one event about n draws it holds with
    :func:`power_distance`.

    Examples
    --------
    The largest probability that three tosses of a coin show heads exactly once is 4/9.

    >>> def once(coin: FiniteDistribution[str]) -> Fraction:
    ...     return 3 * coin.probability("heads") * coin.probability("tails") ** 2
    >>> bounds = certify_supremum(
    ...     once, ["heads", "tails"], 30, lambda eta: power_distance(eta, 3))
    >>> bounds.lower, float(bounds.upper), bounds.attained_by.probability("heads")
    (Fraction(4, 9), 0.4936157407407407, Fraction(1, 3))
    """
    elements = _universe(universe)
    q = as_size(denominator, "denominator", least=1)
    size = count_grid(len(elements), q)
    if size > as_size(max_grid, "max_grid", least=1):
        allowed = _largest_denominator(len(elements), max_grid)
        raise InvalidInput(
            "denominator",
            f"{q}, a grid of {in_words(size)} distributions on {len(elements)} elements",
            f"at most {allowed}, or max_grid of at least {in_words(size)}"
            if allowed
            else f"max_grid of at least {in_words(size)}",
        )
    distance = mesh(len(elements), q)

    def exact(distribution: FiniteDistribution[E]) -> Fraction:
        return as_fraction(value(distribution), "value")

    def loosened(distribution: FiniteDistribution[E], here: Fraction) -> Fraction:
        return here if relaxed is None else as_fraction(relaxed(distribution, distance), "relaxed")

    points = grid(elements, q)
    attained_by = next(points)
    lower = exact(attained_by)
    highest = loosened(attained_by, lower)
    for distribution in points:
        here = exact(distribution)
        if here > lower:
            lower, attained_by = here, distribution
        highest = max(highest, loosened(distribution, here))
    upper = highest + as_fraction(modulus(distance), "modulus")
    return CertifiedBounds(lower, upper, attained_by, size, distance)


def certify_infimum(
    value: Callable[[FiniteDistribution[E]], Fraction],
    universe: Iterable[E],
    denominator: int,
    modulus: Callable[[Fraction], Fraction],
    *,
    max_grid: int = MAX_GRID,
) -> CertifiedBounds[E]:
    """Enclose the infimum of a value over all distributions on a finite universe.

    Parameters
    ----------
    value
        The value at a distribution.
    universe
        The m distinct elements.
    denominator
        q, at least 1: the grid has the multiples of 1/q.
    modulus
        What the value can fall by: for distributions C and D within eta of each other,
        ``value(D) >= value(C) - modulus(eta)``.
    max_grid
        The largest number of grid points to examine.

    Returns
    -------
    CertifiedBounds
        ``upper``, the smallest value on the grid, and ``lower``, which is less by the modulus at
        the mesh.

    Raises
    ------
    InvalidInput
        An element is missing or repeated, q is not a positive integer, or the grid has more points
        than allowed; the message has the number, and the largest q that is allowed.

    Examples
    --------
    >>> bounds = certify_infimum(
    ...     lambda coin: max(weight for _, weight in coin.items()), "ab", 10, lambda eta: eta)
    >>> bounds.lower, bounds.upper
    (Fraction(9, 20), Fraction(1, 2))
    """
    negated = certify_supremum(
        lambda distribution: -value(distribution), universe, denominator, modulus, max_grid=max_grid
    )
    return CertifiedBounds(
        -negated.upper, -negated.lower, negated.attained_by, negated.grid_points, negated.mesh
    )


def _universe(universe: Iterable[E]) -> tuple[E, ...]:
    elements = distinct(universe, "universe")
    if not elements:
        raise InvalidInput("universe", "no element", "at least one element")
    return elements


def _largest_denominator(m: int, points: int) -> int:
    """Return the largest q with at most so many grid points, for m >= 2; 0 if there is none."""
    # count_grid(2, q) = q + 1
    return least_integer(lambda q: count_grid(m, q) > points, 1, points + 1) - 1
