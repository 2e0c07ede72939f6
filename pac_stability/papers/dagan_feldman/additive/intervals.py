"""Intervals: two walks from a gap that the chosen interval nearly always spans.

Let the distinct points of the sample be split by a gap into left and right ones. The weight of an
interval from a on the left to b on the right is a product ``x_a y_b``. With X and Y the sums of x
and y over the points that are hit,

    Z = X Y + R,

where R is the weight of the empty set and of the intervals on one side. The chosen interval spans
the gap, given A, with probability ``X Y / Z``; given that it does, its left end is a with
probability ``x_a / X``, as a threshold would be chosen. So, with ``eta = E[R / Z]`` (1 where
nothing is hit on one side), the probability that a left point x is labelled 1 is at least

    E[X_x Y / Z] = E[(X_x / X) (1 - R / Z)] >= E[X_x / X] - eta,     X_x the sum of x_a for a <= x,

and the probability of the label 0 is at least ``E[(X - X_x) / X] - eta``. The expectations are
those of a class with an additive normaliser on the left points, where the right ones bring
nothing.

For eta, let L and M be sets of left and right points whose weights, relative to the best on their
side, are at least ``rho**i`` and ``rho**j``. Unless one of them is missed, ``X Y`` is at least
``rho**(i + j)`` times the product of the best weights, so

    eta <= P(L is missed) + P(M is missed) + rho**-(i + j) E[R] / (best weights),

and E[R] is a sum over pairs: draws without replacement are negatively associated (Joag-Dev and
Proschan 1983), so two points are hit together with probability at most ``q_a q_b``, where q is at
most ``min(1, c n'/n)`` for c copies. The best i and j are searched for; any are sound.

Where no interval stands out, the empty set may: by Jensen's inequality it is chosen with
probability at least ``w / E[Z]``, and then every label is 0.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from pac_stability.arguments import as_points
from pac_stability.arithmetic import Interval
from pac_stability.classes import Family, Intervals, Threshold, UnionsOfIntervals
from pac_stability.classes.exact import Number, exact_number
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman._checks import as_selection, masses_of
from pac_stability.papers.dagan_feldman.additive._above import (
    PowersAbove,
    WeightAbove,
    chances_to_miss,
)
from pac_stability.papers.dagan_feldman.additive._floats import Integers
from pac_stability.papers.dagan_feldman.additive._labelling import LabelledBySets
from pac_stability.papers.dagan_feldman.additive.selection import (
    SCALE_BITS,
    lower_bounds,
)
from pac_stability.papers.dagan_feldman.additive.walks import Route, Stop, Walk

_MOST_LEVELS = 400


@dataclass(frozen=True, slots=True, eq=False)
class IntervalPredictions:
    """What the stable learner predicts on intervals, up to certified bounds.

    Attributes
    ----------
    points
        The distinct points of the sample, increasing.
    gap
        How many of them lie to the left of the gap.
    lowers
        For each point, a lower bound of the probability that it would be the end of an interval on
        its side, were all intervals to span the gap; in units of ``2**-60``.
    unspanned
        eta: an upper bound of the probability that the chosen interval does not span the gap.
    nonempty
        An upper bound of the probability that it is not empty.
    """

    points: tuple[Number, ...]
    gap: int
    lowers: Integers
    unspanned: Fraction
    nonempty: Fraction

    @property
    def slack(self) -> Fraction:
        """How much wider than a point an enclosure can be."""
        sides = self.lowers[: self.gap], self.lowers[self.gap :]
        least = min((int(side.sum()) for side in sides), default=0)
        spanned = 1 - Fraction(least, 1 << SCALE_BITS) + 2 * self.unspanned
        return min(spanned, self.nonempty)

    def probabilities(self, points: Iterable[Hashable]) -> tuple[Interval, ...]:
        """Return how likely the chosen interval is to label each point 1.

        Parameters
        ----------
        points
            Real numbers, in the sample or not.

        Raises
        ------
        InvalidInput
            A point is no real number.
        """
        below = [0, *accumulate(self.lowers.tolist())]
        total = {True: below[self.gap], False: below[-1] - below[self.gap]}
        found = []
        for point in as_points(points):
            x = exact_number(point)
            left = bisect_right(self.points, x) <= self.gap
            # Which ends let x be inside: on the left those up to x, on the right those from x on.
            if left:
                inside = below[bisect_right(self.points, x)]
            else:
                inside = below[-1] - below[bisect_left(self.points, x)]
            lower, outside = self._share(inside), self._share(total[left] - inside)
            found.append(Interval(lower, min(1 - outside, self.nonempty)))
        return tuple(found)

    def _share(self, count: int) -> Fraction:
        return max(Fraction(count, 1 << SCALE_BITS) - self.unspanned, Fraction(0))

    def loss(self, data: Sample[Hashable] | FiniteDistribution[Example[Hashable]]) -> Interval:
        """Return the expected loss of the chosen interval.

        Parameters
        ----------
        data
            A sample, for the empirical loss on it, or a distribution of examples.

        Raises
        ------
        InvalidInput
            A point is no real number, or the argument is neither.
        """
        masses, unit = masses_of(data)
        total = Interval.exactly(0)
        known = dict.fromkeys(z.point for z in masses)
        ones = dict(zip(known, self.probabilities(known), strict=True))
        for z, mass in masses.items():
            p = ones[z.point]
            total = total + Fraction(mass, unit) * (1 - p if z.label else p)
        return total


def has_two_walks(H: Family) -> bool:
    """Return whether a class is that of all intervals of the line."""
    return type(H) is Intervals or (type(H) is UnionsOfIntervals and H.k == 1)


def interval_predictions(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> IntervalPredictions:
    """Return what the stable learner predicts on intervals, in polynomial time.

    Parameters
    ----------
    H
        ``Intervals()``, or ``UnionsOfIntervals(1)``.
    sample
        S, not empty.
    subset_size
        n', from 1 to n.
    decay
        rho, above 0 and at most 1.

    Returns
    -------
    IntervalPredictions
        Certified enclosures. They are narrow where one interval, or the empty set, is much better
        than all that do not overlap it, and may be as wide as [0, 1] where not:
        :attr:`IntervalPredictions.slack` says so. The law is not known otherwise.

    Raises
    ------
    InvalidInput
        The class is another one, a point is no real number, or a parameter is out of range.

    Notes
    -----
    Two walks as of :func:`~.selection.additive_selection`, and O(n) operations for the rest. The
    module has the proof.

    Examples
    --------
    >>> S = Sample(range(1000), [int(300 <= x < 700 and x % 9 > 0) for x in range(1000)])
    >>> found = interval_predictions(Intervals(), S, 100, Fraction(7, 10))
    >>> [round(float(p), 6) for p in found.probabilities([290, 310, 500, 720])]
    [0.071561, 0.889957, 1.0, 0.005467]
    >>> found.slack < Fraction(1, 10**4)
    True
    """
    if not has_two_walks(H):
        raise InvalidInput("H", type(H).__name__, "Intervals()")
    size, decay = as_selection(sample, subset_size, decay)
    tally: dict[Number, list[int]] = {}
    for point, label in zip(sample.points, sample.labels, strict=True):
        tally.setdefault(exact_number(point), [0, 0])[label] += 1
    points = tuple(sorted(tally))
    line = _Line(
        [sum(tally[point]) for point in points],
        [tally[point][0] - tally[point][1] for point in points],
        size,
        decay,
    )
    gap = line.gap()
    lowers, unspanned = line.split_at(gap)
    return IntervalPredictions(points, gap, lowers, unspanned, line.nonempty())


class _Line:
    """The sample as a row of points, with what each changes in the errors of an interval."""

    def __init__(
        self, copies: list[int], changes: list[int], subset_size: int, decay: Fraction
    ) -> None:
        self._copies = copies
        self._changes = changes
        self._n = sum(copies)
        self._subset_size = subset_size
        self._decay = decay

    def gap(self) -> int:
        """Return after how many points intervals on one side are as bad as can be."""
        left = _best_so_far(self._changes)
        right = _best_so_far(self._changes[::-1])[::-1]
        return min(range(len(left)), key=lambda place: max(left[place], right[place]))

    def split_at(self, gap: int) -> tuple[Integers, Fraction]:
        """Return the lower bounds of both walks, and eta."""
        below = np.concatenate(([0], np.cumsum(self._changes)))
        # An interval from a to b - 1 changes the errors by below[b] - below[a].
        ends = below[gap] - below[:gap], below[gap + 1 :] - below[gap]
        if not all(map(len, ends)):
            return np.zeros(len(self._copies), dtype=np.int64), Fraction(1)
        copies = self._copies[:gap], self._copies[gap:]
        lowers = np.concatenate(
            [
                lower_bounds(_walk(own, errors, self._n - sum(own)), self._subset_size, self._decay)
                for own, errors in zip(copies, ends, strict=True)
            ]
        )
        return lowers, self._unspanned(gap, ends, copies)

    def _unspanned(
        self, gap: int, ends: tuple[Integers, Integers], copies: tuple[list[int], list[int]]
    ) -> Fraction:
        best = sum(int(errors.min()) for errors in ends)
        outside = WeightAbove(1, 0)
        for some in (slice(0, gap), slice(gap, None)):
            outside = outside + self._mean_weight(some)
        # Relative to the empty set, the best interval has the weight rho**best.
        powers = PowersAbove(self._decay)
        levels = [self._levels(*side) for side in zip(ends, copies, strict=True)]
        missing = chances_to_miss(self._n, self._subset_size)
        chances = [missing[[held for _, held in side]] for side in levels]
        # Floats choose two of the levels; what follows is exact.
        rho = float(self._decay)
        slope = np.log(rho) if rho > 0 else -800.0
        sums = np.add.outer(*([np.array([level for level, _ in side]) for side in levels]))
        guess = np.add.outer(*chances) + np.exp(
            np.minimum(outside.logarithm() - slope * (sums + best), 700.0)
        )
        i, j = np.unravel_index(int(np.argmin(guess)), guess.shape)
        (first, left), (second, right) = levels[0][int(i)], levels[1][int(j)]
        missed = Fraction(float(missing[left])) + Fraction(float(missing[right]))
        poor = outside * powers.of(-(first + second + best))
        return min(missed + poor.upper(), Fraction(1))

    def _levels(self, errors: Integers, copies: list[int]) -> list[tuple[int, int]]:
        """Return levels of errors above the least, and how many examples are at most so bad."""
        excess = errors - errors.min()
        held = np.bincount(excess, weights=copies).astype(np.int64)
        chosen = np.flatnonzero(held)
        total = np.cumsum(held)[chosen]
        places = np.unique(np.linspace(0, len(chosen) - 1, _MOST_LEVELS).astype(int))
        return [(int(chosen[k]), int(total[k])) for k in places]

    def nonempty(self) -> Fraction:
        """Return an upper bound of the probability that the chosen interval is not empty."""
        mean = self._mean_weight(slice(None)).upper()
        return mean / (1 + mean) if mean < 1 else Fraction(1)

    def _mean_weight(self, some: slice) -> WeightAbove:
        """Return an upper bound of the expected weight of intervals among some points.

        Relative to the weight of the empty set, and from left to right: what ends at a point is
        what has begun before, or there.
        """
        powers = PowersAbove(self._decay)
        total = begun = WeightAbove(0, 0)
        for copied, change in zip(self._copies[some], self._changes[some], strict=True):
            chance = WeightAbove.above(
                min(Fraction(copied * self._subset_size, self._n), Fraction(1))
            )
            factor = powers.of(change)
            total = total + chance * factor * (begun + WeightAbove(1, 0))
            begun = (begun + chance) * factor
        return total


def _best_so_far(changes: Sequence[int]) -> list[int]:
    """Return for each prefix by how much an interval inside can lower the errors."""
    best, ending, found = 0, 0, [0]
    for change in changes:
        ending = max(ending, 0) - change
        best = max(best, ending)
        found.append(best)
    return found


def _walk(copies: Sequence[int], errors: Integers, others: int) -> Walk:
    """Return the walk on which each point brings its own end, and other points bring nothing."""
    stops = [Stop(copied, (place,), (place,)) for place, copied in enumerate(copies)]
    return Walk(
        tuple(Threshold(place) for place in range(len(copies))),
        errors,
        LabelledBySets(len(copies), {}),
        Route((*stops, Stop(others))),
    )
