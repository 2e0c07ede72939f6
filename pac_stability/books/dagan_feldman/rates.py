"""The rate of Theorem 3, restated as Theorem 12 (Section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from pac_stability.claims.trials import Budget, Finding, Trials, at_most, trial
from pac_stability.papers.dagan_feldman import (
    sample_complexity,
)

SizeOf = Callable[[Fraction, Fraction, int], int]
"""From alpha, epsilon and d to the explicit size, with the paper's division."""


def _decades(budget: Budget) -> Iterator[tuple[int, int]]:
    yield from product((1, 8), range(2, budget.pick(4, 6, 8)))


def _rate(size: SizeOf, instance: tuple[int, int]) -> Finding:
    """Where epsilon is small, dividing alpha by k multiplies the size by k, up to logarithms."""
    d, decades = instance
    epsilon, alpha = Fraction(1, 10**9), Fraction(1, 10)
    smaller = alpha / 10**decades
    before, after = size(alpha, epsilon, d), size(smaller, epsilon, d)
    logs = Fraction(decades + 1) ** 2
    return at_most(
        after,
        2 * 10**decades * logs * before,
        f"d = {d}, epsilon = {epsilon}: {float(before):.4g} examples for alpha = {alpha}, "
        f"{float(after):.4g} for {smaller}",
    )


def _size_of_theorem_3(alpha: Fraction, epsilon: Fraction, d: int) -> int:
    return sample_complexity.theorem_3(
        alpha, Fraction(1, 20), epsilon, d, constants="paper"
    ).sample_size


def _size_of_corollary_2(alpha: Fraction, epsilon: Fraction, d: int) -> int:
    return sample_complexity.corollary_2(
        alpha, Fraction(1, 20), epsilon, d, constants="paper"
    ).sample_size


TRIALS: Trials = {
    "DF20:theorem-12": (
        trial(
            "growth in 1/alpha",
            _rate,
            _decades,
            subject=_size_of_theorem_3,
            mutant=_size_of_corollary_2,
            universe="d = 1 and 8, alpha from 1/10 down by two decades or more",
        ),
    ),
}
