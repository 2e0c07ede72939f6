"""Independent oracles, straight from the definitions."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias, TypeVar

import pytest

from pac_stability.data import FiniteDistribution, Mechanism, enumerate_law

X = TypeVar("X")
Law: TypeAlias = FiniteDistribution[object]


@pytest.fixture(scope="session")
def least_factor() -> Callable[[Law, Law], Fraction | float]:
    """The least t >= 1 with p(o) <= t q(o) and q(o) <= t p(o) for all outcomes o."""

    def of(p: Law, q: Law) -> Fraction | float:
        worst: Fraction | float = Fraction(1)
        for outcome in {*p.support, *q.support}:
            one, other = p.probability(outcome), q.probability(outcome)
            if not one or not other:
                return math.inf
            worst = max(worst, one / other, other / one)
        return worst

    return of


@pytest.fixture(scope="session")
def least_delta() -> Callable[[Law, Law, Fraction], Fraction]:
    """The least delta with p(E) <= t q(E) + delta for all events E."""

    def of(p: Law, q: Law, t: Fraction) -> Fraction:
        gains = (p.probability(o) - t * q.probability(o) for o in p.support)
        return sum((gain for gain in gains if gain > 0), Fraction(0))

    return of


@pytest.fixture(scope="session")
def runs_as_stated() -> Callable[[Mechanism[X, object], X], bool]:
    """Whether the law of what runs, over all paths of its coins, is the closed form."""

    def of(mechanism: Mechanism[X, object], x: X) -> bool:
        return enumerate_law(
            lambda rng: mechanism.run(x, rng), max_draws=5000, inside=True
        ) == mechanism.law(x)

    return of
