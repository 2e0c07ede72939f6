"""The selection distribution where the normaliser is a sum along a walk: in polynomial time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pac_stability.arithmetic import Interval, as_size
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import EnclosedDistribution, Sample
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms._checks import as_decay
from pac_stability.papers.dagan_feldman.additive._floats import Integers
from pac_stability.papers.dagan_feldman.additive._reciprocals import excess
from pac_stability.papers.dagan_feldman.additive._sums import Sums
from pac_stability.papers.dagan_feldman.additive.walks import Labels, walk_of

UNIT = 1 << 60
"""Lower bounds of probabilities are multiples of 1/UNIT."""


@dataclass(frozen=True, slots=True, eq=False)
class AdditiveSelection:
    """The law of the hypothesis that the stable learner chooses, up to certified intervals.

    What :func:`additive_selection` returns.

    Attributes
    ----------
    hypotheses
        Those that can be chosen, distinct.
    errors
        How many examples of the sample each gets wrong.
    sample_size
        n.
    lower
        A lower bound on the probability of each, in multiples of ``2**-60``.
    missing
        What the lower bounds leave of 1, in the same unit: by so much, at most, each of them, and
        each sum of some of them, is too small.
    labels
        From points to the labels of the hypotheses there, shape (hypotheses, points).
    """

    hypotheses: tuple[Hypothesis, ...]
    errors: Integers
    sample_size: int
    lower: Integers
    missing: int
    labels: Callable[[Sequence[Hashable]], Labels]

    @property
    def width(self) -> Fraction:
        """By how much a probability may differ from its lower bound."""
        return Fraction(self.missing, UNIT)

    def probability(self, index: int) -> Interval:
        """Return the probability that ``hypotheses[index]`` is chosen."""
        return self._enclosed(int(self.lower[index]))

    def law(self) -> EnclosedDistribution[Hypothesis]:
        """Return the law of the hypothesis, P_S."""
        return EnclosedDistribution(
            {
                h: self._enclosed(low)
                for h, low in zip(self.hypotheses, self.lower.tolist(), strict=True)
            }
        )

    def probabilities(self, points: Iterable[Hashable]) -> tuple[Interval, ...]:
        """Return the probability of label 1 at each point.

        Parameters
        ----------
        points
            Points of the domain of the class.

        Notes
        -----
        O(number of hypotheses) for each point.
        """
        asked = list(points)
        labels = self.labels(asked)
        ones = [int(self.lower[labels[:, column]].sum()) for column in range(len(asked))]
        return tuple(
            Interval.exactly(1)
            if labels[:, column].all()
            else self._enclosed(low)
            if labels[:, column].any()
            else Interval.exactly(0)
            for column, low in enumerate(ones)
        )

    def loss(self) -> Interval:
        """Return the expected loss on the sample of the hypothesis chosen."""
        least = int(sum(self.errors.astype(object) * self.lower))
        most = least + self.missing * int(self.errors.max())
        scale = UNIT * self.sample_size
        return Interval(Fraction(least, scale), Fraction(most, scale))

    def total(self) -> Interval:
        """Return the sum of all probabilities as the same sums give it: it encloses 1."""
        return self._enclosed(int(self.lower.sum()))

    def _enclosed(self, low: int) -> Interval:
        return Interval(Fraction(low, UNIT), Fraction(min(low + self.missing, UNIT), UNIT))


def additive_selection(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> AdditiveSelection:
    """Return the law of the hypothesis that the stable learner chooses, in polynomial time.

    The learner draws a set I of n' indices uniformly, and then one of the representatives of the
    class on the points of S_I, h with weight ``decay**k_h`` where k_h counts the errors of h on the
    whole sample. For thresholds, point functions and other classes of
    :func:`~.walks.walk_of` the normaliser is a sum along a walk over the points.

    Parameters
    ----------
    H
        A class for which :func:`~.walks.walk_of` knows a walk on the points of the sample.
    sample
        S, not empty.
    subset_size
        n', from 1 to n.
    decay
        rho, above 0 and at most 1.

    Returns
    -------
    AdditiveSelection
        Enclosures of all probabilities. Their common width is some ``10 n * 2**-52``, unless the
        weights of the best representatives differ by factors beyond ``2**500`` with a probability
        that matters; it is proved in any case.

    Raises
    ------
    InvalidInput
        The class has no such walk, a point is not in its domain, or a parameter is out of range.

    Notes
    -----
    P_S(h) is the expectation of ``w_h 1[h in H_A] / Z_A``, where A is the random set of points hit,
    w_h the weight and Z_A the sum of the weights of H_A. ``1/Z`` is replaced by a sum of
    exponentials ``e**(-t Z)`` that is at most ``(1 + 10**-12) / Z`` for every Z > 0. The
    expectation of ``e**(-t Z_A)`` over the paths that collect h follows, for all h at once, from a
    pass forwards and a pass backwards over the walk, whose state is the number of examples drawn
    so far. Every number is positive and none is subtracted, so rounding errors are counted; the
    sums are scaled down by the count, and are lower bounds then. As all P_S(h) sum to 1, what the
    lower bounds leave of 1 bounds the error of each: a bad choice of t would show, and could not
    make an enclosure wrong.

    O(t m w c) operations for m points, windows of w = O(sqrt(n')) values of the state, up to c
    copies of a point, and t nodes, of which 3 are needed for each factor e by which Z_A varies.

    The method needs Z_A to be a sum over hit points. For intervals it is a sum over pairs of hit
    points; for stumps in more dimensions patterns that several coordinates share must be counted
    once, which no fixed order of the points can tell.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> S = Sample(range(1000), [int(x >= 300 or x % 7 == 0) for x in range(1000)])
    >>> chosen = additive_selection(Thresholds(), S, 100, Fraction(99, 100))
    >>> [round(float(p), 6) for p in chosen.probabilities([100, 300, 500])]
    [0.077984, 0.553619, 0.939433]
    >>> chosen.width < Fraction(1, 10**10), 1 in chosen.total()
    (True, True)
    """
    size, decay = _checked(sample, subset_size, decay)
    walk = walk_of(H, sample)
    sums = Sums(walk, size, decay)
    probabilities, roundings = sums.probabilities()
    # The relative error of each is at most ``roundings * 2**-52``, up to higher orders.
    scale = (1 - Fraction(roundings * 101, 100 * 2**52)) / (1 + excess())
    counted = np.floor(probabilities * (float(scale) * UNIT)).astype(np.int64)
    # One more for the rounding of this line, and for products too small for a double.
    lower = np.maximum(counted - 1, 0)
    missing = UNIT - int(lower.sum())
    if missing < 0:
        raise AssertionError("the lower bounds of the probabilities exceed 1")
    return AdditiveSelection(walk.hypotheses, walk.errors, len(sample), lower, missing, walk.labels)


def _checked(sample: object, subset_size: object, decay: object) -> tuple[int, Fraction]:
    if not isinstance(sample, Sample):
        raise InvalidInput("sample", described(sample), "a Sample")
    if not len(sample):
        raise InvalidInput("sample", "no examples", "at least one")
    size = as_size(subset_size, "subset_size", least=1)
    if size > len(sample):
        raise InvalidInput(
            "subset_size", str(size), f"at most {len(sample)}, the size of the sample"
        )
    return size, as_decay(decay)
