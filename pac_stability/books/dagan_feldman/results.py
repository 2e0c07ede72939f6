"""The main results with explicit constants, and what is said of them (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman import size_accounts, sized_learners
from pac_stability.books.dagan_feldman._constructed import (
    CONCENTRATED,
    concentrated,
    from_stability,
    moves,
    of_all_indices,
)
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, trial
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.papers.dagan_feldman import (
    sample_complexity,
)

# What Theorem 1 gains

Comparison = tuple[int, Fraction]


def _comparisons(budget: Budget) -> Iterator[Comparison]:
    yield from product((1, 3)[: budget.pick(1, 2, 2)], (Fraction(1, 10), Fraction(1, 50)))


Sizes = Callable[[int, Fraction], tuple[int, int]]
"""For d and alpha = gamma: the size of Theorem 1 and that of averaging."""


def _both_sizes(d: int, alpha: Fraction) -> tuple[int, int]:
    beta = Fraction(1, 20)
    return (
        sample_complexity.theorem_1(alpha, beta, alpha, d).sample_size,
        sample_complexity.disjoint_average_size(alpha, beta, alpha, d).sample_size,
    )


def _averaging_twice(d: int, alpha: Fraction) -> tuple[int, int]:
    return _both_sizes(d, alpha)[1], _both_sizes(d, alpha)[1]


def _gains(sizes: Sizes, instance: Comparison) -> Finding:
    d, alpha = instance
    ours, averaging = sizes(d, alpha)
    return at_most(
        2 * ours,
        averaging,
        f"d = {d}, alpha = gamma = {alpha}: Theorem 1 takes {ours} examples, averaging {averaging}",
    )


# Theorem 10

Rate = Callable[[int, Fraction], Interval]


def _cardinality(rate: Rate, instance: tuple[int, Fraction]) -> Finding:
    d, alpha = instance
    C = 8
    size = ceil((C * (d + 1) * Interval.log(1 / alpha) / alpha).upper)
    patterns = Interval.log(sauer_shelah_bound(size, d))
    return at_most(
        patterns,
        rate(d, alpha),
        f"d = {d}, alpha = {alpha}, n' = {size}: ln of the Sauer sum is {float(patterns):.4f}",
    )


def _without_dimension(d: int, alpha: Fraction) -> Interval:
    return d * Interval.log(2 * Interval.exp(1) * 8 * Interval.log(1 / alpha) / alpha)


def _halved(d: int, alpha: Fraction) -> Interval:
    return _without_dimension(d, alpha) / 2


def _dimensions(budget: Budget) -> Iterator[tuple[int, Fraction]]:
    alphas = (Fraction(1, 3), Fraction(1, 10), Fraction(1, 100))
    yield from product(range(1, budget.pick(12, 41, 120)), alphas)


# Theorem 12


# Lines over a prime field


TRIALS: Trials = {
    "DF20:theorem-1": (
        trial(
            "accuracy",
            sized_learners.stable_learns,
            sized_learners.stable_settings,
            subject=sized_learners.theorem_1,
            mutant=sized_learners.one_index,
            universe=sized_learners.STABLE_SETTINGS,
        ),
        trial(
            "stability",
            sized_learners.stable_moves,
            sized_learners.stable_settings,
            subject=sized_learners.theorem_1,
            mutant=sized_learners.impatient,
            universe=sized_learners.DELICATE,
        ),
        trial(
            "constructed",
            partial(moves, 1),
            concentrated,
            subject=from_stability,
            mutant=of_all_indices,
            universe=CONCENTRATED,
        ),
        size_accounts.steps(size_accounts.theorem_1, size_accounts.with_one_index),
        trial(
            "what every learner needs",
            size_accounts.enough,
            size_accounts.large_classes,
            subject=size_accounts.stable_needs,
            mutant=size_accounts.a_thousandth(size_accounts.stable_needs),
            universe=size_accounts.LARGE,
        ),
        trial(
            "gain over averaging",
            _gains,
            _comparisons,
            subject=_both_sizes,
            mutant=_averaging_twice,
            universe="alpha = gamma = 1/10 and 1/50, small d",
        ),
    ),
    "DF20:corollary-2": (
        trial(
            "accuracy",
            sized_learners.flipped_learns,
            sized_learners.settings,
            subject=sized_learners.corollary_2,
            mutant=sized_learners.flips_of_one_index,
            universe=sized_learners.SETTINGS,
        ),
        trial(
            "privacy",
            sized_learners.flipped_is_private,
            sized_learners.settings,
            subject=sized_learners.corollary_2,
            mutant=sized_learners.hardly_flipped,
            universe=sized_learners.DELICATE,
        ),
        size_accounts.steps(size_accounts.corollary_2, size_accounts.unflipped),
    ),
    "DF20:theorem-3": (
        trial(
            "accuracy",
            sized_learners.private_learns,
            sized_learners.larger_settings,
            subject=sized_learners.theorem_3,
            mutant=sized_learners.relabelled_from_one_index,
            universe=sized_learners.LARGER,
        ),
        trial(
            "privacy",
            sized_learners.is_private,
            sized_learners.larger_settings,
            subject=sized_learners.theorem_3,
            mutant=sized_learners.sharp_selection,
            universe=sized_learners.DELICATE,
        ),
        size_accounts.steps(size_accounts.theorem_3, size_accounts.matched_more_often),
        size_accounts.generalisation(size_accounts.theorem_3, size_accounts.loses_a_tenth_more),
    ),
    "DF20:theorem-10": (
        trial(
            "logarithm of the growth function",
            _cardinality,
            _dimensions,
            subject=_without_dimension,
            mutant=_halved,
            universe="dimensions from 1 on, alpha = 1/3, 1/10, 1/100",
        ),
    ),
}
