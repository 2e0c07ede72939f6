"""Monte Carlo averages of the stable learner's predictions, with a bound on their error."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_points,
    as_size,
    in_words,
)
from pac_stability.arithmetic import Interval
from pac_stability.classes import ErrorCounter, Family, Labeller
from pac_stability.classes.required import require_patterns
from pac_stability.data import AnySample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import enclosed_powers
from pac_stability.mechanisms.weights import as_decay
from pac_stability.papers.dagan_feldman.draws import random_subset
from pac_stability.randomness import SYSTEM_COINS, Coins

_BITS = 64


@dataclass(frozen=True, slots=True, repr=False)
class PredictionEstimate(Tabled):
    """Averages over random subsets, and how far from the probabilities they may be.

    Attributes
    ----------
    values
        For each point an estimate of the probability of label 1.
    radius
        With probability at least :attr:`confidence` over the draws, *every* value is within this
        distance of the probability that it estimates. Rounded up; the errors of floats are in it.
    confidence
        1 - delta.
    draws
        M, how many subsets were drawn.
    """

    values: tuple[float, ...]
    radius: float
    confidence: Fraction
    draws: int


def estimated_probabilities(
    H: Family,
    sample: AnySample | ErrorCounter,
    points: Sequence[Hashable],
    subset_size: int,
    decay: Fraction,
    *,
    draws: int,
    confidence: AnyNumber = Fraction(99, 100),
    rng: Coins = SYSTEM_COINS,
    progress: Callable[[int, int], object] | None = None,
) -> PredictionEstimate:
    """Estimate the predictions of A^sta at given points by drawing subsets of the sample.

    Only the subset is random: given it, the average over the hypotheses is computed, not drawn.

    Parameters
    ----------
    H
        The class, not empty; it may be infinite.
    sample
        S, of n examples.
    points
        k points of the domain, at least one.
    subset_size
        n', at least 1 and at most n.
    decay
        rho, above 0 and at most 1.
    draws
        M, at least 1. It has to be fixed in advance: who looks at the values to decide when to stop
        loses the guarantee.
    confidence
        1 - delta, above 0 and below 1.
    rng
        Where the coins come from; the operating system's entropy by default. With seeded coins
        everything is repeatable, and nothing private.
    progress
        Called after each draw with the number of draws done and M. An exception that it raises, or
        Ctrl-C, ends the computation.

    Returns
    -------
    PredictionEstimate
        The radius is ``sqrt(ln(2k/delta) / (2M))`` and what rounding may add.

    Raises
    ------
    InvalidInput
        A parameter is out of range, the sample is too small, a point is not in the domain, or the
        class is empty.

    Notes
    -----
    The M terms of an average are independent and between 0 and 1, so that one average is off by
    more than r with probability at most ``2 exp(-2 M r**2)``; then a union bound over the k points.
    Source: Hoeffding 1963, Theorem 2.

    An estimate is no private prediction: it is a property of the sample, for who may see it.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> from pac_stability.data import Sample
    >>> from pac_stability.randomness import SeededCoins
    >>> S = Sample(range(100), [int(x >= 50) for x in range(100)])
    >>> found = estimated_probabilities(
    ...     Thresholds(), S, [10, 90], 20, Fraction(1, 2), draws=1000, rng=SeededCoins(1)
    ... )
    >>> [round(value, 2) for value in found.values], round(found.radius, 4)
    ([0.0, 1.0], 0.0547)
    """
    require_patterns(H)
    counter, rho, at = ErrorCounter.of(sample), as_decay(decay), as_points(points)
    if not at:
        raise InvalidInput("points", "none", "at least one point")
    labeller = Labeller(at)
    radius = hoeffding_radius(draws, len(at), confidence)
    totals = np.zeros(len(at))
    off = 0.0
    for done in range(1, draws + 1):
        hypotheses = H.representatives_on(random_subset(counter.sample, subset_size, rng).points)
        if not hypotheses:
            raise InvalidInput("H", "the empty class", "at least one hypothesis")
        shares, error = _shares(counter.count(hypotheses).tolist(), rho)
        totals += shares @ labeller.labels(hypotheses)
        off += error
        if progress is not None:
            progress(done, draws)
    # M additions of terms up to 1, and one division, each with a relative error of 2**-53.
    rounding = off / draws + (draws + 4) * 2.0**-52
    return PredictionEstimate(
        tuple((totals / draws).tolist()),
        math.nextafter(radius + rounding, math.inf),
        as_number(confidence, "confidence"),
        draws,
    )


def hoeffding_radius(draws: int, averages: int, confidence: AnyNumber) -> float:
    """Return how far averages of independent numbers in [0, 1] may be from their means.

    Parameters
    ----------
    draws
        M, the number of terms of each average.
    averages
        k, the number of averages.
    confidence
        1 - delta, with which all of them are as near, above 0 and below 1.

    Returns
    -------
    float
        ``sqrt(ln(2k/delta) / (2M))``, rounded up.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> round(hoeffding_radius(1000, 1, Fraction(95, 100)), 6)
    0.042947
    """
    M, k = as_size(draws, "draws", least=1), as_size(averages, "averages", least=1)
    exact = as_number(confidence, "confidence")
    if not 0 < exact < 1:
        raise InvalidInput("confidence", in_words(exact), "an exact number above 0 and below 1")
    bound = Interval.sqrt(Interval.log(2 * k / (1 - exact)) / (2 * M)).upper
    return math.nextafter(float(bound), math.inf)


def _shares(errors: list[int], decay: Fraction) -> tuple[npt.NDArray[np.float64], float]:
    """Return the exponential mechanism's probabilities as floats, and a bound on what they miss.

    The bound is for the sum over any set of candidates.
    """
    least = min(errors)
    levels = sorted(set(errors))
    floors, ceilings = enclosed_powers([k - least for k in levels], decay, _BITS)
    weight = dict(zip(levels, floors, strict=True))
    width = dict(zip(levels, (c - f for f, c in zip(floors, ceilings, strict=True)), strict=True))
    total = sum(weight[k] for k in errors)
    shares = np.array([weight[k] / total for k in errors])
    # With weights low by w in all, a sum of shares is off by w over the total at most, and each
    # share, and each of the additions, by 2**-53 of it.
    missing = sum(width[k] for k in errors) / total
    return shares, missing + (len(errors) + 2) * 2.0**-53
