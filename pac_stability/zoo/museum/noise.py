"""Exhibits that add noise to counts: scales, thresholds, ranges."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from pac_stability.audit import Notion
from pac_stability.data import FiniteDistribution, FromLaw, Mechanism
from pac_stability.mechanisms import (
    DiscreteLaplace,
    LaplaceHistogram,
    StableHistogram,
    discrete_laplace_pmf,
)
from pac_stability.zoo._parts import noisy, of, total
from pac_stability.zoo.museum.exhibit import Exhibit
from pac_stability.zoo.specimen import Records

_HALF = Fraction(1, 2)
_QUARTER = Fraction(1, 4)
_ITEMS = ("a", "b")


def noisy_counts(decay: Fraction) -> Mechanism[Records, object]:
    """Return the mechanism that adds noise to the count of every item, present or not."""

    def law(data: Records) -> FiniteDistribution[object]:
        noise = DiscreteLaplace(decay, 0, len(data))
        a, b = (noise.law(data.count(item)) for item in _ITEMS)
        return a.product(b)

    return FromLaw(law)


def noise_until_in_range(data: Records) -> FiniteDistribution[object]:
    """Return the law of the sum of bits plus noise, drawn again until it is in 0..n."""
    count = total(data)
    weights = [discrete_laplace_pmf(shown - count, _HALF) for shown in range(len(data) + 1)]
    return FiniteDistribution({shown: w / sum(weights) for shown, w in enumerate(weights)})


def gaussian_among_counts(data: Records) -> FiniteDistribution[object]:
    """Return the law of a choice among 0..n, with Gaussian weights around the sum of bits."""
    weights = [_HALF ** ((shown - total(data)) ** 2) for shown in range(len(data) + 1)]
    return FiniteDistribution({shown: w / sum(weights) for shown, w in enumerate(weights)})


def above_a_noisy_threshold(
    joint: Callable[[], FiniteDistribution[tuple[int, int]]],
) -> Callable[[Records], FiniteDistribution[object]]:
    """Return the law of the items whose count and noise reach 1, for the joint law of the noise."""

    def law(data: Records) -> FiniteDistribution[object]:
        counts = [data.count(item) for item in _ITEMS]
        return joint().map(
            lambda zs: tuple(
                item for item, count, z in zip(_ITEMS, counts, zs, strict=True) if count + z >= 1
            )
        )

    return law


def _noise() -> FiniteDistribution[int]:
    return DiscreteLaplace(_HALF, -1, 1).law(0)  # -1, 0, 1 with probability 1/3 each


def _one_noise() -> FiniteDistribution[tuple[int, int]]:
    return _noise().map(lambda z: (z, z))


def _two_noises() -> FiniteDistribution[tuple[int, int]]:
    return _noise().product(_noise())


NOISE = (
    Exhibit(
        name="half-the-noise",
        bug="A count with geometric noise of half the scale: decay 1/4 where 1/2 was meant.",
        temptation="A factor 2 between scale and epsilon, between variance and scale, or between"
        " one-sided and two-sided definitions gets lost in a comment. The outputs look"
        " right: noisy, unbiased, the right shape.",
        remedy="Decay e**-epsilon = 1/2 for sensitivity 1.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=(0, 1),
        n=1,
        claim=Fraction(2),
        wrong=of(total, DiscreteLaplace(_QUARTER, 0, 1)),
        right=of(total, DiscreteLaplace(_HALF, 0, 1)),
        value=Fraction(4),
        sample=(0,),
        neighbour=(1,),
        event=(0,),
    ),
    Exhibit(
        name="one-record-one-count",
        bug="A histogram with noise for sensitivity 1 in each count, where neighbours have one"
        " record replaced.",
        temptation="A person is in one cell, so one cell changes: true when a person is added or"
        " removed. When a record is replaced, one count falls and another rises, and"
        " epsilon is paid twice.",
        remedy="Noise for sensitivity 2: decay e**(-epsilon/2) in each count.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=_ITEMS,
        n=1,
        claim=Fraction(4),
        wrong=noisy_counts(_QUARTER),
        right=noisy_counts(_HALF),
        value=Fraction(16),
        sample=("a",),
        neighbour=("b",),
        event=((1, 0),),
    ),
    Exhibit(
        name="threshold-without-delta",
        bug="Only items that occur get noise; those whose noisy count passes a threshold are"
        " listed. Claimed with delta = 0.",
        temptation="Nobody can enumerate all items that might occur, and a low count is unlikely to"
        " pass. Unlikely is what delta is for: an item that does not occur is never"
        " listed, so a listed one proves that somebody had it.",
        remedy="Noise for every item of the universe, or the claim with its delta (here 1/3).",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=_ITEMS,
        n=1,
        claim=Fraction(4),
        wrong=LaplaceHistogram(_HALF, threshold=2),
        right=noisy_counts(_HALF),
        value=math.inf,
        sample=("a",),
        neighbour=("b",),
        event=(frozenset({("a", 1)}),),
    ),
    Exhibit(
        name="delta-of-one-item",
        bug="A histogram with noise -1..1 and a threshold: its delta is taken to be the probability"
        " of the largest noise, 1/4.",
        temptation="That is what one count gives away. Two counts move when a record is replaced,"
        " and either can show it: 1 - (3/4)**2 = 7/16. Data sets with one visible count"
        " never reveal the mistake.",
        remedy="More noise, -2..2, so that twice the probability of the largest is within delta.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=_ITEMS,
        n=5,
        delta=_QUARTER,
        claim=Fraction(4),
        wrong=StableHistogram(_HALF, truncation=1, threshold=3),
        right=StableHistogram(_HALF, truncation=2, threshold=4),
        value=math.inf,
        sample=tuple("aabbb"),
        neighbour=tuple("abbbb"),
        event=(
            frozenset(),
            frozenset({("a", 3)}),
            frozenset({("a", 3), ("b", 3)}),
            frozenset({("a", 3), ("b", 4)}),
        ),
    ),
    Exhibit(
        name="noise-until-in-range",
        bug="A count of two bits with noise that is drawn again until the sum is in 0..2.",
        temptation="A noisy count of -1 looks silly, and rejection keeps the shape of the noise"
        " inside the range. But how often it rejects depends on the count: at the border"
        " the remaining probabilities are scaled up more.",
        remedy="Clamp: what falls outside moves to the border, which is post-processing.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=(0, 1),
        n=2,
        claim=Fraction(2),
        wrong=FromLaw(noise_until_in_range),
        right=of(total, DiscreteLaplace(_HALF, 0, 2)),
        value=Fraction(16, 7),
        sample=(0, 0),
        neighbour=(0, 1),
        event=(0,),
    ),
    Exhibit(
        name="one-noisy-threshold",
        bug="Two counts are compared with one noisy threshold; the noise is drawn once.",
        temptation="Noise in the threshold is noise in every comparison, and epsilon seems to be"
        " paid once for any number of questions. But the answers together say which"
        " count is larger, and that has no noise at all.",
        remedy="Fresh noise for every comparison, paid for each time.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=_ITEMS,
        n=1,
        claim=Fraction(4),
        wrong=FromLaw(above_a_noisy_threshold(_one_noise)),
        right=FromLaw(above_a_noisy_threshold(_two_noises)),
        value=math.inf,
        sample=("a",),
        neighbour=("b",),
        event=(("a",),),
    ),
    Exhibit(
        name="gaussian-that-ends",
        bug="A count with Gaussian noise, weights 2**-(z**2), that is cut off at -2 and 2. Claimed"
        " concentrated with the rho of the whole Gaussian, ln 2 = 0.6931.",
        temptation="What lies beyond has a probability that nobody will see, and a Gaussian made of"
        " floats ends anyway. But zero-concentrated privacy has no delta: an answer that"
        " is possible on one data set alone has an infinite divergence, however rare it is.",
        remedy="The same weights on answers that do not depend on the data, 0, ..., n.",
        notion=Notion.ZERO_CONCENTRATED_PRIVACY,
        domain=(0, 1),
        n=1,
        claim=Fraction(7, 10),
        wrong=noisy(total, -2, 1, 8, 16, 8, 1),
        right=FromLaw(gaussian_among_counts),
        value=math.inf,
        sample=(0,),
        neighbour=(1,),
        event=(-2,),
    ),
)
