"""Lemma 23: a learner of thresholds with too few outputs is wrong half of the time somewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from pac_stability.arguments import as_size, distinct, in_words
from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class FiniteRangeThresholds:
    """The outputs of a proper learner of thresholds on 0, ..., m-1, and their worst case.

    Parameters
    ----------
    m
        The number of points, at least 1. The class H has a hypothesis for each point x: it says 1
        on y <= x and 0 on y > x.
    outputs
        The points of the hypotheses that the learner may output, the class H'.

    Raises
    ------
    InvalidInput
        m is no positive integer, or the outputs are not distinct points, or there is none.

    Notes
    -----
    CLNRW16, Lemma 23: for some distribution with labels from H, every hypothesis of H' is wrong
    with probability at least 1/2. That holds exactly when H' is not all of H. The distribution
    given here is one on which the best output is as bad as it can be:

    - If the hypothesis of point 0 is missing, let the first output's point be certain, and label
      it 0, as that hypothesis does. All of H' says 1 there.
    - If that of point m-1 is missing, let m-1 be certain and its label 1. All of H' says 0 there.
    - If another one is missing, that of j say, let j and j+1 be equally likely and label by it: 1
      and 0. No other threshold separates them, so all of H' is wrong on exactly one. Nothing is
      worse: for every target, the outputs of 0 and m-1 are never wrong on the same point.
    - If none is missing, some hypothesis of H' is never wrong, whatever the distribution.

    The proof in the paper takes two points y < z strictly between the first two outputs
    (:attr:`printed_points`), as there are in a dense order when H' has two hypotheses or more. In
    a finite order such points may be missing, and the statement still holds.

    Examples
    --------
    >>> learner = FiniteRangeThresholds(4, [0, 1, 3])
    >>> learner.printed_points is None, learner.target, learner.least_error
    (True, 2, Fraction(1, 2))
    >>> [(z.point, z.label) for z in learner.worst.support]
    [(2, 1), (3, 0)]
    >>> FiniteRangeThresholds(4, [0, 1, 2]).least_error
    Fraction(1, 1)
    """

    m: int
    outputs: tuple[int, ...]

    def __init__(self, m: int, outputs: Iterable[int]) -> None:
        size = as_size(m, "m", least=1)
        kept = distinct((as_size(point, "outputs") for point in outputs), "outputs")
        if not kept:
            raise InvalidInput("outputs", "none", "at least one point")
        if max(kept) >= size:
            raise InvalidInput("outputs", in_words(max(kept)), f"points below {size}")
        object.__setattr__(self, "m", size)
        object.__setattr__(self, "outputs", tuple(sorted(kept)))

    @property
    def target(self) -> int | None:
        """The point of a missing hypothesis: 0 or m-1 if they are, else the first one, or none."""
        last = self.m - 1
        known = set(self.outputs)
        return next((x for x in chain((0, last), range(last)) if x not in known), None)

    @property
    def worst(self) -> FiniteDistribution[Example[int]]:
        """A distribution of points with the labels of the target, on which all outputs are bad.

        Raises
        ------
        InvalidInput
            No hypothesis is missing, and there is no such distribution.
        """
        match self.target:
            case None:
                raise InvalidInput("outputs", "all thresholds", "at least one that is missing")
            case 0:
                return FiniteDistribution.point_mass(Example(self.outputs[0], 0))
            case x if x == self.m - 1:
                return FiniteDistribution.point_mass(Example(x, 1))
            case x:
                return FiniteDistribution.uniform([Example(x, 1), Example(x + 1, 0)])

    def error(self, output: int, distribution: FiniteDistribution[Example[int]]) -> Fraction:
        """Return the probability that a threshold is wrong.

        Parameters
        ----------
        output
            The point of the threshold.
        distribution
            The law of a labelled point.

        Raises
        ------
        InvalidInput
            The output is no point.
        """
        cut = as_size(output, "output")
        if cut >= self.m:
            raise InvalidInput("output", in_words(cut), f"a point below {self.m}")
        return distribution.expectation(lambda z: int((z.point <= cut) != (z.label == 1)))

    @property
    def least_error(self) -> Fraction:
        """The smallest error of an output on :attr:`worst`: 1/2 or 1. Raises like that."""
        worst = self.worst
        return min(self.error(output, worst) for output in self.outputs)

    @property
    def printed_points(self) -> tuple[int, int] | None:
        """Points y < z strictly between the first two outputs, as in the paper, if there are."""
        if len(self.outputs) > 1 and self.outputs[1] - self.outputs[0] > 2:
            return self.outputs[0] + 1, self.outputs[0] + 2
        return None
