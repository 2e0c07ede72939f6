"""The main results with explicit constants, and what is said of them (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.comparing import at_most, factor_at_most
from pac_stability.claims.dagan_feldman._learning import (
    CONSTANTS,
    Predicts,
    binomial_weights,
    counted,
    learns_a_coin,
    moves_at_most,
    private_up_to,
)
from pac_stability.claims.finding import Finding, all_of, undecided
from pac_stability.claims.trials import Trials, trial
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.papers.dagan_feldman import (
    FlippedLearner,
    PrivatePredictionLearner,
    StableLearner,
    sample_complexity,
)

_BOTH = "both constants on one point"

Goal = tuple[Fraction, Fraction, Fraction]
"""alpha, beta, and gamma or epsilon."""
Sized = Callable[[Fraction, Fraction, Fraction], tuple[int, Predicts]]

_QUICK: Goal = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))


def _goals(budget: Budget) -> Iterator[Goal]:
    yield _QUICK
    if budget is not Budget.QUICK:
        yield from product((Fraction(2, 5), Fraction(1, 6)), (Fraction(1, 10),), (Fraction(1, 3),))
    if budget is Budget.DEEP:
        yield from product((Fraction(1, 10),), (Fraction(1, 20),), (Fraction(1, 5), Fraction(4, 5)))


Promise = tuple[Goal, Fraction]


def _promises(budget: Budget) -> Iterator[Promise]:
    biases = (Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1))
    yield from product(_goals(budget), biases)


def _learns(sized: Sized, promise: Promise) -> Finding:
    goal, bias = promise
    n, learner = sized(*goal)
    return learns_a_coin(learner, n, bias, goal[0], goal[1])


def _stable(sized: Sized, goal: Goal) -> Finding:
    n, learner = sized(*goal)
    return moves_at_most(learner, n, goal[2])


def _private(sized: Sized, goal: Goal) -> Finding:
    n, learner = sized(*goal)
    places = sorted({0, 1, n // 3, n // 2 - 1, n // 2, n - 2, n - 1, *range(0, n, max(1, n // 20))})
    return private_up_to(learner, n, Epsilon(goal[2]).ratio, places)


@cache
def _theorem_1(alpha: Fraction, beta: Fraction, gamma: Fraction) -> tuple[int, Predicts]:
    size = sample_complexity.theorem_1(alpha, beta, gamma, 1, class_size=2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _one_example(_: Fraction, __: Fraction, gamma: Fraction) -> tuple[int, Predicts]:
    return 1, StableLearner(CONSTANTS, 1, gamma)


@cache
def _impatient(alpha: Fraction, beta: Fraction, gamma: Fraction) -> tuple[int, Predicts]:
    n, _ = _theorem_1(alpha, beta, gamma)
    return n | 1, StableLearner(CONSTANTS, 1, 8)


@cache
def _corollary_2(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    size = sample_complexity.corollary_2(alpha, beta, epsilon, 1, class_size=2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _always_flipped(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    n, _ = _corollary_2(alpha, beta, epsilon)
    return n, FlippedLearner(StableLearner(CONSTANTS, 1, epsilon), Fraction(1, 2))


@cache
def _not_flipped(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    n, _ = _corollary_2(alpha, beta, epsilon)
    return n, FlippedLearner(StableLearner(CONSTANTS, 1, 6), Fraction(0))


@cache
def _theorem_3(
    alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> tuple[int, PrivatePredictionLearner]:
    size = sample_complexity.theorem_3(alpha, beta, epsilon, 1, class_size=2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _few_examples(_: Fraction, __: Fraction, ___: Fraction) -> tuple[int, PrivatePredictionLearner]:
    return 2, PrivatePredictionLearner(CONSTANTS, 1, Fraction(99, 100), blocks=1)


@cache
def _sharp_choice(_: Fraction, __: Fraction, ___: Fraction) -> tuple[int, PrivatePredictionLearner]:
    return 40, PrivatePredictionLearner(CONSTANTS, 1, Fraction(1, 40), blocks=5)


def _larger_goals(budget: Budget) -> Iterator[Goal]:
    """Goals for Theorem 3, whose sizes are in the thousands even for two hypotheses."""
    yield (Fraction(2, 5), Fraction(1, 2), Fraction(4, 5))
    if budget is not Budget.QUICK:
        yield (Fraction(2, 5), Fraction(1, 4), Fraction(1, 2))
    if budget is Budget.DEEP:
        yield (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))


def _larger_promises(budget: Budget) -> Iterator[Promise]:
    biases = (Fraction(1, 5), Fraction(1), Fraction(0), Fraction(1, 3))[: budget.pick(2, 3, 4)]
    yield from product(_larger_goals(budget), biases)


Enclosing = Callable[[Fraction, Fraction, Fraction], tuple[int, PrivatePredictionLearner]]


def _learns_enclosed(sized: Enclosing, promise: Promise) -> Finding:
    """Like :func:`learns_a_coin`, with intervals: exact predictions have very many digits."""
    (alpha, beta, _), bias = promise
    n, learner = sized(*promise[0])
    weights = binomial_weights(n, bias)
    whole = bias.denominator**n
    good = bad = 0
    for k in sorted(range(n + 1), key=lambda k: -weights[k]):
        if good >= (1 - beta) * whole or bad > beta * whole:
            break
        (p,) = learner.enclosed(counted(n, k), [0])
        excess = bias * (1 - p) + (1 - bias) * p - min(bias, 1 - bias)
        if excess.upper <= alpha:
            good += weights[k]
        elif excess.lower > alpha:
            bad += weights[k]
        else:
            return undecided(f"n = {n}, {k} ones: excess in [{excess}], alpha = {alpha}")
    return at_most(
        Interval(Fraction(bad), Fraction(whole - good)),
        beta * whole,
        f"{_BOTH}, labels 1 with probability {bias}, n = {n}: the excess is above {alpha} with "
        f"probability {float(Fraction(bad, whole)):.4g} or more, beta = {beta}",
    )


def _private_enclosed(sized: Enclosing, goal: Goal) -> Finding:
    n, learner = sized(*goal)
    allowed = Epsilon(goal[2]).ratio

    def factors(k: int) -> Iterator[Finding]:
        p, q = (learner.enclosed(counted(n, ones), [0])[0] for ones in (k, k + 1))
        for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)):
            text = f"{_BOTH}, n = {n}, {k} and {k + 1} ones: factor {float(a / b):.4g}"
            yield factor_at_most(a / b, allowed, text)

    return all_of(found for k in (0, n // 2) for found in factors(k))


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
            _learns,
            _promises,
            subject=_theorem_1,
            mutant=_one_example,
            universe=f"{_BOTH}, four biases",
        ),
        trial(
            "stability",
            _stable,
            _goals,
            subject=_theorem_1,
            mutant=_impatient,
            universe=f"{_BOTH}, all neighbours",
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
            _learns,
            _promises,
            subject=_corollary_2,
            mutant=_always_flipped,
            universe=f"{_BOTH}, four biases",
        ),
        trial(
            "privacy",
            _private,
            _goals,
            subject=_corollary_2,
            mutant=_not_flipped,
            universe=f"{_BOTH}, neighbours at about twenty places",
        ),
    ),
    "DF20:theorem-3": (
        trial(
            "accuracy",
            _learns_enclosed,
            _larger_promises,
            subject=_theorem_3,
            mutant=_few_examples,
            universe=f"{_BOTH}, biases",
        ),
        trial(
            "privacy",
            _private_enclosed,
            _larger_goals,
            subject=_theorem_3,
            mutant=_sharp_choice,
            universe=f"{_BOTH}, neighbours at a few places",
        ),
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
