"""The two parameters of "at most alpha, except with probability beta", one from the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from pac_stability.data import FiniteDistribution
from pac_stability.notions.by_type import LawsByType
from pac_stability.notions.covering import CertifiedBounds, certify_supremum, power_distance

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome

ONE = Fraction(1)


def smallest_beta(law: FiniteDistribution[Fraction], alpha: Fraction) -> Fraction:
    """Return the probability of a number larger than alpha."""
    return law.expectation(lambda number: int(number > alpha))


def smallest_alpha(law: FiniteDistribution[Fraction], beta: Fraction) -> Fraction:
    """Return the smallest alpha >= 0 that is exceeded with probability at most beta."""
    exceeded = Fraction(0)
    for number, probability in sorted(law.items(), reverse=True):
        exceeded += probability
        if exceeded > beta:
            return max(number, Fraction(0))
    return Fraction(0)


def beta_over_grid(
    laws: LawsByType[E, O],
    number: Callable[[FiniteDistribution[E]], FiniteDistribution[Fraction]],
    *,
    alpha: Fraction,
    denominator: int,
    moves: int,
    max_grid: int,
) -> CertifiedBounds[E]:
    """Enclose the largest, over all D, probability under D^n of a number larger than alpha.

    The number is at most 1, and for one sample and output it moves by at most ``moves`` times the
    distance between two distributions D. So it is larger than alpha under one of them only where it
    is larger than alpha - moves * distance under the other.
    """
    numbers = lru_cache(maxsize=1)(number)  # asked about each distribution twice in a row
    bounds = certify_supremum(
        lambda distribution: smallest_beta(numbers(distribution), alpha),
        laws.universe,
        denominator,
        lambda eta: power_distance(eta, laws.n),
        relaxed=lambda distribution, eta: smallest_beta(numbers(distribution), alpha - moves * eta),
        max_grid=max_grid,
    )
    return replace(bounds, upper=min(bounds.upper, ONE))


def alpha_over_grid(
    laws: LawsByType[E, O],
    number: Callable[[FiniteDistribution[E]], FiniteDistribution[Fraction]],
    *,
    beta: Fraction,
    denominator: int,
    moves: int,
    max_grid: int,
) -> CertifiedBounds[E]:
    """Enclose the largest, over all D, of the smallest alpha for beta; as :func:`beta_over_grid`.

    What is at most alpha except with probability beta - TV(C^n, D^n) under C^n is at most
    alpha + moves * TV(C, D) except with probability beta under D^n.
    """
    numbers = lru_cache(maxsize=1)(number)

    def relaxed(distribution: FiniteDistribution[E], eta: Fraction) -> Fraction:
        left = beta - power_distance(eta, laws.n)
        return smallest_alpha(numbers(distribution), left) if left >= 0 else ONE

    bounds = certify_supremum(
        lambda distribution: smallest_alpha(numbers(distribution), beta),
        laws.universe,
        denominator,
        lambda eta: moves * eta,
        relaxed=relaxed,
        max_grid=max_grid,
    )
    return replace(bounds, upper=min(bounds.upper, ONE))
