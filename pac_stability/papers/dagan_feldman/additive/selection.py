"""The selection distribution where the normaliser is a sum along a walk: in polynomial time."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_points
from pac_stability.arithmetic import Interval
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import EnclosedDistribution, Example, FiniteDistribution, Sample
from pac_stability.papers.dagan_feldman._checks import as_selection, masses_of
from pac_stability.papers.dagan_feldman.additive._floats import Integers
from pac_stability.papers.dagan_feldman.additive._labelling import LabelsOfMany
from pac_stability.papers.dagan_feldman.additive._reciprocals import excess
from pac_stability.papers.dagan_feldman.additive._sums import Sums
from pac_stability.papers.dagan_feldman.additive.walks import Walk, walk_of

SCALE_BITS = 60
"""Lower bounds of probabilities are multiples of ``2**-SCALE_BITS``."""


@dataclass(frozen=True, slots=True, eq=False)
class AdditiveSelection:
    """The selection distribution on a class with an additive normaliser, up to certified bounds.

    Attributes
    ----------
    hypotheses
        Those that can be chosen, distinct.
    lowers
        For each of them a lower bound of its probability, in units of ``2**-60``.
    labels
        How the hypotheses label points.

    Notes
    -----
    What the lower bounds lack of one is the :attr:`slack`. It belongs to some hypotheses: no
    probability, and no sum of some of them, exceeds what its lower bounds say by more. Every answer
    below is computed from that, exactly.
    """

    hypotheses: tuple[Hypothesis, ...]
    lowers: Integers
    labels: LabelsOfMany

    def __post_init__(self) -> None:
        if not 0 <= int(self.lowers.sum()) <= 1 << SCALE_BITS:
            raise RuntimeError("the compiled passes found probabilities of sum more than one")

    @property
    def slack(self) -> Fraction:
        """How much wider than a point an answer about a probability can be."""
        return 1 - Fraction(int(self.lowers.sum()), 1 << SCALE_BITS)

    def law(self) -> EnclosedDistribution[Hypothesis]:
        """Return the distribution of the hypothesis, P_S."""
        slack = self.slack
        shares = (Fraction(lower, 1 << SCALE_BITS) for lower in self.lowers.tolist())
        return EnclosedDistribution(
            {
                h: Interval(share, share + slack)
                for h, share in zip(self.hypotheses, shares, strict=True)
            }
        )

    def probabilities(self, points: Iterable[Hashable]) -> tuple[Interval, ...]:
        """Return how likely the chosen hypothesis is to label each point 1.

        Parameters
        ----------
        points
            Points of the domain, in the sample or not.

        Raises
        ------
        InvalidInput
            A point is not in the domain.

        Notes
        -----
        O(number of hypotheses) for each point.
        """
        slack = self.slack
        found = []
        for block in self.labels.blocks(list(as_points(points))):
            labels = self.labels(block)
            # Sums of lower bounds are at most 2**60.
            for column, one in enumerate((self.lowers @ labels).tolist()):
                least, most = labels[:, column].min(), labels[:, column].max()
                share = Fraction(one, 1 << SCALE_BITS)
                found.append(Interval(share + slack * int(least), share + slack * int(most)))
        return tuple(found)

    def loss(self, data: Sample[Hashable] | FiniteDistribution[Example[Hashable]]) -> Interval:
        """Return the expected loss of the chosen hypothesis.

        Parameters
        ----------
        data
            A sample, for the empirical loss on it, or a distribution of examples.

        Raises
        ------
        InvalidInput
            A point is not in the domain, or the argument is neither.
        """
        masses, unit = masses_of(data)
        # An error at label 1 is a label 0, and the reverse.
        points = list(dict.fromkeys(example.point for example in masses))
        surplus = dict.fromkeys(points, 0)
        for example, mass in masses.items():
            surplus[example.point] += mass * (1 - 2 * example.label)
        ones = sum(mass for example, mass in masses.items() if example.label)
        exact = np.int64 if masses.total() < 1 << 62 else object
        errors = np.full(len(self.hypotheses), ones, dtype=exact)
        errors += self.labels.sums(points, np.array([surplus[x] for x in points], dtype=exact))
        return self._mean(errors, unit)

    def expectation(self, value: Callable[[Hypothesis], Fraction | int]) -> Interval:
        """Return the mean of a function of the chosen hypothesis.

        Parameters
        ----------
        value
            An exact number for each hypothesis, asked for once: what another mechanism makes of it,
            for example.
        """
        values = [Fraction(value(h)) for h in self.hypotheses]
        common = math.lcm(*{number.denominator for number in values})
        scaled = [number.numerator * (common // number.denominator) for number in values]
        return self._mean(np.array(scaled, dtype=object), common)

    def _mean(self, values: npt.NDArray[Any], unit: int) -> Interval:
        """Return the mean of integers, one for each hypothesis, over a common denominator."""
        sum_of_products = int((self.lowers.astype(object) * values).sum())
        mean = Fraction(sum_of_products, unit << SCALE_BITS)
        slack = self.slack / unit
        return Interval(mean + slack * int(values.min()), mean + slack * int(values.max()))


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
        Enclosures of all probabilities. Their common slack is some ``10 n * 2**-52``, whatever the
        weights are.

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
    >>> chosen.slack < Fraction(1, 10**10)
    True
    """
    size, decay = as_selection(sample, subset_size, decay)
    walk = walk_of(H, sample)
    return AdditiveSelection(walk.hypotheses, lower_bounds(walk, size, decay), walk.labels)


def lower_bounds(walk: Walk, subset_size: int, decay: Fraction) -> Integers:
    """Return lower bounds of the expectations of ``w_h 1[h in H_A] / Z_A``, in units of 2**-60."""
    probabilities, roundings = Sums(walk, subset_size, decay).probabilities()
    # The relative error of each is at most ``roundings * 2**-52``, up to higher orders.
    scale = (1 - Fraction(roundings * 101, 100 << 52)) / (1 + excess())
    counted = np.floor(probabilities * (float(scale) * 2.0**SCALE_BITS)).astype(np.int64)
    # One less for products too small for a double; the roundings here are among those counted.
    return np.maximum(counted - 1, 0)
