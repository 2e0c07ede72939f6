"""Small laws, and what is read off them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

from pac_stability import FiniteDistribution, Interval

T = TypeVar("T")


def coin(p: Fraction) -> FiniteDistribution[int]:
    """1 with probability p, else 0."""
    return FiniteDistribution({1: p, 0: 1 - p})


def empirical(values: Sequence[T]) -> FiniteDistribution[T]:
    """The law of a value at a uniform place."""
    times = Counter(values)
    return FiniteDistribution({value: Fraction(k, len(values)) for value, k in times.items()})


def silent(_sample: object) -> FiniteDistribution[str]:
    """The mechanism that tells nothing."""
    return FiniteDistribution.point_mass("nothing")


def mass(law: FiniteDistribution[T], event: Iterable[T]) -> Fraction:
    return sum((law.probability(outcome) for outcome in event), Fraction())


def ends(value: Fraction | Interval) -> tuple[Fraction, Fraction]:
    return (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
