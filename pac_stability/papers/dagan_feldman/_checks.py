"""Checks that the learners of this package share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from fractions import Fraction

from pac_stability.arguments import (
    AnyNumber,
    as_fraction,
    as_points,
    as_probability,
    as_size,
    described,
    in_words,
)
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.weights import as_decay


def as_selection(sample: object, subset_size: object, decay: object) -> tuple[int, Fraction]:
    """Check what a selection distribution depends on, besides the class; return n' and rho."""
    if not isinstance(sample, Sample):
        raise InvalidInput("sample", described(sample), "a Sample")
    if not len(sample):
        raise InvalidInput("sample", "no examples", "at least one")
    size = as_size(subset_size, "subset_size", least=1)
    if size > len(sample):
        wanted = f"at most {len(sample)}, the size of the sample"
        raise InvalidInput("subset_size", in_words(size), wanted)
    return size, as_decay(decay)


def fix(learner: object, **fields: object) -> None:
    """Set the fields of a frozen learner, in its constructor."""
    for name, value in fields.items():
        object.__setattr__(learner, name, value)


def as_masses(masses: Iterable[AnyNumber]) -> Counter[Fraction]:
    """Return how many points have each mass; they sum to 1 at most."""
    exact = (as_fraction(mass, "masses") for mass in as_points(masses, "masses"))
    given = Counter(as_probability(mass, "masses") for mass in exact)
    total = sum(mass * times for mass, times in given.items())
    if total > 1:
        raise InvalidInput("masses", f"a sum of {in_words(Fraction(total))}", "at most 1 together")
    return given


def subset_size_for(n: int, share: Fraction) -> int:
    """Return a share of n, rounded down, or say for which n there is one."""
    least = math.ceil(1 / share)
    size = as_size(n, "n")
    if size < least:
        raise InvalidInput("n", in_words(size), f"at least {least} examples for a subset of one")
    return math.floor(size * share)


def masses_of(
    data: Sample[Hashable] | FiniteDistribution[Example[Hashable]],
) -> tuple[Counter[Example[Hashable]], int]:
    """Return the examples of a sample or a law with integers for masses, and the unit of these."""
    if isinstance(data, Sample):
        return Counter(data), len(data) or 1
    if isinstance(data, FiniteDistribution):
        return Counter(data.numerators), data.denominator
    raise InvalidInput("data", described(data), "a Sample or a distribution of examples")
