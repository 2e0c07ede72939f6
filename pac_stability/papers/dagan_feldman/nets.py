"""Nets, covers, patterns and uniform convergence (Section 2.1, Lemmas 4 to 6, Remark 14).

A set of points is an alpha-net for H when hypotheses that agree on it differ with probability at
most alpha: when it *hits* every difference of two hypotheses that is heavier than alpha.
:func:`pac_stability.dimensions.is_alpha_net` decides that for one set. Here the set is random: the
points of a uniformly random set of n' of the n indices of a sample, which is what DF20's learners
draw, or n' independent draws from a distribution, as in Lemma 4.

``H.representatives_on(points)`` of any family is H_T for one choice of representatives. The
theorems hold for every choice, as long as it is a function of the *set of points* of T alone: two
samples with the same T must get the same H_T. :class:`ChosenRepresentatives` makes choices
explicit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb, floor, inf
from typing import TypeVar

import numpy as np

from pac_stability.arguments import AnyNumber, as_probability, as_size, in_words
from pac_stability.arithmetic import Interval, least_integer
from pac_stability.classes import Family, FiniteClass, Hypothesis, KnownValue, Restriction, Row
from pac_stability.classes.validation import canonical_order
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.data.neighbouring import Multiset, multisets
from pac_stability.errors import BudgetExhausted, InvalidInput


def as_subsample(n: int, size: int) -> tuple[int, int]:
    """Return the size n of a sample and the number n' of its indices that are drawn."""
    n, size = as_size(n, "n"), as_size(size, "size")
    if size > n:
        raise InvalidInput("size", in_words(size), f"at most {n}, the size of the sample")
    return n, size


# How likely a random set of points is an alpha-net, exactly (DF20, Section 2.1 and Lemma 4)

MAX_STATES = 1_000_000
"""How many states :class:`IndexNets` and :class:`DrawnNets` may keep at a time."""


class _RandomNets(ABC):
    """What the two ways to draw points have in common: a failure probability that decreases."""

    __slots__ = ()

    @abstractmethod
    def failure(self, size: int) -> Fraction:
        """Return the probability that the points are not a net.

        Parameters
        ----------
        size
            n', the number of draws; of indices, at most the size of the sample.
        """

    def least_size(self, beta: AnyNumber) -> int:
        """Return the least number of points that are a net with probability 1 - beta.

        Parameters
        ----------
        beta
            The failure probability allowed, an exact number above 0 and at most 1.

        Raises
        ------
        InvalidInput
            beta is not exact or out of range.

        Notes
        -----
        A bisection over :meth:`failure`: a further point never harms a net.
        """
        allowed = as_probability(beta, "beta")
        if allowed == 0:
            raise InvalidInput("beta", "0", "a number above 0 and at most 1")
        whole = self._whole()
        return least_integer(lambda size: size >= whole or self.failure(size) <= allowed, 0)

    def _whole(self) -> float:
        return inf


@dataclass(frozen=True, slots=True)
class IndexNets(_RandomNets):
    """The points of a uniformly random set of indices of a sample, as a net for H.

    Parameters
    ----------
    H
        A class or a family.
    sample
        S, whose uniform distribution weighs the differences. Its labels do not matter.
    alpha
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        alpha is out of range, or a point is not in the domain.
    BudgetExhausted
        There were more than :data:`MAX_STATES` states.

    Notes
    -----
    The sets of distinct points that hit every heavy difference are counted point by point. A state
    is the family of the remaining parts of those heavy differences that are begun and not hit, so
    the cost is the number of states; there are few for classes on a line, and at most 2^m on m
    points. All subset sizes are served by one count. Heavy differences cost O(P^2 m) for P
    patterns.

    DF20 Lemma 4, in the form in which Lemmas 13 and 15 use it. Redrawing until n' *different*
    points are seen, as in the lemma, may never end; a set of indices always exists, and fails at
    most as often as n' independent draws from S.

    Examples
    --------
    >>> from pac_stability import classes
    >>> nets = IndexNets(classes.thresholds(4), Sample(range(4), [0] * 4), Fraction(1, 4))
    >>> [nets.failure(size) for size in range(3)]
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 2)]
    >>> nets.least_size("1/10")
    3
    """

    H: Family
    sample: Sample[Hashable]
    alpha: Fraction
    _hitting: Mapping[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", as_probability(self.alpha, "alpha"))
        counts = Counter(self.sample.points)
        object.__setattr__(self, "_hitting", _hitting_sums(self.H, counts, self.alpha))

    def failure(self, size: int) -> Fraction:
        n, size = as_subsample(len(self.sample), size)
        hits = sum(sign * comb(weight, size) for weight, sign in self._hitting.items())
        return 1 - Fraction(hits, comb(n, size))

    def _whole(self) -> int:
        return len(self.sample)


@dataclass(frozen=True, slots=True)
class DrawnNets(_RandomNets):
    """Independent draws from a distribution, as a net for H.

    Parameters
    ----------
    H
        A class or a family.
    distribution
        D on points. For one on examples, ``D.map(lambda z: z.point)``: labels do not matter.
    alpha
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        alpha is out of range, or a point is not in the domain.
    BudgetExhausted
        There were more than :data:`MAX_STATES` states.

    Notes
    -----
    DF20 Lemma 4; computed like :class:`IndexNets`.

    Examples
    --------
    >>> from pac_stability import classes
    >>> D = FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> nets = DrawnNets(classes.cube(2), D, Fraction(1, 3))
    >>> nets.failure(2), nets.least_size("1/1000")
    (Fraction(1, 2), 11)
    """

    H: Family
    distribution: FiniteDistribution[Hashable]
    alpha: Fraction
    _hitting: Mapping[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", as_probability(self.alpha, "alpha"))
        weights = self.distribution.numerators
        object.__setattr__(self, "_hitting", _hitting_sums(self.H, weights, self.alpha))

    def failure(self, size: int) -> Fraction:
        size = as_size(size, "size")
        hits = sum(sign * weight**size for weight, sign in self._hitting.items())
        return 1 - Fraction(hits, self.distribution.denominator**size)


def threshold_net_failure(n: int, size: int, alpha: AnyNumber) -> Fraction:
    """Return the probability that random points among n on a line are not a net for thresholds.

    Parameters
    ----------
    n
        Size of the sample, whose points are distinct.
    size
        n', how many of them are drawn, without replacement.
    alpha
        An exact number from 0 to 1.

    Returns
    -------
    Fraction
        The value of :meth:`IndexNets.failure` for such a sample.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Thresholds that agree on the chosen points differ inside one of the n' + 1 gaps between them, so
    these are a net when no gap is longer than g = floor(alpha n). Gaps add up to n - n'; by
    inclusion and exclusion over those that are too long, the nets are
    sum_j (-1)^j C(n' + 1, j) C(n - j(g + 1), n') in number. O(min(n', 1/alpha)) terms.

    Examples
    --------
    >>> threshold_net_failure(1000, 57, "1/10") > Fraction(1, 10)
    True
    >>> threshold_net_failure(1000, 58, "1/10") < Fraction(1, 10)
    True
    """
    n, size = as_subsample(n, size)
    alpha = as_probability(alpha, "alpha")
    too_long = floor(alpha * n) + 1
    most = min(size + 1, (n - size) // too_long)
    nets = sum(
        (-1) ** j * comb(size + 1, j) * comb(n - j * too_long, size) for j in range(most + 1)
    )
    return 1 - Fraction(nets, comb(n, size))


def _hitting_sums(H: Family, weights: Mapping[Hashable, int], alpha: Fraction) -> Mapping[int, int]:
    """Sum (-1)^|A - B| by the weight of B, over sets A that are nets and their subsets B.

    A set of draws has exactly the points of A with probability sum_B (-1)^|A - B| f(B), B being the
    subsets of A and f(B) the probability to stay inside B, which depends on the weight of B only.
    """
    order = canonical_order(weights)
    masses = [weights[point] for point in order]
    restriction = H.restrict(order)
    begun = _by_first_point(_heavy_differences(restriction.table, masses, alpha), len(order))
    nothing: frozenset[int] = frozenset()
    states: dict[frozenset[int], Counter[int]] = {nothing: Counter({0: 1})}
    for position, mass in enumerate(masses):
        bit = 1 << position
        after: dict[frozenset[int], Counter[int]] = {}
        for state, sums in states.items():
            # In A: B has the point too, or has not, with the opposite sign.
            taken = Counter({weight + mass: sign for weight, sign in sums.items()})
            taken.subtract(sums)
            _add(after, frozenset(rest for rest in state if not rest & bit), taken)
            left = frozenset(rest & ~bit for rest in (*state, *begun[position]))
            if 0 not in left:
                _add(after, left, sums)
        if len(after) > MAX_STATES:
            raise BudgetExhausted(f"nets: more than {MAX_STATES} states on {len(order)} points")
        states = after
    return {weight: sign for weight, sign in states.get(nothing, Counter()).items() if sign}


def _add(
    states: dict[frozenset[int], Counter[int]], state: frozenset[int], sums: Counter[int]
) -> None:
    if state in states:
        states[state].update(sums)
    else:
        states[state] = Counter(sums)


def _by_first_point(sets: Iterable[int], points: int) -> list[list[int]]:
    """Sort sets of points, bit masks, by their lowest bit."""
    begun: list[list[int]] = [[] for _ in range(points)]
    for members in sets:
        begun[(members & -members).bit_length() - 1].append(members)
    return begun


def _heavy_differences(
    table: np.ndarray[tuple[int, int], np.dtype[np.uint8]], masses: Sequence[int], alpha: Fraction
) -> list[int]:
    """Return, as bit masks, the differences of rows heavier than alpha that contain no other."""
    patterns = [
        int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in table
    ]
    of_mass: dict[int, int] = {}
    for position, mass in enumerate(masses):
        of_mass[mass] = of_mass.get(mass, 0) | 1 << position

    def weight(difference: int) -> int:
        return sum(mass * (difference & points).bit_count() for mass, points in of_mass.items())

    limit = alpha * sum(masses)
    differences = {h ^ g for h, g in combinations(patterns, 2)}
    heavy = [difference for difference in differences if weight(difference) > limit]
    heavy.sort(key=int.bit_count)
    rest = np.array(heavy, dtype=np.int64 if len(masses) < 63 else object)
    minimal: list[int] = []
    while rest.size:
        least = rest[0]
        minimal.append(int(least))
        rest = rest[rest & least != least]
    return minimal


# Bounds on how often random points are no net, for all classes with a given growth (Lemma 4)


def index_net_bound(growth: int, n: int, size: int, alpha: AnyNumber) -> Fraction:
    """Bound how often a random set of indices is not a net, by the growth function alone.

    Parameters
    ----------
    growth
        An upper bound on tau_n, the number of patterns on the sample.
    n
        Size of the sample.
    size
        n', the number of drawn indices.
    alpha
        An exact number from 0 to 1.

    Returns
    -------
    Fraction
        At most 1, and at least the failure of
        :class:`~pac_stability.papers.dagan_feldman.nets.IndexNets`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    There are at most C(tau_n, 2) differences on the sample. One that is heavier than alpha has k =
    floor(alpha n) + 1 indices or more, and is missed with probability at most C(n - k, n') / C(n,
    n') <= e^(-alpha n'); so n' >= (2 ln tau_n + ln(1/(2 beta))) / alpha is enough for beta, for
    every alpha. DF20's Lemmas 13 and 15 need no more of Lemma 4.

    Examples
    --------
    >>> index_net_bound(5, 4, 2, "1/4"), index_net_bound(5, 4, 3, "1/4")
    (Fraction(1, 1), Fraction(0, 1))
    """
    n, size = as_subsample(n, size)
    alpha = as_probability(alpha, "alpha")
    pairs = comb(as_size(growth, "growth"), 2)
    heavy = floor(alpha * n) + 1
    if heavy > n:
        return Fraction(0)
    return min(Fraction(1), Fraction(pairs * comb(n - heavy, size), comb(n, size)))


def drawn_net_bound(
    growth: int, size: int, alpha: AnyNumber, *, ghost: int, threshold: int
) -> Fraction:
    """Bound how often independent draws are not a net, by the growth function alone.

    Parameters
    ----------
    growth
        An upper bound on tau at ``size + ghost`` points.
    size
        n', the number of draws.
    alpha
        An exact number above 0 and at most 1.
    ghost
        M, the size of a hypothetical second sample; any positive number is valid.
    threshold
        k, from 1 to M, how often the second sample hits a difference that the first one misses.

    Returns
    -------
    Fraction
        At most 1, and at least the failure of
        :class:`~pac_stability.papers.dagan_feldman.nets.DrawnNets` for every class with this growth
        and every distribution. Which ghost and threshold are best depends on the numbers; M = n'
        and a k between alpha M and 2 alpha M make a fair start.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The double sample: if a difference heavier than alpha is missed by the n' draws, then M further
    ones hit it k times or more with probability at least Pr[Bin(M, alpha) >= k]. On all n' + M
    draws there are C(tau, 2) differences, and one that occurs k times or more falls into the second
    part entirely with probability at most C(M, k) / C(n' + M, k). So the failure is at most

        C(tau, 2) C(M, k) / (C(n' + M, k) Pr[Bin(M, alpha) >= k]).

    The argument of Vapnik and Chervonenkis 1971, Haussler and Welzl 1987, and Blumer, Ehrenfeucht,
    Haussler and Warmuth 1989, for the class of differences. O(M) products of integers.

    Examples
    --------
    >>> bound = drawn_net_bound(401, 200, "1/10", ghost=200, threshold=40)
    >>> float(bound) < 0.001
    True
    """
    size, ghost = as_size(size, "size"), as_size(ghost, "ghost", least=1)
    threshold, alpha = as_size(threshold, "threshold", least=1), as_probability(alpha, "alpha")
    if alpha == 0:
        raise InvalidInput("alpha", "0", "a number above 0 and at most 1")
    if threshold > ghost:
        raise InvalidInput("threshold", in_words(threshold), f"at most {ghost}, the ghost's size")
    hit, whole = alpha.numerator, alpha.denominator
    tail = sum(
        comb(ghost, times) * hit**times * (whole - hit) ** (ghost - times)
        for times in range(threshold, ghost + 1)
    )
    pairs = comb(as_size(growth, "growth"), 2)
    missed = Fraction(pairs * comb(ghost, threshold), comb(size + ghost, threshold))
    return min(Fraction(1), missed * Fraction(whole**ghost, tail))


# Covers of a class on a subsample, in place of all its patterns (DF20, Remark 14)


def greedy_cover(H: Family, points: Iterable[Hashable], alpha: AnyNumber) -> tuple[Hypothesis, ...]:
    """Return hypotheses to one of which every hypothesis is alpha-close on the given points.

    Parameters
    ----------
    H
        A class or a family.
    points
        The points of a subsample S_I, with repetitions.
    alpha
        An exact number from 0 to 1: close are hypotheses that differ on at most alpha |I| of the
        points. With 0 the cover is all of H_T.

    Returns
    -------
    tuple of hypotheses
        G, in the order of the representatives of H on the points. Its members are pairwise more
        than alpha apart, so that :func:`cover_size_bound` holds for their number.

    Raises
    ------
    InvalidInput
        alpha is out of range, or a point is not in the domain.

    Notes
    -----
    A representative joins when it is far from all that joined before. Which ones do depends on the
    multiset of the points only, as stability needs it. O(|G| |H_T| m) for m distinct points.

    DF20 calls G a net; a net is a set of points elsewhere in the paper.

    Examples
    --------
    >>> from pac_stability import classes
    >>> len(greedy_cover(classes.thresholds(9), range(9), "1/3"))
    3
    """
    close = as_probability(alpha, "alpha")
    counts = Counter(points)
    restriction = H.restrict(counts)
    weights = np.array(list(counts.values()), dtype=np.int64)
    limit = floor(close * counts.total())
    cover: list[Hypothesis] = []
    far = np.ones(len(restriction), dtype=bool)
    for row, representative in enumerate(restriction.representatives):
        if far[row]:
            cover.append(representative)
            far &= (restriction.table ^ restriction.table[row]) @ weights > limit
    return tuple(cover)


def cover_size_bound(d: int, alpha: AnyNumber, bits: int = 64) -> Interval:
    """Enclose Haussler's bound e (d + 1) (2e / alpha)^d on the size of :func:`greedy_cover`.

    Parameters
    ----------
    d
        The VC dimension.
    alpha
        An exact number above 0 and at most 1.
    bits
        Working precision.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    It holds for all hypotheses that are pairwise more than alpha apart under one distribution.
    Source: Haussler, *Sphere packing numbers for subsets of the Boolean n-cube with bounded
    Vapnik-Chervonenkis dimension*, 1995. DF20 Remark 14 has it as (1/alpha)^O(d), which is to be
    read for alpha bounded away from 1.

    Examples
    --------
    >>> round(float(cover_size_bound(1, "1/10")))
    296
    """
    d, alpha = as_size(d, "d"), as_probability(alpha, "alpha")
    if alpha == 0:
        raise InvalidInput("alpha", "0", "a number above 0 and at most 1")
    logarithm = 1 + d * (1 + Interval.log(2 / alpha, bits)) + Interval.log(d + 1, bits)
    return Interval.exp(logarithm, bits)


def cover_transfer_bound(growth: int, n: int, size: int, alpha: AnyNumber) -> Fraction:
    """Bound the probability that hypotheses are alpha-close on a subsample but not 2 alpha-close.

    Parameters
    ----------
    growth
        An upper bound on tau_n, the number of patterns on the sample.
    n
        Size of the sample S.
    size
        n', the number of indices drawn without replacement.
    alpha
        An exact number from 0 to 1.

    Returns
    -------
    Fraction
        At most 1: a bound on the probability that two hypotheses differ on at most alpha n' of the
        drawn examples and on more than 2 alpha n of all.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    A cover of H on S_I serves on S only if closeness carries over, and that S_I is an alpha-net
    does not give it. Here each of the C(tau_n, 2) differences is charged its hypergeometric lower
    tail, exactly. By Chernoff's bound the tail is at most e^(-alpha n'/4), so that
    n' >= (4/alpha) (2 ln tau_n + ln(1/(2 beta))) is enough for the probability beta.

    Examples
    --------
    >>> cover_transfer_bound(2, 20, 10, "1/10")  # 5 or more of 20, at most 1 of 10
    Fraction(49, 323)
    """
    n, size = as_subsample(n, size)
    alpha = as_probability(alpha, "alpha")
    far, seen = floor(2 * alpha * n) + 1, floor(alpha * size)
    if far > n:
        return Fraction(0)
    ways = sum(comb(far, k) * comb(n - far, size - k) for k in range(min(seen, size) + 1))
    pairs = comb(as_size(growth, "growth"), 2)
    return min(Fraction(1), Fraction(pairs * ways, comb(n, size)))


# The class H_T, one hypothesis for each labelling of T, and how large it is (DF20, Section 2.1)


def agreement_classes(H: FiniteClass, points: Iterable[Hashable]) -> tuple[tuple[int, ...], ...]:
    """Return the classes of hypotheses that agree on a set of points: h ~_T g.

    Parameters
    ----------
    H
        The class.
    points
        The points of T, where repetitions and order do not matter.

    Returns
    -------
    tuple of tuples of int
        The rows of each class, increasing; the classes in the order of their first rows.

    Raises
    ------
    InvalidInput
        A point is not in the domain.

    Examples
    --------
    >>> from pac_stability import classes
    >>> agreement_classes(classes.thresholds(3), [1])
    ((0, 1), (2, 3))
    """
    columns = sorted({H.column(point) for point in points})
    rows: dict[bytes, list[int]] = {}
    for row, pattern in enumerate(H.table[:, columns]):
        rows.setdefault(pattern.tobytes(), []).append(row)
    return tuple(map(tuple, rows.values()))


@dataclass(frozen=True, slots=True)
class ChosenRepresentatives:
    """A finite class whose H_T has the representatives that a given function chooses. A family.

    Parameters
    ----------
    H
        The class.
    choice
        From the set of points of T and the rows of one class of ``~_T``, increasing, to one of
        these rows. It must be deterministic: the same on every call.

    Raises
    ------
    InvalidInput
        On use, a chosen row is not of the class.

    Examples
    --------
    >>> from pac_stability import classes
    >>> last = ChosenRepresentatives(classes.thresholds(3), lambda points, rows: rows[-1])
    >>> [h.index for h in last.representatives_on([1])]
    [1, 3]
    """

    H: FiniteClass
    choice: Callable[[frozenset[Hashable], tuple[int, ...]], int]

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return self.H.known

    def representatives_on(self, points: Iterable[Hashable], /) -> tuple[Row, ...]:
        """Hypotheses, one for each pattern on a set of points."""
        members = frozenset(points)
        return tuple(self._chosen(members, rows) for rows in agreement_classes(self.H, members))

    def restrict(self, points: Iterable[Hashable], /) -> Restriction:
        """Patterns on a set of points, with the chosen representatives."""
        patterns = self.H.restrict(points)
        return Restriction(
            patterns.table, patterns.domain, self.representatives_on(patterns.domain)
        )

    def _chosen(self, points: frozenset[Hashable], rows: tuple[int, ...]) -> Row:
        row = self.choice(points, rows)
        if row not in rows:
            raise InvalidInput("choice", f"the row {row}", f"one of the {len(rows)} in its class")
        return self.H[row]


def sauer_power_bound(m: int, d: int, bits: int = 64) -> Interval:
    """Enclose (em/d)^d, which bounds the growth function from above (DF20, Lemma 5).

    Parameters
    ----------
    m
        Number of points, at least d.
    d
        VC dimension, at least 1.
    bits
        Working precision.

    Raises
    ------
    InvalidInput
        d < 1, or m < d: there the bound can be false, as for m = 1 and d = 2.

    Notes
    -----
    :func:`pac_stability.dimensions.sauer_shelah_bound`, the sum of C(m, i) up to d, is smaller and
    an integer; it is attained, by thresholds and intervals among others.

    Examples
    --------
    >>> round(float(sauer_power_bound(10, 2)))
    185
    """
    d = as_size(d, "d", least=1)
    m = as_size(m, "m")
    if m < d:
        raise InvalidInput("m", in_words(m), f"at least {d}, the dimension")
    return Interval.exp(d * (1 + Interval.log(m, bits) - Interval.log(d, bits)), bits)


# How far losses on a sample are from those on the distribution (DF20, Lemma 6)

P = TypeVar("P", bound=Hashable)


def deviation_failure(
    H: FiniteClass, distribution: FiniteDistribution[Example[P]], n: int, alpha: AnyNumber
) -> Fraction:
    """Return Pr[some h has |L_D(h) - L_S(h)| > alpha] over samples S of n draws, exactly.

    Parameters
    ----------
    H
        The class.
    distribution
        D, on examples over its domain.
    n
        Size of the sample, at least 1.
    alpha
        An exact number from 0 to 1.

    Raises
    ------
    InvalidInput
        A number is out of range, or a point is not in the domain.

    Notes
    -----
    The losses depend on the multiset of the examples, of which C(n + k - 1, n) are gone through for
    a support of k examples, in O(|H| k) each.

    Examples
    --------
    >>> D = FiniteDistribution.uniform([Example(0, 0), Example(0, 1)])
    >>> deviation_failure(FiniteClass([[0], [1]]), D, 4, "1/4")
    Fraction(1, 8)
    """
    n, alpha = as_size(n, "n", least=1), as_probability(alpha, "alpha")
    wrong = [frozenset(z for z in distribution.support if h(z.point) != z.label) for h in H]
    losses = [sum(map(distribution.probability, errors), Fraction()) for errors in wrong]

    def deviates(kind: Multiset[Example[P]]) -> bool:
        return any(
            abs(sum(kind.count(z) for z in errors) - n * loss) > n * alpha
            for errors, loss in zip(wrong, losses, strict=True)
        )

    bad = (kind for kind in multisets(distribution.support, n) if deviates(kind))
    return sum((kind.probability(distribution) for kind in bad), Fraction())


def deviation_bound(growth: int, n: int, alpha: AnyNumber, bits: int = 64) -> Interval:
    """Enclose a bound on :func:`deviation_failure` for all classes with a given growth function.

    Parameters
    ----------
    growth
        An upper bound on tau_n, at least 1.
    n
        Size of the sample, at least 1.
    alpha
        An exact number from 0 to 1.
    bits
        Working precision.

    Returns
    -------
    Interval
        e^(-2 n (alpha - sqrt(2 ln(2 tau_n) / n))^2), or 1 when the root is not below alpha.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    In other words |L_D - L_S| <= sqrt(2 ln(2 tau_n) / n) + sqrt(ln(1/beta) / (2n)) for all h at
    once, with probability 1 - beta: the mean of the largest deviation is at most the first root, by
    symmetrisation and Massart's lemma, and it is concentrated, by McDiarmid's inequality. Source:
    Mohri, Rostamizadeh and Talwalkar, *Foundations of machine learning*, 2018, Chapter 3.

    DF20 Lemma 6 is the form by chaining, without the logarithm of n in ln tau_n. It is better only
    for astronomical n, because the constants of the known proofs are large.

    Examples
    --------
    >>> float(deviation_bound(3001, 3000, "1/10")) < 0.05
    True
    """
    growth, n = as_size(growth, "growth", least=1), as_size(n, "n", least=1)
    alpha = as_probability(alpha, "alpha")
    mean = Interval.sqrt(2 * Interval.log(2 * growth, bits) / n, bits)
    rest = alpha - mean
    if rest.upper <= 0:
        return Interval.exactly(1)
    least = max(rest.lower, Fraction(0))
    return Interval.exp(-2 * n * Interval(least**2, rest.upper**2), bits)


def union_deviation_bound(hypotheses: int, n: int, alpha: AnyNumber, bits: int = 64) -> Interval:
    """Enclose 2 |H| e^(-2 n alpha^2), a bound on :func:`deviation_failure` for finite classes.

    Parameters
    ----------
    hypotheses
        |H|.
    n
        Size of the sample.
    alpha
        An exact number from 0 to 1.
    bits
        Working precision.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Hoeffding's inequality for each hypothesis.

    Examples
    --------
    >>> float(union_deviation_bound(10, 300, "1/10")) < 0.05
    True
    """
    hypotheses, n = as_size(hypotheses, "hypotheses"), as_size(n, "n")
    alpha = as_probability(alpha, "alpha")
    return 2 * hypotheses * Interval.exp(-2 * n * alpha**2, bits)
