"""The law of what A^sta chooses, in certified bounds: one form for all computations.

Before it the checks that the learners of this package share, and the labels that many hypotheses
give points: as a table, or summed up without one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pac_stability import arguments
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass, Hypothesis
from pac_stability.classes.validation import Number
from pac_stability.data import EnclosedDistribution, Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.weights import as_decay


def as_selection(sample: object, subset_size: object, decay: object) -> tuple[int, Fraction]:
    """Check what a selection distribution depends on, besides the class; return n' and rho."""
    if not isinstance(sample, Sample):
        raise InvalidInput("sample", arguments.described(sample), "a Sample")
    if not len(sample):
        raise InvalidInput("sample", "no examples", "at least one")
    size = arguments.as_size(subset_size, "subset_size", least=1)
    if size > len(sample):
        wanted = f"at most {len(sample)}, the size of the sample"
        raise InvalidInput("subset_size", arguments.in_words(size), wanted)
    return size, as_decay(decay)


def fix(learner: object, **fields: object) -> None:
    """Set the fields of a frozen learner, in its constructor."""
    for name, value in fields.items():
        object.__setattr__(learner, name, value)


def as_masses(masses: Iterable[arguments.AnyNumber]) -> Counter[Fraction]:
    """Return how many points have each mass; they sum to 1 at most."""
    exact = (
        arguments.as_fraction(mass, "masses") for mass in arguments.as_points(masses, "masses")
    )
    given = Counter(arguments.as_probability(mass, "masses") for mass in exact)
    total = sum(mass * times for mass, times in given.items())
    if total > 1:
        raise InvalidInput(
            "masses", f"a sum of {arguments.in_words(Fraction(total))}", "at most 1 together"
        )
    return given


def subset_size_for(n: int, share: Fraction) -> int:
    """Return a share of n, rounded down, or say for which n there is one."""
    least = math.ceil(1 / share)
    size = arguments.as_size(n, "n")
    if size < least:
        raise InvalidInput(
            "n", arguments.in_words(size), f"at least {least} examples for a subset of one"
        )
    return math.floor(size * share)


def masses_of(
    data: Sample[Hashable] | FiniteDistribution[Example[Hashable]],
) -> tuple[Counter[Example[Hashable]], int]:
    """Return the examples of a sample or a law with integers for masses, and the unit of these."""
    if isinstance(data, Sample):
        return Counter(data), len(data) or 1
    if isinstance(data, FiniteDistribution):
        return Counter(data.numerators), data.denominator
    raise InvalidInput("data", arguments.described(data), "a Sample or a distribution of examples")


# The labels that many hypotheses give points: as a table, or summed up without one

Labels: TypeAlias = npt.NDArray[np.bool_]
Sums: TypeAlias = npt.NDArray[Any]
"""Exact integers: of 64 bits, or objects."""

_CELLS = 1 << 24
"""A table of labels has no more cells, or one column."""


class LabelsOfMany(ABC):
    """How some hypotheses label points.

    Parameters
    ----------
    size
        How many hypotheses there are.
    """

    def __init__(self, size: int) -> None:
        self.size: int = size

    @abstractmethod
    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points, shape (hypotheses, points)."""

    def blocks(self, points: Sequence[Hashable]) -> Iterator[Sequence[Hashable]]:
        """Split points so that a table has a bounded number of cells."""
        width = max(1, _CELLS // self.size)
        return (points[start : start + width] for start in range(0, len(points), width))

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return for each hypothesis the sum of the values at the points that it labels 1.

        Parameters
        ----------
        points
            Any points.
        values
            An integer for each.

        Notes
        -----
        As many operations as a table has cells, unless a labelling knows a shorter way.
        """
        found = np.zeros(self.size, dtype=values.dtype)
        done = 0
        for block in self.blocks(points):
            found += self(block) @ values[done : done + len(block)]
            done += len(block)
        return found


class LabelledByTable(LabelsOfMany):
    """Rows of a finite class.

    Parameters
    ----------
    H
        The class.
    rows
        Which of them.
    """

    def __init__(self, H: FiniteClass, rows: Sequence[int]) -> None:
        super().__init__(len(rows))
        self._class = H
        self._rows = np.array(rows, dtype=np.intp)

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        columns = [self._class.column(point) for point in points]
        labels: Labels = self._class.table[self._rows][:, columns].astype(np.bool_)
        return labels


class LabelledBySets(LabelsOfMany):
    """Sets of at most one point.

    Parameters
    ----------
    size
        How many sets there are.
    holding
        Which of them holds a point.
    """

    def __init__(self, size: int, holding: Mapping[Hashable, int]) -> None:
        super().__init__(size)
        self._holding = holding

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        table = np.zeros((self.size, len(points)), dtype=np.bool_)
        for column, point in enumerate(points):
            if point in self._holding:
                table[self._holding[point], column] = True
        return table

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return the sums of :meth:`LabelsOfMany.sums`, each point looked at once."""
        found = np.zeros(self.size, dtype=values.dtype)
        for place, point in enumerate(points):
            if point in self._holding:
                found[self._holding[point]] += values[place]
        return found


class LabelledByCuts(LabelsOfMany):
    """Thresholds on the line, upwards and downwards.

    Parameters
    ----------
    cuts
        Where each is, and whether it labels 1 what is there and above, or what is below.
    value
        Where on the line a point is.
    """

    def __init__(
        self, cuts: Sequence[tuple[Number, bool]], value: Callable[[Hashable], Number]
    ) -> None:
        super().__init__(len(cuts))
        self._value = value
        self._ordered = sorted({cut for cut, _ in cuts})
        rank = {cut: index for index, cut in enumerate(self._ordered)}
        self._ranks = np.array([rank[cut] for cut, _ in cuts], dtype=np.int64)
        self._upward = np.array([upward for _, upward in cuts], dtype=np.bool_)

    def _places(self, points: Sequence[Hashable]) -> npt.NDArray[np.int64]:
        """Count the cuts that are not above each point."""
        values = map(self._value, points)
        return np.array([bisect_right(self._ordered, value) for value in values], dtype=np.int64)

    def __call__(self, points: Sequence[Hashable]) -> Labels:
        """Return the labels at some points."""
        labels: Labels = (self._ranks[:, None] < self._places(points)) == self._upward[:, None]
        return labels

    def sums(self, points: Sequence[Hashable], values: Sums) -> Sums:
        """Return the sums of :meth:`LabelsOfMany.sums`, along the line.

        Notes
        -----
        O(log(hypotheses)) for each point, and O(1) for each hypothesis.
        """
        at = np.zeros(len(self._ordered) + 1, dtype=values.dtype)
        np.add.at(at, self._places(points), values)
        # Of a cut of rank r those at its places r + 1, r + 2, ... are above.
        above = np.cumsum(at[:0:-1])[::-1][self._ranks]
        return np.where(self._upward, above, values.sum() - above)


# The law of what A^sta chooses, in certified bounds: one form for all computations


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
        for block in self.labels.blocks(list(arguments.as_points(points))):
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
        values = [arguments.as_fraction(value(h), "value") for h in self.hypotheses]
        common = math.lcm(*{number.denominator for number in values})
        scaled = [number.numerator * (common // number.denominator) for number in values]
        return self._mean(np.array(scaled, dtype=object), common)

    def _mean(self, values: npt.NDArray[Any], unit: int) -> Interval:
        """Return the mean of integers, one for each hypothesis, over a common denominator."""
        sum_of_products = int((self.lowers.astype(object) * values).sum())
        mean = Fraction(sum_of_products, unit << self.bits)
        slack = self.slack / unit
        return Interval(mean + slack * int(values.min()), mean + slack * int(values.max()))
