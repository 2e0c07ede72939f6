"""Lemma 13: how close the stable learner comes to the best hypothesis on its own sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arithmetic import Interval
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman.excess import exponential_excess
from pac_stability.papers.dagan_feldman.hit_sets import hit_sets
from pac_stability.papers.dagan_feldman.stable import StableLearner


@dataclass(frozen=True, slots=True)
class SampleApproximation:
    """The empirical excess loss of the stable learner on one sample, and where it comes from.

    Attributes
    ----------
    excess
        L_S(A^sta(S)) - min over H of L_S, exactly.
    from_subset
        What is lost when only representatives of the patterns on a subset can be chosen: the
        average over I of the least loss in H_{S_I}, minus the least loss in H.
    from_mechanism
        What the exponential mechanism loses at most, on average over I.
    """

    excess: Fraction
    from_subset: Fraction
    from_mechanism: Interval

    @property
    def bound(self) -> Interval:
        """The sum of the two parts, which is at least the excess."""
        return self.from_mechanism + self.from_subset


def approximation_of(
    learner: StableLearner, sample: Sample[Hashable], bits: int = 64
) -> SampleApproximation:
    """Return the empirical excess loss of the stable learner beside a bound on it.

    Parameters
    ----------
    learner
        The learner; its decay must be below 1.
    sample
        S.
    bits
        The working precision of the bound.

    Returns
    -------
    Approximation

    Raises
    ------
    InvalidInput
        The decay is 1, the sample too small, or a point outside the domain.

    Notes
    -----
    The second part is the average of ``W((|H_{S_I}| - 1)/e) / (n ln(1/rho))``, for which Lemma 7
    has ``ln |H_{S_I}|`` in place of W. The lemma bounds the first by 2 alpha, when all but a
    fraction alpha of the subsets are alpha-nets, and the second by alpha.

    The sets of distinct points that a subset can hit are gone through, up to 2**m for m points.

    Source: DF20 Lemma 13.

    Examples
    --------
    >>> from pac_stability import classes
    >>> from pac_stability.arithmetic import Epsilon
    >>> learner = StableLearner(classes.thresholds(3), 2, Epsilon.exactly(4))
    >>> found = approximation_of(learner, Sample([0, 1, 2, 2], [0, 1, 1, 1]))
    >>> found.from_subset, round(float(found.excess), 3), round(float(found.bound), 3)
    (Fraction(1, 8), 0.226, 0.281)
    """
    law = learner.law(sample)
    n = len(sample)
    copies = Counter(sample.points)
    points = tuple(copies)

    def least(among: tuple[Hashable, ...]) -> tuple[int, int]:
        """Return the least number of errors of a representative, and how many there are."""
        found = learner.H.representatives_on(among)
        return min(map(sample.count_errors, found)), len(found)

    best, _ = least(points)
    errors, sizes = 0, Counter[int]()
    for members, count in hit_sets(list(copies.values()), learner.subset_size):
        fewest, patterns = least(tuple(points[index] for index in members))
        errors += count * (fewest - best)
        sizes[patterns] += count
    lost = Interval.exactly(0)
    for patterns, count in sizes.items():
        lost += count * exponential_excess(patterns, learner.decay, bits)
    subsets = math.comb(n, learner.subset_size)
    return SampleApproximation(
        (law.expectation(sample.count_errors) - best) / n,
        Fraction(errors, subsets * n),
        lost / (subsets * n),
    )
