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


NOISE = (
    Exhibit(
        name="half-the-noise",
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
        domain=_ITEMS,
        claim=Fraction(4),
        wrong=FromLaw(above_a_noisy_threshold(lambda: _noise().map(lambda z: (z, z)))),
        right=FromLaw(above_a_noisy_threshold(lambda: _noise().product(_noise()))),
        value=math.inf,
        sample=("a",),
        neighbour=("b",),
        event=(("a",),),
    ),
    Exhibit(
        name="gaussian-that-ends",
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
        claim=Fraction(4),
        wrong=FromLaw(two_answers_about_one),
        right=FromLaw(two_answers_about_two),
        value=Fraction(5),
        sample=(1, 0),
        neighbour=(0, 0),
        event=((1, 1),),
    ),
)
