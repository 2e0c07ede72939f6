"""A threshold with noisy labels: samples of it, and how much a stable learner loses there."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_size,
    described,
    in_words,
)
from pac_stability.arithmetic import Interval
from pac_stability.classes import Hypothesis, Threshold
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.additive.selection import additive_selection
from pac_stability.papers.dagan_feldman.stable import StableLearner
from pac_stability.randomness import SYSTEM_COINS, Coins

_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True, init=False)
class NoisyThreshold:
    """Uniform points, labelled by a threshold, each label wrong with the same probability.

    Parameters
    ----------
    points
        How many points there are: the domain is ``0 .. points - 1``.
    cut
        Points from here on have the label 1, up to noise; from 0 to ``points``.
    noise
        How likely a label is wrong: an exact number, at least 0 and below 1/2. This is the least
        loss of any hypothesis.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> from pac_stability import classes
    >>> from pac_stability.randomness import SeededCoins
    >>> D = NoisyThreshold(1 << 20, 1 << 19, Fraction(1, 5))
    >>> D.excess(classes.Threshold(1 << 18))
    Fraction(3, 20)
    >>> learner = StableLearner(classes.Thresholds(), 100, Fraction(1, 4))
    >>> round(float(D.measured_excess(learner, 1000, SeededCoins(1))), 4)
    0.009
    """

    points: int
    cut: int
    noise: Fraction

    def __init__(self, points: int, cut: int, noise: AnyNumber) -> None:
        m, t = as_size(points, "points", least=1), as_size(cut, "cut")
        if t > m:
            raise InvalidInput("cut", str(t), f"at most {m}, the number of points")
        wrong = as_number(noise, "noise")
        if not 0 <= wrong < _HALF:
            raise InvalidInput("noise", in_words(wrong), "a probability below 1/2")
        for name, value in (("points", m), ("cut", t), ("noise", wrong)):
            object.__setattr__(self, name, value)

    def sample(self, n: int, rng: Coins = SYSTEM_COINS) -> Sample[Hashable]:
        """Draw n independent examples.

        Parameters
        ----------
        n
            How many.
        rng
            Where the coins come from.
        """
        points = [rng.below(self.points) for _ in range(as_size(n, "n"))]
        return Sample(points, [(x >= self.cut) ^ rng.bernoulli(self.noise) for x in points])

    def excess(self, h: Hypothesis) -> Fraction:
        """Return the loss of a threshold on this distribution over the least one, exactly.

        Parameters
        ----------
        h
            A ``Threshold``, upward or not.

        Raises
        ------
        InvalidInput
            h is another kind of hypothesis.
        """
        if not isinstance(h, Threshold):
            raise InvalidInput("h", described(h), "a Threshold")
        first = min(max(math.ceil(h.cut), 0), self.points)
        differing = abs(first - self.cut)
        if not h.upward:
            differing = self.points - differing
        return (1 - 2 * self.noise) * Fraction(differing, self.points)

    def measured_excess(
        self, learner: StableLearner, n: int, rng: Coins = SYSTEM_COINS
    ) -> Interval:
        """Draw a sample, and return the expected excess loss of a stable learner on it.

        Parameters
        ----------
        learner
            Over ``Thresholds()`` or ``SignedThresholds()``.
        n
            The size of the sample, at least what the learner asks for.
        rng
            Where the coins of the sample come from. The learner's are not flipped: the expectation
            over them is computed.

        Returns
        -------
        Interval
            Of ``L_D(A^sta(S)) - min L_D``, from certified probabilities; some ``10**-11`` wide.

        Raises
        ------
        InvalidInput
            The sample is too small, or the class has no such losses.

        Notes
        -----
        One :func:`~.additive.selection.additive_selection`: a tenth of a second for n = 1,700 and
        n' = 220, a second for n = 8,000 and n' = 800.
        """
        if as_size(n, "n") < learner.least_sample_size:
            raise InvalidInput("n", str(n), f"at least {learner.least_sample_size} examples")
        chosen = additive_selection(
            learner.H, self.sample(n, rng), learner.subset_size, learner.decay
        )
        return chosen.expectation(self.excess)
