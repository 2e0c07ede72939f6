"""How likely a random set of points is an alpha-net, exactly (DF20, Section 2.1 and Lemma 4).

A set of points is an alpha-net for H when hypotheses that agree on it differ with probability at
most alpha: when it *hits* every difference of two hypotheses that is heavier than alpha.
:func:`pac_stability.dimensions.is_alpha_net` decides that for one set. Here the set is random: the
points of a uniformly random set of n' of the n indices of a sample, which is what DF20's learners
draw, or n' independent draws from a distribution, of which Lemma 4 speaks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb, floor

import numpy as np

from pac_stability.arguments import AnyNumber, as_probability, as_size
from pac_stability.classes import Family
from pac_stability.classes.exact import canonical_order
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.papers.dagan_feldman._subsamples import as_subsample

MAX_STATES = 1_000_000
"""How many states :class:`IndexNets` and :class:`DrawnNets` may keep at a time."""


class _RandomNets(ABC):
    """What the two ways to draw points have in common: a failure probability that decreases."""

    __slots__ = ()

    @abstractmethod
    def failure(self, size: int) -> Fraction:
        """Probability that the points are no net."""

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
        if self.failure(0) <= allowed:
            return 0
        fails, serves = 0, 1
        while self.failure(serves) > allowed:
            fails, serves = serves, self._larger(serves)
        while serves - fails > 1:
            middle = (fails + serves) // 2
            if self.failure(middle) > allowed:
                fails = middle
            else:
                serves = middle
        return serves

    def _larger(self, size: int) -> int:
        return 2 * size


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
    is the family of what is left of the heavy differences that are begun and not hit, so the cost
    is the number of states; there are few for classes on a line, and at most 2^m on m points. All
    subset sizes are served by one count. Heavy differences cost O(P^2 m) for P patterns.

    DF20 Lemma 4, in the form in which Lemmas 13 and 15 use it. Redrawing until n' *different*
    points are seen, as the lemma says it, may never end; a set of indices always exists, and fails
    at most as often as n' independent draws from S.

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
        """Return the probability that the points are no net.

        Parameters
        ----------
        size
            n', how many indices are drawn, at most the size of the sample.
        """
        n, size = as_subsample(len(self.sample), size)
        hits = sum(sign * comb(weight, size) for weight, sign in self._hitting.items())
        return 1 - Fraction(hits, comb(n, size))

    def _larger(self, size: int) -> int:
        return min(2 * size, len(self.sample))


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
        """Return the probability that the points are no net.

        Parameters
        ----------
        size
            n', the number of draws.
        """
        size = as_size(size, "size")
        hits = sum(sign * weight**size for weight, sign in self._hitting.items())
        return 1 - Fraction(hits, self.distribution.denominator**size)


def threshold_net_failure(n: int, size: int, alpha: AnyNumber) -> Fraction:
    """Return the probability that random points among n on a line are no net for thresholds.

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
        What :meth:`IndexNets.failure` is for such a sample.

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
    table: np.ndarray[tuple[int, int], np.dtype[np.uint8]],
    masses: Sequence[int],
    alpha: Fraction,
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
