"""Exhibits that add noise to counts, and exhibits found in the wild.

The latter are public reports about other libraries, replayed in a few lines. The programs are our
own and as small as possible; the reports have the details.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from pac_stability import mechanisms
from pac_stability.audit import Notion
from pac_stability.data import FiniteDistribution, FromLaw, Mechanism
from pac_stability.zoo.museum.exhibit import Exhibit
from pac_stability.zoo.specimens import Records, bits, first, noisy, of, total

_HALF = Fraction(1, 2)
_QUARTER = Fraction(1, 4)
_ITEMS = ("a", "b")


def noisy_counts(decay: Fraction) -> Mechanism[Records, object]:
    """Return the mechanism that adds noise to the count of every item, present or not."""

    def law(data: Records) -> FiniteDistribution[object]:
        noise = mechanisms.DiscreteLaplace(decay, 0, len(data))
        a, b = (noise.law(data.count(item)) for item in _ITEMS)
        return a.product(b)

    return FromLaw(law)


def noise_until_in_range(data: Records) -> FiniteDistribution[object]:
    """Return the law of the sum of bits plus noise, redrawn until it is in 0..n."""
    count = total(data)
    weights = [
        mechanisms.discrete_laplace_pmf(shown - count, _HALF) for shown in range(len(data) + 1)
    ]
    return FiniteDistribution({shown: w / sum(weights) for shown, w in enumerate(weights)})


def gaussian_among_counts(data: Records) -> FiniteDistribution[object]:
    """Return the law of a choice among 0..n, with Gaussian weights around the sum of bits."""
    weights = [_HALF ** ((shown - total(data)) ** 2) for shown in range(len(data) + 1)]
    return FiniteDistribution({shown: w / sum(weights) for shown, w in enumerate(weights)})


def above_a_noisy_threshold(
    joint: Callable[[], FiniteDistribution[tuple[int, int]]],
) -> Callable[[Records], FiniteDistribution[object]]:
    """Return the law of the items with noisy count at least 1, for a joint law of the noise."""

    def law(data: Records) -> FiniteDistribution[object]:
        counts = [data.count(item) for item in _ITEMS]
        return joint().map(
            lambda zs: tuple(
                item for item, count, z in zip(_ITEMS, counts, zs, strict=True) if count + z >= 1
            )
        )

    return law


def _noise() -> FiniteDistribution[int]:
    return mechanisms.DiscreteLaplace(_HALF, -1, 1).law(0)  # -1, 0, 1 with probability 1/3 each


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
        claim=Fraction(2),
        wrong=of(total, mechanisms.DiscreteLaplace(_QUARTER, 0, 1)),
        right=of(total, mechanisms.DiscreteLaplace(_HALF, 0, 1)),
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
        domain=_ITEMS,
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
        domain=_ITEMS,
        claim=Fraction(4),
        wrong=mechanisms.LaplaceHistogram(_HALF, threshold=2),
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
        domain=_ITEMS,
        delta=_QUARTER,
        claim=Fraction(4),
        wrong=mechanisms.StableHistogram(_HALF, truncation=1, threshold=3),
        right=mechanisms.StableHistogram(_HALF, truncation=2, threshold=4),
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
        claim=Fraction(2),
        wrong=FromLaw(noise_until_in_range),
        right=of(total, mechanisms.DiscreteLaplace(_HALF, 0, 2)),
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
        domain=_ITEMS,
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
        claim=Fraction(7, 10),
        wrong=noisy(total, -2, 1, 8, 16, 8, 1),
        right=FromLaw(gaussian_among_counts),
        value=math.inf,
        sample=(0,),
        neighbour=(1,),
        event=(-2,),
    ),
)


# Found in the wild

_HALVINGS = 13
_LEAST = 2.0**-1074


def distance_to_median(data: Records) -> list[int]:
    """Return, for the points 0 and 1, twice the number of records between them and a median."""
    return [abs(2 * sum(x <= point for x in bits(data)) - len(data)) for point in (0, 1)]


def median_in_half_precision(data: Records) -> FiniteDistribution[object]:
    """Return the law of a median among 0 and 1 by intervals, with weights in half precision.

    Sorted records cut the range [0, 2) into intervals. The mechanism chooses one by its length
    times a weight for its rank, relative to the weight of the best rank, and then a point in it.
    """
    n = len(data)
    cuts = [0, *sorted(bits(data)), 2]
    far = [abs(2 * rank - n) for rank in range(n + 1)]
    weights = [
        np.ldexp(np.float16(1), _HALVINGS * (min(far) - here)) * np.float16(cuts[i + 1] - cuts[i])
        for i, here in enumerate(far)
    ]
    shares = dict.fromkeys((0, 1), Fraction(0))
    for i, weight in enumerate(weights):
        for point in range(cuts[i], cuts[i + 1]):
            shares[point] += Fraction(float(weight)) / (cuts[i + 1] - cuts[i])
    whole = sum(shares.values())
    if not whole:
        return FiniteDistribution.point_mass("no candidate")
    return FiniteDistribution({point: share / whole for point, share in shares.items()})


def asked_within(
    total_of: Callable[[list[float]], float | Fraction],
) -> Callable[[Records], FiniteDistribution[object]]:
    """Return two randomised responses, the second only if a ledger with this addition allows it.

    The first costs the whole budget, ln 2. The second has the factor 1 + 2**-1074, and its cost is
    the least positive float.
    """
    budget = math.log(2)

    def law(data: Records) -> FiniteDistribution[object]:
        first_answer = _response(first(data), Fraction(2))
        if total_of([budget, _LEAST]) > budget:
            return first_answer.map(lambda answer: (answer, "refused"))
        return first_answer.product(_response(first(data), 1 + Fraction(_LEAST)))

    return law


def exact_sum(costs: list[float]) -> Fraction:
    """Return a sum without rounding."""
    return sum(map(Fraction, costs), Fraction(0))


def votes_elsewhere(data: Records) -> list[int]:
    """Return for a and b how many votes went elsewhere."""
    return [sum(vote != item for vote in data) for item in _ITEMS]


def gaussian_sum(decay: Fraction) -> Callable[[Records], FiniteDistribution[object]]:
    """Return the choice among -4..4 with the weights decay**(z**2) around the sum of records."""

    def law(data: Records) -> FiniteDistribution[object]:
        weights = {answer: decay ** ((answer - total(data)) ** 2) for answer in range(-4, 5)}
        whole = sum(weights.values())
        return FiniteDistribution({answer: w / whole for answer, w in weights.items()})

    return law


def two_answers_about_one(data: Records) -> FiniteDistribution[object]:
    """Return the law of two randomised responses about one randomly drawn record."""
    drawn = FiniteDistribution.uniform(range(len(data)))

    def both(i: int) -> FiniteDistribution[object]:
        answer = _response(bits(data)[i], Fraction(3))
        return answer.product(answer)

    return drawn.bind(both)


def two_answers_about_two(data: Records) -> FiniteDistribution[object]:
    """Return the law of two randomised responses, each about its own randomly drawn record."""
    drawn = FiniteDistribution.uniform(range(len(data)))
    answer = drawn.bind(lambda i: _response(bits(data)[i], Fraction(3)))
    return answer.product(answer)


def _response(bit: int, factor: Fraction) -> FiniteDistribution[object]:
    """Return the law of a bit that is told truly with probability factor / (1 + factor)."""
    lie = 1 / (1 + factor)
    return FiniteDistribution({bit: 1 - lie, 1 - bit: lie})


FOUND = (
    Exhibit(
        name="measure-that-underflows",
        bug="A private median whose weights are floats: relative to the best rank all others are 0,"
        " and where equal records give the best rank an interval of length 0, nothing can be"
        " chosen. Whether that happens depends on the data.",
        temptation="Subtracting the best score first is how underflow is avoided, and its weight is"
        " then 1. But the weight is multiplied by a length, which may be 0.",
        remedy="Integers of any size; with floats, the logarithm of the length is part of the score"
        " before the best is subtracted, as the proposed mend does.",
        found="https://github.com/IBM/differential-privacy-library/issues/107",
        claim=Fraction(2 ** (4 * _HALVINGS)),
        wrong=FromLaw(median_in_half_precision),
        right=mechanisms.ExponentialMechanism(
            (0, 1), distance_to_median, Fraction(1, 2**_HALVINGS)
        ),
        value=math.inf,
        sample=(1, 1),
        neighbour=(0, 1),
        event=("no candidate",),
    ),
    Exhibit(
        name="ledger-of-floats",
        bug="A ledger adds what was spent in floats. When all is spent, what is smaller than the"
        " rounding of the sum is added without a trace, and allowed.",
        temptation="A float has sixteen digits, and nobody spends less than that. Whoever asks for"
        " so little is refused by no comparison, however often.",
        remedy="Rational numbers, which add exactly; or sums that are rounded upward.",
        found="https://github.com/maziyarpanahi/openmed/pull/2457",
        claim=Fraction(2),
        wrong=FromLaw(asked_within(sum)),
        right=FromLaw(asked_within(exact_sum)),
        value=2 + 2 * Fraction(_LEAST),
        sample=(0,),
        neighbour=(1,),
        event=((0, 0),),
    ),
    Exhibit(
        name="rho-of-permute-and-flip",
        bug="Permute-and-flip with epsilon = 2 ln 2 and the rho of the exponential mechanism,"
        " epsilon**2 / 8 = 0.2402.",
        temptation="Both choose by scores, both have this epsilon, and permute-and-flip errs less."
        " But epsilon**2 / 8 rests on bounded range, which it has not: its rho is up to"
        " epsilon**2 / 2.",
        remedy="The exponential mechanism, or the rho of epsilon alone.",
        found="https://github.com/opendp/opendp/issues/2911",
        notion=Notion.ZERO_CONCENTRATED_PRIVACY,
        domain=_ITEMS,
        claim=Fraction("0.2403"),
        wrong=mechanisms.PermuteAndFlip(_ITEMS, votes_elsewhere, _HALF),
        right=mechanisms.ExponentialMechanism(_ITEMS, votes_elsewhere, _HALF),
        value=Fraction("0.549307"),
        sample=("a",),
        neighbour=("b",),
        event=("a",),
    ),
    Exhibit(
        name="clipped-once-replaced",
        bug="A sum of records in [-1, 1] with Gaussian noise, accounted with sensitivity 1 where"
        " one record is replaced.",
        temptation="Records are clipped to 1, and a record that is added or removed moves the sum"
        " by 1. One that is replaced moves it by 2, and rho grows by a factor of 4.",
        remedy="Twice the noise: weights 2**-(z**2) in place of 16**-(z**2).",
        found="https://github.com/google/differential-privacy/issues/378",
        notion=Notion.ZERO_CONCENTRATED_PRIVACY,
        domain=(-1, 1),
        claim=Fraction("2.7726"),
        wrong=FromLaw(gaussian_sum(Fraction(1, 16))),
        right=FromLaw(gaussian_sum(_HALF)),
        value=Fraction("11.0904"),
        sample=(1,),
        neighbour=(-1,),
        event=(1,),
    ),
    Exhibit(
        name="amplified-twice-sampled-once",
        bug="Two randomised responses about one record that is drawn at random, each with the"
        " amplified 1 + (3 - 1)/2 = 2, and together the square of that.",
        temptation="Each answer alone is amplified: whether the record was drawn is not known."
        " After the first answer it is known better, and the second is about the same record.",
        remedy="A record drawn anew for each answer; or amplification once, of all the answers.",
        found="https://github.com/opendp/opendp/issues/2933",
        claim=Fraction(4),
        wrong=FromLaw(two_answers_about_one),
        right=FromLaw(two_answers_about_two),
        value=Fraction(5),
        sample=(1, 0),
        neighbour=(0, 0),
        event=((1, 1),),
    ),
)
