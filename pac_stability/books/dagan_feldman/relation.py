"""The relation h <= lambda g + kappa between predictors (Appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from pac_stability.claims.trials import Budget, Finding, Trials, at_most, fails, settle, trial
from pac_stability.notions.domination import Domination, minimal_slack

Chain = tuple[Fraction, Fraction, Fraction, Fraction, Fraction]
"""Probabilities of label 1 under h, g and f at one point, and the two factors."""


def _chains(budget: Budget) -> Iterator[Chain]:
    q = budget.pick(5, 9, 20)
    grid = [Fraction(i, q) for i in range(q + 1)]
    factors = [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3)]
    yield from product(grid, grid, grid, factors, factors)


def _transitive(rule: Callable[[Domination, Domination], Domination], chain: Chain) -> Finding:
    h, g, f, first, second = chain
    one = Domination(first, minimal_slack({0: h}, {0: g}, first))
    two = Domination(second, minimal_slack({0: g}, {0: f}, second))
    both = rule(one, two)
    back = g <= first * h + one.slack and 1 - g <= first * (1 - h) + one.slack
    if not one.holds({0: h}, {0: g}) or one.holds({0: g}, {0: h}) != back:
        return fails(f"h = {h}, g = {g}, {one}: whether it holds is not as it is defined")
    needed = minimal_slack({0: h}, {0: f}, both.factor)
    return at_most(
        needed,
        both.slack,
        f"h = {h}, g = {g}, f = {f}: with factor {both.factor} h needs slack {needed}, "
        f"the rule says {both.slack}",
    )


def _without_scaling(one: Domination, two: Domination) -> Domination:
    return Domination(one.factor * two.factor, one.slack + two.slack)


Mixture = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction], Fraction, Fraction]
"""Two pairs (h, g) at one point, the factor, and the weight of the first pair."""


def _mixtures(budget: Budget) -> Iterator[Mixture]:
    q = budget.pick(3, 6, 10)
    grid = [Fraction(i, q) for i in range(q + 1)]
    pairs = list(product(grid, grid))
    weights = [Fraction(1, 4), Fraction(1, 2)]
    for one, other in combinations_with_replacement(pairs, 2):
        yield from product([one], [other], [Fraction(1), Fraction(2)], weights)


def _closed(slack_of_both: Callable[[Fraction, Fraction], Fraction], mixture: Mixture) -> Finding:
    (h, g), (k, f), factor, w = mixture
    allowed = slack_of_both(
        minimal_slack({0: h}, {0: g}, factor), minimal_slack({0: k}, {0: f}, factor)
    )
    needed = minimal_slack({0: w * h + (1 - w) * k}, {0: w * g + (1 - w) * f}, factor)
    return at_most(needed, allowed, f"{mixture}: slack {needed} is needed, {allowed} allowed")


# Predictors as functions to [0, 1], and privacy as the relation


def _losses(budget: Budget) -> Iterator[Mixture]:
    """Two pairs (prediction, probability of label 1 at a point), and the mass of the first."""
    q = budget.pick(4, 6, 10)
    grid = [Fraction(i, q) for i in range(q + 1)]
    for one, other in product(product(grid, grid), repeat=2):
        yield one, other, Fraction(1), Fraction(1, 3)


def _expected_loss(loss: Callable[[Fraction, int], Fraction], points: Mixture) -> Finding:
    """Pr[A(x) != y] over D and the coins of A, as E |h(x) - y|."""
    (p, a), (q, b), _, mass = points
    wrong = mass * (p * (1 - a) + (1 - p) * a) + (1 - mass) * (q * (1 - b) + (1 - q) * b)
    expected = mass * (a * loss(p, 1) + (1 - a) * loss(p, 0))
    expected += (1 - mass) * (b * loss(q, 1) + (1 - b) * loss(q, 0))
    return settle(wrong == expected, f"{points}: {expected}, by definition {wrong}")


Pair = tuple[Fraction, Fraction, Fraction]


def _pairs(budget: Budget) -> Iterator[Pair]:
    q = budget.pick(8, 20, 80)
    grid = [Fraction(i, q) for i in range(q + 1)]
    yield from product(grid, grid, (Fraction(1), Fraction(3, 2), Fraction(3)))


def _same_notion(slack: Callable[[Fraction, Fraction, Fraction], Fraction], pair: Pair) -> Finding:
    p, q, factor = pair
    delta = max(Fraction(0), p - factor * q, (1 - p) - factor * (1 - q))
    answer = slack(p, q, factor)
    return settle(answer == delta, f"{pair}: slack {answer}, least delta {delta}")


def _slack(p: Fraction, q: Fraction, factor: Fraction) -> Fraction:
    return minimal_slack({0: p}, {0: q}, factor)


TRIALS: Trials = {
    "DF20:definition-randomized-classifier": (
        trial(
            "two points",
            _expected_loss,
            _losses,
            subject=lambda p, y: abs(p - y),
            mutant=lambda p, y: (p - y) ** 2,
            universe="predictions and labels at two points, probabilities in a grid",
        ),
    ),
    "DF20:definition-relation": (
        trial(
            "two predictions",
            _same_notion,
            _pairs,
            subject=_slack,
            mutant=lambda p, q, factor: _slack(q, p, factor),
            universe="two predictions in a grid, three factors",
        ),
    ),
    "DF20:appendix-a.transitivity": (
        trial(
            "chains of three",
            _transitive,
            _chains,
            subject=Domination.then,
            mutant=_without_scaling,
            universe="three predictions in a grid, four factors twice, the smallest slacks",
        ),
    ),
    "DF20:appendix-a.mixtures": (
        trial(
            "two components",
            _closed,
            _mixtures,
            subject=max,
            mutant=min,
            universe="two pairs of predictions in a grid, two factors, two weights",
        ),
    ),
}
