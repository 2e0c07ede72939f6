"""The law of what A^sta chooses, in certified bounds: one form for all computations."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_fraction, as_points
from pac_stability.arithmetic import Interval
from pac_stability.classes import Hypothesis
from pac_stability.data import EnclosedDistribution, Example, FiniteDistribution, Sample
from pac_stability.papers.dagan_feldman._checks import masses_of
from pac_stability.papers.dagan_feldman.additive._labelling import LabelsOfMany


@dataclass(frozen=True, slots=True, eq=False)
class EnclosedLaw:
    """The law of what A^sta chooses, up to certified bounds.

    Attributes
    ----------
    hypotheses
        Those that can be chosen, distinct.
    lowers
        For each of them a lower bound of its probability, in units of ``2**-bits``: machine
        integers, or Python's.
    bits
        How fine they are.
    labels
        How the hypotheses label points.

    Notes
    -----
    What the lower bounds lack of one is the :attr:`slack`. It belongs to some hypotheses: no
    probability, and no sum of some of them, exceeds what its lower bounds say by more. Every answer
    below is computed from that, exactly.
    """

    hypotheses: tuple[Hypothesis, ...]
    lowers: npt.NDArray[Any]
    bits: int
    labels: LabelsOfMany

    def __post_init__(self) -> None:
        if not 0 <= int(self.lowers.sum()) <= 1 << self.bits:
            raise RuntimeError("a compiled walk found probabilities of sum more than one")

    @property
    def slack(self) -> Fraction:
        """How much wider than a point an answer about a probability can be."""
        return 1 - Fraction(int(self.lowers.sum()), 1 << self.bits)

    def law(self) -> EnclosedDistribution[Hypothesis]:
        """Return the distribution of the hypothesis, P_S."""
        slack = self.slack
        shares = (Fraction(lower, 1 << self.bits) for lower in self.lowers.tolist())
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
            for column, one in enumerate((self.lowers @ labels.astype(self.lowers.dtype)).tolist()):
                least, most = labels[:, column].min(), labels[:, column].max()
                share = Fraction(one, 1 << self.bits)
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
        values = [as_fraction(value(h), "value") for h in self.hypotheses]
        common = math.lcm(*{number.denominator for number in values})
        scaled = [number.numerator * (common // number.denominator) for number in values]
        return self._mean(np.array(scaled, dtype=object), common)

    def _mean(self, values: npt.NDArray[Any], unit: int) -> Interval:
        """Return the mean of integers, one for each hypothesis, over a common denominator."""
        sum_of_products = int((self.lowers.astype(object) * values).sum())
        mean = Fraction(sum_of_products, unit << self.bits)
        slack = self.slack / unit
        return Interval(mean + slack * int(values.min()), mean + slack * int(values.max()))
