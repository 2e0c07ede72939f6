"""Grids of distributions: what holds on the grid holds, up to a proved slack, for all of them.

A statement "for every distribution D on m elements" has a continuum of cases. The distributions
whose probabilities are multiples of 1/q are finitely many, every D is within the *mesh* of one of
them in total variation, and a mechanism on n draws notices a change of D by at most
:func:`power_distance`. So the maximum over the grid, and that maximum plus the slack, enclose the
supremum over all distributions.

The relation h <= lambda g + kappa between predictors (DF20, Appendix A).

A predictor gives each point x a probability of label 1, here ``h[x]``. Its probability of the label
other than y is |h(x) - y|, and h <= lambda g + kappa means that for all points x and labels y

    |h(x) - y| <= lambda |g(x) - y| + kappa.

Stability and privacy of predictions are this relation between neighbouring samples: gamma-stability
with lambda = 1 and kappa = gamma, (epsilon, delta)-privacy with lambda = e**epsilon and
kappa = delta. The rules below are how such relations are chained in proofs.

Chains of close laws: what closeness of neighbours in a chain says of its two ends.

If J1 and J2 are (epsilon, delta)-close, and J2 and J3 are (epsilon', delta')-close, then with the
factors t = e**epsilon and t' = e**epsilon' the laws J1 and J3 are close with

    epsilon + epsilon'   and   max(delta + t delta', delta' + t' delta).

CLNRW16, Lemma 9 and Corollary 10 have the special cases of epsilons below ln 2, where it is at most
2 (delta + delta').
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    ExactNumber,
    as_fraction,
    as_number,
    as_size,
    distinct,
    in_words,
)
from pac_stability.arithmetic import Epsilon
from pac_stability.data import FiniteDistribution, count_multisets, multisets
from pac_stability.errors import InvalidInput
from pac_stability.notions.frontier import factor_of, probability_of

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
        An element is missing or repeated, or q is no positive integer.

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
        m is no positive integer, or q is no positive integer.

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
        m is no positive integer, or q is no positive integer.

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
        m is no positive integer, or the distance is not positive.

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
        q is no positive integer.

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
        eta is no probability, or n is no non-negative integer.

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
        An element is missing or repeated, q is no positive integer, or the grid has more points
        than allowed; the message has the number, and the largest q that is allowed.

    Notes
    -----
    One or two evaluations for each of the C(q + m - 1, q) grid points; memory of one of them. The
    inequality is the caller's to prove; for the probability of an event about n draws, the same at
    C and D, it holds with :func:`power_distance`.

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
        An element is missing or repeated, q is no positive integer, or the grid has more points
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
    low, high = 0, points  # count_grid(2, q) = q + 1
    while low < high:
        q = (low + high + 1) // 2
        low, high = (q, high) if count_grid(m, q) <= points else (low, q - 1)
    return low


# The relation h <= lambda g + kappa between predictors (DF20, Appendix A)

P = TypeVar("P")

Predictor: TypeAlias = Mapping[P, Fraction | int]
"""The probability of label 1 at each point."""


@dataclass(frozen=True, slots=True, repr=False)
class Domination(Tabled):
    """A factor lambda and a slack kappa, as in h <= lambda g + kappa.

    Parameters
    ----------
    factor
        lambda, a non-negative exact number.
    slack
        kappa, a non-negative exact number.

    Raises
    ------
    InvalidInput
        The factor is negative or not exact, or the slack is negative or not exact.

    Examples
    --------
    Two private steps, one after the other:

    >>> step = Domination.of_privacy(Epsilon.exactly(2), Fraction(1, 100))
    >>> step.then(step)
    <Domination: factor 4, slack 3/100 (0.03)>
    """

    factor: Fraction
    slack: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", _non_negative(self.factor, "factor"))
        object.__setattr__(self, "slack", _non_negative(self.slack, "slack"))

    @classmethod
    def of_stability(cls, gamma: AnyNumber) -> Domination:
        """Return what gamma-stability says of the predictors of neighbouring samples."""
        return cls(Fraction(1), _non_negative(gamma, "gamma"))

    @classmethod
    def of_privacy(cls, epsilon: Epsilon, delta: AnyNumber = 0) -> Domination:
        """Return what (epsilon, delta)-private prediction says of those predictors."""
        return cls(factor_of(epsilon), probability_of(delta))

    def holds(self, h: Predictor[P], g: Predictor[P]) -> bool:
        """Return whether h <= lambda g + kappa.

        Parameters
        ----------
        h, g
            Predictors on the same points.

        Raises
        ------
        InvalidInput
            The predictors have different points or none, or a value is no exact probability.
        """
        return minimal_slack(h, g, self.factor) <= self.slack

    def then(self, after: Domination) -> Domination:
        """Return what follows for h and f from h <= lambda g + kappa and this other relation.

        Parameters
        ----------
        after
            The relation between g and f.
        """
        return Domination(self.factor * after.factor, self.factor * after.slack + self.slack)

    def as_stability(self) -> Domination:
        """Return the relation with factor 1 that follows, because |g(x) - y| <= 1.

        When the relation holds in both directions, as between all neighbours, much less slack
        follows: :func:`pac_stability.notions.private_prediction.implied_stability`.
        """
        return Domination(Fraction(1), self.slack + max(self.factor - 1, Fraction(0)))


def minimal_slack(h: Predictor[P], g: Predictor[P], factor: ExactNumber) -> Fraction:
    """Return the smallest kappa >= 0 with h <= lambda g + kappa.

    Parameters
    ----------
    h, g
        Predictors on the same points.
    factor
        lambda, a non-negative exact number.

    Returns
    -------
    Fraction

    Raises
    ------
    InvalidInput
        The predictors have different points or none, a value is no exact probability, or the factor
        is negative or not exact.

    Notes
    -----
    Time linear in the number of points.

    Examples
    --------
    >>> minimal_slack({"a": Fraction(3, 4)}, {"a": Fraction(1, 2)}, 1)
    Fraction(1, 4)
    """
    scale = _non_negative(factor, "factor")
    return max(Fraction(0), *(of_h - scale * of_g for of_h, of_g in _probabilities(h, g)))


def minimal_factor(h: Predictor[P], g: Predictor[P], slack: ExactNumber = 0) -> Fraction | float:
    """Return the smallest lambda >= 0 with h <= lambda g + kappa, or infinity.

    Parameters
    ----------
    h, g
        Predictors on the same points.
    slack
        kappa, a non-negative exact number.

    Returns
    -------
    Fraction or math.inf

    Raises
    ------
    InvalidInput
        The predictors have different points or none, a value is no exact probability, or the slack
        is negative or not exact.

    Notes
    -----
    Time linear in the number of points.

    Examples
    --------
    >>> minimal_factor({"a": Fraction(3, 4)}, {"a": Fraction(1, 2)}, Fraction(1, 4))
    Fraction(1, 1)
    """
    allowed = _non_negative(slack, "slack")
    missing = [(of_h - allowed, of_g) for of_h, of_g in _probabilities(h, g) if of_h > allowed]
    if not all(of_g for _, of_g in missing):
        return math.inf
    return max((rest / of_g for rest, of_g in missing), default=Fraction(0))


def mixture(components: Iterable[tuple[AnyNumber, Predictor[P]]]) -> dict[P, Fraction]:
    """Return the predictor that picks one of several at random.

    If h_i <= lambda g_i + kappa for all i, the same holds between the two mixtures.

    Parameters
    ----------
    components
        Pairs (weight, predictor), the weights non-negative and of sum one, the predictors on the
        same points.

    Returns
    -------
    dict
        The probability of label 1 at each point, in the order of the first predictor.

    Raises
    ------
    InvalidInput
        The weights are no probabilities, or the predictors have different points or values that are
        no probabilities.

    Examples
    --------
    >>> mixture([(Fraction(1, 3), {"a": 1}), (Fraction(2, 3), {"a": 0})])
    {'a': Fraction(1, 3)}
    """
    kept = [(_non_negative(weight, "components"), predictor) for weight, predictor in components]
    total = sum((weight for weight, _ in kept), Fraction())
    if total != 1:
        raise InvalidInput("components", f"weights of sum {in_words(total)}", "weights of sum 1")
    points = kept[0][1].keys()
    for _, predictor in kept:
        _require_same_points(points, predictor.keys(), "components")
    return {
        x: sum((w * _probability(h[x], "components") for w, h in kept), Fraction()) for x in points
    }


def _probabilities(h: Predictor[P], g: Predictor[P]) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield |h(x) - y| and |g(x) - y| for all points x and labels y."""
    _require_same_points(h.keys(), g.keys(), "g")
    if not h:
        raise InvalidInput("h", "a predictor on no point", "at least one point")
    for x, value in h.items():
        of_h, of_g = _probability(value, "h"), _probability(g[x], "g")
        yield of_h, of_g
        yield 1 - of_h, 1 - of_g


def _require_same_points(one: Iterable[P], other: Iterable[P], argument: str) -> None:
    if set(one) != set(other):
        raise InvalidInput(argument, "predictors on different points", "the same points")


def _probability(value: Fraction | int, argument: str) -> Fraction:
    exact = _non_negative(value, argument)
    if exact > 1:
        raise InvalidInput(argument, in_words(exact), "probabilities")
    return exact


def _non_negative(value: AnyNumber, argument: str) -> Fraction:
    exact = as_fraction(value, argument)
    if exact < 0:
        raise InvalidInput(argument, in_words(exact), "a non-negative number")
    return exact


# Chains of close laws: what closeness of neighbours in a chain says of its two ends

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
        The sum of the epsilons and the delta of the ends. A delta of 1 or more says nothing.

    Raises
    ------
    InvalidInput
        There is no link, an epsilon is no ``Epsilon``, or a delta is no exact probability.

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
    exact = [(factor_of(epsilon), probability_of(delta)) for epsilon, delta in links]
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
        k epsilon, and delta (t**k - 1) / (t - 1) for the factor t of epsilon: delta k when t = 1.
        A delta of 1 or more says nothing.

    Raises
    ------
    InvalidInput
        As for :func:`chain`, or the length is no non-negative integer.

    Examples
    --------
    >>> chain_of_equal_links(Epsilon.exactly(2), Fraction(1, 100), 4)[1]
    Fraction(3, 20)
    """
    t, d, k = factor_of(epsilon), probability_of(delta), as_size(length, "length")
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
        The smallest delta such that all J1 and J3 that are so linked are (epsilon + epsilon',
        delta)-close. It is that of :func:`chain` when this is small, and never more than 1.

    Raises
    ------
    InvalidInput
        As for :func:`chain`.

    Notes
    -----
    In one direction it is min(delta + t delta', (t - 1 + delta + delta') / t, 1). An event E of
    probability 0 under J3 has at most delta' under J2, and then at most the first under J1; the
    second bound is the same step for the complement of E, from J2 to J1. Laws with two outcomes
    attain it; other probabilities of E under J3 give no more, for J1(E) grows by at most t t' times
    as much.

    Examples
    --------
    >>> often = (Epsilon.exactly(2), Fraction(1, 3))
    >>> least_chained_delta(often, often), chain([often, often])[1]
    (Fraction(5, 6), Fraction(1, 1))
    """
    (epsilon, delta), (next_epsilon, next_delta) = first, second
    t, d = factor_of(epsilon), probability_of(delta)
    next_t, next_d = factor_of(next_epsilon), probability_of(next_delta)
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
